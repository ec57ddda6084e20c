"""Profiles of an engine: processor seconds, rows and batches of each rule in each iteration.

With a profile, kernels stop before and after every plan. The time in between belongs to the plan, the rest (entering
rows into indexes, aggregation, visiting events) to its component. A pause costs some microseconds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ladder.engine.local.kernels import layout as L
from ladder.engine.local.planning import update_sources

if TYPE_CHECKING:
    from ladder.engine.local.planning import EncodedPlans
    from ladder.engine.local.state import State
    from ladder.language.core import Relation, Rule

BOOTSTRAP, UPDATE = "bootstrap", "update"
COUNTED = ("derivations", "matches", "batches")


@dataclass
class Cost:
    """Costs: processor seconds, runs of plans, derivations that they found, new rows of the head, visited index
    entries, batches."""

    seconds: float = 0.0
    runs: int = 0
    derivations: int = 0
    new_rows: int = 0
    matches: int = 0
    batches: int = 0

    def add(self, other: Cost) -> None:
        """Add other costs to these."""
        for name in vars(self):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass
class RuleCosts:
    """The costs of a rule by iteration (0: in an update, what follows from earlier components); `rule` is None for
    costs that belong to no rule."""

    work: str
    component: tuple[str, ...]
    rule: Rule | None
    iterations: dict[int, Cost] = field(default_factory=dict)

    @property
    def total(self) -> Cost:
        """The costs of all iterations."""
        total = Cost()
        for cost in self.iterations.values():
            total.add(cost)
        return total

    def at(self, iteration: int) -> Cost:
        """The costs of an iteration, to which measurements are added."""
        return self.iterations.setdefault(iteration, Cost())


class Profile:
    """The costs of all rules, in bootstraps and in updates, during the life of an engine; `relations`: all relations
    stored meanwhile, by name."""

    def __init__(self) -> None:
        self.relations: dict[str, Relation] = {}
        self._costs: dict[tuple[str, tuple[str, ...], Rule | None], RuleCosts] = {}

    def of(self, work: str, component: tuple[str, ...], rule: Rule | None) -> RuleCosts:
        """The costs of a rule in bootstraps or updates."""
        key = (work, component, rule)
        if key not in self._costs:
            self._costs[key] = RuleCosts(work, component, rule)
        return self._costs[key]

    def clear(self) -> None:
        """Forget all costs, so that what follows, such as one update, is measured by itself."""
        self._costs.clear()

    def __iter__(self) -> Iterator[RuleCosts]:
        """All costs, the highest first."""
        return iter(sorted(self._costs.values(), key=lambda costs: -costs.total.seconds))


class Meter:
    """Measures one evaluation; `record`: that of the bootstrap or update, which tells the current plan and
    iteration."""

    def __init__(self, profile: Profile, engine: State, record: Any, plans: EncodedPlans, work: str) -> None:
        self._profile, self._engine, self._record, self._plans, self._work = profile, engine, record, plans, work
        if not plans.sources and work == UPDATE and len(sources := update_sources(engine)) == len(plans.plans):
            plans.sources = sources
        self._sources = plans.sources
        profile.relations.update(engine.relations)
        self._workspace = engine.store.workspace[0]
        self._workspace.pause = L.PAUSE_BEFORE
        self._running, self._plan, self._before = False, 0, tuple[int, ...]()
        self._at = time.process_time()

    def stopped(self) -> None:
        """Add the costs since the last pause, when a kernel has stopped."""
        now, record = time.process_time(), self._record
        seconds, self._at = now - self._at, now
        finished = self._running and self._workspace.pause == L.PAUSE_BEFORE
        number = self._plan if finished else int(record.plan)
        if self._running:
            cost = self._of(self._sources[number].written if len(self._sources) == len(self._plans.plans) else None)
            cost.seconds += seconds
            if finished:
                for name, value, before in zip(("new_rows", *COUNTED), self._counts(number), self._before, strict=True):
                    setattr(cost, name, getattr(cost, name) + value - before)
                cost.runs += 1
        else:
            self._of(None).seconds += seconds
        goes_on, self._running = self._running, bool(self._workspace.pause == L.PAUSE_AFTER)
        if self._running and not goes_on:
            self._plan = int(record.plan)
            self._before = self._counts(int(record.plan))

    def end(self) -> None:
        """End the measurement."""
        self._workspace.pause = L.PAUSE_NEVER

    def _of(self, rule: Rule | None) -> Cost:
        """The costs of the current component and iteration, to which measurements are added."""
        components = self._plans.components
        at = 0 if self._work == BOOTSTRAP else min(int(self._record.component), len(components) - 1)
        first, count = int(components[at]["first_relation"]), int(components[at]["relation_count"])
        names = tuple(self._engine.names[number] for number in range(first, first + count))
        return self._profile.of(self._work, names, rule).at(int(self._record.iteration))

    def _counts(self, number: int) -> tuple[int, ...]:
        plan = self._plans.plans[number]
        looked_at = int(plan["matches"]), int(plan["batches"])
        if plan["role"] in (L.BEGUN, L.FILLED):  # rows of an intermediate are neither derived nor new
            return 0, 0, *looked_at
        head = self._engine.store.relations[int(plan["head"])]
        return int(head.row_count), int(plan["derivations"]), *looked_at
