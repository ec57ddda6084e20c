"""Lattices whose values are plain numbers: the least seen, the greatest seen, whether any was true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ladder.lattices.base import Lattice
from ladder.lattices.shapes import Numbers, Shape

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


class Minimum(Lattice[int]):
    """Ordered downwards: the join is the smaller number.

        … ⊑ 2 ⊑ 1 ⊑ 0 ⊑ -1 ⊑ -2 ⊑ …

    Ascending chains end where numbers do; in a loop that makes ever smaller ones that is too late.
    """

    carrier = "number"
    bottom, top = 2**63 - 1, -(2**63)

    def join(self, a: int, b: int) -> int:
        return min(a, b)

    def meet(self, a: int, b: int) -> int:
        return max(a, b)

    def shape(self) -> Shape:
        """The least number."""
        return Numbers("min")

    def values(self) -> SearchStrategy[int]:
        from hypothesis import strategies as st

        return st.integers(min(self.bottom, self.top), max(self.bottom, self.top))

    def examples(self) -> Sequence[int]:
        return (self.bottom, self.top, -2, -1, 0, 1, 17)


class Maximum(Minimum):
    """Ordered upwards: the join is the greater number.

    … ⊑ -2 ⊑ -1 ⊑ 0 ⊑ 1 ⊑ 2 ⊑ …
    """

    bottom, top = -(2**63), 2**63 - 1

    def join(self, a: int, b: int) -> int:
        return max(a, b)

    def meet(self, a: int, b: int) -> int:
        return min(a, b)

    def shape(self) -> Shape:
        """The greatest number."""
        return Numbers("max")


class Boolean(Maximum):
    """Two values: the join is `or`, the meet is `and`.

    0 ⊑ 1
    """

    bottom, top = 0, 1
    shape = Maximum.shape

    def examples(self) -> Sequence[int]:
        return (0, 1)


minimum, maximum, boolean = Minimum(), Maximum(), Boolean()
