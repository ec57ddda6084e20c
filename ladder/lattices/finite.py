"""Lattices of a few values, given by the table of their joins."""
from __future__ import annotations

from collections.abc import Hashable, Sequence

from ladder.lattices.base import Lattice


class Finite(Lattice[Hashable]):
    """The values `elements`; `table[i][j]` is the place of the join of `elements[i]` and `elements[j]` among them.

    Joins are looked up where rows are joined, without a call of Python.
    """

    def __init__(self, elements: Sequence[Hashable], table: Sequence[Sequence[int]], carrier: str = "object") -> None:
        """`carrier`: "number" or "symbol" where the elements are."""
        self.elements, self.table, self.carrier = tuple(elements), tuple(map(tuple, table)), carrier
        if len(set(self.elements)) != len(self.elements) or not self.elements:
            raise ValueError("a finite lattice needs elements that differ from each other")
        if [len(row) for row in self.table] != [len(self.elements)] * len(self.elements):
            raise ValueError(f"the table of {len(self.elements)} elements needs as many rows and columns")
        self._places = {value: place for place, value in enumerate(self.elements)}
        above = [value for place, value in enumerate(self.elements) if set(self.table[place]) == {place}]
        below = [value for place, value in enumerate(self.elements) if list(self.table[place]) == list(range(len(self.elements)))]
        if above:
            self.top = above[0]
        if below:
            self.bottom = below[0]

    def join(self, a: Hashable, b: Hashable) -> Hashable:
        return self.elements[self.table[self._places[a]][self._places[b]]]

    def examples(self) -> Sequence[Hashable]:
        return self.elements


def finite(elements: Sequence[Hashable], table: Sequence[Sequence[int]], carrier: str = "object") -> Finite:
    """The lattice of these elements with this table of joins."""
    return Finite(elements, table, carrier)
