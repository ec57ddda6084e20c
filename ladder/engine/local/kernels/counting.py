"""The update of a state that counts the derivations of every row in every iteration (see `timelines`).

The phases are those of `update`, without backward evaluation: a row that loses all derivations of its first iteration
appears at the next iteration of its timeline. In exchange, every instantiation whose time changes is visited, also if
its head appears earlier. An instantiation with the old time t and the new time t' (ABSENT if it does not hold) makes,
if they differ, these events:

    LOST      at t, if t' > t: -1 there              one event for each instantiation that lost a literal
    GAINED    at t': +1 there; if t > t', -1 at t    one event, or several, for each that gained a literal
    CANDIDATE at the next iteration in the timeline of an absent row: it appears if it still has derivations there
"""

from .aggregation import change_finals, collect_changed, schedule_totals, visit_totals
from .arguments import record_of, vector_of
from .blocks import free_all_retired
from .compiling import entry_point, helper
from .driver import pauses_after, pauses_before
from .events import (
    add_arrived,
    add_departed,
    add_event,
    add_lost,
    affect,
    capacity_for_changes,
    capacity_for_events,
    capacity_for_iteration,
    change_of,
    drop_first_event,
    note_active,
    take_affected,
)
from .instantiations import new_time, old_time
from .layout import (
    ABSENT,
    CANDIDATE,
    END,
    FINISHED,
    FORWARD,
    GAINED,
    INCONSISTENT,
    INTERNAL,
    LOST,
    NEEDS_CAPACITY,
    NEEDS_PAUSE,
    NEGATED,
    NEW,
    NONE,
    OLD,
    int64,
)
from .rowset import NO_CAPACITY, compute_tags, find_or_add_row, find_row
from .stepwise import HAS_BATCH, next_batch, resume, start_at
from .storage import batch_of, changes_of, counts_of, events_of, first_events_of, first_of, scratch_of
from .timelines import HEADS, TIMELINES, capacity_for_later, count_at, next_later, note_later
from .totals import settle
from .update import (
    advance,
    close_component,
    is_last_arrival,
    latest_literal,
    list_rows,
    next_component,
    open_component,
)

(
    OPEN,
    LIST,
    RETURN,
    COLLECT,
    SETTLE,
    SCHEDULE,
    TOTALS,
    LIST_TOTALS,
    DEPART,
    ARRIVE,
    ADVANCE,
    VISIT,
    AFFECT,
    FINALS,
    LIST_FINALS,
    CLOSE,
) = range(16)


@entry_point(timelines=record_of(TIMELINES), heads=vector_of(HEADS))
def count(
    update, components, inputs, plans, steps, relations, indexes, aggregates, operations, workspace, timelines, heads
):
    """Bring components up to date until FINISHED or the host is needed; return a status. A second call carries on."""
    while True:
        status = next_component(update, components, inputs, relations)
        if status != NONE:
            return status
        component = components[update.component]
        status = run_phase(
            update, component, plans, steps, relations, indexes, aggregates, operations, workspace, timelines, heads
        )
        if status != FINISHED:
            return status


@helper
def run_phase(update, component, plans, steps, relations, indexes, aggregates, operations, workspace, timelines, heads):
    """Run the current phase and go on to the next one; return a status."""
    phase, status, following = update.phase, FINISHED, update.phase + 1
    if phase == OPEN:
        open_component(update, component, relations)
        update.plan = component.first_update_plan
    elif phase == LIST or phase == LIST_TOTALS or phase == LIST_FINALS:
        status = list_rows(component, relations, indexes)
    elif phase == RETURN:
        status = await_next(update, component, relations, timelines, heads)
    elif phase == DEPART or phase == ARRIVE:
        status = run_plans(phase, update, component, plans, steps, relations, indexes, operations, workspace)
    elif phase == ADVANCE:
        free_all_retired(relations, indexes, component.first_relation, component.relation_count)
        if not advance(update, relations):
            following = int64(FINALS)
    elif phase == VISIT:
        status = visit_events(update, plans, relations, timelines, heads)
    elif phase == AFFECT:
        status = settle_affected(update, relations, timelines, heads)
        following = int64(LIST)
    elif phase == CLOSE:
        close_component(update, component, relations)
        following = int64(OPEN)
    else:
        status = aggregate_phase(phase, update, component, relations, indexes, aggregates, operations)
    if status == FINISHED:
        update.phase = following
        if phase == CLOSE:
            update.component += 1
    return status


@helper
def await_next(update, component, relations, timelines, heads):
    """Add an event for each lost row at the next iteration of its timeline; return a status."""
    changes = changes_of(update)
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relation = relations[number]
        while relation.lost != END:
            change = changes[relation.lost]
            following = next_later(timelines, heads[number], change.row, update.iteration)
            if following != NONE:
                if not (capacity_for_events(update, 1) and capacity_for_iteration(update, following)):
                    return NEEDS_CAPACITY
                add_event(update, following, CANDIDATE, number, change.row)
            relation.lost = change.next_lost
    return FINISHED


