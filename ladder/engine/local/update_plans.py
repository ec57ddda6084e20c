"""The plans of updates: for each rule those from changed rows of its literals and of its head, put together by
component. Rules that can derive nothing have none until they can (see `dormant`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ladder.engine.local.dormant import awake
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.planning import DORMANT, EncodedPlans, lower, statistics_of
from ladder.language.core import Rule
from ladder.plan.build import plans_of_update
from ladder.plan.components import Component
from ladder.plan.steps import Plan

if TYPE_CHECKING:
    from ladder.engine.local.state import State

Chosen = Callable[[Plan, Component], Plan | None]  # a plan as the strategy evaluates it; None: not at all


@dataclass(frozen=True)
class RulePlans:
    """The plans of one rule for updates, as records; `sources`: the plans before encoding, known for a profile alone;
    `dormant`: whether the rule has none yet, as it can derive nothing."""

    plans: Any
    steps: Any
    sources: tuple[Plan, ...] = ()
    dormant: bool = False

    @property
    def count(self) -> int:
        """The number of plans, or DORMANT."""
        return DORMANT if self.dormant else len(self.plans)


NOT_YET = RulePlans(np.zeros(0, L.PLAN), np.zeros(0, L.STEP), dormant=True)


def update_plans(engine: State, chosen: Chosen, every_rule: bool = False) -> EncodedPlans:
    """The plans for updates of all components, each as `chosen` returns it; the indexes that they need are created.
    `every_rule`: those of dormant rules, too."""
    components = engine.expanded.components
    if not every_rule:
        return assembled(engine, chosen, [[NOT_YET] * len(component.rules) for component in components])
    every = [_plans_of_rules(engine, chosen, component, component.rules) for component in components]
    return assembled(engine, chosen, every)


def _plans_of_rules(engine: State, chosen: Chosen, component: Component, rules: Sequence[Rule]) -> list[RulePlans]:
    plans = [
        [plan for made in plans_of_rule(engine, rule) if (plan := chosen(made, component)) is not None]
        for rule in rules
    ]
    return rule_plans(engine, plans, component.names)


def plans_of_rule(engine: State, rule: Rule) -> list[Plan]:
    """A rule's plans of an update, by the statistics that are known now."""
    return plans_of_update(rule, lambda name: statistics_of(engine, name), engine.tuning.planning)


def update_sources(engine: State, counts: Sequence[Sequence[int]] | None = None) -> list[Plan]:
    """The plans for updates before encoding; a saved state does not contain them. `counts`: those of the plans that
    there are, where dormant rules have none."""
    return [
        plan
        for position, component in enumerate(engine.expanded.components)
        for number, rule in enumerate(component.rules)
        if counts is None or counts[position][number] != DORMANT
        for plan in plans_of_rule(engine, rule)
    ]


def rule_plans(
    engine: State, plans: Sequence[Sequence[Plan]], own: frozenset[str], number_of: Callable[[str], int] | None = None
) -> list[RulePlans]:
    """For each rule of a component its plans as records; the indexes that they need are created.

    `own`: relations of the component. `number_of`: numbers of relations where they are not those of the engine.
    """
    if not plans:
        return []
    lowered = lower(engine, [plan for some in plans for plan in some], own, number_of)
    sources = lowered.plans if engine.is_profiled else ()  # of a large program, hundreds of megabytes
    return _split(lowered.records, lowered.steps, sources, list(map(len, plans)))


def taken_apart(encoded: EncodedPlans) -> list[list[RulePlans]]:
    """The plans of an update by component and rule."""
    return [_by_rule(encoded, position) for position in range(len(encoded.counts))]


def _by_rule(encoded: EncodedPlans, position: int) -> list[RulePlans]:
    """The plans of each rule of one component."""
    first, count = (int(encoded.components[field][position]) for field in ("first_update_plan", "update_plan_count"))
    plans, sources = encoded.plans[first : first + count], encoded.sources[first : first + count]
    return _split(plans, encoded.steps, sources, encoded.counts[position])


