"""Packs of facts as Spark reads them: its tasks read the packs, whose paths they get; no row passes through this process."""
from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from ladder.errors import TablesError
from ladder.tables.pack import Damaged, read_groups, slices
from ladder.tables.store import FactTables


@dataclass(frozen=True)
class Part:
    """A row group of a pack, and the files whose facts are wanted of it; `facts`: how many these have."""

    pack: str
    group: int
    files: frozenset[str]
    facts: int


@dataclass(frozen=True)
class Packs:
    """The facts of some files, relation by relation, in parts that are read one by one wherever the packs are seen under this path."""

    folder: Path
    relations: Mapping[str, pa.Schema]
    parts: Sequence[Part]

    @staticmethod
    def of(tables: FactTables, hashes: Collection[str], relations: Collection[str]) -> Packs:
        """The facts of files that have been extracted."""
        files: dict[tuple[str, int], list[str]] = {}
        for hash_ in set(hashes):
            files.setdefault((tables.entries[hash_].pack, tables.entries[hash_].group), []).append(hash_)
        parts = [Part(pack, group, frozenset(mine), sum(tables.entries[hash_].facts for hash_ in mine)) for (pack, group), mine in sorted(files.items())]
        return Packs(tables.folder.resolve(), {name: pa.schema(list(tables.layout.struct(name))) for name in relations}, parts)

    @property
    def sizes(self) -> list[int]:
        """Facts of each part."""
        return [part.facts for part in self.parts]

    def read(self, number: int) -> Iterator[tuple[str, pa.Table]]:
        """(relation, its rows) of a part; `TablesError` where its pack cannot be read."""
        part = self.parts[number]
        try:
            table = next(read_groups(self.folder, part.pack, [part.group], list(self.relations), encoded=False))
        except Damaged as damaged:
            raise TablesError(damaged.message, "Run once with --engine local, which extracts its files again.") from None
        runs = list(slices(table, part.files))
        for name, schema in self.relations.items():
            chunks = [chunk.flatten() for run in runs for chunk in run[name].chunks]
            batches = [pa.RecordBatch.from_arrays(chunk.flatten(), schema=schema) for chunk in chunks if len(chunk)]
            if batches:
                yield name, pa.Table.from_batches(batches).combine_chunks()
