"""The update of a state to changed facts: component by component, iteration by iteration, event by event.

    for each component, in topological order:
    OPEN           rows of the component that became facts arrive, rows that are no longer facts depart (iteration 0);
                   changed rows of earlier components are looked at in iteration 0, too
    for each iteration k that has events, and for 0:
        LIST       enter rows stored since into the secondary indexes
        LOOK_BACK  for each lost row: find the earliest time of its instantiations on new rows, and how many have it
        RETURN     if this time is k, the row arrives now, with that count; if later: event CANDIDATE(row) at that time
        COLLECT    aggregate inputs that departed or arrived leave or enter their groups
        SETTLE     these groups compute their joins anew and roll totals forward
        SCHEDULE   event TOTAL(group, total) at each iteration where a total may appear or disappear
        TOTALS     the totals of k appear or disappear, and are listed
        DEPART     join each departed row once with the old rows;
                   an instantiation that counted in the old state: event LOST at its old time
        ARRIVE     join each arrived row once with the new rows, storing unknown heads as absent rows;
                   an instantiation that may count: event GAINED at its new time
        ADVANCE    k becomes the next iteration with events
        VISIT      for each event of k whose head is not there before k:
                       CANDIDATE: count 0
                       LOST:      count -1, if a body literal does not hold before k
                       GAINED:    if its last literal holds from k-1 on and its driver is the last one to arrive:
                                  count +1, if the head or a body literal was not there before k in the old state
        AFFECT     for each affected head: if it departed before k: see `settle_departed`
                   if it was first there at k in the old state: add the counts; if that gives 0, it departs and is lost
                   if it was first there later or never: if the counts add up to more than 0, it arrives with that count
    FINALS         the final totals of the touched groups change
    CLOSE          changed rows become input of later components

Each instantiation makes at most one LOST event: of several departed literals the earliest one makes it (in one
iteration, the first one in the text). GAINED events may be made twice, since a row may turn out to arrive later or
earlier than assumed; the one made by the last arrival counts.
Every phase returns FINISHED or a status that asks the host for something; when it is called again, it carries on.
"""

from .aggregation import change_finals, collect_changed, schedule_totals, visit_totals
from .arguments import vector_of
from .blocks import free_all_retired, list_new_rows
from .compiling import entry_point, helper
from .driver import begin_plan, pauses_after, pauses_before, run_started_plan
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
from .instantiations import new_time, old_first_of, old_time
from .layout import (
    ABSENT,
    CANDIDATE,
    END,
    FINISHED,
    INCONSISTENT,
    INTERNAL,
    LOST,
    NEEDS_CAPACITY,
    NEEDS_PAUSE,
    NEEDS_PLANS,
    NEGATED,
    NEW,
    NONE,
    OLD,
    int32,
    int64,
)
from .rowset import follow_owner
from .steps import passes_sieves
from .storage import (
    change_numbers_of,
    changes_of,
    counts_of,
    events_of,
    first_events_of,
    first_of,
    first_totals_of,
    rows_of,
)
from .totals import settle

(
    OPEN,
    LIST,
    LOOK_BACK,
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
) = range(17)

PHASE_OVER = -2  # in place of a plan's number, after the last one of a phase
SIEVED = 32  # changed rows that are looked at before a plan is begun
MANY_CHANGES = 512  # after which it is worth while to look at all indexes for blocks out of use


@helper
def run_update(update, components, inputs, plans, steps, relations, indexes, aggregates, operations, workspace):
    """Run an update until FINISHED or the host is needed; return a status. A second call carries on."""
    update.stored = 1  # by the host, for all that is known here
    while True:
        status = next_component(update, components, inputs, relations)
        if status != NONE:
            return status
        component = components[update.component]
        status = run_phase(update, component, plans, steps, relations, indexes, aggregates, operations, workspace)
        if status != FINISHED:
            return status
        workspace.budget -= 1
        if workspace.budget <= 0:
            return NEEDS_PAUSE


@helper
def next_component(update, components, inputs, relations):
    """Go on to the component whose turn it is, past those that are up to date; return NONE, or a status: FINISHED after
    the last one, NEEDS_PLANS where rules without plans may derive something. OPEN is the first phase of each strategy.
    """
    while update.component < len(components):
        component = components[update.component]
        if update.phase != OPEN:
            return int64(NONE)
        if concerns(component, inputs, relations):
            return int64(NEEDS_PLANS if wakes(component, inputs, relations) else NONE)
        update.component += 1
    return int64(FINISHED)


