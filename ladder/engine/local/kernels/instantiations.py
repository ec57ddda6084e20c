"""Instantiations of a rule in the old and in the new state, and the plan steps of an update that deal with them.

The *time* of a body literal is the iteration from which on it holds: the first iteration of its row, if that is of the
rule's own component; 0 for a row of an earlier component that is present (absent, for a negated literal); ABSENT if the
literal does not hold.
A literal *departs* at its old time if in the new state it holds later or not at all. It *arrives* at its new time if
that is earlier than the old one.
"""

from .compiling import helper
from .events import add_event, capacity_for_events, capacity_for_iteration
from .layout import ABSENT, BACKWARD, END, EXTERNAL, GAINED, INTERNAL, LOST, NONE, OLD, int64
from .memory import prefetch
from .rowset import NO_CAPACITY, UNSURE, compute_tags, find_batch, find_or_add_row, find_row
from .steps import choose, passes, passes_sieves
from .storage import change_numbers_of, changes_of, events_of, first_of, rows_of


@helper
def literal_time(kind, first):
    """Return the time of a literal of a kind (INTERNAL …) whose row has this first iteration."""
    if kind == INTERNAL:
        return int64(first)
    holds = (first != ABSENT) == (kind == EXTERNAL)
    return int64(0) if holds else int64(ABSENT)


@helper
def new_time(plan, relations, b, row):
    """Return the time of body literal `b` in the new state, as far as it is known; `row` is NONE if it is not
    stored."""
    if row == NONE:
        return literal_time(plan.body_kinds[b], ABSENT)
    return literal_time(plan.body_kinds[b], first_of(relations[plan.body_relations[b]])[row])


@helper
def old_time(plan, relations, update, b, row):
    """Return the time of body literal `b` in the old state; `row` is NONE if it is not stored."""
    if row == NONE:
        return literal_time(plan.body_kinds[b], ABSENT)
    relation = relations[plan.body_relations[b]]
    return literal_time(plan.body_kinds[b], old_first_of(relation, update, row))


@helper
def old_first_of(relation, update, row):
    """Return the first iteration of a row in the old state."""
    number = change_numbers_of(relation)[row]
    return int64(first_of(relation)[row]) if number == END else int64(changes_of(update)[number].old_first)


@helper
def derivation_times(plan, relations, update, batch, count, times):
    """Set times[i] to the iteration in which instantiation i of the batch derives its head, in the state that the plan
    sees; times: int32[batch_size]."""
    for i in range(count):
        times[i] = 0
    for b in range(plan.body_count):
        if plan.body_kinds[b] != INTERNAL:  # the steps before this one let only literals through that hold
            continue
        relation, row_numbers = relations[plan.body_relations[b]], batch[plan.row_registers[b]]
        for i in range(count):
            row = int64(row_numbers[i])
            first = old_first_of(relation, update, row) if plan.state == OLD else int64(first_of(relation)[row])
            times[i] = max(int64(times[i]), first)
    for i in range(count):
        times[i] += 1


@helper
def scan_changed(step, plan, relation, indexes, update, target, batch_size):
    """Fill `target` with the next rows from a list of changes, but only with those that are assigned to this plan and
    for which it may find something; return their number.

    If several plans start from the same changes, each row is assigned to one of them; the plan of choice 0 runs first.
    """
    rows, changes, row_numbers = rows_of(relation), changes_of(update), target[step.row_register]
    number, count = step.cursor, 0
    while number != END and count < batch_size:
        change = changes[number]
        if step.choice_count > 1 and step.choice == 0:  # decided once: blocks grow while the first of these plans runs
            change.choice = choose(step, rows, change.row, indexes)
        taken = step.choice_count < 2 or change.choice == step.choice
        if taken and passes(step, rows, change.row) and passes_sieves(plan, rows, change.row, indexes):
            row_numbers[count] = change.row
            count += 1
        number = int64(change.next_lost if plan.role == BACKWARD else change.next_moved)
    for b in range(step.bind_count):
        column, register = step.binds[b].column, target[step.binds[b].register]
        for i in range(count):
            register[i] = rows[row_numbers[i], column]
    step.cursor = number
    return count


@helper
def departed_before(plan, relations, update, batch, i):
    """Return whether another body literal of instantiation `i` departed before the driver, so that the plan that starts
    there has found the instantiation already."""
    for b in range(plan.body_count):
        if b == plan.driver:
            continue
        row = int64(batch[plan.row_registers[b], i])
        old = old_time(plan, relations, update, b, row)
        if new_time(plan, relations, b, row) > old and (
            old < plan.iteration or (old == plan.iteration and b < plan.driver)
        ):
            return True
    return False


