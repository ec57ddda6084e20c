"""A state that a strategy maintains, on which transactions work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ladder.engine.local.asserted import asserted_rows, is_asserted
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.ordered import OrderedComponents
from ladder.engine.local.planning import EncodedPlans, verified
from ladder.engine.local.runner import Runner
from ladder.engine.local.state import Cells
from ladder.engine.local.store import Store
from ladder.engine.local.strategies import strategy_of
from ladder.engine.local.strategies.base import Strategy
from ladder.engine.local.update_plans import update_plans, woken
from ladder.language.core import Program
from ladder.support.collection import without_collection
from ladder.support.limits import Watch
from ladder.support.tuning import DEFAULT, Tuning


class Maintained(Runner):
    """A state with its strategy, the plans of its updates, and its ordered components."""

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
        """Take the parameters of `Runner`; `Unsupported` if the strategy cannot maintain the program."""
        super().__init__(program, saved_order, store, watch, jobs, tuning)
        self.ordered = OrderedComponents(self)
        self.strategy: Strategy = strategy_of(strategy)(self)
        self.capacity_granted = self.strategy.capacity_granted
        self.update_plans: EncodedPlans | None = None
        # whether a commit was cut short, for want of memory: the state is neither the old nor the new one
        self.half_done = False
        self.absent_elsewhere: dict[int, int] = {}  # absent rows that were found to be in a relation that shares them

    def prepare_updates(self) -> EncodedPlans:
        """The plans of updates, made once after the bootstrap, with their indexes."""
        plans, began = self.plan_updates(), self.watch.work()
        if self.store.without_rows:
            self.store.list_all_rows()
            self.costs.preparing += self.watch.work() - began
        return plans

    def plan_updates(self) -> EncodedPlans:
        """The plans of updates, made once after the bootstrap; large indexes of theirs may lack the rows of their
        relations."""
        if self.update_plans is None:
            began = self.watch.work()
            with self.store.postponing(), without_collection():
                self.update_plans = verified(update_plans(self, self.strategy.chosen), self.store)
            self.costs.preparing = self.watch.work() - began
        return self.update_plans

    def update_components(self, plans: EncodedPlans, before: int | None = None) -> EncodedPlans:
        """Bring the components before a position, or all of them, up to date in the open transaction. Returns the plans
        with those of dormant rules that have come to derive something."""
        while True:
            some = plans if before is None else replace(plans, components=plans.components[:before])
            if self.strategy.update(some) != L.NEEDS_PLANS:
                return plans
            reached = int(self.store.update["component"][0])
            with self.watch.unhurried():
                plans = verified(woken(self, self.strategy.chosen, plans, reached), self.store)

    def asserted_facts(self, name: str, deleted: Cells | None = None) -> tuple[Cells, npt.NDArray[np.bool_]]:
        """(stored rows of the EDB relation of a relation of the program, which of them were asserted and are not among
        `deleted`)."""
        return self.asserted_in(self.fact_relation(name), deleted)

    def asserted_in(self, relation: str, deleted: Cells | None = None) -> tuple[Cells, npt.NDArray[np.bool_]]:
        """The same as `asserted_facts` for an EDB relation itself."""
        return asserted_rows(
            self.store,
            self.numbers[relation],
            self.strategy.is_fact,
            self.program_facts.get(relation),
            self.asserted_program_facts.rows.get(relation),
            deleted,
        )

    def is_asserted(self, name: str, cells: Cells) -> npt.NDArray[np.bool_]:
        """Whether each of these rows is an asserted fact of a relation of the program."""
        return self.is_asserted_in(self.edb_relation(name), cells)

    def is_asserted_in(self, relation: str, cells: Cells) -> npt.NDArray[np.bool_]:
        """Whether each of these rows is an asserted fact of an EDB relation."""
        return is_asserted(
            self.store,
            self.numbers[relation],
            cells,
            self.strategy.is_fact,
            self.program_facts.get(relation),
            self.asserted_program_facts.rows.get(relation),
        )
