"""Totals of touched groups: settle their trees, roll totals forward, report what changed.

A group whose joins the host has not answered yet stays in the queue, and the next call tries it again; the other groups
are settled meanwhile.
"""

from .compiling import helper
from .groups import NEVER, clear_inline, copy_wave, wave_position
from .layout import DIRTY, FINISHED, NEEDS_ANSWERS, NEEDS_CAPACITY, NO_VALUE, NONE, UNKNOWN, int64
from .operations import join
from .storage import group_states_of, spill_of, total_events_of, touched_of, waves_of
from .trees import free_tree, settle_tree


@helper
def settle(aggregate, operation):
    """Settle all touched groups; return FINISHED when none is left, otherwise the status that asks the host for
    something."""
    queue, groups = touched_of(aggregate), group_states_of(aggregate)
    left, status = 0, FINISHED
    for position in range(aggregate.touched_count):
        number = queue[position]
        group = groups[number]
        if aggregate.running:
            outcome = settle_running(aggregate, operation, number, group)
        elif group.spill == NONE:
            outcome = _settle_inline(aggregate, operation, number, group)
        else:
            outcome = _settle_spilled(aggregate, operation, number, spill_of(aggregate, group))
        if outcome == FINISHED:
            group.touched = 0
        else:
            status = outcome
            queue[left] = number
            left += 1
    aggregate.touched_count = left
    return status


@helper
def settle_running(aggregate, operation, number, group):
    """Join what is new of a group with its running total; return FINISHED, or NEEDS_CAPACITY.

    While a bootstrap runs, aggregate inputs only come, one iteration after the other. So groups need no trees: the
    first place of a group holds its total, in place of a value the join of the inputs of this iteration, and in place
    of a key the row of the input that this join is the value of, if there is one; so does an event in place of a
    timestamp. What an update needs of the group is made of its rows afterwards (`building`).
    """
    if not _room_for_events(aggregate, 1):
        return NEEDS_CAPACITY
    entry = group.inline[0]
    old, value = int64(entry.total), int64(entry.value)
    new = join(operation, old, value)
    if old != NO_VALUE and value != NO_VALUE:
        aggregate.join_count += 1
    entry.total, entry.value = new, NO_VALUE
    if new != old:
        event = total_events_of(aggregate)[aggregate.event_count]
        event.group, event.stamp, event.old_total, event.new_total = number, NONE, old, new
        if new == value:
            event.stamp = entry.key
        event.had_row, event.has_row = False, True
        aggregate.event_count += 1
    return FINISHED


@helper
def _settle_inline(aggregate, operation, number, group):
    if not _room_for_events(aggregate, 2):
        return NEEDS_CAPACITY
    early, late = group.inline[0], group.inline[1]
    if late.stamp != NONE and (early.stamp == NONE or late.stamp < early.stamp):
        _swap(early, late)
    early_value, late_value = int64(early.value), int64(late.value)
    together = join(operation, early_value, late_value)
    if together == UNKNOWN:
        return NEEDS_ANSWERS
    if early_value != NO_VALUE and late_value != NO_VALUE:
        aggregate.join_count += 1
    old = int64(early.total)
    old_late = int64(late.total) if late.total != NO_VALUE else old
    if late.stamp == NONE or late.stamp == early.stamp:
        _report(
            aggregate,
            number,
            early.stamp,
            old if old != NO_VALUE else old_late,
            together,
            int64(NO_VALUE),
            int64(NO_VALUE),
        )
        early.total = late.total = together
    else:
        _report(aggregate, number, early.stamp, old, early_value, int64(NO_VALUE), int64(NO_VALUE))
        _report(aggregate, number, late.stamp, old_late, together, old, early_value)
        early.total, late.total = early_value, together
    if late_value == NO_VALUE:
        clear_inline(late)
    if early_value == NO_VALUE:
        clear_inline(early)
        if late.stamp != NONE:
            _swap(early, late)
    return FINISHED


@helper
def _swap(first, second):
    first.key, second.key = second.key, first.key
    first.value, second.value = second.value, first.value
    first.stamp, second.stamp = second.stamp, first.stamp
    first.total, second.total = second.total, first.total


@helper
def _room_for_events(aggregate, count):
    if aggregate.event_count + count <= aggregate.event_capacity:
        return True
    aggregate.events_wanted = aggregate.event_count + count
    return False


@helper
def _report(aggregate, number, stamp, old, new, old_before, new_before):
    """Add an event if the total at a timestamp has changed, or if it changed whether the total appears there, as a row;
    the total appears if it differs from that of the wave before."""
    had_row, has_row = old != old_before, new != new_before
    if old != new or had_row != has_row:
        event = total_events_of(aggregate)[aggregate.event_count]
        event.group, event.stamp, event.old_total, event.new_total = number, stamp, old, new
        event.had_row, event.has_row = had_row, has_row
        aggregate.event_count += 1


