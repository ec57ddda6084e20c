"""The executable specification: core programs evaluated by definition, iteration by iteration.

It uses no plans, no indexes that outlive an iteration, and no incrementality. The states of all engines are compared
with its state.

    for each component, in topological order of the relations' dependencies:
        iteration 0: facts; rows of earlier components count as iteration 0
        iteration k: all instantiations d of the component's rules with time(d) = 1 + max first(body) = k;
                     a plain head counts those with k = first(head);
                     an aggregated head collects inputs stamped k - 1, and a group whose total changes at k - 1
                     gets the row (group, total) at k
        until an iteration brings no new row
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import networkx as nx

from ladder.engine.reference.ordered import Numbering, OrderedComponent
from ladder.engine.reference.rules import Instantiations, Row, TooMuch, atoms_of, fact_relation, join_of
from ladder.language.core import Atom, Not, Program, dependencies, ordered_relations


@dataclass
class State:
    """The state after an evaluation.

    `rows`: relation that is not aggregated → row → (first, count). Aggregated relations: `aggregate_inputs` → row
    (group, keys, value) → (timestamp, count), `totals` → every total there ever was → the iteration of its row,
    `finals` → the last total of each group.
    """

    rows: dict[str, dict[Row, tuple[int, int]]] = field(default_factory=dict)
    aggregate_inputs: dict[str, dict[Row, tuple[int, int]]] = field(default_factory=dict)
    totals: dict[str, dict[Row, int]] = field(default_factory=dict)
    finals: dict[str, set[Row]] = field(default_factory=dict)

    def visible(self, relation: str) -> set[Row]:
        """The rows that users and later components see."""
        return self.finals[relation] if relation in self.finals else set(self.rows[relation])


def evaluate(
    program: Program,
    facts: Mapping[str, Iterable[Row]] | None = None,
    most_iterations: int = 10_000,
    most_instantiations: int = 100_000_000,
) -> State:
    """The state of a program over its own facts and asserted ones; rows are tuples of Python values. Raises
    `TooMuch`."""
    at_start: dict[str, dict[Row, None]] = {name: {} for name in program.relations}
    for name in program.relations:
        at_start[fact_relation(program, name)].update(
            dict.fromkeys((*program.facts.get(name, ()), *(facts or {}).get(name, ())))
        )
    state = State()
    numbering = Numbering()
    for component in components(program):
        if component & ordered_relations(program):
            known = program.relations.keys() & (state.rows.keys() | state.finals.keys())
            outer = {name: dict.fromkeys(state.visible(name), 0) for name in known}
            ordered = OrderedComponent(program, component, outer, numbering, most_iterations, most_instantiations)
            state.rows.update((name, dict.fromkeys(rows, (0, 1))) for name, rows in ordered.evaluate(at_start).items())
        else:
            _Component(program, component, state, most_iterations, most_instantiations).evaluate(at_start)
    return state


def components(program: Program) -> list[set[str]]:
    """The strongly connected components of the relations, in topological order; independent ones in the order of
    declaration."""
    graph: nx.DiGraph = nx.DiGraph()
    graph.add_nodes_from(program.relations)
    graph.add_edges_from(dependencies(program))
    condensed = nx.condensation(graph)
    place = {name: number for number, name in enumerate(program.relations)}
    first = {node: min(place[name] for name in condensed.nodes[node]["members"]) for node in condensed}
    return [
        set(condensed.nodes[node]["members"])
        for node in nx.lexicographical_topological_sort(condensed, key=first.__getitem__)
    ]


class _Component:
    """The evaluation of one component; `first`: relation → row → first iteration, for all relations that it reads."""

    def __init__(
        self, program: Program, names: set[str], state: State, most_iterations: int, most_instantiations: int
    ) -> None:
        self.program = program
        self.names = names
        self.state = state
        self.most_iterations = most_iterations
        self.most_instantiations = most_instantiations
        self.rules = [rule for rule in program.rules if rule.head.relation in names]
        self.aggregated = {name for name in names if program.relations[name].aggregate is not None}
        self.joins = {name: join_of(program, name) for name in self.aggregated}
        self.first: dict[str, dict[Row, int]] = {name: {} for name in names}
        for rule in self.rules:
            for literal in rule.body:
                atom = literal.atom if isinstance(literal, Not) else literal
                if isinstance(atom, Atom) and atom.relation not in self.first:
                    self.first[atom.relation] = dict.fromkeys(state.visible(atom.relation), 0)

    def evaluate(self, at_start: Mapping[str, Iterable[Row]]) -> None:
        """Evaluate the component, and add its state to `self.state`."""
        for name in self.names - self.aggregated:
            self.state.rows[name] = {row: (0, 1) for row in at_start[name]}
            self.first[name] = dict.fromkeys(at_start[name], 0)
        for name in self.aggregated:
            self.state.aggregate_inputs[name] = {row: (0, 1) for row in at_start[name]}
        iteration = 1
        while self._iterate(iteration):
            iteration += 1
            if iteration > self.most_iterations:
                raise TooMuch(f"{', '.join(sorted(self.names))}: new rows after {self.most_iterations} iterations")
        for name in self.aggregated:
            self.state.totals[name] = self.first[name]
            self.state.finals[name] = {(*group, total) for group, total in self._totals(name).items()}

    def _iterate(self, iteration: int) -> bool:
        """Evaluate one iteration; whether any row appeared."""
        derived: dict[str, Counter[Row]] = {name: Counter() for name in self.names}
        for rule in self.rules:
            own = [i for i, atom in enumerate(atoms_of(rule)) if atom.relation in self.names]
            if not own and iteration > 1:
                continue
            for row, firsts in Instantiations(rule, self.program, self.first):
                self.most_instantiations -= 1
                if self.most_instantiations < 0:
                    raise TooMuch(f"{', '.join(sorted(self.names))}: too many instantiations of rules")
                if 1 + max((firsts[i] for i in own), default=0) == iteration:
                    derived[rule.head.relation][row] += 1
        appeared = False
        for name in self.names - self.aggregated:
            for row, count in derived[name].items():
                if row not in self.first[name]:
                    self.first[name][row] = iteration
                    self.state.rows[name][row] = (iteration, count)
                    appeared = True
        for name in self.aggregated:
            inputs = self.state.aggregate_inputs[name]
            for row, count in derived[name].items():
                stamp, before = inputs.get(row, (iteration - 1, 0))
                if stamp == iteration - 1:
                    inputs[row] = (stamp, before + count)
            for group, total in self._totals(name).items():
                if (*group, total) not in self.first[name]:
                    self.first[name][*group, total] = iteration
                    appeared = True
        return appeared

    def _totals(self, name: str) -> dict[Row, Any]:
        """group → join of all its aggregate inputs so far, of which there is one for each (group, keys, value)."""
        groups: dict[Row, list[Any]] = {}
        width = self.program.relations[name].arity - 1
        for row in self.state.aggregate_inputs[name]:
            groups.setdefault(row[:width], []).append(row[-1])
        return {group: reduce(self.joins[name], values) for group, values in groups.items()}
