"""The local engine: a program's components bootstrapped and updated by compiled kernels over columnar state.

bootstrap   component by component, each by the phases of `BOOTSTRAP`
update      one transaction, by the phases of `transactions.UPDATE`, then those of `COMMIT` or `ROLL_BACK`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

from ladder.engine.local import transactions
from ladder.engine.local.bootstrap_plans import bootstrap_plans
from ladder.engine.local.dormant import rules_to_plan
from ladder.engine.local.dropping import drop_long_indexes
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.laws import warn_of_broken_laws
from ladder.engine.local.limited import rows_within_limits
from ladder.engine.local.maintained import Maintained
from ladder.engine.local.planning import EncodedPlans
from ladder.engine.local.runner import about
from ladder.engine.local.store import Store
from ladder.engine.local.transactions import Report
from ladder.language.core import Program, Rule
from ladder.plan.components import (
    UNIT,
    Component,
)
from ladder.support.collection import without_collection
from ladder.support.limits import Watch
from ladder.support.tuning import DEFAULT, Tuning

Cells = npt.NDArray[np.int32]


class LocalEngine(Maintained):
    """A state that is bootstrapped once, then updated by transactions."""

    def __init__(
        self,
        program: Program,
        saved_order: Sequence[Sequence[str]] | None = None,
        store: Store | None = None,
        watch: Watch | None = None,
        strategy: str = "elastic",
        jobs: int = 1,
        tuning: Tuning = DEFAULT,
    ) -> None:
        """Take the parameters of `Maintained`."""
        super().__init__(program, saved_order, store, watch, strategy, jobs, tuning)
        self.ordered.kernels = partial(rows_within_limits, self, self.evaluated)
        self.rehearsed = False
        self.report = Report()
        if saved_order is None:
            self._add_aggregates()
            self.load_cells(UNIT, np.zeros((1, 1), np.int32))

    def successor(self, program: Program, strategy: str = "") -> LocalEngine:
        """A new engine for a program, in which values have the same cells as here; with the same strategy unless one is
        named."""
        name = strategy or self.strategy.name
        engine = LocalEngine(program, watch=self.watch, strategy=name, jobs=self.jobs, tuning=self.tuning)
        engine.profile = self.profile
        engine.values.symbols, engine.values.objects = self.values.symbols, self.values.objects
        engine.functions.renew()
        for name in self.tables:
            if name in engine.numbers:
                engine.load_cells(name, self.store.cells(self.numbers[name]))
        return engine

    def evaluated(self, program: Program, given: Mapping[str, Cells], limits: Mapping[str, int]) -> LocalEngine:
        """A new engine, in which values have the same cells as here, that has evaluated a program over the given rows
        of its relations; `limits`: rows of a relation from which the evaluation of its component stops."""
        engine = self.successor(program, strategy="elastic")
        for name, cells in given.items():
            engine.load_cells(name, engine.pad(name, cells))
        engine.row_limits = {engine.numbers[name]: limit for name, limit in limits.items()}
        engine.bootstrap({})
        return engine

    # ---- bootstrap

    def bootstrap(self, facts: Mapping[str, Cells]) -> None:
        """Evaluate from scratch; the engine must be new. `facts`: relation of the program → cells as stored."""
        self._load_kernels()
        began, count = self.watch.work(), sum(map(len, facts.values()))
        self._load_facts(facts)
        del facts  # of a large project, some hundred megabytes
        try:
            for position, component in enumerate(self.expanded.components):
                self.bootstrap_component(position, component)
                self._release(position)
        finally:
            if self.threads is not None:
                self.threads.close()
        self.ordered.forget()
        self.costs.note_bootstrap(self.watch.work() - began, count)

    def _load_facts(self, facts: Mapping[str, Cells]) -> None:
        """Store the program's facts, then those that were asserted."""
        for name, cells in self.program_facts.items():
            self.load_cells(name, cells)
        for name, cells in facts.items():
            edb = self.edb_relation(name)
            self.asserted_program_facts.change(edb, cells, self.program_facts.get(edb), present=True)
            self.load_cells(edb, cells)
        self.store.fit_directories()

    def _load_kernels(self) -> None:
        """Compile or load the kernel of the bootstrap before its time is measured."""
        fixpoint = np.zeros(1, L.FIXPOINT)[0]
        fixpoint.active = 1
        self.evaluate(fixpoint, EncodedPlans.none())

    def load_transaction(self) -> None:
        """Compile or load the kernel of updates."""
        self.evaluate(np.zeros(1, L.FIXPOINT)[0], EncodedPlans.none())

    def rehearse(self) -> None:
        """Prepare updates: make their plans and indexes, and load kernels that nothing else calls."""
        self.prepare_updates()
        profile, self.profile = self.profile, None  # loading is no rule's cost
        for end in (self.abandon, self.finish):
            self.update({}, {})
            end()
        self.profile = profile
        self.strategy.change_facts(0, np.zeros(0, np.int64), present=False, done=0)
        self.store.find(0, np.zeros((0, 1), np.int32))
        self.touched(0)
        self.moved()
        self.rehearsed = True

    def bootstrap_component(self, position: int, component: Component) -> None:
        """Evaluate one component from scratch; its relations hold nothing but facts."""
        work = Bootstrap(self, position, component)
        for run in BOOTSTRAP.values():
            run(work)

    def _release(self, position: int) -> None:
        """Drop the long indexes of relations that no component after this one reads, if that is wanted: updates choose
        theirs anew, with the statistics of complete relations. Where rules change, their plans are there already."""
        if self.tuning.evaluating.drops_indexes:
            drop_long_indexes(self.store, [self.numbers[name] for name in self.expanded.last_read_by[position]])

    # ---- transactions

    def update(self, deleted: Mapping[str, Cells], inserted: Mapping[str, Cells]) -> None:
        """Open a transaction that deletes facts, then inserts others; `finish` or `abandon` must follow."""
        transactions.open_update(self, deleted, inserted)

    def changes(self, of: Program | None = None) -> Iterator[tuple[str, Cells, Cells]]:
        """Iterate over (relation, rows that came, rows that went) in the open transaction; `of`: a program, to whose
        declared relations this is limited."""
        return transactions.changes(self, of)

    def finish(self) -> Report:
        """Commit the open transaction."""
        self.report = transactions.finish(self)
        return self.report

    def abandon(self) -> None:
        """Roll the open transaction back."""
        transactions.abandon(self)

    def compact(self, number: int) -> None:
        """Remove the absent rows of a relation."""
        transactions.compact(self, number)


