"""Encoding of Python values of records as rows of the tables of records, and decoding; both without recursion, since
lists may be long.

layouts[name]                            the table of a record type, the width of its rows, its branches
cells_of_records(values, records, type)  the numbers of records; nested records get theirs first, one table at a time
value_of_record(values, cell, type)      the tuple of a record; parts that several records share are decoded once
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ladder.language.core import Kind, Type
from ladder.plan.components import record_relation, record_width
from ladder.support.by_name import named, order_of

Cells = npt.NDArray[np.int32]
FIELDS = "Rename them, or give the record as a tuple, which is read by position."


@dataclass(frozen=True)
class Branch:
    """A branch of an algebraic data type, or the only form of a record type (`name` is then None); `head`: the number
    of cells before the fields."""

    name: str | None
    number: int
    fields: tuple[Type, ...]
    names: tuple[str, ...]

    @property
    def head(self) -> int:
        return 0 if self.name is None else 1


@dataclass(frozen=True)
class Layout:
    """Where the records of a type are stored: in rows of the relation `table`, with `width` cells each."""

    type: str
    table: str
    width: int
    branches: tuple[Branch, ...]
    by_name: Mapping[str | None, Branch]

    @staticmethod
    def of(type_: Type, types: Mapping[str, Type]) -> Layout:
        forms = type_.branches or ((None, type_.fields),)
        branches = tuple(
            Branch(name, number, tuple(types[t] for _, t in fields), tuple(field for field, _ in fields))
            for number, (name, fields) in enumerate(forms)
        )
        return Layout(type_.name, record_relation(type_), record_width(type_), branches, {b.name: b for b in branches})

    def take_apart(self, value: Any) -> tuple[Branch, Sequence[Any]]:
        """(the branch of a value, its fields); ValueError or LookupError if the value is not of the type, `Misnamed` if
        the names of its fields do not fit.

        Fields that have names are found by them; in the value of a branch, fields follow the branch's name.
        """
        parts = named(value)
        names, values = (None, value) if parts is None else parts
        if not isinstance(values, tuple | list):
            raise ValueError(value)  # noqa: TRY004 - as for a tuple of the wrong length
        branch = self.branches[0] if None in self.by_name else self.by_name[values[0]]
        fields = values[branch.head :]
        if (
            names is not None
            and (order := order_of(names[branch.head :], branch.names, branch.name or self.type, FIELDS)) is not None
        ):
            fields = [fields[i] for i in order]
        if len(fields) != len(branch.fields):
            raise ValueError(value)
        return branch, fields


class Layouts(dict[str, Layout]):
    """The layouts of record types by name, each made when it is first asked for."""

    def __init__(self, types: Mapping[str, Type]) -> None:
        self.types = types

    def __missing__(self, name: str) -> Layout:
        self[name] = Layout.of(self.types[name], self.types)
        return self[name]


class Coder(Protocol):
    """What the encoding of records needs: the tables of records, and the encoding of values in their fields.
    `encoding.Values` is the implementation."""

    layouts: Layouts
    returned: bool  # whether functions return records: those passed to them are then recognised by identity
    numbered: dict[tuple[int, str], int]  # (identity of a decoded record, type) → number

    def pack(self, table: str, cells: Cells, /) -> Cells:
        """The numbers of the records with these rows in a table of records; they are added where they do not exist."""

    def unpack(self, table: str, cell: int, /) -> Sequence[int]:
        """The cells of an existing record."""

    def encode_column(self, values: Sequence[Any], type_: Type) -> Any:
        """Cells of values of a type."""

    def decode(self, cell: int, type_: Type) -> Any:
        """The value of a cell."""


@dataclass
class _Numbering:
    """New records by level, in the order in which they can be numbered: a record is a level above the records in its
    fields.

    Records that were decoded have numbers already.
    """

    values: Coder
    levels: dict[tuple[int, str], int] = field(default_factory=dict)  # (identity of the object, type) → level
    cells: dict[tuple[int, str], int] = field(default_factory=dict)
    waiting: list[dict[tuple[str, str | None], list[tuple[int, Sequence[Any]]]]] = field(default_factory=list)

    def visit(self, record: Any, type_: Type) -> None:
        """Enter a record and the records nested in it into their levels."""
        stack, opened = [(record, type_)], set[tuple[int, str]]()
        while stack:
            value, of = stack[-1]
            if of.is_nil(value) or self.is_known(value, of) or (id(value), of.name) in self.levels:
                stack.pop()
                continue
            branch, parts = self.values.layouts[of.name].take_apart(value)
            inner = [
                (part, t)
                for part, t in zip(parts, branch.fields, strict=True)
                if t.kind is Kind.RECORD and not t.is_nil(part) and not self.is_known(part, t)
            ]
            missing = [(part, t) for part, t in inner if (id(part), t.name) not in self.levels]
            if missing:
                if (id(value), of.name) in opened:
                    raise ValueError("it is in itself")
                opened.add((id(value), of.name))
                stack += missing
                continue
            level = max((self.levels[id(part), t.name] + 1 for part, t in inner), default=0)
            self.levels[id(value), of.name] = level
            if level == len(self.waiting):
                self.waiting.append({})
            self.waiting[level].setdefault((of.name, branch.name), []).append((id(value), parts))
            stack.pop()

    def is_known(self, value: Any, of: Type) -> bool:
        return (id(value), of.name) in self.values.numbered

    def number(self) -> None:
        """Add the records that do not exist, level by level."""
        for level in self.waiting:
            for (type_name, branch_name), entries in level.items():
                layout = self.values.layouts[type_name]
                branch = layout.by_name[branch_name]
                rows = np.zeros((len(entries), layout.width), np.int32)
                if branch.head:
                    rows[:, 0] = branch.number
                for place, of in enumerate(branch.fields):
                    rows[:, branch.head + place] = self.column([parts[place] for _, parts in entries], of)
                numbers = self.values.pack(layout.table, rows).tolist()
                self.cells.update(
                    ((identity, type_name), number) for (identity, _), number in zip(entries, numbers, strict=True)
                )

    def column(self, parts: Sequence[Any], of: Type) -> Any:
        if of.kind is not Kind.RECORD:
            return self.values.encode_column(parts, of)
        cells, numbered = self.cells, self.values.numbered
        return [
            0 if part is None else numbered[key] if (key := (id(part), of.name)) in numbered else cells[key]
            for part in parts
        ]


def cells_of_records(values: Coder, records: Sequence[Any], type_: Type) -> Cells:
    """The cells of records, which are added where they do not exist; ValueError or LookupError if one is not of the
    type."""
    numbering = _Numbering(values)
    for record in records:
        numbering.visit(record, type_)
    numbering.number()
    return np.array(numbering.column(records, type_), np.int32)


def value_of_record(values: Coder, cell: int, type_: Type, known: dict[tuple[str, int], Any]) -> Any:
    """The value of a record's cell; `known`: the values decoded so far."""
    waiting = [(cell, type_)]
    while waiting:
        number, of = waiting[-1]
        if number == 0 or (of.name, number) in known:
            waiting.pop()
            continue
        layout = values.layouts[of.name]
        row = values.unpack(layout.table, number)
        branch = layout.branches[row[0] if layout.branches[0].head else 0]
        cells = row[branch.head : branch.head + len(branch.fields)]
        inner = [
            (c, t)
            for c, t in zip(cells, branch.fields, strict=True)
            if t.kind is Kind.RECORD and c and (t.name, c) not in known
        ]
        if inner:
            waiting += inner
            continue
        parts = tuple(
            known.get((t.name, c)) if t.kind is Kind.RECORD else values.decode(c, t)
            for c, t in zip(cells, branch.fields, strict=True)
        )
        known[of.name, number] = record = (branch.name, *parts) if branch.head else parts
        if values.returned:
            values.numbered[id(record), of.name] = number
        waiting.pop()
    return known.get((type_.name, cell))
