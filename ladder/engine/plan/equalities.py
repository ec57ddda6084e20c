"""Equalities become joins: `R(x, y), x = z` → `R(z, y)`; what is left to compare is compared where it is bound twice."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

from ladder.language.core import Atom, Compare, Compute, Generate, Kind, Literal, Not, Pack, Rule, Term, Unpack, Var


def propagate_equalities(rule: Rule) -> Rule:
    """One variable for each class of equal ones, or its constant; the instantiations stay the same. Records of the same fields are equal.

    Floats are left alone: equal floats may be different cells.
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
    """The rule without a literal, a variable replaced in all others."""
    body = tuple(_substitute(b, old, new) for b in rule.body if b is not dropped)
    return replace(rule, head=_in_atom(rule.head, old, new), body=body)


def _same_record(rule: Rule) -> tuple[Var, Term, Literal] | None:
    """(variable, term, literal) where two literals tell that both are the record of the same fields; the literal need not say it again."""
    seen: dict[Any, Term] = {}
    for literal in sorted(rule.body, key=lambda b: isinstance(b, Pack)):
        if isinstance(literal, Pack | Unpack) and None not in literal.fields:
            record: Term = literal.result if isinstance(literal, Pack) else literal.record
            key = literal.fields, literal.type.fields, literal.type.branches, literal.branch
            other = seen.setdefault(key, record)
            if other != record and isinstance(record, Var):
                return record, other, literal
    return None


def requirements(literal: Literal) -> frozenset[Var]:
    """Variables that must be known before a literal that is no atom can be evaluated; its results may be known, too."""
    match literal:
        case Compute(_, _, arguments) | Generate(_, _, arguments):
            terms: tuple[Term | None, ...] = arguments
        case Pack(_, fields):
            terms = fields
        case Unpack(record):
            terms = (record,)
        case Compare(_, left, right):
            terms = (left, right)
        case Not(atom):
            terms = atom.terms
        case Atom():
            terms = ()
    return frozenset(t for t in terms if isinstance(t, Var))


def _is_equality(literal: Literal) -> bool:
    """Whether a literal makes two different terms, at least one a variable, the same cell."""
    return (isinstance(literal, Compare) and literal.operator == "=" and literal.kind is not Kind.FLOAT and literal.left != literal.right
            and any(isinstance(t, Var) for t in (literal.left, literal.right)))


def _substitute(literal: Literal, old: Var, new: Term) -> Literal:
    def term(t: Term) -> Term:
        return new if t == old else t

    match literal:
        case Atom():
            return _in_atom(literal, old, new)
        case Not(atom):
            return Not(_in_atom(atom, old, new))
        case Compare(_, left, right):
            return replace(literal, left=term(left), right=term(right))
        case Compute(result, _, arguments) | Generate(result, _, arguments):
            return _bound_twice(replace(literal, arguments=tuple(map(term, arguments))), result, old, new)
        case Pack(result, fields):
            return _bound_twice(replace(literal, fields=tuple(map(term, fields))), result, old, new)
        case Unpack(record, unpacked):
            return replace(literal, record=term(record), fields=tuple(None if f is None else term(f) for f in unpacked))   # type: ignore[misc]


def _bound_twice(literal: Literal, result: Var, old: Var, new: Term) -> Literal:
    return replace(literal, result=new) if result == old else literal   # type: ignore[arg-type]


def _in_atom(atom: Atom, old: Var, new: Term) -> Atom:
    return replace(atom, terms=tuple(new if t == old else t for t in atom.terms))
