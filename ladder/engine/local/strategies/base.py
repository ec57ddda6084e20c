"""The interface of strategies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from ladder.engine.local.bootstrap_plans import (
    limit_reached,
    matches_to_replan_at,
    replan,
    rows_to_replan_at,
)
from ladder.engine.local.intermediates import FILLING
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.fixpoint import LIST

if TYPE_CHECKING:
    from ladder.engine.local.planning import EncodedPlans
    from ladder.engine.local.runner import Runner
    from ladder.plan.components import Component
    from ladder.plan.steps import Plan

Rows = npt.NDArray[np.int64]
Cells = npt.NDArray[np.int32]


class Strategy(ABC):
    """Maintains an engine's rows and their state; the meaning of `first` and `count` of a row depends on the strategy.

    With every strategy, `first` is `ABSENT` for a row that is not in the relation. The engine opens, commits and rolls
    back transactions; a strategy records what it changes in the transaction's changes.
    """

    name: ClassVar[str]
    state: ClassVar[str]  # the form of the state; strategies with the same one can go on from each other's
    timed: ClassVar[bool] = False  # whether `first` is the iteration in which a row first appears
    intermediates: ClassVar[bool] = True  # whether the kernel of its bootstraps fills some
    # whether groups hold running totals alone in its bootstraps, and whether they stay so, as no update follows
    running_totals: ClassVar[bool] = False
    stays_running: ClassVar[bool] = False

    def __init__(self, engine: Runner) -> None:
        self.engine = engine

    def is_fact(self, first: Cells) -> npt.NDArray[np.bool_]:
        """Which rows are facts (asserted or in the program), by their `first`."""
        earliest: npt.NDArray[np.bool_] = first == 0
        return earliest

    def bootstrap(self, position: int, component: Component, plans: EncodedPlans) -> None:
        """Evaluate one component from scratch, with the plans of its bootstrap, which are made anew as the component
        grows."""
        fixpoint = np.zeros(1, L.FIXPOINT)[0]
        fixpoint.active, fixpoint.rows_planned_for = 1, rows_to_replan_at(self.engine, component, plans)
        fixpoint.matches_per_derivation = self.engine.tuning.planning.intermediate_matches
        fixpoint.matches_planned_for = matches_to_replan_at(self.engine, plans) if self.intermediates else L.UNBOUNDED
        aggregates = (
            [self.engine.aggregate_numbers[a.name] for a in component.aggregates] if self.running_totals else []
        )
        for number in aggregates:
            self.engine.keep_running_totals(number)
        try:
            while self.run_bootstrap(fixpoint, plans) == L.NEEDS_PLANS:
                if limit_reached(self.engine, component):
                    break
                half_filled = fixpoint.phase in FILLING
                fixpoint.rows_planned_for = replan(
                    self.engine, position, component, plans, self.intermediates, half_filled
                )
                if half_filled:  # nothing was derived with them in this iteration
                    fixpoint.phase, fixpoint.plan = LIST, 0
                if self.intermediates:
                    fixpoint.matches_planned_for = matches_to_replan_at(self.engine, plans)
        finally:
            plans.intermediates.drop(self.engine)
            self.engine.store.drop_bitmaps()
        if not self.stays_running:
            for number in aggregates:
                self.engine.build_groups(number)

    def run_bootstrap(self, fixpoint: Any, plans: EncodedPlans) -> int:
        """Run the kernel of a bootstrap until it is finished or needs plans; a status.

        By default semi-naive evaluation with (first, count).
        """
        return self.engine.evaluate_with_threads(fixpoint, plans)

    def chosen(self, plan: Plan, component: Component) -> Plan | None:
        """A plan of the update of a component as the strategy evaluates it; None if it does not."""
        return plan

    @abstractmethod
    def change_facts(self, number: int, rows: Rows, present: bool, done: int) -> int:
        """Make rows of a relation facts, or facts no longer, from position `done` on. Returns how many are done: fewer
        than all where capacity is lacking."""

    @abstractmethod
    def update(self, plans: EncodedPlans) -> int:
        """Update the components of these plans in the open transaction, except for those that are up to date. Returns
        FINISHED, or NEEDS_PLANS at a component of which dormant rules may derive something."""

    def capacity_granted(self) -> None:
        """Called when the store has granted capacity that kernels requested."""

    def compacted(self, number: int, kept: npt.NDArray[np.bool_]) -> None:
        """Called when only these of a relation's rows were kept and renumbered in their order."""

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """The part of the state that is not in the store, as arrays; changes of them must set `engine.unsaved.by_row`
        to None."""
        return {}

    def restore(self, arrays: dict[str, npt.NDArray[np.uint8]]) -> None:
        """Restore the saved arrays; the store is restored already."""

    def committed(self) -> None:
        """Called when the open transaction is about to be committed."""

    def abandoned(self) -> None:
        """Called when the open transaction has been rolled back."""
