"""Strided intervals: intervals all of whose numbers have the same remainder modulo their stride."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd
from typing import TYPE_CHECKING

from ladder.lattices.base import BOTTOM, Extreme, Lattice
from ladder.lattices.congruence import congruence, congruent
from ladder.lattices.interval import LEAST, MOST, THRESHOLDS
from ladder.lattices.interval import Widened as WidenedInterval

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Stride = tuple[int, int] | tuple[int, int, int]
Strides = Stride | Extreme


class Strided(Lattice[Strides]):
    """Values are (low, high, stride), the numbers low, low + stride, … high, where the stride is greater than 1;
    intervals (low, high), whose stride is 1, or 0 where they are a single number; and `BOTTOM`, the empty set.

                     [0, 4]
                    /   |  \\
          [0, 4] by 2   |   [1, 3] …
            /     \\     |
      [0, 2] by 2  …  [0, 1]
            \\       |      /
                  Bottom

    The reduced product of intervals and congruences: a ⊑ b ⟺ b has all numbers of a. The join is the hull, with the
    greatest common divisor of the strides and of the distance between the two. Chains are as long as there are
    numbers: where a recursive rule keeps increasing a number, use `WidenedStrides`.
    Sources: Granger 1989 (congruences); Reps, Balakrishnan and Lim, PEPM 2006 (strided intervals).
    """

    bottom = BOTTOM

    def __init__(self, least: int = LEAST, most: int = MOST) -> None:
        if least >= most:
            raise ValueError("the least number of a lattice of intervals must be smaller than the greatest")
        self.top: Stride = (least, most)

    def join(self, a: Strides, b: Strides) -> Strides:
        if isinstance(b, Extreme) or a == b:
            return a
        if isinstance(a, Extreme):
            return b
        low, high = min(b[0], a[0]), max(b[1], a[1])
        return progression(low, high, gcd(stride(a), stride(b), a[0] - b[0]))

    def meet(self, a: Strides, b: Strides) -> Strides:
        if isinstance(a, Extreme) or isinstance(b, Extreme):
            return BOTTOM
        low, high = max(a[0], b[0]), min(a[1], b[1])
        if len(a) == 2 == len(b):
            return (low, high) if low <= high else BOTTOM
        found = congruence.meet(congruent(stride(a), a[0]), congruent(stride(b), b[0]))
        return BOTTOM if isinstance(found, Extreme) else within(low, high, *found)

    def leq(self, a: Strides, b: Strides) -> bool:
        if isinstance(a, Extreme) or isinstance(b, Extreme):
            return isinstance(a, Extreme)
        by = stride(b)
        return b[0] <= a[0] and a[1] <= b[1] and (by <= 1 or stride(a) % by == 0 and (a[0] - b[0]) % by == 0)

    def inject(self, value: int) -> Stride:
        """The value of a single number, limited to the numbers of the lattice."""
        number = min(max(value, self.top[0]), self.top[1])
        return number, number

    def values(self) -> SearchStrategy[Strides]:
        from hypothesis import strategies as st

        bound = st.integers(*self.top[:2]) | st.integers(max(self.top[0], -20), min(self.top[1], 20))
        return st.just(BOTTOM) | st.builds(
            lambda a, b, n: within(min(a, b), max(a, b), n, a), bound, bound, st.integers(1, 12)
        )

    def examples(self) -> Sequence[Strides]:
        numbers = sorted({max(n, self.top[0]) for n in (-6, 0)} | {min(n, self.top[1]) for n in (3, 6, 9)})
        strides = [(a, b) for a in numbers for b in numbers if a <= b]
        return (
            BOTTOM,
            self.top,
            *strides,
            *(progression(a, b, 3) for a, b in strides if b - a in (3, 6, 9)),
            (0, 6, 2),
        )

    def show(self, value: Strides) -> str:
        if isinstance(value, Extreme):
            return value.value
        by = f" by {value[2]}" if len(value) == 3 else ""
        return f"[{value[0]}, {value[1]}]{by}"


class WidenedStrides(Strided):
    """Strided intervals that widen: the bounds of the join of two different ones are moved outwards to the next
    thresholds, and from there inwards to the next number with the remainder.

    That is a closure, which makes `widen` associative; a chain has at most two steps per threshold, and one for each
    prime factor of the first stride.
    """

    def __init__(self, thresholds: Sequence[int] = THRESHOLDS) -> None:
        self.intervals = WidenedInterval(thresholds)
        super().__init__(*self.intervals.top)

    def widen(self, a: Strides, b: Strides) -> Strides:
        """The least such value that has all numbers of both; of two that are the same, that one."""
        joined = self.join(a, b)
        if isinstance(joined, Extreme) or isinstance(a, Extreme) or isinstance(b, Extreme) or a == b:
            return joined
        low, high = self.intervals.outwards(joined[0], joined[1])
        return within(low, high, stride(joined), joined[0])


def strided(thresholds: Sequence[int] | None = THRESHOLDS) -> Strided:
    """The lattice of strided intervals that widens to these thresholds and to the least and the greatest number.

    None: one without widening.
    """
    return Strided() if thresholds is None else WidenedStrides(thresholds)


def stride(value: Stride) -> int:
    """The distance between two neighbours among the numbers; 0 for a single one."""
    return value[2] if len(value) == 3 else int(value[0] != value[1])


def step(value: Strides) -> Iterator[int]:
    """The stride of what is not empty. Declare the functor with `several`."""
    if not isinstance(value, Extreme):
        yield stride(value)


def progression(low: int, high: int, by: int) -> Stride:
    """The numbers from low to high, both inclusive, in steps."""
    return (low, high, by) if by > 1 and low != high else (low, high)


def within(low: int, high: int, modulus: int, remainder: int) -> Strides:
    """The numbers from low to high with the remainder; with modulus 0, the number `remainder` if it is among them."""
    if modulus == 0:
        return (remainder, remainder) if low <= remainder <= high else BOTTOM
    if modulus > 1:
        low, high = low + (remainder - low) % modulus, high - (high - remainder) % modulus
    return progression(low, high, modulus) if low <= high else BOTTOM
