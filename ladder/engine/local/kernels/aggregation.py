"""Aggregation between relations and groups: aggregate inputs enter groups, and totals become rows.

The aggregate inputs of an aggregated relation are rows of a relation of their own, so that their timestamps (first
iterations) are kept like those of any row. A total is a row of the relation of totals, whose first iteration is the
timestamp of the total; the final total of each group is a row of the relation of finals, which other components read.

Most groups have one aggregate input, which is also the total and the final total. So these relations share one table of
rows and one primary index, held by the aggregate inputs; totals and finals are *views*, which add only a first
iteration for each row. (The join of a lattice never returns to a total that it has left, so that rows of totals are in
the order of their iterations. Where aggregate inputs have keys besides the group, only totals and finals share rows.)
A row (group, value) is given as the number of any row with the group's columns, and the value.
"""

from .arguments import vector_of
from .blocks import AHEAD
from .compiling import entry_point, helper
from .directory import (
    LARGE_DIRECTORY,
    VACANT_SLOT,
    ask_for_groups,
    capacity_for_group,
    release_state,
    slot_of_group,
    take_state,
    vacate,
)
from .events import (
    add_arrived,
    add_departed,
    add_event,
    capacity_for_changes,
    capacity_for_events,
    capacity_for_iteration,
    change_of,
    drop_first_event,
    note_active,
)
from .groups import add, aggregand_count, any_key, clear_group, free_spill, remove, rename_keys, touch
from .instantiations import old_first_of
from .layout import ABSENT, END, FINISHED, NEEDS_CAPACITY, NO_LATTICE, NO_VALUE, NONE, TOTAL, int32, int64
from .operations import join
from .rowset import NO_CAPACITY, find_like, find_or_add_like, follow_owner
from .storage import (
    change_numbers_of,
    changes_of,
    counts_of,
    events_of,
    first_of,
    first_totals_of,
    group_directory_of,
    group_states_of,
    notes_of,
    rows_of,
    total_events_of,
)
from .totals import final_total, next_appearance, settle, start_over, total_appears

UNSETTLED = NONE  # in place of an iteration: no bootstrap runs


@helper
def state_of_group(aggregate, relations, update, row, iteration):
    """Return the number of the state of the group that the aggregate input `row` belongs to; a group without a state
    gets one. Return NO_CAPACITY when it needs capacity.

    `iteration` is that of the bootstrap, or UNSETTLED in an update, where the final total is noted before anything
    changes.
    """
    rows, directory = rows_of(relations[aggregate.aggregands]), group_directory_of(aggregate)
    slot = slot_of_group(aggregate, rows, row)
    entry = int64(directory[slot])
    if entry < VACANT_SLOT:
        number = -1 - entry
        return number if iteration != UNSETTLED or note_group(aggregate, number) else int64(NO_CAPACITY)
    if entry == VACANT_SLOT and not capacity_for_group(aggregate):
        return int64(NO_CAPACITY)
    if iteration == UNSETTLED and not capacity_for_note(aggregate):
        return int64(NO_CAPACITY)
    number = take_state(aggregate)
    if number == NONE:
        return int64(NO_CAPACITY)
    group = group_states_of(aggregate)[number]
    clear_group(group)
    group.row = row
    if entry == VACANT_SLOT:
        aggregate.used_slots += 1
    else:
        adopt(aggregate, relations, update, number, group, entry - 1, iteration)
    directory[slot] = -1 - number
    if iteration == UNSETTLED:
        note_group(aggregate, number)
    return number


@helper
def adopt(aggregate, relations, update, number, group, row, iteration):
    """Enter the only aggregate input of a group, which has had no state so far, into the group's new state; in a
    bootstrap, its final total is withdrawn until the end."""
    aggregands, totals, finals = (
        relations[aggregate.aggregands],
        relations[aggregate.totals],
        relations[aggregate.finals],
    )
    value, stamp, entry = (
        int64(rows_of(aggregands)[row, aggregands.arity - 1]),
        old_first_of(aggregands, update, row),
        group.inline[0],
    )
    group.row = row
    if aggregate.running:
        entry.total = value
    else:
        entry.key, entry.value, entry.stamp, entry.total = value, value, stamp, value
    if iteration != UNSETTLED:
        leave(finals, row)
        if stamp == iteration:
            leave(totals, row)
            entry.value, entry.total = value, NO_VALUE
            touch(aggregate, number, group)


