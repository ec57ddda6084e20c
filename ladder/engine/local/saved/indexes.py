"""Indexes as the base of a saved state has them: those that lack their rows get them one relation after the other,
while the file is written, and lack them again afterwards, so that a state is never held in memory with all indexes."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels import layout as L
from ladder.engine.local.saved.parts import Named
from ladder.engine.local.store import Store

NUMBERS = ("relation", "kind", "value_column", "row_count", "entry_count", "free_entries")


class WrittenIndexes:
    """The indexes of some relations of a store, each written once; `described`: what the header says of every index
    when all were written."""

    def __init__(self, store: Store, relations: Collection[int], slack: int) -> None:
        """Indexes of other relations are described as those of none; `slack`: see `Saving`."""
        self._store, self._relations, self._slack = store, relations, slack
        self.described = [self._record(number) for number in range(len(store.indexes))]

    def with_rows(self) -> Iterator[Named]:
        """The arrays of indexes that have their rows."""
        for number, relation in enumerate(self._store.indexes["relation"].tolist()):
            if relation in self._relations and number not in self._store.without_rows:
                yield from self._arrays(number)

    def without_rows(self) -> Generator[Sequence[Named], None, None]:
        """The arrays of the other ones, by relation; they lack their rows again when the next ones are taken, or when
        this is closed, as it must be: else they would lose them whenever it is collected."""
        store = self._store
        for relation in store.relations_to_list():
            if relation not in self._relations:
                continue
            numbers = [number for number in store.secondary_indexes(relation) if number in store.without_rows]
            store.list_rows(relation, fitted=True)
            try:
                for number in numbers:
                    self.described[number] = self._record(number)
                yield [array for number in numbers for array in self._arrays(number)]
            finally:
                for number in numbers:
                    store.take_rows(number)

    def _record(self, number: int) -> dict[str, Any]:
        """What the header says of an index."""
        record = self._store.indexes[number]
        return (
            described(record, NUMBERS)
            | ({} if int(record["relation"]) in self._relations else {"relation": L.NONE})
            | {
                "keys": record["keys"][: int(record["key_count"])].tolist(),
                "used_slots": record["used_slots"].tolist(),
                "free_block": listed(record["free_block"]),
            }
        )

    def _arrays(self, number: int) -> list[Named]:
        store = self._store
        directory, entries = store.bulk["index", number, "directory"], int(store.indexes[number]["entry_count"])
        return [
            (f"index.{number}.directory", directory, len(directory)),
            part_of(store, "index", number, "entries", entries, self._slack),
        ]


def part_of(store: Store, kind: str, number: int, field: str, used: int, slack: int) -> Named:
    """The used part of an array, and room for some more items of it."""
    array = store.bulk[kind, number, field]
    return f"{kind}.{number}.{field}", array[:used], min(len(array), used + used // slack + 16)


def described(record: Any, fields: Sequence[str]) -> dict[str, Any]:
    """The named numbers of a record."""
    return {field: int(record[field]) for field in fields}


def listed(heads: npt.NDArray[Any]) -> list[list[int]]:
    """(position, head) of each free list that is not empty."""
    return [[place, int(heads[place])] for place in np.flatnonzero(heads).tolist()]
