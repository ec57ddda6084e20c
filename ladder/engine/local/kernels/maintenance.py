"""Maintenance without timestamps: delete, prove or derive again, add (Hu, Motik, Horrocks, AAAI 2018, Algorithms 1–3).

To *queue* a row is to add it to the list of rows (`update.affected`) that the next phase looks at. I is the set of rows
of a component.

    for each component, in topological order:
    OPEN           queue rows that are no longer facts
    DELETE_SEEDS   queue heads of instantiations that lost a literal of an earlier component
    repeat
        SEEK       BF, BFC: find out which of the queued rows have a proof (see `proofs`)
        TAKE_GONE  queued rows leave I: with DRED all of them; with DREDC those without a nonrecursive derivation;
                   with BF and BFC those without a proof
        DELETE     queue heads of instantiations that had one of these rows
    until no row is queued
    REDERIVE       DRED: find out which of the rows that left have a derivation from I
    ADD_SEEDS      queue heads of instantiations that gained a literal of an earlier component
    QUEUE          queue rows that left and have a derivation, and new facts
    repeat
        LIST       enter rows stored since into the secondary indexes
        TAKE_COME  queued rows enter I
        ADD        queue heads of instantiations with one of these rows
    until no row is queued
    COLLECT …      aggregate inputs enter and leave their groups, totals and final totals follow
    CLOSE          changed rows become input of later components

DREDC counts all instantiations as they go and come, BFC those of rules without a literal of the component, so that
these derivations need not be looked for. DELETE and ADD meet each instantiation once (see `visibility`).
Every phase returns FINISHED or a status that asks the host for something; when it is called again, it carries on.
"""

from .aggregation import UNSETTLED, change_aggregand, change_finals, move_total, row_of_total
from .arguments import record_of
from .blocks import free_all_retired
from .compiling import entry_point, helper
from .driver import pauses_after, pauses_before
from .events import add_arrived, add_departed, capacity_for_changes, take_affected
from .layout import (
    ABSENT,
    BACKWARD,
    END,
    FINISHED,
    FORWARD,
    INCONSISTENT,
    INTERNAL,
    NEEDS_CAPACITY,
    NEEDS_PAUSE,
    NEGATED,
    NO_VALUE,
    NONE,
    int64,
)
from .proofs import SEARCH, seek, take_found
from .row_flags import FOUND, RECURSIVE, is_given, set_word, touch, wait, was_given
from .rowset import NO_CAPACITY, find_or_add_row
from .stepwise import HAS_BATCH, is_recursive, next_batch, resume, start_at
from .storage import batch_of, changes_of, counts_of, first_of, scratch_of, total_events_of
from .totals import settle
from .update import close_component, list_rows, next_component
from .visibility import ADDING, DELETING, REDERIVING, find_all

DRED, DREDC, BF, BFC = range(4)
(
    OPEN,
    DELETE_SEEDS,
    SEEK,
    TAKE_GONE,
    DELETE,
    REDERIVE,
    ADD_SEEDS,
    QUEUE,
    LIST,
    TAKE_COME,
    ADD,
    COLLECT,
    SETTLE,
    TOTALS,
    FINALS,
    LIST_FINALS,
    CLOSE,
) = range(17)


@entry_point(search=record_of(SEARCH))
def maintain(
    strategy, search, update, components, inputs, plans, steps, relations, indexes, aggregates, operations, workspace
):
    """Bring components up to date until FINISHED or the host is needed; return a status. A second call carries on."""
    while True:
        status = next_component(update, components, inputs, relations)
        if status != NONE:
            return status
        component = components[update.component]
        status = run_phase(
            strategy, search, update, component, plans, steps, relations, indexes, aggregates, operations, workspace
        )
        if status != FINISHED:
            return status


