"""Where batches are grouped: a bootstrap's plan → the same plan with GROUP steps.

A join variable that no later step reads leaves rows that differ in nothing any more. Merged, with their number as
multiplicity, they are looked up once each further right, and reach the head as one row with so many derivations: counts
stay exact. Whether rows are in fact equal only the batches tell, so the kernel leaves a GROUP step out for a while
where few of them are.

    scan load → t, b, f;  probe vpt by 0=b → g;                         probe hpt by 0=g, 1=f → h;  insert vpt(t, h)
    scan load → t, b, f;  probe vpt by 0=b → g;  group by t, f, g;      probe hpt by 0=g, 1=f → h;  insert vpt(t, h)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ladder.language.core import Var
from ladder.language.limits import LIMITS
from ladder.plan.components import UNIT
from ladder.plan.steps import Group, Plan, Probe, Scan, Step, step_reads, step_writes, verify


def with_groups(plan: Plan, arities: Mapping[str, int]) -> Plan:
    """The plan with a GROUP step before each look-up where a variable has fallen out of use since the last.

    There is none before the insertion, which finds equal rows in the same way.
    """
    if len(plan.steps) > LIMITS.grouped_steps:
        return plan
    steps: list[Step] = []
    bound: set[Var] = set()  # since the last GROUP
    projected = False  # whether a step since then has left columns of a relation aside
    for step, needed in zip(plan.steps, _needed(plan), strict=True):
        if isinstance(step, Probe) and len(needed) <= LIMITS.grouped_variables and (projected or bound - needed):
            steps.append(Group(tuple(sorted(needed & _all_written(steps), key=str))))
            bound, projected = set(needed), False
        steps.append(step)
        bound |= step_writes(step)
        projected |= _leaves_columns(step, arities)
    return verify(replace(plan, steps=tuple(steps)))


def _needed(plan: Plan) -> list[frozenset[Var]]:
    """Variables that are read from each step on, that one included."""
    needed = frozenset(t for t in plan.rule.head.terms if isinstance(t, Var))
    result: list[frozenset[Var]] = []
    for step in reversed(plan.steps):
        needed = (needed - step_writes(step)) | step_reads(step)
        result.append(needed)
    return result[::-1]


def _all_written(steps: list[Step]) -> frozenset[Var]:
    return frozenset[Var]().union(*map(step_writes, steps))


def _leaves_columns(step: Step, arities: Mapping[str, int]) -> bool:
    match step:
        case Scan(relation, binds):
            return relation != UNIT and len(binds) < arities[relation]
        case Probe(relation, keys, binds):
            return len(keys) + len(binds) < arities[relation]
        case _:
            return False
