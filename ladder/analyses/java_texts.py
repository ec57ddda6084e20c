"""Texts of programs that name classes, fields and methods: functors of `java/name_parts.dl`.

Of a text that is put together, the beginning and the end may be known, or all of it.
"""

from __future__ import annotations

MOST = 200  # characters that are kept of a beginning or an end: loops may put together texts of any length


def inside(literal: str) -> str:
    """A string constant without its quotes."""
    return literal[1:-1]


def first(left: str, whole: int, right: str) -> str:
    """What `left + right` begins with, if these are what both begin with; `whole`: `left` is all of the left one."""
    return (left + right)[:MOST] if whole else left


def last(left: str, whole: int, right: str) -> str:
    """What `left + right` ends with, if these are what both end with; `whole`: `right` is all of the right one."""
    return (left + right)[-MOST:] if whole else right


def fits(name: str, begin: str, end: str, whole: int) -> int:
    """1 if a name begins and ends like this, or is this if `whole`; 0 otherwise."""
    if whole:
        return int(name == begin == end)
    return int(len(name) >= len(begin) + len(end) and name.startswith(begin) and name.endswith(end))
