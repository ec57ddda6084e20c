"""Update or bootstrap: when a bootstrap is the better way, before an update, and in the middle of it (elastic paper,
"Elasticity").

An update may take a share of what the last bootstrap took (`switch`, by default a fifth); then it is abandoned, and the
state of the new facts is computed from scratch. So no transaction costs more than a bootstrap and that share of one.

Before it begins, a lower bound of its cost is compared with the same limit: what each changed fact costs at least. A
derivation that comes or goes is found by a join, as in a bootstrap, noted as an event and looked at once more: twice
the bootstrap's seconds per fact are such a bound (measured: 4 to 13 times, on points-to with 1e5 facts of which 1 % to
20 % change). Where larger updates were measured, abandoned ones included, the cheapest of them per changed fact is
another. One expensive change must not condemn the cheap ones after it: an estimate of that kind is halved whenever it
decides, so that it is put to the test again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ladder.support.tuning import DEFAULT, Rebuilding


@dataclass
class Costs:
    """What was measured: seconds of the last bootstrap, its facts, and of the cheapest larger update per
    changed fact."""

    bootstrap: float | None = None
    facts: int = 0
    per_fact: float | None = None

    def note_bootstrap(self, seconds: float, facts: int) -> None:
        """A bootstrap was done."""
        self.bootstrap, self.facts = seconds, facts

    def note_update(self, seconds: float, changed: int, tuning: Rebuilding) -> None:
        """An update was committed or abandoned."""
        if changed >= tuning.measured_from:
            self.per_fact = min(seconds / changed, self.per_fact or float("inf"))

    def note_decision(self) -> None:
        """A bootstrap was chosen instead of an update that was not tried."""
        self.per_fact = self.per_fact and self.per_fact / 2

    def allowed(self, share: float | None, tuning: Rebuilding) -> float | None:
        """Seconds that an update may take; None: any number."""
        return None if share is None or self.bootstrap is None else max(tuning.least_seconds, share * self.bootstrap)

    def least(self, changed: int, tuning: Rebuilding) -> float:
        """Seconds that an update of so many facts takes at least; nothing is known about few of them."""
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
    """Whether a change is an update, and why; `allowed`: seconds that an update may take, None for any number."""

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
    """Whether a change is an update or a bootstrap. This function alone decides.

    `share`: of a bootstrap's time that an update may take; `rules`: whether rules change. Asked again after an update
    that came to nothing: `failed` says why rules could not be changed, `spent` how many seconds an update took that was
    abandoned.
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
        last = known.costs.bootstrap or 0 if known.costs is not None else 0
        return Decision(
            False,
            f"The update was abandoned after {spent:.3f} s: the last bootstrap took {last:.3f} s, of which it may "
            f"take {share:.0%}.",
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
    """Why so many facts are no update, by their number alone, as a sentence; "" where they may be one."""
    if known.facts is None or share is None or known.facts * tuning.least_factor <= share * known.asserted:
        return ""
    return f"{known.facts:,} facts change, of {known.asserted:,}: too many for an update."


def _hopeless(allowed: float | None, known: Known, costs: Costs, tuning: Rebuilding) -> str:
    """Why an update would take longer than it may, at what each changed fact costs at least; "" where it may not."""
    if allowed is None or known.facts is None or costs.least(known.facts, tuning) <= allowed:
        return ""
    changed = known.counted()
    if (least := costs.least(changed, tuning)) <= allowed:
        return ""
    costs.note_decision()
    return f"An update for {changed:,} changed facts would take {least:.3f} s or more, and may take {allowed:.3f} s."
