"""Intervals of integers, exact or with widening, which moves bounds outwards to thresholds in recursion."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ladder.lattices.base import BOTTOM, Extreme, Lattice
from ladder.lattices.shapes import Intervals, Rounded, Shape

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Bounds = tuple[int, int]
Range = Bounds | Extreme

LEAST, MOST = -(2**31), 2**31 - 1
THRESHOLDS = (
    LEAST,
    -(2**16),
    -(2**15),
    -1000,
    -256,
    -128,
    -100,
    -32,
    -16,
    -10,
    -8,
    -4,
    -2,
    -1,
    0,
    1,
    2,
    3,
    4,
    7,
    8,
    10,
    15,
    16,
    31,
    32,
    63,
    64,
    100,
    127,
    128,
    255,
    256,
    1000,
    2**15 - 1,
    2**16 - 1,
    MOST,
)


class Interval(Lattice[Range]):
    """Values are (low, high), both inclusive, and `BOTTOM`, the empty interval, ordered by inclusion.

                  [least, most]
                 /             \\
              …       [0, 2]      …
                   /    |    \\
              [0, 1]    |    [1, 2]
              /    \\   …    /    \\
          [0, 0]    [1, 1]     [2, 2]  …
                \\      |      /
                     Bottom

    The join is the hull, the meet the intersection. Chains are as long as there are numbers: where a recursive rule
    keeps increasing a number, use `Widened`.
    """

    bottom = BOTTOM

    def __init__(self, least: int = LEAST, most: int = MOST) -> None:
        if least >= most:
            raise ValueError("the least number of an interval lattice must be smaller than the greatest")
        self.top: Bounds = (least, most)

    def join(self, a: Range, b: Range) -> Range:
        if isinstance(b, Extreme) or a == b:
            return a
        return b if isinstance(a, Extreme) else (min(a[0], b[0]), max(a[1], b[1]))

    def meet(self, a: Range, b: Range) -> Range:
        if isinstance(a, Extreme) or isinstance(b, Extreme):
            return BOTTOM
        low, high = max(a[0], b[0]), min(a[1], b[1])
        return (low, high) if low <= high else BOTTOM

    def leq(self, a: Range, b: Range) -> bool:
        return isinstance(a, Extreme) or not isinstance(b, Extreme) and b[0] <= a[0] and a[1] <= b[1]

    def inject(self, value: int) -> Bounds:
        """The interval of a single number, limited to the numbers of the lattice."""
        number = min(max(value, self.top[0]), self.top[1])
        return number, number

    def shape(self) -> Shape:
        """The shape of intervals joined by their hull."""
        return Intervals()

    def values(self) -> SearchStrategy[Range]:
        from hypothesis import strategies as st

        bound = st.integers(*self.top)
        return st.just(BOTTOM) | st.tuples(bound, bound).map(lambda pair: (min(pair), max(pair)))

    def examples(self) -> Sequence[Range]:
        numbers = sorted({max(n, self.top[0]) for n in (-6, 0, 3)} | {min(n, self.top[1]) for n in (3, 5, 9)})
        return (BOTTOM, self.top, *((a, b) for a in numbers for b in numbers if a <= b))

    def show(self, value: Range) -> str:
        return value.value if isinstance(value, Extreme) else f"[{value[0]}, {value[1]}]"


class Widened(Interval):
    """Intervals that widen: the hull of two different intervals is rounded outwards to the next thresholds.

    A value that was never joined with another keeps its exact bounds. Rounding is idempotent, which makes `widen`
    associative; a chain has at most two steps per threshold.
    """

    def __init__(self, thresholds: Sequence[int] = THRESHOLDS) -> None:
        self.thresholds = tuple(sorted(set(thresholds)))
        if len(self.thresholds) < 2:
            raise ValueError("an interval lattice needs at least two thresholds: the least and the greatest number")
        super().__init__(self.thresholds[0], self.thresholds[-1])

    def widen(self, a: Range, b: Range) -> Range:
        """The least interval between thresholds that contains both; of two that are the same, that one."""
        if isinstance(b, Extreme) or a == b:
            return a
        if isinstance(a, Extreme):
            return b
        return self.outwards(min(a[0], b[0]), max(a[1], b[1]))

    def outwards(self, low: int, high: int) -> Bounds:
        """The next thresholds outwards from two bounds."""
        below = max(bisect_right(self.thresholds, low) - 1, 0)
        above = min(bisect_left(self.thresholds, high), len(self.thresholds) - 1)
        return self.thresholds[below], self.thresholds[above]

    shape = Interval.shape

    def widened_shape(self) -> Shape:
        """The shape of intervals joined by their hull, rounded to the thresholds."""
        return Rounded(self.thresholds)


def interval(thresholds: Sequence[int] | None = THRESHOLDS) -> Interval:
    """The interval lattice that widens to these thresholds and to the least and the greatest number.

    None: an interval lattice without widening.
    """
    return Interval() if thresholds is None else Widened(thresholds)


def bounds(low: int, high: int) -> Range:
    """The interval between two numbers, both inclusive; empty if low is greater than high."""
    return (low, high) if low <= high else BOTTOM


def bounds_of(number: int) -> Range:
    """The interval of a single number."""
    return number, number


def low(value: Range) -> Iterator[int]:
    """The lower bound, if the interval is not empty. Declare the functor with `several`."""
    if not isinstance(value, Extreme):
        yield value[0]


def high(value: Range) -> Iterator[int]:
    """The upper bound, if the interval is not empty. Declare the functor with `several`."""
    if not isinstance(value, Extreme):
        yield value[1]


def shifted(value: Range, by: int) -> Range:
    """The interval of all sums of its numbers with a number."""
    return value if isinstance(value, Extreme) else (value[0] + by, value[1] + by)


def plus(a: Range, b: Range) -> Range:
    """The interval of all sums of numbers of both."""
    return BOTTOM if isinstance(a, Extreme) or isinstance(b, Extreme) else (a[0] + b[0], a[1] + b[1])


def times(a: Range, b: Range) -> Range:
    """The interval of all products of numbers of both."""
    if isinstance(a, Extreme) or isinstance(b, Extreme):
        return BOTTOM
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def at_most(value: Range, limit: int) -> Range:
    """The part of an interval that is at most a number."""
    return BOTTOM if isinstance(value, Extreme) else bounds(value[0], min(value[1], limit))


def at_least(value: Range, limit: int) -> Range:
    """The part of an interval that is at least a number."""
    return BOTTOM if isinstance(value, Extreme) else bounds(max(value[0], limit), value[1])
