"""Bootstrap of one component that counts every instantiation, not only those that derive a row where it first appears.

The loop is that of `fixpoint`; only the last step of its plans differs, which counts

    DREDC      the nonrecursive and the recursive derivations of a row (see `row_flags`)
    BFC        the nonrecursive derivations
    COUNTING   the derivations in each iteration (see `timelines`)
"""

from .aggregation import publish_finals
from .arguments import record_of, vector_of
from .compiling import entry_point, helper
from .driver import pauses_after, pauses_before, start_plan
from .fixpoint import (
    FINALS,
    LIST,
    LIST_FINALS,
    PUBLISH,
    ROTATE,
    RUN,
    aggregate_phase,
    component_rows,
    has_work,
    list_component,
    rotate,
    tidy,
)
from .layout import (
    ABSENT,
    ALL,
    FINISHED,
    ITERATED,
    NEEDS_CAPACITY,
    NEEDS_PAUSE,
    NEEDS_PLANS,
    NONE,
    ONCE,
    int64,
)
from .row_flags import NOT_GIVEN, RECURSIVE
from .rowset import enter_row, find_row
from .steps import derive_late
from .stepwise import HAS_BATCH, is_recursive, next_batch, resume
from .storage import batch_of, counts_of, first_of, rows_of, scratch_of
from .timelines import HEADS, TIMELINES, capacity_for_later, count_later
from .visibility import find_all

DRED, DREDC, BF, BFC, COUNTING = range(5)


@entry_point(timelines=record_of(TIMELINES), heads=vector_of(HEADS))
def tally(
    strategy,
    fixpoint,
    components,
    plans,
    steps,
    relations,
    indexes,
    aggregates,
    operations,
    workspace,
    update,
    timelines,
    heads,
):
    """Run a bootstrap of `components[0]` until FINISHED or the host is needed; return a status. A second call carries
    on."""
    component = components[0]
    while True:
        phase, status = fixpoint.phase, FINISHED
        if phase == ROTATE:
            if not tidy(component, relations, indexes, workspace):
                return NEEDS_CAPACITY
            if not rotate(fixpoint, component, relations):
                fixpoint.phase = FINALS
                continue
            if component_rows(component, relations) > fixpoint.rows_planned_for:
                fixpoint.phase = LIST
                return NEEDS_PLANS
        elif phase == LIST or phase == LIST_FINALS:
            status = list_component(component, relations, indexes)
        elif phase == RUN:
            status = run_plans(
                strategy,
                fixpoint,
                component,
                plans,
                steps,
                relations,
                indexes,
                operations,
                workspace,
                update,
                timelines,
                heads,
            )
        elif phase == FINALS:
            for number in range(component.first_aggregate, component.first_aggregate + component.aggregate_count):
                if not publish_finals(aggregates[number], relations, indexes):
                    return NEEDS_CAPACITY
        else:
            status = aggregate_phase(phase, fixpoint, component, relations, indexes, aggregates, operations, update)
        if status != FINISHED:
            return status
        if phase == LIST_FINALS:
            return FINISHED
        fixpoint.phase = ROTATE if phase == PUBLISH else phase + 1
        fixpoint.cursor = component.first_aggregate


@helper
def run_plans(
    strategy, fixpoint, component, plans, steps, relations, indexes, operations, workspace, update, timelines, heads
):
    """Run the plans of this iteration; return a status."""
    role = ONCE if fixpoint.iteration == 1 else ITERATED
    while fixpoint.plan < component.first_plan + component.plan_count:
        plan = plans[fixpoint.plan]
        if plan.role == role:
            if plan.level == NONE and has_work(plan, steps, relations):
                if pauses_before(workspace):
                    return NEEDS_PAUSE
                start_plan(plan, steps, relations, fixpoint.iteration, ALL)
            if plan.level != NONE:
                status = run_plan(
                    strategy,
                    plan,
                    component,
                    steps,
                    relations,
                    indexes,
                    operations,
                    workspace,
                    update,
                    timelines,
                    heads,
                )
                if status != FINISHED:
                    return status
                if pauses_after(workspace):
                    fixpoint.plan += 1
                    return NEEDS_PAUSE
        fixpoint.plan += 1
    return FINISHED


