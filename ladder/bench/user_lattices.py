"""Lattices as users write them, for measurements."""
from __future__ import annotations

from collections.abc import Sequence

from ladder.lattices import Lattice

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


constants = Constants()