@helper
def _settle_spilled(aggregate, operation, number, spill):
    first = wave_position(aggregate, spill, int64(spill.touched_from))
    if not _settle_trees(aggregate, operation, spill, first):
        return NEEDS_ANSWERS
    if not _room_for_events(aggregate, spill.wave_count):
        return NEEDS_CAPACITY
    if not _roll_forward(aggregate, operation, number, spill, first):
        return NEEDS_ANSWERS
    _drop_empty_waves(aggregate, spill, first)
    spill.touched_from, spill.touched_to = NEVER, NONE
    return FINISHED


@helper
def _settle_trees(aggregate, operation, spill, first):
    """Settle the trees of all touched waves; return False if some wait for the host."""
    waves, done = waves_of(aggregate, spill), True
    for position in range(first, spill.wave_count):
        wave = waves[position]
        if wave.stamp > spill.touched_to:
            break
        if wave.root == DIRTY and not settle_tree(aggregate, operation, wave):
            done = False
    return done


@helper
def _roll_forward(aggregate, operation, number, spill, first):
    """Compute the totals from the first touched wave on until they no longer change; return False if one waits for the
    host."""
    waves = waves_of(aggregate, spill)
    if spill.resume_at == NONE:
        position = first
        old_before = _total_before(waves, position)
        new_before = old_before
    else:
        position = wave_position(aggregate, spill, int64(spill.resume_at))
        old_before = int64(spill.resume_total)
        new_before = _total_before(waves, position)
        spill.resume_at = NONE
    while position < spill.wave_count:
        wave = waves[position]
        new = join(operation, new_before, int64(wave.root))
        if new == UNKNOWN:
            spill.resume_at, spill.resume_total = wave.stamp, old_before
            return False
        if new_before != NO_VALUE and wave.root != NO_VALUE:
            aggregate.join_count += 1
        old = int64(wave.total) if wave.total != NO_VALUE else old_before
        _report(aggregate, number, wave.stamp, old, new, old_before, new_before)
        wave.total = new
        old_before, new_before = old, new
        if old == new and wave.stamp >= spill.touched_to:
            break
        position += 1
    return True


@helper
def start_over(aggregate):
    """Let the groups that wait for the host roll their totals forward from the first touched wave again, since their
    aggregate inputs are about to change."""
    queue, groups = touched_of(aggregate), group_states_of(aggregate)
    for position in range(aggregate.touched_count):
        group = groups[queue[position]]
        if group.spill != NONE:
            spill = spill_of(aggregate, group)
            if spill.resume_at != NONE:
                spill.touched_to = max(int64(spill.touched_to), int64(spill.resume_at))
                spill.resume_at = NONE


@helper
def _total_before(waves, position):
    return int64(NO_VALUE) if position == 0 else int64(waves[position - 1].total)


@helper
def _drop_empty_waves(aggregate, spill, first):
    waves, kept = waves_of(aggregate, spill), first
    for position in range(first, spill.wave_count):
        wave = waves[position]
        if wave.root == NO_VALUE:
            free_tree(aggregate, wave)
        else:
            if kept == position and wave.stamp > spill.touched_to:
                return  # nothing was dropped, and nothing further can be empty
            if kept != position:
                copy_wave(wave, waves[kept])
            kept += 1
    spill.wave_count = kept


@helper
def final_total(aggregate, group):
    """Return the join of all aggregate inputs of a settled group, or NO_VALUE."""
    if group.spill != NONE:
        spill = spill_of(aggregate, group)
        return _total_before(waves_of(aggregate, spill), int64(spill.wave_count))
    late = group.inline[1]
    return int64(late.total) if late.stamp != NONE else int64(group.inline[0].total)


@helper
def total_appears(aggregate, group, total, stamp):
    """Return whether the total of a settled group becomes `total` at a timestamp."""
    if group.spill != NONE:
        spill = spill_of(aggregate, group)
        position, waves = wave_position(aggregate, spill, stamp), waves_of(aggregate, spill)
        if position == spill.wave_count or waves[position].stamp != stamp:
            return False
        return waves[position].total == total and _total_before(waves, position) != total
    early, late = group.inline[0], group.inline[1]
    if early.stamp == stamp:
        return early.total == total
    return late.stamp == stamp and late.total == total and early.total != total


@helper
def next_appearance(aggregate, group, total, stamp):
    """Return the first later timestamp at which the total of a settled group becomes `total`, or NONE.

    It is NONE for groups that have not spilled, which report each of their two totals anyway.
    """
    if group.spill == NONE:
        return int64(NONE)
    spill = spill_of(aggregate, group)
    waves = waves_of(aggregate, spill)
    for position in range(wave_position(aggregate, spill, stamp + 1), spill.wave_count):
        if waves[position].total == total and _total_before(waves, position) != total:
            return int64(waves[position].stamp)
    return int64(NONE)