@helper
def run_phase(strategy, search, update, component, plans, steps, relations, indexes, aggregates, operations, workspace):
    """Run the current phase and go on to the next one; return a status."""
    phase, status, following = update.phase, FINISHED, update.phase + 1
    if phase == OPEN:
        open_component(update, component, relations)
    elif phase == SEEK:
        if strategy == BF or strategy == BFC:
            status = seek(
                search, strategy == BFC, update, component, plans, steps, relations, indexes, operations, workspace
            )
    elif phase == TAKE_GONE:
        if not take_gone(strategy, update, component, relations):
            following = int64(REDERIVE)
    elif phase == QUEUE:
        queue_returning(update, component, relations)
    elif phase == LIST or phase == LIST_FINALS:
        status = list_rows(component, relations, indexes)
    elif phase == TAKE_COME:
        free_all_retired(relations, indexes, component.first_relation, component.relation_count)
        if not take_come(strategy, update, component, relations):
            following = int64(COLLECT)
    elif phase == CLOSE:
        close_component(update, component, relations)
    elif phase < COLLECT:
        status = run_plans(strategy, phase, update, component, plans, steps, relations, indexes, operations, workspace)
        following = int64(SEEK) if phase == DELETE else int64(LIST) if phase == ADD else following
    else:
        status = aggregate_phase(phase, update, component, relations, indexes, aggregates, operations)
    if status == FINISHED:
        update.phase = following
        if phase == CLOSE:
            update.phase = OPEN
            update.component += 1
    return status


@helper
def open_component(update, component, relations):
    """Queue the rows that are no longer facts."""
    changes = changes_of(update)
    update.iteration, update.plan, update.affected = 0, component.first_update_plan, END
    update.active_components += 1
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relation = relations[number]
        relation.lost = relation.departed = relation.arrived = END
        changed = relation.changed
        while changed != END:
            change = changes[changed]
            if was_given(change) and not is_given(change):
                wait(update, change, changed)
            changed = int64(change.next_changed)


@helper
def next_round(update, component, relations):
    """Begin a round: forget which rows moved in the last one."""
    update.iteration += 1
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relations[number].departed = relations[number].arrived = END


@helper
def take_gone(strategy, update, component, relations):
    """Remove the queued rows that may have lost all their derivations; return False when there are none."""
    next_round(update, component, relations)
    changes, some = changes_of(update), False
    while update.affected != END:
        number = take_affected(update)
        change = changes[number]
        relation = relations[change.relation]
        first = first_of(relation)
        if first[change.row] == ABSENT:
            continue
        if counts_rules(strategy) and (is_given(change) or counts_of(relation)[change.row] > 0):
            continue
        if change.candidate_count & FOUND != 0:
            continue
        first[change.row] = ABSENT
        change.delta = update.iteration
        add_departed(relation, change, number)
        if strategy == DRED:
            change.next_lost = relation.lost
            relation.lost = number
        some = True
    return some


@helper
def counts_rules(strategy):
    """Return whether a strategy counts nonrecursive derivations."""
    return strategy == DREDC or strategy == BFC


@helper
def queue_returning(update, component, relations):
    """Queue the absent rows that are facts or have a derivation."""
    changes = changes_of(update)
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relation = relations[number]
        first, changed = first_of(relation), relation.changed
        while changed != END:
            change = changes[changed]
            found = is_given(change) or change.candidate >= RECURSIVE or change.candidate_count & FOUND != 0
            if first[change.row] == ABSENT and found:
                wait(update, change, changed)
            changed = int64(change.next_changed)


@helper
def take_come(strategy, update, component, relations):
    """Let the queued rows enter; return False when there are none."""
    next_round(update, component, relations)
    changes, some = changes_of(update), False
    while update.affected != END:
        number = take_affected(update)
        change = changes[number]
        relation = relations[change.relation]
        first = first_of(relation)
        if first[change.row] != ABSENT:
            continue
        first[change.row] = change.candidate
        if not counts_rules(strategy):
            counts_of(relation)[change.row] = 1
        change.delta = update.iteration
        add_arrived(relation, change, number)
        some = True
    update.active_iterations += int64(some)
    return some