@helper
def arrives_too(plan, relations, update, batch, i):
    """Return whether a later body literal of instantiation `i` arrives in the same iteration, so that the plan that
    starts there will find the instantiation."""
    for b in range(plan.driver + 1, plan.body_count):
        row = int64(batch[plan.row_registers[b], i])
        if (
            new_time(plan, relations, b, row) == plan.iteration
            and old_time(plan, relations, update, b, row) != plan.iteration
        ):
            return True
    return False


@helper
def was_complete_before(plan, relations, update, batch, i, iteration):
    """Return whether all body literals of instantiation `i` held before `iteration` in the old state."""
    for b in range(plan.body_count):
        if old_time(plan, relations, update, b, int64(batch[plan.row_registers[b], i])) >= iteration:
            return False
    return True


@helper
def differs(plan, relations, update, batch, i):
    """Return whether some body literal of instantiation `i` has another time than in the old state."""
    for b in range(plan.body_count):
        row = int64(batch[plan.row_registers[b], i])
        if new_time(plan, relations, b, row) != old_time(plan, relations, update, b, row):
            return True
    return False


@helper
def schedule(step, plan, relations, index, update, batch, times, found, tags):
    """Make an event of each instantiation that may change the count of its head; return False when it needs capacity
    (`step.cursor` is the row to carry on at). times: int32[batch_size], scratch."""
    count, relation = step.source_count, relations[step.relation]
    if not capacity_for_events(update, count - step.cursor):
        return False
    derivation_times(plan, relations, update, batch, count, times)
    compute_tags(step, index, batch, count, tags)
    find_batch(step, relation, index, batch, step.cursor, count, tags, found, found)
    ask_for_states(relation, found, step.cursor, count)
    stored = relation.row_count
    for i in range(step.cursor, count):
        step.cursor = i
        time = int64(times[i])
        if not capacity_for_iteration(update, time):
            return False
        head = int64(found[i])
        if plan.state == OLD:
            if head == UNSURE:
                head = find_row(step, relation, index, batch, i, tags[i])
            if head == NONE:
                continue
            if first_of(relation)[head] != time:
                doubt(relation, update, head, time)
                continue
            if departed_before(plan, relations, update, batch, i):
                continue
            add_instantiation(update, time, LOST, plan, head, batch, i)
            continue
        if head < 0:  # or stored since, by this loop
            head = find_or_add_row(step, relation, index, batch, i, tags[i])
        if head == NO_CAPACITY:
            return False
        first = first_of(relation)[head]
        if first < time or arrives_too(plan, relations, update, batch, i):
            continue
        if first == time and was_complete_before(plan, relations, update, batch, i, time):
            continue
        add_instantiation(update, time, GAINED, plan, head, batch, i)
    if relation.row_count != stored:
        update.stored = 1
    step.cursor = count
    return True


@helper
def ask_for_states(relation, found, begin, end):
    """Ask for the lines of the cache that the first iterations of rows are in, where they have been found."""
    first = first_of(relation)
    for i in range(begin, end):
        if found[i] >= 0:
            prefetch(first, found[i])


@helper
def doubt(relation, update, head, time):
    """Note that a derivation of a row has gone which held at `time` in the old state, where that is the earliest time
    that was found for the lost row."""
    number = int64(change_numbers_of(relation)[head])
    if number != END and changes_of(update)[number].candidate == time:
        changes_of(update)[number].doubtful = 1


@helper
def add_instantiation(update, time, kind, plan, head, batch, i):
    """Make an event of instantiation `i` of a batch; there must be capacity for it."""
    number = add_event(update, time, kind, plan.number, head)
    event = events_of(update)[number]
    for b in range(plan.body_count):
        event.body[b] = batch[plan.row_registers[b], i]


@helper
def rank(step, plan, relations, update, batch, times):
    """For each head row that was looked up backward, keep the earliest iteration of its derivations, their number in
    it, and whether that is doubtful: a derivation that did not hold at that time in the old state goes unnoticed.
    times: int32[batch_size], scratch."""
    relation, count = relations[step.relation], step.source_count
    change_numbers, changes, heads = change_numbers_of(relation), changes_of(update), batch[step.row_register]
    derivation_times(plan, relations, update, batch, count, times)
    for i in range(count):
        change, time = changes[change_numbers[heads[i]]], times[i]
        if time < change.candidate:
            change.candidate = time
            change.candidate_count = change.doubtful = 0
        if time == change.candidate:
            change.candidate_count += 1
            if change.doubtful == 0 and differs(plan, relations, update, batch, i):
                change.doubtful = 1
    update.ranked += count
    return True
