"""Evaluation of one rule as a function from values of the variables that its atoms bind to the rows of its head."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ladder.engine.reference.rules import Instantiations, value_of
from ladder.language.core import Atom, Compare, Const, Literal, Not, Program, Rule, Term, Var, binds, needs, variables


def argument_types(rule: Rule, program: Program, result: Sequence[Term | None] | None = None) -> dict[Var, str]:
    """The variables that the head (or the terms `result`) depends on and that atoms bind, with their types.

    Variables that must equal something computed from others are not among them.
    """
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
    for literal in rule.body:
        if isinstance(literal, Compare) and literal.operator == "=":
            for one, other in ((literal.left, literal.right), (literal.right, literal.left)):
                if one in found and isinstance(other, Var) and other not in found and one not in _sources(rule, other):
                    del found[one]
                    break
    return found


def _sources(rule: Rule, variable: Var) -> set[Var]:
    """The variables from which a variable is computed."""
    found, size = {variable}, 0
    while len(found) > size:
        size = len(found)
        for literal in rule.body:
            if not isinstance(literal, Atom) and binds(literal) & found:
                found |= needs(literal)
    return found


class Heads:
    """Computes the rows of a rule's head (or of the terms `result`) for values of the variables of `argument_types`;
    negated atoms are taken as true."""

    def __init__(self, rule: Rule, program: Program, result: Sequence[Term | None] | None = None) -> None:
        self.result = rule.head.terms if result is None else result
        self.steps = _schedule(rule, set(argument_types(rule, program, self.result)))
        self.solve = Instantiations(rule, program, {}).solutions

    def rows(self, bindings: Mapping[Var, Any]) -> Iterator[tuple[Any, ...]]:
        """The rows for these values; none if the rule does not fire."""
        for solution in self._solutions(0, dict(bindings)):
            yield tuple(value_of(term, solution) for term in self.result)

    def _solutions(self, position: int, known: dict[Var, Any]) -> Iterator[dict[Var, Any]]:
        if position == len(self.steps):
            yield known
            return
        step = self.steps[position]
        for extended in [_equated(step, known)] if _equates(step, known) else self.solve(step, known):
            yield from self._solutions(position + 1, extended)


def _schedule(rule: Rule, known: set[Var]) -> list[Literal]:
    """The literals that are no atoms, in an order in which they can be evaluated."""
    pending = [literal for literal in rule.body if not isinstance(literal, Atom | Not)]
    known, steps = set(known), list[Literal]()
    while pending:
        ready = next((literal for literal in pending if needs(literal) <= known), None)
        if ready is None:
            ready = next((literal for literal in pending if _equates(literal, known)), None)
        if ready is None:
            return steps  # what is left needs what no atom that matters binds
        pending.remove(ready)
        steps.append(ready)
        known |= set(variables(ready))
    return steps


def _equates(literal: Literal, known: Mapping[Var, Any] | set[Var]) -> bool:
    """Whether a literal gives one unknown variable the value of something known."""
    if not isinstance(literal, Compare) or literal.operator != "=":
        return False
    sides = [isinstance(side, Const) or side in known for side in (literal.left, literal.right)]
    return sides in ([True, False], [False, True])


def _equated(literal: Literal, known: dict[Var, Any]) -> dict[Var, Any]:
    assert isinstance(literal, Compare)
    left, right = literal.left, literal.right
    if isinstance(left, Const) or left in known:
        left, right = right, left
    assert isinstance(left, Var)
    return {**known, left: value_of(right, known)}
