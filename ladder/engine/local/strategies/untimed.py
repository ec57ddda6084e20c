"""What `dred`, `dredc`, `bf` and `bfc` share: no iterations, phases of deleting and adding, each instantiation met
once.

State of a row (see `kernels.row_flags`): `first` is twice its recursive derivations, plus 1 unless it is a fact;
`count` is the number of its nonrecursive derivations. What a strategy does not count is 0 in the one, 1 in the other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.maintenance import maintain
from ladder.engine.local.kernels.proofs import SEARCH
from ladder.engine.local.kernels.row_flags import NOT_GIVEN, change_given, clear_counts, forget_counts
from ladder.engine.local.kernels.tallies import tally
from ladder.engine.local.kernels.timelines import HEADS, TIMELINES
from ladder.engine.local.strategies.base import Cells, Rows, Strategy
from ladder.errors import Unsupported
from ladder.plan.build import atom_of, relational_literals
from ladder.plan.components import is_record_table
from ladder.plan.steps import Member, Plan, Probe, Role, Window

if TYPE_CHECKING:
    from ladder.engine.local.planning import EncodedPlans
    from ladder.engine.local.runner import Runner
    from ladder.language.core import Rule
    from ladder.plan.components import Component

NO_TIMELINES, NO_HEADS = np.zeros(1, TIMELINES), np.zeros(1, HEADS)


class Untimed(Strategy):
    """A strategy without timestamps; `kind`: its number in the kernel."""

    kind: ClassVar[int]
    intermediates = False
    backward: ClassVar[bool]  # whether rows are looked up backward

    def __init__(self, engine: Runner) -> None:
        super().__init__(engine)
        self.search = np.zeros(1, SEARCH)
        for component in engine.expanded.components:
            self._refuse_recursive_aggregation(component)

    def _refuse_recursive_aggregation(self, component: Component) -> None:
        """`Unsupported` where a rule of a component with an aggregated relation reads a relation of the
        same component."""
        for rule in component.rules if component.aggregates else ():
            if is_recursive(rule, component):
                name, place = (
                    component.aggregates[0].name,
                    f" ({rule.place.file}:{rule.place.line})" if rule.place else "",
                )
                raise Unsupported(
                    f"The strategy {self.name} cannot maintain {name}, which is aggregated in recursion{place}.",
                    "elastic, counting and recompute can.",
                )

    def is_fact(self, first: Cells) -> npt.NDArray[np.bool_]:
        """Which rows are facts: those whose first word is even."""
        even: npt.NDArray[np.bool_] = (np.bitwise_and(first, NOT_GIVEN) == 0) & (first != L.ABSENT)
        return even

    def chosen(self, plan: Plan, component: Component) -> Plan | None:
        """Forward plans in which literals before the driver do not see rows that move in the same round; backward
        plans."""
        return met_once(plan) if plan.role is Role.FORWARD or self.looks_back(plan.rule, component) else None

    def looks_back(self, rule: Rule, component: Component) -> bool:
        """Whether derivations of known heads by a rule are ever looked for."""
        return self.backward

    def change_facts(self, number: int, rows: Rows, present: bool, done: int) -> int:
        """Make rows facts, or facts no longer; they come and go when their component is brought up to date."""
        store = self.engine.store
        return int(change_given(store.update[0], store.relations[number], number, rows, present, done))

    def abandoned(self) -> None:
        """A search may have been cut short."""
        self.search[:] = 0

    def update(self, plans: EncodedPlans) -> int:
        """Delete, look for other derivations, add; component by component."""
        store = self.engine.store
        return self.engine.run_measured(
            lambda: maintain(
                self.kind,
                self.search[0],
                store.update[0],
                plans.components,
                plans.inputs,
                plans.plans,
                plans.steps,
                store.relations,
                store.indexes,
                store.aggregates,
                store.operations,
                store.workspace[0],
            ),
            plans,
        )


class Counted(Untimed):
    """One that counts derivations."""

    def bootstrap(self, position: int, component: Component, plans: EncodedPlans) -> None:
        """Semi-naive evaluation that counts every instantiation."""
        for number in (self.engine.numbers[r.name] for r in component.relations if not is_record_table(r)):
            clear_counts(self.engine.store.relations[number])
        super().bootstrap(position, component, plans)

    def run_bootstrap(self, fixpoint: Any, plans: EncodedPlans) -> int:
        """Run the bootstrap, and count by rule: the derivations of recursive rules lie in `first`."""
        store = self.engine.store
        return self.engine.run_measured(
            lambda: tally(
                self.kind,
                fixpoint,
                plans.components,
                plans.plans,
                plans.steps,
                store.relations,
                store.indexes,
                store.aggregates,
                store.operations,
                store.workspace[0],
                store.update[0],
                NO_TIMELINES[0],
                NO_HEADS,
            ),
            plans,
            fixpoint,
        )


class Uncounted(Untimed):
    """One that keeps nothing beside the rows."""

    def bootstrap(self, position: int, component: Component, plans: EncodedPlans) -> None:
        """Semi-naive evaluation; iterations and counts are forgotten."""
        super().bootstrap(position, component, plans)
        store = self.engine.store
        totals = {name for a in component.aggregates for name in (a.totals, a.name)}
        for number in (self.engine.numbers[name] for name in component.names - totals):
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
    return replace(
        plan,
        steps=tuple(
            replace(step, window=Window.BEFORE if step.literal < driver else Window.SETTLED)
            if isinstance(step, Probe | Member)
            else step
            for step in plan.steps
        ),
    )
