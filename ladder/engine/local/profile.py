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
from ladder.engine.local.planning import statistics_of
from ladder.engine.local.update_plans import update_sources
from ladder.plan.build import atom_of, relational_literals
from ladder.plan.estimates import Expected, expected_of, order_of
from ladder.plan.order import Costs, Statistics

if TYPE_CHECKING:
    from ladder.engine.local.planning import EncodedPlans
    from ladder.engine.local.state import State
    from ladder.language.core import Relation, Rule
    from ladder.plan.steps import Plan, Role

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
class PlanCosts:
    """What a rule's plans of one kind and join order cost, all iterations together; `started`: rows that they started
    from; `expected`: by the statistics by which the last of them was made."""

    role: Role
    driver: int | None
    order: tuple[str, ...]
    cost: Cost = field(default_factory=Cost)
    started: int = 0
    expected: Expected | None = None


PlanKey = tuple["Role", int | None, tuple[str, ...], str]


@dataclass
class RuleCosts:
    """The costs of a rule by iteration (0: in an update, what follows from earlier components), and by the plans that
    it took; `rule` is None for costs that belong to no rule."""

    work: str
    component: tuple[str, ...]
    rule: Rule | None
    iterations: dict[int, Cost] = field(default_factory=dict)
    plans: dict[PlanKey, PlanCosts] = field(default_factory=dict)

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


def _is_of_rules(engine: State, plans: EncodedPlans) -> bool:
    """Whether the plans are those of the program's rules: where rules come and go, others are among them."""
    counts = plans.counts
    return counts is None or list(map(len, counts)) == [len(one.rules) for one in engine.expanded.components]


class Meter:
    """Measures one evaluation; `record`: that of the bootstrap or update, which tells the current plan and
    iteration."""

    def __init__(self, profile: Profile, engine: State, record: Any, plans: EncodedPlans, work: str) -> None:
        self._profile, self._engine, self._record, self._plans, self._work = profile, engine, record, plans, work
        if not plans.sources and work == UPDATE:
            sources = update_sources(engine, plans.counts) if _is_of_rules(engine, plans) else []
            plans.sources = sources if len(sources) == len(plans.plans) else []
        self._sources = plans.sources
        profile.relations.update(engine.relations)
        self._workspace = engine.store.workspace[0]
        self._workspace.pause = L.PAUSE_BEFORE
        self._running, self._plan, self._before = False, 0, tuple[int, ...]()
        self._statistics: dict[str, Statistics] = {}
        self._taken: dict[int, PlanCosts] = {}  # by the number of the plan
        self._at = time.process_time()

    def stopped(self) -> None:
        """Add the costs since the last pause, when a kernel has stopped."""
        now, record = time.process_time(), self._record
        seconds, self._at = now - self._at, now
        finished = self._running and self._workspace.pause == L.PAUSE_BEFORE
        number = self._plan if finished else int(record.plan)
        if self._running:
            spent = Cost(seconds=seconds)
            if finished:
                for name, value, before in zip(("new_rows", *COUNTED), self._counts(number), self._before, strict=True):
                    setattr(spent, name, value - before)
                spent.runs = 1
            self._add(number, spent)
        else:
            self._of(None).at(int(self._record.iteration)).seconds += seconds
        goes_on, self._running = self._running, bool(self._workspace.pause == L.PAUSE_AFTER)
        if self._running and not goes_on:
            self._plan = int(record.plan)
            self._before = self._counts(int(record.plan))

    def end(self) -> None:
        """End the measurement."""
        self._workspace.pause = L.PAUSE_NEVER

    def _add(self, number: int, spent: Cost) -> None:
        """Add the costs of a run of a plan to those of its rule in the current iteration, and to the plan's own."""
        known = len(self._sources) == len(self._plans.plans)
        costs = self._of(self._sources[number].written if known else None)
        costs.at(int(self._record.iteration)).add(spent)
        if known:
            if number not in self._taken:
                self._taken[number] = self._plan_costs(costs, self._sources[number])
            self._taken[number].cost.add(spent)
            if spent.runs and self._sources[number].choice == 0:
                self._taken[number].started += self._rows_started(number)

    def _plan_costs(self, costs: RuleCosts, plan: Plan) -> PlanCosts:
        """The costs of plans like this one, with what is expected of it by statistics of this moment."""
        order = order_of(plan)
        found = costs.plans.setdefault(
            (plan.role, plan.driver, order, str(plan.rule)), PlanCosts(plan.role, plan.driver, order)
        )
        names = [atom_of(literal).relation for literal in relational_literals(plan.rule)]
        found.expected = expected_of(plan, Costs({n: self._statistics_of(name) for n, name in enumerate(names)}))
        return found

    def _statistics_of(self, name: str) -> Statistics:
        if name not in self._statistics:
            complete = self._work == UPDATE or name in self._engine.statistics
            engine = self._engine
            self._statistics[name] = statistics_of(engine, name) if complete else engine.measured(name)
        return self._statistics[name]

    def _rows_started(self, number: int) -> int:
        """The rows of the first step's window; in an update, none, as changed rows are not counted."""
        first = self._plans.steps[int(self._plans.plans[number]["first_step"])]
        if self._work == UPDATE:
            return 0
        return int(first["rows_below"]) - int(first["rows_from"])

    def _of(self, rule: Rule | None) -> RuleCosts:
        """The costs of a rule of the current component, to which measurements are added."""
        components = self._plans.components
        at = 0 if self._work == BOOTSTRAP else min(int(self._record.component), len(components) - 1)
        first, count = int(components[at]["first_relation"]), int(components[at]["relation_count"])
        names = tuple(self._engine.names[number] for number in range(first, first + count))
        return self._profile.of(self._work, names, rule)

    def _counts(self, number: int) -> tuple[int, ...]:
        plan = self._plans.plans[number]
        looked_at = int(plan["matches"]), int(plan["batches"])
        if plan["role"] in (L.BEGUN, L.FILLED):  # rows of an intermediate are neither derived nor new
            return 0, 0, *looked_at
        head = self._engine.store.relations[int(plan["head"])]
        return int(head.row_count), int(plan["derivations"]), *looked_at