@helper
def leave(relation, row):
    """Mark a row as absent."""
    first_of(relation)[row] = ABSENT
    relation.absent_rows += 1


@helper
def capacity_for_note(aggregate):
    """Return whether there is room for one more note; ask for capacity otherwise."""
    if aggregate.note_count < aggregate.note_capacity:
        return True
    aggregate.notes_wanted = aggregate.note_count + 1
    return False


@helper
def note_group(aggregate, number):
    """Note the final total of a group before the transaction changes it; return False when it needs capacity."""
    group = group_states_of(aggregate)[number]
    if group.noted == 0:
        if not capacity_for_note(aggregate):
            return False
        note = notes_of(aggregate)[aggregate.note_count]
        note.group, note.old_final = number, final_total(aggregate, group)
        aggregate.note_count += 1
        group.noted = 1
    return True


@helper
def change_aggregand(aggregate, relations, update, row, stamp, arrives, iteration):
    """Enter an aggregate input into its group if it `arrives`, else take it out; return False when it needs
    capacity."""
    number = state_of_group(aggregate, relations, update, row, iteration)
    if number == NO_CAPACITY:
        return False
    aggregands = relations[aggregate.aggregands]
    value = int64(rows_of(aggregands)[row, aggregands.arity - 1])
    key = int64(row) if aggregate.by_row else value
    if arrives:
        return add(aggregate, number, key, value, stamp)
    remove(aggregate, number, key, stamp)
    return True


@helper
def row_of_total(aggregate, relations, indexes, number, total):
    """Return the number of the row (group, total), which is stored as an absent row if it is new; NO_CAPACITY when it
    needs capacity."""
    holder, group = relations[aggregate.holder], group_states_of(aggregate)[number]
    return find_or_add_like(
        holder,
        indexes[holder.primary_index],
        rows_of(relations[aggregate.aggregands]),
        int64(group.row),
        aggregate.group_width,
        total,
    )


@helper
def follow_holder(aggregate, relations):
    """Extend the views of an aggregated relation to the rows that were stored since."""
    follow_owner(relations, aggregate.totals)
    follow_owner(relations, aggregate.finals)


# ---- bootstrap


@helper
def join_new(aggregate, operation, relations, update, row, iteration):
    """Join a new aggregate input with those of its group that came in this iteration; return False when it needs
    capacity."""
    number = state_of_group(aggregate, relations, update, row, iteration)
    if number == NO_CAPACITY:
        return False
    join_with_group(aggregate, operation, relations, number, row)
    return True


@helper
def join_with_group(aggregate, operation, relations, number, row):
    """Join a new aggregate input with those of its group, whose state is `number`, that came in this iteration; its row
    is kept where the join is its own value."""
    aggregands = relations[aggregate.aggregands]
    value = int64(rows_of(aggregands)[row, aggregands.arity - 1])
    group = group_states_of(aggregate)[number]
    entry = group.inline[0]
    if entry.total == NO_VALUE or join(operation, int64(entry.total), value) != entry.total:
        together = join(operation, int64(entry.value), value)
        if together != entry.value:
            entry.key = row if together == value else NONE
        entry.value = together
        touch(aggregate, number, group)


@helper
def enter_new(aggregate, operation, relations, update, row, iteration):
    """Enter an aggregate input of a bootstrap into its group; return False when it needs capacity."""
    if aggregate.running:
        return join_new(aggregate, operation, relations, update, row, iteration)
    return change_aggregand(aggregate, relations, update, row, iteration, True, iteration)


@helper
def collect_new(aggregate, operation, relations, update, iteration):
    """Enter the aggregate inputs of this iteration into their groups; return False when it needs capacity
    (`event_cursor` is the row to carry on at)."""
    aggregands = relations[aggregate.aggregands]
    large = aggregate.slot_count >= LARGE_DIRECTORY
    for row in range(max(aggregate.event_cursor, aggregands.settled_rows), aggregands.row_count):
        aggregate.event_cursor = row
        if large and row + 3 * AHEAD < aggregands.row_count:
            ask_for_groups(aggregate, rows_of(aggregands), row)
        if not collect_row(aggregate, operation, relations, update, row, iteration):
            return False
    aggregate.event_cursor = aggregands.row_count
    numbers = change_numbers_of(aggregands)  # outside of transactions they link the list of late aggregate inputs
    while aggregands.late != END:
        row = aggregands.late - 1
        if not enter_new(aggregate, operation, relations, update, row, iteration):
            return False
        aggregands.late, numbers[row] = int64(numbers[row]), END
    return True