@helper
def is_wanted(phase, plan):
    """Return whether a plan is run in a phase."""
    if phase == REDERIVE:
        return plan.role == BACKWARD
    return plan.role == FORWARD and (plan.body_kinds[plan.driver] == INTERNAL) == (phase == DELETE or phase == ADD)


@helper
def start_of(phase, plan, steps, relations):
    """Return the number of the first change that a plan starts from in a phase, or END."""
    relation = relations[steps[plan.first_step].relation]
    if phase == REDERIVE:
        return relation.lost
    negated = plan.body_kinds[plan.driver] == NEGATED
    deleting = phase == DELETE or phase == DELETE_SEEDS
    return relation.departed if deleting != negated else relation.arrived


@helper
def run_plans(strategy, phase, update, component, plans, steps, relations, indexes, operations, workspace):
    """Run the plans of a phase; return a status."""
    if phase == REDERIVE and strategy != DRED:
        return FINISHED
    seeds = phase == DELETE_SEEDS or phase == ADD_SEEDS
    state = REDERIVING if phase == REDERIVE else DELETING if phase == DELETE or phase == DELETE_SEEDS else ADDING
    while update.plan < component.first_update_plan + component.update_plan_count:
        plan = plans[update.plan]
        if is_wanted(phase, plan):
            start = start_of(phase, plan, steps, relations)
            if plan.level == NONE and start != END:
                if pauses_before(workspace):
                    return NEEDS_PAUSE
                start_at(plan, steps, start, 0 if seeds else update.iteration, state)
            if plan.level != NONE:
                status = run_plan(strategy, plan, component, steps, relations, indexes, operations, workspace, update)
                if status != FINISHED:
                    return status
                if pauses_after(workspace):
                    update.plan += 1
                    return NEEDS_PAUSE
        update.plan += 1
    update.plan = component.first_update_plan
    return FINISHED


@helper
def run_plan(strategy, plan, component, steps, relations, indexes, operations, workspace, update):
    """Run a started plan to its end and process its batches; return a status."""
    status = resume(plan, component, steps, relations, indexes, operations, workspace, update)
    while status == HAS_BATCH:
        step = steps[plan.first_step + plan.level]
        batch, scratch = batch_of(workspace, step.feeder), scratch_of(workspace)
        if plan.state == DELETING:
            status = take_lost(strategy, step, plan, relations, indexes, update, batch, scratch[0], scratch[3])
        elif plan.state == ADDING:
            status = take_gained(strategy, step, plan, relations, indexes, update, batch, scratch[0], scratch[3])
        else:
            status = take_found(step, relations, update, batch)
        if status != FINISHED:
            return status
        update.scheduled += step.source_count
        plan.derivations += step.source_count
        status = next_batch(plan, component, steps, relations, indexes, operations, workspace, update)
    return status


@helper
def counts_this(strategy, plan):
    """Return whether the instantiations of a plan's rule are counted."""
    return strategy == DREDC or (strategy == BFC and not is_recursive(plan))


@helper
def count_derivation(relation, change, recursive, difference):
    """Change the number of recursive or of other derivations of a touched row; return False if it becomes negative."""
    if recursive:
        set_word(relation, change, change.candidate + RECURSIVE * difference)
        return change.candidate >= 0
    counts = counts_of(relation)
    counts[change.row] += difference
    return counts[change.row] >= 0


@helper
def take_lost(strategy, step, plan, relations, indexes, update, batch, found, tags):
    """Queue the heads of instantiations that no longer hold, and subtract the derivations that are counted; return a
    status."""
    relation, index, changes = relations[step.relation], indexes[step.index], changes_of(update)
    counted, recursive = counts_this(strategy, plan), is_recursive(plan)
    if not capacity_for_changes(update, step.source_count):
        return NEEDS_CAPACITY
    find_all(step, relation, index, batch, 0, step.source_count, found, tags)
    for i in range(step.source_count):
        head = int64(found[i])
        if head == NONE:
            return INCONSISTENT
        gone = first_of(relation)[head] == ABSENT
        if gone and not counted:
            continue
        number = touch(update, step.relation, relation, head)
        change = changes[number]
        if counted and not count_derivation(relation, change, recursive, -1):
            return INCONSISTENT
        if not gone:
            wait(update, change, number)
    return FINISHED


