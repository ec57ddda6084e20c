"""The rebuild policy: whether a change is made by an update or by a bootstrap, decided before the update and while it
runs (elastic paper, "Elasticity").

An update may take a share of the time of starting over (`switch`, by default a fifth). Then it is abandoned, and the
state of the new facts is computed from scratch. So no transaction costs more than starting over and that share of it.
Starting over is more than the bootstrap: its rows are compared with those of the old state, and the plans and indexes
of updates are made again, before the new state is where an update would have left the old one.

Before an update begins, a lower bound of its cost is compared with the same limit. Each derivation that comes or goes
is found by a join, as in a bootstrap, recorded as an event and visited once more, so twice the bootstrap's seconds per
fact are such a bound (measured: 4 to 13 times, on points-to with 1e5 facts of which 1 % to 20 % change). The least
seconds per changed fact among larger updates, abandoned ones included, are another estimate. So that one expensive
update does not prevent all later ones, that estimate is halved whenever it leads to a bootstrap.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ladder.support.counts import counted
from ladder.support.tuning import DEFAULT, Rebuilding


@dataclass
class Costs:
    """Measured costs: `bootstrap`, seconds of the last bootstrap; `facts`, how many it had; `per_fact`, the least
    seconds per changed fact of a larger update; `comparing`, seconds of comparing its rows with those of the state that
    it replaced; `preparing`, seconds of making the plans and indexes of updates, the last time."""

    bootstrap: float | None = None
    facts: int = 0
    per_fact: float | None = None
    comparing: float = 0.0
    preparing: float = 0.0

    @property
    def starting_over(self) -> float | None:
        """Seconds from a change until a state that was computed from scratch is ready for the next one; None if there
        was no bootstrap."""
        return None if self.bootstrap is None else self.bootstrap + self.comparing + self.preparing

    def note_bootstrap(self, seconds: float, facts: int) -> None:
        """Record a bootstrap."""
        self.bootstrap, self.facts = seconds, facts

    def note_replaced(self, old: Costs, comparing: float) -> None:
        """Record that the state of the last bootstrap has replaced the state with these costs, and the seconds of
        comparing the two."""
        self.per_fact, self.preparing, self.comparing = old.per_fact, old.preparing, comparing

    def note_update(self, seconds: float, changed: int, tuning: Rebuilding) -> None:
        """Record an update that was committed or abandoned."""
        if changed >= tuning.measured_from:
            self.per_fact = min(seconds / changed, self.per_fact or float("inf"))

    def note_decision(self) -> None:
        """Record that a bootstrap was chosen without trying an update."""
        self.per_fact = self.per_fact and self.per_fact / 2

    def allowed(self, share: float | None, tuning: Rebuilding) -> float | None:
        """Seconds that an update may take; None if it may take any time."""
        whole = self.starting_over
        return None if share is None or whole is None else max(tuning.least_seconds, share * whole)

    def least(self, changed: int, tuning: Rebuilding) -> float:
        """Seconds that an update of this many facts takes at least; 0 for changes of few facts, for which there is no
        estimate."""
        if changed < tuning.measured_from:
            return 0.0
        by_bootstrap = tuning.least_factor * (self.bootstrap or 0.0) / max(self.facts, 1)
        return changed * max(by_bootstrap, self.per_fact or 0.0)

    def stored(self) -> Mapping[str, Any]:
        """Return the costs in the form in which a state keeps them."""
        return asdict(self)


@dataclass(slots=True)
class Known:
    """What is known of a change and of the state that it changes.

    `facts`: how many change at most, None where that is not known; `counted`: how many do change; `costs`: what was
    measured on the engine that updates the state, None where that is another one than holds it; then `asserted` is how
    many asserted facts the state has, and `state_too_large` says why it cannot be brought there, "" where it can.
    `starts_over`: why the engine never updates a state, "" where it does.
    """

    facts: int | None = None
    counted: Callable[[], int] = lambda: 0
    costs: Costs | None = None
    asserted: int = 0
    state_too_large: Callable[[], str] = lambda: ""
    starts_over: str = ""


@dataclass(slots=True)
class Decision:
    """Whether a change is made by an update, and why; `allowed`: seconds that the update may take, None for any
    time."""

    update: bool
    reason: str
    allowed: float | None = None


def update_or_bootstrap(
    strategy: str,
    share: float | None,
    known: Known,
    *,
    rules: bool = False,
    failed: str = "",
    spent: float | None = None,
    tuning: Rebuilding = DEFAULT.rebuilding,
) -> Decision:
    """Decide whether a change is made by an update or a bootstrap.

    `share`: the share of a bootstrap's time that an update may take; `rules`: whether rules change. The function is
    called again after an update that failed: then `failed` says why rules could not be changed, or `spent` is how many
    seconds an abandoned update took.
    """
    allowed = known.costs.allowed(share, tuning) if known.costs is not None else None
    if known.starts_over:
        return Decision(False, known.starts_over)
    if strategy == "recompute" and not rules:
        return Decision(False, "The strategy recompute starts over at every change.")
    if rules and strategy != "elastic":
        return Decision(False, f"The strategy {strategy} starts over where rules change.")
    if failed:
        return Decision(False, failed)
    if spent is not None:
        whole = known.costs.starting_over or 0 if known.costs is not None else 0
        return Decision(
            False,
            f"The update was abandoned after {spent:.3f} s: starting over takes {whole:.3f} s, of which it may take "
            f"{share:.0%}.",
        )
    if known.costs is None:
        reason = _too_many(share, known, tuning) or known.state_too_large()
    else:
        reason = _hopeless(allowed, known, known.costs, tuning)
    if reason:
        return Decision(False, reason)
    return Decision(
        True,
        "The change is small enough for an update." if allowed is not None else "An update may take any time.",
        allowed,
    )


def _too_many(share: float | None, known: Known, tuning: Rebuilding) -> str:
    """Why a change has too many facts for an update, as a sentence; "" where it may be one."""
    if known.facts is None or share is None or known.facts * tuning.least_factor <= share * known.asserted:
        return ""
    return f"{known.facts:,} facts change, of {known.asserted:,}: too many for an update."


def _hopeless(allowed: float | None, known: Known, costs: Costs, tuning: Rebuilding) -> str:
    """Why an update would exceed its time by the least cost of each changed fact, as a sentence; "" where it may
    not."""
    if allowed is None or known.facts is None or costs.least(known.facts, tuning) <= allowed:
        return ""
    changed = known.counted()
    if (least := costs.least(changed, tuning)) <= allowed:
        return ""
    costs.note_decision()
    return (
        f"An update for {counted(changed, 'changed fact')} would take {least:.3f} s or more, and may "
        f"take {allowed:.3f} s."
    )
