"""A database's relations as tables for other programs: Parquet files and views of Spark SQL.

    views_of(db)                   a description of the view of each relation: columns, their types, number of rows
    write_views(db, folder)        one Parquet file per view; no Spark, no JVM
    register_views(spark, db)      views of a Spark session

Symbols are strings; number and unsigned are integers of 32 bits, float is a floating-point number; records, branches
and values of lattices are the texts that `.output` writes. SQL does not distinguish upper and lower case: where names
differ in nothing else, all but the first get a number appended.
"""

from __future__ import annotations

import re
import shutil
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ladder.errors import LadderError
from ladder.language.core import Column, Kind
from ladder.support.supervision import temporary_folder

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from ladder.api.rows import Rows

SQL_TYPES = {Kind.NUMBER: "INT", Kind.UNSIGNED: "BIGINT", Kind.FLOAT: "FLOAT"}
HOLDS = "holds"  # the column of a relation that has none: true, in one row, or there is no row


@dataclass(frozen=True)
class View:
    """A relation as a table: its name, its columns with their SQL types, and its number of rows."""

    relation: str
    name: str
    columns: tuple[tuple[str, str], ...]
    rows: int

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{name} {type_}' for name, type_ in self.columns)})"


class Relations(Protocol):
    """A mapping from names to relations, as a database is."""

    @property
    def relations(self) -> tuple[str, ...]: ...

    def __getitem__(self, relation: str) -> Rows: ...


def views_of(db: Relations, relations: Iterable[str] | None = None) -> list[View]:
    """Views of these relations (None: all that the program declares); `LadderError` for one that it does not have."""
    chosen = list(db.relations if relations is None else relations)
    unknown = next((name for name in chosen if name not in db.relations), None)
    if unknown is not None:
        raise LadderError(f"The program has no relation {unknown}.", f"It has {', '.join(sorted(db.relations)[:8])}, …")
    names = dict(zip(db.relations, _apart([re.sub(r"\W", "_", name) for name in db.relations]), strict=True))
    return [View(name, names[name], _columns(db[name].columns), len(db[name])) for name in chosen]


def write_views(db: Relations, folder: Path, relations: Iterable[str] | None = None) -> list[View]:
    """Write a Parquet file per view into a folder."""
    views = views_of(db, relations)
    folder.mkdir(parents=True, exist_ok=True)
    for view in views:
        _write(db, view, folder)
    return views


def named_in(query: str, db: Relations) -> list[str] | None:
    """The relations whose names occur in a query as words; None, which means all, where none does."""
    words = {word.lower() for word in re.findall(r"\w+", query)}
    return [view.relation for view in views_of(db) if view.name.lower() in words] or None


def register_views(
    spark: SparkSession, source: Relations, folder: Path | None = None, relations: Iterable[str] | None = None
) -> list[View]:
    """Make temporary views of a database's relations (None: of all) in a Spark session. Returns the views.

    Rows in the local engine are written to `folder`, which all machines of the session must see (None: a temporary one,
    which is removed with the session).
    """
    if folder is None:
        folder = Path(temporary_folder("ladder-views-"))
        weakref.finalize(spark, shutil.rmtree, folder, True)
    views = views_of(source, relations)
    for view in views:
        rows = source[view.relation]
        if rows.source.place and rows.columns:
            frame: DataFrame = rows.frame().toDF(*(name for name, _ in view.columns))
        else:
            folder.mkdir(parents=True, exist_ok=True)
            file = _write(source, view, folder)
            frame = spark.read.option("__globPaths__", "false").parquet(f"file://{file.resolve()}")
        frame.createOrReplaceTempView(view.name)
    return views


def _columns(columns: Sequence[Column]) -> tuple[tuple[str, str], ...]:
    if not columns:
        return ((HOLDS, "BOOLEAN"),)
    names = _apart([column.name for column in columns])
    return tuple((name, SQL_TYPES.get(column.type.kind, "STRING")) for name, column in zip(names, columns, strict=True))


def _write(db: Relations, view: View, folder: Path) -> Path:
    """Write a view's rows to a Parquet file in the folder. Returns its path."""
    from ladder.facts.tables import write_table

    file = folder / f"{view.name}.parquet"
    write_table(_table(db, view), file, "parquet")
    return file


def _table(db: Relations, view: View) -> pa.Table:
    """The rows of a view, with the names of its columns."""
    import pyarrow as pa

    if not db[view.relation].columns:
        return pa.table({HOLDS: pa.array([True] * view.rows, pa.bool_())})
    return db[view.relation].to_arrow().rename_columns([name for name, _ in view.columns])


def _apart(names: Iterable[str]) -> list[str]:
    """The names, with numbers appended to those that equal an earlier one when case is ignored."""
    taken: set[str] = set()
    found = []
    for name in names:
        number, free = 1, name
        while free.lower() in taken:
            number += 1
            free = f"{name}_{number}"
        taken.add(free.lower())
        found.append(free)
    return found
