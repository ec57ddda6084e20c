"""States on disk: a base that is mapped, logs of later changes, and the checks of both."""