@helper
def collect_row(aggregate, operation, relations, update, row, iteration):
    """Enter a new aggregate input into its group; return False when it needs capacity.

    Where totals share its rows, the first input of a group is entered without a state.
    """
    if aggregate.shared:
        totals, finals = relations[aggregate.totals], relations[aggregate.finals]
        aggregands = relations[aggregate.aggregands]
        slot = slot_of_group(aggregate, rows_of(aggregands), row)
        directory = group_directory_of(aggregate)
        if directory[slot] == VACANT_SLOT:
            if not capacity_for_group(aggregate):
                return False
            directory[slot] = row + 1
            aggregate.used_slots += 1
            first_of(totals)[row], first_of(finals)[row] = iteration, 0
            totals.absent_rows -= 1
            finals.absent_rows -= 1
            return True
        first_of(totals)[row] = first_of(finals)[row] = ABSENT
        if aggregate.running and directory[slot] < VACANT_SLOT:
            join_with_group(aggregate, operation, relations, -1 - int64(directory[slot]), row)
            return True
    return enter_new(aggregate, operation, relations, update, row, iteration)


@helper
def publish_totals(aggregate, relations, indexes, iteration):
    """Make rows of the totals that appeared in this iteration; return a status, which is NO_LATTICE if the join is not
    that of a lattice."""
    totals, events = relations[aggregate.totals], total_events_of(aggregate)
    for position in range(aggregate.event_cursor, aggregate.event_count):
        aggregate.event_cursor = position
        event = events[position]
        if not event.has_row:
            continue
        row = int64(event.stamp)
        if not aggregate.running or row == NONE or not aggregate.shared:
            row = row_of_total(aggregate, relations, indexes, int64(event.group), int64(event.new_total))
        if row == NO_CAPACITY:
            return NEEDS_CAPACITY
        if aggregate.shared:
            # so that the last one, the final total, need not be looked for
            group_states_of(aggregate)[event.group].row = row
        if first_of(totals)[row] == ABSENT:
            if row < totals.settled_rows:
                return NO_LATTICE
            first_of(totals)[row] = iteration
            counts_of(totals)[row] = 1
            totals.absent_rows -= 1
    aggregate.event_cursor = aggregate.event_count = 0
    follow_holder(aggregate, relations)
    return FINISHED


@helper
def publish_finals(aggregate, relations, indexes):
    """Make rows of the final totals of all groups that have a state; return False when it needs capacity."""
    finals, groups = relations[aggregate.finals], group_states_of(aggregate)
    for number in range(aggregate.event_cursor, aggregate.state_count):
        aggregate.event_cursor = number
        if groups[number].row == NONE:
            continue
        row = int64(groups[number].row)
        if not aggregate.shared:
            row = row_of_total(aggregate, relations, indexes, number, final_total(aggregate, groups[number]))
        if row == NO_CAPACITY:
            return False
        if first_of(finals)[row] == ABSENT:
            first_of(finals)[row] = 0
            finals.absent_rows -= 1
    aggregate.event_cursor = 0
    follow_holder(aggregate, relations)
    return True


# ---- update


@helper
def collect_changed(aggregate, relations, update):
    """Enter the aggregate inputs that arrive in this iteration into their groups, and take out those that depart;
    return False when it needs capacity.

    A second call may begin with the first of them again: entering or taking out an aggregate input twice has no effect.
    """
    changes, aggregands, iteration = changes_of(update), relations[aggregate.aggregands], update.iteration
    number = aggregands.departed
    while number != END:
        if not change_aggregand(aggregate, relations, update, int64(changes[number].row), iteration, False, UNSETTLED):
            return False
        number = int64(changes[number].next_moved)
    number = aggregands.arrived
    while number != END:
        if not change_aggregand(aggregate, relations, update, int64(changes[number].row), iteration, True, UNSETTLED):
            return False
        number = int64(changes[number].next_moved)
    return True


