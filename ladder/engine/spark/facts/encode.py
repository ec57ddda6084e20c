"""Rows of any form → cells of 64 bits, and the *mixed* rows in which workers return them: rows of all relations in one
table, with the contents that their ids stand for.

    t   INT      position of a relation, of the dictionary or of a table of records among `Mixed.names`; TROUBLE;
        SURPLUS
    c…  BIGINT   cells; the first one of a dictionary's entry, or of a record, is its id
    x   BINARY   content of a dictionary's entry
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from ladder.engine.local.values.arrow import cells_of_table
from ladder.engine.local.values.encoding import checked_rows
from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.lowering.values import Encoder
from ladder.engine.spark.values.dictionary import Ids, record_tables
from ladder.errors import LadderError
from ladder.facts.files.reading import Unreadable, read_value
from ladder.language.core import Kind, Program, Relation, Type
from ladder.support.by_name import table_of

# tags: the error in x ended task c0; c1 rows of task c0 had too many columns
TROUBLE, SURPLUS = -1, -2


@dataclass(frozen=True)
class Mixed:
    """The form of mixed rows of a program."""

    names: tuple[str, ...]
    width: int

    @staticmethod
    def of(program: Program) -> Mixed:
        """The form for a program; its names are the program's relations, the dictionary, the tables of records."""
        tables = record_tables(program)
        arities = [relation.arity for relation in program.relations.values()]
        widths = [1 + width for width in tables.values()]
        return Mixed((*program.relations, TEXTS, *tables), max((2, *arities, *widths)))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return ("t", *(f"c{i}" for i in range(self.width)), "x")

    @property
    def schema(self) -> str:
        """Return the schema as Spark writes it."""
        return ", ".join(("t INT", *(f"c{i} BIGINT" for i in range(self.width)), "x BINARY"))

    def rows(self, relation: str, cells: Ids) -> pa.RecordBatch:
        """A batch with rows of a relation."""
        return self._batch(self.names.index(relation), cells)

    def values(self, encoder: Encoder) -> Iterator[pa.RecordBatch]:
        """Batches with all entries of the dictionary and records that an encoder holds."""
        ids = np.fromiter(encoder.texts, np.int64, len(encoder.texts))
        yield self._batch(self.names.index(TEXTS), ids[:, None], pa.array(encoder.texts.values(), pa.binary()))
        for table, records in encoder.records.items():
            yield self._batch(
                self.names.index(table), np.array([(id_, *row) for id_, row in records.items()], np.int64)
            )

    def trouble(self, task: int, error: LadderError) -> pa.RecordBatch:
        """A batch that reports the error of a task."""
        content = json.dumps([error.message, error.hint]).encode()
        return self._batch(TROUBLE, np.array([[task]]), pa.array([content], pa.binary()))

    def surplus(self, task: int, rows: int) -> pa.RecordBatch:
        """A batch that reports how many rows of a task had too many columns."""
        return self._batch(SURPLUS, np.array([[task, rows]]))

    def _batch(self, tag: int, cells: Any, contents: pa.Array | None = None) -> pa.RecordBatch:
        count, width = cells.shape
        nothing = pa.nulls(count, pa.int64())
        columns = [pa.array(np.ascontiguousarray(cells[:, i])) if i < width else nothing for i in range(self.width)]
        contents = pa.nulls(count, pa.binary()) if contents is None else contents
        return pa.RecordBatch.from_arrays(
            [pa.array(np.full(count, tag, np.int32)), *columns, contents], names=list(self.columns)
        )


def encoded(encoder: Encoder, rows: Any, relation: Relation) -> Ids:
    """The cells of rows, which are tuples of Python values or a table; `LadderError` where they do not fit the
    relation."""
    table = table_of(rows)
    if table is not None:

        def read_text(text: str, type_: Type) -> Any:
            return value_of_text(text, type_, encoder)

        return cells_of_table(_Columns(encoder), table, relation, read_text, np.int64)
    rows, types = checked_rows(rows, relation), [column.type for column in relation.columns]
    return encoder.rows(rows, types) if types else np.zeros((len(rows), 0), np.int64)


def value_of_text(text: str, type_: Type, encoder: Encoder) -> Any:
    """The value that a text in a table stands for; `LadderError` where it is not of the type."""
    try:
        return read_value(text, type_, encoder.types)
    except Unreadable as error:
        raise LadderError(f"{text!r} is not a value of type {type_.name}: {error}") from None


def without_code(program: Program) -> Program:
    """The part of a program that reading facts needs: its relations, types and directives, but nothing that workers
    would have to import."""
    return replace(program, rules=(), functions={}, lattices={}, facts={}, subsumptions=())


class _Columns:
    """An encoder with the interface that `cells_of_table` encodes Arrow columns with."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder, self.symbols = encoder, self
        self.symbol = next((t for t in encoder.types.values() if t.kind is Kind.SYMBOL), Type("symbol", Kind.SYMBOL))

    def intern_array(self, array: pa.Array) -> Ids:
        """The ids of an array of texts; each distinct text is hashed once."""
        distinct = array.dictionary_encode()
        ids: Ids = self.encoder.column(distinct.dictionary.to_pylist(), self.symbol)
        numbers: Ids = ids[distinct.indices.to_numpy(zero_copy_only=False)]
        return numbers

    def encode_column(self, values: Sequence[Any], type_: Type) -> Ids:
        """The cells of values of a type."""
        return self.encoder.column(values, type_)
