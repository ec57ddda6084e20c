"""Texts of programs that name classes, fields and methods: functors of `java/name_parts.dl`."""

from __future__ import annotations


def inside(literal: str) -> str:
    """A string constant without its quotes."""
    return literal[1:-1]


def begins(name: str, begin: str) -> int:
    """1 if a name begins like this, 0 otherwise."""
    return int(name.startswith(begin))


def ends(name: str, end: str) -> int:
    """1 if a name ends like this, 0 otherwise."""
    return int(name.endswith(end))