@helper
def run_plans(phase, update, component, plans, steps, relations, indexes, operations, workspace):
    """Run all plans that start from departed rows (on the old state) or arrived rows (on the new one); return a status.

    For a negated literal, departed and arrived rows are swapped. In later iterations than 0, rows of earlier components
    are not looked at.
    """
    while update.plan < component.first_update_plan + component.update_plan_count:
        plan = plans[update.plan]
        if plan.role == FORWARD and (update.iteration == 0 or plan.body_kinds[plan.driver] == INTERNAL):
            relation, negated = relations[steps[plan.first_step].relation], plan.body_kinds[plan.driver] == NEGATED
            start = relation.departed if (phase == DEPART) != negated else relation.arrived
            if plan.level == NONE and start != END:
                if pauses_before(workspace):
                    return NEEDS_PAUSE
                start_at(plan, steps, start, update.iteration, OLD if phase == DEPART else NEW)
            if plan.level != NONE:
                status = run_plan(plan, component, steps, relations, indexes, operations, workspace, update)
                if status != FINISHED:
                    return status
                if pauses_after(workspace):
                    update.plan += 1
                    return NEEDS_PAUSE
        update.plan += 1
    update.plan = component.first_update_plan
    return FINISHED


@helper
def run_plan(plan, component, steps, relations, indexes, operations, workspace, update):
    """Run a started plan to its end and make events of its instantiations; return a status."""
    status = resume(plan, component, steps, relations, indexes, operations, workspace, update)
    while status == HAS_BATCH:
        step = steps[plan.first_step + plan.level]
        relation, index, batch = relations[step.relation], indexes[step.index], batch_of(workspace, step.feeder)
        if not schedule(step, plan, relations, relation, index, update, batch, scratch_of(workspace)[3]):
            return NEEDS_CAPACITY
        plan.derivations += step.source_count
        status = next_batch(plan, component, steps, relations, indexes, operations, workspace, update)
    return status


@helper
def schedule(step, plan, relations, relation, index, update, batch, tags):
    """Make an event of each instantiation whose time may change; return False when it needs capacity (`step.cursor` is
    the row to carry on at)."""
    if not capacity_for_events(update, step.source_count - step.cursor):
        return False
    compute_tags(step, index, batch, step.source_count, tags)
    for i in range(step.cursor, step.source_count):
        step.cursor = i
        old, new, first_to_go, last_to_come = times(plan, relations, update, batch, i)
        time = old if plan.state == OLD else new
        if not capacity_for_iteration(update, time):
            return False
        if old == new or plan.driver != (first_to_go if plan.state == OLD else last_to_come):
            continue
        if plan.state == OLD:
            head, kind = find_row(step, relation, index, batch, i, tags[i]), LOST
        else:
            head, kind = find_or_add_row(step, relation, index, batch, i, tags[i]), GAINED
            if head == NO_CAPACITY:
                return False
        number = add_event(update, time, kind, plan.number, head)
        body = events_of(update)[number].body
        for b in range(plan.body_count):
            body[b] = batch[plan.row_registers[b], i]
    step.cursor = step.source_count
    return True


@helper
def times(plan, relations, update, batch, i):
    """Return four numbers of instantiation `i`: its old time, its new time as far as it is known, the literal that
    departs first, and the literal that arrives last.

    If several literals depart in the same iteration, the first one in the text counts; if several arrive, the last.
    """
    old_latest, new_latest, gone_at, came_at = int64(0), int64(0), int64(ABSENT), int64(-1)
    first_to_go, last_to_come = int64(NONE), int64(NONE)
    for b in range(plan.body_count):
        row = int64(batch[plan.row_registers[b], i])
        old, new = old_time(plan, relations, update, b, row), new_time(plan, relations, b, row)
        old_latest, new_latest = max(old_latest, old), max(new_latest, new)
        if new > old and old < gone_at:
            first_to_go, gone_at = int64(b), old
        if new != old and new >= came_at:
            last_to_come, came_at = int64(b), new
    return after(old_latest), after(new_latest), first_to_go, last_to_come


@helper
def after(latest):
    """Return the time of an instantiation whose last literal holds from iteration `latest` on."""
    return latest if latest == ABSENT else latest + 1


