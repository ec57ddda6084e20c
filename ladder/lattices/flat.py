"""The flat lattice for constant propagation: Bottom, all constants, Top."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING

from ladder.lattices.base import BOTTOM, TOP, Extreme, Lattice
from ladder.lattices.shapes import Constants, Shape

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


class Flat(Lattice[Hashable]):
    """Values are the constants themselves (numbers, symbols, records, …), `BOTTOM` and `TOP`.

                Top
            /  /   \\  \\
        … -1   0   1   2 …
            \\  \\   /  /
              Bottom

    Chains have at most three values.
    """

    bottom, top = BOTTOM, TOP
    kernel_join = "flat"

    def join(self, a: Hashable, b: Hashable) -> Hashable:
        if a == b or b is BOTTOM:
            return a
        return b if a is BOTTOM else TOP

    def meet(self, a: Hashable, b: Hashable) -> Hashable:
        if a == b or b is TOP:
            return a
        return b if a is TOP else BOTTOM

    def leq(self, a: Hashable, b: Hashable) -> bool:
        return a is BOTTOM or b is TOP or a == b

    def inject(self, value: Hashable) -> Hashable:
        """The lattice value of a constant."""
        return value

    def shape(self) -> Shape:
        """The shape of incomparable constants."""
        return Constants()

    def values(self) -> SearchStrategy[Hashable]:
        from hypothesis import strategies as st

        return st.sampled_from((BOTTOM, TOP)) | st.integers(-(2**31), 2**31 - 1)

    def examples(self) -> Sequence[Hashable]:
        return (BOTTOM, TOP, 0, 1, -7, 2**31 - 1)


flat = Flat()


def constant(value: Hashable) -> Hashable:
    """The flat lattice's value of a constant."""
    return value


def known(value: Hashable) -> Iterator[Hashable]:
    """The constant of a flat lattice's value; no result for `BOTTOM` and `TOP`. Declare the functor with `several`."""
    if not isinstance(value, Extreme):
        yield value
