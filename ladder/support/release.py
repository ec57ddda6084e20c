"""Which version of Ladder this is."""

from __future__ import annotations


def release() -> str:
    """The version that was installed; "0" in a tree that is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("ladder-analysis")
    except PackageNotFoundError:
        return "0"
