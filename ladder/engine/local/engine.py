"""The local engine: a program's components bootstrapped and updated by compiled kernels over columnar state.

    bootstrap   per component: plan with the statistics of what is complete, evaluate, release the bootstrap's plans
    prepare     plans of the update, and the indexes they need, for all components
    update      one transaction: facts taken and given, all components brought up to date, committed or rolled back
"""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local import transactions
from ladder.engine.local.functions import Functions
from ladder.engine.local.given import GivenToo, given_rows, is_given
from ladder.engine.local.host_values import Values
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.aggregation import settle_aggregate
from ladder.engine.local.kernels.evaluation import run_bootstrap, run_transaction
from ladder.engine.local.ordered import OrderedComponents
from ladder.engine.local.parallel import Threads, mark_shared
from ladder.engine.local.planning import EncodedPlans, bootstrap_plans, key_columns, measured, row_owners
from ladder.engine.local.profile import BOOTSTRAP, UPDATE, Meter, Profile
from ladder.engine.local.store import Store, TooLarge
from ladder.engine.local.transactions import Report, Unsaved
from ladder.engine.plan.components import (
    UNIT,
    Aggregate,
    Component,
    Expanded,
    expand,
    fact_relation,
    is_record_table,
    needs_filler,
)
from ladder.engine.plan.order import Statistics
from ladder.engine.strategies import strategy_of
from ladder.engine.strategies.base import Strategy
from ladder.engine.switching import Costs
from ladder.errors import LadderError
from ladder.language.core import Program, Type
from ladder.limits import Watch

Cells = npt.NDArray[np.int32]
FIRST_BUDGET, LEAST_BUDGET, MOST_BUDGET = 64, 16, 1 << 14     # batches until a kernel stops so that the host may look around
SOON, LATE = 0.01, 0.04                                       # seconds between two looks: the budget is adjusted to these


class Inconsistent(LadderError):
    """The state was not that of its facts: a defect, or a damaged state."""


