"""Reports of runs: summaries, result tables, profiles."""
