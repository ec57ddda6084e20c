"""Equivalence relations: derived rows and facts are edges, the relation is their closure.

.decl R(x: T, y: T) eqrel
R(x, x) :- R$edge(x, _).   R(x, x) :- R$edge(_, x).   R(x, z) :- R(x, y), R$edge(y, z).   … R$edge(z, y).
"""

from __future__ import annotations

from dataclasses import replace

from ladder.language.check.environment import Environment
from ladder.language.core import Atom, Relation, Rule, Var, helper
from ladder.language.normalise.terms import Normalised
from ladder.language.roles import Part, Role


def edges_of(relation: str) -> Part:
    """The part of the helper relation with the edges of an equivalence relation."""
    return Part(Role.EDGES, relation)


def edges(environment: Environment, head: Atom) -> Atom:
    """For a head of an equivalence relation, the head that derives its edges; any other head itself."""
    return Atom(edges_of(head.relation).name, head.terms) if head.relation in environment.eqrels else head


def declare_equivalences(environment: Environment, result: Normalised) -> dict[str, Relation]:
    """Add the relations of edges and the rules of the closures. Returns the relations that this changes."""
    changed = {}
    x, y, z = Var("x"), Var("y"), Var("z")
    for name in sorted(environment.eqrels):
        relation = environment.relations[name]
        edge = helper(edges_of(name), relation.columns, place=relation.place)
        result.helpers[edge.name] = edge
        changed[name] = replace(relation, facts=edge.name)
        for head, body in (
            ((x, x), (Atom(edge.name, (x, None)),)),
            ((x, x), (Atom(edge.name, (None, x)),)),
            ((x, z), (Atom(name, (x, y)), Atom(edge.name, (y, z)))),
            ((x, z), (Atom(name, (x, y)), Atom(edge.name, (z, y)))),
        ):
            result.rules.append(Rule(Atom(name, head), body, relation.place))
    return changed
