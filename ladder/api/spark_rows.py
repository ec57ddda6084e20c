"""What a database on Spark hands out: `SparkRows` of a relation, read part by part, and the `SparkDelta` of a change.

Whoever reads rows need not know where they are: these have all that `Rows` have but `cells`, and give the same values and tables.
"""
from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ladder.api.rows import Delta, Row, Side, Work
from ladder.errors import LadderError
from ladder.language import core
from ladder.language.core import Kind
from ladder.language.values.show import show_value
from ladder.support.by_name import row_in_order

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from ladder.api.database import Database
    from ladder.api.spark_database import SparkDatabase
    from ladder.engine.spark.engine import SparkState

ROWS_AT_ONCE = 50_000       # of a table that comes from Spark
PLAIN = (Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT, Kind.SYMBOL)      # values that tables hold as they are, and not as texts


class _OfRelation:
    """Rows of a relation, which knows its columns and what may be among its rows."""

    relation: str
    _columns: Sequence[core.Column]

    def __iter__(self) -> Iterator[Row]:
        raise NotImplementedError

    def __contains__(self, row: object) -> bool:
        """As of the rows of a local database, which are looked up in a set: what cannot be in one is an error."""
        wanted = row_in_order(row, self.column_names, self.relation)
        hash(wanted)
        return any(found == wanted for found in self)

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names of the relation's columns."""
        return tuple(column.name for column in self._columns)


class SparkRows(_OfRelation):
    """Rows of a relation that are on Spark: all it has in a state, or those with the `cells` of a frame.

    Iterating over them holds a part of them at a time; `frame` leaves them on Spark. They are there until the database is closed.
    """

    def __init__(self, database: SparkDatabase, relation: str, state: SparkState, cells: DataFrame | None = None,
                 count: int | None = None) -> None:
        self._database, self.relation, self._state, self._cells = database, relation, state, cells
        self._columns = state.program.relations[relation].columns
        self._count = state.rows(relation) if cells is None else count

    @contextmanager
    def _session(self) -> Iterator[None]:
        if self._state.released:
            raise LadderError(f"The rows of {self.relation} went when the database was closed.", "Read them before, or bring them here (to_arrow).")
        with self._database._runs.session():
            yield

    def frame(self) -> DataFrame:
        """A Spark DataFrame with the relation's columns."""
        from ladder.engine.spark.results import results

        with self._session():
            frame: DataFrame = results(self._state, self.relation, self._cells)
        return frame

    def __len__(self) -> int:
        if self._count is None:
            assert self._cells is not None
            with self._session():
                self._count = self._cells.count()
        return self._count

    def __iter__(self) -> Iterator[Row]:
        from ladder.engine.spark.results import rows

        if not self._columns:
            yield from [()] * len(self)
            return
        with self._session():
            yield from rows(self._state, self.relation, self._cells)

    def __repr__(self) -> str:
        rows = "rows" if self._count is None else f"{self._count} rows"
        return f"<{rows} of {self.relation} on Spark>"

    def tables(self) -> Iterator[pa.Table]:
        """The rows as Arrow tables of some ten thousand rows each, in the form of `to_arrow`."""
        for table in self._plain():
            yield as_local(table, self._columns)

    def _plain(self) -> Iterator[pa.Table]:
        """The same as Spark has them: with plain strings."""
        if not self._columns:
            yield _without_columns(len(self))
            return
        with self._session():
            yield from streamed(self.frame())

    def to_arrow(self) -> pa.Table:
        """One Arrow table, all of it in this process."""
        return _in_one(list(self.tables()), self._columns)

    def to_pandas(self) -> pd.DataFrame:
        """A pandas DataFrame, all of it in this process."""
        return self.to_arrow().to_pandas()

    def write_parquet(self, path: Path) -> None:
        """Have Spark's workers write them as a directory of Parquet files."""
        with self._session():
            self.frame().write.mode("overwrite").parquet(f"file://{path.resolve()}")

    def lines(self, delimiter: bytes) -> Iterator[memoryview]:
        """Lines of text, block by block, for columns of symbols and integers."""
        from ladder.facts.files.delimited import lines_of_table
        for table in self._plain():
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


def as_local(table: pa.Table, columns: Sequence[core.Column]) -> pa.Table:
    """A table from Spark in the form that the local engine gives: texts in dictionaries, numbers of 32 bits."""
    return table.rename_columns([column.name for column in columns]).cast(local_schema(columns)) if columns else table


def local_schema(columns: Sequence[core.Column]) -> pa.Schema:
    """The columns of `Rows.to_arrow`."""
    import pyarrow as pa

    numbers = {Kind.NUMBER: pa.int32(), Kind.UNSIGNED: pa.uint32(), Kind.FLOAT: pa.float32()}
    text = pa.dictionary(pa.int32(), pa.large_string())
    return pa.schema([(column.name, numbers.get(column.type.kind, text)) for column in columns])


def _without_columns(count: int) -> pa.Table:
    import pyarrow as pa

    return pa.table({"": pa.nulls(count)}).select([])


def _in_one(tables: Sequence[pa.Table], columns: Sequence[core.Column]) -> pa.Table:
    import pyarrow as pa

    if not tables:
        return local_schema(columns).empty_table() if columns else _without_columns(0)
    return pa.concat_tables(tables) if len(tables) > 1 else tables[0]