@helper
def concerns(component, inputs, relations):
    """Return whether anything that a component reads or holds has changed."""
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        if relations[number].changed != END:
            return True
    for position in range(component.first_input, component.first_input + component.input_count):
        if relations[inputs[position]].changed != END:
            return True
    return False


@helper
def wakes(component, inputs, relations):
    """Return whether a relation has rows that a component watches for the sake of rules that have no plans yet."""
    for position in range(component.first_watched, component.first_watched + component.watched_count):
        if relations[inputs[position]].row_count > 0:
            return True
    return False


@helper
def run_phase(update, component, plans, steps, relations, indexes, aggregates, operations, workspace):
    """Run the current phase and go on to the next one; return a status."""
    phase, status, following = update.phase, FINISHED, update.phase + 1
    if phase == OPEN:
        open_component(update, component, relations)
        find_groups(component, plans, relations)
        if component.update_plan_count == 0 and component.aggregate_count == 0:
            following = int64(LIST_FINALS)
    elif phase == LIST or phase == LIST_TOTALS or phase == LIST_FINALS:
        if update.stored != 0:
            status = list_rows(component, relations, indexes)
            update.stored = int64(status != FINISHED)
    elif phase == LOOK_BACK or phase == DEPART or phase == ARRIVE:
        status = run_plans(phase, update, component, plans, steps, relations, indexes, operations, workspace)
    elif phase == RETURN:
        status = return_lost_rows(update, relations)
    elif phase == ADVANCE:
        if update.change_count >= update.recycle_at:
            free_all_retired(relations, indexes, component.first_relation, component.relation_count)
            update.recycle_at = update.change_count + MANY_CHANGES
        if not advance(update, relations):
            following = int64(FINALS)
    elif phase == VISIT:
        status = visit_events(update, plans, relations)
    elif phase == AFFECT:
        status = settle_affected(update, relations)
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
def open_component(update, component, relations):
    """Begin iteration 0: rows that became facts arrive, rows that are no longer facts depart."""
    changes = changes_of(update)
    update.iteration, update.last_iteration, update.plan = 0, 0, NONE
    update.affected, update.first_active, update.stored = END, NONE, 1
    update.active_components += 1
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relation = relations[number]
        relation.lost = relation.departed = relation.arrived = END
        relation.active = 0
        changed = relation.changed
        while changed != END:
            change = changes[changed]
            first = first_of(relation)[change.row]
            if first != change.old_first:
                note_active(update, relation, number)
                if first == ABSENT:
                    add_departed(relation, change, changed)
                    add_lost(relation, change, changed)
                else:
                    add_arrived(relation, change, changed)
            changed = int64(change.next_changed)


@helper
def list_rows(component, relations, indexes):
    """Enter rows that were stored meanwhile into the secondary indexes; return a status."""
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        follow_owner(relations, number)
        relation = relations[number]
        if relation.listed_rows != relation.row_count:
            if not list_new_rows(relation, indexes):
                return NEEDS_CAPACITY
            relation.listed_rows = relation.row_count
    return FINISHED


@helper
def find_groups(component, plans, relations):
    """Note for each relation of a component which plans start from its lost rows, and which from its rows that departed
    or arrived."""
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relations[number].backward_group = relations[number].forward_group = NONE
    group = int64(component.backward_plans)
    while group != NONE:
        relations[plans[group].start].backward_group = group
        group = int64(plans[group].next_group)
    group = int64(component.forward_plans)
    while group != NONE and plans[group].start_kind == INTERNAL:
        relations[plans[group].start].forward_group = group
        group = int64(plans[group].next_group)


@helper
def first_group(phase, update, component, relations):
    """Return the first plan of the first group of plans that may have to run in this phase, or NONE: in iteration 0,
    rows of earlier components are looked at, too, and later only the relations in which rows have moved."""
    if update.iteration > 0:
        return group_from(phase, update.first_active, relations)
    return int64(component.backward_plans if phase == LOOK_BACK else component.forward_plans)


@helper
def next_group(phase, update, plan, relations):
    """Return the first plan of the group after that of `plan`, or NONE."""
    if update.iteration > 0:
        return group_from(phase, relations[plan.start].next_active, relations)
    return int64(plan.next_group)


