"""Checks of inferred types: sinks accept the types of values, types of records are known, operators have operands of
their types."""

from __future__ import annotations

from ladder.language.check.types import CONSTANTS
from ladder.language.check.typings import Typing
from ladder.language.core import Kind
from ladder.language.errors import Errors
from ladder.language.expressions import aggregated_value, article, everything, written
from ladder.language.syntax import nodes as s
from ladder.support.counts import counted


class TypeCheck:
    """The checks of one clause; `before`: the number of errors when its inference began."""

    def __init__(self, typing: Typing, errors: Errors, before: int) -> None:
        self.typing = typing
        self.environment = typing.environment
        self.types = typing.environment.types
        self.errors = errors
        self.before = before

    def clause(self, clause: s.Clause) -> None:
        for head in clause.heads:
            self._head(head)
        for expression in everything(clause):
            if self.typing.is_broken(expression):
                continue
            match expression:
                case s.Nil():
                    self._nil(expression)
                case s.Record():
                    self._record(expression)
                case s.UserCall():
                    self._user_call(expression)
        self._unknown_records(clause)

    def _head(self, head: s.Call) -> None:
        relation = self.environment.relations[head.name]
        lattice = self.environment.lattices.get(relation.aggregate or "")
        for position, (argument, column) in enumerate(zip(head.arguments, relation.columns, strict=True)):
            value = aggregated_value(argument) or argument
            injected = position == relation.arity - 1 and callable(getattr(lattice, "inject", None))
            known = self.typing.types(value)
            if injected or known is None or column.type.name not in self.types.types or self.typing.is_broken(value):
                continue
            if not all(self._fits(name, column.type.name) for name in known):
                self._tell_unfit(value, min(known), column.type.name, f"column {column.name} of {relation.name}")

    def _fits(self, name: str, sink: str) -> bool:
        """Whether a sink accepts a type: one below it, or that of constants and records without a declared type."""
        if self.types.accepts(sink, name):
            return True
        if self.environment.legacy:
            return self.types.bases[name] == self.types.bases[sink]
        return self.types.accepts(name, sink) and (
            name in CONSTANTS.values() or name == self.types.bases[name] and bool(self.types.types[name].fields)
        )

    def _tell_unfit(self, value: s.Expression, name: str, sink: str, where: str) -> None:
        shown = self.types.bases[name] if name in CONSTANTS.values() else name
        text = written(value)
        inner = written(value.value) if isinstance(value, s.Cast) else text
        same = self.types.bases[name] == self.types.bases[sink]
        self.errors.add(
            value.place,
            f"{text} is {article(shown)}, {where} is {article(sink)}",
            f"write as({inner}, {sink}) if this is meant" if same else None,
        )

    def _nil(self, nil: s.Nil) -> None:
        known = self.typing.types(nil)
        if known is not None and not all(self._is_record(name) for name in known):
            self.errors.add(nil.place, f"nil is a record, not {article(self.typing.base(nil))}")

    def _record(self, record: s.Record) -> None:
        known = self.typing.types(record)
        if known is None:
            return
        if not all(self._is_record(name) for name in known):
            self.errors.add(
                record.place, f"{written(record)} is a record, {article(self.typing.base(record))} is expected"
            )
            return
        base = self.typing.type(record)
        if len({self.types.bases[name] for name in known}) > 1:
            self.errors.add(
                record.place, "the type of this record is not known", f"write as({written(record)}, its type)"
            )
        elif len(base.fields) != len(record.fields) and base.name.startswith("["):
            self.errors.add(
                record.place, f"a record of {counted(len(base.fields), 'field')} meets one of {len(record.fields)}"
            )
        elif len(base.fields) != len(record.fields):
            shown = ", ".join(f"{name}: {type_}" for name, type_ in base.fields)
            self.errors.add(
                record.place,
                f"{article(base.name)} has {counted(len(base.fields), 'field')}, not {len(record.fields)}",
                f"it is declared as [{shown}]",
            )

    def _user_call(self, call: s.UserCall) -> None:
        functor = self.environment.functors.get(call.name)
        known = self.typing.types(call)
        if functor is None or known is None:
            return
        for name in sorted(known):
            if not self.types.accepts(name, functor.result.name):
                self.errors.add(
                    call.place,
                    f"{written(call)} is {article(functor.result.name)}, {article(name)} is expected",
                    f"write as({written(call)}, {name}) if this is meant",
                )
                return

    def _unknown_records(self, clause: s.Clause) -> None:
        """Report records of unknown type, unless that follows from an earlier error; a nil only if there is no such
        record."""
        if self.errors.noted != self.before:
            return
        unknown = [
            e
            for e in everything(clause)
            if isinstance(e, s.Record | s.Nil) and id(e) in self.typing.nodes and self.typing.types(e) is None
        ]
        for node in [e for e in unknown if isinstance(e, s.Record)] or unknown:
            if self.errors.noted == self.before:
                self.errors.add(
                    node.place, "the type of this record is not known", f"write as({written(node)}, its type)"
                )

    def _is_record(self, name: str) -> bool:
        if name in CONSTANTS.values():
            return False
        type_ = self.types.types[name]
        return type_.kind is Kind.RECORD and not type_.branches
