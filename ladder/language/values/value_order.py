"""The order in which rows are visited where order matters; it depends on their values alone, not on the order of
loading."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ladder.language.core import Atom, Compare, Compute, Const, Generate, Kind, Not, Pack, Program, Rule, Term, Type

WITH_TEXTS = frozenset({Kind.SYMBOL, Kind.RECORD, Kind.OBJECT})  # kinds of values in which there may be texts


class ValueOrder:
    """The order of a program's values.

    Numbers are sorted by size, -0.0 before 0.0, NaN last; symbols that occur in the program come first, in textual
    order, then the others by code points; records are sorted field by field, nil first; sets by their sorted elements.
    """

    def __init__(self, program: Program) -> None:
        self.mentioned = {text: number for number, text in enumerate(dict.fromkeys(_mentioned(program)))}

    def key(self, value: Any) -> tuple[Any, ...]:
        """The sort key of a value, among values of one type, or of a row, among rows of one relation."""
        if isinstance(value, float) and (value == 0 or math.isnan(value)):
            sign = int(math.copysign(1.0, value))
            return (1, math.inf, 2 + sign) if math.isnan(value) else (1, 0, min(sign, 0))
        if isinstance(value, int | float):  # equal ones have one key, whatever their types
            return 1, value, 0
        if isinstance(value, str):
            place = self.mentioned.get(value)
            return (3, value) if place is None else (2, place)
        if value is None:
            return (0,)
        if isinstance(value, tuple):
            return 4, tuple(map(self.key, value))
        if isinstance(value, frozenset):
            return 5, tuple(sorted(map(self.key, value)))
        if dataclasses.is_dataclass(value):  # shown, a set in it would stand in an order of its own
            return 6, type(value).__name__, tuple(self.key(getattr(value, f.name)) for f in dataclasses.fields(value))
        return 7, type(value).__name__, repr(value)


def holds_floats(type_: Type, types: Mapping[str, Type]) -> bool:
    """Whether values of a type may be floats or contain some. Each type is looked at once, however many have it."""
    pending, seen = [type_], {type_.name}
    while pending:
        one = pending.pop()
        if one.kind is Kind.FLOAT:
            return True
        for fields in (one.fields, *(declared for _, declared in one.branches)):
            names = {name for _, name in fields if name in types} - seen
            seen |= names
            pending += [types[name] for name in names]
    return False


def has_equal_values(program: Program, name: str) -> bool:
    """Whether rows of a relation may be equal although their cells differ, as 0.0 and -0.0 do; the first of such rows
    is kept."""
    return any(holds_floats(column.type, program.types) for column in program.relations[name].columns)


def deciding_texts(program: Program, names: Collection[str]) -> tuple[str, ...]:
    """The symbols that occur in the program, in textual order, if the order of rows in an ordered component of these
    relations may depend on them; () otherwise.

    Symbols are ordered by the text of the whole program, not of the component alone.
    """
    rules = [rule for rule in program.rules if rule.head.relation in names]
    sorts = any(program.relations[name].choice or has_equal_values(program, name) for name in names) or any(
        map(_draws, rules)
    )
    read = {
        a.relation for rule in rules for b in rule.body if isinstance(a := b.atom if isinstance(b, Not) else b, Atom)
    }
    texts = any(c.type.kind in WITH_TEXTS for name in read.union(names) for c in program.relations[name].columns)
    made = any(isinstance(b, Generate) and b.function in program.functions for rule in rules for b in rule.body)
    return tuple(ValueOrder(program).mentioned) if sorts and (texts or made) else ()


def _draws(rule: Rule) -> bool:
    return any(isinstance(b, Compute) and b.function == "autoinc" for b in rule.body)


def _mentioned(program: Program) -> Iterator[str]:
    """The symbols of a program's facts, then of its rules."""
    for name, rows in program.facts.items():
        columns = [i for i, c in enumerate(program.relations[name].columns) if c.type.kind is Kind.SYMBOL]
        yield from (str(row[i]) for row in rows for i in columns)
    clauses = [(rule.head, *rule.body) for rule in program.rules]
    clauses += [(s.dominated, s.dominating, *s.body) for s in program.subsumptions]
    for clause in clauses:
        for literal in clause:
            yield from (str(t.value) for t in _terms(literal) if isinstance(t, Const) and t.type.kind is Kind.SYMBOL)


def _terms(literal: Any) -> tuple[Term | None, ...]:
    match literal:
        case Compare(_, left, right):
            return left, right
        case Compute(_, _, arguments) | Generate(_, _, arguments):
            return arguments
        case Pack(_, fields):
            return fields
        case _:
            terms: tuple[Term | None, ...] = getattr(getattr(literal, "atom", literal), "terms", ())
            return terms
