"""elastic: the first iteration of every row and the number of its derivations there (Zhao, Subotić, Raghothaman,
Scholz, PPDP 2021).

State: (first, count). An update visits the instantiations of what changed at the iterations where they matter
(`kernels.update`), by forward and backward plans that see all rows: their last steps distinguish instantiations by
their times. A row that lost all derivations of its iteration is looked up backward for later ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.update import change_facts
from ladder.engine.local.strategies.base import Rows, Strategy

if TYPE_CHECKING:
    from ladder.engine.local.planning import EncodedPlans


class Elastic(Strategy):
    """The default strategy, with (first, count) of each row."""

    name = state = "elastic"
    timed = running_totals = True

    def change_facts(self, number: int, rows: Rows, present: bool, done: int) -> int:
        """Insert or delete facts, which are at iteration 0."""
        store = self.engine.store
        return int(change_facts(store.update[0], store.relations[number], number, rows, present, done))

    def update(self, plans: EncodedPlans) -> int:
        """Update the components iteration by iteration, event by event."""
        return self.engine.evaluate(np.zeros(1, L.FIXPOINT)[0], plans)


STRATEGY = Elastic
