"""The directory of groups: a hash table from the columns of a group to the group.

Where aggregate inputs and totals share their rows, a group of one aggregate input is only an entry of this table: the
row of the aggregate input is also the row of its total and final total. All other groups have a state of their own.
An entry is 0 (vacant), the number of a row plus 1, or -1 minus the number of a state; the state names a row with the
group's columns.
"""

from .arguments import record_of
from .blocks import AHEAD, home_slot, mix
from .compiling import entry_point, helper
from .layout import AGGREGATE, NONE, int64
from .memory import prefetch
from .storage import group_directory_of, group_states_of, rows_of

VACANT_SLOT = 0
LARGE_DIRECTORY = 1 << 14  # slots from which most look-ups find nothing of it in the cache


@helper
def home_of_group(aggregate, rows, row):
    """Return the slot at which the search for a row's group begins."""
    hashed = int64(0)
    for column in range(aggregate.group_width):
        hashed = mix(hashed, rows[row, column])
    return home_slot(hashed, aggregate.slot_count - 1)


@helper
def row_of_entry(aggregate, entry):
    """Return the number of a row with the columns of an entry's group."""
    return entry - 1 if entry > 0 else int64(group_states_of(aggregate)[-1 - entry].row)


@helper
def slot_of_group(aggregate, rows, row):
    """Return the slot of a row's group, or the vacant slot where it would be entered."""
    directory, last_slot, width = group_directory_of(aggregate), aggregate.slot_count - 1, aggregate.group_width
    slot = home_of_group(aggregate, rows, row)
    while True:
        entry = int64(directory[slot])
        if entry == VACANT_SLOT:
            return slot
        other, same = row_of_entry(aggregate, entry), True
        for column in range(width):
            same &= rows[other, column] == rows[row, column]
        if same:
            return slot
        slot = (slot + 1) & last_slot


@helper
def ask_for_groups(aggregate, rows, row):
    """Ask for the lines of the cache that groups of later rows are in: of the one furthest ahead its slot, of a nearer
    one its state, or else the row of its only input, and of the next one the row that its state names."""
    directory, states = group_directory_of(aggregate), group_states_of(aggregate)
    prefetch(directory, home_of_group(aggregate, rows, row + 3 * AHEAD))
    entry = int64(directory[home_of_group(aggregate, rows, row + 2 * AHEAD)])
    if entry < VACANT_SLOT:
        prefetch(states, -1 - entry)
    else:
        prefetch(rows, entry - 1)
    entry = int64(directory[home_of_group(aggregate, rows, row + AHEAD)])
    if entry < VACANT_SLOT:
        prefetch(rows, states[-1 - entry].row)


@helper
def capacity_for_group(aggregate):
    """Return whether there is room for one more group in the directory; ask for capacity otherwise."""
    if 4 * (aggregate.used_slots + 1) <= 3 * aggregate.slot_count:
        return True
    aggregate.slots_wanted = 2 * aggregate.slot_count
    return False


@helper
def vacate(aggregate, rows, slot):
    """Empty a slot and move later entries of its run back, so that none becomes unreachable."""
    directory, last_slot = group_directory_of(aggregate), aggregate.slot_count - 1
    candidate = (slot + 1) & last_slot
    while directory[candidate] != VACANT_SLOT:
        home = home_of_group(aggregate, rows, row_of_entry(aggregate, int64(directory[candidate])))
        if ((candidate - home) & last_slot) >= ((candidate - slot) & last_slot):
            directory[slot] = directory[candidate]
            slot = candidate
        candidate = (candidate + 1) & last_slot
    directory[slot] = VACANT_SLOT
    aggregate.used_slots -= 1


@helper
def take_state(aggregate):
    """Return the number of an unused state; NONE when it needs capacity."""
    number = int64(aggregate.free_state)
    if number != NONE:
        aggregate.free_state = group_states_of(aggregate)[number].spill
        return number
    number = int64(aggregate.state_count)
    if number == aggregate.state_capacity:
        aggregate.states_wanted = number + 1
        return int64(NONE)
    aggregate.state_count = number + 1
    return number


@helper
def release_state(aggregate, number):
    """Free a state."""
    group = group_states_of(aggregate)[number]
    group.row, group.spill = NONE, aggregate.free_state
    aggregate.free_state = number


@entry_point(old=record_of(AGGREGATE))
def rehash_groups(old, aggregate, relations):
    """Copy the entries of a directory into the new, larger and vacant directory of `aggregate`.

    old: the record of AGGREGATE as it was before.
    """
    before, after = group_directory_of(old), group_directory_of(aggregate)
    rows, last_slot = rows_of(relations[aggregate.aggregands]), aggregate.slot_count - 1
    for position in range(old.slot_count):
        entry = int64(before[position])
        if entry != VACANT_SLOT:
            slot = home_of_group(aggregate, rows, row_of_entry(old, entry))
            while after[slot] != VACANT_SLOT:
                slot = (slot + 1) & last_slot
            after[slot] = entry
