"""The plans of one component's bootstrap: made before it begins, and made anew while it grows, for the rules whose
statistics have changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ladder.engine.local.dormant import rules_to_plan
from ladder.engine.local.intermediates import Intermediates
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.planning import (
    Encoded,
    EncodedPlans,
    Made,
    indexes_of,
    lower,
    statistics_of,
    verified,
)
from ladder.engine.local.statistics import Measured
from ladder.language.core import Atom, Literal, Rule
from ladder.plan.build import atom_of, plans_of_bootstrap, plans_of_iterations, relational_literals
from ladder.plan.components import Component
from ladder.plan.groups import with_groups
from ladder.plan.intermediates import plans_with
from ladder.plan.order import Statistics
from ladder.plan.steps import Plan, Role

if TYPE_CHECKING:
    from ladder.engine.local.state import State


def bootstrap_plans(engine: State, position: int, component: Component, rules: Sequence[Rule]) -> EncodedPlans:
    """The plans of these rules for one component's bootstrap, made with the statistics of the rows that exist now."""
    planning = _Planning(engine, component, Intermediates(), engine.tuning.evaluating.replanned_rows)
    return _encoded(planning, position, [planning.made(rule) for rule in rules], {})


def replan(
    engine: State,
    position: int,
    component: Component,
    plans: EncodedPlans,
    with_intermediates: bool = False,
    half_filled: bool = False,
) -> int:
    """Replace the plans of a bootstrap that is beyond iteration 1 by ones made with current statistics; returns the
    number of rows at which to do so again. `with_intermediates`: rules may use some from now on; `half_filled`: those
    that there are were being filled.

    A rule whose statistics are much the same keeps its plans. The order of a join affects its cost, never its result:
    (first, count) stay what they are. A plan continues the counters of the plan that it replaces.
    """
    planning = _Planning(engine, component, plans.intermediates, 1, begun=True)
    if with_intermediates:
        plans.intermediates.choose(engine, component, plans.sources, plans.plans, planning.statistics, half_filled)
    made = [
        planning.kept(rule, plans.made.get(id(rule))) or planning.made(rule)
        for rule in rules_to_plan(engine, component)
    ]
    new = _encoded(planning, position, made, plans.encoded)
    place = {_identity(plan): number for number, plan in enumerate(new.sources)}
    for plan, record in zip(plans.sources, plans.plans, strict=True):
        if (number := place.get(_identity(plan), place.get((*_identity(plan)[:3], 0)))) is not None:
            for counter in ("derivations", "matches", "batches"):
                new.plans[counter][number] += record[counter]
    plans.components, plans.plans, plans.steps, plans.sources = new.components, new.plans, new.steps, new.sources
    plans.made, plans.encoded = new.made, new.encoded
    plans.intermediates.begin(plans.plans)
    drop_unused_indexes(engine, component, plans)
    return rows_to_replan_at(engine, component, new)


class _Planning:
    """Makes the plans of a component's rules with the statistics of one moment.

    `enough`: the number of rows from which these statistics are used for a relation of the component itself; `begun`:
    whether iteration 1 has been, so that no plan for it is needed.
    """

    def __init__(
        self, engine: State, component: Component, intermediates: Intermediates, enough: int, begun: bool = False
    ) -> None:
        self.engine, self.component, self.intermediates, self._begun = engine, component, intermediates, begun
        self._now, self._enough = Measured(engine.measured), enough
        self._now.due(component.names)

    def statistics(self, name: str) -> Statistics:
        """What is known of a relation."""
        own = name in self._now and self._now[name].rows >= self._enough
        return self._now[name] if own else statistics_of(self.engine, name)

    def made(self, rule: Rule) -> Made:
        """The plans of a rule."""
        plans = tuple([with_groups(plan, self._arity) for plan in self._plans(rule)])
        return Made(rule, plans, self._rests_on(rule), self.intermediates.of.get(id(rule)))

    def kept(self, rule: Rule, made: Made | None) -> Made | None:
        """The plans of a rule that go on, where they rest on statistics that are much the same; None where there are
        none. What an intermediate begins with is put into it once."""
        if made is None or made.intermediate is not self.intermediates.of.get(id(rule)):
            return None
        factor = self.engine.tuning.evaluating.replanned_change
        if not all(self.statistics(name).close_to(before, factor) for name, before in made.rests_on.items()):
            return None
        plans = tuple([plan for plan in made.plans if plan.role not in (Role.ONCE, Role.BEGUN)])
        return Made(rule, plans, made.rests_on, made.intermediate)

    def _arity(self, name: str) -> int:
        return self.engine.relations[name].arity

    def _rests_on(self, rule: Rule) -> dict[str, Statistics]:
        return {name: self.statistics(name) for name in _read(rule) if name in self.component.names}

    def _plans(self, rule: Rule) -> list[Plan]:
        own, tuning, aggregated = self.component.names, self.engine.tuning.planning, self.engine.expanded.aggregated
        intermediate = self.intermediates.of.get(id(rule))
        if intermediate is not None:
            begin = intermediate.name in self.intermediates.empty
            return plans_with(intermediate, begin, own, self.statistics, tuning)
        if self._begun:
            return plans_of_iterations(rule, own, self.statistics, aggregated, tuning)
        return plans_of_bootstrap(rule, own, self._now, self.statistics, aggregated, self._indexed, tuning)

    def _indexed(self, name: str, columns: Sequence[int]) -> bool:
        number, known = self.engine.numbers[name], self.engine.store.index_numbers
        return (number, tuple(columns)) in known or any((number, (column,)) in known for column in columns)