def _split(plans: Any, steps: Any, sources: Sequence[Plan], counts: Sequence[int]) -> list[RulePlans]:
    """The plans of rules one after the other; `counts`: how many each of them has, or DORMANT."""
    found, at = list[RulePlans](), 0
    for count in counts:
        if count == DORMANT:
            found.append(NOT_YET)
            continue
        some, used = plans[at : at + count], steps[:0]
        if count:  # their steps stand in the order of the plans
            used = steps[int(some["first_step"][0]) : int(some["first_step"][-1] + some["step_count"][-1])]
        found.append(RulePlans(some, used, tuple(sources[at : at + count])))
        at += count
    return found


def assembled(
    engine: State,
    chosen: Chosen,
    by_component: Sequence[Sequence[RulePlans]],
    more_inputs: Mapping[int, Sequence[str]] | None = None,
) -> EncodedPlans:
    """The plans of all components in one, with those of dormant rules that may derive something by now.

    `by_component`: for each component nothing, or the plans of its rules in their order and others after them;
    `more_inputs`: position of a component → relations that it reads in addition to its inputs.
    """
    table, inputs = np.zeros(len(by_component), L.COMPONENT), list[int]()
    by_component, watched = _awakened(engine, chosen, range(len(by_component)), by_component)
    at = 0
    for position, (component, some) in enumerate(zip(engine.expanded.components, by_component, strict=True)):
        table[position] = engine.component_record(position, component)
        record = table[position]
        names = (*component.inputs, *(more_inputs or {}).get(position, ()))
        record["first_input"], record["input_count"] = len(inputs), len(names)
        inputs += [engine.numbers[name] for name in names]
        at = _place(record, some, at, watched[position], inputs)
    parts = [part for some in by_component for part in some]
    plans, steps = _laid(parts, 0, 0)
    for record in table:
        _group(record, plans, steps)
    return EncodedPlans(
        table,
        np.array(inputs or [0], np.int64),
        plans,
        steps,
        _sources(parts),
        [[part.count for part in some] for some in by_component],
    )


def _place(record: Any, parts: Sequence[RulePlans], at: int, watched: Sequence[int], inputs: list[int]) -> int:
    """Note in a component's record that its plans begin at this place, and which relations it watches, which become the
    last ones of `inputs`. Returns the place after its plans."""
    record["first_update_plan"], record["update_plan_count"] = at, sum(len(part.plans) for part in parts)
    record["first_watched"], record["watched_count"] = len(inputs), len(watched)
    inputs += watched
    return at + int(record["update_plan_count"])


def _awakened(
    engine: State, chosen: Chosen, positions: Iterable[int], by_component: Iterable[Sequence[RulePlans]]
) -> tuple[list[list[RulePlans]], list[list[int]]]:
    """(for each of these components the plans of its rules, with those of dormant rules that may derive something by
    now; the numbers of the relations that it watches for the other ones)."""
    found, watched = list[list[RulePlans]](), list[list[int]]()
    for position, some in zip(positions, by_component, strict=True):
        component, parts, names = engine.expanded.components[position], list(some), list[str]()
        dormant = [number for number, part in enumerate(parts) if part.dormant]
        if dormant:
            planned = [number for number in range(len(component.rules)) if not parts[number].dormant]
            ready, names = awake(engine, component, planned)
            woken = [number for number in ready if parts[number].dormant]
            made = _plans_of_rules(engine, chosen, component, [component.rules[number] for number in woken])
            for number, part in zip(woken, made, strict=True):
                parts[number] = part
        found.append(parts)
        watched.append([engine.numbers[name] for name in names])
    return found, watched


def _laid(parts: Sequence[RulePlans], first_plan: int, first_step: int) -> tuple[Any, Any]:
    """(plans, steps) of rules one after the other, to stand at these places."""
    plans, steps = _together([part.plans for part in parts], L.PLAN), _together([part.steps for part in parts], L.STEP)
    at, place = 0, first_step
    for part in parts:
        if len(part.plans):
            plans["first_step"][at : at + len(part.plans)] += place - int(part.plans["first_step"][0])
        at, place = at + len(part.plans), place + len(part.steps)
    plans["number"], plans["level"], plans["pending_step"] = np.arange(at) + first_plan, L.NONE, L.NONE
    return plans, steps