@helper
def schedule_totals(aggregate, number, update):
    """Add an event for each total that may appear or disappear, in the list of its iteration; return False when it
    needs capacity.

    Where joins are not idempotent, a total that disappears may appear again at a later iteration; that one gets an
    event, too.
    """
    events = total_events_of(aggregate)
    for position in range(aggregate.event_cursor, aggregate.event_count):
        aggregate.event_cursor = position
        event = events[position]
        again = int64(NONE)
        if aggregate.by_row and event.had_row and event.old_total != NO_VALUE:
            again = next_appearance(
                aggregate, group_states_of(aggregate)[event.group], event.old_total, int64(event.stamp)
            )
        if not (capacity_for_events(update, 3) and capacity_for_iteration(update, max(int64(event.stamp), again))):
            return False
        if again != NONE:
            add_total(update, number, event.group, again, event.old_total)
        if event.had_row and event.old_total != NO_VALUE:
            add_total(update, number, event.group, event.stamp, event.old_total)
        if event.has_row and event.new_total != NO_VALUE:
            add_total(update, number, event.group, event.stamp, event.new_total)
    aggregate.event_cursor = aggregate.event_count = 0
    return True


@helper
def add_total(update, number, group, stamp, total):
    """Add an event that looks at the row (group, total) at an iteration, where `group` is the number of the group's
    state; there must be capacity for it."""
    event = add_event(update, stamp, TOTAL, number, group)
    events_of(update)[event].body[0] = total


@helper
def visit_totals(update, aggregates, relations, indexes):
    """Let the totals of this iteration appear or disappear; return False when it needs capacity."""
    lists, iteration = first_totals_of(update), update.iteration
    while lists[iteration] != END:
        event = events_of(update)[lists[iteration]]
        aggregate = aggregates[event.plan]
        totals = relations[aggregate.totals]
        if not capacity_for_changes(update, 1):
            return False
        total = int64(event.body[0])
        row = row_of_total(aggregate, relations, indexes, int64(event.head), total)
        if row == NO_CAPACITY:
            return False
        appears = total_appears(aggregate, group_states_of(aggregate)[event.head], total, iteration)
        move_total(update, aggregate.totals, totals, row, appears)
        drop_first_event(update, lists, iteration)
    return True


@helper
def move_total(update, number, totals, row, appears):
    """Let the row of a total appear at the current iteration, or disappear; `totals` is the record of its relation."""
    first, iteration = first_of(totals), update.iteration
    if first[row] < iteration or (first[row] == iteration) == appears or not (appears or first[row] == iteration):
        return
    change_number = change_of(update, number, totals, row)
    change = changes_of(update)[change_number]
    note_active(update, totals, number)
    if appears:
        first[row] = iteration
        counts_of(totals)[row] = 1
        add_arrived(totals, change, change_number)
    else:
        first[row] = ABSENT
        add_departed(totals, change, change_number)


@helper
def change_finals(aggregate, relations, indexes, update):
    """Bring the final totals of the groups that were noted up to date; return False when it needs capacity."""
    finals, notes = relations[aggregate.finals], notes_of(aggregate)
    for position in range(aggregate.event_cursor, aggregate.note_count):
        aggregate.event_cursor = position
        note = notes[position]
        total = final_total(aggregate, group_states_of(aggregate)[note.group])
        if total == note.old_final:
            continue
        if not capacity_for_changes(update, 2):
            return False
        for turn in range(2):
            value = int64(note.old_final) if turn == 0 else total
            if value == NO_VALUE:
                continue
            row = row_of_total(aggregate, relations, indexes, int64(note.group), value)
            if row == NO_CAPACITY:
                return False
            change_of(update, aggregate.finals, finals, row)
            first_of(finals)[row] = ABSENT if turn == 0 else 0
    aggregate.event_cursor = 0
    return True


@entry_point
def settle_aggregate(aggregate, operation):
    """Settle the touched groups of an aggregate and discard the events about their totals; return a status."""
    status = settle(aggregate, operation)
    if status == FINISHED:
        aggregate.event_count = 0
    return status


