"""The order in which rows are visited where that matters: a matter of values alone, whatever was loaded first."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ladder.language.core import Compare, Compute, Const, Generate, Kind, Pack, Program, Term


class ValueOrder:
    """How a program's values are sorted.

    Numbers by size; symbols that the program's text mentions first, in its order, then the others by code points; records
    field by field, nil first.
    """

    def __init__(self, program: Program) -> None:
        self.mentioned = {text: number for number, text in enumerate(dict.fromkeys(_mentioned(program)))}

    def key(self, value: Any) -> tuple[Any, ...]:
        """What values of one type, or rows of one relation, are sorted by."""
        if isinstance(value, int | float):
            return 1, value
        if isinstance(value, str):
            place = self.mentioned.get(value)
            return (3, value) if place is None else (2, place)
        if value is None:
            return (0,)
        if isinstance(value, tuple):
            return 4, tuple(map(self.key, value))
        if isinstance(value, frozenset):
            return 5, tuple(sorted(map(self.key, value)))
        return 6, type(value).__name__, repr(value)


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
