"""The driver loop, which runs one plan as a stack machine over its steps."""

from .compiling import helper
from .instantiations import rank, scan_changed, schedule
from .intersection import deliver_common, intersect
from .known import drop_known
from .layout import (
    ABSENT_ROW,
    ALL,
    AS_TEXT,
    BEFORE,
    CALL,
    CHANGED,
    COMPARE,
    COMPUTE,
    DELTA,
    END,
    FILL,
    FINISHED,
    GENERATE,
    GROUP,
    INSERT,
    MAKE_TEXT,
    MEMBER,
    NEEDS_CAPACITY,
    NEEDS_PAUSE,
    NONE,
    PACK,
    PARTITION,
    PAUSE_AFTER,
    PAUSE_BEFORE,
    PROBE,
    RANGE,
    SCAN,
    SCHEDULE,
    SETTLED,
    THE_ITERATION,
    UNBOUNDED,
    WEIGH,
    int64,
)
from .partitioning import partition
from .steps import absent_row, check_matches, deliver_matches, group, insert, keep_visible, member, probe, scan, weigh
from .storage import batch_of, scratch_of, slots_of
from .text_steps import compare_texts, compute_from_texts, floats_of_texts, make_texts, texts_of
from .values import call, compare, compute, fill, generate, generate_range, pack, unpack


@helper
def open_windows(plan, steps, relations, iteration):
    """Set for this run the window of rows of each step, and the iteration where a step fills it in."""
    for number in range(plan.first_step, plan.first_step + plan.step_count):
        step = steps[number]
        if step.kind == FILL and step.operation == THE_ITERATION:
            step.constant = iteration
        relation = relations[step.relation]
        step.rows_from, step.rows_below = 0, UNBOUNDED
        if step.window == DELTA:
            step.rows_from, step.rows_below = relation.before_rows, relation.settled_rows
        elif step.window == BEFORE:
            step.rows_below = relation.before_rows
        elif step.window == SETTLED:
            step.rows_below = relation.settled_rows
        elif step.kind == SCAN:
            step.rows_below = relation.row_count


@helper
def start_plan(plan, steps, relations, iteration, state):
    """Open a plan's windows and set it to its first step, for an iteration and a state of the database (ALL, OLD or
    NEW)."""
    open_windows(plan, steps, relations, iteration)
    first = steps[plan.first_step]
    begin_plan(plan, first, first.rows_from, iteration, state)


@helper
def begin_plan(plan, first, cursor, iteration, state):
    """Set a plan to its first step, which begins at `cursor`, for an iteration and a state of the database.

    Steps of updates see all rows, as they were encoded: of thousands of plans that are begun, most end at their first
    look-up, and none of their later steps is touched.
    """
    first.cursor = cursor
    plan.level, plan.pending_step, plan.iteration, plan.state = 0, NONE, iteration, state


@helper
def feed(step, level, count):
    """Pass a batch of `count` rows, produced at `level`, to a step."""
    step.feeder = level
    step.source_count = count
    step.cursor = 0
    step.entry_at = NONE


@helper
def produce(step, plan, steps, relations, indexes, operations, workspace, update, level):
    """Run a step that fills the batch of `level`; return (status, number of rows, whether the step is exhausted)."""
    target, batch_size = batch_of(workspace, level), workspace.batch_size
    relation = relations[step.relation]
    if step.kind == PROBE and step.constant > 0:
        source, scratch, number = batch_of(workspace, step.feeder), scratch_of(workspace), plan.first_step + level
        count, led = intersect(steps, number, relations, indexes, source, scratch, batch_size)
        plan.matches += led
        deliver_common(steps, number, source, target, scratch, count)
        return FINISHED, count, False
    if step.kind == SCAN:
        count = scan(step, relation, indexes, target, batch_size)
        return FINISHED, count, count == 0 and step.cursor >= step.rows_below
    if step.kind == CHANGED:
        count = scan_changed(step, plan, relation, indexes, update, target, batch_size)
        return FINISHED, count, count == 0
    source = batch_of(workspace, step.feeder)
    if step.kind == GENERATE:
        status, count = generate(step, operations[step.operation], source, target, batch_size)
        return status, count, count == 0
    if step.kind == RANGE:
        count = generate_range(step, source, target, batch_size)
        return FINISHED, count, count == 0
    scratch, index = scratch_of(workspace), indexes[step.index]
    count = probe(step, relation, index, source, scratch, batch_size)
    exhausted = count == 0
    plan.matches += count
    count = check_matches(step, relation, index, source, scratch, count)
    if plan.state != ALL or relation.absent_rows > 0:
        count = keep_visible(plan.state, relation, update, scratch, count)
    deliver_matches(step, relation, source, target, scratch, count)
    return FINISHED, count, exhausted


@helper
def members_done(step):
    """Return how many membership tests after a step are done with it (see `intersection`)."""
    return int64(step.constant) if step.kind == PROBE else int64(0)


@helper
def is_exhausted(step):
    """Return whether it is known, without running it once more, that a step has no further rows."""
    if step.kind == CHANGED:
        return step.cursor == END
    return step.kind == PROBE and step.cursor == step.source_count


