"""Lattices of a few values, defined by a table of their joins."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from ladder.lattices.base import Lattice


class Finite(Lattice[Hashable]):
    """A lattice with the values `elements`; `table[i][j]` is the position of the join of `elements[i]` and
    `elements[j]`.

    Joins are looked up in compiled code, without calls of Python.
    """

    def __init__(self, elements: Sequence[Hashable], table: Any, carrier: str = "object") -> None:
        """`table`: rows of numbers, or an array; `carrier`: "number" or "symbol" if the elements are such values."""
        self.elements, self.table, self.carrier = tuple(elements), np.asarray(table, np.int32), carrier
        count = len(self.elements)
        if len(set(self.elements)) != count or not count:
            raise ValueError("a finite lattice needs elements that differ from each other")
        if self.table.shape != (count, count):
            raise ValueError(f"the table of {count} elements needs as many rows and columns")
        self._places = {value: place for place, value in enumerate(self.elements)}
        places = np.arange(count)
        for above in np.flatnonzero((self.table == places[:, None]).all(axis=1)).tolist():
            self.top = self.elements[above]
        for below in np.flatnonzero((self.table == places).all(axis=1)).tolist():
            self.bottom = self.elements[below]

    def join(self, a: Hashable, b: Hashable) -> Hashable:
        return self.elements[int(self.table[self._places[a], self._places[b]])]

    def examples(self) -> Sequence[Hashable]:
        return self.elements


def finite(elements: Sequence[Hashable], table: Any, carrier: str = "object") -> Finite:
    """The lattice of these elements with this table of joins."""
    return Finite(elements, table, carrier)
