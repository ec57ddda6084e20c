"""What `dred`, `dredc`, `bf` and `bfc` share: no iterations, phases of deleting and adding, each instantiation met once.

State of a row (see `kernels.marks`): `first` is twice its recursive derivations, plus 1 unless it is a given fact;
`count` is the number of its nonrecursive derivations. What a strategy does not count is 0 in the one, 1 in the other.
"""
from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.maintenance import maintain
from ladder.engine.local.kernels.marks import NOT_GIVEN, change_given, forget_counts
from ladder.engine.local.planning import assembled, rule_plans, statistics_of
from ladder.engine.plan.build import atom_of, plans_of_update, relational_literals
from ladder.engine.plan.steps import Member, Plan, Probe, Role, Window
from ladder.engine.strategies.base import Cells, Rows, Strategy
from ladder.errors import Unsupported

if TYPE_CHECKING:
    from ladder.engine.local.engine import LocalEngine
    from ladder.engine.local.planning import EncodedPlans
    from ladder.engine.plan.components import Component
    from ladder.language.core import Rule


class Untimed(Strategy):
    """A strategy without timestamps; `kind`: its number in the kernel."""

    kind: ClassVar[int]
    backward: ClassVar[bool]       # whether rows are looked up backward

    def __init__(self, engine: LocalEngine) -> None:
        super().__init__(engine)
        for component in engine.expanded.components:
            self._refuse_recursive_aggregation(component)

    def _refuse_recursive_aggregation(self, component: Component) -> None:
        """`Unsupported` where a rule of a component with an aggregated relation reads a relation of the same component."""
        for rule in component.rules if component.aggregates else ():
            if is_recursive(rule, component):
                name, place = component.aggregates[0].name, f" ({rule.place.file}:{rule.place.line})" if rule.place else ""
                raise Unsupported(f"The strategy {self.name} cannot maintain {name}, which is aggregated in recursion{place}.",
                                  "elastic, counting and recompute can.")

    def given(self, first: Cells) -> npt.NDArray[np.bool_]:
        """Those with an even word."""
        even: npt.NDArray[np.bool_] = (np.bitwise_and(first, NOT_GIVEN) == 0) & (first != L.ABSENT)
        return even

    def plans(self) -> EncodedPlans:
        """Forward plans in which literals before the driver do not see rows that move in the same round; backward plans."""
        engine = self.engine
        return assembled(engine, [rule_plans(engine, [self._plans_of(rule, component) for rule in component.rules], component.names)
                                  for component in engine.expanded.components])

    def _plans_of(self, rule: Rule, component: Component) -> list[Plan]:
        plans = plans_of_update(rule, lambda name: statistics_of(self.engine, name))
        backward = self.looks_back(rule, component)
        return [met_once(plan) for plan in plans if plan.role is Role.FORWARD or backward]

    def looks_back(self, rule: Rule, component: Component) -> bool:
        """Whether derivations of given heads by a rule are ever looked for."""
        return self.backward

    def change_facts(self, number: int, rows: Rows, present: bool, done: int) -> int:
        """Mark rows as given or not; they come and go when their component is brought up to date."""
        store = self.engine.store
        return int(change_given(store.update[0], store.relations[number], number, rows, present, done))

    def update(self, plans: EncodedPlans) -> None:
        """Delete, look for other derivations, add; component by component."""
        store = self.engine.store
        self.engine.run_kernel(lambda: maintain(
            self.kind, store.update[0], plans.components, plans.inputs, plans.plans, plans.steps, store.relations, store.indexes,
            store.aggregates, store.operations, store.workspace[0]))


class Uncounted(Untimed):
    """One that keeps nothing beside the rows."""

    def bootstrap(self, position: int, component: Component, plans: EncodedPlans) -> None:
        """Semi-naive evaluation; iterations and counts are forgotten."""
        super().bootstrap(position, component, plans)
        store = self.engine.store
        for number in (self.engine.numbers[name] for name in component.names):
            first = store.first(number)
            np.copyto(first, NOT_GIVEN, where=(first > NOT_GIVEN) & (first < L.ABSENT))
            forget_counts(store.relations[number])


def is_recursive(rule: Rule, component: Component) -> bool:
    """Whether a rule reads a relation of its own component."""
    return any(atom_of(literal).relation in component.names for literal in relational_literals(rule))


def met_once(plan: Plan) -> Plan:
    """A forward plan whose literals before the driver are marked BEFORE, those after it SETTLED."""
    driver = plan.driver
    if plan.role is not Role.FORWARD or driver is None:
        return plan
    return replace(plan, steps=tuple(
        replace(step, window=Window.BEFORE if step.literal < driver else Window.SETTLED) if isinstance(step, Probe | Member) else step
        for step in plan.steps))