@helper
def narrow(step, plan, relations, indexes, operations, workspace, update, batch, count):
    """Run a step that works on a batch in place; return (status, number of rows left)."""
    status, kind, relation = FINISHED, step.kind, relations[step.relation]
    scratch = scratch_of(workspace)
    found, tags = scratch[0], scratch[3]
    if kind == MEMBER:
        count = member(step, plan.state, relation, indexes[step.index], update, batch, count, found, tags)
    elif kind == ABSENT_ROW:
        count = absent_row(step, plan.state, relation, indexes[step.index], update, batch, count, found, tags)
    elif kind == WEIGH:
        weigh(step, relation, batch, count)
    else:
        if kind == PACK:
            update.stored = 1
        status, count = narrow_by_values(step, relation, indexes[step.index], operations, workspace, batch, count)
    return status, count


@helper
def narrow_by_values(step, relation, index, operations, workspace, batch, count):
    """Do what `narrow` does, for a step that does not look rows up."""
    status, kind, tags = FINISHED, step.kind, scratch_of(workspace)[3]
    if kind == MAKE_TEXT:
        if not make_texts(step, texts_of(workspace), batch, count):
            status = NEEDS_CAPACITY
    elif kind == CALL and step.interpretation == AS_TEXT:
        status, count = floats_of_texts(step, operations[step.operation], texts_of(workspace), batch, count)
    elif kind == COMPARE and step.interpretation == AS_TEXT:
        count = compare_texts(step, texts_of(workspace), batch, count)
    elif kind == COMPUTE and step.interpretation == AS_TEXT:
        count = compute_from_texts(step, texts_of(workspace), batch, count)
    elif kind == COMPARE:
        count = compare(step, batch, count)
    elif kind == COMPUTE:
        count = compute(step, batch, count)
    elif kind == CALL:
        status, count = call(step, operations[step.operation], batch, count)
    elif kind == FILL:
        fill(step, batch, count)
    elif kind == GROUP:
        count = group(step, batch, count, workspace.batch_size, slots_of(workspace), tags)
    elif kind == PACK:
        if not pack(step, relation, index, batch, count, tags):
            status = NEEDS_CAPACITY
    else:
        count = unpack(step, relation, batch, count)
    return status, count


@helper
def pauses_before(workspace):
    """Return whether to stop before a plan is started, so that the host can measure it."""
    if workspace.pause != PAUSE_BEFORE:
        return False
    workspace.pause = PAUSE_AFTER
    return True


@helper
def pauses_after(workspace):
    """Return whether to stop after a plan that the host measures."""
    if workspace.pause != PAUSE_AFTER:
        return False
    workspace.pause = PAUSE_BEFORE
    return True


@helper
def consume(step, plan, relations, indexes, workspace, update):
    """Let the last step of a plan take its batch; return False when it needs capacity."""
    relation, index = relations[step.relation], indexes[step.index]
    source, scratch = batch_of(workspace, step.feeder), scratch_of(workspace)
    if relation.known != 0 and step.cursor == 0 and (step.kind == PARTITION or step.kind == INSERT):
        left = drop_known(step, relation, source, scratch[0], scratch[1])
        plan.derivations += step.source_count - left
        step.source_count = left
    if step.kind == PARTITION:
        done = partition(step, plan.first_step + plan.step_count - 1, index, workspace, source, scratch)
    elif step.kind == INSERT:
        done = insert(step, relation, index, source, plan.iteration, scratch[0], scratch[1], scratch[3])
    elif step.kind == SCHEDULE:
        done = schedule(step, plan, relations, index, update, source, scratch[0], scratch[1], scratch[3])
    else:
        done = rank(step, plan, relations, update, source, scratch[0])
    if done:
        plan.derivations += step.source_count
    return done


@helper
def run_started_plan(plan, steps, relations, indexes, operations, workspace, update):
    """Run a started plan until FINISHED or the host is needed; return a status. A second call carries on."""
    level, first = plan.level, plan.first_step
    while level != NONE:
        if plan.pending_step != NONE:
            following, count = plan.pending_step, plan.pending_count
            plan.pending_step = NONE
        else:
            step = steps[first + level]
            if step.kind >= INSERT:
                if not consume(step, plan, relations, indexes, workspace, update):
                    plan.level = level
                    return NEEDS_CAPACITY
                level = step.feeder
                continue
            if is_exhausted(step):
                level = step.feeder if level > 0 else int64(NONE)
                continue
            if workspace.budget <= 0:
                plan.level = level
                return NEEDS_PAUSE
            workspace.budget -= 1
            plan.batches += 1
            status, count, exhausted = produce(
                step, plan, steps, relations, indexes, operations, workspace, update, level
            )
            if status != FINISHED:
                plan.level = level
                return status
            if exhausted:
                level = step.feeder if level > 0 else int64(NONE)
                continue
            following = level + 1 + members_done(step)
        while count > 0:
            step = steps[first + following]
            if step.kind < MEMBER or step.kind >= INSERT:
                feed(step, level, count)
                level = following
                break
            before = count
            status, count = narrow(
                step, plan, relations, indexes, operations, workspace, update, batch_of(workspace, level), count
            )
            if status != FINISHED:
                plan.level, plan.pending_step, plan.pending_count = level, following, before
                return status
            following += 1
    plan.level = level
    return FINISHED
