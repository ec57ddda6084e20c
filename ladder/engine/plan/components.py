"""Components: the program cut into strongly connected parts, in topological order, with aggregated relations taken apart.

An aggregated relation R becomes

    R$facts    its given facts (they are aggregands like any other)
    R$in       the aggregands: what rules derive, and R$in(x) :- R$facts(x)
    R$groups   the distinct values of the group columns
    R$all      every total, at the iteration at which it appears: what rules of R's own component read
    R          the final total of each group: what everybody else reads
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ladder.engine.plan.equalities import propagate_equalities
from ladder.language.core import Atom, Column, Const, Kind, Literal, Not, Program, Relation, Rule, Type, Var

UNIT = "$unit"                      # a relation of one row, from which rules without positive atoms start
FILLER = Column("$filler", Type("number", Kind.NUMBER))


@dataclass(frozen=True)
class Aggregate:
    """The relations that an aggregated relation is made of, and the name of its join."""

    name: str
    join: str

    @property
    def facts(self) -> str:
        return f"{self.name}$facts"

    @property
    def aggregands(self) -> str:
        return f"{self.name}$in"

    @property
    def groups(self) -> str:
        return f"{self.name}$groups"

    @property
    def totals(self) -> str:
        return f"{self.name}$all"


@dataclass(frozen=True)
class Component:
    """Relations that depend on each other, their rules, and the relations of earlier components that these read."""

    relations: tuple[Relation, ...]
    rules: tuple[Rule, ...] = ()
    aggregates: tuple[Aggregate, ...] = ()
    inputs: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        return frozenset(relation.name for relation in self.relations)

    def __str__(self) -> str:
        lines = [f"component {', '.join(r.name for r in self.relations)}"]
        return "\n  ".join((*lines, *map(str, self.rules)))


@dataclass(frozen=True)
class Expanded:
    """Components in topological order; `aggregates`: aggregated relations by name; `relations`: all of them, in order."""

    components: tuple[Component, ...]
    aggregates: dict[str, Aggregate]
    relations: dict[str, Relation]
    order: tuple[tuple[str, ...], ...]     # of the program's own relations


def record_relation(type_name: str) -> str:
    """Name of the relation whose rows are the records of a type; record number n is row n - 1."""
    return f"[]{type_name}"


def expand(program: Program, order: Sequence[Sequence[str]] | None = None) -> Expanded:
    """core program → components; every relation has at least one column, an aggregated one at least one group column.

    `order`: the program's relations by component, if it is known already (see `component_order`).
    """
    aggregates = {r.name: Aggregate(r.name, r.aggregate) for r in program.relations.values() if r.aggregate}
    padded = {r.name: replace(r, columns=(FILLER, *r.columns)) if needs_filler(r) else r for r in program.relations.values()}
    order = component_order(program) if order is None else order
    rules_of: dict[str, list[Rule]] = {name: [] for name in padded}
    for rule in program.rules:
        rules_of[rule.head.relation].append(propagate_equalities(_pad_rule(rule, program)))
    components = [_ground_component(program)]
    for members in order:
        components += _components_of(list(members), [rule for name in members for rule in rules_of[name]], padded, aggregates)
    return Expanded(tuple(components), aggregates, {r.name: r for component in components for r in component.relations},
                    tuple(map(tuple, order)))


def component_order(program: Program) -> list[list[str]]:
    """The program's relations by strongly connected component, those that others depend on first."""
    import networkx as nx  # not needed where a saved state tells the order

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(program.relations)
    for rule in program.rules:
        graph.add_edges_from((relation, rule.head.relation) for relation in _read(rule))
    condensed = nx.condensation(graph)
    place = {name: number for number, name in enumerate(program.relations)}
    members = {node: sorted(condensed.nodes[node]["members"], key=place.__getitem__) for node in condensed}
    return [members[node] for node in nx.lexicographical_topological_sort(condensed, key=lambda node: place[members[node][0]])]


def needs_filler(relation: Relation) -> bool:
    """Whether a column with the constant 0 is put first, so that there is something to hash."""
    return relation.arity == (1 if relation.aggregate else 0)


def _pad_rule(rule: Rule, program: Program) -> Rule:
    def pad(atom: Atom) -> Atom:
        if needs_filler(program.relations[atom.relation]):
            return Atom(atom.relation, (Const(0, FILLER.type), *atom.terms))
        return atom

    def pad_literal(literal: Literal) -> Literal:
        if isinstance(literal, Atom):
            return pad(literal)
        return Not(pad(literal.atom)) if isinstance(literal, Not) else literal

    return replace(rule, head=pad(rule.head), body=tuple(map(pad_literal, rule.body)))


def _read(rule: Rule) -> set[str]:
    return {a.relation for literal in rule.body if isinstance(a := literal.atom if isinstance(literal, Not) else literal, Atom)}


def _ground_component(program: Program) -> Component:
    """What every rule may use: the unit row and the tables of records."""
    kinds = {Kind.RECORD}
    records = tuple(Relation(record_relation(t.name), tuple(Column(name, Type(type_name, Kind.NUMBER)) for name, type_name in t.fields))
                    for t in sorted(program.types.values(), key=lambda t: t.name) if t.kind in kinds and t.fields)
    return Component((Relation(UNIT, (FILLER,)), *records))


def _components_of(members: list[str], rules: list[Rule], relations: dict[str, Relation],
                   aggregates: dict[str, Aggregate]) -> list[Component]:
    """The component of these relations, after one for the given facts of each aggregated one."""
    own = [aggregates[name] for name in members if name in aggregates]
    facts = [Component((_renamed(relations[a.name], a.facts),)) for a in own]
    expanded: list[Relation] = []
    for name in members:
        relation = replace(relations[name], aggregate=None)
        if name in aggregates:
            a = aggregates[name]
            groups = Relation(a.groups, relation.columns[:-1])
            expanded += [_renamed(relation, a.aggregands), groups, _renamed(relation, a.totals)]
        expanded.append(relation)
    renamed = [_rename_aggregated(rule, {a.name: a for a in own}, aggregates) for rule in rules]
    renamed += [_rule_of_facts(a, relations[a.name]) for a in own]
    names = {r.name for r in expanded}
    inputs = sorted(set().union(*map(_read, renamed)) - names) if renamed else []
    return [*facts, Component(tuple(expanded), tuple(renamed), tuple(own), tuple(inputs))]


def _renamed(relation: Relation, name: str) -> Relation:
    return replace(relation, name=name, aggregate=None)


def _rule_of_facts(aggregate: Aggregate, relation: Relation) -> Rule:
    terms: tuple[Any, ...] = tuple(Var(f"x{i}") for i in range(relation.arity))
    return Rule(Atom(aggregate.aggregands, terms), (Atom(aggregate.facts, terms),))


def _rename_aggregated(rule: Rule, own: dict[str, Aggregate], aggregates: dict[str, Aggregate]) -> Rule:
    """Heads derive aggregands; atoms of the same component read every total."""
    def body_literal(literal: Literal) -> Literal:
        if isinstance(literal, Atom) and literal.relation in own:
            return replace(literal, relation=own[literal.relation].totals)
        return literal

    head = rule.head
    if head.relation in aggregates:
        head = replace(head, relation=aggregates[head.relation].aggregands)
    return replace(rule, head=head, body=tuple(map(body_literal, rule.body)))
