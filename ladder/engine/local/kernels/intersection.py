"""A look-up that finds values of one new variable, together with the membership tests of that variable which follow it.

    for each row (x, y) of the batch, of `edge(y, z), edge(x, z)`:
        the blocks of y and x are looked up once, and the shortest one leads
        for each z of the block that leads: keep (x, y, z) if z is in every other block

So a triangle costs the smaller of its two degrees, as in worst-case-optimal joins (Ngo, Porat, Ré, Rudra 2012), and not
the one that an order of atoms comes to first. The blocks of primary indexes are hash tables by the other column of
their relation, so that each test is one look into a table that is small or was just looked at.

`steps[number]` is the PROBE, whose `constant` says how many of the MEMBER steps after it are done with it; *places* are
0 for the PROBE and 1, 2, … for these. Where the PROBE's index is a list, whose blocks are no tables, it always leads.
A row that is alone under its key has no place in a pool: that is NONE - 1 minus its number.
"""

from .blocks import (
    AHEAD,
    ALONE,
    EMPTY,
    HEADER,
    block_end,
    first_slot,
    home_slot,
    is_large,
    key_slot,
    length_of,
    tag_column,
)
from .compiling import helper
from .layout import ABSENT, HASHED, NONE, int64
from .memory import prefetch
from .storage import directory_of, entries_of, first_of, rows_of

LOOKED_AT = 16  # times the rows of a batch that are looked at until the host may look around


@helper
def key_at_place(place, step, index, source, i):
    """Return the key that row `i` of a batch looks up at a place."""
    return int64(source[step.keys[0] if place == 0 else step.arguments[index.keys[0]], i])


@helper
def ask_for_places(steps, number, indexes, source, i, count):
    """Ask for the lines of the cache that blocks of later rows of a batch of `count` rows are in: of the one further
    ahead that of the directory, of a nearer one the first of the block."""
    for place in range(steps[number].constant + 1):
        step = steps[number + place]
        index = indexes[step.index]
        if is_large(index):
            directory = directory_of(index)
            if i + 2 * AHEAD < count:
                key = key_at_place(place, step, index, source, i + 2 * AHEAD)
                prefetch(directory, first_slot(index, key))
            if i + AHEAD < count:
                key = key_at_place(place, step, index, source, i + AHEAD)
                block = int64(directory[first_slot(index, key)].block)
                if block > 0:
                    prefetch(entries_of(index), block)


@helper
def open_blocks(steps, number, indexes, source, i):
    """Look up the blocks of all places for row `i` of a batch, which lie from `entry_at` to `entry_end` of their steps;
    return the place whose block has the fewest entries."""
    probe = steps[number]
    best, fewest, lists = int64(0), int64(-1), indexes[probe.index].kind != HASHED
    for place in range(probe.constant + 1):
        step = steps[number + place]
        index = indexes[step.index]
        key = directory_of(index)[key_slot(index, key_at_place(place, step, index, source, i))]
        block, length = int64(key.block), length_of(index, key)
        if block > 0:
            step.entry_at, step.entry_end = block + HEADER, block_end(index, block)
        elif block < 0:
            step.entry_at, step.entry_end = place_alone(ALONE - block), place_alone(ALONE - block) + 1
        else:
            step.entry_at, step.entry_end = 0, 0
        if fewest < 0 or (length < fewest and not lists):
            best, fewest = int64(place), length
    return best


@helper
def keep_common(step, relation, index, matches, begin, count):
    """Keep the matches from `begin` on, all of one row of a batch, whose value is in the block of a step; return how
    many matches there are then."""
    matched_source, matched_tag = matches[0], matches[2]
    entries, first = entries_of(index), first_of(relation)
    start, last_slot = step.entry_at, step.entry_end - step.entry_at - 1
    rows_from, rows_below, some_absent, kept = step.rows_from, step.rows_below, relation.absent_rows > 0, begin
    if start < NONE:
        return keep_equal(step, relation, index, matches, begin, count)
    for match in range(begin, count):
        tag = matched_tag[match]
        slot, row = home_slot(tag, last_slot), int64(NONE)
        for _ in range(last_slot + 1):
            entry = entries[start + slot]
            if entry.tag == tag or entry.row == EMPTY:
                row = int64(entry.row)
                break
            slot = (slot + 1) & last_slot
        matched_source[kept], matched_tag[kept] = matched_source[match], tag
        stays = row >= rows_from and row < rows_below
        if some_absent and stays:
            stays = first[row] != ABSENT
        kept += int64(stays)
    return kept


