"""The rows of relations for rules of ordered components: hash tables of tuples of Python values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from ladder.language.core import Relation

Row = tuple[Any, ...]
Buckets = dict[Any, Any]


class Table:
    """Rows with the iteration in which each was derived, and hash indexes, which are made at the first look-up and then
    maintained.

    Buckets are lists or, if rows can be removed (`lasting` is false), dicts without values, which need more memory.
    """

    def __init__(self, rows: Iterable[Row] = (), lasting: bool = True) -> None:
        self.rows: dict[Row, int] = dict.fromkeys(rows, 0)
        self.lasting = lasting
        self.indexes: dict[tuple[int, ...], Buckets] = {}

    def index(self, columns: tuple[int, ...]) -> Buckets:
        """The index key → rows; a key is the value of one column, or a tuple of several."""
        if columns not in self.indexes:
            self.indexes[columns] = {}
            self._enter(columns, self.rows)
        return self.indexes[columns]

    def clear(self) -> None:
        """Remove all rows; existing indexes stay."""
        self.rows.clear()
        for buckets in self.indexes.values():
            buckets.clear()

    def add(self, rows: Mapping[Row, None], iteration: int) -> None:
        self.rows.update(dict.fromkeys(rows, iteration))
        for columns in self.indexes:
            self._enter(columns, rows)

    def remove(self, rows: Collection[Row]) -> None:
        """Remove rows; the table must not be `lasting`."""
        for row in rows:
            del self.rows[row]
        for columns, buckets in self.indexes.items():
            key = itemgetter(*columns)
            for row in rows:
                del buckets[key(row)][row]

    def _enter(self, columns: tuple[int, ...], rows: Iterable[Row]) -> None:
        buckets, key = self.indexes[columns], itemgetter(*columns)
        if self.lasting:
            for row in rows:
                found = buckets.get(at := key(row))
                if found is None:
                    buckets[at] = [row]
                else:
                    found.append(row)
        else:
            for row in rows:
                buckets.setdefault(key(row), {})[row] = None


@dataclass
class Target:
    """The target of a relation's derived rows: existing `rows`, `new` rows of this iteration, and the keys that are
    taken."""

    relation: Relation
    rows: dict[Row, int]
    new: dict[Row, None] = field(default_factory=dict)
    taken: list[set[Any]] = field(default_factory=list)


def keys_of(row: Row, relation: Relation) -> list[Any]:
    """The values of a row for each of its relation's keys."""
    return [itemgetter(*key)(row) if key else () for key in relation.choice]
