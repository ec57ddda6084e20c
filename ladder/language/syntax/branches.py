"""Bodies → conjunctions: disjunctions are multiplied out, negations pushed down to atoms and comparisons."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from ladder.language.core import Place
from ladder.language.syntax import nodes as s

MOST_BRANCHES = 4096
_OPPOSITE = {
    "=": "!=",
    "!=": "=",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
    "match": "not_match",
    "contains": "not_contains",
    "not_match": "match",
    "not_contains": "contains",
}


class TooManyBranches(Exception):
    """A body has more than `MOST_BRANCHES` alternatives."""


def paired_fields(comparison: s.Comparison) -> list[s.Comparison]:
    """A comparison of two record literals as equalities of their fields, so that the records need no type."""
    left, right = comparison.left, comparison.right
    if (
        comparison.operator in ("=", "!=")
        and isinstance(left, s.Record)
        and isinstance(right, s.Record)
        and 0 < len(left.fields) == len(right.fields)
    ):
        return [s.Comparison(one.place, "=", one, other) for one, other in zip(left.fields, right.fields)]
    return []


def _same_variant(place: Place, left: s.Variant, right: s.Variant) -> s.Body:
    """The body that says that two variant literals are equal."""
    if left.branch != right.branch or len(left.arguments) != len(right.arguments):
        return s.Truth(place, False)
    return s.Conjunction(
        place,
        tuple(
            s.Comparison(one.place, "=", one, other) for one, other in zip(left.arguments, right.arguments, strict=True)
        ),
    )


def split(clause: s.Clause) -> Iterator[s.Clause]:
    """The clause as clauses with at most one head and a conjunction each, made of the same nodes."""
    bodies: list[s.Body | None] = [None]
    if clause.body is not None:
        bodies = [
            literals[0] if len(literals) == 1 else s.Conjunction(clause.body.place, tuple(literals))
            for literals in branches(clause.body)
        ]
    single: list[tuple[s.Call, ...]] = [(head,) for head in clause.heads]
    for heads in single or [()]:
        for body in bodies:
            yield replace(clause, heads=heads, body=body)


def branches(body: s.Body, positive: bool = True) -> Iterator[list[s.Body]]:
    """Conjunctions of atoms, negated atoms and comparisons whose disjunction is the body."""
    match body:
        case s.Negation():
            yield from branches(body.body, not positive)
        case s.Truth():
            if body.value is positive:
                yield []
        case s.Comparison() if fields := paired_fields(body):
            yield from branches(s.Conjunction(body.place, tuple(fields)), positive is (body.operator == "="))
        case s.Comparison(operator="=" | "!=", left=s.Variant() as left, right=s.Variant() as right):
            yield from branches(_same_variant(body.place, left, right), positive is (body.operator == "="))
        case (
            s.Comparison(operator="=", left=s.Wildcard() as unnamed)
            | s.Comparison(operator="=", right=s.Wildcard() as unnamed)
        ):
            value = body.right if unnamed is body.left else body.left
            name = s.Variable(unnamed.place, f"_${unnamed.place.line}_{unnamed.place.column}")
            yield [s.Comparison(body.place, "=" if positive else "!=", name, value)]
        case s.Comparison() if not positive:
            yield [replace(body, operator=_OPPOSITE[body.operator], negates="" if body.negates else body.operator)]
        case s.Conjunction() | s.Disjunction():
            if isinstance(body, s.Conjunction) is positive:
                alternatives = [list(branches(part, positive)) for part in body.parts]
                count = 1
                for alternative in alternatives:
                    count *= len(alternative)
                if count > MOST_BRANCHES:
                    raise TooManyBranches
                for choice in product(*alternatives):
                    yield [literal for part in choice for literal in part]
            else:
                for part in body.parts:
                    yield from branches(part, positive)
        case _:
            yield [body if positive else s.Negation(body.place, body)]
