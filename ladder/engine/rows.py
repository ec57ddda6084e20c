"""Sources of rows, which `Rows` and `Delta` contain, with one protocol for all backends.

Source      the protocol: number of rows, rows as Python values, Arrow tables, lines of text, or a Parquet file
HeldRows    rows in this process, as Python values or as a table; each backend has a further class of its own
local_schema, table_of_values    the form of rows as tables: dictionary-encoded texts, numbers of 32 bits
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ladder.language.core import Column, Kind, Program, Type
from ladder.language.values.show import show_value

if TYPE_CHECKING:
    import pyarrow as pa

Row = tuple[Any, ...]
MOST_TEXT = 1 << 30  # bytes of a column's texts in one piece
PLAIN = (Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT, Kind.SYMBOL)  # values that tables hold as they are, and not as texts


class Source(Protocol):
    """The rows of a relation in a backend; `place`: where they are, "" for those in this process."""

    place: str

    @property
    def relation(self) -> str:
        """The relation's name."""

    @property
    def columns(self) -> Sequence[Column]:
        """The columns of the relation in the program."""

    def __len__(self) -> int: ...

    def values(self) -> Iterator[Row]:
        """The rows as tuples of Python values."""

    def tables(self) -> Iterator[pa.Table]:
        """The rows as a sequence of Arrow tables, each in the form of `local_schema`."""

    def lines(self, delimiter: bytes) -> Iterator[memoryview]:
        """The rows as lines of text, block by block; columns must be symbols or integers. A block is valid until the
        next one is requested."""

    def write_parquet(self, path: Path) -> None:
        """Write the rows to a Parquet file, or to a directory of files if several processes write."""


class HeldRows:
    """Rows in this process, from any backend: Python values, or a table of plain values."""

    place = ""

    def __init__(self, program: Program, relation: str, rows: Sequence[Row] | pa.Table = ()) -> None:
        self._program, self._relation, self._held = program, program.relations[relation], rows

    @property
    def relation(self) -> str:
        """The relation's name."""
        return self._relation.name

    @property
    def columns(self) -> Sequence[Column]:
        """The relation's columns."""
        return self._relation.columns

    def __len__(self) -> int:
        return len(self._held)

    def values(self) -> Iterator[Row]:
        """The rows as tuples of Python values."""
        if isinstance(self._held, Sequence):
            return iter(self._held)
        return zip(*(column.to_pylist() for column in self._held.columns), strict=True)

    def tables(self) -> Iterator[pa.Table]:
        """All rows as one Arrow table."""
        yield (
            table_of_values(self._held, self.columns, self._program)
            if isinstance(self._held, Sequence)
            else as_local(self._held, self.columns)
        )

    def lines(self, delimiter: bytes) -> Iterator[memoryview]:
        """The rows as lines of text, block by block."""
        return lines_of(self.tables(), delimiter)

    def write_parquet(self, path: Path) -> None:
        """Write the rows to a Parquet file."""
        write_file(self, path)


def in_one_table(source: Source) -> pa.Table:
    """All rows as one Arrow table in this process."""
    import pyarrow as pa

    tables = list(source.tables())
    if not tables:
        return local_schema(source.columns).empty_table() if source.columns else without_columns(0)
    return tables[0] if len(tables) == 1 else pa.concat_tables(tables)


def readable(source: Source) -> Any:
    """Rows in a form that any backend accepts as facts: a table if it can hold all values unchanged, else Python
    values."""
    return in_one_table(source) if is_plain(source.columns) else list(source.values())


def is_plain(columns: Sequence[Column]) -> bool:
    """Whether tables can hold the values of these columns unchanged; false without columns, as such tables have no
    rows."""
    return bool(columns) and all(column.type.kind in PLAIN for column in columns)


