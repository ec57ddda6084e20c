"""Widening: relations that depend on themselves are aggregated by `widen` instead of the join, if their lattice has
one.

Other relations use the exact join: they terminate without widening.
"""

from __future__ import annotations

from dataclasses import replace

from ladder.language.core import Program, dependencies
from ladder.language.objects.lattice_tables import WIDENED, lattice_named
from ladder.support.graphs import components_in_order, successors_of


def widened(program: Program) -> Program:
    """The program with the aggregate `L.widen` in place of `L` for relations that depend on themselves."""
    widening = {
        name: lattice for name, lattice in program.lattices.items() if callable(getattr(lattice, "widen", None))
    }
    if not widening:
        return program
    recursive = set().union(*recursive_components(program))
    relations = {
        name: replace(relation, aggregate=relation.aggregate + WIDENED)
        if name in recursive and relation.aggregate in widening
        else relation
        for name, relation in program.relations.items()
    }
    used = {relation.aggregate for relation in relations.values()}
    lattices = {name + WIDENED: lattice_named(name + WIDENED, widening) for name in widening if name + WIDENED in used}
    return replace(program, relations=relations, lattices={**program.lattices, **lattices})


def recursive_components(program: Program) -> list[set[str]]:
    """The sets of mutually dependent relations, including single ones that depend on themselves, by rules without
    subsumptions."""
    graph = successors_of(dependencies(replace(program, subsumptions=())))
    return [{*names} for names in components_in_order(graph) if len(names) > 1 or names[0] in graph[names[0]]]
