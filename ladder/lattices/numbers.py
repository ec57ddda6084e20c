"""Lattices of plain numbers: minimum, maximum, and booleans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ladder.lattices.base import Lattice
from ladder.lattices.shapes import Numbers, Shape

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


class Minimum(Lattice[int]):
    """Numbers in descending order: the join is the smaller number.

        … ⊑ 2 ⊑ 1 ⊑ 0 ⊑ -1 ⊑ -2 ⊑ …

    Ascending chains are as long as there are numbers, so a recursive rule that keeps decreasing a number does not
    terminate in practice.
    """

    carrier = "number"
    bottom, top = 2**63 - 1, -(2**63)

    def join(self, a: int, b: int) -> int:
        return min(a, b)

    def meet(self, a: int, b: int) -> int:
        return max(a, b)

    def shape(self) -> Shape:
        """The shape of numbers joined by their minimum."""
        return Numbers("min")

    def values(self) -> SearchStrategy[int]:
        from hypothesis import strategies as st

        return st.integers(min(self.bottom, self.top), max(self.bottom, self.top))

    def examples(self) -> Sequence[int]:
        return (self.bottom, self.top, -2, -1, 0, 1, 17)


class Maximum(Minimum):
    """Numbers in ascending order: the join is the greater number.

    … ⊑ -2 ⊑ -1 ⊑ 0 ⊑ 1 ⊑ 2 ⊑ …
    """

    bottom, top = -(2**63), 2**63 - 1

    def join(self, a: int, b: int) -> int:
        return max(a, b)

    def meet(self, a: int, b: int) -> int:
        return min(a, b)

    def shape(self) -> Shape:
        """The shape of numbers joined by their maximum."""
        return Numbers("max")


class Boolean(Maximum):
    """The values 0 and 1: the join is `or`, the meet is `and`.

    0 ⊑ 1
    """

    bottom, top = 0, 1
    shape = Maximum.shape

    def examples(self) -> Sequence[int]:
        return (0, 1)


minimum, maximum, boolean = Minimum(), Maximum(), Boolean()
