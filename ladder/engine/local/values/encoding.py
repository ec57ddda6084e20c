"""Encoding of Python values as cells and back: symbols, records and objects are interned, numbers are stored as their
bits."""

from __future__ import annotations

import struct
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.values.records import Layouts, cells_of_records, value_of_record
from ladder.errors import LadderError
from ladder.language.core import Const, Kind, Program, Relation, Type
from ladder.language.faults import no_value
from ladder.language.values.arithmetic import expect_wide, held
from ladder.support.by_name import Misnamed, rows_in_order

if TYPE_CHECKING:
    from ladder.engine.local.values.symbols import SymbolTable

Cells = npt.NDArray[np.int32]


class Objects:
    """Interns the values of lattices that are written in Python."""

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
    """Encodes values of the program's types as cells, and decodes them.

    `pack`: (table of records, rows) → the numbers of the records, which are added where they do not exist; `unpack`:
    (table, number) → the record's cells. The value of a record is a tuple, which starts with the branch's name if the
    type is an algebraic data type; nil is None.
    """

    def __init__(
        self,
        program: Program,
        pack: Callable[[str, Cells], Cells],
        unpack: Callable[[str, int], tuple[int, ...]],
        symbols: SymbolTable,
    ) -> None:
        self.types, self.lattices = program.types, program.lattices
        self.symbols = symbols
        self.objects = Objects()
        self.pack, self.unpack = pack, unpack
        self.layouts = Layouts(program.types)
        self._records: dict[tuple[str, int], Any] = {}  # decoded ones
        # numbers of a program's texts in a table of symbols: plans ask for the same ones many times
        self._constants: tuple[SymbolTable, dict[str, int]] = symbols, {}
        # whether functions return records: records that were passed to them are then recognised by identity
        self.returned = False
        self.numbered: dict[tuple[int, str], int] = {}  # (identity of a decoded one, type) → number

    def encode(self, value: Any, type_: Type) -> int:
        """The cell of a value; `LadderError` if the value is not of the type."""
        try:
            return self._encode(value, type_)
        except (Misnamed, MemoryError):
            raise
        except Exception:  # noqa: BLE001 - whatever a value's class does when it is looked at
            raise no_value(value, type_) from None

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
            return self.objects.number(value if type_.wide is None else expect_wide(value, type_.wide))
        return int(cells_of_records(self, [value], type_)[0])

    def record_cell(self, type_: Type, branch: str | None, cells: Sequence[int]) -> int:
        """The cell of the record with these cells as fields; it is added if it does not exist."""
        layout = self.layouts[type_.name]
        form = layout.by_name[branch]
        padding = [0] * (layout.width - form.head - len(cells))
        return int(
            self.pack(
                layout.table, np.array([[form.number, *cells, *padding] if form.head else [*cells, *padding]], np.int32)
            )[0]
        )

    def record_cells(self, type_: Type, branch: str | None, cell: int) -> tuple[int, ...] | None:
        """The fields of a record; None for nil and for a record of another branch."""
        layout = self.layouts[type_.name]
        form = layout.by_name[branch]
        cells = self.unpack(layout.table, cell) if cell else None
        if cells is None or (form.head and cells[0] != form.number):
            return None
        return cells[form.head : form.head + len(form.fields)]

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
            return held(struct.unpack("<f", struct.pack("<i", int(cell)))[0], kind)
        if kind is Kind.OBJECT:
            return held(self.objects.values[cell], type_.wide)  # 0 and 0.0 of 64 bits are one object
        return value_of_record(self, int(cell), type_, self._records)

    def encode_many(self, values: Sequence[Any], type_: Type) -> list[int]:
        """The cells of values."""
        cells: list[int] = self.encode_column(values, type_).tolist()
        return cells

    def encode_column(self, values: Sequence[Any], type_: Type) -> Cells:
        """The cells of values; `LadderError` names the first value that is not of the type."""
        if type_.kind is Kind.SYMBOL and all(type(value) is str for value in values):
            return self.symbols.numbers(values)
        if (
            type_.kind is Kind.NUMBER
            and set(map(type, values)) == {int}
            and -(1 << 31) <= min(values) <= max(values) < 1 << 31
        ):
            return np.array(values, np.int32)
        if type_.kind is Kind.RECORD:
            with suppress(Exception):  # one by one then, to tell which it was
                return cells_of_records(self, values, type_)
        return np.array([self.encode(value, type_) for value in values], np.int32)

    def decode_many(self, cells: Sequence[int], type_: Type) -> list[Any]:
        """The values of cells."""
        if type_.kind is Kind.NUMBER:
            return list(cells)
        if type_.kind is Kind.OBJECT:
            objects = self.objects.values
            return [held(objects[cell], type_.wide) for cell in cells]
        if type_.kind is Kind.SYMBOL:
            return self.symbols.texts_of(cells)
        return [self.decode(cell, type_) for cell in cells]

    def constant(self, constant: Const) -> int:
        """The cell of a constant in a program. Cell 0 stands for nil and for the None, of any record type, that fills a
        key column which a row does not have."""
        if constant.stands_for_nil:
            return 0
        value = constant.value
        if constant.type.kind is not Kind.SYMBOL or not isinstance(value, str):
            return self.encode(value, constant.type)
        table, known = self._constants
        if table is not self.symbols:
            self._constants = table, known = self.symbols, {}
        if value not in known:
            known[value] = self.encode(value, constant.type)
        return known[value]

    def encode_rows(self, rows: Iterable[Sequence[Any]], relation: Relation) -> npt.NDArray[np.int32]:
        """Encode rows of Python values as cells; symbols get their numbers row by row."""
        rows, types = checked_rows(rows, relation), [column.type for column in relation.columns]
        cells = np.zeros((len(rows), len(types)), np.int32)
        texts = [column for column, type_ in enumerate(types) if type_.kind is Kind.SYMBOL]
        if len(texts) > 1:
            flat = [row[column] for row in rows for column in texts]
            cells[:, texts] = self.encode_column(flat, types[texts[0]]).reshape(len(rows), len(texts))
        for column, type_ in enumerate(types):
            if len(texts) < 2 or column not in texts:
                cells[:, column] = self.encode_column([row[column] for row in rows], type_)
        return cells

    def decode_column(self, cells: npt.NDArray[np.int32], type_: Type) -> list[Any]:
        """The values of a column of cells; each distinct cell is decoded once."""
        distinct, inverse = np.unique(cells, return_inverse=True)
        values = [self.decode(cell, type_) for cell in distinct.tolist()]
        return [values[i] for i in inverse.tolist()]


def checked_rows(rows: Any, relation: Relation) -> list[Any]:
    """The rows, with the values of rows that name their columns in the order of the relation's columns; `LadderError`
    for a row with more or fewer values than the relation has columns."""
    if not isinstance(rows, Iterable) or isinstance(rows, str | bytes | Mapping):
        raise LadderError(
            f"{rows!r} is not a collection of rows of {relation.name}.", "Give a list of tuples, or a table."
        )
    width = len(relation.columns)
    checked = rows_in_order(rows, [column.name for column in relation.columns], relation.name)
    for row in checked:
        if not isinstance(row, Sequence | np.ndarray) or isinstance(row, str | bytes):
            raise LadderError(
                f"{row!r} is not a row of {relation.name}.", "A row is a tuple, or has the names of the columns."
            )
        if len(row) != width:
            raise LadderError(f"The row {row!r} has {len(row)} columns, but {relation.name} has {width}.")
    return checked


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
