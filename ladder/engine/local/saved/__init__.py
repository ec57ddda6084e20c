"""A state on disk: a base that is mapped, logs of changes after it, and what is checked of both."""
