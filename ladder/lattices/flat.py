"""Bottom, all constants side by side, Top: constant propagation."""
from __future__ import annotations

from collections.abc import Hashable, Sequence

from ladder.lattices.base import BOTTOM, TOP, Extreme, Lattice


class Flat(Lattice[Hashable]):
    """Values are the constants themselves (numbers, symbols, …), `BOTTOM` and `TOP`."""

    bottom, top = BOTTOM, TOP

    def join(self, a: Hashable, b: Hashable) -> Hashable:
        if a == b or b is BOTTOM:
            return a
        return b if a is BOTTOM else TOP

    def meet(self, a: Hashable, b: Hashable) -> Hashable:
        if a == b or b is TOP:
            return a
        return b if a is TOP else BOTTOM

    def inject(self, value: Hashable) -> Hashable:
        return value

    def examples(self) -> Sequence[Hashable]:
        return (BOTTOM, TOP, 0, 1, -7, 2**31 - 1)

    def show(self, value: Hashable) -> str:
        return value.value if isinstance(value, Extreme) else str(value)


flat = Flat()