class _Side(Side):
    """As `Side`, of rows that are at hand."""

    def _rows(self, relation: str, rows: Any) -> Any:
        return rows

    def _nothing(self, relation: str) -> Any:
        return HeldRows(self._database, relation, [])


class HeldRows(_OfRelation):
    """Rows that are here, whichever engine they came from: a table of plain values, or any values as Python has them."""

    def __init__(self, database: Database, relation: str, rows: Sequence[Row] | pa.Table) -> None:
        self._database, self.relation, self._held = database, relation, rows
        self._columns = database._core.relations[relation].columns

    def __len__(self) -> int:
        return len(self._held)

    def __iter__(self) -> Iterator[Row]:
        if isinstance(self._held, Sequence):
            return iter(self._held)
        return zip(*(column.to_pylist() for column in self._held.columns), strict=True)

    def __repr__(self) -> str:
        return f"<{len(self)} rows of {self.relation}>"

    def to_arrow(self) -> pa.Table:
        """An Arrow table."""
        if not isinstance(self._held, Sequence):
            return as_local(self._held, self._columns)
        if not self._columns:
            return _without_columns(len(self))
        import pyarrow as pa

        values = list(zip(*self._held, strict=True)) or [()] * len(self._columns)
        schema = local_schema(self._columns)
        arrays = [self._array_of(of, column.type, field.type) for of, column, field in zip(values, self._columns, schema, strict=True)]
        return pa.table(arrays, schema=schema)

    def _array_of(self, values: Iterable[Any], type_: core.Type, arrow: pa.DataType) -> pa.Array:
        import pyarrow as pa

        if not pa.types.is_dictionary(arrow):
            return pa.array(values, arrow)
        known = self._database._core.types
        return pa.array([show_value(value, type_, known) for value in values], arrow.value_type).cast(arrow)

    def tables(self) -> Iterator[pa.Table]:
        """The rows as Arrow tables that follow each other."""
        yield self.to_arrow()

    def to_pandas(self) -> pd.DataFrame:
        """A pandas DataFrame."""
        return self.to_arrow().to_pandas()

    def write_parquet(self, path: Path) -> None:
        """Write them as a Parquet file."""
        import pyarrow.parquet as pq

        from ladder.support.files import FOR_OTHERS, replacing
        with replacing(path, mode=FOR_OTHERS) as temporary:
            pq.write_table(self.to_arrow(), temporary)

    def lines(self, delimiter: bytes) -> Iterator[memoryview]:
        """Lines of text, block by block, for columns of symbols and integers."""
        from ladder.facts.files.delimited import lines_of_table
        yield from (memoryview(block) for block in lines_of_table(self.to_arrow(), delimiter.decode()))


class SparkDelta(Delta):
    """What a bootstrap on Spark changed: as `Delta`, with rows that are on Spark, or were brought here as tables."""

    has_cells = False

    def __init__(self, database: Database, came: Mapping[str, Any], went: Mapping[str, Any], work: Work) -> None:
        super().__init__(database, {}, work)
        self.inserted, self.deleted = _Side(database, came), _Side(database, went)
        self.impact = work.impact = sum(map(len, (*came.values(), *went.values())))


def joined_rows(first: Delta, second: Delta, work: Work) -> SparkDelta:
    """What two transactions changed together, of which at least one was a bootstrap on Spark; its rows are brought here."""
    database = second.database
    came, went = {}, {}
    for name in {*first.inserted, *first.deleted, *second.inserted, *second.deleted} & {*database.relations}:
        held = _table if all(column.type.kind in PLAIN for column in database._core.relations[name].columns) else _values
        ins, del_, ins_then, del_then = (held(side, name) for delta in (first, second) for side in (delta.inserted, delta.deleted))
        came[name] = _union(_without(ins, del_then), _without(ins_then, del_))
        went[name] = _union(_without(del_, ins_then), _without(del_then, ins))
    sides = [{name: HeldRows(database, name, list(rows.values()) if isinstance(rows, dict) else rows) for name, rows in side.items() if rows}
             for side in (came, went)]
    return SparkDelta(database, sides[0], sides[1], work)


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
    return undictionaried(side[name].to_arrow()) if name in _known(side) and len(side[name]) else None


def _values(side: Mapping[str, Any], name: str) -> dict[Row, Row] | None:
    """The same as Python values, each by what tells it from others."""
    return {_exact(row): row for row in side[name]} if name in _known(side) and len(side[name]) else None


def _known(side: Mapping[str, Any]) -> Iterable[str]:
    """The relations of the program whose change a side is of, or of the one that the program has become."""
    relations: Iterable[str] = side._database.relations if isinstance(side, Side) else side
    return relations


def _exact(value: Any) -> Any:
    """A value by which it is told from others as engines do: floats by their bits."""
    if isinstance(value, float):
        return struct.pack("<d", value)
    return tuple(map(_exact, value)) if type(value) is tuple else value


def _without(rows: Any, others: Any) -> Any:
    from ladder.facts.packs.rows import difference

    if rows is None or others is None:
        return rows
    if isinstance(rows, dict):
        return {key: row for key, row in rows.items() if key not in others} or None
    return (difference(rows, others) if rows.num_columns else rows.slice(0, 0)) or None


def _union(one: Any, other: Any) -> Any:
    import pyarrow as pa

    both = [rows for rows in (one, other) if rows is not None]
    if len(both) < 2:
        return both[0] if both else None
    return {**one, **other} if isinstance(one, dict) else pa.concat_tables(both)
