"""Rows of a state on Spark with what their cells stand for: a DataFrame with the program's columns, or Python values
one after the other.

Texts come from a join with the dictionary, values of lattices are made by Spark's workers. Records are taken apart on
the driver, where all tables of records must fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
import pyarrow as pa

from ladder.engine.canonical import Classes, value_of
from ladder.engine.classes import classes_of
from ladder.engine.spark.facts.decoding import collected, decoder_of
from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.lowering.values import Decoder
from ladder.engine.spark.values.shipping import Shipped
from ladder.errors import Unsupported
from ladder.language.core import Kind, Type
from ladder.language.values.show import show_value
from ladder.plan.components import is_record_table, needs_filler
from ladder.spark.internals import rows_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ladder.engine.spark.engine import SparkState

Lattices = Mapping[str, Any]
SQL_TYPES = {Kind.NUMBER: "INT", Kind.UNSIGNED: "BIGINT", Kind.FLOAT: "FLOAT"}
_decoders: WeakKeyDictionary[Any, Decoder] = WeakKeyDictionary()


def results(state: SparkState, relation: str, cells: DataFrame | None = None) -> DataFrame:
    """A relation's rows with its columns: INT, BIGINT (unsigned), FLOAT, STRING; records and values of lattices as
    their text.

    `cells`: c0…, of the program's columns, instead of all rows.
    """
    columns = state.program.relations[relation].columns
    types = [column.type for column in columns]
    frame = _with_contents(state, _cells(state, relation, cells), types)
    for i, type_ in enumerate(types):
        if type_.kind is Kind.RECORD:
            frame = _with_shown_records(state, frame, f"c{i}", type_)
    if any(type_.kind in (Kind.FLOAT, Kind.OBJECT) for type_ in types):
        schema = ", ".join(f"c{i} {SQL_TYPES.get(type_.kind, 'STRING')}" for i, type_ in enumerate(types))
        frame = frame.mapInArrow(
            _showing(types, state.program.types, Shipped((classes_of(state.program), _lattices(state, types)))), schema
        )
    else:
        frame = frame.selectExpr(
            *(f"CAST(c{i} AS {SQL_TYPES.get(type_.kind, 'STRING')}) AS c{i}" for i, type_ in enumerate(types))
        )
    return frame.toDF(*(column.name for column in columns))


def rows(state: SparkState, relation: str, cells: DataFrame | None = None) -> Iterator[tuple[Any, ...]]:
    """A relation's rows as Python values; one partition of them is here at a time."""
    types = [column.type for column in state.program.relations[relation].columns]
    frame, classes = _with_contents(state, _cells(state, relation, cells), types), classes_of(state.program)
    readers = [_reader(state, type_, classes) for type_ in types]
    for row in rows_of(frame):
        yield tuple(reader(cell) for reader, cell in zip(readers, row, strict=True))


def _cells(state: SparkState, relation: str, cells: DataFrame | None) -> DataFrame:
    """Cells of a relation as the program declares it."""
    if cells is not None:
        return cells
    first, arity = int(needs_filler(state.program.relations[relation])), state.program.relations[relation].arity
    return state.frame(relation).selectExpr(*(f"c{first + i} AS c{i}" for i in range(arity)))


def _with_contents(state: SparkState, frame: DataFrame, types: Sequence[Type]) -> DataFrame:
    """Rows with contents in the place of the ids of symbols and objects."""
    names = [f"c{i}" for i in range(len(types))]
    dictionary = state.dictionary.toDF("id", "x").hint(
        "BROADCAST" if state.rows(TEXTS) <= state.tuning.distributing.broadcast_entries else "SHUFFLE_HASH"
    )
    for name, type_ in zip(names, types, strict=True):
        if type_.kind in (Kind.SYMBOL, Kind.OBJECT):
            others = [other for other in names if other != name]
            found = f"coalesce(x, CAST(raise_error(concat('no entry for the id ', {name})) AS BINARY)) AS {name}"
            frame = (
                frame.join(dictionary, frame[name] == dictionary["id"], "left")
                .selectExpr(*others, found)
                .select(*names)
            )
    return frame


def _with_shown_records(state: SparkState, frame: DataFrame, name: str, type_: Type) -> DataFrame:
    """Rows with texts in the place of the ids of records."""
    ids = [row[0] for row in frame.select(name).distinct().collect()]
    decoder, program = _decoder(state), state.program
    texts = pa.table(
        {
            "id": pa.array(ids, pa.int64()),
            "text": pa.array(
                [show_value(decoder.value(id_, type_), type_, program.types, program.lattices) for id_ in ids],
                pa.string(),
            ),
        }
    )
    shown = frame.sparkSession.createDataFrame(texts).hint("BROADCAST")
    items = [shown["text"].alias(name) if other == name else frame[other] for other in frame.columns]
    return frame.join(shown, frame[name] == shown["id"]).select(*items)


def _showing(
    types: Sequence[Type], known: Mapping[str, Type], shipped: Shipped[tuple[Classes, Lattices]]
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What a task does that makes columns of a result out of batches of cells and contents."""

    def show(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            columns = [
                _shown(column, type_, known, shipped) for column, type_ in zip(batch.columns, types, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(columns, names=batch.schema.names)

    return show


def _lattices(state: SparkState, types: Sequence[Type]) -> dict[str, Any]:
    """The lattices of these types, by name."""
    return {t.name: state.program.lattices[t.name] for t in types if t.name in state.program.lattices}


def _shown(
    column: pa.Array, type_: Type, known: Mapping[str, Type], shipped: Shipped[tuple[Classes, Lattices]]
) -> pa.Array:
    if type_.kind is Kind.OBJECT:
        distinct = column.dictionary_encode()
        classes, lattices = shipped.get()
        values = (value_of(content, classes) for content in distinct.dictionary.to_pylist())
        texts = [show_value(value, type_, known, lattices) for value in values]
        return pa.array(texts, pa.string()).take(distinct.indices)
    if type_.kind is Kind.FLOAT:
        return pa.array(column.to_numpy(zero_copy_only=False).astype(np.int32).view(np.float32))
    if type_.kind is Kind.NUMBER:
        return column.cast(pa.int32())
    return column.cast(pa.string()) if type_.kind is Kind.SYMBOL else column


def _reader(state: SparkState, type_: Type, classes: Mapping[str, type]) -> Callable[[Any], Any]:
    """Makes values out of cells, and of contents of symbols and objects."""
    if type_.kind is Kind.SYMBOL:
        return lambda content: bytes(content).decode("utf-8", "surrogatepass")
    if type_.kind is Kind.OBJECT:
        return lambda content: value_of(bytes(content), classes)
    decoder = _decoder(state)
    return lambda cell: decoder.value(cell, type_)


def _decoder(state: SparkState) -> Decoder:
    """Knows all records of a state, and the texts and values in them."""
    if state not in _decoders:
        _decoders[state] = _decoder_of(state)
    return _decoders[state]


def _decoder_of(state: SparkState) -> Decoder:
    tables = [name for name, r in state.expanded.relations.items() if is_record_table(r) and state.rows(name)]
    most = state.tuning.distributing.most_records
    if sum(map(state.rows, tables)) > most:
        raise Unsupported(
            f"The state has more than {most:,} records, which are taken apart on one machine.",
            "Save the state and open it with the local engine.",
        )
    records = {name: collected(state.frame(name), state.expanded.relations[name].arity + 1) for name in tables}
    return decoder_of(state.program, state.dictionary, records)
