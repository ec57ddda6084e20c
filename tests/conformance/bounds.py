"""Intervals with infinite bounds."""

from __future__ import annotations

from typing import Any

Bound = tuple[Any, ...]
Interval = tuple[Any, ...]
RANK = {"Least": -1, "At": 0, "Most": 1}


def hull(a: Interval, b: Interval) -> Interval:
    """The smallest interval around both."""
    if a == ("None",) or b == ("None",):
        return b if a == ("None",) else a
    return "From", min(a[1], b[1], key=_key), max(a[2], b[2], key=_key)


def overlap(a: Interval, b: Interval) -> Interval:
    """What is in both."""
    if a == ("None",) or b == ("None",):
        return ("None",)
    low, high = max(a[1], b[1], key=_key), min(a[2], b[2], key=_key)
    return ("From", low, high) if _key(low) <= _key(high) else ("None",)


def moved(a: Interval, by: int) -> Interval:
    """All numbers, moved by another."""
    return a if a == ("None",) else ("From", _plus(a[1], by), _plus(a[2], by))


def _plus(bound: Bound, by: int) -> Bound:
    return ("At", bound[1] + by) if bound[0] == "At" else bound


def _key(bound: Bound) -> tuple[int, int]:
    return RANK[bound[0]], bound[1] if len(bound) > 1 else 0
