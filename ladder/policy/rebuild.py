"""When a bootstrap is the better way: before an update, and in the middle of it (elastic paper, "Elasticity").

An update may take a share of what the last bootstrap took (`switch`, by default a fifth); then it is abandoned, and the state of the new facts is
computed from scratch. So no transaction costs more than a bootstrap and that share of one.

Before it begins, a lower bound of its cost is compared with the same limit: what each changed fact costs at least. A derivation
that comes or goes is found by a join, as in a bootstrap, noted as an event and looked at once more: twice the bootstrap's
seconds per fact are such a bound (measured: 4 to 13 times, on points-to with 1e5 facts of which 1 % to 20 % change). Where larger
updates were measured, abandoned ones included, the cheapest of them per changed fact is another. One expensive change must not
condemn the cheap ones after it: an estimate of that kind is halved whenever it decides, so that it is put to the test again.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

DEFAULT_SHARE = 0.2
LEAST_SECONDS = 0.05       # an update may always take so long: below it the clock tells more about the machine
LEAST_FACTOR = 2.0         # an update's seconds per changed fact, in those of a bootstrap per fact, at least
MEASURED_FROM = 1000       # changed facts from which an update's seconds per fact are more than its fixed cost


@dataclass
class Costs:
    """What was measured: seconds of the last bootstrap, its facts, and of the cheapest larger update per changed fact."""

    bootstrap: float | None = None
    facts: int = 0
    per_fact: float | None = None

    def note_bootstrap(self, seconds: float, facts: int) -> None:
        """A bootstrap was done."""
        self.bootstrap, self.facts = seconds, facts

    def note_update(self, seconds: float, changed: int) -> None:
        """An update was committed or abandoned."""
        if changed >= MEASURED_FROM:
            self.per_fact = min(seconds / changed, self.per_fact or float("inf"))

    def note_decision(self) -> None:
        """A bootstrap was chosen instead of an update that was not tried."""
        self.per_fact = self.per_fact and self.per_fact / 2

    def allowed(self, share: float | None) -> float | None:
        """Seconds that an update may take; None: any number."""
        return None if share is None or self.bootstrap is None else max(LEAST_SECONDS, share * self.bootstrap)

    def least(self, changed: int) -> float:
        """Seconds that an update of so many facts takes at least; nothing is known about few of them."""
        if changed < MEASURED_FROM:
            return 0.0
        by_bootstrap = LEAST_FACTOR * (self.bootstrap or 0.0) / max(self.facts, 1)
        return changed * max(by_bootstrap, self.per_fact or 0.0)

    def stored(self) -> Mapping[str, Any]:
        """Return the costs in the form in which a state keeps them."""
        return asdict(self)
