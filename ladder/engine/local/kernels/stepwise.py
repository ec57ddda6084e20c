"""Runs the plans of a strategy as `driver` does, except that the last step's batches are handed out to the caller."""

from .compiling import helper
from .driver import feed, narrow_by_values
from .layout import (
    ABSENT_ROW,
    BACKWARD,
    CHANGED,
    FINISHED,
    GENERATE,
    INSERT,
    INTERNAL,
    MEMBER,
    NEEDS_PAUSE,
    NONE,
    RANGE,
    SCAN,
    UNBOUNDED,
    int64,
)
from .steps import check_matches, deliver_matches, probe, scan
from .storage import batch_of, scratch_of
from .values import generate, generate_range
from .visibility import keep_absent, keep_members, keep_seen, pass_over_found, scan_moved, visibility_of

HAS_BATCH = -1


@helper
def start_at(plan, steps, start, current, state):
    """Set a plan to its first step, which begins at the change `start`, in the round `current`."""
    for number in range(plan.first_step, plan.first_step + plan.step_count):
        steps[number].rows_from, steps[number].rows_below = 0, UNBOUNDED
    steps[plan.first_step].cursor = start
    plan.level, plan.pending_step, plan.iteration, plan.state = 0, NONE, current, state


@helper
def is_recursive(plan):
    """Return whether a plan's rule has a literal of its own component."""
    for b in range(plan.body_count):
        if plan.body_kinds[b] == INTERNAL:
            return True
    return False


@helper
def produce(step, plan, component, steps, relations, indexes, operations, workspace, update, level):
    """Run a step that fills the batch of `level`; return (status, number of rows, whether the step is exhausted)."""
    target, batch_size = batch_of(workspace, level), workspace.batch_size
    relation = relations[step.relation]
    if step.kind == SCAN:
        count = scan(step, relation, indexes, target, batch_size)
        return FINISHED, count, count == 0 and step.cursor >= step.rows_below
    if step.kind == CHANGED:
        count = scan_moved(step, plan, relation, indexes, update, target, batch_size)
        return FINISHED, count, count == 0
    source = batch_of(workspace, step.feeder)
    if step.kind == GENERATE:
        status, count = generate(step, operations[step.operation], source, target, batch_size)
        return status, count, count == 0
    if step.kind == RANGE:
        count = generate_range(step, source, target, batch_size)
        return FINISHED, count, count == 0
    if plan.role == BACKWARD:
        last = steps[plan.first_step + plan.step_count - 1]
        pass_over_found(step, last.row_register, relations[last.relation], update, source)
    scratch, index = scratch_of(workspace), indexes[step.index]
    count = probe(step, relation, index, source, scratch, batch_size)
    exhausted = count == 0
    plan.matches += count
    count = check_matches(step, relation, index, source, scratch, count)
    count = keep_seen(visibility_of(plan, step, component), plan.iteration, relation, update, scratch, count)
    deliver_matches(step, relation, source, target, scratch, count)
    return FINISHED, count, exhausted


@helper
def narrow(step, plan, component, relations, indexes, operations, workspace, update, batch, count):
    """Run a step that works on a batch in place; return (status, number of rows left)."""
    status, kind, relation, scratch = FINISHED, step.kind, relations[step.relation], scratch_of(workspace)
    found, tags = scratch[0], scratch[3]
    if kind == MEMBER:
        visibility = visibility_of(plan, step, component)
        count = keep_members(
            step, visibility, plan.iteration, relation, indexes[step.index], update, batch, count, found, tags
        )
    elif kind == ABSENT_ROW:
        visibility = visibility_of(plan, step, component)
        count = keep_absent(step, visibility, relation, indexes[step.index], update, batch, count, found, tags)
    else:
        status, count = narrow_by_values(step, relation, indexes[step.index], operations, workspace, batch, count)
    return status, count


@helper
def next_batch(plan, component, steps, relations, indexes, operations, workspace, update):
    """Run a plan on to its last step; return HAS_BATCH when there is a batch for that, FINISHED at the end, or a status
    that asks the host for something."""
    level, first = plan.level, plan.first_step
    while level != NONE:
        if plan.pending_step != NONE:
            following, count = plan.pending_step, plan.pending_count
            plan.pending_step = NONE
        else:
            step = steps[first + level]
            if step.kind >= INSERT:  # its batch has been taken
                level = step.feeder
                continue
            plan.level = level
            if workspace.budget <= 0:
                return NEEDS_PAUSE
            workspace.budget -= 1
            plan.batches += 1
            status, count, exhausted = produce(
                step, plan, component, steps, relations, indexes, operations, workspace, update, level
            )
            if status != FINISHED:
                return status
            if exhausted:
                level = step.feeder if level > 0 else int64(NONE)
                continue
            following = level + 1
        while count > 0:
            step = steps[first + following]
            if step.kind < MEMBER or step.kind >= INSERT:
                feed(step, level, count)
                level = following
                break
            before = count
            status, count = narrow(
                step,
                plan,
                component,
                relations,
                indexes,
                operations,
                workspace,
                update,
                batch_of(workspace, level),
                count,
            )
            if status != FINISHED:
                plan.level, plan.pending_step, plan.pending_count = level, following, before
                return status
            following += 1
        plan.level = level
        if steps[first + level].kind >= INSERT:
            return HAS_BATCH
    plan.level = level
    return FINISHED


@helper
def resume(plan, component, steps, relations, indexes, operations, workspace, update):
    """Carry on with a started plan: return HAS_BATCH if the batch of its last step is still to be processed, otherwise
    do what `next_batch` does."""
    if steps[plan.first_step + plan.level].kind >= INSERT:
        return int64(HAS_BATCH)
    return next_batch(plan, component, steps, relations, indexes, operations, workspace, update)
