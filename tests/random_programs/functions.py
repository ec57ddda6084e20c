"""Lattices and functors in Python for random programs: total, pure, with values from a small set."""

from __future__ import annotations

from typing import Any

from ladder.lattices import Extreme, Lattice, finite

Bounds = tuple[int, int]
Hull = Bounds | None

# none below a and b, both below any
FOUR = finite(("none", "a", "b", "any"), [[0, 1, 2, 3], [1, 1, 3, 3], [2, 3, 2, 3], [3, 3, 3, 3]], "symbol")


class Trust(Lattice[str]):
    """A chain, joined by Python; what `lub` takes is how many have checked."""

    order = ("signed", "checked", "untrusted")
    carrier, bottom, top = "symbol", order[0], order[-1]

    def join(self, a: str, b: str) -> str:
        return max(a, b, key=self.order.index)

    def meet(self, a: str, b: str) -> str:
        return min(a, b, key=self.order.index)

    def inject(self, n: int) -> str:
        return self.order[n % 3]

    def examples(self) -> tuple[str, ...]:
        return self.order


class Bits(Lattice[int]):
    """Sets of small numbers as bits; the join is compiled."""

    carrier, bottom, compiled = "number", 0, True

    @staticmethod
    def join(a: int, b: int) -> int:
        return a | b

    def inject(self, n: int) -> int:
        return 1 << n % 5

    def examples(self) -> tuple[int, ...]:
        return 0, 1, 2, 3, 12, 16


class Warmest:
    """Over an algebraic data type of the program: `Unknown` below `Degrees`, the warmer above."""

    bottom = ("Unknown",)

    def join(self, a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
        return max(a, b, key=lambda t: t[1:])

    def meet(self, a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
        return min(a, b, key=lambda t: t[1:])


def hull(a: Hull, b: Hull) -> Hull:
    return b if a is None else a if b is None else (min(a[0], b[0]), max(a[1], b[1]))


def overlap(a: Hull, b: Hull) -> Hull:
    return None if a is None or b is None or max(a[0], b[0]) > min(a[1], b[1]) else (max(a[0], b[0]), min(a[1], b[1]))


def far(a: Hull, b: Hull) -> Hull:
    """A widening that is a closure of the hull, so that the order of values does not count: bounds go to
    -9, 0, 9, 99."""
    both = hull(a, b)
    return both if a == b or both is None else (_least(both[0]), _most(both[1]))


def _least(n: int) -> int:
    return next((limit for limit in (9, 0, -9) if limit <= n), -(2**31))


def _most(n: int) -> int:
    return next((limit for limit in (0, 9, 99) if n <= limit), 2**31 - 1)


def up(a: Hull) -> Hull:
    return a if a is None else (a[0], min(a[1] + 1, 2**31 - 1))


def joined(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return a if a == b or b == ("No",) else b if a == ("No",) else ("All",)


def met(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return a if a == b or b == ("All",) else b if a == ("All",) else ("No",)


def below(a: tuple[Any, ...], b: tuple[Any, ...]) -> int:
    return int(joined(a, b) == b)


def moved(bounds: Bounds | Extreme, by: int) -> Bounds | Extreme:
    """An interval moved, and cut to -10 … 10."""
    if isinstance(bounds, Extreme):
        return bounds
    first, last = (min(max(bound + by % 3, -10), 10) for bound in bounds)
    return first, last


def kept(text: str) -> str:
    """A text cut so that texts stay few."""
    return text[:2]


# Not total: they raise where they are asked about what no fact has.


def place(trust: str) -> int:
    return Trust.order.index(trust)


def fields(value: tuple[Any, ...]) -> int:
    return len(value)


def share(n: int) -> int:
    return 6 // n


def first_letter(text: str) -> str:
    return text[0]
