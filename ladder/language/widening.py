"""Where lattices widen: relations that depend on themselves are aggregated by `widen`, if their lattice has one.

Elsewhere the join is exact: a relation that does not depend on itself has as many joins as its body has rows.
"""
from __future__ import annotations

from dataclasses import replace

from ladder.language.core import Atom, Not, Program
from ladder.language.lattice_tables import WIDENED, lattice_named


def widened(program: Program) -> Program:
    """The program with the aggregate `L.widen` in place of `L` where it has to be."""
    widening = {name: lattice for name, lattice in program.lattices.items()
                if callable(getattr(lattice, "widen", None))}
    if not widening:
        return program
    recursive = recursive_relations(program)
    relations = {name: replace(relation, aggregate=relation.aggregate + WIDENED)
                 if name in recursive and relation.aggregate in widening else relation
                 for name, relation in program.relations.items()}
    used = {relation.aggregate for relation in relations.values()}
    lattices = {name + WIDENED: lattice_named(name + WIDENED, widening) for name in widening if name + WIDENED in used}
    return replace(program, relations=relations, lattices={**program.lattices, **lattices})


def recursive_relations(program: Program) -> set[str]:
    """Relations that depend on themselves."""
    import networkx as nx   # slow to import, and few lattices widen

    graph: nx.DiGraph = nx.DiGraph()
    for rule in program.rules:
        for literal in rule.body:
            atom = literal.atom if isinstance(literal, Not) else literal
            if isinstance(atom, Atom):
                graph.add_edge(atom.relation, rule.head.relation)
    return {name for component in nx.strongly_connected_components(graph) for name in component
            if len(component) > 1 or graph.has_edge(name, name)}
