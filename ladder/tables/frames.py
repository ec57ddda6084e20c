"""Packs of facts as Spark reads them: DataFrames no row of which passes through this process."""
from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import pyarrow as pa

from ladder.tables.layout import Layout
from ladder.tables.store import FactTables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SQL_TYPES = {pa.string(): "STRING", pa.int32(): "INT"}


def frame(tables: FactTables, hashes: Collection[str], name: str, spark: SparkSession) -> DataFrame:
    """The rows of a relation in the facts of some files, with the columns of its schema; the packs must be where all of Spark sees them."""
    from pyspark.sql import functions as f

    packs, row = sorted({tables.entries[hash_].pack for hash_ in hashes}), _row(tables.layout, name)
    if not packs:
        return spark.createDataFrame([], row)
    paths = [f"file://{(tables.folder / pack).resolve()}.parquet" for pack in packs]     # Hadoop does not unescape what `as_uri` escapes
    files = spark.read.option("__globPaths__", "false").schema(f"hash STRING, {name} ARRAY<STRUCT<{row}>>").parquet(*paths)
    wanted = spark.createDataFrame(pa.table({"hash": pa.array(sorted(hashes), pa.string())}))
    return files.join(f.broadcast(wanted), "hash", "left_semi").selectExpr(f"inline({name})")


def _row(layout: Layout, name: str) -> str:
    """The columns of a relation, as Spark writes a struct."""
    return ", ".join(f"`{field.name}`: {SQL_TYPES[field.type]}" for field in layout.struct(name))
