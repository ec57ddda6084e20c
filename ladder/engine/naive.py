"""The executable specification: core programs evaluated by definition, iteration by iteration.

No plan, no index that outlives an iteration, no incrementality: every engine is compared with it, state for state.

    for each component, in topological order of the relations' dependencies:
        iteration 0: given facts; rows of earlier components count as iteration 0
        iteration k: all instantiations d of the component's rules with time(d) = 1 + max first(body) = k;
                     a plain head counts those with k = first(head);
                     an aggregated head collects aggregands stamped k - 1, and a group whose total changes at k - 1
                     gets the row (group, total) at k
        until an iteration brings no new row
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import networkx as nx

from ladder.language import builtins
from ladder.language.core import (
    Atom,
    Compare,
    Compute,
    Const,
    Function,
    Generate,
    Kind,
    Literal,
    Not,
    Pack,
    Program,
    Rule,
    Term,
    Unpack,
    Var,
    binds,
    needs,
)

Row = tuple[Hashable, ...]
Bindings = dict[Var, Any]


class TooMuch(Exception):
    """A component still derives new rows after the allowed number of iterations, or has too many instantiations."""


@dataclass
class State:
    """What an evaluation leaves.

    `rows`: plain relation → row → (first, count). Aggregated relations: `aggregands` → row (group, keys, value) →
    (timestamp, count), `totals` → every total there ever was → the iteration of its row, `finals` → the last total of each group.
    """

    rows: dict[str, dict[Row, tuple[int, int]]] = field(default_factory=dict)
    aggregands: dict[str, dict[Row, tuple[int, int]]] = field(default_factory=dict)
    totals: dict[str, dict[Row, int]] = field(default_factory=dict)
    finals: dict[str, set[Row]] = field(default_factory=dict)

    def visible(self, relation: str) -> set[Row]:
        """The rows that users and later components see."""
        return self.finals[relation] if relation in self.finals else set(self.rows[relation])


def evaluate(program: Program, facts: Mapping[str, Iterable[Row]] | None = None, most_iterations: int = 10_000,
             most_instantiations: int = 100_000_000) -> State:
    """The state of a program on its own facts and those given; rows are tuples of Python values. Raises `TooMuch`."""
    given: dict[str, dict[Row, None]] = {name: {} for name in program.relations}
    for name in program.relations:
        given[fact_relation(program, name)].update(dict.fromkeys((*program.facts.get(name, ()), *(facts or {}).get(name, ()))))
    state = State()
    for component in components(program):
        _Component(program, component, state, most_iterations, most_instantiations).evaluate(given)
    return state


def fact_relation(program: Program, name: str) -> str:
    """The relation that takes the facts given for a relation."""
    target = program.relations[name].facts
    return name if target is None else fact_relation(program, target)


def components(program: Program) -> list[set[str]]:
    """Strongly connected components of the relations, those that others depend on first."""
    graph: nx.DiGraph = nx.DiGraph()
    graph.add_nodes_from(program.relations)
    for rule in program.rules:
        for literal in rule.body:
            atom = literal.atom if isinstance(literal, Not) else literal
            if isinstance(atom, Atom):
                graph.add_edge(atom.relation, rule.head.relation)
    condensed = nx.condensation(graph)
    return [set(condensed.nodes[node]["members"]) for node in nx.topological_sort(condensed)]


class _Component:
    """One component while it is evaluated; `first`: relation → row → iteration, for all relations it may read."""

    def __init__(self, program: Program, names: set[str], state: State, most_iterations: int,
                 most_instantiations: int) -> None:
        self.program = program
        self.names = names
        self.state = state
        self.most_iterations = most_iterations
        self.most_instantiations = most_instantiations
        self.rules = [rule for rule in program.rules if rule.head.relation in names]
        self.aggregated = {name for name in names if program.relations[name].aggregate is not None}
        self.joins = {name: _join(program, name) for name in self.aggregated}
        self.first: dict[str, dict[Row, int]] = {name: {} for name in names}
        for rule in self.rules:
            for literal in rule.body:
                atom = literal.atom if isinstance(literal, Not) else literal
                if isinstance(atom, Atom) and atom.relation not in self.first:
                    self.first[atom.relation] = dict.fromkeys(state.visible(atom.relation), 0)

    def evaluate(self, given: Mapping[str, Iterable[Row]]) -> None:
        """Adds the component's state to `self.state`."""
        for name in self.names - self.aggregated:
            self.state.rows[name] = {row: (0, 1) for row in given[name]}
            self.first[name] = dict.fromkeys(given[name], 0)
        for name in self.aggregated:
            self.state.aggregands[name] = {row: (0, 1) for row in given[name]}
        iteration = 1
        while self._iterate(iteration):
            iteration += 1
            if iteration > self.most_iterations:
                raise TooMuch(f"{', '.join(sorted(self.names))}: new rows after {self.most_iterations} iterations")
        for name in self.aggregated:
            self.state.totals[name] = self.first[name]
            self.state.finals[name] = {(*group, total) for group, total in self._totals(name).items()}

    def _iterate(self, iteration: int) -> bool:
        """Whether any row appeared."""
        derived: dict[str, Counter[Row]] = {name: Counter() for name in self.names}
        for rule in self.rules:
            own = [i for i, atom in enumerate(_atoms(rule)) if atom.relation in self.names]
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
            aggregands = self.state.aggregands[name]
            for row, count in derived[name].items():
                stamp, before = aggregands.get(row, (iteration - 1, 0))
                if stamp == iteration - 1:
                    aggregands[row] = (stamp, before + count)
            for group, total in self._totals(name).items():
                if (*group, total) not in self.first[name]:
                    self.first[name][*group, total] = iteration
                    appeared = True
        return appeared

    def _totals(self, name: str) -> dict[Row, Any]:
        """group → join of all its aggregands so far, one value for each (group, keys, value)."""
        groups: dict[Row, list[Any]] = {}
        width = self.program.relations[name].arity - 1
        for row in self.state.aggregands[name]:
            groups.setdefault(row[:width], []).append(row[-1])
        return {group: reduce(self.joins[name], values) for group, values in groups.items()}


