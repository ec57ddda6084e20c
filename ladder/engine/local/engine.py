"""The local engine: a program's components bootstrapped and updated by compiled kernels over columnar state.

bootstrap   per component: plan with the statistics of what is complete, evaluate, release the bootstrap's plans
prepare     plans of the update, and the indexes they need, for all components
update      one transaction: facts taken and given, all components brought up to date, committed or rolled back
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ladder.engine.local import transactions
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.maintained import Maintained
from ladder.engine.local.planning import EncodedPlans, bootstrap_plans, measured
from ladder.engine.local.store import Store
from ladder.engine.local.transactions import Report
from ladder.language.core import Program
from ladder.plan.components import (
    UNIT,
    Component,
    is_record_table,
)
from ladder.support.limits import Watch

Cells = npt.NDArray[np.int32]


class LocalEngine(Maintained):
    """A state that is bootstrapped once, then updated by transactions."""

    def __init__(
        self,
        program: Program,
        batch_size: int | None = None,
        room: int | None = None,
        saved_order: Sequence[Sequence[str]] | None = None,
        store: Store | None = None,
        watch: Watch | None = None,
        strategy: str = "elastic",
        jobs: int = 1,
    ) -> None:
        """As of `Maintained`."""
        super().__init__(program, batch_size, room, saved_order, store, watch, strategy, jobs)
        self.rehearsed = False
        self.report = Report()
        if saved_order is None:
            self._add_aggregates()
            self.load_cells(UNIT, np.zeros((1, 1), np.int32))

    def successor(self, program: Program) -> LocalEngine:
        """A new engine for a program, in which values have the same cells as here."""
        engine = LocalEngine(
            program,
            int(self.store.workspace[0].batch_size),
            watch=self.watch,
            strategy=self.strategy.name,
            jobs=self.jobs,
        )
        engine.profile = self.profile
        engine.values.symbols, engine.values.objects = self.values.symbols, self.values.objects
        engine.functions.renew()
        for name in filter(is_record_table, self.relations):
            if name in engine.numbers:
                engine.load_cells(name, self.store.cells(self.numbers[name]))
        return engine

    # ---- bootstrap

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
        profile, self.profile = self.profile, None  # loading is no rule's cost
        for end in (self.abandon, self.finish):
            self.update({}, {})
            end()
        self.profile = profile
        self.strategy.change_facts(0, np.zeros(0, np.int64), present=False, done=0)
        self.store.find(0, np.zeros((0, 1), np.int32))
        self.touched(0)
        self.rehearsed = True

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

    # ---- transactions

    def update(self, deleted: Mapping[str, Cells], inserted: Mapping[str, Cells]) -> None:
        """One transaction, left open: facts taken first, then given. `finish` or `abandon` must follow."""
        transactions.open_update(self, deleted, inserted)

    def changes(self, of: Program | None = None) -> Iterator[tuple[str, Cells, Cells]]:
        """(relation, rows that came, rows that went) of the open transaction; `of`: of the relations that a program
        declares."""
        return transactions.changes(self, of)

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