@helper
def group_from(phase, number, relations):
    """Return the first plan of the group of the first relation that has one, from `number` on in the list of active
    relations, or NONE."""
    while number != NONE:
        relation = relations[number]
        group = relation.backward_group if phase == LOOK_BACK else relation.forward_group
        if group != NONE:
            return int64(group)
        number = relation.next_active
    return int64(NONE)


@helper
def next_plan(phase, update, plan, relations):
    """Return the plan after `plan`, or NONE."""
    return int64(plan.next_alike) if plan.next_alike != NONE else next_group(phase, update, plan, relations)


@helper
def first_of_list(phase, plan, relations):
    """Return the number of the first change that a plan starts from in this phase, or END."""
    relation = relations[plan.start]
    if phase == LOOK_BACK:
        return relation.lost
    return relation.departed if (phase == DEPART) != (plan.start_kind == NEGATED) else relation.arrived


@helper
def may_find(phase, plan, start, update, relations, indexes):
    """Return whether a plan may find something for the rows of a list, of which the first few are looked at: most plans
    find nothing, and end here, before any of their steps is read."""
    if plan.sieve_count == 0:
        return True
    rows, changes, number = rows_of(relations[plan.start]), changes_of(update), int64(start)
    for _ in range(SIEVED):
        change = changes[number]
        if passes_sieves(plan, rows, change.row, indexes):
            return True
        number = int64(change.next_lost if phase == LOOK_BACK else change.next_moved)
        if number == END:
            return False
    return True


@helper
def run_plans(phase, update, component, plans, steps, relations, indexes, operations, workspace):
    """Run all plans that start from lost rows, from departed rows (on the old state) or from arrived rows (on the new
    state); return a status.

    For a negated literal, departed and arrived rows are swapped.
    """
    number = int64(update.plan)
    if number == NONE:
        number = first_group(phase, update, component, relations)
    while number >= 0:
        plan = plans[number]
        if plan.level == NONE:
            start = first_of_list(phase, plan, relations)
            if start == END:
                number = next_group(phase, update, plan, relations)
                continue
            if not may_find(phase, plan, start, update, relations, indexes):
                number = next_plan(phase, update, plan, relations)
                continue
            if pauses_before(workspace):
                update.plan = number
                return NEEDS_PAUSE
            begin_plan(plan, steps[plan.first_step], start, update.iteration, OLD if phase == DEPART else NEW)
        update.plan = number
        status = run_started_plan(plan, steps, relations, indexes, operations, workspace, update)
        if status != FINISHED:
            return status
        number = next_plan(phase, update, plan, relations)
        if pauses_after(workspace):
            update.plan = number if number != NONE else PHASE_OVER
            return NEEDS_PAUSE
    update.plan = NONE
    return FINISHED


@helper
def return_lost_rows(update, relations):
    """Let lost rows with a derivation in this iteration arrive; add an event for the others at their earliest
    derivation. Return a status."""
    changes, iteration, number = changes_of(update), update.iteration, int64(update.first_active)
    while number != NONE:
        relation = relations[number]
        while relation.lost != END:
            change = changes[relation.lost]
            if change.candidate == iteration:
                first_of(relation)[change.row] = iteration
                counts_of(relation)[change.row] = change.candidate_count
                add_arrived(relation, change, relation.lost)
            elif change.candidate < ABSENT:
                if not (capacity_for_events(update, 1) and capacity_for_iteration(update, change.candidate)):
                    return NEEDS_CAPACITY
                add_event(update, change.candidate, CANDIDATE, number, change.row)
            relation.lost = change.next_lost
            update.looked_back += 1
        number = int64(relation.next_active)
    return FINISHED


@helper
def aggregate_phase(phase, update, component, relations, indexes, aggregates, operations):
    """Run COLLECT, SETTLE, SCHEDULE, TOTALS or FINALS for each aggregate of the component; return a status."""
    if component.aggregate_count > 0:
        update.stored = 1
    if phase == TOTALS:
        return (
            FINISHED
            if component.aggregate_count == 0 or visit_totals(update, aggregates, relations, indexes)
            else NEEDS_CAPACITY
        )
    for number in range(component.first_aggregate, component.first_aggregate + component.aggregate_count):
        aggregate = aggregates[number]
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
            done = True
        if not done:
            return NEEDS_CAPACITY
    return FINISHED


