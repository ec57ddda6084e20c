"""Between relations and groups: aggregands enter groups, totals become rows.

The aggregands of an aggregated relation are rows of a relation of their own, so that their timestamps (first
iterations) are kept like those of any row. A total is a row of the relation of totals at its own timestamp; the
final total of each group is a row of the relation of finals, which other components read.
A row (group, value) is meant by a row of group columns and a value.
"""
from .compiling import entry_point, helper
from .events import (
    add_arrived,
    add_departed,
    add_event,
    change_of,
    drop_first_event,
    room_for_changes,
    room_for_events,
    room_for_iteration,
)
from .groups import add, clear_group, remove, rename_keys
from .layout import ABSENT, END, FINISHED, NEEDS_ROOM, NO_VALUE, NONE, TOTAL, int64
from .rowset import NO_ROOM, find_or_add_like
from .storage import (
    changes_of,
    counts_of,
    events_of,
    first_of,
    first_totals_of,
    group_states_of,
    notes_of,
    rows_of,
    total_events_of,
)
from .totals import final_total, next_appearance, settle, start_over, total_appears


@helper
def group_of(aggregate, relations, indexes, row):
    """Number of the group of an aggregand, made if it is new; NO_ROOM without room."""
    groups, aggregands = relations[aggregate.groups], relations[aggregate.aggregands]
    before = groups.row_count
    if before >= aggregate.group_capacity:   # a new group needs a state as well as a row
        groups.rows_wanted = before + 1
        return int64(NO_ROOM)
    number = find_or_add_like(groups, indexes[groups.primary_index], rows_of(aggregands), row, groups.arity, int64(0))
    if number == before:
        clear_group(group_states_of(aggregate)[number])
        first_of(groups)[number] = 0
        groups.absent_rows -= 1
    return number


@helper
def note_group(aggregate, number):
    """Note the final total of a group before the transaction changes it; False when it stopped for room."""
    group = group_states_of(aggregate)[number]
    if group.noted == 0:
        if aggregate.note_count == aggregate.note_capacity:
            aggregate.notes_wanted = aggregate.note_count + 1
            return False
        note = notes_of(aggregate)[aggregate.note_count]
        note.group, note.old_final = number, final_total(aggregate, group)
        aggregate.note_count += 1
        group.noted = 1
    return True


@helper
def change_aggregand(aggregate, relations, indexes, row, stamp, arrives, in_transaction):
    """Enter an aggregand into its group, or take it out; False when it stopped for room."""
    number = group_of(aggregate, relations, indexes, row)
    if number == NO_ROOM:
        return False
    if in_transaction and not note_group(aggregate, number):
        return False
    aggregands = relations[aggregate.aggregands]
    value = int64(rows_of(aggregands)[row, aggregands.arity - 1])
    key = int64(row) if aggregate.by_row else value
    if arrives:
        return add(aggregate, number, key, value, stamp)
    remove(aggregate, number, key, stamp)
    return True


# ---- bootstrap

@helper
def collect_new(aggregate, relations, indexes, iteration):
    """Enter the aggregands of this iteration into their groups; False when it stopped for room (event_cursor: how far)."""
    aggregands = relations[aggregate.aggregands]
    for row in range(max(aggregate.event_cursor, aggregands.settled_rows), aggregands.row_count):
        aggregate.event_cursor = row
        if not change_aggregand(aggregate, relations, indexes, row, iteration, True, False):
            return False
    aggregate.event_cursor = aggregands.row_count
    return True


@helper
def publish_totals(aggregate, relations, indexes, iteration):
    """Make rows of the totals that appeared in this iteration; False when it stopped for room."""
    totals, groups, events = relations[aggregate.totals], relations[aggregate.groups], total_events_of(aggregate)
    for position in range(aggregate.event_cursor, aggregate.event_count):
        aggregate.event_cursor = position
        event = events[position]
        if not event.has_row:
            continue
        row = find_or_add_like(totals, indexes[totals.primary_index], rows_of(groups), event.group, groups.arity, event.new_total)
        if row == NO_ROOM:
            return False
        if first_of(totals)[row] == ABSENT:
            first_of(totals)[row] = iteration
            counts_of(totals)[row] = 1
            totals.absent_rows -= 1
    aggregate.event_cursor = aggregate.event_count = 0
    return True


@helper
def publish_finals(aggregate, relations, indexes):
    """Make rows of the final totals of all groups; False when it stopped for room."""
    finals, groups = relations[aggregate.finals], relations[aggregate.groups]
    for number in range(aggregate.event_cursor, groups.row_count):
        aggregate.event_cursor = number
        total = final_total(aggregate, group_states_of(aggregate)[number])
        if total == NO_VALUE:
            continue
        row = find_or_add_like(finals, indexes[finals.primary_index], rows_of(groups), number, groups.arity, total)
        if row == NO_ROOM:
            return False
        if first_of(finals)[row] == ABSENT:
            first_of(finals)[row] = 0
            counts_of(finals)[row] = 1
            finals.absent_rows -= 1
    aggregate.event_cursor = 0
    return True


# ---- update

@helper
def collect_changed(aggregate, relations, indexes, update):
    """Move the aggregands that depart or arrive in this iteration; False when it stopped for room.

    Doing it again from the start is harmless: what has left or entered a group does so only once.
    """
    changes, aggregands, iteration = changes_of(update), relations[aggregate.aggregands], update.iteration
    number = aggregands.departed
    while number != END:
        if not change_aggregand(aggregate, relations, indexes, changes[number].row, iteration, False, True):
            return False
        number = int64(changes[number].next_moved)
    number = aggregands.arrived
    while number != END:
        if not change_aggregand(aggregate, relations, indexes, changes[number].row, iteration, True, True):
            return False
        number = int64(changes[number].next_moved)
    return True


