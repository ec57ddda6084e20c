"""Lattices as users write them, for measurements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ladder.lattices import Lattice
from ladder.lattices.finite import Finite

TOP = -1


class Constants(Lattice[int]):
    """A number, or `TOP` for more than one: constant propagation, in plain Python."""

    top = TOP

    def join(self, a: int, b: int) -> int:
        return a if a == b else TOP

    def leq(self, a: int, b: int) -> bool:
        return b in (a, TOP)

    def inject(self, value: int) -> int:
        return value

    def examples(self) -> Sequence[int]:
        return TOP, 0, 1, 2


class CompiledConstants(Lattice[int]):
    """Constant propagation of numbers, as `Constants`, with a join that numba compiles."""

    carrier, top, compiled = "number", TOP, True

    @staticmethod
    def join(a: int, b: int) -> int:
        return a if a == b else -1

    def leq(self, a: int, b: int) -> bool:
        return b in (a, TOP)

    def inject(self, value: int) -> int:
        return value

    def examples(self) -> Sequence[int]:
        return TOP, 0, 1, 2


class TableOfConstants(Finite):
    """Constant propagation of the numbers below `count`, as `Constants`, with a table of all joins."""

    def __init__(self, count: int) -> None:
        table = np.zeros((count + 1, count + 1), np.int32)
        np.fill_diagonal(table, np.arange(count + 1))
        super().__init__([TOP, *range(count)], table, carrier="number")

    def inject(self, value: int) -> int:
        return value


class Least(Lattice[int]):
    """The least of numbers, in plain Python."""

    carrier = "number"

    def join(self, a: int, b: int) -> int:
        return min(a, b)

    def leq(self, a: int, b: int) -> bool:
        return b <= a

    def examples(self) -> Sequence[int]:
        return -1, 0, 3


constants, compiled_constants, least = Constants(), CompiledConstants(), Least()