@helper
def run_plan(strategy, plan, component, steps, relations, indexes, operations, workspace, update, timelines, heads):
    """Run a started plan to its end and count its instantiations; return a status."""
    status = resume(plan, component, steps, relations, indexes, operations, workspace, update)
    while status == HAS_BATCH:
        step = steps[plan.first_step + plan.level]
        relation, index, batch = relations[step.relation], indexes[step.index], batch_of(workspace, step.feeder)
        if strategy == COUNTING:
            done = count_in_iteration(
                step, plan.iteration, relation, index, batch, scratch_of(workspace), timelines, heads[step.relation]
            )
        else:
            done = count_by_rule(strategy, is_recursive(plan), step, relation, index, batch, scratch_of(workspace))
        if not done:
            return NEEDS_CAPACITY
        plan.derivations += step.source_count
        status = next_batch(plan, component, steps, relations, indexes, operations, workspace, update)
    return status


@helper
def add_row(step, relation, index, batch, i, tag, first, count):
    """Store candidate `i`, which is new; return False when it needs capacity. first, count: int64, its state."""
    if not enter_row(relation, index, batch[step.arguments[index.keys[0]], i], tag):
        return False
    row, rows = relation.row_count, rows_of(relation)
    for a in range(step.argument_count):
        rows[row, a] = batch[step.arguments[a], i]
    first_of(relation)[row], counts_of(relation)[row] = first, count
    relation.row_count = row + 1
    return True


@helper
def find_since(step, relation, index, batch, i, found, tags):
    """Return the number of candidate `i`, or NONE; it may have been stored after the batch was looked up."""
    return int64(found[i]) if found[i] != NONE else find_row(step, relation, index, batch, i, tags[i])


@helper
def weight_of(step, batch, i):
    """Return how many instantiations row `i` of a batch represents."""
    return int64(1) if step.value_register == NONE else int64(batch[step.value_register, i])


@helper
def count_by_rule(strategy, recursive, step, relation, index, batch, scratch):
    """Count the batch as derivations by a recursive rule or by another one; return False when it needs capacity
    (`step.cursor` is the batch row to carry on at)."""
    found, tags = scratch[0], scratch[3]
    find_all(step, relation, index, batch, step.cursor, step.source_count, found, tags)
    in_word, in_count = RECURSIVE if recursive and strategy == DREDC else 0, 0 if recursive else 1
    for i in range(step.cursor, step.source_count):
        row, weight = find_since(step, relation, index, batch, i, found, tags), weight_of(step, batch, i)
        if row == NONE:
            if not add_row(step, relation, index, batch, i, tags[i], NOT_GIVEN + weight * in_word, weight * in_count):
                step.cursor = i
                return False
        else:
            first_of(relation)[row] += weight * in_word
            counts_of(relation)[row] += weight * in_count
    step.cursor = step.source_count
    return True


@helper
def count_in_iteration(step, iteration, relation, index, batch, scratch, timelines, heads):
    """Count the batch as derivations in this iteration; return False when it needs capacity (`step.cursor` is the batch
    row to carry on at). heads: the record of the relation."""
    found, tags = scratch[0], scratch[3]
    find_all(step, relation, index, batch, step.cursor, step.source_count, found, tags)
    for i in range(step.cursor, step.source_count):
        step.cursor = i
        if not capacity_for_later(timelines, 1):
            return False
        row, weight = find_since(step, relation, index, batch, i, found, tags), weight_of(step, batch, i)
        if row == NONE:
            if not add_row(step, relation, index, batch, i, tags[i], iteration, weight):
                return False
        elif first_of(relation)[row] == iteration:
            counts_of(relation)[row] += weight
        elif first_of(relation)[row] == ABSENT:
            derive_late(relation, row, iteration, weight)
        else:
            count_later(timelines, heads, row, iteration, weight)
    step.cursor = step.source_count
    return True