def _sources(parts: Sequence[RulePlans]) -> list[Plan]:
    """The plans before encoding, where all are known; those of a saved state are not."""
    sources = [plan for part in parts for plan in part.sources]
    return sources if len(sources) == sum(len(part.plans) for part in parts) else []


def woken(engine: State, chosen: Chosen, encoded: EncodedPlans, begin: int) -> EncodedPlans:
    """The same plans, and those of dormant rules that may derive something by now, of the component at this position
    and of those after it.

    The plans of such a component are copied to the end; where they were, they stay out of use.
    """
    components = encoded.components.copy()
    filled = np.append(0, np.cumsum(engine.store.relations["row_count"][encoded.inputs] > 0))
    first = components["first_watched"][begin:]
    watching = filled[first + components["watched_count"][begin:]] > filled[first]
    positions = (np.flatnonzero(watching) + begin).tolist()
    before = [_by_rule(encoded, position) for position in positions]
    by_component, watched = _awakened(engine, chosen, positions, before)
    parts, at, inputs = [part for some in by_component for part in some], len(encoded.plans), encoded.inputs.tolist()
    more_plans, more_steps = _laid(parts, at, len(encoded.steps))
    room = encoded.room or (encoded.plans, encoded.steps)
    room = _extended(room[0], at, more_plans), _extended(room[1], len(encoded.steps), more_steps)
    plans, steps = room[0][: at + len(more_plans)], room[1][: len(encoded.steps) + len(more_steps)]
    for position, some, numbers in zip(positions, by_component, watched, strict=True):
        at = _place(components[position], some, at, numbers, inputs)
        _group(components[position], plans, steps)
    known = len(encoded.sources) == len(encoded.plans)
    now = dict(zip(positions, by_component, strict=True))
    return EncodedPlans(
        components,
        np.array(inputs, np.int64),
        plans,
        steps,
        [*encoded.sources, *_sources(parts)] if known else [],
        [[part.count for part in now[n]] if n in now else counts for n, counts in enumerate(encoded.counts)],
        room,
    )


def _extended(room: Any, used: int, more: Any) -> Any:
    """The same array, or a longer one, with more records after those in use."""
    size, end = room.itemsize, used + len(more)
    if len(room) < end:
        longer = np.zeros(2 * end, room.dtype)
        longer.view(np.uint8)[: used * size] = room[:used].view(np.uint8)
        room = longer
    room.view(np.uint8)[used * size : end * size] = more.view(np.uint8)
    return room


def _group(component: Any, plans: Any, steps: Any) -> None:
    """Link the update plans of a component that start from the same changed rows, and these groups with each other."""
    some = slice(
        int(component["first_update_plan"]), int(component["first_update_plan"] + component["update_plan_count"])
    )
    drivers = plans["driver"][some]
    kinds = (
        np.take_along_axis(plans["body_kinds"][some], np.maximum(drivers, 0)[:, None], 1)[:, 0]
        if len(drivers)
        else drivers
    )
    groups: dict[tuple[bool, int, int], list[int]] = {}
    starts = steps["relation"][plans["first_step"][some]].tolist()
    for number, (role, kind, start) in enumerate(
        zip(plans["role"][some].tolist(), kinds.tolist(), starts, strict=True), some.start
    ):
        backward = role == L.BACKWARD
        groups.setdefault((not backward, 0 if backward else kind, start), []).append(number)
    component["backward_plans"] = component["forward_plans"] = L.NONE
    following = {False: L.NONE, True: L.NONE}
    for (forward, kind, start), members in sorted(groups.items(), reverse=True):
        plans["next_group"][members], plans["next_alike"][members] = following[forward], [*members[1:], L.NONE]
        plans["start"][members], plans["start_kind"][members] = start, kind
        following[forward] = members[0]
    component["backward_plans"], component["forward_plans"] = following[False], following[True]


def _together(arrays: Sequence[Any], layout: Any) -> Any:
    """Concatenate arrays of records, as bytes: numpy would compare their layouts field by field."""
    return np.concatenate([np.zeros(0, np.uint8), *(array.view(np.uint8) for array in arrays)]).view(layout)