@dataclass
class Bootstrap:
    """What the phases of a component's bootstrap read and write."""

    engine: LocalEngine
    position: int
    component: Component
    rules: list[Rule] = field(default_factory=list)
    stays_empty: bool = False  # no relation of the component has a row, and no rule can derive one
    plans: EncodedPlans = field(default_factory=EncodedPlans.none)


def _load_ordered_rows(work: Bootstrap) -> None:
    """Store the rows of an ordered component, which are derived without plans, like facts."""
    if work.component.ordered:
        for name, cells in work.engine.ordered.evaluate(work.position).items():
            work.engine.load_cells(name, cells)


def _choose_rules(work: Bootstrap) -> None:
    """Leave out rules that can derive nothing: of a large library of rules, a small input needs few."""
    engine, component = work.engine, work.component
    work.rules = rules_to_plan(engine, component)
    work.stays_empty = not (
        work.rules or component.aggregates or any(engine.store.row_count(engine.numbers[n]) for n in component.names)
    )


def _plan(work: Bootstrap) -> None:
    """Make plans with the statistics of complete relations."""
    if not work.stays_empty:
        with without_collection():
            work.plans = bootstrap_plans(work.engine, work.position, work.component, work.rules)


def _open_windows(work: Bootstrap) -> None:
    """Set the windows of the component's relations: no row is from an earlier iteration."""
    for number in (work.engine.numbers[name] for name in work.component.names):
        relation = work.engine.store.relations[number]
        relation.settled_rows = relation.before_rows = 0


def _evaluate(work: Bootstrap) -> None:
    """Evaluate to the fixpoint, by the strategy."""
    if not work.stays_empty:
        work.engine.strategy.bootstrap(work.position, work.component, work.plans)


def _test_laws(work: Bootstrap) -> None:
    """Warn of lattices whose joins break a law, before other components rest on what they joined."""
    warn_of_broken_laws(work.engine, work.component)


def _fit(work: Bootstrap) -> None:
    """Let directories and arrays that have grown beyond need shrink: the component's rows are complete."""
    if not work.stays_empty:
        store, of_component = work.engine.store, about(work.plans.components[0])
        store.fit_directories(of_component)
        store.fit_arrays(of_component)


def _measure(work: Bootstrap) -> None:
    """Let statistics be measured for those plans of later components and of updates that rest on them."""
    work.engine.statistics.due(work.component.names)


BOOTSTRAP: dict[str, Callable[[Bootstrap], None]] = {
    "load ordered rows": _load_ordered_rows,
    "choose rules": _choose_rules,
    "plan": _plan,
    "open windows": _open_windows,
    "evaluate": _evaluate,
    "test laws": _test_laws,
    "fit": _fit,
    "measure": _measure,
}
"""Evaluates one component from scratch; `LocalEngine.bootstrap` takes them in topological order."""
