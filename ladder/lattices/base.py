"""The interface of a lattice, and the two values that many have in common."""
from __future__ import annotations

import enum
from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

Value = TypeVar("Value", bound=Hashable)


class Extreme(enum.Enum):
    """The least and the greatest value of lattices whose other values do not include one."""

    BOTTOM = "Bottom"
    TOP = "Top"

    def __repr__(self) -> str:
        return self.value


BOTTOM, TOP = Extreme.BOTTOM, Extreme.TOP


class Lattice(Generic[Value]):
    """A set of hashable Python values with a join; what an aggregated relation needs to know about its last column.

    `join` must be associative, commutative and idempotent, its result must dominate both arguments, and a chain of
    joins must come to rest after finitely many steps: either ascending chains are finite, or the join widens. Joins
    may be made in any order and remembered, so equal arguments must give equal results. `ladder.lattices.laws` checks
    all this.

    A subclass may also have `bottom`, `top`, `meet`, and `inject(value)`, which turns a plain value (a number, a
    symbol) into one of the lattice; aggregator heads then take plain values: `PointsTo(v, lub(heap)) :- …`.
    """

    carrier: str = "object"   # "number" or "symbol" where the values are plain numbers or symbols

    def join(self, a: Value, b: Value) -> Value:
        """The least value that dominates both, or a greater one where the join widens."""
        raise NotImplementedError

    def leq(self, a: Value, b: Value) -> bool:
        """Whether `b` dominates `a`."""
        return self.join(a, b) == b

    def examples(self) -> Sequence[Value]:
        """Values to check the laws on; enough of them to reach every case of `join`."""
        raise NotImplementedError

    def show(self, value: Value) -> str:
        """The text of a value in results: stable, and different for different values."""
        return str(value)