@helper
def take_gained(strategy, step, plan, relations, indexes, update, batch, found, tags):
    """Queue the heads of instantiations that hold now, and add the derivations that are counted; return a status."""
    relation, index, changes = relations[step.relation], indexes[step.index], changes_of(update)
    counted, recursive = counts_this(strategy, plan), is_recursive(plan)
    if not capacity_for_changes(update, step.source_count - step.cursor):
        return NEEDS_CAPACITY
    find_all(step, relation, index, batch, step.cursor, step.source_count, found, tags)
    for i in range(step.cursor, step.source_count):
        step.cursor, head = i, int64(found[i])
        if head == NONE:  # or stored since, by this loop
            head = find_or_add_row(step, relation, index, batch, i, tags[i])
        if head == NO_CAPACITY:
            return NEEDS_CAPACITY
        here = first_of(relation)[head] != ABSENT
        if here and not counted:
            continue
        number = touch(update, step.relation, relation, head)
        change = changes[number]
        if counted:
            count_derivation(relation, change, recursive, 1)
        if not here:
            wait(update, change, number)
    step.cursor = step.source_count
    return FINISHED


# ---- aggregation, whose aggregate inputs depend on earlier components alone: all have one timestamp


@helper
def aggregate_phase(phase, update, component, relations, indexes, aggregates, operations):
    """Run COLLECT, SETTLE, TOTALS or FINALS for each aggregate of the component; return a status."""
    for number in range(component.first_aggregate, component.first_aggregate + component.aggregate_count):
        aggregate, done = aggregates[number], True
        if phase == COLLECT:
            done = collect_moved(aggregate, relations, update)
        elif phase == SETTLE:
            status = settle(aggregate, operations[aggregate.operation])
            if status != FINISHED:
                return status
        elif phase == TOTALS:
            done = change_totals(aggregate, relations, indexes, update)
        else:
            done = change_finals(aggregate, relations, indexes, update)
        if not done:
            return NEEDS_CAPACITY
    return FINISHED


@helper
def collect_moved(aggregate, relations, update):
    """Enter new aggregate inputs into their groups, and take out those that left; return False when it needs
    capacity."""
    aggregands, changes = relations[aggregate.aggregands], changes_of(update)
    first = first_of(aggregands)
    for arrives in range(2):
        number = aggregands.changed
        while number != END:
            change = changes[number]
            was_here, here = change.old_first != ABSENT, first[change.row] != ABSENT
            moved = was_here != here and here == (arrives == 1)
            if moved and not change_aggregand(aggregate, relations, update, int64(change.row), 1, here, UNSETTLED):
                return False
            number = int64(change.next_changed)
    return True


@helper
def change_totals(aggregate, relations, indexes, update):
    """Remove the totals that changed and add their new values; return False when it needs capacity."""
    totals, events = relations[aggregate.totals], total_events_of(aggregate)
    update.iteration = 1
    for position in range(aggregate.event_cursor, aggregate.event_count):
        aggregate.event_cursor = position
        event = events[position]
        if not capacity_for_changes(update, 2):
            return False
        for turn in range(2):
            total = int64(event.old_total if turn == 0 else event.new_total)
            if total == NO_VALUE:
                continue
            row = row_of_total(aggregate, relations, indexes, int64(event.group), total)
            if row == NO_CAPACITY:
                return False
            move_total(update, aggregate.totals, totals, row, total == event.new_total)
    aggregate.event_cursor = aggregate.event_count = 0
    return True
