"""Rules longer than an engine's plans: the join of some of their atoms becomes a relation of its own.

    r(x) :- a(x, y), b(y, z), …, p(z).   →   r$join1(x, z) :- a(x, y), b(y, z), ….   r(x) :- r$join1(x, z), …, p(z).
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ladder.language.core import Atom, Column, Compare, Literal, Not, Relation, Rule, Type, Var, binds, needs, variables
from ladder.language.terms import Normalised

MOST_ATOMS, MOST_LITERALS = 16, 48
_PART = 8    # atoms of a join


def shorten_rules(result: Normalised, relations: Mapping[str, Relation]) -> None:
    """Replaces rules that are too long; `relations` are those that the rules read, besides the helpers."""
    rules = list(result.rules)
    result.rules.clear()
    for rule in rules:
        while _too_long(rule):
            join, rest = _cut(rule, result, {**relations, **result.helpers})
            if len(rest.body) >= len(rule.body):
                del result.helpers[join.head.relation]
                break    # all that is left computes values
            result.rules.append(join)
            rule = rest
        result.rules.append(rule)


def _too_long(rule: Rule) -> bool:
    atoms = [isinstance(literal, Atom) for literal in rule.body if isinstance(literal, Atom | Not)]
    return any(atoms) and (len(atoms) > MOST_ATOMS or len(rule.body) > MOST_LITERALS)


def _cut(rule: Rule, result: Normalised, relations: Mapping[str, Relation]) -> tuple[Rule, Rule]:
    """A rule for the join of some atoms, and the rule with that join in their place."""
    atoms = _connected([literal for literal in rule.body if isinstance(literal, Atom)])
    bound = frozenset[Var]().union(*map(binds, atoms))
    conditions = [literal for literal in rule.body if isinstance(literal, Compare | Not) and needs(literal) <= bound]
    part: list[Literal] = [*atoms, *conditions[:MOST_ATOMS - len(atoms)]]
    rest = [literal for literal in rule.body if literal not in part]
    used = {variable for literal in (rule.head, *rest) for variable in variables(literal)}
    live = tuple(dict.fromkeys(v for atom in atoms for v in variables(atom) if v in used))
    types: dict[Var, Type] = {}
    for atom in atoms:
        for term, column in zip(atom.terms, relations[atom.relation].columns, strict=True):
            if isinstance(term, Var):
                types.setdefault(term, column.type)
    name = result.unused_name(f"{rule.head.relation}$join")
    result.helpers[name] = Relation(name, tuple(Column(v.name, types[v]) for v in live), None, rule.place)
    join = Atom(name, live)
    return Rule(join, tuple(part), rule.place), replace(rule, body=(join, *rest), plan=None)


def _connected(atoms: list[Atom]) -> list[Atom]:
    """Some atoms, each of which shares a variable with one before, as far as there are such."""
    chosen, bound = [atoms[0]], set(binds(atoms[0]))
    rest = list(dict.fromkeys(atoms[1:]))
    while rest and len(chosen) < _PART:
        following = next((atom for atom in rest if binds(atom) & bound), rest[0])
        rest.remove(following)
        chosen.append(following)
        bound |= binds(following)
    return chosen
