"""Packs of facts for Spark: its tasks get the paths of packs and read them; no row passes through this process."""

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
    """A table with the columns at these positions under these names; the table itself for None."""
    return table if columns is None else table.select(list(columns[0])).rename_columns(list(columns[1]))


@dataclass(frozen=True)
class Part:
    """A row group of a pack, and the files whose facts are read from it; `facts`: how many facts they have.

    `check`: digests of the pack's content, by which it is checked without a key.
    """

    pack: str
    check: Check
    group: int
    files: frozenset[str]
    facts: int


@dataclass(frozen=True)
class Packs:
    """The facts of some files by relation, in parts that can be read on every machine that sees the packs under this
    path.

    `columns`: for relations whose columns have other names in the program, the position in the pack of each column, and
    its name.
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
        """The facts of files with these hashes, which have been extracted."""
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
        """For each part how many facts it has."""
        return [part.facts for part in self.parts]

    def read(self, number: int) -> Iterator[tuple[str, pa.Table]]:
        """Iterate over (relation, its rows) of a part; `TablesError` where its pack cannot be read."""
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
