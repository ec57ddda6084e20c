"""Changes and events: what a running update knows about rows, and what it still has to look at.

There is a *change* for every row that the update touches. It holds the row's old state, so that commit and rollback
visit the changed rows only. An *event* waits in the list of the iteration in which it is to be looked at. All lists are
linked by the numbers of their items.
"""

from .compiling import helper
from .layout import ABSENT, END, TOTAL, int64
from .storage import change_numbers_of, changes_of, counts_of, events_of, first_events_of, first_of, first_totals_of


@helper
def capacity_for_changes(update, count):
    """Return whether there is room for `count` more changes; ask for capacity otherwise."""
    if update.change_count + count <= update.change_capacity:
        return True
    update.changes_wanted = update.change_count + count
    return False


@helper
def capacity_for_events(update, count):
    """Return whether there is room for `count` more events; ask for capacity otherwise."""
    if update.event_count + count <= update.event_capacity + update.free_event_count:
        return True
    update.events_wanted = update.event_count + count
    return False


@helper
def capacity_for_iteration(update, iteration):
    """Return whether there are lists of events for `iteration`; ask for capacity otherwise."""
    if iteration < update.iteration_capacity:
        return True
    update.iterations_wanted = iteration + 1
    return False


@helper
def change_of(update, relation_number, relation, row):
    """Return the number of the change of a row, which is made if there is none; there must be capacity for it."""
    change_numbers = change_numbers_of(relation)
    number = int64(change_numbers[row])
    if number == END:
        number = update.change_count
        update.change_count = number + 1
        change = changes_of(update)[number]
        change.relation = relation_number
        change.row = row
        change.old_first = first_of(relation)[row]
        change.old_count = counts_of(relation)[row]
        change.listed = 0
        change.next_changed = relation.changed
        relation.changed = number
        change_numbers[row] = number
    return number


@helper
def affect(update, relation_number, relation, row, delta):
    """Note that a row gains or loses derivations in this iteration (`delta` of them), or must be counted anew (0)."""
    number = change_of(update, relation_number, relation, row)
    change = changes_of(update)[number]
    if change.listed == 0:
        change.listed = 1
        change.delta = 0
        change.next_affected = update.affected
        update.affected = number
    change.delta += delta


@helper
def take_affected(update):
    """Take the first change off the list of affected rows; return its number."""
    number = update.affected
    change = changes_of(update)[number]
    update.affected, change.listed = change.next_affected, 0
    return number


@helper
def note_active(update, relation, number):
    """Add a relation to those that have lost, departed or arrived rows in this iteration."""
    if relation.active == 0:
        relation.active, relation.next_active = 1, update.first_active
        update.first_active = number


@helper
def add_lost(relation, change, number):
    """Add a row to the list of rows that backward evaluation must look at."""
    change.candidate = ABSENT
    change.candidate_count = change.doubtful = 0
    change.next_lost = relation.lost
    relation.lost = number


@helper
def add_departed(relation, change, number):
    """Add a row that has become absent to the list of rows that are joined with the old state."""
    change.next_moved = relation.departed
    relation.departed = number


@helper
def add_arrived(relation, change, number):
    """Add a row that has become present to the list of rows that are joined with the new state."""
    change.next_moved = relation.arrived
    relation.arrived = number


@helper
def add_event(update, iteration, kind, plan_number, head):
    """Add an event to the list of an iteration and return its number; there must be capacity for both."""
    events, lists = events_of(update), first_totals_of(update) if kind == TOTAL else first_events_of(update)
    if update.free_event_count > 0:
        number = update.free_event
        update.free_event = events[number].next
        update.free_event_count -= 1
    else:
        number = update.event_count
        update.event_count = number + 1
    event = events[number]
    event.kind = kind
    event.plan = plan_number
    event.head = head
    event.next = lists[iteration]
    lists[iteration] = number
    update.last_iteration = max(update.last_iteration, iteration)
    update.scheduled += 1
    return number


@helper
def drop_first_event(update, lists, iteration):
    """Take the first event off the list of an iteration and free it; lists: int32[iteration_capacity]."""
    events = events_of(update)
    number = lists[iteration]
    event = events[number]
    lists[iteration] = event.next
    event.next = update.free_event
    update.free_event = number
    update.free_event_count += 1
