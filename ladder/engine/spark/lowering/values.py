"""Python values ↔ cells of 64 bits, with the entries of the dictionary and the records that they need."""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ladder.engine.canonical import (
    RECORD,
    Classes,
    bytes_text,
    canonical,
    content_of,
    content_of_record,
    text_bytes,
    value_of,
)
from ladder.engine.local.values.records import Layout, Layouts
from ladder.engine.spark.lattices.lattice_sql import join_of_cells
from ladder.engine.spark.values.dictionary import (
    ANOTHER_SEED,
    NIL,
    SEED,
    Ids,
    bytes_id,
    collision,
    object_id,
    record_id,
    text_ids,
)
from ladder.errors import LadderError
from ladder.language.core import (
    Const,
    Kind,
    Program,
    Type,
    terms_read,
)
from ladder.language.faults import no_value
from ladder.language.values.arithmetic import expect_wide, held

_FOLD, _UNSIGNED = 1 << 31, (1 << 32) - 1


class Encoder:
    """Turns values into cells.

    `texts`: id → the content that goes into the dictionary; `records`: table → id → cells. Both grow as values are
    encoded. `tuple_types`: names of the record types whose records go into the dictionary, too, as tuples.
    """

    def __init__(self, types: Mapping[str, Type], seed: int = SEED, tuple_types: Collection[str] = ()) -> None:
        self.types, self.seed, self.tuple_types = types, seed, tuple_types
        self.texts: dict[int, bytes] = {}
        self.records: dict[str, dict[int, tuple[int, ...]]] = {}
        self.layouts = Layouts(types)
        # (identity of a record's object, type) → id; while a column is encoded
        self._made: dict[tuple[int, str], int] = {}

    def cell(self, value: Any, type_: Type) -> int:
        """The cell of a value; `LadderError` where it is not a value of the type."""
        return int(self.column((value,), type_)[0])

    def constant(self, constant: Const) -> int:
        """The cell of a constant in a program; a nil constant, which also fills absent keys of a row, is `NIL` whatever
        its type."""
        return NIL if constant.stands_for_nil else self.cell(constant.value, constant.type)

    def _checked(self, value: Any, type_: Type) -> int:
        try:
            return self._cell(value, type_)
        except (LadderError, MemoryError):
            raise
        except Exception:  # noqa: BLE001 - whatever a value's class does when it is looked at
            raise no_value(value, type_) from None

    def column(self, values: Sequence[Any], type_: Type) -> Ids:
        """The cells of values; `LadderError` names the first that is not of the type."""
        if type_.kind is Kind.SYMBOL and all(type(value) is str for value in values):
            texts = [text_bytes(value) for value in values]
            ids = text_ids(texts, self.seed)
            for id_, text in zip(ids.tolist(), texts, strict=True):
                self._enter(id_, text)
            return ids
        self._made = {}
        cells = np.array([self._checked(value, type_) for value in values], np.int64)
        self._made = {}
        return cells

    def rows(self, rows: Iterable[Sequence[Any]], types: Sequence[Type]) -> Ids:
        """The cells of rows of values, one row each."""
        columns = list(zip(*rows, strict=True)) or [()] * len(types)
        return np.stack([self.column(values, type_) for values, type_ in zip(columns, types, strict=True)], axis=1)

    def _cell(self, value: Any, type_: Type) -> int:
        kind = type_.kind
        if kind is Kind.SYMBOL:
            if not isinstance(value, str):
                raise TypeError(value)
            return self._text(text_bytes(value))
        if kind is Kind.NUMBER or kind is Kind.UNSIGNED:
            return _integer(value, kind)
        if kind is Kind.FLOAT:
            return int(struct.unpack("<i", struct.pack("<f", value))[0])
        if kind is Kind.OBJECT:
            return self._object(canonical(value if type_.wide is None else expect_wide(value, type_.wide), type_.wide))
        return self._record(value, type_)

    def _text(self, text: bytes) -> int:
        return self._enter(bytes_id(text, self.seed), text)

    def _object(self, data: bytes) -> int:
        return self._enter(object_id(data, self.seed), data)

    def _enter(self, id_: int, content: bytes) -> int:
        if self.texts.setdefault(id_, content) != content:
            raise collision(content, self.texts[id_])
        return id_

    def _record(self, record: Any, type_: Type) -> int:
        """The id of a record, made without recursion because lists may be long: nested records are made first."""
        made = self._made
        waiting = [(record, type_)]
        while waiting:
            value, of = waiting[-1]
            if of.is_nil(value) or (id(value), of.name) in made:
                waiting.pop()
                continue
            branch, parts = self.layouts[of.name].take_apart(value)
            fields = list(zip(parts, branch.fields, strict=True))
            missing = [
                (part, t)
                for part, t in fields
                if t.kind is Kind.RECORD and not t.is_nil(part) and (id(part), t.name) not in made
            ]
            if missing:
                waiting += missing
                continue
            cells = [
                (NIL if part is None else made[id(part), t.name]) if t.kind is Kind.RECORD else self._cell(part, t)
                for part, t in fields
            ]
            made[id(value), of.name] = self._add(of, branch.name, branch.fields, cells)
            waiting.pop()
        return NIL if record is None else made[id(record), type_.name]

    def _add(self, type_: Type, branch: str | None, fields: Sequence[Type], cells: Sequence[int]) -> int:
        """Enter a record, and its tuple if its type is one of `tuple_types`; returns its id."""
        layout, form = self.layouts[type_.name], self.layouts[type_.name].by_name[branch]
        table, head = layout.table, (form.number,) * form.head
        padding = (0,) * (layout.width - len(head) - len(cells))
        row = (*head, *(folded(cell, t) for cell, t in zip(cells, fields, strict=True)), *padding)
        id_ = record_id(table, row, self.seed)
        known = self.records.setdefault(table, {}).setdefault(id_, row)
        if known != row:
            raise LadderError(f"The records {known} and {row} of {table} have the same hash.", ANOTHER_SEED)
        if type_.name in self.tuple_types and id_ not in self.texts:
            contents = [
                content_of(t.kind, cell, self.texts.get(cell, b"")) for cell, t in zip(cells, fields, strict=True)
            ]
            self.texts[id_] = RECORD + content_of_record(branch, contents)
        return id_