@entry_point
def forget_notes(aggregate, relations, indexes):
    """Forget which groups the transaction has touched; free the states of those that no longer need one."""
    notes, groups = notes_of(aggregate), group_states_of(aggregate)
    for position in range(aggregate.note_count):
        number = int64(notes[position].group)
        groups[number].noted = 0
        dissolve(aggregate, relations, indexes, number, groups[number])
    aggregate.note_count, aggregate.event_cursor = 0, 0


@helper
def dissolve(aggregate, relations, indexes, number, group):
    """Free the state of a settled group if it has no aggregate input, or only one, whose row serves as its total."""
    count = aggregand_count(aggregate, group)
    if count > 1 or (count == 1 and (not aggregate.shared or group.spill != NONE)):
        return
    aggregands = relations[aggregate.aggregands]
    rows = rows_of(aggregands)
    slot = slot_of_group(aggregate, rows, int64(group.row))
    if count == 0:
        vacate(aggregate, rows, slot)
    else:
        group_directory_of(aggregate)[slot] = row_of_aggregand(aggregate, relations, indexes, group) + 1
    if group.spill != NONE:
        free_spill(aggregate, group)
    release_state(aggregate, number)


@helper
def row_of_aggregand(aggregate, relations, indexes, group):
    """Return the row of any aggregate input of a settled group."""
    _, key = any_key(aggregate, group)
    if aggregate.by_row:
        return key
    aggregands = relations[aggregate.aggregands]
    row, _ = find_like(
        aggregands, indexes[aggregands.primary_index], rows_of(aggregands), int64(group.row), aggregate.group_width, key
    )
    return row


@entry_point
def restore_aggregands(aggregate, relations, update):
    """Bring groups back to the old state of the aggregate inputs that a transaction has changed; return a status. This
    is called before the rows themselves are restored."""
    aggregands, changes = relations[aggregate.aggregands], changes_of(update)
    start_over(aggregate)
    number = aggregands.changed
    while number != END:
        change = changes[number]
        row, first, old_first = int64(change.row), int64(first_of(aggregands)[change.row]), int64(change.old_first)
        if first != old_first:
            if first != ABSENT and not change_aggregand(aggregate, relations, update, row, first, False, UNSETTLED):
                return NEEDS_CAPACITY
            if old_first != ABSENT and not change_aggregand(
                aggregate, relations, update, row, old_first, True, UNSETTLED
            ):
                return NEEDS_CAPACITY
        number = int64(change.next_changed)
    return FINISHED


@entry_point
def change_saved_aggregand(aggregate, relations, update, row, old_first, first):
    """Move an aggregate input to another timestamp, outside of any evaluation; return False when it needs capacity.

    row: the number of its row; old_first, first: int64, the timestamps, ABSENT for none.
    """
    if old_first != ABSENT and not change_aggregand(aggregate, relations, update, row, old_first, False, UNSETTLED):
        return False
    return first == ABSENT or change_aggregand(aggregate, relations, update, row, first, True, UNSETTLED)


@entry_point(kept=vector_of(bool))
def anchor_groups(aggregate, relations, indexes, kept):
    """Let each state name a row of an aggregate input that is kept when the relation is compacted.

    kept: bool[row_count] of the aggregate inputs, true for the rows that remain.
    """
    groups = group_states_of(aggregate)
    for number in range(aggregate.state_count):
        group = groups[number]
        if group.row != NONE and kept[group.row] == 0:
            group.row = row_of_aggregand(aggregate, relations, indexes, group)


@entry_point(new_numbers=vector_of(int32))
def rename_rows(aggregate, new_numbers, done):
    """Replace the numbers of rows in the states of groups, from state `done` on, after rows of the aggregate inputs
    were renumbered; return how many states are done, fewer than all when it needs capacity.

    new_numbers: int32[row_count] of the aggregate inputs, the new numbers; done: int64, how many states are done.
    """
    groups, directory = group_states_of(aggregate), group_directory_of(aggregate)
    for number in range(done, aggregate.state_count):
        group = groups[number]
        if group.row != NONE:
            if aggregate.by_row and not rename_keys(aggregate, number, new_numbers):
                return number
            group.row = new_numbers[group.row]
    for slot in range(aggregate.slot_count):
        if directory[slot] > VACANT_SLOT:
            directory[slot] = new_numbers[directory[slot] - 1] + 1
    return aggregate.state_count
