"""Arrow tables ↔ cells, column by column, without a Python object per value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ladder.engine.local.values.encoding import Values
from ladder.errors import LadderError
from ladder.language.core import Kind, Relation, Type
from ladder.language.values.show import show_value
from ladder.support.by_name import order_of
from ladder.support.codes import distinct_codes

Cells = npt.NDArray[np.int32]


ReadText = Callable[[str, Type], Any]


class Interned(Protocol):
    """A table that interns strings: see `SymbolTable`."""

    def intern_array(self, array: pa.Array) -> npt.NDArray[Any]: ...


class Cellular(Protocol):
    """An encoder of values as cells, which have 32 bits or more."""

    @property
    def symbols(self) -> Interned: ...

    def encode_column(self, values: Sequence[Any], type_: Type) -> npt.NDArray[Any]: ...


def cells_of_table(
    values: Cellular, table: pa.Table, relation: Relation, read_text: ReadText | None = None, item: Any = np.int32
) -> npt.NDArray[Any]:
    """Encode the columns of an Arrow table, found by name, as cells of the numpy type `item`, in the order of the
    relation's columns; `LadderError` if columns or values do not fit the relation.

    Records are lists, structs with the names of their fields, or texts, which `read_text` parses.
    """
    names = [column.name for column in relation.columns]
    order = order_of(table.column_names, names, relation.name)
    if table.num_columns != len(names):
        raise LadderError(f"The table has {table.num_columns} columns, but {relation.name} has {len(names)}.")
    cells = np.zeros((table.num_rows, len(names)), item)
    for position, column in enumerate(relation.columns):
        start = 0
        for chunk in table.column(position if order is None else order[position]).chunks:
            cells[start : start + len(chunk), position] = _cells_of_chunk(
                values, chunk, column.type, f"{relation.name}.{column.name}", read_text, item
            )
            start += len(chunk)
    return cells


def _cells_of_chunk(
    values: Cellular, chunk: pa.Array, type_: Type, where: str, read_text: ReadText | None, item: Any
) -> npt.NDArray[Any]:
    if chunk.null_count:
        raise LadderError(f"{where} has {chunk.null_count} missing values.")
    arrow = chunk.type
    if pa.types.is_dictionary(arrow):
        indices: Cells = chunk.indices.to_numpy(zero_copy_only=False)
        return _cells_of_chunk(values, chunk.dictionary, type_, where, read_text, item)[indices]
    if type_.kind is Kind.SYMBOL and (pa.types.is_string(arrow) or pa.types.is_large_string(arrow)):
        return values.symbols.intern_array(chunk)
    if type_.kind is Kind.NUMBER and pa.types.is_integer(arrow):
        return _narrow(chunk, np.int32, where)
    if type_.kind is Kind.UNSIGNED and pa.types.is_integer(arrow):
        narrow = _narrow(chunk, np.uint32, where)
        return narrow.view(np.int32) if item is np.int32 else narrow
    if type_.kind is Kind.FLOAT and pa.types.is_floating(arrow):
        floats: npt.NDArray[np.float32] = chunk.cast(pa.float32(), safe=False).to_numpy(zero_copy_only=False)
        return floats.view(np.int32)
    if (
        type_.kind is Kind.RECORD
        and read_text is not None
        and (pa.types.is_string(arrow) or pa.types.is_large_string(arrow))
    ):
        return values.encode_column([read_text(text, type_) for text in chunk.to_pylist()], type_)
    if type_.kind is Kind.RECORD:
        return values.encode_column(chunk.to_pylist(), type_)
    if type_.kind is Kind.OBJECT:
        return values.encode_column([_tuples(value, where) for value in chunk.to_pylist()], type_)
    raise LadderError(f"{where} holds values of Arrow type {arrow}, not of type {type_.name} ({type_.kind.value}).")


def _narrow(chunk: pa.Array, item: type, where: str) -> npt.NDArray[Any]:
    wide: npt.NDArray[Any] = chunk.to_numpy(zero_copy_only=False)
    narrow: npt.NDArray[Any] = wide.astype(item)
    if (narrow != wide).any():
        raise LadderError(f"{where} holds numbers that do not fit into 32 bits.")
    return narrow


def _tuples(value: object, where: str) -> object:
    if isinstance(value, dict):
        raise LadderError(
            f"{where} holds structs, but the parts of a lattice's value have no names.", "Give them as lists."
        )
    return tuple(_tuples(part, where) for part in value) if isinstance(value, list) else value


def table_of_cells(values: Values, cells: Cells, columns: Sequence[tuple[str, Type]]) -> pa.Table:
    """Decode cells to an Arrow table with these columns: numbers stay as they are, symbols are dictionary-encoded, and
    other values become their texts."""
    arrays = [_array_of(values, np.ascontiguousarray(cells[:, i]), type_) for i, (_, type_) in enumerate(columns)]
    if not columns:
        return pa.table({"": pa.nulls(len(cells))}).select([])
    return pa.table(arrays, names=[name for name, _ in columns])


def _array_of(values: Values, column: Cells, type_: Type) -> pa.Array:
    if type_.kind is Kind.NUMBER:
        return _arrow(column)
    if type_.kind is Kind.UNSIGNED:
        return _arrow(column.view(np.uint32))
    if type_.kind is Kind.FLOAT:
        return _arrow(column.view(np.float32))
    if type_.kind is Kind.SYMBOL:
        used, indices = distinct_codes(column, len(values.symbols))
        return pa.DictionaryArray.from_arrays(_arrow(indices), pc.take(values.symbols.to_dictionary(), _arrow(used)))
    distinct, inverse = np.unique(column, return_inverse=True)
    decoded = (values.decode(cell, type_) for cell in distinct.tolist())
    texts = pa.array([show_value(value, type_, values.types, values.lattices) for value in decoded], pa.large_string())
    return pa.DictionaryArray.from_arrays(_arrow(inverse.astype(np.int32)), texts)


def _arrow(items: npt.NDArray[Any]) -> pa.Array:
    """The same memory as an Arrow array. (`pa.array` would import pandas to see whether it is one of its arrays.)"""
    return pa.Array.from_buffers(
        pa.from_numpy_dtype(items.dtype), len(items), [None, pa.py_buffer(np.ascontiguousarray(items))]
    )