class Decoder:
    """Turns cells into values; two functions look up the contents and the records that ids stand for."""

    def __init__(
        self,
        types: Mapping[str, Type],
        text: Callable[[int], bytes],
        record: Callable[[str, int], Sequence[int] | None],
        classes: Classes,
        in_order: bool = False,
    ) -> None:
        """`text(id)`: the content of an id in the dictionary; `record(table, id)`: the cells of a record, or None where
        the table has no such record; `classes`: the classes of which objects may be.

        `in_order`: the values are for components in which order counts, where a NaN is one of two values.
        """
        self.types, self.text, self.record, self.classes, self.in_order = types, text, record, classes, in_order
        self.layouts = Layouts(types)
        self._known: dict[tuple[str, int], Any] = {}

    def value(self, cell: int, type_: Type) -> Any:
        """The value of a cell."""
        kind = type_.kind
        if kind is Kind.NUMBER or kind is Kind.UNSIGNED:
            return cell
        if kind is Kind.FLOAT:
            value = struct.unpack("<f", struct.pack("<i", cell))[0]
            return held(value, kind) if self.in_order else value
        if kind is not Kind.RECORD:
            key = (kind.value, cell)
            if key not in self._known:
                content = self.text(cell)
                self._known[key] = bytes_text(content) if kind is Kind.SYMBOL else value_of(content, self.classes)
            return held(self._known[key], type_.wide) if type_.wide is not None else self._known[key]
        return self._record(cell, type_)

    def column(self, cells: Sequence[int], type_: Type) -> list[Any]:
        """The values of cells of a type."""
        return (
            list(cells) if type_.kind in (Kind.NUMBER, Kind.UNSIGNED) else [self.value(cell, type_) for cell in cells]
        )

    def _record(self, cell: int, type_: Type) -> Any:
        waiting = [(cell, type_)]
        while waiting:
            id_, of = waiting[-1]
            if id_ == NIL or (of.name, id_) in self._known:
                waiting.pop()
                continue
            branch, cells = self._fields(id_, of)
            fields = list(zip(cells, branch.fields, strict=True))
            missing = [
                (c, t) for c, t in fields if t.kind is Kind.RECORD and c != NIL and (t.name, c) not in self._known
            ]
            if missing:
                waiting += missing
                continue
            parts = tuple(
                self._known.get((t.name, c)) if t.kind is Kind.RECORD else self.value(unfolded(c, t), t)
                for c, t in fields
            )
            self._known[of.name, id_] = parts if branch.name is None else (branch.name, *parts)
            waiting.pop()
        return None if cell == NIL else self._known[type_.name, cell]

    def _fields(self, id_: int, type_: Type) -> tuple[Any, Sequence[int]]:
        layout: Layout = self.layouts[type_.name]
        row = self.record(layout.table, id_)
        if row is not None:
            branch = layout.branches[row[0] if layout.branches[0].head else 0]
            return branch, row[branch.head : branch.head + len(branch.fields)]
        raise LadderError(f"The record {id_} of type {type_.name} is missing.", "The state is damaged; make it again.")


def constants(program: Program, encoder: Encoder) -> Encoder:
    """The encoder, after it has encoded the constants in a program's rules (not its facts) and the values that lattices
    name and joins in SQL may yield."""
    for rule in program.rules:
        for literal in (rule.head, *rule.body):
            for term in terms_read(literal):
                if isinstance(term, Const):
                    encoder.constant(term)
    for relation in program.relations.values():
        if relation.aggregate is not None:
            join_of_cells(
                relation.aggregate, program.lattices.get(relation.aggregate), relation.columns[-1].type, encoder.column
            )
    return encoder


def folded(cell: int, type_: Type) -> int:
    """A cell as records hold it: unsigned numbers become signed ones with the same 32 bits."""
    return cell - (1 << 32) if type_.kind is Kind.UNSIGNED and cell >= _FOLD else cell


def unfolded(cell: int, type_: Type) -> int:
    """A cell read from a record; the inverse of `folded`."""
    return cell & _UNSIGNED if type_.kind is Kind.UNSIGNED else cell


def _integer(value: Hashable, kind: Kind) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(value)
    number = int(value)
    if not (-_FOLD <= number < _FOLD if kind is Kind.NUMBER else 0 <= number <= _UNSIGNED):
        raise OverflowError(value)
    return number
