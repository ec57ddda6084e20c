"""The reference evaluator as a backend, which evaluates from scratch at every change, by definition.

It is for small programs, and for comparison with other backends.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ladder.engine.backend import (
    Backend,
    Change,
    Changes,
    Facts,
    InFolder,
    InParts,
    OfRelation,
    Settings,
    require_assertable,
)
from ladder.engine.reference.evaluate import State, evaluate
from ladder.engine.reference.rules import Row, TooMuch
from ladder.engine.rows import HeldRows
from ladder.errors import LadderError
from ladder.facts.files import read_facts
from ladder.facts.files.reading import read_value
from ladder.language.core import Kind, Program, Type
from ladder.language.faults import no_value
from ladder.language.values.arithmetic import expect_wide, held
from ladder.policy.rebuild import Known
from ladder.support.by_name import Misnamed, order_of, row_in_order, rows_in_order, table_of
from ladder.support.limits import guarded

# what reading a value raises that is none of its type
NO_VALUE = (TypeError, ValueError, OverflowError, struct.error, LookupError)
RANGES = {Kind.NUMBER: (-(1 << 31), (1 << 31) - 1), Kind.UNSIGNED: (0, (1 << 32) - 1)}


class ReferenceBackend(Backend):
    """A state as Python values; `found`: the state that the definition yields."""

    name = "reference"
    capabilities = frozenset()
    strategies = frozenset(("elastic", "recompute"))

    def __init__(self, program: Program, settings: Settings) -> None:
        self._program, self._watch, self._reading = program, settings.watch, settings.tuning.reading
        self.found = State()
        self._asserted: dict[str, dict[Row, None]] = {}
        self._seconds = 0.0

    @property
    def program(self) -> Program:
        """The program of the state."""
        return self._program

    @property
    def seconds(self) -> float:
        """How long the last evaluation took."""
        return self._seconds

    def close(self) -> None:
        """Do nothing: nothing is held outside of this process."""

    def add_facts(self, facts: Facts) -> None:
        """Add facts for the bootstrap, converted to Python values."""
        match facts:
            case OfRelation(relation, rows):
                self._asserted.setdefault(relation, {}).update(dict.fromkeys(self._values(relation, rows)))
            case InFolder(folder, missing_is_empty):
                for relation, rows in read_facts(self._program, folder, missing_is_empty, self._reading):
                    self.add_facts(OfRelation(relation, rows))
            case InParts(source):
                for number in range(len(source.sizes)):
                    for relation, table in source.read(number):
                        self.add_facts(OfRelation(relation, table))

    def bootstrap(self) -> None:
        """Evaluate over all facts that were taken."""
        self.found = self._evaluated(self._asserted)

    def _evaluated(self, asserted: Mapping[str, Iterable[Row]]) -> State:
        began = self._watch.clock()
        try:
            with guarded(self._watch.limits):
                found = evaluate(self._program, asserted)
        except TooMuch as error:
            raise LadderError(f"The reference engine gives up: {error}.", 'Say engine="local".') from None
        self._seconds = self._watch.clock() - began
        return found

    def encoded(self, change: Change) -> Change:
        """The change with its facts as tuples of Python values."""
        inserted, deleted = (
            {name: self._values(name, rows) for name, rows in side.items()}
            for side in (change.inserted, change.deleted)
        )
        return Change(inserted, deleted, [(name, self._values(name, rows)) for name, rows in change.replaced])

    def known(self, change: Change) -> Known:
        """That this backend never updates a state."""
        return Known(starts_over="The reference engine evaluates from scratch at every change.")

    def recompute(self, change: Change, program: Program | None = None) -> Changes:
        """Evaluate over changed facts; the program cannot change."""
        assert program is None or program is self._program
        asserted = {name: dict(rows) for name, rows in self._asserted.items()}
        asserted |= {name: {} for name, _ in change.replaced}
        for name, rows in change.deleted.items():
            for row in rows:
                asserted.get(name, {}).pop(row, None)
        for name, rows in (*change.inserted.items(), *change.replaced):
            asserted.setdefault(name, {}).update(dict.fromkeys(rows))
        old, new = self.found, self._evaluated(asserted)
        came = {name: self._held(name, new.visible(name) - old.visible(name)) for name in self._program.declared}
        went = {name: self._held(name, old.visible(name) - new.visible(name)) for name in self._program.declared}
        self.found, self._asserted = new, asserted
        return Changes(came, went, {"bootstrap": self._seconds}, sum(map(len, (*came.values(), *went.values()))))

    def rows(self, relation: str) -> HeldRows:
        """The rows of a relation; of an aggregated one, the final total of each group."""
        return self._held(relation, self.found.visible(relation))

    def _held(self, relation: str, rows: Iterable[Row]) -> HeldRows:
        return HeldRows(self._program, relation, list(rows))

    # ---- values

    def _values(self, name: str, rows: Any) -> list[Row]:
        """Rows as tuples of the values that engines use; `LadderError` for a value that is not of its type."""
        relation, types = self._program.relations[name], self._program.types
        require_assertable(relation)
        names, columns = [column.name for column in relation.columns], relation.columns
        if hasattr(rows, "exactly"):
            rows = rows.exactly()
        if (table := table_of(rows)) is not None:
            order = order_of(table.column_names, names, name) or range(table.num_columns)
            if table.num_columns != len(names):
                raise LadderError(f"The table has {table.num_columns} columns, but {name} has {len(names)}.")
            rows = list(zip(*(table.column(i).to_pylist() for i in order), strict=True))
        found = []
        for row in rows_in_order(rows, names, name):
            if len(row) != len(columns):
                raise LadderError(f"{name} has {len(columns)} columns, but is given the row {row!r}.")
            found.append(tuple(value_in(value, column.type, types) for value, column in zip(row, columns, strict=True)))
        return found


def value_in(value: Any, type_: Type, types: Mapping[str, Type]) -> Any:
    """A value converted to the one that engines use for its type; `LadderError` if it is no value of the type."""
    try:
        return _READ[type_.kind](value, type_, types)
    except Misnamed:
        raise
    except (*NO_VALUE, LadderError):
        raise no_value(value, type_) from None


def _symbol(value: Any, _type: Type, _types: Mapping[str, Type]) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return str(value)


def _number(value: Any, type_: Type, _types: Mapping[str, Type]) -> int:
    least, most = RANGES[type_.kind]
    if isinstance(value, bool) or int(value) != value or not least <= value <= most:
        raise ValueError(value)
    return int(value)


def _float(value: Any, type_: Type, _types: Mapping[str, Type]) -> Any:
    return held(struct.unpack("<f", struct.pack("<f", value))[0], type_.kind)


def _object(value: Any, type_: Type, _types: Mapping[str, Type]) -> Any:
    if type_.wide is not None:
        return held(expect_wide(value, type_.wide), type_.wide)
    value = _tuples(value)
    hash(value)
    return value


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _record(value: Any, type_: Type, types: Mapping[str, Type]) -> Any:
    """A record as a tuple of its fields, for a branch after the branch's name; nil as None."""
    if isinstance(value, str):
        value = read_value(value, type_, types)
    if value is None and not type_.branches:
        return None
    head, fields = [], type_.fields
    if type_.branches:
        head, value, fields = [value[0]], value[1:], dict(type_.branches)[value[0]]
    value = row_in_order(value, [name for name, _ in fields], f"The record type {type_.name}")
    return (*head, *(value_in(part, types[name], types) for part, (_, name) in zip(value, fields, strict=True)))


_READ: dict[Kind, Callable[[Any, Type, Mapping[str, Type]], Any]] = {
    Kind.SYMBOL: _symbol,
    Kind.NUMBER: _number,
    Kind.UNSIGNED: _number,
    Kind.FLOAT: _float,
    Kind.OBJECT: _object,
    Kind.RECORD: _record,
}
