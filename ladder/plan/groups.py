"""Grouping of batches: a bootstrap's plan → the same plan with GROUP steps.

When no later step reads a join variable, rows may be left that do not differ any more. Such rows are merged, with their
number as multiplicity: later steps look each up once, and it reaches the head as one row with that many derivations, so
counts stay exact. How many rows are equal is known only when a batch is there, so the kernel skips a GROUP step for a
while where few are.

    scan load → t, b, f;  probe vpt by 0=b → g;                         probe hpt by 0=g, 1=f → h;  insert vpt(t, h)
    scan load → t, b, f;  probe vpt by 0=b → g;  group by t, f, g;      probe hpt by 0=g, 1=f → h;  insert vpt(t, h)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ladder.language.core import Var
from ladder.language.limits import LIMITS
from ladder.plan.components import UNIT
from ladder.plan.steps import Group, Plan, Probe, Scan, Step, checked, step_reads, step_writes


def with_groups(plan: Plan, arity: Callable[[str], int]) -> Plan:
    """The plan with a GROUP step before each look-up before which a variable has become unused since the last GROUP
    step; `arity`: that of a relation.

    There is none before the insertion into the head's relation, which finds equal rows itself.
    """
    if len(plan.steps) > LIMITS.grouped_steps or not any(isinstance(step, Probe) for step in plan.steps):
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
        projected |= _leaves_columns(step, arity)
    return checked(replace(plan, steps=tuple(steps)))


def _needed(plan: Plan) -> list[frozenset[Var]]:
    """For each step the variables that it or a later step reads."""
    needed = frozenset(t for t in plan.rule.head.terms if isinstance(t, Var))
    result: list[frozenset[Var]] = []
    for step in reversed(plan.steps):
        needed = (needed - step_writes(step)) | step_reads(step)
        result.append(needed)
    return result[::-1]


def _all_written(steps: list[Step]) -> frozenset[Var]:
    return frozenset[Var]().union(*map(step_writes, steps))


def _leaves_columns(step: Step, arity: Callable[[str], int]) -> bool:
    match step:
        case Scan(relation, binds):
            return relation != UNIT and len(binds) < arity(relation)
        case Probe(relation, keys, binds):
            return len(keys) + len(binds) < arity(relation)
        case _:
            return False
