"""Texts of programs that name classes, fields and methods: functors of `java/name_parts.dl`."""

from __future__ import annotations


def fits(name: str, first: str, last: str) -> int:
    """1 if the name begins and ends with these constants of a program, 0 otherwise.

    A constant is written as facts have it, in quotes; the empty text stands for one that is not known.
    """
    begin, end = first[1:-1], last[1:-1]
    return int(len(name) >= len(begin) + len(end) and name.startswith(begin) and name.endswith(end))
