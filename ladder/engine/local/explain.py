"""Explains why a row is there by one derivation of least height, from the row down to facts.

The first derivation of every row uses rows that appeared earlier, so following rows to an instantiation in their first
iteration ends after finitely many steps, also in recursion. The iterations of an ordered component are not stored: it
is evaluated again to get them, and rows from which a row was derived may have been dominated since.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from ladder.errors import LadderError, Unsupported
from ladder.language.core import (
    ORDERED,
    Atom,
    Compare,
    Compute,
    Const,
    Generate,
    Kind,
    Literal,
    Not,
    Pack,
    Program,
    Relation,
    Rule,
    Term,
    Unpack,
    Var,
)
from ladder.language.roles import Role
from ladder.language.values.show import show_value
from ladder.plan.components import FILLER, Component, Expanded, facts_of, pad_rule, role_of, shown_columns
from ladder.plan.equalities import requirements
from ladder.plan.order import Costs, Statistics, next_atom, variables_of
from ladder.support.counts import counted
from ladder.support.terminal import visible
from ladder.support.tuning import Tuning

if TYPE_CHECKING:
    from ladder.engine.local.values.calls import Calls
    from ladder.engine.local.values.encoding import Values

Bindings = dict[Var, Any]
Stored = tuple[str, tuple[int, ...], int]  # a row: relation, cells, first iteration
CALLS_OF_A_STEP = 6  # within one another, at most: a row may lie below all others
MORE = "…"  # the note of rows whose reasons are left out
JOINS = {"min": "the least", "max": "the greatest", "sum": "the sum"}


class Storage(Protocol):
    """Where rows are looked up, by the number of a relation (see `ladder.engine.local.store.Store`)."""

    def present(self, relation: int) -> tuple[Any, Any, Any]: ...
    def find(self, relation: int, cells: Any) -> Any: ...
    def first(self, relation: int) -> Any: ...


class Explainable(Protocol):
    """A state whose rows can be explained: that of an engine, or a saved one (see `saved.glance`)."""

    program: Program
    expanded: Expanded
    relations: dict[str, Relation]
    numbers: dict[str, int]
    tuning: Tuning
    ordered: Any
    strategy: Any

    @property
    def statistics(self) -> Mapping[str, Statistics]:
        """Statistics of relations, by their names."""

    @property
    def store(self) -> Storage: ...
    @property
    def values(self) -> Values: ...
    @property
    def functions(self) -> Calls: ...
    def encode_facts(self, name: str, rows: Any) -> Any: ...


@dataclass(frozen=True)
class Explanation:
    """A row, the rule that derived it (None: a fact, or what `note` says), and the explanations of its body rows.

    `text`: the row as it is printed, if that is not made of the `str` of its values.
    """

    relation: str
    row: tuple[Any, ...]
    rule: Rule | None
    because: tuple[Explanation, ...] = ()
    note: str = ""
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    @property
    def cut(self) -> bool:
        """Whether the reasons of some row are left out."""
        waiting = [self]
        while waiting:
            part = waiting.pop()
            if part.note == MORE:
                return True
            waiting += part.because
        return False

    def lines(self, indent: str = "") -> Iterator[str]:
        """A line for each row, followed by the indented lines of the rows that it is derived from."""
        waiting = [(self, indent)]
        while waiting:
            part, indent = waiting.pop()
            shown = visible(part.text or f"{part.relation}({', '.join(map(str, part.row))})", layout=False)
            yield f"{indent}{shown}{'  ' + part.note if part.note else ''}"
            if part.rule is not None:
                place = f"   [{part.rule.place.file}:{part.rule.place.line}]" if part.rule.place else ""
                yield f"{indent}  by {part.rule}{place}"
            waiting += [(reason, indent + "    ") for reason in reversed(part.because)]


def explain(engine: Explainable, relation: str, row: tuple[Any, ...], depth: int | None = None) -> Explanation:
    """The explanation of a row of a relation of the program; `LadderError` if the row does not exist.

    `depth`: how many levels of reasons it has, by default all; rows of the last one whose reasons are left out have the
    note `MORE`.
    """
    if relation not in engine.program.relations:
        raise LadderError(f"The program has no relation {relation}.")
    if not engine.strategy.timed:
        raise Unsupported(
            f"The strategy {engine.strategy.name} does not know when rows appear, so that none can be explained.",
            "elastic, counting and recompute do.",
        )
    explainer = _Explainer(engine, depth)
    cells = engine.encode_facts(relation, [row])[0]
    stored = explainer.stored(relation, cells)
    if stored is None:
        raise LadderError(
            f"{relation}({', '.join(map(str, row))}) is not a row.", "Only rows that are there can be explained."
        )
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, CALLS_OF_A_STEP * explainer.tuning.rows))
    try:
        return explainer.explain(relation, tuple(cells.tolist()), stored)
    finally:
        sys.setrecursionlimit(usual)


class Rows:
    """The present rows of a relation, which are looked up by some of their cells: by a scan at first, and by the order
    of a column once that was done a few times."""

    def __init__(
        self, cells: npt.NDArray[np.int32], first: npt.NDArray[np.int32], blocks: Sequence[float], tuning: Tuning
    ) -> None:
        """`blocks`: for each column how many rows are expected to share a value."""
        self.cells, self.first, self.blocks, self.tuning = cells, first, blocks, tuning.explaining
        self.scans: Counter[int] = Counter()
        self.sorted: dict[int, tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]] = {}

    def where(self, known: Mapping[int, int]) -> npt.NDArray[np.int64]:
        """The numbers of the rows with these cells (column → cell), in order."""
        if not known:
            return np.arange(len(self.cells))
        column = min(known, key=lambda c: self.blocks[c])
        self.scans[column] += 1
        if self.scans[column] <= self.tuning.scans or len(self.cells) < self.tuning.few_rows:
            found = np.flatnonzero(self.cells[:, column] == known[column])
        else:
            if column not in self.sorted:
                order = np.argsort(self.cells[:, column], kind="stable")
                self.sorted[column] = order, self.cells[order, column]
            order, values = self.sorted[column]
            found = order[values.searchsorted(known[column]) : values.searchsorted(known[column], "right")]
        for each, cell in known.items():
            if each != column:
                found = found[self.cells[found, each] == cell]
        return found


def _bound_by(literal: Literal) -> set[Var]:
    """The variables that have a value once a literal holds."""
    match literal:
        case Atom(_, terms):
            return variables_of(terms)
        case Compute(result) | Generate(result) | Pack(result):
            return variables_of([result])
        case Unpack(_, fields):
            return variables_of(fields)
    return set()


class _Explainer:
    """Finds instantiations on the engine's cells; rows that were explained once are only named when they occur again,
    unless more of their reasons may be shown there."""

    def __init__(self, engine: Explainable, depth: int | None) -> None:
        self.engine, self.steps, self.tuning = engine, 0, engine.tuning.explaining
        self.depth, self.level = depth, 0  # levels of reasons that are shown, the present one
        self.component_of: dict[str, Component] = {name: c for c in engine.expanded.components for name in c.names}
        # relation of facts → the relation whose facts they are
        self.stored_as: dict[str, str] = {}
        for name, stored in engine.program.relations.items():
            if stored.facts is not None:
                self.stored_as.setdefault(stored.facts, name)
        self.explained: dict[tuple[str, tuple[int, ...]], int] = {}  # row → level at which it was explained
        self.iterations: dict[str, dict[tuple[int, ...], int]] = {}  # of rows of ordered relations
        self.present: dict[str, Rows] = {}
        # by the identity of the rule, which is kept: its literals, with their places in the body
        self.orders: dict[int, tuple[Rule, Sequence[tuple[int, Literal]]]] = {}

    def stored(self, relation: str, cells: Any) -> int | None:
        """The first iteration of a row; None if it does not exist."""
        store, number = self.engine.store, self.engine.numbers[relation]
        row = int(store.find(number, np.array([cells], np.int32))[0])
        first = int(store.first(number)[row]) if row >= 0 else 1 << 30
        return None if first >= 1 << 30 else first

    def explain(self, relation: str, cells: tuple[int, ...], first: int) -> Explanation:
        """The explanation of a stored row, whose reasons are at most `depth` levels below the one asked for."""
        found = self.row(relation, cells)
        before = self.explained.get((relation, cells))
        if before is not None and (self.depth is None or before <= self.level):
            return replace(found, note="(see above)")
        self.steps += 1
        totals = relation in self.engine.expanded.aggregates or self.role(relation) is Role.TOTALS
        ordered = relation in self.engine.expanded.ordered
        if first == 0 and not totals and not ordered:
            return replace(found, note="given")
        if self.steps > self.tuning.rows or self.level == self.depth:
            return replace(found, note=MORE)
        self.explained[relation, cells] = self.level
        self.level += 1
        try:
            if totals:
                return self.explain_total(relation, cells, found)
            if ordered:
                return self.explain_ordered(relation, cells, found)
            return self.explain_derived(relation, cells, first, found)
        finally:
            self.level -= 1

    def explain_derived(self, relation: str, cells: tuple[int, ...], first: int, found: Explanation) -> Explanation:
        """Explain a row by the rows of an instantiation of a rule that derived it in its first iteration."""
        component = self.component_of[relation]
        for rule in component.rules:
            if rule.head.relation == relation:
                for rows in self.instantiations(rule, cells, first, component):
                    because = tuple(self.explain(r, c, f) for r, c, f in rows)
                    roles = [self.role(r) for r, _, _ in rows]
                    if self.role(relation) is Role.AGGREGATE_INPUTS and roles == [Role.FACTS]:
                        return replace(because[0], relation=found.relation, text=found.text)
                    return replace(found, rule=rule, because=because, note="")
        return found

    def explain_ordered(self, relation: str, cells: tuple[int, ...], found: Explanation) -> Explanation:
        """Explain a row of an ordered relation: it is a fact, or derived from rows that came in earlier iterations and
        are still there."""
        component = self.component_of[relation]
        if self.stored(facts_of(relation), cells) is not None:
            return replace(found, note="given")
        if self.engine.program.relations[relation].aggregate is not None:
            return replace(found, note="a total of values within an ordered component")
        time = self.iterations_of(relation, component).get(cells, 0)
        for rule in self.engine.program.rules:
            if rule.head.relation == relation:
                padded = pad_rule(rule, self.engine.program)
                for rows in self.instantiations(padded, cells, time, component):
                    because = tuple(self.explain(r, c, f) for r, c, f in rows)
                    return replace(
                        found, rule=rule, because=because, note=f"in iteration {time} of an ordered relation"
                    )
        return replace(found, note=f"in iteration {time} of an ordered relation, from rows that are no longer there")

    def iterations_of(self, relation: str, component: Component) -> dict[tuple[int, ...], int]:
        """Row of an ordered relation → iteration in which it was derived; the whole component is evaluated for it."""
        if relation not in self.iterations:
            position = self.engine.expanded.components.index(component)
            for name, (rows, iterations) in self.engine.ordered.iterations(position).items():
                self.iterations[name] = dict(zip(map(tuple, rows.tolist()), iterations, strict=True))
        return self.iterations[relation]

    def explain_total(self, relation: str, cells: tuple[int, ...], found: Explanation) -> Explanation:
        """Explain a total by the aggregate inputs of its group that had arrived by then."""
        aggregate = next(a for a in self.engine.expanded.aggregates.values() if relation in (a.name, a.totals))
        inputs = self.rows_of(aggregate.inputs)
        group = inputs.where(dict(enumerate(cells[:-1])))
        if relation == aggregate.totals:
            group = group[inputs.first[group] <= (self.stored(relation, cells) or 0)]
        parts = sorted(zip(inputs.first[group].tolist(), map(tuple, inputs.cells[group].tolist()), strict=True))
        most = self.tuning.values
        explained = [self.explain(aggregate.inputs, c, f) for f, c in parts[:most]]
        because = [part for part in explained if not self.is_marker(part)]
        count = len(parts) - len(explained) + len(because)
        if len(parts) > most:
            because.append(Explanation(found.relation, (), None, note=f"and {len(parts) - most} more", text="…"))
        note = f"{JOINS.get(aggregate.join, 'the join')} of {counted(count, 'value')}"
        return replace(found, because=tuple(because), note=note)

    def is_marker(self, part: Explanation) -> bool:
        """Whether an aggregate input only makes its group exist, so that an empty sum is 0."""
        if part.rule is None or self.role(part.rule.head.relation) is not Role.AGGREGATE_INPUTS:
            return False
        head = self.engine.relations[part.rule.head.relation].part
        if head is None or self.role(head.of) is not Role.AGGREGATE:
            return False
        return all(isinstance(b, Atom) and self.role(b.relation) is Role.GROUPS for b in part.rule.body)

    def role(self, relation: str) -> Role | None:
        """The role of a stored relation; None for one that the program declares."""
        return role_of(self.engine.relations[relation])

    def row(self, relation: str, cells: tuple[int, ...]) -> Explanation:
        """The explanation of a row without reasons."""
        columns = shown_columns(self.engine.relations[relation])
        values, name = self.decoded(relation, cells), self.public(relation)
        if all(column.type.kind in (Kind.NUMBER, Kind.SYMBOL) for column in columns):  # whose `str` is what is printed
            return Explanation(name, values, None, note="(no derivation found)")
        texts = (
            show_value(value, column.type, self.engine.values.types, self.engine.values.lattices)
            for value, column in zip(values, columns, strict=True)
        )
        return Explanation(name, values, None, note="(no derivation found)", text=f"{name}({', '.join(texts)})")

    def public(self, relation: str) -> str:
        """The name in the program of a stored relation; of one that only stores the facts of another, the other's
        name."""
        program, part = self.engine.program, self.engine.relations[relation].part
        if relation not in program.relations and part is not None:
            relation = part.of
        return self.stored_as.get(relation, relation)

    def decoded(self, relation: str, cells: tuple[int, ...]) -> tuple[Any, ...]:
        columns = self.engine.relations[relation].columns
        return tuple(
            self.engine.values.decode(c, column.type)
            for c, column in zip(cells, columns, strict=True)
            if column != FILLER
        )

    def instantiations(
        self, rule: Rule, cells: tuple[int, ...], time: int, component: Component
    ) -> Iterator[list[Stored]]:
        """Iterate over the body rows, in the order of the body, of instantiations that derive the head in its first
        iteration."""
        bindings: Bindings = {}
        for term, cell in zip(rule.head.terms, cells, strict=True):
            if not self.unify(term, cell, bindings):
                return
        yield from self.extend(self.order_of(rule), 0, bindings, {}, time, component)

    def unify(self, term: Term | None, cell: int, bindings: Bindings) -> bool:
        if term is None:
            return True
        if isinstance(term, Const):
            return self.engine.values.constant(term) == cell
        return bool(bindings.setdefault(term, cell) == cell)

    def order_of(self, rule: Rule) -> Sequence[tuple[int, Literal]]:
        """The literals of a rule's body, with their places there, in the order in which they are looked at once the
        head is known: whatever can be evaluated, else the atom that is expected to match the fewest rows."""
        known = self.orders.get(id(rule))
        if known is None:
            known = self.orders[id(rule)] = rule, tuple(self._ordered(rule))
        return known[1]

    def _ordered(self, rule: Rule) -> Iterator[tuple[int, Literal]]:
        left, bound = dict(enumerate(rule.body)), variables_of(rule.head.terms)
        costs = Costs({n: self.statistics(b.relation) for n, b in left.items() if isinstance(b, Atom)})
        while left:
            ready = (n for n, b in left.items() if not isinstance(b, Atom) and requirements(b) <= bound)
            at = next(ready, None)
            if at is None:
                at = next_atom({n: b for n, b in left.items() if isinstance(b, Atom)}, bound, costs)
            literal = left.pop(at)
            bound |= _bound_by(literal)
            yield at, literal

    def statistics(self, relation: str) -> Statistics:
        """What is known of the rows of a relation."""
        known = self.engine.statistics.get(relation)
        arity = self.engine.relations[relation].arity
        return Statistics.unknown(arity) if known is None or len(known.blocks) != arity else known

    def extend(
        self,
        body: Sequence[tuple[int, Literal]],
        at: int,
        bindings: Bindings,
        rows: Mapping[int, Stored],
        time: int,
        component: Component,
    ) -> Iterator[list[Stored]]:
        """Iterate over the rows of the instantiations in which the literals before `at` hold with these bindings and
        rows."""
        if at == len(body):
            own = [first for relation, _, first in rows.values() if relation in component.names]
            if bool(own) == (time > 0) if component.ordered else 1 + max(own, default=0) == time:
                yield [rows[place] for place in sorted(rows)]
            return
        place, literal = body[at]
        if not isinstance(literal, Atom):
            for extended in self.evaluate(literal, bindings):
                yield from self.extend(body, at + 1, extended, rows, time, component)
            return
        for cells, first in self.matches(literal, bindings, component, time):
            extended = dict(bindings)
            if all(self.unify(t, c, extended) for t, c in zip(literal.terms, cells, strict=True)):
                found = {**rows, place: (literal.relation, cells, first)}
                yield from self.extend(body, at + 1, extended, found, time, component)

    def matches(
        self, atom: Atom, bindings: Bindings, component: Component, time: int
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """The present rows of a relation that match the bindings; of the same component, only those that appeared
        before `time`."""
        known = {
            column: self.engine.values.constant(term) if isinstance(term, Const) else bindings[term]
            for column, term in enumerate(atom.terms)
            if isinstance(term, Const) or (term is not None and term in bindings)
        }
        own = atom.relation in component.names
        if len(known) == len(atom.terms) and not (own and component.ordered):
            cells = tuple(known[column] for column in range(len(known)))
            first = self.stored(atom.relation, cells)
            if first is not None and (not own or first < time):
                yield cells, first
            return
        there = self.rows_of(atom.relation, component)
        for number in there.where(known).tolist():
            if not own or there.first[number] < time:
                yield tuple(there.cells[number].tolist()), int(there.first[number])

    def rows_of(self, relation: str, component: Component | None = None) -> Rows:
        """The present rows of a relation; with the iterations in which an ordered component derives its own."""
        own = component is not None and component.ordered and relation in component.names
        key = f"{relation} as its component is evaluated" if own else relation
        if key not in self.present:
            cells, first, _ = self.engine.store.present(self.engine.numbers[relation])
            if component is not None and own:
                known = self.iterations_of(relation, component)
                first = np.array([known.get(tuple(row), 0) for row in cells.tolist()], np.int32)
            self.present[key] = Rows(cells, first, self.statistics(relation).blocks, self.engine.tuning)
        return self.present[key]

    def evaluate(self, literal: Literal, bindings: Bindings) -> Iterator[Bindings]:
        """The extended bindings under which a literal that is no atom holds."""

        def cell(term: Term) -> int:
            return bindings[term] if isinstance(term, Var) else self.engine.values.constant(term)

        found: list[tuple[Term | None, int]] = []
        match literal:
            case Not(atom):
                if self.stored(atom.relation, [cell(t) for t in atom.terms if t is not None]) is None:
                    yield bindings
                return
            case Compare(operator, left, right, kind):
                if operator in ("=", "!="):
                    holds = (cell(left) == cell(right)) == (operator == "=")
                else:
                    holds = bool(self.engine.functions.apply(operator, kind, (cell(left), cell(right))))
                if holds:
                    yield bindings
                return
            case Compute(result, function) if function in ORDERED:
                yield {result: 0, **bindings}  # known where the head tells it
                return
            case Compute(result, function, arguments, kind):
                value = self.engine.functions.apply(function, kind, tuple(map(cell, arguments)))
                found = [] if value is None else [(result, value)]
            case Generate(result, function, arguments, kind):
                values = self.engine.functions.apply(function, kind, tuple(map(cell, arguments)))
                found = [(result, value) for value in values or ()]
            case Pack(result, fields, type_, branch):
                found = [(result, self.engine.values.record_cell(type_, branch, list(map(cell, fields))))]
            case Unpack(record, unpacked, type_, branch):
                parts = self.engine.values.record_cells(type_, branch, cell(record))
                if parts is None:
                    return
                extended = dict(bindings)
                if all(self.unify(f, c, extended) for f, c in zip(unpacked, parts, strict=True)):
                    yield extended
                return
        for variable, value in found:
            extended = dict(bindings)
            if self.unify(variable, value, extended):
                yield extended