def table_of_values(rows: Sequence[Row], columns: Sequence[Column], program: Program) -> pa.Table:
    """Python values as a table in the form of `local_schema`."""
    import pyarrow as pa

    if not columns:
        return without_columns(len(rows))
    values, schema = list(zip(*rows, strict=True)) or [()] * len(columns), local_schema(columns)
    return pa.table(
        [
            _array(of, column.type, field.type, program)
            for of, column, field in zip(values, columns, schema, strict=True)
        ],
        schema=schema,
    )


def _array(values: Iterable[Any], type_: Type, arrow: pa.DataType, program: Program) -> pa.Array:
    import pyarrow as pa

    if not pa.types.is_dictionary(arrow):
        return pa.array(values, arrow)
    texts = [show_value(value, type_, program.types, program.lattices) for value in values]
    return pa.array(texts, arrow.value_type).dictionary_encode()


def local_schema(columns: Sequence[Column]) -> pa.Schema:
    """The Arrow schema of rows: numbers of 32 bits, dictionary-encoded texts for other types."""
    import pyarrow as pa

    numbers = {Kind.NUMBER: pa.int32(), Kind.UNSIGNED: pa.uint32(), Kind.FLOAT: pa.float32()}
    text = pa.dictionary(pa.int32(), pa.large_string())
    return pa.schema([(column.name, numbers.get(column.type.kind, text)) for column in columns])


def as_local(table: pa.Table, columns: Sequence[Column]) -> pa.Table:
    """A table of plain values or texts, converted to the form of `local_schema`."""
    return table.rename_columns([column.name for column in columns]).cast(local_schema(columns)) if columns else table


def undictionaried(table: pa.Table, most_text: int = MOST_TEXT) -> pa.Table:
    """A table in a form that Spark supports: without dictionaries and unsigned numbers."""
    import pyarrow as pa

    def plain(type_: Any) -> Any:
        if pa.types.is_dictionary(type_) or pa.types.is_large_string(type_):
            return pa.string()
        return pa.int64() if pa.types.is_unsigned_integer(type_) else type_

    schema = pa.schema([pa.field(field.name, plain(field.type)) for field in table.schema])
    parts = [
        pa.table([_decoded(column) for column in batch.columns], names=table.column_names).cast(schema)
        for batch in _of_few_bytes(table, most_text)
    ]
    return pa.concat_tables([schema.empty_table(), *parts]) if table.num_columns else table


def _of_few_bytes(table: pa.Table, most_text: int) -> Iterator[pa.RecordBatch]:
    """The pieces of a table, each so small that its texts without dictionaries fit 32-bit offsets, which Spark's texts
    have."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def longest(column: pa.Array) -> int:
        texts = column.dictionary if pa.types.is_dictionary(column.type) else column
        return (pc.max(pc.binary_length(texts)).as_py() or 0) if pa.types.is_large_string(texts.type) else 0

    for batch in table.to_batches():
        rows = max(1, most_text // max(1, *map(longest, batch.columns)))
        yield from (batch.slice(start, rows) for start in range(0, len(batch), rows))


def _decoded(column: pa.Array) -> pa.Array:
    import pyarrow as pa

    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def exact(value: Any) -> Any:
    """A key that distinguishes values as engines do: floats by their bits."""
    if isinstance(value, float):
        return struct.pack("<d", value)
    return tuple(map(exact, value)) if type(value) is tuple else value


def without_columns(count: int) -> pa.Table:
    """A table with this many rows and no columns."""
    import pyarrow as pa

    return pa.table({"": pa.nulls(count)}).select([])


def lines_of(tables: Iterable[pa.Table], delimiter: bytes) -> Iterator[memoryview]:
    """The rows of tables of symbols and integers as lines of text, block by block."""
    from ladder.facts.files.delimited import lines_of_table

    for table in tables:
        yield from (memoryview(block) for block in lines_of_table(table, delimiter.decode()))


def write_file(source: Source, path: Path) -> None:
    """Write rows to one Parquet file, atomically."""
    import pyarrow.parquet as pq

    from ladder.support.files import FOR_OTHERS, replacing

    with replacing(path, mode=FOR_OTHERS) as temporary, temporary.open("wb") as out:
        pq.write_table(in_one_table(source), out)
