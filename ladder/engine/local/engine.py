"""The local engine: a program's components bootstrapped and updated by compiled kernels over columnar state.

    bootstrap   per component: plan with the statistics of what is complete, evaluate, release the bootstrap's plans
    prepare     plans of the update, and the indexes they need, for all components
    update      one transaction: facts taken and given, all components brought up to date, committed or rolled back
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.encode import Names, TooComplex, concatenate, encode
from ladder.engine.local.functions import Functions
from ladder.engine.local.host_values import Values
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.aggregation import (
    forget_notes,
    rename_rows,
    restore_aggregands,
    settle_aggregate,
)
from ladder.engine.local.kernels.blocks import clear_index
from ladder.engine.local.kernels.evaluation import run
from ladder.engine.local.kernels.host_calls import hash_rows, squeeze
from ladder.engine.local.kernels.update import begin_update, change_facts, commit, read_changes, roll_back
from ladder.engine.local.ordered import OrderedComponents
from ladder.engine.local.store import BUDGET, Store, TooLarge
from ladder.engine.plan.build import plans_of_bootstrap, plans_of_update
from ladder.engine.plan.components import UNIT, Aggregate, Component, Expanded, expand, facts_of, needs_filler
from ladder.engine.plan.order import Statistics, expected_matches
from ladder.engine.plan.steps import Plan
from ladder.errors import LadderError
from ladder.language.core import Atom, Const, Not, Program, Rule, Type, Var

Cells = npt.NDArray[np.int32]
COMPACT_FROM = 4096        # absent rows …
COMPACT_SHARE = 4          # … and their share of all stored rows (1 in 4) from which a relation is compacted
SHORT = 4.0                # expected matches from which an index by one column more is not worth its memory


class Inconsistent(LadderError):
    """The state was not that of its facts: a defect, or a damaged state."""


@dataclass
class Report:
    """What one update did, for reports."""

    changed_rows: int = 0
    events: int = 0
    looked_back: int = 0
    active_components: int = 0
    active_iterations: int = 0


@dataclass
class Unsaved:
    """What changed since the last save; `by_row` is None where row numbers no longer mean what they did."""

    by_row: dict[int, list[Cells]] | None = None
    symbols: int = 0
    objects: int = 0
    records: dict[int, int] = field(default_factory=dict)

    def start(self, engine: LocalEngine) -> None:
        """Forget everything: the state has been saved."""
        self.by_row = {}
        self.symbols, self.objects = len(engine.values.symbols), len(engine.values.objects)
        self.records = {number: engine.store.row_count(number) for number in range(len(engine.expanded.components[0].relations))}

    def add(self, number: int, rows: Cells) -> None:
        if self.by_row is not None:
            self.by_row.setdefault(number, []).append(rows)


@dataclass
class UpdatePlans:
    """Components and plans as records: what a bootstrap of one component or an update needs beside the state."""

    components: Any
    inputs: Any
    plans: Any
    steps: Any
    sources: list[Plan] = field(default_factory=list)


class LocalEngine:
    """State of a program over its facts: rows with (first, count), indexes, aggregate trees."""

    def __init__(self, program: Program, batch_size: int | None = None, room: int | None = None,
                 saved_order: Sequence[Sequence[str]] | None = None) -> None:
        """`saved_order`: of components; the engine is left without relations, which a saved state brings."""
        self.program = program
        self.expanded: Expanded = expand(program, saved_order)
        self.relations = self.expanded.relations
        for relation in self.relations.values():
            if relation.arity > L.MAX_COLUMNS:
                raise LadderError(f"{relation.name} has {relation.arity} columns; the engine holds at most {L.MAX_COLUMNS}.",
                                  "Put some of them into a record.")
        self.names = list(self.relations)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        options = {k: v for k, v in {"batch_size": batch_size, "room": room}.items() if v is not None}
        keys = _key_columns(self.expanded) if saved_order is None else {}
        self.store = Store([self.relations[name].arity for name in keys], list(keys.values()), **options)
        self.values = Values(program.types, self.pack, self.unpack)
        self.functions = Functions(program, self.values, self.store)
        self.ordered = OrderedComponents(self)
        self.statistics: dict[str, Statistics] = {}
        self.update_plans: UpdatePlans | None = None
        self.report = Report()
        self.unsaved = Unsaved()
        self._first_relation: list[int] = []
        self._lay_out()
        if saved_order is None:
            self._add_aggregates()
            self._load_cells(UNIT, np.zeros((1, 1), np.int32))

    # ---- layout

    def _lay_out(self) -> None:
        """Number relations and aggregates by component."""
        position = aggregates = 0
        self.first_aggregates: list[int] = []
        for component in self.expanded.components:
            self._first_relation.append(position)
            self.first_aggregates.append(aggregates)
            position += len(component.relations)
            aggregates += len(component.aggregates)

    def _add_aggregates(self) -> None:
        for component in self.expanded.components:
            for a in component.aggregates:
                self.store.new_aggregate(self.join_of(a), self.numbers[a.aggregands], self.numbers[a.groups],
                                         self.numbers[a.totals], self.numbers[a.name], a.keyed)

    def join_of(self, aggregate: Aggregate) -> int:
        """Number of the operation that joins an aggregated relation's values."""
        return self.functions.join(aggregate.join, self.relations[aggregate.name].columns[-1].type, aggregate.keyed)

    def fact_relation(self, name: str) -> str:
        """The relation that holds the given facts of a relation of the program; one with keys has none."""
        taker = self.program.relations[name].facts
        if taker is not None:
            return self.fact_relation(taker)
        if name in self.expanded.ordered:
            return facts_of(name)
        aggregate = self.expanded.aggregates.get(name)
        if aggregate is None:
            return name
        return aggregate.aggregands if aggregate.keyed else aggregate.facts

    def _taker(self, name: str) -> str:
        """The relation that facts given for a relation go to; `LadderError` where it takes none."""
        if self.program.relations[name].keys:
            raise LadderError(f"{name} has keys: facts cannot be given for it.", "Derive its values by rules.")
        return self.fact_relation(name)

    def column_types(self, name: str) -> tuple[Type, ...]:
        """Types of the columns of a relation of the program, as users see them."""
        return tuple(c.type for c in self.program.relations[name].columns)

    def encode_facts(self, name: str, rows: Any) -> Cells:
        """Rows of Python values of a relation of the program → cells as stored."""
        return self.pad(name, self.values.encode_rows(rows, self.column_types(name), name))

    def pad(self, name: str, cells: Cells) -> Cells:
        """Cells as stored: with the filler column where the relation has one."""
        if not needs_filler(self.program.relations[name]):
            return cells
        return np.concatenate([np.zeros((len(cells), 1), np.int32), cells], axis=1)

    def has_filler(self, name: str) -> bool:
        return needs_filler(self.program.relations[name])

    def pack(self, table: str, cells: Cells) -> Cells:
        """Numbers of the records of these rows in a table of records, made where they do not exist."""
        number = self.numbers[table]
        rows = self.store.add(number, cells)
        self.store.set_states(number, rows, np.zeros(len(rows), np.int32), np.ones(len(rows), np.int32))
        return rows + 1

    def successor(self, program: Program) -> LocalEngine:
        """A new engine for a program, in which values have the same cells as here."""
        engine = LocalEngine(program, int(self.store.workspace[0].batch_size))
        engine.values.symbols, engine.values.objects = self.values.symbols, self.values.objects
        for relation in self.expanded.components[0].relations:
            if relation.name != UNIT and relation.name in engine.numbers:
                engine._load_cells(relation.name, self.store.columns(self.numbers[relation.name])[0])
        return engine

    def unpack(self, table: str, cell: int) -> tuple[int, ...]:
        """The cells of a record that is there."""
        rows = self.store.bulk["relation", self.numbers[table], "rows"]
        return tuple(rows[cell - 1].tolist())

    # ---- bootstrap

    def _load_cells(self, name: str, cells: Cells) -> None:
        """Given facts, at iteration 0; a fact given twice is one."""
        number = self.numbers[name]
        rows = np.unique(self.store.add(number, cells))
        self.store.set_states(number, rows, np.zeros(len(rows), np.int32), np.ones(len(rows), np.int32))

    def bootstrap(self, facts: Mapping[str, Cells]) -> None:
        """Evaluate from scratch; the engine must be new. `facts`: relation of the program → cells as stored."""
        for name, cells in self.stated_facts.items():
            self._load_cells(name, cells)
        for name, cells in facts.items():
            self._load_cells(self._taker(name), cells)
        for position, component in enumerate(self.expanded.components):
            self._bootstrap_component(position, component)
        self.ordered.forget()

    @cached_property
    def stated_facts(self) -> dict[str, Cells]:
        """Facts that the program itself states, by the relation that holds them: they hold whatever is deleted."""
        stated: dict[str, Cells] = {}
        for name, rows in self.program.facts.items():
            taker, cells = self.fact_relation(name), self.encode_facts(name, rows)
            stated[taker] = np.concatenate([stated[taker], cells]) if taker in stated else cells
        return stated

    def _bootstrap_component(self, position: int, component: Component) -> None:
        if component.ordered:
            for name, cells in self.ordered.evaluate(position).items():
                self._load_cells(name, cells)
        given = {name: self._measured(name) for name in component.names}
        plans = [plan for rule in component.rules
                 for plan in plans_of_bootstrap(rule, component.names, given, self._statistics_of)]
        steps, records = concatenate(self._encode(plans, component.names))
        record = self._component_record(position, component)
        record.first_plan, record.plan_count = 0, len(records)
        for number in range(int(record.first_relation), int(record.first_relation) + len(component.relations)):
            self.store.relations[number].settled_rows = self.store.relations[number].before_rows = 0
        fixpoint, components = np.zeros(1, L.FIXPOINT)[0], np.zeros(1, L.COMPONENT)
        fixpoint.active, components[0] = 1, record
        self._evaluate(fixpoint, UpdatePlans(components, np.zeros(1, np.int64), records, steps))
        for name in component.names:
            self.statistics[name] = self._measured(name)

    def _measured(self, name: str) -> Statistics:
        rows, lengths = self.store.block_lengths(self.numbers[name])
        return Statistics(rows, lengths)

    def _statistics_of(self, name: str) -> Statistics:
        """Measured where the relation is complete."""
        return self.statistics.get(name) or Statistics.unknown(self.relations[name].arity)

    def _component_record(self, position: int, component: Component) -> Any:
        record = np.zeros(1, L.COMPONENT)[0]
        record.first_relation, record.relation_count = self._first_relation[position], len(component.relations)
        record.first_aggregate, record.aggregate_count = self.first_aggregates[position], len(component.aggregates)
        return record

    # ---- plans

    def _encode(self, plans: list[Plan], own: frozenset[str]) -> Any:
        names = Names(self.numbers.__getitem__, self.values.constant, self.functions.operation, self._choose_index)
        try:
            return encode(plans, own, self.store, names)
        except TooComplex as error:
            place = plans[0].rule.place if plans else None
            raise LadderError(f"A rule is too long for the engine: {error}.", f"Split it in two. {place or ''}") from error

    def _choose_index(self, relation: int, columns: tuple[int, ...]) -> tuple[int, ...]:
        """Columns of the index to look rows up by: all that are known, unless one of them alone finds few rows anyway.

        An index by one column serves many rules; the primary index costs nothing more.
        """
        if len(columns) < 2:
            return columns
        statistics = self.statistics.get(self.names[relation])
        if statistics is not None:
            primary = int(self.store.indexes[int(self.store.relations[relation].primary_index)]["keys"][0])
            short = [c for c in columns if expected_matches(statistics, (c,)) <= SHORT]
            known = [c for c in short if c == primary] or [c for c in short if (relation, (c,)) in self.store.index_numbers]
            if short:
                return (known or short)[:1][0],
        return columns[:L.MAX_KEYS]

    def prepare_updates(self) -> UpdatePlans:
        """Plans of the update with their indexes; made once, after the bootstrap."""
        if self.update_plans is None:
            components: list[Any] = []
            inputs: list[int] = []
            encoded: list[Any] = []
            sources: list[Plan] = []
            for position, component in enumerate(self.expanded.components):
                record = self._component_record(position, component)
                record.first_update_plan, record.first_input = len(encoded), len(inputs)
                plans = [plan for rule in component.rules for plan in plans_of_update(rule, self._statistics_of)]
                encoded += self._encode(plans, component.names)
                sources += plans
                record.update_plan_count = len(plans)
                inputs += [self.numbers[name] for name in component.inputs]
                record.input_count = len(component.inputs)
                components.append(record)
            steps, plans_array = concatenate(encoded)
            table = np.zeros(len(components), L.COMPONENT)
            for number, record in enumerate(components):
                table[number] = record
            self.update_plans = UpdatePlans(table, np.array(inputs or [0], np.int64), plans_array, steps, sources)
        return self.update_plans

    # ---- running kernels

    def _evaluate(self, fixpoint: Any, p: UpdatePlans) -> None:
        """Run a bootstrap or the open update to its end."""
        store = self.store
        self._run(lambda: run(fixpoint, store.update[0], p.components, p.inputs, p.plans, p.steps, store.relations, store.indexes,
                              store.aggregates, store.operations, store.workspace[0]))

    def _run(self, kernel: Any) -> None:
        """Call a kernel until it is finished, doing what it asks for in between."""
        while True:
            self.store.workspace[0].budget = BUDGET
            status = kernel()
            if status == L.FINISHED:
                return
            if status == L.NEEDS_ROOM:
                self._make_room()
            elif status == L.NEEDS_ANSWERS:
                self.functions.answer()
            elif status == L.INCONSISTENT:
                raise Inconsistent("A derivation count became negative: the state was not that of its facts.",
                                   "Remove the saved state and run again.")

    def _make_room(self) -> None:
        try:
            self.store.make_room()
        except TooLarge as error:
            raise LadderError(f"A relation has more rows than 32-bit numbers can name ({error}).") from error

    # ---- update

    def update(self, deleted: Mapping[str, Cells], inserted: Mapping[str, Cells]) -> None:
        """One transaction, left open: facts taken first, then given. `finish` or `abandon` must follow."""
        prepared = self.prepare_updates()
        store = self.store
        begin_update(store.update[0], store.relations)
        self.ordered.begin()
        try:
            for name, cells in deleted.items():
                self._change_facts(self._taker(name), cells, present=False)
            for name, cells in inserted.items():
                self._change_facts(self._taker(name), cells, present=True)
            self._update_components(prepared)
        except BaseException:
            self.abandon()
            raise

    def _update_components(self, prepared: UpdatePlans) -> None:
        """Bring all components up to date; the difference of an ordered one is given to those after it as facts are."""
        fixpoint = np.zeros(1, L.FIXPOINT)[0]
        for position in self.ordered.components:
            self._evaluate(fixpoint, replace(prepared, components=prepared.components[:position]))
            for name, gone, came in self.ordered.difference(position):
                self._change_facts(name, gone, present=False)
                self._change_facts(name, came, present=True)
        self.ordered.forget()
        self._evaluate(fixpoint, prepared)

    def _change_facts(self, name: str, cells: Cells, present: bool) -> None:
        """Facts to be there or not from now on; their old states are kept in the transaction."""
        number = self.numbers[name]
        rows = self.store.add(number, cells) if present else self.store.find(number, cells)
        rows = np.unique(rows[rows >= 0])
        if not present and (stated := self.stated_facts.get(name)) is not None:
            rows = np.setdiff1d(rows, self.store.find(number, stated))
        done = 0
        while (done := change_facts(self.store.update[0], self.store.relations[number], number, rows, present, done)) < len(rows):
            self._make_room()

    def changes(self) -> Iterator[tuple[str, Cells, Cells]]:
        """(relation, rows that came, rows that went) of the open transaction, for every relation that changed."""
        store = self.store
        for number in np.flatnonzero(store.relations["changed"] != L.END).tolist():
            rows, old, new = self.touched(number)
            cells = store.bulk["relation", number, "rows"]
            came, went = (old == L.ABSENT) & (new != L.ABSENT), (old != L.ABSENT) & (new == L.ABSENT)
            if came.any() or went.any():
                yield self.names[number], cells[rows[came]], cells[rows[went]]

    def touched(self, number: int) -> tuple[Cells, Cells, Cells]:
        """(row numbers, old first iterations, new ones) of a relation's changes in the open transaction."""
        store, none = self.store, np.zeros(0, np.int32)
        count = read_changes(store.update[0], store.relations, number, none, none, none)
        rows, old, new = (np.empty(count, np.int32) for _ in range(3))
        read_changes(store.update[0], store.relations, number, rows, old, new)
        return rows, old, new

    def finish(self) -> Report:
        """Commit the open transaction."""
        store = self.store
        record = store.update[0]
        for number in np.flatnonzero(store.relations["changed"] != L.END).tolist():
            self.unsaved.add(number, self.touched(number)[0])
        report = Report(0, int(record.scheduled), int(record.looked_back), int(record.active_components), int(record.active_iterations))
        report.changed_rows = commit(record, store.relations)
        self._forget_notes()
        for number in np.flatnonzero(store.relations["absent_rows"] >= COMPACT_FROM).tolist():
            if COMPACT_SHARE * int(store.relations[number].absent_rows) >= store.row_count(number):
                self.compact(number)
        self.report = report
        return report

    def abandon(self) -> None:
        """Drop the open transaction: the old state stands."""
        store = self.store
        self.functions.withdraw()
        self.ordered.abandon()
        for number in range(len(store.aggregates)):
            aggregate = store.aggregates[number]
            while restore_aggregands(aggregate, store.relations, store.indexes, store.update[0]) == L.NEEDS_ROOM:
                self._make_room()
                aggregate = store.aggregates[number]
            self.settle(number)
        roll_back(store.update[0], store.relations)
        self._forget_notes()
        if self.update_plans is not None:
            self.update_plans.plans["level"] = L.NONE
            self.update_plans.plans["pending_step"] = L.NONE

    def settle(self, number: int) -> None:
        """Join anew in the groups of an aggregate that were touched outside of any evaluation."""
        store = self.store
        self._run(lambda: settle_aggregate(store.aggregates[number], store.operations[int(store.aggregates[number].operation)]))

    def _forget_notes(self) -> None:
        for number in range(len(self.store.aggregates)):
            forget_notes(self.store.aggregates[number])

    def compact(self, number: int) -> None:
        """Remove the absent rows of a relation; cost: one pass over it for each of its indexes."""
        store = self.store
        relation = store.relations[number]
        new_numbers = np.cumsum(store.columns(number)[1] != L.ABSENT, dtype=np.int32) - np.int32(1)
        squeeze(relation)
        if int(relation.aggregate) != L.NONE and store.aggregates[int(relation.aggregate)].by_row:
            self._rename_aggregands(int(relation.aggregate), new_numbers)
        self.unsaved.by_row = None
        primary = int(relation.primary_index)
        clear_index(store.indexes[primary])
        while not hash_rows(store.relations[number], store.indexes[primary]):
            self._make_room()
        for index in relation["indexes"][:int(relation.index_count)].tolist():
            clear_index(store.indexes[index])
        store.list_rows(number)


    def _rename_aggregands(self, number: int, new_numbers: Cells) -> None:
        """Groups follow the rows of their aggregands."""
        store, done = self.store, 0
        groups = store.row_count(int(store.aggregates[number].groups))
        while (done := rename_rows(store.aggregates[number], store.relations, new_numbers, done)) < groups:
            self._make_room()


def _key_columns(expanded: Expanded) -> dict[str, int]:
    """The column by which each relation's rows are hashed first: the one that rules look rows up by most often."""
    uses: dict[str, Counter[int]] = {name: Counter() for name in expanded.relations}
    for component in expanded.components:
        for rule in component.rules:
            _count_uses(rule, uses)
    return {name: max(range(r.arity), key=lambda c: (uses[name][c], -c)) for name, r in expanded.relations.items()}


def _count_uses(rule: Rule, uses: dict[str, Counter[int]]) -> None:
    atoms = [literal.atom if isinstance(literal, Not) else literal for literal in rule.body if isinstance(literal, Atom | Not)]
    for atom in atoms:
        elsewhere = {t for other in (*atoms, rule.head) if other is not atom for t in other.terms if isinstance(t, Var)}
        for column, term in enumerate(atom.terms):
            if isinstance(term, Const) or term in elsewhere:
                uses[atom.relation][column] += 1