@helper
def aggregate_phase(phase, update, component, relations, indexes, aggregates, operations):
    """Run COLLECT, SETTLE, SCHEDULE, TOTALS or FINALS for each aggregate of the component; return a status."""
    if phase == TOTALS:
        return (
            FINISHED
            if component.aggregate_count == 0 or visit_totals(update, aggregates, relations, indexes)
            else NEEDS_CAPACITY
        )
    for number in range(component.first_aggregate, component.first_aggregate + component.aggregate_count):
        aggregate, done = aggregates[number], True
        if phase == COLLECT:
            done = collect_changed(aggregate, relations, update)
        elif phase == SCHEDULE:
            done = schedule_totals(aggregate, number, update)
        elif phase == FINALS:
            done = change_finals(aggregate, relations, indexes, update)
        else:
            status = settle(aggregate, operations[aggregate.operation])
            if status != FINISHED:
                return status
        if not done:
            return NEEDS_CAPACITY
    return FINISHED


@helper
def visit_events(update, plans, relations, timelines, heads):
    """Gather what the events of this iteration change about their heads; return a status."""
    events, first_events, iteration = events_of(update), first_events_of(update), update.iteration
    while first_events[iteration] != END:
        if not (capacity_for_changes(update, 1) and capacity_for_later(timelines, 1)):
            return NEEDS_CAPACITY
        event = events[first_events[iteration]]
        head, is_candidate = int64(event.head), event.kind == CANDIDATE
        plan = plans[0 if is_candidate else event.plan]
        number = int64(event.plan) if is_candidate else plan.head
        relation = relations[number]
        if is_candidate:
            affect(update, number, relation, head, 0)
        elif event.kind == LOST:
            if after(latest_literal(plan, relations, event)) > iteration:
                affect(update, number, relation, head, -1)
        elif after(latest_literal(plan, relations, event)) == iteration and is_last_arrival(
            plan, relations, update, event
        ):
            old = old_event_time(plan, relations, update, event)
            if old != iteration:
                affect(update, number, relation, head, 1)
            if old > iteration and old != ABSENT:
                count_in(update, number, relation, head, old, -1, timelines, heads)
        drop_first_event(update, first_events, iteration)
    return FINISHED


@helper
def old_event_time(plan, relations, update, event):
    """Return the time of an event's instantiation in the old state."""
    latest = int64(0)
    for b in range(plan.body_count):
        latest = max(latest, old_time(plan, relations, update, b, int64(event.body[b])))
    return after(latest)


@helper
def count_in(update, number, relation, row, iteration, difference, timelines, heads):
    """Change the number of derivations of a touched row in an iteration; there must be capacity for it."""
    if first_of(relation)[row] == iteration:
        counts_of(relation)[row] += difference
    else:
        note_later(timelines, heads[number], number, row, iteration, difference)


@helper
def settle_affected(update, relations, timelines, heads):
    """Decide which affected rows depart or arrive in this iteration; return a status."""
    changes, iteration = changes_of(update), update.iteration
    while update.affected != END:
        if not capacity_for_later(timelines, 3):
            return NEEDS_CAPACITY
        change_number = take_affected(update)
        change = changes[change_number]
        number, row = int64(change.relation), int64(change.row)
        relation = relations[number]
        first, counts = first_of(relation), counts_of(relation)
        if change.delta != 0:
            count_in(update, number, relation, row, iteration, int64(change.delta), timelines, heads)
        if first[row] < iteration:
            continue
        if first[row] == iteration:
            if counts[row] < 0:
                return INCONSISTENT
            if counts[row] == 0:
                first[row] = ABSENT
                note_active(update, relation, number)
                add_departed(relation, change, change_number)
                add_lost(relation, change, change_number)
            continue
        here = count_at(timelines, heads[number], row, iteration)
        if here < 0:
            return INCONSISTENT
        if here > 0:
            note_later(timelines, heads[number], number, row, iteration, -here)
            if first[row] != ABSENT and counts[row] != 0:
                note_later(timelines, heads[number], number, row, int64(first[row]), int64(counts[row]))
            first[row], counts[row] = iteration, here
            note_active(update, relation, number)
            add_arrived(relation, change, change_number)
        elif first[row] == ABSENT:
            add_lost(relation, change, change_number)
    return FINISHED


@entry_point(rows=vector_of(int64), timelines=record_of(TIMELINES), heads=record_of(HEADS))
def change_counted_facts(update, relation, number, rows, present, done, timelines, heads):
    """Make stored rows facts, or (`present` is false) facts no longer; return how many rows are done, fewer than all
    when it needs capacity.

    rows: int64[n], numbers of rows of the relation `number`; present: bool; done: int64, how many were done before.
    """
    first, counts = first_of(relation), counts_of(relation)
    for i in range(done, len(rows)):
        row = rows[i]
        if (first[row] == 0) == present:
            continue
        if not (capacity_for_changes(update, 1) and capacity_for_later(timelines, 1)):
            return i
        change_of(update, number, relation, row)
        if present and first[row] != ABSENT:
            note_later(timelines, heads, number, row, int64(first[row]), int64(counts[row]))
        first[row] = 0 if present else ABSENT
        counts[row] = 1 if present else 0
    return len(rows)
