"""Lattices whose values are plain numbers: the least seen, the greatest seen, whether any was true."""
from __future__ import annotations

from collections.abc import Sequence

from ladder.lattices.base import Lattice


class Minimum(Lattice[int]):
    """Ordered downwards: the join is the smaller number. Ascending chains are finite: numbers have 32 bits."""

    carrier = "number"
    bottom, top = 2**31 - 1, -(2**31)

    def join(self, a: int, b: int) -> int:
        return min(a, b)

    def meet(self, a: int, b: int) -> int:
        return max(a, b)

    def examples(self) -> Sequence[int]:
        return (self.bottom, self.top, -2, -1, 0, 1, 17)


class Maximum(Minimum):
    """Ordered upwards: the join is the greater number."""

    bottom, top = -(2**31), 2**31 - 1

    def join(self, a: int, b: int) -> int:
        return max(a, b)

    def meet(self, a: int, b: int) -> int:
        return min(a, b)


class Boolean(Maximum):
    """0 below 1: the join is `or`."""

    bottom, top = 0, 1

    def examples(self) -> Sequence[int]:
        return (0, 1)


minimum, maximum, boolean = Minimum(), Maximum(), Boolean()
