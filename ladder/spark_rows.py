"""What a database on Spark hands out: `SparkRows` of a relation, read part by part, and the `SparkDelta` of a change."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ladder.rows import Delta, Row, Side, Work

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from ladder.database import Database
    from ladder.engine.spark.engine import SparkState
    from ladder.spark_database import SparkDatabase

ROWS_AT_ONCE = 50_000       # of a table that comes from Spark


class SparkRows:
    """Rows of a relation that are on Spark: all it has in a state, or those with the `cells` of a frame.

    Iterating over them holds a part of them at a time; `frame` leaves them on Spark.
    """

    def __init__(self, database: SparkDatabase, relation: str, state: SparkState, cells: DataFrame | None = None,
                 count: int | None = None) -> None:
        self._database, self.relation, self._state, self._cells = database, relation, state, cells
        self._count = state.rows(relation) if cells is None else count

    def frame(self) -> DataFrame:
        """A Spark DataFrame with the relation's columns."""
        from ladder.engine.spark.results import results

        with self._database._runs.session():
            frame: DataFrame = results(self._state, self.relation, self._cells)
        return frame

    def __len__(self) -> int:
        if self._count is None:
            assert self._cells is not None
            with self._database._runs.session():
                self._count = self._cells.count()
        return self._count

    def __iter__(self) -> Iterator[Row]:
        from ladder.engine.spark.results import rows

        with self._database._runs.session():
            yield from rows(self._state, self.relation, self._cells)

    def __contains__(self, row: object) -> bool:
        return any(found == row for found in self)

    def __repr__(self) -> str:
        return f"<rows of {self.relation} on Spark>"

    def tables(self) -> Iterator[pa.Table]:
        """The rows as Arrow tables of some ten thousand rows each, in the form of `to_arrow`."""
        if not self._database._core.relations[self.relation].columns:
            import pyarrow as pa
            yield pa.table({"": pa.nulls(len(self))}).select([])
            return
        with self._database._runs.session():
            yield from streamed(self.frame())

    def to_arrow(self) -> pa.Table:
        """One Arrow table, all of it in this process."""
        import pyarrow as pa
        tables = list(self.tables())
        if len(tables) == 1:
            return tables[0]
        return pa.concat_tables(tables) if tables else schema_of(self.frame()).empty_table()

    def to_pandas(self) -> pd.DataFrame:
        """A pandas DataFrame, all of it in this process."""
        return self.to_arrow().to_pandas()

    def write_parquet(self, path: Path) -> None:
        """Have Spark's workers write them as a directory of Parquet files."""
        with self._database._runs.session():
            self.frame().write.mode("overwrite").parquet(f"file://{path.resolve()}")

    def lines(self, delimiter: bytes) -> Iterator[memoryview]:
        """Lines of text, block by block, for columns of symbols and integers."""
        from ladder.factfiles.delimited import lines_of_table
        for table in self.tables():
            yield from (memoryview(block) for block in lines_of_table(table, delimiter.decode()))


def streamed(frame: DataFrame) -> Iterator[pa.Table]:
    """The rows of a DataFrame as Arrow tables; at any time one partition is in the driver's JVM, and one table in this process."""
    import pyarrow as pa

    def packed(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa
        for batch in batches:
            for start in range(0, batch.num_rows, ROWS_AT_ONCE):
                part, sink = batch.slice(start, ROWS_AT_ONCE), pa.BufferOutputStream()
                with pa.ipc.new_stream(sink, part.schema) as writer:
                    writer.write_batch(part)
                yield pa.RecordBatch.from_arrays([pa.array([sink.getvalue().to_pybytes()], pa.binary())], names=["table"])

    for row in frame.mapInArrow(packed, "table binary").toLocalIterator():
        yield pa.ipc.open_stream(row.table).read_all()


def schema_of(frame: DataFrame) -> pa.Schema:
    """The schema that a DataFrame's rows have in Arrow."""
    from pyspark.sql.pandas.types import to_arrow_schema
    return to_arrow_schema(frame.schema)


class _Side(Side):
    """As `Side`, of rows that are at hand."""

    def _rows(self, relation: str, rows: Any) -> Any:
        return rows

    def _nothing(self, relation: str) -> Any:
        return ()


class TableRows:
    """Rows that are a table here, in the form of `to_arrow`."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __len__(self) -> int:
        return len(self._table)

    def __iter__(self) -> Iterator[Row]:
        return (tuple(row.values()) for row in self._table.to_pylist())

    def to_arrow(self) -> pa.Table:
        """The table."""
        return self._table


class SparkDelta(Delta):
    """What a bootstrap on Spark changed: as `Delta`, with rows that are on Spark, or were brought here as tables."""

    has_cells = False

    def __init__(self, database: Database, came: Mapping[str, Any], went: Mapping[str, Any], work: Work) -> None:
        super().__init__(database, {}, work)
        self.inserted, self.deleted = _Side(database, came), _Side(database, went)
        self.impact = work.impact = sum(map(len, (*came.values(), *went.values())))


def joined_tables(first: Delta, second: Delta, work: Work) -> SparkDelta:
    """What two transactions changed together, of which at least one was a bootstrap on Spark; its rows are brought here as tables."""
    came, went = {}, {}
    for name in {*first.inserted, *first.deleted, *second.inserted, *second.deleted}:
        ins, del_, ins_then, del_then = (_table(side, name) for delta in (first, second) for side in (delta.inserted, delta.deleted))
        came[name] = _union(_without(ins, del_then), _without(ins_then, del_))
        went[name] = _union(_without(del_, ins_then), _without(del_then, ins))
    sides = [{name: TableRows(table) for name, table in side.items() if table} for side in (came, went)]
    return SparkDelta(second.database, sides[0], sides[1], work)


def undictionaried(table: pa.Table) -> pa.Table:
    """A table in the form that Spark has, too: dictionaries resolved, no unsigned numbers."""
    import pyarrow as pa

    def plain(type_: Any) -> Any:
        if pa.types.is_dictionary(type_) or pa.types.is_large_string(type_):
            return pa.string()
        return pa.int64() if pa.types.is_unsigned_integer(type_) else type_

    return table.cast(pa.schema([pa.field(field.name, plain(field.type)) for field in table.schema]))


def _table(side: Mapping[str, Any], name: str) -> pa.Table | None:
    """The rows of a relation on one side of a delta; None where there are none."""
    return undictionaried(side[name].to_arrow()) if len(side[name]) else None


def _without(rows: pa.Table | None, others: pa.Table | None) -> pa.Table | None:
    from ladder.tables.rows import difference

    if rows is None or others is None:
        return rows
    return (difference(rows, others) if rows.num_columns else rows.slice(0, 0)) or None


def _union(one: pa.Table | None, other: pa.Table | None) -> pa.Table | None:
    import pyarrow as pa

    tables = [table for table in (one, other) if table is not None]
    return pa.concat_tables(tables) if len(tables) > 1 else tables[0] if tables else None
