"""Projects: their files by content, git repositories, snapshots, and the extraction of facts from files."""