@helper
def schedule_totals(aggregate, number, update):
    """For each total that may appear or disappear, an event at its iteration; False when it stopped for room.

    Where totals return, the next iteration that has one that disappears is looked at, too: there it may appear now.
    """
    events = total_events_of(aggregate)
    for position in range(aggregate.event_cursor, aggregate.event_count):
        aggregate.event_cursor = position
        event = events[position]
        again = int64(NONE)
        if aggregate.by_row and event.had_row and event.old_total != NO_VALUE:
            again = next_appearance(aggregate, group_states_of(aggregate)[event.group], event.old_total, int64(event.stamp))
        if not (room_for_events(update, 3) and room_for_iteration(update, max(int64(event.stamp), again))):
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
    """An event that looks at the row (group, total) at an iteration; there is room."""
    event = add_event(update, stamp, TOTAL, number, group)
    events_of(update)[event].body[0] = total


@helper
def visit_totals(update, aggregates, relations, indexes):
    """Let the totals of this iteration appear or disappear; False when it stopped for room."""
    lists, iteration = first_totals_of(update), update.iteration
    while lists[iteration] != END:
        event = events_of(update)[lists[iteration]]
        aggregate = aggregates[event.plan]
        totals, groups = relations[aggregate.totals], relations[aggregate.groups]
        if not room_for_changes(update, 1):
            return False
        total = int64(event.body[0])
        row = find_or_add_like(totals, indexes[totals.primary_index], rows_of(groups), event.head, groups.arity, total)
        if row == NO_ROOM:
            return False
        appears = total_appears(aggregate, group_states_of(aggregate)[event.head], total, iteration)
        move_total(update, aggregate.totals, totals, row, appears)
        drop_first_event(update, lists, iteration)
    return True


@helper
def move_total(update, number, totals, row, appears):
    """Let the row of a total appear at the iteration at hand, or disappear from it."""
    first, iteration = first_of(totals), update.iteration
    if first[row] < iteration or (first[row] == iteration) == appears or not (appears or first[row] == iteration):
        return
    change_number = change_of(update, number, totals, row)
    change = changes_of(update)[change_number]
    if appears:
        first[row] = iteration
        counts_of(totals)[row] = 1
        add_arrived(totals, change, change_number)
    else:
        first[row] = ABSENT
        add_departed(totals, change, change_number)


@helper
def change_finals(aggregate, relations, indexes, update):
    """Bring the final totals of the groups that were noted up to date; False when it stopped for room."""
    finals, groups, notes = relations[aggregate.finals], relations[aggregate.groups], notes_of(aggregate)
    for position in range(aggregate.event_cursor, aggregate.note_count):
        aggregate.event_cursor = position
        note = notes[position]
        total = final_total(aggregate, group_states_of(aggregate)[note.group])
        if total == note.old_final:
            continue
        if not room_for_changes(update, 2):
            return False
        for turn in range(2):
            value = int64(note.old_final) if turn == 0 else total
            if value == NO_VALUE:
                continue
            row = find_or_add_like(finals, indexes[finals.primary_index], rows_of(groups), note.group, groups.arity, value)
            if row == NO_ROOM:
                return False
            change_of(update, aggregate.finals, finals, row)
            first_of(finals)[row] = ABSENT if turn == 0 else 0
            counts_of(finals)[row] = turn
    aggregate.event_cursor = 0
    return True


@entry_point
def settle_aggregate(aggregate, operation):
    """Settle the touched groups of an aggregate and forget what changed; a status."""
    status = settle(aggregate, operation)
    if status == FINISHED:
        aggregate.event_count = 0
    return status


@entry_point
def forget_notes(aggregate):
    """Forget which groups the transaction has touched."""
    notes, groups = notes_of(aggregate), group_states_of(aggregate)
    for position in range(aggregate.note_count):
        groups[notes[position].group].noted = 0
    aggregate.note_count, aggregate.event_cursor = 0, 0


@entry_point
def restore_aggregands(aggregate, relations, indexes, update):
    """Bring groups back to the old state of the aggregands a transaction has changed; a status (called before rows are)."""
    aggregands, changes = relations[aggregate.aggregands], changes_of(update)
    start_over(aggregate)
    number = aggregands.changed
    while number != END:
        change = changes[number]
        first = first_of(aggregands)[change.row]
        if first != change.old_first:
            for stamp in (first, change.old_first):
                arrives = stamp == change.old_first
                if stamp != ABSENT and not change_aggregand(aggregate, relations, indexes, change.row, stamp, arrives, False):
                    return NEEDS_ROOM
        number = int64(change.next_changed)
    return FINISHED


@entry_point
def change_saved_aggregand(aggregate, relations, indexes, row, old_first, first):
    """Move an aggregand between timestamps (ABSENT: none) outside of any transaction; False when it stopped for room."""
    if old_first != ABSENT and not change_aggregand(aggregate, relations, indexes, row, old_first, False, False):
        return False
    return first == ABSENT or change_aggregand(aggregate, relations, indexes, row, first, True, False)


@entry_point
def rename_rows(aggregate, relations, new_numbers, done):
    """Follow rows of aggregands that got other numbers, in the groups from `done` on; how many are done, short of all for room."""
    for number in range(done, relations[aggregate.groups].row_count):
        if not rename_keys(aggregate, number, new_numbers):
            return number
    return relations[aggregate.groups].row_count


@entry_point
def read_finals(aggregate, relations, totals):
    """Final total of each group, NO_VALUE where it has none."""
    groups = group_states_of(aggregate)
    for number in range(relations[aggregate.groups].row_count):
        totals[number] = final_total(aggregate, groups[number])