@helper
def advance(update, relations):
    """Go to the next iteration with events; return False when there is none."""
    while update.first_active != NONE:
        relation = relations[update.first_active]
        relation.departed = relation.arrived = END
        relation.active, update.first_active = 0, relation.next_active
    first_events, first_totals = first_events_of(update), first_totals_of(update)
    for iteration in range(update.iteration + 1, update.last_iteration + 1):
        if first_events[iteration] != END or first_totals[iteration] != END:
            update.iteration = iteration
            update.active_iterations += 1
            return True
    return False


@helper
def visit_events(update, plans, relations):
    """Gather what the events of this iteration change about their heads; return a status."""
    events, first_events, iteration = events_of(update), first_events_of(update), update.iteration
    while first_events[iteration] != END:
        if not capacity_for_changes(update, 1):
            return NEEDS_CAPACITY
        event = events[first_events[iteration]]
        head, is_candidate = int64(event.head), event.kind == CANDIDATE
        plan = plans[0 if is_candidate else event.plan]
        number = int64(event.plan) if is_candidate else plan.head
        relation = relations[number]
        if first_of(relation)[head] >= iteration:  # otherwise an earlier iteration has derived it
            if is_candidate:
                affect(update, number, relation, head, 0)
            elif event.kind == LOST:
                if latest_literal(plan, relations, event) >= iteration:
                    affect(update, number, relation, head, -1)
            elif latest_literal(plan, relations, event) == iteration - 1 and is_last_arrival(
                plan, relations, update, event
            ):
                if old_first_of(relation, update, head) != iteration or is_new(plan, relations, update, event):
                    affect(update, number, relation, head, 1)
        drop_first_event(update, first_events, iteration)
    return FINISHED


@helper
def latest_literal(plan, relations, event):
    """Return the time, in the new state, of the body literal of an event that holds last."""
    latest = int64(0)
    for b in range(plan.body_count):
        latest = max(latest, new_time(plan, relations, b, int64(event.body[b])))
    return latest


@helper
def is_last_arrival(plan, relations, update, event):
    """Return whether the driver was the last of the changed body literals to arrive: of several events of one
    instantiation only that one counts."""
    latest, last = int64(-1), int64(-1)
    for b in range(plan.body_count):
        row = int64(event.body[b])
        time = new_time(plan, relations, b, row)
        if time >= latest and time != old_time(plan, relations, update, b, row):
            latest, last = time, int64(b)
    return last == plan.driver


@helper
def is_new(plan, relations, update, event):
    """Return whether some body literal did not hold before this iteration in the old state."""
    for b in range(plan.body_count):
        if old_time(plan, relations, update, b, int64(event.body[b])) >= update.iteration:
            return True
    return False


@helper
def settle_affected(update, relations):
    """Decide which affected rows depart or arrive in this iteration; return a status, which is INCONSISTENT if a count
    becomes negative."""
    changes, iteration = changes_of(update), update.iteration
    while update.affected != END:
        number = take_affected(update)
        change = changes[number]
        relation = relations[change.relation]
        first, counts = first_of(relation), counts_of(relation)
        note_active(update, relation, change.relation)
        if change.old_first < iteration:
            settle_departed(relation, change, number, iteration)
        elif change.old_first == iteration:
            counts[change.row] += change.delta
            if counts[change.row] < 0:
                return INCONSISTENT
            if counts[change.row] == 0:
                first[change.row] = ABSENT
                add_departed(relation, change, number)
                add_lost(relation, change, number)
        elif change.delta > 0:
            first[change.row] = iteration
            counts[change.row] = change.delta
            add_arrived(relation, change, number)
    return FINISHED


@helper
def settle_departed(relation, change, number, iteration):
    """Decide whether a row that departed before this iteration arrives in it.

    When it was looked up backward, all derivations were seen but those that literals have gained since. If none of
    them was at this iteration, the gained ones are all. If there were some, and none was gained, they are all, unless
    one may have gone meanwhile. Otherwise the row is looked up once more.
    """
    if change.candidate == iteration and (change.delta > 0 or change.doubtful != 0):
        add_lost(relation, change, number)
        return
    count = int64(change.candidate_count if change.candidate == iteration else change.delta)
    if count > 0:
        first_of(relation)[change.row], counts_of(relation)[change.row] = iteration, count
        add_arrived(relation, change, number)


