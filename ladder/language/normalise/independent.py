"""Independent parts of a body: whether they hold is evaluated once, instead of once for each row of the rest.

    r(x) :- a(x), b(y), c(y).   →   r$if1() :- b(y), c(y).   r(x) :- a(x), r$if1().

Parts that depend on the head, ordered relations, and rules with a `.plan` stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ladder.language.core import (
    Atom,
    Literal,
    Not,
    Program,
    Relation,
    Rule,
    Var,
    dependencies,
    helper,
    ordered_relations,
    variables,
)
from ladder.language.roles import Part, Role, unused


def separate(program: Program) -> Program:
    """The program with helper relations for independent parts of bodies; the rows of its declared relations stay the
    same."""
    ordered, helpers, rules = ordered_relations(program), dict[str, Relation](), list[Rule]()
    readers = readers_of(program)
    for rule in program.rules:
        parts = [] if rule.plan is not None or rule.head.relation in ordered else list(independent_parts(rule))
        for part in parts:
            if set(map(_relation, filter(_is_relational, part))) & derived_from(readers, rule.head.relation):
                continue
            condition = unused(Part(Role.CONDITION, rule.head.relation), {*program.relations, *helpers})
            name = condition.name
            helpers[name] = helper(condition, (), place=rule.place)
            rules.append(Rule(Atom(name, ()), part, rule.place))
            rest = [literal for literal in rule.body if literal not in part]
            rule = replace(rule, body=(*rest, Atom(name, ())))
        rules.append(rule)
    return replace(program, relations={**program.relations, **helpers}, rules=tuple(rules)) if helpers else program


def independent_parts(rule: Rule) -> Iterator[tuple[Literal, ...]]:
    """The parts of a body that share no variables with the head or each other and look up rows, if there are other
    literals."""
    groups: list[tuple[set[Var], list[Literal]]] = []
    for literal in rule.body:
        names, members = set(variables(literal)), [literal]
        for group in [g for g in groups if g[0] & names]:
            groups.remove(group)
            names |= group[0]
            members = [*group[1], *members]
        groups.append((names, members))
    needed = {term for term in rule.head.terms if isinstance(term, Var)}
    for names, members in groups:
        if len(groups) > 1 and not names & needed and any(map(_looks_for_rows, members)):
            yield tuple(literal for literal in rule.body if literal in members)


def _looks_for_rows(literal: Literal) -> bool:
    """Whether a literal may have several instantiations: an atom with a variable or wildcard."""
    return isinstance(literal, Atom) and any(term is None or isinstance(term, Var) for term in literal.terms)


def _is_relational(literal: Literal) -> bool:
    return isinstance(literal, Atom | Not)


def _relation(literal: Literal) -> str:
    assert isinstance(literal, Atom | Not)
    return literal.atom.relation if isinstance(literal, Not) else literal.relation


def readers_of(program: Program) -> dict[str, set[str]]:
    """relation → the relations that are derived from it in one step."""
    readers: dict[str, set[str]] = {}
    for read, derived in dependencies(program):
        readers.setdefault(read, set()).add(derived)
    return readers


def derived_from(readers: Mapping[str, set[str]], relation: str) -> set[str]:
    """The relation and all relations that depend on it."""
    found, waiting = {relation}, [relation]
    while waiting:
        new = readers.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found
