"""Merging of literals that unpack, or make, the same record several times.

    p = [x, y], p = [z, _], r(z)   →   p = [x, y], r(x)

Inlining makes many of them. The instantiations of the rule stay the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ladder.language.core import Literal, Pack, Rule, Unpack, Var, substituted


def merged(rule: Rule) -> Rule:
    """The rule with one variable for each field of a record, and without redundant literals of records.

    Equal atoms are not merged: an atom with wildcards has as many instantiations as rows.
    """
    while (pair := _same_field(rule.body)) is not None:
        rule = substituted(rule, *pair)
    return replace(rule, body=tuple(_once(rule.body)))


def _same_field(body: Iterable[Literal]) -> tuple[Var, Var] | None:
    """(a variable, the one to replace it), if both are the same field of the same record; None if there are none."""
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
    """The literals without those that unpack a record that another one makes, but for fields that are constants there;
    literals that unpack the same record read the same fields."""
    body = list(body)
    made = {_record(literal): literal.fields for literal in body if isinstance(literal, Pack)}
    asked: dict[Any, Var] = {}
    for literal in body:
        if isinstance(literal, Unpack):
            record = _record(literal)
            put = made.get(record, (None,) * len(literal.fields))
            asked.update({(record, i): f for i, f in enumerate(literal.fields) if f is not None and f != put[i]})
    kept: list[Literal] = []
    for literal in body:
        if isinstance(literal, Unpack):
            record = _record(literal)
            literal = replace(literal, fields=tuple(asked.get((record, i)) for i in range(len(literal.fields))))
            if record in made and not any(literal.fields):
                continue
        if literal not in kept or not isinstance(literal, Pack | Unpack):
            kept.append(literal)
    return kept
