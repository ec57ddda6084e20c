"""Interval arithmetic of the counting loop."""

from __future__ import annotations

Bounds = tuple[int, int]


def exactly(n: int) -> Bounds:
    return n, n


def add(a: Bounds, n: int) -> Bounds:
    return a[0] + n, a[1] + n


def below(a: Bounds, n: int) -> list[Bounds]:
    """The part of an interval below a number, if any."""
    return [(a[0], min(a[1], n - 1))] if a[0] < n else []


def least(a: Bounds, n: int) -> list[Bounds]:
    """The part of an interval from a number on, if any."""
    return [(max(a[0], n), a[1])] if a[1] >= n else []
