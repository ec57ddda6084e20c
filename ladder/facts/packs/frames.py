"""Packs of facts as Spark reads them: its tasks read the packs, whose paths they get; no row passes through this
process."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from ladder.errors import TablesError
from ladder.facts.packs.pack import Check, Damaged, read_groups, slices
from ladder.facts.packs.store import FactTables

Columns = tuple[tuple[int, ...], tuple[str, ...]]  # places in a table, and names for what is there


def with_columns(table: pa.Table, columns: Columns | None) -> pa.Table:
    """A table with the columns at these places, under these names; None: as it is."""
    return table if columns is None else table.select(list(columns[0])).rename_columns(list(columns[1]))


@dataclass(frozen=True)
class Part:
    """A row group of a pack, and the files whose facts are wanted of it; `facts`: how many these have.

    `check` is what the pack holds: whoever reads it needs no key.
    """

    pack: str
    check: Check
    group: int
    files: frozenset[str]
    facts: int


@dataclass(frozen=True)
class Packs:
    """The facts of some files, relation by relation, in parts that are read one by one wherever the packs are seen
    under this path.

    `columns`: of relations whose columns their reader names otherwise, which column of the pack each of his is, and
    their names.
    """

    folder: Path
    relations: Mapping[str, pa.Schema]
    parts: Sequence[Part]
    columns: Mapping[str, Columns] = field(default_factory=dict)

    @staticmethod
    def of(
        tables: FactTables,
        hashes: Collection[str],
        relations: Collection[str],
        columns: Mapping[str, Columns] | None = None,
    ) -> Packs:
        """The facts of files that have been extracted."""
        files: dict[tuple[str, int], list[str]] = {}
        for hash_ in set(hashes):
            files.setdefault((tables.entries[hash_].pack, tables.entries[hash_].group), []).append(hash_)
        parts = [
            Part(
                pack,
                tables.entries[mine[0]].check,
                group,
                frozenset(mine),
                sum(tables.entries[hash_].facts for hash_ in mine),
            )
            for (pack, group), mine in sorted(files.items())
        ]
        return Packs(
            tables.folder.resolve(),
            {name: pa.schema(list(tables.layout.struct(name))) for name in relations},
            parts,
            columns or {},
        )

    @property
    def sizes(self) -> list[int]:
        """Facts of each part."""
        return [part.facts for part in self.parts]

    def read(self, number: int) -> Iterator[tuple[str, pa.Table]]:
        """(relation, its rows) of a part; `TablesError` where its pack cannot be read."""
        part = self.parts[number]
        try:
            table = next(
                read_groups(
                    self.folder, part.pack, [part.group], list(self.relations), part.check, encoded=False, trusted=True
                )
            )
        except Damaged as damaged:
            raise TablesError(
                damaged.message, "Run once with --engine local, which extracts its files again."
            ) from None
        runs = list(slices(table, part.files))
        for name, schema in self.relations.items():
            chunks = [chunk.flatten() for run in runs for chunk in run[name].chunks]
            batches = [pa.RecordBatch.from_arrays(chunk.flatten(), schema=schema) for chunk in chunks if len(chunk)]
            if batches:
                yield name, with_columns(pa.Table.from_batches(batches).combine_chunks(), self.columns.get(name))