class LocalEngine:
    """State of a program over its facts: rows with what the strategy knows of each, indexes, aggregate trees."""

    def __init__(self, program: Program, batch_size: int | None = None, room: int | None = None,
                 saved_order: Sequence[Sequence[str]] | None = None, store: Store | None = None, watch: Watch | None = None,
                 strategy: str = "elastic", jobs: int = 1) -> None:
        """`saved_order`: of components; the engine is left without relations, which a saved state or a `store` brings.

        `watch` looks at time and memory whenever kernels pause, and before they are granted room.
        `jobs`: threads for what a bootstrap does in bulk.
        `Unsupported` where the strategy cannot maintain the program.
        """
        self.program = program
        self.expanded: Expanded = expand(program, saved_order)
        self.relations = self.expanded.relations
        for relation in self.relations.values():
            if relation.arity > L.MAX_COLUMNS:
                raise LadderError(f"{relation.name} has {relation.arity} columns; the engine holds at most {L.MAX_COLUMNS}.",
                                  "Put some of them into a record.")
        self.place({name: number for number, name in enumerate(self.relations)},
                   {name: number for number, name in enumerate(a.name for c in self.expanded.components for a in c.aggregates)})
        options = {k: v for k, v in {"batch_size": batch_size, "room": room}.items() if v is not None}
        owners = row_owners(self.expanded, program)
        keys = key_columns(self.expanded, owners) if saved_order is None else {}
        self.store = store or Store([self.relations[name].arity for name in keys], list(keys.values()),
                                    [self.numbers[owners[name]] if name in owners else L.NONE for name in keys], **options)
        self.watch = watch or Watch()
        self.store.grant = self.watch.grant
        self.jobs, self.threads = jobs, Threads(self, jobs) if jobs > 1 else None
        self.budget = FIRST_BUDGET
        self.values = Values(program.types, self.pack, self.unpack)
        self.functions = Functions(program, self.values, self.store)
        self.ordered = OrderedComponents(self)
        self.strategy: Strategy = strategy_of(strategy)(self)
        self.given_too = GivenToo()
        self.statistics: dict[str, Statistics] = {}
        self.update_plans: EncodedPlans | None = None
        self.costs = Costs()
        self.profile: Profile | None = None
        self.rehearsed = False
        self.report = Report()
        self.unsaved = Unsaved()
        self.absent_elsewhere: dict[int, int] = {}     # absent rows that were found to be in a relation that shares them
        if saved_order is None:
            self._add_aggregates()
            self.load_cells(UNIT, np.zeros((1, 1), np.int32))

    # ---- layout

    def place(self, numbers: dict[str, int], aggregate_numbers: dict[str, int]) -> None:
        """Number relations and aggregates; those of a component are runs of numbers."""
        self.numbers, self.aggregate_numbers = numbers, aggregate_numbers
        self.names = {number: name for name, number in numbers.items()}

    def _add_aggregates(self) -> None:
        for component in self.expanded.components:
            for a in component.aggregates:
                self.add_aggregate(a)

    def add_aggregate(self, a: Aggregate) -> int:
        """Make the state of an aggregated relation; its number."""
        return self.store.new_aggregate(self.join_of(a), self.numbers[a.aggregands], self.numbers[a.totals], self.numbers[a.name],
                                        self.relations[a.name].arity - 1, a.keyed)

    def join_of(self, aggregate: Aggregate) -> int:
        """Number of the operation that joins an aggregated relation's values."""
        return self.functions.join(aggregate.join, self.relations[aggregate.name].columns[-1].type, aggregate.keyed)

    def fact_relation(self, name: str) -> str:
        """The relation that holds the given facts of a relation of the program; one with keys has none."""
        return fact_relation(name, self.program, self.expanded)

    def taker(self, name: str) -> str:
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
        engine = LocalEngine(program, int(self.store.workspace[0].batch_size), watch=self.watch,
                             strategy=self.strategy.name, jobs=self.jobs)
        engine.profile = self.profile
        engine.values.symbols, engine.values.objects = self.values.symbols, self.values.objects
        engine.functions.renew()
        for name in filter(is_record_table, self.relations):
            if name in engine.numbers:
                engine.load_cells(name, self.store.cells(self.numbers[name]))
        return engine

    def unpack(self, table: str, cell: int) -> tuple[int, ...]:
        """The cells of a record that is there."""
        rows = self.store.cells(self.numbers[table])
        return tuple(rows[cell - 1].tolist())

    def given_facts(self, name: str, deleted: Cells | None = None) -> tuple[Cells, npt.NDArray[np.bool_]]:
        """(stored rows of a relation's given facts, which of them were given from outside and are not among `deleted`)."""
        return given_rows(self, self.fact_relation(name), deleted)

    def is_given(self, name: str, cells: Cells) -> npt.NDArray[np.bool_]:
        """Whether each of these rows is a given fact of a relation of the program."""
        return is_given(self, self.taker(name), cells)

    # ---- bootstrap

    def load_cells(self, name: str, cells: Cells) -> None:
        """Given facts, at iteration 0; a fact given twice is one."""
        number = self.numbers[name]
        rows = self.store.add(number, cells)
        self.store.set_states(number, rows, np.zeros(len(rows), np.int32), np.ones(len(rows), np.int32))

    def bootstrap(self, facts: Mapping[str, Cells]) -> None:
        """Evaluate from scratch; the engine must be new. `facts`: relation of the program → cells as stored."""
        self._load_kernels()
        began = self.watch.work()
        for name, cells in self.stated_facts.items():
            self.load_cells(name, cells)
        for name, cells in facts.items():
            taker = self.taker(name)
            self.given_too.change(taker, cells, self.stated_facts.get(taker), present=True)
            self.load_cells(taker, cells)
        try:
            for position, component in enumerate(self.expanded.components):
                self.bootstrap_component(position, component)
        finally:
            if self.threads is not None:
                self.threads.close()
        self.ordered.forget()
        self.costs.note_bootstrap(self.watch.work() - began, sum(map(len, facts.values())))

    def _load_kernels(self) -> None:
        """Have the evaluation compiled or loaded, so that this is not taken for the time that a bootstrap takes."""
        fixpoint = np.zeros(1, L.FIXPOINT)[0]
        fixpoint.active = 1
        self.evaluate(fixpoint, EncodedPlans.none())

    def load_transaction(self) -> None:
        """Have the kernel of updates compiled or loaded."""
        self.evaluate(np.zeros(1, L.FIXPOINT)[0], EncodedPlans.none())

    def rehearse(self) -> None:
        """Make what updates need: plans with their indexes, and the kernels that nothing else calls."""
        profile, self.profile = self.profile, None      # loading is no rule's cost
        for end in (self.abandon, self.finish):
            self.update({}, {})
            end()
        self.profile = profile
        self.strategy.change_facts(0, np.zeros(0, np.int64), present=False, done=0)
        self.store.find(0, np.zeros((0, 1), np.int32))
        self.touched(0)
        self.rehearsed = True

    @cached_property
    def stated_facts(self) -> dict[str, Cells]:
        """Facts that the program itself states, by the relation that holds them: they hold whatever is deleted."""
        stated: dict[str, Cells] = {}
        for name, rows in self.program.facts.items():
            taker, cells = self.fact_relation(name), self.encode_facts(name, rows)
            stated[taker] = np.concatenate([stated[taker], cells]) if taker in stated else cells
        return stated

    def bootstrap_component(self, position: int, component: Component) -> None:
        """Evaluate one component from scratch; its relations hold nothing but given facts."""
        if component.ordered:
            for name, cells in self.ordered.evaluate(position).items():
                self.load_cells(name, cells)
        plans = bootstrap_plans(self, position, component)
        for number in (self.numbers[name] for name in component.names):
            self.store.relations[number].settled_rows = self.store.relations[number].before_rows = 0
        self.strategy.bootstrap(position, component, plans)
        for name in component.names:
            self.statistics[name] = measured(self, name)

    def component_record(self, position: int, component: Component) -> Any:
        """The record of a component, without its plans."""
        record = np.zeros(1, L.COMPONENT)[0]
        record.first_relation, record.relation_count = min(self.numbers[name] for name in component.names), len(component.relations)
        record.first_aggregate = min((self.aggregate_numbers[a.name] for a in component.aggregates), default=0)
        record.aggregate_count = len(component.aggregates)
        return record

    def prepare_updates(self) -> EncodedPlans:
        """Plans of the update with their indexes; made once, after the bootstrap."""
        if self.update_plans is None:
            self.update_plans = self.strategy.plans()
        return self.update_plans

    # ---- running kernels

    def evaluate(self, fixpoint: Any, p: EncodedPlans) -> int:
        """Run a bootstrap to its end, or until it NEEDS_PLANS; the open update where `fixpoint` is not active."""
        if fixpoint.active:
            return self.run_measured(partial(self._run_bootstrap, fixpoint, p), p, fixpoint)
        return self.run_measured(partial(self._run_transaction, p), p)

    def run_measured(self, kernel: Callable[[], int], p: EncodedPlans, fixpoint: Any = None) -> int:
        """As `run_kernel`; what its plans take is noted where there is a profile. `fixpoint`: of a bootstrap."""
        if self.profile is None or not len(p.components):
            return self.run_kernel(kernel)
        record, work = (self.store.update[0], UPDATE) if fixpoint is None else (fixpoint, BOOTSTRAP)
        meter = Meter(self.profile, self, record, p, work)
        try:
            return self.run_kernel(kernel, meter.stopped)
        finally:
            meter.end()

    def _run_bootstrap(self, fixpoint: Any, p: EncodedPlans) -> int:
        store = self.store
        return int(run_bootstrap(fixpoint, store.update[0], p.components, p.plans, p.steps, store.relations, store.indexes,
                                 store.aggregates, store.operations, store.workspace[0]))

    def _run_transaction(self, p: EncodedPlans) -> int:
        store = self.store
        return int(run_transaction(store.update[0], p.components, p.inputs, p.plans, p.steps, store.relations, store.indexes,
                                   store.aggregates, store.operations, store.workspace[0]))

    def evaluate_with_threads(self, fixpoint: Any, p: EncodedPlans) -> int:
        """As `evaluate`, a bootstrap; threads help where an iteration starts from many rows."""
        if self.threads is None:
            return self.evaluate(fixpoint, p)
        mark_shared(self, p)
        fixpoint.share_from = self.threads.share_from
        while (status := self.evaluate(fixpoint, p)) == L.NEEDS_THREADS:
            self.threads.help(fixpoint, p)
        return status

    def run_kernel(self, kernel: Callable[[], int], stopped: Callable[[], None] | None = None) -> int:
        """Call a kernel until it is finished (or NEEDS_PLANS or NEEDS_THREADS), doing what it asks for in between; `stopped` is told each time."""
        workspace, looked = self.store.workspace[0], time.perf_counter()
        while True:
            workspace.budget = self.budget
            status = kernel()
            if stopped is not None:
                stopped()
            if status in (L.FINISHED, L.NEEDS_PLANS, L.NEEDS_THREADS):
                return int(status)
            if status == L.NEEDS_ROOM:
                self.make_room()
            elif status == L.NEEDS_ANSWERS:
                self.functions.answer()
            elif status == L.NEEDS_PAUSE:
                now = time.perf_counter()
                self._adjust_budget(now - looked)
                looked = now
            elif status == L.NO_LATTICE:
                raise LadderError("The values of a group returned to one that they had left: a join is not that of a lattice.",
                                  "`ladder check` tells which, with an example.")
            elif status == L.INCONSISTENT:
                raise Inconsistent("A derivation count became negative: the state was not that of its facts.",
                                   "Remove the saved state and run again.")
            self.watch.look()

    def _adjust_budget(self, seconds: float) -> None:
        """Batches differ in cost by orders of magnitude: the next pause shall come after some hundredths of a second."""
        if seconds < SOON:
            self.budget = min(MOST_BUDGET, 2 * self.budget)
        elif seconds > LATE:
            self.budget = max(LEAST_BUDGET, self.budget // 2)

    def make_room(self) -> None:
        """Grant kernels what they asked for."""
        try:
            self.store.make_room()
            self.strategy.made_room()
        except TooLarge as error:
            raise LadderError(f"A relation has more rows than 32-bit numbers can name ({error}).") from error

    def settle(self, number: int) -> None:
        """Join anew in the groups of an aggregate that were touched outside of any evaluation."""
        store = self.store
        self.run_kernel(lambda: settle_aggregate(store.aggregates[number], store.operations[int(store.aggregates[number].operation)]))

    # ---- transactions

    def update(self, deleted: Mapping[str, Cells], inserted: Mapping[str, Cells]) -> None:
        """One transaction, left open: facts taken first, then given. `finish` or `abandon` must follow."""
        transactions.open_update(self, deleted, inserted)

    def changes(self, of: Program | None = None) -> Iterator[tuple[str, Cells, Cells]]:
        """(relation, rows that came, rows that went) of the open transaction; `of`: of the relations that a program declares."""
        return transactions.changes(self, of)

    def touched(self, number: int) -> tuple[Cells, Cells, Cells]:
        """(row numbers, old first iterations, new ones) of a relation's changes in the open transaction."""
        return transactions.touched(self, number)

    def finish(self) -> Report:
        """Commit the open transaction."""
        self.report = transactions.finish(self)
        return self.report

    def abandon(self) -> None:
        """Drop the open transaction: the old state stands."""
        transactions.abandon(self)

    def compact(self, number: int) -> None:
        """Remove the absent rows of a relation."""
        transactions.compact(self, number)
