"""A state that a strategy maintains: what a transaction works on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ladder.engine.local.given import given_rows, is_given
from ladder.engine.local.ordered import OrderedComponents
from ladder.engine.local.planning import EncodedPlans, verified
from ladder.engine.local.runner import Runner
from ladder.engine.local.state import Cells
from ladder.engine.local.store import Store
from ladder.engine.local.strategies import strategy_of
from ladder.engine.local.strategies.base import Strategy
from ladder.language.core import Program
from ladder.support.limits import Watch
from ladder.support.tuning import DEFAULT, Tuning


class Maintained(Runner):
    """A state with its strategy, the plans of its updates, and its components in which order counts."""

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
        """Take the parameters of `Runner`; `Unsupported` where the strategy cannot maintain the program."""
        super().__init__(program, saved_order, store, watch, jobs, tuning)
        self.ordered = OrderedComponents(self)
        self.strategy: Strategy = strategy_of(strategy)(self)
        self.capacity_granted = self.strategy.capacity_granted
        self.update_plans: EncodedPlans | None = None
        # whether a commit was cut short, for want of memory: the state is neither the old nor the new one
        self.half_done = False
        self.absent_elsewhere: dict[int, int] = {}  # absent rows that were found to be in a relation that shares them

    def prepare_updates(self) -> EncodedPlans:
        """Plans of the update with their indexes; made once, after the bootstrap."""
        if self.update_plans is None:
            self.update_plans = verified(self.strategy.plans(), self.store)
        return self.update_plans

    def given_facts(self, name: str, deleted: Cells | None = None) -> tuple[Cells, npt.NDArray[np.bool_]]:
        """(stored rows of a relation's given facts, which of them were given from outside and are not among
        `deleted`)."""
        return self.given_to(self.fact_relation(name), deleted)

    def given_to(self, taker: str, deleted: Cells | None = None) -> tuple[Cells, npt.NDArray[np.bool_]]:
        """Return the given facts of a stored relation that takes them, as `given_facts` does for a relation of the
        program."""
        return given_rows(
            self.store,
            self.numbers[taker],
            self.strategy.given,
            self.stated_facts.get(taker),
            self.given_too.rows.get(taker),
            deleted,
        )

    def is_given(self, name: str, cells: Cells) -> npt.NDArray[np.bool_]:
        """Whether each of these rows is a given fact of a relation of the program."""
        return self.is_given_to(self.taker(name), cells)

    def is_given_to(self, taker: str, cells: Cells) -> npt.NDArray[np.bool_]:
        """Whether each of these rows is a given fact of a stored relation that takes facts."""
        return is_given(
            self.store,
            self.numbers[taker],
            cells,
            self.strategy.given,
            self.stated_facts.get(taker),
            self.given_too.rows.get(taker),
        )
