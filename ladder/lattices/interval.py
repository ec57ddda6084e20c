"""Intervals of integers, with widening inside the join: joined bounds move outwards to the next threshold.

A value that was never joined with another keeps its exact bounds. A join rounds: this makes it associative (rounding
twice is rounding once), so it is the join of a lattice of finite height: above the exact intervals stand those whose
bounds are thresholds, and no others are comparable.
"""
from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from ladder.lattices.base import BOTTOM, Extreme, Lattice

Bounds = tuple[int, int]

LEAST, MOST = -(2**31), 2**31 - 1
THRESHOLDS = (LEAST, -(2**16), -(2**15), -1000, -256, -128, -100, -32, -16, -10, -8, -4, -2, -1,
              0, 1, 2, 3, 4, 7, 8, 10, 15, 16, 31, 32, 63, 64, 100, 127, 128, 255, 256, 1000,
              2**15 - 1, 2**16 - 1, MOST)


class Interval(Lattice[Bounds | Extreme]):
    """Values are (low, high), both inclusive, within the outermost thresholds; `BOTTOM` is the empty interval."""

    bottom = BOTTOM

    def __init__(self, thresholds: Sequence[int] = THRESHOLDS) -> None:
        self.thresholds = tuple(sorted(set(thresholds)))
        if len(self.thresholds) < 2:
            raise ValueError("an interval lattice needs at least two thresholds: the least and the greatest number")
        self.top: Bounds = (self.thresholds[0], self.thresholds[-1])

    def join(self, a: Bounds | Extreme, b: Bounds | Extreme) -> Bounds | Extreme:
        if a == b or b is BOTTOM:
            return a
        if a is BOTTOM:
            return b
        return self.widened((min(a[0], b[0]), max(a[1], b[1])))  # type: ignore[index]

    def widened(self, bounds: Bounds) -> Bounds:
        """The least interval between thresholds that holds another."""
        low, high = bounds
        below = max(bisect_right(self.thresholds, low) - 1, 0)
        above = min(bisect_left(self.thresholds, high), len(self.thresholds) - 1)
        return self.thresholds[below], self.thresholds[above]

    def inject(self, value: int) -> Bounds:
        """The interval of one number, cut to what the lattice holds."""
        number = min(max(value, self.top[0]), self.top[1])
        return number, number

    def examples(self) -> Sequence[Bounds | Extreme]:
        inner = [t for t in self.thresholds if -10 <= t <= 10]
        return (BOTTOM, self.top, (3, 3), (3, 5), (5, 5), (-6, 9), *((t, t) for t in inner), (inner[0], inner[-1]))

    def show(self, value: Bounds | Extreme) -> str:
        return value.value if isinstance(value, Extreme) else f"[{value[0]}, {value[1]}]"


def interval(thresholds: Sequence[int] = THRESHOLDS) -> Interval:
    """The interval lattice with these thresholds; the outermost are the least and the greatest number."""
    return Interval(thresholds)
