"""Equalities become joins: `R(x, y), x = z` → `R(z, y)`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ladder.language.core import (
    Atom,
    Compare,
    Compute,
    Generate,
    Kind,
    Literal,
    Pack,
    Rule,
    Term,
    Unpack,
    Var,
    substituted,
    terms_read,
)


def propagate_equalities(rule: Rule) -> Rule:
    """The rule with each class of equal variables replaced by one of them, or by their constant; its instantiations
    stay the same. Records of the same fields are equal, too.

    Equalities of floats stay as they are: equal floats may be different cells.
    """
    while True:
        found = next((b for b in rule.body if _is_equality(b)), None)
        if isinstance(found, Compare):
            left, right = (found.left, found.right) if isinstance(found.left, Var) else (found.right, found.left)
            assert isinstance(left, Var)
            rule = _replaced(rule, left, right, found)
        elif (same := _same_record(rule)) is not None:
            rule = _replaced(rule, *same)
        else:
            return rule


def _replaced(rule: Rule, old: Var, new: Term, dropped: Literal) -> Rule:
    """The rule without the literal `dropped`, and with a variable replaced in all others."""
    return substituted(replace(rule, body=tuple(b for b in rule.body if b is not dropped)), old, new)


def _same_record(rule: Rule) -> tuple[Var, Term, Literal] | None:
    """(variable, term, literal) where two literals say that the variable and the term are the record of the same
    fields, so that the literal is redundant; None where there are none.

    The literal that stays is one that unpacks a record of a stored row, if there is one, for then no record need be
    made; else one that makes the record, which may not exist yet.
    """
    records = [literal for literal in rule.body if isinstance(literal, Pack | Unpack) and None not in literal.fields]
    if len(records) < 2:
        return None
    seen: dict[Any, Term] = {}
    stored = _from_rows(rule.body)
    for literal in sorted(records, key=lambda b: 1 if isinstance(b, Pack) else 0 if is_known(b.record, stored) else 2):
        record: Term = literal.result if isinstance(literal, Pack) else literal.record
        key = literal.fields, literal.type.fields, literal.type.branches, literal.branch
        other = seen.setdefault(key, record)
        if other != record and isinstance(record, Var):
            return record, other, literal
    return None


def _from_rows(body: Sequence[Literal]) -> set[Var]:
    """The variables whose values come from rows of the body, or are computed from these; records among them exist."""
    known = {t for literal in body if isinstance(literal, Atom) for t in literal.terms if isinstance(t, Var)}
    size = -1
    while len(known) > size:
        size = len(known)
        for literal in body:
            match literal:
                case Unpack(record, fields) if is_known(record, known):
                    known |= {f for f in fields if isinstance(f, Var)}
                case Pack(result, fields) if result in known:
                    known |= {f for f in fields if isinstance(f, Var)}
                case Compute(result) | Generate(result) if requirements(literal) <= known:
                    known.add(result)
    return known


def is_known(term: Term, known: set[Var]) -> bool:
    """Whether a term has a value once these variables have one."""
    return not isinstance(term, Var) or term in known


def requirements(literal: Literal) -> frozenset[Var]:
    """The variables that must be known before a literal that is no atom can be evaluated; the variables of its results
    need not be."""
    return frozenset() if isinstance(literal, Atom) else frozenset(t for t in terms_read(literal) if isinstance(t, Var))


def _is_equality(literal: Literal) -> bool:
    """Whether a literal makes two different terms, at least one a variable, the same cell."""
    return (
        isinstance(literal, Compare)
        and literal.operator == "="
        and literal.kind is not Kind.FLOAT
        and literal.left != literal.right
        and any(isinstance(t, Var) for t in (literal.left, literal.right))
    )
