"""A project: its files by content, its git repository, its snapshots, and the extraction of its files' facts."""