def _read(rule: Rule) -> set[str]:
    """The relations that a rule's body reads."""
    return {atom_of(literal).relation for literal in relational_literals(rule)}


def _encoded(planning: _Planning, position: int, made: Sequence[Made], before: Mapping[int, Encoded]) -> EncodedPlans:
    """The plans of a component's rules as records; `before`: those of plans that were encoded before."""
    engine, component, intermediates = planning.engine, planning.component, planning.intermediates
    numbers = [engine.numbers[name] for name in component.names]
    shared = frozenset(index for number in numbers for index in engine.store.secondary_indexes(number))
    lowered = lower(engine, [plan for one in made for plan in one.plans], component.names, before=before)
    components = np.zeros(1, L.COMPONENT)
    components[0] = engine.component_record(position, component)
    components[0]["first_plan"], components[0]["plan_count"] = 0, len(lowered.records)
    components[0]["first_intermediate"], components[0]["intermediate_count"] = intermediates.run
    encoded = EncodedPlans(
        components,
        np.zeros(1, np.int64),
        lowered.records,
        lowered.steps,
        lowered.plans,
        shared_indexes=shared,
        intermediates=intermediates,
        made={id(one.rule): one for one in made},
        encoded={id(plan): one for plan, one in zip(lowered.plans, lowered.encoded, strict=True)},
    )
    return verified(encoded, engine.store)


def matches_to_replan_at(engine: State, plans: EncodedPlans) -> int:
    """The number of index entries that a plan of a component must have looked at to ask for new plans, if they are many
    for what it derived."""
    if not any(len(_atoms_of(plan.written)) > 2 for plan in plans.sources):
        return L.UNBOUNDED
    growth = engine.tuning.evaluating.replanned_growth
    return max(engine.tuning.planning.intermediate_from, growth * int(plans.plans["matches"].max()))


def _atoms_of(rule: Rule) -> list[Literal]:
    return [literal for literal in rule.body if isinstance(literal, Atom)]


def rows_to_replan_at(engine: State, component: Component, plans: EncodedPlans) -> int:
    """The number of rows of a component at which its bootstrap asks for new plans, or may have reached a limit."""
    if not any(plan.role is Role.ITERATED for plan in plans.sources):
        return L.UNBOUNDED
    rows = sum(engine.store.row_count(engine.numbers[name]) for name in component.names)
    tuning = engine.tuning.evaluating
    # a limit is reached by no fewer rows, and not before the first iteration
    missing = [max(limit - there - 1, 0) for limit, there in _limits(engine, component)]
    return min([max(tuning.replanned_rows, tuning.replanned_growth * rows), *(rows + more for more in missing)])


def limit_reached(engine: State, component: Component) -> bool:
    """Whether a relation of a component has as many rows as its limit says."""
    return any(rows >= limit for limit, rows in _limits(engine, component))


def _limits(engine: State, component: Component) -> list[tuple[int, int]]:
    """(limit, rows) of each relation of a component that has a limit."""
    numbers = [engine.numbers[name] for name in component.names]
    return [(engine.row_limits[n], engine.store.row_count(n)) for n in numbers if n in engine.row_limits]


def _identity(plan: Plan) -> tuple[int, Role, int | None, int]:
    return id(plan.rule), plan.role, plan.driver, plan.choice


def drop_unused_indexes(engine: State, component: Component, plans: EncodedPlans) -> None:
    """Drop the indexes that earlier plans of a component's bootstrap made and none of its plans uses now."""
    used = indexes_of(plans) | plans.shared_indexes
    for name in (*component.names, *(intermediate.name for intermediate in plans.intermediates.of.values())):
        for index in engine.store.secondary_indexes(engine.numbers[name]):
            if index not in used:
                engine.store.drop_index(index)