class Instantiations:
    """All instantiations of a rule on given rows: iterates over (head row, iteration of each positive atom's row)."""

    def __init__(self, rule: Rule, program: Program, first: Mapping[str, Mapping[Row, int]]) -> None:
        self.rule = rule
        self.program = program
        self.first = first
        self.steps = schedule(rule)
        self.indexes: dict[tuple[str, tuple[int, ...]], dict[Row, list[Row]]] = {}

    def __iter__(self) -> Iterator[tuple[Row, list[int]]]:
        head = self.rule.head
        for bindings, firsts in self._from(0, {}, []):
            yield tuple(_value(t, bindings) for t in head.terms), firsts

    def _from(self, position: int, bindings: Bindings, firsts: list[int]) -> Iterator[tuple[Bindings, list[int]]]:
        if position == len(self.steps):
            yield bindings, firsts
            return
        step = self.steps[position]
        if isinstance(step, Atom):
            for row, extended in self._matches(step, bindings):
                yield from self._from(position + 1, extended, [*firsts, self.first[step.relation][row]])
        else:
            for extended in self._solutions(step, bindings):
                yield from self._from(position + 1, extended, firsts)

    def _matches(self, atom: Atom, bindings: Bindings) -> Iterator[tuple[Row, Bindings]]:
        """Rows that fit an atom, with the bindings they lead to."""
        known = tuple(i for i, t in enumerate(atom.terms)
                      if isinstance(t, Const) or isinstance(t, Var) and t in bindings)
        key = (atom.relation, known)
        if key not in self.indexes:
            self.indexes[key] = {}
            for row in self.first[atom.relation]:
                self.indexes[key].setdefault(tuple(row[i] for i in known), []).append(row)
        for row in self.indexes[key].get(tuple(_value(atom.terms[i], bindings) for i in known), ()):
            extended = dict(bindings)
            if all(extended.setdefault(t, value) == value for t, value in zip(atom.terms, row) if isinstance(t, Var)):
                yield row, extended

    def _solutions(self, literal: Literal, bindings: Bindings) -> Iterator[Bindings]:
        """Bindings extended by a literal that is not a positive atom: none where it fails."""
        match literal:
            case Not(atom):
                if tuple(_value(t, bindings) for t in atom.terms) not in self.first[atom.relation]:
                    yield bindings
            case Compare(operator, left, right):
                if builtins.holds(operator, _value(left, bindings), _value(right, bindings)):
                    yield bindings
            case Compute(result, function, arguments, kind):
                try:
                    yield {**bindings, result: self._call(function, [_value(a, bindings) for a in arguments], kind)}
                except builtins.NoValue:
                    return
            case Generate(result, function, arguments):
                for value in dict.fromkeys(self._generate(function, [_value(a, bindings) for a in arguments])):
                    yield {**bindings, result: value}
            case Pack(result, fields, _, branch):
                values = tuple(_value(f, bindings) for f in fields)
                yield {**bindings, result: values if branch is None else (branch, *values)}
            case Unpack(record, unpacked, _, branch):
                cells = _value(record, bindings)
                if cells is not None and (branch is None or cells[0] == branch):
                    cells = cells if branch is None else cells[1:]
                    yield {**bindings, **{f: cell for f, cell in zip(unpacked, cells, strict=True) if f is not None}}

    def _call(self, name: str, arguments: Sequence[Any], kind: Kind) -> Any:
        if name in self.program.functions:
            function = self.program.functions[name]
            return held(function.call(*arguments), function)
        return builtins.compute(name, tuple(arguments), kind)

    def _generate(self, name: str, arguments: Sequence[Any]) -> Iterable[Any]:
        if name in self.program.functions:
            function = self.program.functions[name]
            return (held(value, function) for value in function.call(*arguments))
        return builtins.generate_range(*arguments)


