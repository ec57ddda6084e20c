"""Lowering keeps the meaning: rows derived from the core rules against the body read as a formula, over all
assignments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ladder.engine.reference.evaluate import evaluate
from ladder.language import parse
from ladder.language.core import Kind
from ladder.language.errors import ProgramError
from ladder.language.syntax import nodes as s
from ladder.language.syntax.parser import parse_text
from ladder.language.values.builtins import compute, holds

VALUES = range(-6, 13)  # whatever the expressions below can compute from 0, 1, 2
DECLARED = """\
.decl r(x: number)  .decl q(x: number, y: number)  .decl e()  .decl h(x: number, y: number)
"""

variables = st.sampled_from("xyz")
constants = st.sampled_from("012")
terms = st.one_of(
    variables, variables, constants, st.tuples(variables, st.sampled_from(("+ 1", "* 2", "- y", "- 2"))).map(" ".join)
)
arguments = st.one_of(variables, variables, terms, st.just("_"))
atoms = st.one_of(
    arguments.map("r({})".format), st.tuples(arguments, arguments).map(lambda a: f"q({a[0]}, {a[1]})"), st.just("e()")
)
comparisons = st.tuples(terms, st.sampled_from(("=", "=", "=", "!=", "<", "<=", ">", ">=")), terms).map(" ".join)


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    some = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        inner.map("!({})".format), some.map(", ".join).map("({})".format), some.map(" ; ".join).map("({})".format)
    )


bodies = st.recursive(st.one_of(atoms, atoms, comparisons, st.sampled_from(("true", "false"))), _nested, max_leaves=5)
rows = st.fixed_dictionaries(
    {
        "r": st.lists(st.tuples(st.integers(0, 2)), max_size=3, unique=True),
        "q": st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=6, unique=True),
        "e": st.lists(st.just(()), max_size=1, unique=True),
    }
)


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from(("q(x, y), ", "r(x), ", "q(x, z), ", "")),
    st.lists(bodies, min_size=1, max_size=3),
    st.tuples(terms, terms),
    rows,
)
def test_rows_are_those_of_the_formula(
    start: str, body: list[str], head: tuple[str, str], facts: dict[str, Any]
) -> None:
    clause = f"h({head[0]}, {head[1]}) :- {start}{', '.join(body)}."
    try:
        program = parse(DECLARED + clause)
    except ProgramError as refused:
        assume(all("not bound" in error.message or "depends on its own" in error.message for error in refused.errors))
        assume(False)
    assert set(evaluate(program, facts).rows["h"]) == set(by_formula(clause, facts))


def by_formula(text: str, facts: dict[str, Any]) -> Iterator[tuple[int, ...]]:
    """Head rows of every assignment of small numbers to the variables under which the body is true."""
    [clause] = parse_text(text)
    assert isinstance(clause, s.Clause) and clause.body is not None
    names = sorted({word for word in "xyz" if word in text})
    for numbers in product(VALUES, repeat=len(names)):
        assignment = dict(zip(names, numbers))
        if true(clause.body, assignment, facts):
            yield tuple(value(argument, assignment) for argument in clause.heads[0].arguments)


def true(body: s.Body, assignment: dict[str, int], facts: dict[str, Any]) -> bool:
    match body:
        case s.Truth():
            return body.value
        case s.Negation():
            return not true(body.body, assignment, facts)
        case s.Conjunction():
            return all(true(part, assignment, facts) for part in body.parts)
        case s.Disjunction():
            return any(true(part, assignment, facts) for part in body.parts)
        case s.Comparison():
            return holds(body.operator, value(body.left, assignment), value(body.right, assignment))
        case s.AtomLiteral():
            wanted = [None if isinstance(a, s.Wildcard) else value(a, assignment) for a in body.atom.arguments]
            return any(all(w is None or w == cell for w, cell in zip(wanted, row)) for row in facts[body.atom.name])
    raise AssertionError(body)


def value(expression: s.Expression, assignment: dict[str, int]) -> Any:
    match expression:
        case s.Variable():
            return assignment[expression.name]
        case s.Number():
            return expression.value
        case s.Call():
            return compute(expression.name, tuple(value(a, assignment) for a in expression.arguments), Kind.NUMBER)
    raise AssertionError(expression)
