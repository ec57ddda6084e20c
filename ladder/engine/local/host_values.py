"""Python values ↔ cells: symbols, records and objects are interned, numbers are their own bits."""
from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.symbols import SymbolTable
from ladder.engine.plan.components import branch_number, record_relation, record_width
from ladder.errors import LadderError
from ladder.language.core import Const, Kind, Type


class Objects:
    """Values of lattices written in Python ↔ numbers."""

    def __init__(self, values: Sequence[Hashable] = ()) -> None:
        self.values: list[Hashable] = list(values)
        self.numbers = {value: number for number, value in enumerate(self.values)}

    def number(self, value: Hashable) -> int:
        known = self.numbers.setdefault(value, len(self.values))
        if known == len(self.values):
            self.values.append(value)
        return known

    def __len__(self) -> int:
        return len(self.values)


class Values:
    """Encodes and decodes values of the program's types; `pack` and `unpack` reach the tables of records.

    A record is a tuple, of an algebraic data type one that starts with the name of its branch; nil is None.
    """

    def __init__(self, types: Mapping[str, Type], pack: Callable[[str, tuple[int, ...]], int],
                 unpack: Callable[[str, int], tuple[int, ...]]) -> None:
        self.types = types
        self.symbols = SymbolTable()
        self.objects = Objects()
        self.pack, self.unpack = pack, unpack
        self._records: dict[tuple[str, int], Any] = {}     # decoded ones; parts that several share are decoded once

    def encode(self, value: Any, type_: Type) -> int:
        """The cell of a value; `LadderError` where it is no value of the type."""
        try:
            return self._encode(value, type_)
        except (TypeError, ValueError, OverflowError, struct.error, LookupError):
            raise LadderError(f"{value!r} is not a value of type {type_.name} ({type_.kind.value}).") from None

    def _encode(self, value: Any, type_: Type) -> int:
        kind = type_.kind
        if kind is Kind.SYMBOL:
            return self.symbols.number(_expect(value, str))
        if kind is Kind.NUMBER:
            return _within(_integer(value), -(1 << 31), (1 << 31) - 1)
        if kind is Kind.UNSIGNED:
            number = _within(_integer(value), 0, (1 << 32) - 1)
            return number - (1 << 32) if number >= 1 << 31 else number
        if kind is Kind.FLOAT:
            return int(struct.unpack("<i", struct.pack("<f", value))[0])
        if kind is Kind.OBJECT:
            return self.objects.number(value)
        if value is None:
            return 0
        branch, parts = (None, value) if not type_.branches else (value[0], value[1:])
        fields = type_.fields if branch is None else dict(type_.branches)[branch]
        if isinstance(value, str) or len(parts) != len(fields):
            raise ValueError(value)
        return self.record_cell(type_, branch, [self._encode(v, self.types[name]) for v, (_, name) in zip(parts, fields, strict=True)])

    def record_cell(self, type_: Type, branch: str | None, cells: Sequence[int]) -> int:
        """The record of these cells; it is made where it does not exist."""
        padded = [*cells] if branch is None else [branch_number(type_, branch), *cells]
        return self.pack(record_relation(type_), (*padded, *(0,) * (record_width(type_) - len(padded))))

    def record_cells(self, type_: Type, branch: str | None, cell: int) -> tuple[int, ...] | None:
        """The fields of a record; None for nil and for a record of another branch."""
        if cell == 0:
            return None
        cells = self.unpack(record_relation(type_), cell)
        if branch is None:
            return cells[:len(type_.fields)]
        return cells[1:1 + len(dict(type_.branches)[branch])] if cells[0] == branch_number(type_, branch) else None

    def decode(self, cell: int, type_: Type) -> Any:
        """The value of a cell."""
        kind = type_.kind
        if kind is Kind.SYMBOL:
            return self.symbols.text_of(cell)
        if kind is Kind.NUMBER:
            return int(cell)
        if kind is Kind.UNSIGNED:
            return int(cell) & 0xFFFFFFFF
        if kind is Kind.FLOAT:
            return struct.unpack("<f", struct.pack("<i", int(cell)))[0]
        if kind is Kind.OBJECT:
            return self.objects.values[cell]
        return self._record(int(cell), type_)

    def _record(self, cell: int, type_: Type) -> Any:
        """The value of a record; the records in it first, without recursion: lists may be long."""
        known, waiting = self._records, [(cell, type_)]
        while waiting:
            cell, type_ = waiting[-1]
            if cell == 0 or (type_.name, cell) in known:
                waiting.pop()
                continue
            branch = type_.branches[self.unpack(record_relation(type_), cell)[0]] if type_.branches else None
            fields = [self.types[name] for _, name in (type_.fields if branch is None else branch[1])]
            cells = self.record_cells(type_, None if branch is None else branch[0], cell) or ()
            inner = [(c, t) for c, t in zip(cells, fields, strict=True) if t.kind is Kind.RECORD and c and (t.name, c) not in known]
            if inner:
                waiting += inner
                continue
            parts = (known.get((t.name, c)) if t.kind is Kind.RECORD else self.decode(c, t) for c, t in zip(cells, fields, strict=True))
            known[type_.name, cell] = tuple(parts) if branch is None else (branch[0], *parts)
            waiting.pop()
        return known.get((type_.name, cell))

    def encode_many(self, values: Sequence[Any], type_: Type) -> list[int]:
        """The cells of values."""
        if type_.kind is Kind.SYMBOL and all(type(value) is str for value in values):
            numbers: list[int] = self.symbols.numbers(values).tolist()
            return numbers
        return [self.encode(value, type_) for value in values]

    def decode_many(self, cells: Sequence[int], type_: Type) -> list[Any]:
        """The values of cells."""
        if type_.kind is Kind.NUMBER:
            return list(cells)
        if type_.kind is Kind.OBJECT:
            objects = self.objects.values
            return [objects[cell] for cell in cells]
        if type_.kind is Kind.SYMBOL:
            return self.symbols.texts_of(cells)
        return [self.decode(cell, type_) for cell in cells]

    def constant(self, constant: Const) -> int:
        """The cell of a constant in a program."""
        return self.encode(constant.value, constant.type)

    def encode_rows(self, rows: Iterable[Sequence[Any]], types: Sequence[Type], relation: str) -> npt.NDArray[np.int32]:
        """Rows of Python values → cells, row by row."""
        if not isinstance(rows, Iterable) or isinstance(rows, str | bytes | Mapping):
            raise LadderError(f"{rows!r} is not a collection of rows of {relation}.")
        encoded = []
        for row in rows:
            if not isinstance(row, Sequence | np.ndarray) or isinstance(row, str | bytes):
                raise LadderError(f"{row!r} is not a row of {relation}.", "A row is a tuple.")
            if len(row) != len(types):
                raise LadderError(f"The row {row!r} has {len(row)} columns, but {relation} has {len(types)}.")
            encoded.append([self.encode(v, t) for v, t in zip(row, types, strict=True)])
        return np.array(encoded, np.int32).reshape(len(encoded), len(types))

    def decode_column(self, cells: npt.NDArray[np.int32], type_: Type) -> list[Any]:
        """Values of a column of cells; each distinct cell is decoded once."""
        distinct, inverse = np.unique(cells, return_inverse=True)
        values = [self.decode(cell, type_) for cell in distinct.tolist()]
        return [values[i] for i in inverse.tolist()]


def _expect(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError(value)
    return value


def _integer(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(value)
    return int(value)


def _within(value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise OverflowError(value)
    return value