def schedule(rule: Rule) -> list[Literal]:
    """The literals in an order in which each is evaluated as soon as its variables are known; atoms as in the text."""
    atoms = _atoms(rule)
    pending = [literal for literal in rule.body if not isinstance(literal, Atom)]
    bound: set[Var] = set()
    steps: list[Literal] = []
    for atom in (None, *atoms):
        if atom is not None:
            steps.append(atom)
            bound |= binds(atom)
        while ready := next((literal for literal in pending if needs(literal) <= bound), None):
            pending.remove(ready)
            steps.append(ready)
            bound |= binds(ready)
    return steps


def held(value: Any, function: Function) -> Any:
    """The result of a user functor as a cell of its type holds it."""
    kind = function.result.kind
    if kind in (Kind.NUMBER, Kind.UNSIGNED):
        return builtins.wrap(int(value), kind)
    return builtins.single(value) if kind is Kind.FLOAT else value


def _atoms(rule: Rule) -> list[Atom]:
    return [literal for literal in rule.body if isinstance(literal, Atom)]


def _join(program: Program, relation: str) -> Callable[[Any, Any], Any]:
    aggregate = program.relations[relation].aggregate or ""
    if aggregate in program.lattices:
        join: Callable[[Any, Any], Any] = program.lattices[aggregate].join
        return join
    kind = program.relations[relation].columns[-1].type.kind
    return lambda a, b: builtins.compute("+", (a, b), kind) if aggregate == "sum" else {"min": min, "max": max}[aggregate](a, b)


def _value(term: Term | None, bindings: Bindings) -> Any:
    return term.value if isinstance(term, Const) else bindings[term]  # type: ignore[index]
