"""Aggregates over joins are asked only for the groups that the rules bind which read them: a join may have far more.

    near(x, y, n) :- edge(x, y), near$min1(x, y, n).
    near$min1(x, y, z) :- edge(x, z), edge(z, y).
    →  near$dom1(x, y) :- edge(x, y).
       near$min1(x, y, z) :- near$dom1(x, y), edge(x, z), edge(z, y).

This is the magic-sets transformation, of aggregates alone. Counts and sums start from their groups anyway (see
`aggregates`). An aggregate stays as it is where a rule that reads it binds the group only by what depends on the
aggregate, or by atoms that share no variables, where one binds it by an atom of which the join has groups alone, and
where the join computes a part of its group or takes it out of a record: it would be computed for rows that have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ladder.language.core import (
    Atom,
    Literal,
    Not,
    Program,
    Relation,
    Rule,
    Term,
    Var,
    binds,
    helper,
    needs,
    ordered_relations,
)
from ladder.language.limits import LIMITS
from ladder.language.normalise.domains import cover, is_connected
from ladder.language.normalise.independent import derived_from, readers_of
from ladder.language.roles import Part, Role, unused


def ask_groups(program: Program) -> Program:
    """The program with relations of the groups that aggregates over joins are asked for."""
    ordered = ordered_relations(program)
    for name in [name for name, relation in program.relations.items() if _is_aggregate(relation)]:
        made, readers = _rules_of(program, name), _readers(program, name)
        if not _worth_asking(program, made) or readers is None or ordered & {name, *(r.head.relation for r in readers)}:
            continue
        groups = unused(Part(Role.GROUPS, _part(program.relations[name]).of), program.relations)
        asked = _asked(program, name, groups, readers)
        if asked is None or any(_includes_all(rule, made) for rule in asked):
            continue
        width = len(program.relations[name].columns) - 1
        relation = helper(groups, program.relations[name].columns[:width], place=program.relations[name].place)
        rules = [
            replace(rule, body=(Atom(groups.name, rule.head.terms[:width]), *rule.body)) if rule in made else rule
            for rule in program.rules
        ]
        program = replace(program, relations={**program.relations, groups.name: relation}, rules=(*rules, *asked))
    return program


def _is_aggregate(relation: Relation) -> bool:
    """Whether a relation holds the values of an aggregate in a body, for groups."""
    return relation.part is not None and relation.part.role is Role.AGGREGATE and len(relation.columns) > 1


def _part(relation: Relation) -> Part:
    assert relation.part is not None
    return relation.part


def _rules_of(program: Program, name: str) -> list[Rule]:
    return [rule for rule in program.rules if rule.head.relation == name]


def _worth_asking(program: Program, rules: Sequence[Rule]) -> bool:
    """Whether one of the rules of an aggregate is a join, none starts from groups, and all have room for an atom and
    take their groups from atoms."""
    atoms = [[literal for literal in rule.body if isinstance(literal, Atom)] for rule in rules]
    roles = {part.role for found in atoms for atom in found if (part := program.relations[atom.relation].part)}
    return (
        any(len(found) > 1 for found in atoms)
        and Role.GROUPS not in roles
        and all(rule.plan is None and len(found) < LIMITS.join_atoms for rule, found in zip(rules, atoms, strict=True))
        and not any(set(rule.head.terms[:-1]) & _computed(rule) for rule in rules)
    )


def _computed(rule: Rule) -> set[Var]:
    return set[Var]().union(*(binds(literal) for literal in rule.body if not isinstance(literal, Atom)))


def _readers(program: Program, name: str) -> list[Rule] | None:
    """The rules that read a relation; None if something else does, or if it is read under a negation."""
    clauses = [s.body for s in program.subsumptions] + [
        tuple(literal.atom for literal in rule.body if isinstance(literal, Not)) for rule in program.rules
    ]
    if any(_atoms(body, name) for body in clauses):
        return None
    return [rule for rule in program.rules if _atoms(rule.body, name)]


def _atoms(body: Sequence[Literal], name: str) -> list[Atom]:
    return [literal for literal in body if isinstance(literal, Atom) and literal.relation == name]


def _asked(program: Program, name: str, groups: Part, readers: Sequence[Rule]) -> list[Rule] | None:
    """The rules of the relation of groups; None if a rule does not bind its group by what can be asked first."""
    later, found = derived_from(readers_of(program), name), dict[Rule, None]()
    for rule in readers:
        for atom in _atoms(rule.body, name):
            terms = atom.terms[:-1]
            body = _binding(rule, terms, later)
            if body is None:
                return None
            found[Rule(Atom(groups.name, terms), body, rule.place)] = None
    return list(found)


def _binding(rule: Rule, terms: Sequence[Term | None], later: set[str]) -> tuple[Literal, ...] | None:
    """Literals of a rule's body that bind terms without reading what is derived later; None if there are none that are
    connected."""
    wanted = tuple(term for term in terms if isinstance(term, Var))
    first = [literal for literal in rule.body if not _reads(literal, later)]
    body = cover(first, wanted, frozenset()) if wanted and None not in terms else []
    bound = set[Var]().union(*map(binds, body))
    needed = set(wanted).union(*map(needs, body))
    return tuple(body) if body and needed <= bound and is_connected(body) else None


def _includes_all(asked: Rule, made: Sequence[Rule]) -> bool:
    """Whether a rule asks for all groups that an aggregate can have, since its only atom is in each of the joins."""
    atom = asked.body[0]
    if len(asked.body) > 1 or not isinstance(atom, Atom):
        return False
    places = [atom.terms.index(term) for term in asked.head.terms if term in atom.terms]
    if len(places) < len(asked.head.terms):
        return False
    return all(
        any(
            isinstance(literal, Atom)
            and literal.relation == atom.relation
            and [literal.terms[place] for place in places] == list(rule.head.terms[: len(places)])
            for literal in rule.body
        )
        for rule in made
    )


def _reads(literal: Literal, names: set[str]) -> bool:
    atom = literal.atom if isinstance(literal, Not) else literal
    return isinstance(atom, Atom) and atom.relation in names
