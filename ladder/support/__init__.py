"""General helpers, independent of programs: files, locks, signals, limits, processes, terminals."""
