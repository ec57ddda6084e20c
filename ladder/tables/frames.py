"""Packs of facts as Spark reads them: its tasks read the packs, whose paths they get; no row passes through this process."""
from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from ladder.tables.pack import read_groups, slices
from ladder.tables.store import FactTables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SQL_TYPES = {pa.string(): "STRING", pa.int32(): "INT"}
Part = tuple[str, Sequence[int], frozenset[str]]      # a pack, its row groups that are wanted, the files wanted in them


def frame(tables: FactTables, hashes: Collection[str], name: str, spark: SparkSession) -> DataFrame:
    """The rows of a relation in the facts of some files, with the columns of its schema; the packs must be where all of Spark sees them."""
    wanted: dict[str, set[str]] = {}
    for hash_ in hashes:
        wanted.setdefault(tables.entries[hash_].pack, set()).add(hash_)
    parts = [(pack, sorted({tables.entries[hash_].group for hash_ in mine}), frozenset(mine)) for pack, mine in sorted(wanted.items())]
    struct = tables.layout.struct(name)
    columns = ", ".join(f"`{field.name}` {SQL_TYPES[field.type]}" for field in struct)
    tasks = spark.range(0, len(parts), 1, max(1, min(len(parts), spark.sparkContext.defaultParallelism)))
    return tasks.mapInArrow(_reading(tables.folder.resolve(), parts, name, pa.schema(list(struct))), columns)


def _reading(folder: Path, parts: Sequence[Part], name: str, schema: pa.Schema) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What a task does that gets the numbers of parts."""
    def read(numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in numbers:
            for number in batch.column(0).to_pylist():
                pack, groups, mine = parts[number]
                for group in read_groups(folder, pack, groups, [name], encoded=False):
                    for run in slices(group, mine):
                        for chunk in run[name].chunks:
                            yield pa.RecordBatch.from_arrays(chunk.flatten().flatten(), schema=schema)

    return read
