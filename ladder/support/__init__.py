"""Helpers that know nothing of programs: files, locks, signals, limits, processes, terminals."""
