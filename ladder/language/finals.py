"""Relations that hold lattice values without joining them, in a recursion in which these values grow.

Within the recursion they hold every value there ever was. Other components are to see what follows from final values
alone, so what they see is a relation of its own, derived by the same rules once the recursion is over:

    .decl Seen(p, x: L)   Seen(p, x) :- At(p, x).   At(q, x) :- Seen(p, x), …
    becomes               Seen$growing(p, x) :- At(p, x).   At(q, x) :- Seen$growing(p, x), …
                                 Seen(p, x) :- At(p, x).
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import networkx as nx

from ladder.language.core import Atom, Literal, Not, Program, Relation, Rule, Var

GROWING, GIVEN = "$growing", "$given"


def finalised(program: Program) -> Program:
    """The program with relations of their own for final rows, where others than the recursion read them."""
    if not program.lattices:
        return program
    copied: dict[str, set[str]] = {}   # relation → the names of its component
    for names in _growing_components(program):
        copied.update(dict.fromkeys(_unjoined(program, names), names))
    if not copied:
        return program
    relations, rules = dict(program.relations), list[Rule]()
    for name in copied:
        relation = relations[name]
        relations[name + GROWING] = replace(relation, name=name + GROWING)
        relations[name + GIVEN] = Relation(name + GIVEN, relation.columns, None, relation.place)
        relations[name] = replace(relation, facts=name + GIVEN)
        terms = tuple(Var(column.name) for column in relation.columns)
        given = Atom(name + GIVEN, terms)
        rules += [Rule(Atom(name, terms), (given,), relation.place),
                  Rule(Atom(name + GROWING, terms), (given,), relation.place)]
    for rule in program.rules:
        head = rule.head.relation
        inner = {name for name, names in copied.items() if head in names}
        rules.append(_renamed(rule, inner))
        if head in copied:
            rules.append(rule)
    return replace(program, relations=relations, rules=tuple(rules))


def _growing_components(program: Program) -> Iterator[set[str]]:
    """Components that depend on themselves and in which a lattice aggregates."""
    graph: nx.DiGraph = nx.DiGraph()
    for rule in program.rules:
        graph.add_edges_from((atom.relation, rule.head.relation) for atom in _atoms(rule))
    for names in nx.strongly_connected_components(graph):
        if any(program.relations[name].aggregate in program.lattices for name in names) and len(names) > 1:
            yield names


def _unjoined(program: Program, names: set[str]) -> Iterator[str]:
    """Relations of a component with a column of a lattice's type that does not join, seen outside."""
    ordered = {subsumption.dominated.relation for subsumption in program.subsumptions}
    seen = {directive.relation for directive in program.directives if directive.kind != "input"}
    seen |= {atom.relation for rule in program.rules if rule.head.relation not in names for atom in _atoms(rule)}
    for name in sorted(names & seen):
        relation = program.relations[name]
        if relation.aggregate is None and relation.facts is None and not (relation.choice or relation.limit is not None
                                                                          or name in ordered):
            if any(column.type.name in program.lattices for column in relation.columns):
                yield name


def _renamed(rule: Rule, growing: set[str]) -> Rule:
    """The rule within its recursion, where the relations hold values that still grow."""
    def renamed(atom: Atom) -> Atom:
        return Atom(atom.relation + GROWING, atom.terms) if atom.relation in growing else atom

    body: tuple[Literal, ...] = tuple(renamed(literal) if isinstance(literal, Atom) else literal for literal in rule.body)
    return replace(rule, head=renamed(rule.head), body=body)


def _atoms(rule: Rule) -> Iterator[Atom]:
    return (literal.atom if isinstance(literal, Not) else literal for literal in rule.body if isinstance(literal, Atom | Not))
