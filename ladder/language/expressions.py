"""Traversals of expressions and bodies of rules, and how messages name them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ladder.language.syntax import nodes as s

_CHANGED = re.compile(r"(?<=\w)\$\d+(?:_\d+)?\b")
AGGREGATORS = ("lub", "glb", "min", "max")  # of heads, with one argument


def parts(expression: s.Expression) -> list[s.Expression]:
    """An expression and all expressions inside it, except for those inside aggregates."""
    found: list[s.Expression] = []
    _collect(expression, found, False)
    return found


def _collect(expression: s.Expression, found: list[s.Expression], deep: bool) -> None:
    found.append(expression)
    if isinstance(expression, s.Variable):
        return
    if isinstance(expression, s.Call | s.UserCall | s.Variant):
        for part in expression.arguments:
            _collect(part, found, deep)
    elif isinstance(expression, s.Record):
        for part in expression.fields:
            _collect(part, found, deep)
    elif isinstance(expression, s.Cast):
        _collect(expression.value, found, deep)
    elif deep and isinstance(expression, s.Aggregate):
        if expression.target is not None:
            _collect(expression.target, found, True)
        _collect_body(expression.body, found)


def _collect_body(body: s.Body | None, found: list[s.Expression]) -> None:
    for literal in literals(body):
        for side in sides(literal):
            _collect(side, found, True)


def literals(body: s.Body | None) -> list[s.Body]:
    """The literals of a body: atoms, comparisons, `true` and `false`, and unsupported parts."""
    found: list[s.Body] = []
    _collect_literals(body, found)
    return found


def _collect_literals(body: s.Body | None, found: list[s.Body]) -> None:
    if isinstance(body, s.Conjunction | s.Disjunction):
        for part in body.parts:
            _collect_literals(part, found)
    elif isinstance(body, s.Negation):
        _collect_literals(body.body, found)
    elif body is not None:
        found.append(body)


def sides(literal: s.Body) -> tuple[s.Expression, ...]:
    """The expressions of an atom or a comparison."""
    match literal:
        case s.AtomLiteral():
            return literal.atom.arguments
        case s.Comparison():
            return literal.left, literal.right
    return ()


def heads_of(clause: s.Clause | s.SubsumptionClause) -> tuple[s.Call, ...]:
    """The head atoms of a clause."""
    return clause.heads if isinstance(clause, s.Clause) else (clause.dominated, clause.dominating)


def everything(clause: s.Clause | s.SubsumptionClause) -> list[s.Expression]:
    """All expressions of a clause, including those inside aggregates."""
    found: list[s.Expression] = []
    for head in heads_of(clause):
        for argument in head.arguments:
            _collect(argument, found, True)
    _collect_body(clause.body, found)
    return found


def within(expression: s.Expression) -> list[s.Expression]:
    """An expression and all expressions inside it, including those inside aggregates."""
    found: list[s.Expression] = []
    _collect(expression, found, True)
    return found


def within_body(body: s.Body | None) -> list[s.Expression]:
    """All expressions of a body, including those inside aggregates."""
    found: list[s.Expression] = []
    _collect_body(body, found)
    return found


def all_atoms(body: s.Body | None) -> Iterator[s.Call]:
    """All atoms of a body, including those inside aggregates."""
    for literal in literals(body):
        if isinstance(literal, s.AtomLiteral):
            yield literal.atom
        for side in sides(literal):
            for part in parts(side):
                if isinstance(part, s.Aggregate):
                    yield from all_atoms(part.body)


def aggregated_value(argument: s.Expression) -> s.Expression | None:
    """`x` of the aggregator head arguments `lub(x)`, `min(x)` and `max(x)`; None for anything else."""
    if isinstance(argument, s.Call) and argument.name in AGGREGATORS and len(argument.arguments) == 1:
        return argument.arguments[0]
    return None


def article(name: str) -> str:
    """A name with its indefinite article; single capital letters are pronounced as letters."""
    vowel = name in "AEFHILMNORSX" if len(name) == 1 and name.isupper() else name[0] in "aeiouAEIO"
    return f"{'an' if vowel and not name.startswith(('one', 'uni')) else 'a'} {name}"


def written(text: object) -> str:
    """A variable or other part of a clause as the program writes it, without the `$` and number of renamed names."""
    return _CHANGED.sub("", str(text))
