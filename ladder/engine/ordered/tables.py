"""The rows of relations as an ordered component's rules read and derive them: hash tables of tuples of
Python values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from ladder.language.core import Relation

Row = tuple[Any, ...]
Buckets = dict[Any, Any]


class Table:
    """Rows, with the iteration in which each came, and hash indexes, made when first asked for and then kept up to
    date.

    Buckets are lists; where rows can be removed (`lasting` false) dicts without values, which cost more memory.
    """

    def __init__(self, rows: Iterable[Row] = (), lasting: bool = True) -> None:
        self.rows: dict[Row, int] = dict.fromkeys(rows, 0)
        self.lasting = lasting
        self.indexes: dict[tuple[int, ...], Buckets] = {}

    def index(self, columns: tuple[int, ...]) -> Buckets:
        """key → rows; a key is the value of one column, or a tuple of several."""
        if columns not in self.indexes:
            self.indexes[columns] = {}
            self._enter(columns, self.rows)
        return self.indexes[columns]

    def clear(self) -> None:
        """No rows from now on; the indexes that there are stay."""
        self.rows.clear()
        for buckets in self.indexes.values():
            buckets.clear()

    def add(self, rows: Mapping[Row, None], iteration: int) -> None:
        self.rows.update(dict.fromkeys(rows, iteration))
        for columns in self.indexes:
            self._enter(columns, rows)

    def remove(self, rows: Collection[Row]) -> None:
        """Remove rows, which only a table that is not lasting allows."""
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
    """Where a relation's derived rows go: `rows` that are there, `new` ones of this iteration, the keys
    that are taken."""

    relation: Relation
    rows: dict[Row, int]
    new: dict[Row, None] = field(default_factory=dict)
    taken: list[set[Any]] = field(default_factory=list)


def keys_of(row: Row, relation: Relation) -> list[Any]:
    """What a row takes of each of its relation's keys."""
    return [itemgetter(*key)(row) for key in relation.choice]
