"""Functors of the random programs: total, pure, and with results from a small set."""

from __future__ import annotations

from collections.abc import Iterator

from ladder.lattices import Extreme


def half(n: int) -> int:
    return n // 2


def letter(n: int) -> str:
    return "abc"[n % 3]


def near(n: int) -> Iterator[int]:
    """Two or three small numbers; one of them twice, which is no second result."""
    yield n % 4
    yield (n + 1) % 4
    yield n % 4
    if n % 2:
        yield (n + 2) % 4


def shifted(bounds: tuple[int, int] | Extreme, by: int) -> tuple[int, int] | Extreme:
    """An interval moved, and cut to -10 … 10."""
    if isinstance(bounds, Extreme):
        return bounds
    low, high = (min(max(bound + by % 3, -10), 10) for bound in bounds)
    return low, high


def low(bounds: tuple[int, int] | Extreme) -> int:
    return 0 if isinstance(bounds, Extreme) else bounds[0]
