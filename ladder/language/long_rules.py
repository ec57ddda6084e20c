"""Rules longer than an engine's plans: what they begin with becomes a relation of its own.

    r(x) :- a(x, y), b(y, z), …, p(z).   →   r$join1(x, z) :- a(x, y), b(y, z), ….   r(x) :- r$join1(x, z), …, p(z).

First some of the atoms where there are many, then computations.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ladder.language.core import (
    ON_SYMBOLS,
    ORDERED,
    Atom,
    Column,
    Compare,
    Compute,
    Const,
    Generate,
    Kind,
    Literal,
    Not,
    Pack,
    Relation,
    Rule,
    Type,
    Unpack,
    Var,
    binds,
    needs,
    variables,
)
from ladder.language.terms import Normalised
from ladder.language.types import PRIMITIVES

MOST_ATOMS, MOST_STEPS = 16, 48
_PART = 8       # atoms of a join
_FIRST = 30     # steps of a part that computes


def shorten_rules(result: Normalised, relations: Mapping[str, Relation], types: Mapping[str, Type]) -> None:
    """Replaces rules that are too long; `relations` are those that the rules read, besides the helpers."""
    rules = list(result.rules)
    result.rules.clear()
    for rule in rules:
        while _too_long(rule):
            part = _atoms(rule) if _too_many_atoms(rule) else []
            if len(part) < 2:
                part = _computations(rule)
            if not 1 < len(part) < len(rule.body):
                break
            join, rule = _cut(rule, part, result, {**relations, **result.helpers}, types)
            result.rules.append(join)
        result.rules.append(rule)


def _too_long(rule: Rule) -> bool:
    return _too_many_atoms(rule) or sum(map(_steps, rule.body)) > MOST_STEPS


def _too_many_atoms(rule: Rule) -> bool:
    return sum(isinstance(literal, Atom | Not) for literal in rule.body) > MOST_ATOMS


def _steps(literal: Literal) -> int:
    """A literal is a step, and so is each constant that a computation takes."""
    return 1 + sum(isinstance(a, Const) for a in literal.arguments) if isinstance(literal, Compute) else 1


def _cut(rule: Rule, part: list[Literal], result: Normalised, relations: Mapping[str, Relation],
         types: Mapping[str, Type]) -> tuple[Rule, Rule]:
    """A rule for a part of the body, and the rule with that in its place."""
    rest = [literal for literal in rule.body if literal not in part]
    used = {variable for literal in (rule.head, *rest) for variable in variables(literal)}
    live = {v: type_ for literal in part for v, type_ in _types(literal, relations, types, result) if v in used}
    name = result.unused_name(f"{rule.head.relation}$join")
    result.helpers[name] = Relation(name, tuple(Column(v.name, t) for v, t in live.items()), None, rule.place)
    join = Atom(name, tuple(live))
    return Rule(join, tuple(part), rule.place), replace(rule, body=(join, *rest), plan=None)


def _atoms(rule: Rule) -> list[Literal]:
    """Some atoms, each of which shares a variable with one before, as far as there are such, and conditions on them."""
    computed = frozenset[Var]().union(*(binds(literal) for literal in rule.body if not isinstance(literal, Atom)))
    atoms = list(dict.fromkeys(literal for literal in rule.body if isinstance(literal, Atom) and not binds(literal) & computed))
    chosen: list[Literal] = [*atoms[:1]]
    rest, bound = atoms[1:], frozenset[Var]().union(*map(binds, chosen))
    while rest and len(chosen) < _PART:
        following = next((atom for atom in rest if binds(atom) & bound), rest[0])
        rest.remove(following)
        chosen.append(following)
        bound |= binds(following)
    conditions = [literal for literal in rule.body if isinstance(literal, Compare | Not) and needs(literal) <= bound]
    return [*chosen, *conditions[:MOST_ATOMS - len(chosen)]]


def _computations(rule: Rule) -> list[Literal]:
    """What a rule begins with: its atoms, then what can be computed, and uses computed values as soon as they are there."""
    waiting = [p for p in rule.body if not isinstance(p, Atom) and not (isinstance(p, Compute) and p.function in ORDERED)]
    computed = frozenset[Var]().union(*(binds(literal) for literal in rule.body if not isinstance(literal, Atom)))
    part: list[Literal] = [literal for literal in rule.body if isinstance(literal, Atom) and not binds(literal) & computed]
    bound = frozenset[Var]().union(*map(binds, part))
    steps = len(part)
    while steps < _FIRST and (ready := [literal for literal in waiting if needs(literal) <= bound]):
        following = max(ready, key=lambda literal: len(needs(literal) & computed))
        waiting.remove(following)
        part.append(following)
        bound |= binds(following)
        steps += _steps(following)
    return part


def _types(literal: Literal, relations: Mapping[str, Relation], types: Mapping[str, Type],
           program: Normalised) -> Iterator[tuple[Var, Type]]:
    """The variables that a literal binds with their types."""
    match literal:
        case Atom(relation, terms):
            for term, column in zip(terms, relations[relation].columns, strict=True):
                if isinstance(term, Var):
                    yield term, column.type
        case Pack(result, _, type_):
            yield result, type_
        case Unpack(_, fields, type_, branch):
            declared = type_.fields if branch is None else dict(type_.branches)[branch]
            for field, (_, name) in zip(fields, declared, strict=True):
                if field is not None:
                    yield field, types[name]
        case Compute(result, function) | Generate(result, function) if function in program.functions:
            yield result, program.functions[function].result
        case Compute(result, function, _, kind) | Generate(result, function, _, kind):
            yield result, PRIMITIVES[_kind(function, kind).value]


def _kind(function: str, kind: Kind) -> Kind:
    """Of the result of a built-in function."""
    if function.startswith(("to_", "bits_")):
        name = function.partition("_")[2]
        return Kind.SYMBOL if name == "string" else Kind(name)
    if function in ON_SYMBOLS:
        return Kind.SYMBOL if function in ("cat", "substr") else Kind.NUMBER
    return kind