@helper
def close_component(update, component, relations):
    """List the rows that the whole update made present or absent, for later components."""
    changes = changes_of(update)
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relation = relations[number]
        relation.lost = relation.departed = relation.arrived = END
        changed = relation.changed
        while changed != END:
            change = changes[changed]
            there, was_there = first_of(relation)[change.row] != ABSENT, change.old_first != ABSENT
            if was_there and not there:
                add_departed(relation, change, changed)
            elif there and not was_there:
                add_arrived(relation, change, changed)
            changed = int64(change.next_changed)


@entry_point
def begin_update(update, relations):
    """Forget the last transaction, with all events that it has left."""
    first_events, first_totals = first_events_of(update), first_totals_of(update)
    for iteration in range(update.iteration_capacity):
        first_events[iteration] = END
        first_totals[iteration] = END
    for number in range(len(relations)):
        relation = relations[number]
        relation.changed = relation.lost = relation.departed = relation.arrived = END
    update.component, update.phase, update.plan, update.iteration, update.last_iteration = 0, OPEN, 0, 0, 0
    update.affected, update.change_count, update.recycle_at = END, 1, MANY_CHANGES
    update.event_count, update.free_event, update.free_event_count = 1, END, 0
    update.scheduled, update.looked_back, update.ranked = 0, 0, 0
    update.active_iterations, update.active_components = 0, 0


@entry_point
def commit(update, relations):
    """Keep the new state; return the number of rows whose state differs from the old one."""
    changes, differing = changes_of(update), 0
    for number in range(1, update.change_count):
        change = changes[number]
        relation = relations[change.relation]
        first = first_of(relation)[change.row]
        change_numbers_of(relation)[change.row] = END
        relation.absent_rows += int64(first == ABSENT) - int64(change.old_first == ABSENT)
        if first != change.old_first or (first != ABSENT and counts_of(relation)[change.row] != change.old_count):
            differing += 1
    return differing


@entry_point
def roll_back(update, relations):
    """Restore the old state; rows that were stored meanwhile stay as absent rows."""
    changes = changes_of(update)
    for number in range(1, update.change_count):
        change = changes[number]
        relation = relations[change.relation]
        change_numbers_of(relation)[change.row] = END
        first_of(relation)[change.row] = change.old_first
        counts_of(relation)[change.row] = change.old_count
    for number in range(len(relations)):
        relation = relations[number]
        relation.lost = relation.departed = relation.arrived = relation.changed = END


@entry_point(rows=vector_of(int32), old_first=vector_of(int32), new_first=vector_of(int32))
def read_changes(update, relations, number, rows, old_first, new_first):
    """Read the rows of a relation that a transaction has touched, with their first iterations before and after it;
    return their number.

    rows, old_first, new_first: int32[n], which are filled up to their end; changes beyond it are only counted.
    """
    relation, changes, count = relations[number], changes_of(update), 0
    changed = relation.changed
    while changed != END:
        if count < len(rows):
            change = changes[changed]
            rows[count], old_first[count], new_first[count] = (
                change.row,
                change.old_first,
                first_of(relation)[change.row],
            )
        count += 1
        changed = int64(changes[changed].next_changed)
    return count


@entry_point(numbers=vector_of(int32), rows=vector_of(int32), came=vector_of(int32))
def read_moved(update, relations, numbers, rows, came):
    """Read the rows that a transaction has made present or absent, of all relations, the last one that it touched
    first; return their number.

    numbers, rows: int32[n], the relations and the rows of these; came: int32[n], whether they are present now. n is as
    large as the number of changes.
    """
    changes, count = changes_of(update), 0
    for number in range(update.change_count - 1, 0, -1):
        change = changes[number]
        there = first_of(relations[change.relation])[change.row] != ABSENT
        if there != (change.old_first != ABSENT):
            numbers[count], rows[count], came[count] = change.relation, change.row, there
            count += 1
    return count


@entry_point(rows=vector_of(int64))
def change_facts(update, relation, number, rows, present, done):
    """Make stored rows facts, or (`present` is false) facts no longer; return how many rows are done, fewer than all
    when it needs capacity.

    rows: int64[n], numbers of rows of the relation `number`; present: bool; done: int64, how many were done before.
    """
    first, counts = first_of(relation), counts_of(relation)
    for i in range(done, len(rows)):
        row = rows[i]
        if (present and first[row] == 0) or (not present and first[row] != 0):
            continue
        if not capacity_for_changes(update, 1):
            return i
        change_of(update, number, relation, row)
        first[row] = 0 if present else ABSENT
        counts[row] = 1
    return len(rows)