@helper
def keep_equal(step, relation, index, matches, begin, count):
    """Do what `keep_common` does where a row is alone under the key of a step."""
    matched_source, matched_tag, row = matches[0], matches[2], number_alone(step.entry_at)
    if not is_visible(step, relation, row):
        return begin
    value, kept = rows_of(relation)[row, tag_column(relation, index)], begin
    for match in range(begin, count):
        matched_source[kept], matched_tag[kept] = matched_source[match], matched_tag[match]
        kept += int64(matched_tag[match] == value)
    return kept


@helper
def place_alone(row):
    """Return what stands for the place in a pool of a row that is alone."""
    return int64(NONE - 1 - row)


@helper
def number_alone(place):
    """Return the number of the row that `place_alone` has made a place of."""
    return NONE - 1 - place


@helper
def is_visible(step, relation, row):
    """Return whether a row is in the window of a step, and present."""
    if row < step.rows_from or row >= step.rows_below:
        return False
    return relation.absent_rows == 0 or first_of(relation)[row] != ABSENT


@helper
def intersect(steps, number, relations, indexes, source, matches, batch_size):
    """Pair rows of `source` with the values that all places have in common, until `matches` is full or many slots were
    looked at; return (number of pairs, entries of the blocks that led).

    The entry of its block at hand is `entry_at` of the step that leads; of the PROBE, that is NONE between two rows.
    """
    probe = steps[number]
    count, looked, led, matched_source, matched_tag = int64(0), int64(0), int64(0), matches[0], matches[2]
    while probe.cursor < probe.source_count and count < batch_size and looked < LOOKED_AT * batch_size:
        i = probe.cursor
        if probe.entry_at == NONE:
            ask_for_places(steps, number, indexes, source, i, probe.source_count)
            probe.operation = open_blocks(steps, number, indexes, source, i)
        lead = int64(probe.operation)
        step = steps[number + lead]
        relation, entries = relations[step.relation], entries_of(indexes[step.index])
        first, some_absent = first_of(relation), relation.absent_rows > 0
        rows_from, rows_below, entry_at, entry_end = step.rows_from, step.rows_below, step.entry_at, step.entry_end
        begin, from_entry = count, entry_at
        if entry_at < NONE and entry_at < entry_end:
            row = number_alone(entry_at)
            if is_visible(step, relation, row):
                value = rows_of(relation)[row, tag_column(relation, indexes[step.index])]
                matched_source[count], matched_tag[count] = i, value
                count += 1
            entry_at = entry_end
        while entry_at < entry_end and count < batch_size:
            entry = entries[entry_at]
            row = entry.row
            matched_source[count], matched_tag[count] = i, entry.tag
            kept = row >= rows_from and row < rows_below
            if some_absent and kept:
                kept = first[row] != ABSENT
            count += int64(kept)  # without a branch: whether a slot is free is not foreseen
            entry_at += 1
        looked, led = looked + entry_at - from_entry, led + count - begin
        step.entry_at = entry_at
        for place in range(probe.constant + 1):
            if place != lead and count > begin:
                other = steps[number + place]
                count = keep_common(other, relations[other.relation], indexes[other.index], matches, begin, count)
        if entry_at == entry_end:
            probe.cursor += 1
            probe.entry_at = int64(NONE)
    return count, led


@helper
def deliver_common(steps, number, source, target, matches, count):
    """Copy the registers of matches that steps after the last membership test read to `target`, and the value found."""
    probe, last = steps[number], steps[number + steps[number].constant]
    matched_source, matched_tag = matches[0], matches[2]
    for l in range(last.live_count):
        if last.live[l] != probe.value_register:
            from_register, to_register = source[last.live[l]], target[last.live[l]]
            for match in range(count):
                to_register[match] = from_register[matched_source[match]]
    register = target[probe.value_register]
    for match in range(count):
        register[match] = matched_tag[match]
