"""Building groups after a bootstrap, which has kept their running totals alone: what updates need of each group is made
of its rows.

    count      the rows of each group
    sort       rows by their groups, which are then built one after the other, from rows that lie near each other
    build      a group's inputs enter its state, or blocks of the pool of the size that they need, and are settled
"""

from .arguments import vector_of
from .compiling import entry_point, helper
from .directory import VACANT_SLOT, slot_of_group
from .groups import SMALLEST_SPILL, add, clear_inline, place, spill_to, touch, touch_wave, wave_at
from .layout import (
    ABSENT,
    FINISHED,
    INLINE_AGGREGANDS,
    NONE,
    WORDS_OF_SPILL,
    WORDS_PER_AGGREGAND,
    WORDS_PER_WAVE,
    int32,
    int64,
)
from .pool import reserve
from .storage import first_of, group_directory_of, group_states_of, rows_of, spill_of
from .totals import settle

WORDS_OF_TREES = 8  # at most, for each aggregate input, those of smaller trees included that became larger ones


@entry_point(states=vector_of(int32), starts=vector_of(int64))
def count_of_groups(aggregate, relations, states, starts, begin, end):
    """Note the states of the groups of rows `begin` to `end` of the aggregate inputs, and count the rows of each.

    states: int32[row_count], NONE for a row that is absent, or alone in its group, which then has no state; starts:
    int64[state_count + 1], where the rows of state n are counted at n + 1.
    """
    aggregands = relations[aggregate.aggregands]
    rows, first, directory = rows_of(aggregands), first_of(aggregands), group_directory_of(aggregate)
    for row in range(begin, end):
        states[row] = NONE
        if first[row] != ABSENT:
            entry = int64(directory[slot_of_group(aggregate, rows, row)])
            if entry < VACANT_SLOT:
                states[row] = -1 - entry
                starts[-entry] += 1


@entry_point(states=vector_of(int32), starts=vector_of(int64), order=vector_of(int32))
def sort_by_group(states, starts, order):
    """Sort rows by the states of their groups, those of one group staying in their order.

    states: int32[row_count]; starts: int64[state_count + 1], before: the number of rows of state n at n + 1, after:
    where the rows of state n end; order: int32[number of rows of states].
    """
    for number in range(1, len(starts)):
        starts[number] += starts[number - 1]
    for row in range(len(states)):
        number = states[row]
        if number != NONE:
            order[starts[number]] = row
            starts[number] += 1


@entry_point(order=vector_of(int32), ends=vector_of(int64))
def build_groups(aggregate, operation, relations, order, ends, begin, end):
    """Build the groups of states `begin` to `end`; return at which it needs capacity, or `end`.

    order: int32[number of rows], sorted by state; ends: int64[state_count + 1], where the rows of each state end.
    """
    for number in range(begin, end):
        if group_states_of(aggregate)[number].row == NONE:
            continue
        first_row = int64(ends[number - 1]) if number > 0 else int64(0)
        if not build_group(aggregate, operation, relations, order, number, first_row, int64(ends[number])):
            return number
    return end


@helper
def build_group(aggregate, operation, relations, order, number, begin, end):
    """Enter rows `order[begin:end]` into a group that holds its running total alone, and settle it; return False, with
    nothing done, when it needs capacity."""
    aggregands = relations[aggregate.aggregands]
    rows, first, value = rows_of(aggregands), first_of(aggregands), aggregands.arity - 1
    group, count = group_states_of(aggregate)[number], end - begin
    spills = count > INLINE_AGGREGANDS
    table, waves = int64(SMALLEST_SPILL), int64(SMALLEST_SPILL)
    if spills:
        stamps = int64(1)  # at least as many as there are different ones
        for at in range(begin + 1, end):
            stamps += first[order[at]] != first[order[at - 1]]
        while 4 * count > 3 * table:
            table *= 2
        while stamps > waves:
            waves *= 2
        words = WORDS_OF_SPILL + WORDS_PER_AGGREGAND * table + WORDS_PER_WAVE * waves + WORDS_OF_TREES * count
        if not reserve(aggregate, words):
            return False
    if aggregate.event_capacity < count + 2:
        aggregate.events_wanted = count + 2
        return False
    for number_of_place in range(INLINE_AGGREGANDS):
        clear_inline(group.inline[number_of_place])
    if spills:
        spill_to(aggregate, group, table, waves)
    for at in range(begin, end):
        row = int64(order[at])
        cell, stamp = int64(rows[row, value]), int64(first[row])
        key = row if aggregate.by_row else cell
        if spills:
            spill = spill_of(aggregate, group)
            place(aggregate, spill, wave_at(aggregate, spill, stamp), key, cell)
            touch_wave(spill, stamp)
            touch(aggregate, number, group)
        else:
            add(aggregate, number, key, cell, stamp)
    aggregate.running = 0
    settled = settle(aggregate, operation)
    aggregate.running, aggregate.event_count = 1, 0
    return settled == FINISHED
