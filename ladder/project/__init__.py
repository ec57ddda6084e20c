"""A Java project: its files, their extraction, and a run of `analyze`."""
