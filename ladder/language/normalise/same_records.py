"""Records that a rule takes apart, or puts together, several times: once is enough.

    p = [x, y], p = [z, _], r(z)   →   p = [x, y], r(x)

Rules that were made of inlined ones say the same many times over. The instantiations stay the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ladder.language.core import Literal, Pack, Rule, Unpack, Var, substituted


def merged(rule: Rule) -> Rule:
    """The rule in which a record's fields have one name each, and no literal of a record says again what another has
    said.

    Atoms stay, the same ones too: those with wildcards have as many instantiations as rows.
    """
    while (pair := _same_field(rule.body)) is not None:
        rule = substituted(rule, *pair)
    return replace(rule, body=tuple(_once(rule.body)))


def _same_field(body: Iterable[Literal]) -> tuple[Var, Var] | None:
    """Two variables that are the same field of the same record: one to be replaced, and the one in its place."""
    known: dict[Any, Var] = {}
    for literal in body:
        if isinstance(literal, Pack | Unpack):
            for place, field in enumerate(literal.fields):
                if isinstance(field, Var) and (other := known.setdefault((_record(literal), place), field)) != field:
                    return field, other
    return None


def _record(literal: Pack | Unpack) -> tuple[Any, ...]:
    return (literal.result if isinstance(literal, Pack) else literal.record), literal.type.name, literal.branch


def _once(body: Iterable[Literal]) -> list[Literal]:
    """Literals without those that take apart what another one puts together; those that take the same apart ask for the
    same fields."""
    body = list(body)
    made = {_record(literal) for literal in body if isinstance(literal, Pack)}
    asked: dict[Any, Var] = {}
    for literal in body:
        if isinstance(literal, Unpack):
            asked.update(
                {(_record(literal), place): field for place, field in enumerate(literal.fields) if field is not None}
            )
    kept: list[Literal] = []
    for literal in body:
        if isinstance(literal, Unpack):
            if _record(literal) in made:
                continue
            literal = replace(
                literal, fields=tuple(asked.get((_record(literal), place)) for place in range(len(literal.fields)))
            )
        if literal not in kept or not isinstance(literal, Pack | Unpack):
            kept.append(literal)
    return kept
