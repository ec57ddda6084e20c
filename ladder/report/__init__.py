"""What a run tells people: summaries, result tables, profiles."""
