"""One rule as a function: from values of what its atoms bind to the rows of its head."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ladder.engine.naive_rules import Instantiations, schedule, value_of
from ladder.language.core import Atom, Not, Program, Rule, Term, Var, variables


def argument_types(rule: Rule, program: Program, result: Sequence[Term | None] | None = None) -> dict[Var, str]:
    """The variables that positive atoms bind and that matter for the head (or some of its terms), with their types."""
    needed = {term for term in (rule.head.terms if result is None else result) if isinstance(term, Var)}
    for literal in rule.body:
        if not isinstance(literal, Atom | Not):
            needed |= set(variables(literal))
    found: dict[Var, str] = {}
    for literal in rule.body:
        if isinstance(literal, Atom):
            for term, column in zip(literal.terms, program.relations[literal.relation].columns, strict=True):
                if isinstance(term, Var) and term in needed:
                    found.setdefault(term, column.type.name)
    return found


class Heads:
    """The rows that a rule's head has (or the terms `result`) for values of what its atoms bind, negated atoms holding."""

    def __init__(self, rule: Rule, program: Program, result: Sequence[Term | None] | None = None) -> None:
        self.result = rule.head.terms if result is None else result
        self.steps = [literal for literal in schedule(rule) if not isinstance(literal, Atom | Not)]
        self.solve = Instantiations(rule, program, {}).solutions

    def rows(self, bindings: Mapping[Var, Any]) -> Iterator[tuple[Any, ...]]:
        """None where the rule does not fire."""
        for solution in self._solutions(0, dict(bindings)):
            yield tuple(value_of(term, solution) for term in self.result)

    def _solutions(self, position: int, known: dict[Var, Any]) -> Iterator[dict[Var, Any]]:
        if position == len(self.steps):
            yield known
            return
        for extended in self.solve(self.steps[position], known):
            yield from self._solutions(position + 1, extended)
