"""One lattice of numbers, four times: its join in Python, in tables, and compiled.

Numbers are sets of five bits; 31 is the greatest.
"""

from __future__ import annotations

from collections.abc import Sequence

from ladder.lattices import Finite, Lattice

ALL = tuple(range(32))


def united(a: int, b: int) -> int:
    """Sets of one or two bits are kept, larger ones become the set of all."""
    both = a | b
    return both if both & (both - 1) & ((both & (both - 1)) - 1) == 0 else 31


class InPython(Lattice[int]):
    """Asked of Python, once for each pair."""

    carrier, bottom, top = "number", 0, 31

    def join(self, a: int, b: int) -> int:
        return united(a, b)

    def inject(self, value: int) -> int:
        return value

    def examples(self) -> Sequence[int]:
        return [united(a, 0) for a in ALL]


class Compiled(InPython):
    """Compiled by numba."""

    compiled = True

    @staticmethod
    def join(a: int, b: int) -> int:  # type: ignore[override]
        both = a | b
        return both if both & (both - 1) & ((both & (both - 1)) - 1) == 0 else 31


class Known(InPython):
    """Has a table of its smaller sets only; others are asked for."""

    elements = tuple(a for a in ALL if united(a, a) == a)[:9]


class Wrong(InPython):
    """Says it can be compiled, but cannot."""

    compiled = True

    @staticmethod
    def join(a: int, b: int) -> int:  # type: ignore[override]
        return max(open("a"), open("b"))  # type: ignore[type-var, return-value]


class Middle(InPython):
    """No lattice: 3 and 1 make 2, with 0 it makes 1 again."""

    def join(self, a: int, b: int) -> int:
        return (a + b) // 2


in_python, compiled, known, wrong, middle = InPython(), Compiled(), Known(), Wrong(), Middle()
_KEPT = [a for a in ALL if united(a, a) == a]


class Given(Finite):
    """Has the table of all its joins."""

    def inject(self, value: int) -> int:
        return value


given = Given(_KEPT, [[_KEPT.index(united(a, b)) for b in _KEPT] for a in _KEPT], "number")
