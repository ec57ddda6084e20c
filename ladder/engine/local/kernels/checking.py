"""Checks of a state that somebody else has saved, before any other kernel reads it: all numbers are within their
bounds, and all searches end.

    check_records   cells are records of a type: their fields are values of the right types, and no record contains
                    itself
    check_index     blocks do not overlap; each row is entered once, where a search finds it
    check_groups    blocks of an aggregate do not overlap; each group is found by a search, and is in a form that a
                    finished transaction leaves

Each array is read once, from its beginning to its end, except for the rows that entries name. Unused space between
blocks is made into free blocks, whatever it holds. A result other than SOUND (0) says what is wrong. In all functions,
`flags` is a uint8 array with an item for each entry or word of the pool, `seen` one for each row or state, and `end` is
the length of the pool.
"""

import numpy as np

from .arguments import table_of, vector_of
from .blocks import (
    ALONE,
    EMPTY,
    HEADER,
    SMALL_TABLE,
    SMALLEST,
    forget_free_blocks,
    free_block,
    home_slot,
    key_of_row,
    key_slot,
    may_hold,
    slot_at,
    tag_of_row,
)
from .compiling import entry_point, helper
from .directory import VACANT_SLOT, row_of_entry, slot_of_group
from .groups import NEVER, SMALLEST_SPILL, find_aggregand, wave_position
from .layout import (
    HASHED,
    INLINE_AGGREGANDS,
    LAST_HOLE,
    MAX_CLASSES,
    NO_VALUE,
    NONE,
    PARTS,
    WORDS_OF_SPILL,
    WORDS_PER_AGGREGAND,
    WORDS_PER_WAVE,
    int32,
    int64,
)
from .pool import give_back
from .storage import (
    aggregands_of,
    directory_of,
    entries_of,
    group_directory_of,
    group_states_of,
    nodes_of,
    rows_of,
    spill_of,
    waves_of,
)

LIMIT, RECORD = range(2)  # what a field of a record is: a cell below a number, a record of a type
UNSEEN, OPEN, RIGHT, WRONG = range(4)  # what is known of a record
UNLIMITED = 1 << 40
(
    SOUND,
    NO_VACANCY,
    BLOCK_OUT,
    BLOCKS_MEET,
    NO_TABLE,
    UNREACHABLE,
    ROW_OUT,
    ROW_ELSEWHERE,
    ROW_TWICE,
    ROWS_MISSING,
    UNSETTLED_GROUP,
    GROUP_OUT,
    VALUE_OUT,
    STAMP_OUT,
    KEY_OUT,
    TREE_OUT,
    LEAF_OUT,
) = range(17)


# ---- records


@entry_point(
    cells=vector_of(int32),
    tables=vector_of(int64),
    starts=vector_of(int64),
    states=vector_of(np.uint8),
    stack=table_of(int64),
    forms=table_of(int64),
    form_fields=table_of(int64),
    fields=table_of(int64),
)
def check_records(cells, kind, relations, tables, starts, states, stack, forms, form_fields, fields):
    """Return whether some of these cells are not records of a type.

    cells         int32[n]
    kind          int64: the number of the type
    relations     RELATION[n]: all relations of the state
    tables        int64[types]: for each type, the number of the relation of its records
    starts        int64[types + 1]: for each type, the place of its first record in `states`
    states        uint8[records of all types]: what is known of each record, UNSEEN at first
    stack         int64[records, 3]: scratch, a row for each record that may contain others
    forms         int64[types, 3]: its first form, the number of its forms, the number of cells before the fields
    form_fields   int64[forms, 2]: its first field, the number of its fields
    fields        int64[fields, 2]: LIMIT and a number that cells are below, or RECORD and the number of a type
    """
    for i in range(len(cells)):
        if cells[i] != 0 and not is_record(
            int64(cells[i]), kind, relations, tables, starts, states, stack, forms, form_fields, fields
        ):
            return True
    return False


@helper
def is_record(cell, kind, relations, tables, starts, states, stack, forms, form_fields, fields):
    """Return whether a cell is a record of a type (parameters as of `check_records`); depth first, without recursion,
    since lists may be long."""
    if not 1 <= cell <= starts[kind + 1] - starts[kind]:
        return False
    root = starts[kind] + cell - 1
    if states[root] != UNSEEN:
        return states[root] == RIGHT
    depth = 0
    stack[0, 0], stack[0, 1], stack[0, 2] = kind, cell - 1, 0
    states[root] = OPEN
    while depth >= 0:
        of, row, field = stack[depth, 0], stack[depth, 1], stack[depth, 2]
        rows, head, form = rows_of(relations[tables[of]]), forms[of, 2], int64(0)
        wrong, inside = False, False
        if head != 0:
            form = int64(rows[row, 0])
            wrong = not 0 <= form < forms[of, 1]
        if not wrong:
            first, count = form_fields[forms[of, 0] + form, 0], form_fields[forms[of, 0] + form, 1]
            while field < count and not wrong:
                part, what = int64(rows[row, head + field]), fields[first + field, 1]
                if fields[first + field, 0] == LIMIT:
                    wrong = what != UNLIMITED and not 0 <= part < what
                elif part != 0:
                    if not 1 <= part <= starts[what + 1] - starts[what]:
                        wrong = True
                    else:
                        known = states[starts[what] + part - 1]
                        if known == UNSEEN:
                            inside = True
                            break
                        wrong = known != RIGHT
                field += 1
        if inside:
            stack[depth, 2] = field
            depth += 1
            stack[depth, 0], stack[depth, 1], stack[depth, 2] = what, part - 1, 0
            states[starts[what] + part - 1] = OPEN
        else:
            states[starts[of] + row] = WRONG if wrong else RIGHT
            depth -= 1
    return states[root] == RIGHT


# ---- indexes


@entry_point(flags=vector_of(np.uint8), seen=vector_of(np.uint8))
def check_index(relation, index, flags, seen):
    """Return SOUND, or what is wrong with an index; its free blocks are collected anew.

    flags: uint8[entry_count], zeros; seen: uint8[row_count], zeros.
    """
    problem = check_directory(index)
    if problem != SOUND:
        return problem
    rows, directory, entered, used = rows_of(relation), directory_of(index), int64(0), int64(0)
    for slot in range(index.slot_count):
        key = directory[slot]
        if key.block == 0:
            continue
        if key.block < 0:
            problem = check_alone(relation, index, rows, key, seen)
            if problem != SOUND:
                return problem
            entered += 1
            continue
        problem = check_block(relation, index, rows, key, flags, seen)
        if problem != SOUND:
            return problem
        entered += entries_of(index)[key.block].row
        used += HEADER + entries_of(index)[key.block].tag
    if entered != (relation.row_count if index.kind == HASHED else index.row_count):
        return ROWS_MISSING
    free_idle_entries(index, flags)
    index.free_entries = index.entry_count - 1 - used
    return SOUND


@helper
def check_directory(index):
    """Check that each key is found, and that each part has vacant slots, so that searches end; return SOUND, or what is
    wrong. The used slots are counted anew."""
    directory = directory_of(index)
    for part in range(PARTS):
        used = int64(0)
        for place in range(index.slot_count // PARTS):
            slot = slot_at(part, place)
            used += directory[slot].block != 0
        if 4 * PARTS * used > 3 * index.slot_count:
            return NO_VACANCY
        index.used_slots[part] = used
    for slot in range(index.slot_count):
        key = int64(directory[slot].key)
        if directory[slot].block != 0 and (key_slot(index, key) != slot or not may_hold(index, key)):
            return UNREACHABLE
    return SOUND


@helper
def flag_block(flags, start, size, end):
    """Flag the entries or words of a block; return what is wrong if it does not lie in the pool or overlaps another
    one."""
    if start < 1 or size < 1 or start + size > end:
        return BLOCK_OUT
    for place in range(start, start + size):
        if flags[place] != 0:
            return BLOCKS_MEET
        flags[place] = 1
    return SOUND


@helper
def check_alone(relation, index, rows, key, seen):
    """Check a key whose only row stands in its slot: it is a row of that key."""
    row = int64(ALONE - key.block)
    if row >= (relation.row_count if index.kind == HASHED else index.row_count):
        return ROW_OUT
    if seen[row] != 0:
        return ROW_TWICE
    if key_of_row(index, rows, row) != key.key:
        return ROW_ELSEWHERE
    seen[row] = 1
    return SOUND


@helper
def check_block(relation, index, rows, key, flags, seen):
    """Check the block of a key: it lies in the pool, meets no other one, and has rows of that key."""
    block = int64(key.block)
    if block >= index.entry_count or entries_of(index)[block].tag < 1:
        return BLOCK_OUT
    problem = flag_block(flags, block, HEADER + int64(entries_of(index)[block].tag), index.entry_count)
    if problem != SOUND:
        return problem
    if index.kind == HASHED:
        return check_table(relation, index, rows, key, seen)
    return check_list(index, rows, key, seen)


@helper
def check_table(relation, index, rows, key, seen):
    """Check the hash table of a key: it has as many rows as its header says, a free slot where a search needs one, and
    no free slot between a row and its home slot."""
    entries, start, column = entries_of(index), int64(key.block) + HEADER, index.keys[0]
    length, capacity = int64(entries[key.block].row), int64(entries[key.block].tag)
    last_slot = capacity - 1
    if capacity & last_slot != 0 or not (length < capacity or length == capacity <= SMALL_TABLE):
        return NO_TABLE
    free, count = int64(NONE), int64(0)
    for place in range(last_slot, -1, -1):
        if entries[start + place].row == EMPTY:
            free = place
            break
    for place in range(capacity):
        entry = entries[start + place]
        row = int64(entry.row)
        if row == EMPTY:
            free = place
            continue
        if not 0 <= row < relation.row_count:
            return ROW_OUT
        if seen[row] != 0:
            return ROW_TWICE
        if rows[row, column] != key.key or entry.tag != tag_of_row(relation.arity, index, rows, row):
            return ROW_ELSEWHERE
        if free != NONE and ((place - home_slot(entry.tag, last_slot)) & last_slot) >= ((place - free) & last_slot):
            return UNREACHABLE
        seen[row] = 1
        count += 1
    return SOUND if count == length else NO_TABLE


@helper
def check_list(index, rows, key, seen):
    """Check the list of a key: it has rows of that key only, in ascending order."""
    entries, start, before = entries_of(index), int64(key.block) + HEADER, int64(NONE)
    length = int64(entries[key.block].row)
    if not 0 <= length <= entries[key.block].tag:
        return NO_TABLE
    for place in range(length):
        entry = entries[start + place]
        row = int64(entry.row)
        if not before < row < index.row_count:
            return ROW_OUT
        if seen[row] != 0:
            return ROW_TWICE
        if key_of_row(index, rows, row) != key.key or entry.tag != (
            0 if index.value_column == NONE else rows[row, index.value_column]
        ):
            return ROW_ELSEWHERE
        seen[row] = 1
        before = row
    return SOUND


@helper
def free_idle_entries(index, flags):
    """Make the unused space between the blocks of keys into free blocks."""
    forget_free_blocks(index)
    place, turn = int64(1), 0
    while place < index.entry_count:
        if flags[place] != 0:
            place += 1
            continue
        size = idle_run(flags, place + HEADER, index.entry_count)
        if size >= SMALLEST:
            free_block(index, place, size, turn)
        place, turn = place + HEADER + size, (turn + 1) % PARTS


@helper
def idle_run(flags, place, end):
    """Return the size of the largest block, a power of two, that fits into the unused space at `place`; 0 for none."""
    size = int64(0)
    while place + size < end and flags[place + size] == 0:
        size += 1
    power = int64(1)
    while 2 * power <= size:
        power *= 2
    return power if size > 0 else int64(0)


# ---- aggregates


@entry_point(flags=vector_of(np.uint8), seen=vector_of(np.uint8))
def check_groups(aggregate, relations, flags, seen, least, below, latest):
    """Return SOUND, or what is wrong with the groups of an aggregate; its free blocks are collected anew.

    flags: uint8[word_count], zeros; seen: uint8[state_count], zeros. Values must be in least <= value < below,
    timestamps at most `latest`, all int64.
    """
    groups, relation = group_states_of(aggregate), relations[aggregate.aggregands]
    for number in range(aggregate.state_count):
        group = groups[number]
        if group.row != NONE:
            if group.touched != 0 or group.noted != 0:
                return UNSETTLED_GROUP
            if not 0 <= group.row < relation.row_count:
                return ROW_OUT
    problem = check_group_directory(aggregate, relation, seen)
    if problem != SOUND:
        return problem
    aggregate.free_state, aggregate.touched_count = NONE, 0
    rows, last = rows_of(relation), relation.arity - 1
    for number in range(aggregate.state_count - 1, -1, -1):
        group = groups[number]
        if group.row == NONE:
            group.spill, aggregate.free_state = aggregate.free_state, number
            continue
        if seen[number] == 0:
            return UNREACHABLE
        if group.spill == NONE:
            problem = check_inline(aggregate, relation, rows, last, group, least, below, latest)
        else:
            problem = check_spill(aggregate, relation, rows, last, group, flags, least, below, latest)
        if problem != SOUND:
            return problem
    free_idle_words(aggregate, flags)
    return SOUND


@helper
def check_group_directory(aggregate, relation, seen):
    """Check that each group is found, that each state has exactly one entry, and that searches end at a vacant slot.

    The used slots are counted anew.
    """
    directory, groups, used = group_directory_of(aggregate), group_states_of(aggregate), int64(0)
    for slot in range(aggregate.slot_count):
        entry = int64(directory[slot])
        if entry == VACANT_SLOT:
            continue
        used += 1
        if entry > VACANT_SLOT:
            if aggregate.shared == 0 or entry > relation.row_count:
                return GROUP_OUT
        else:
            number = -1 - entry
            if number >= aggregate.state_count or groups[number].row == NONE or seen[number] != 0:
                return GROUP_OUT
            seen[number] = 1
    if 4 * used > 3 * aggregate.slot_count:
        return NO_VACANCY
    aggregate.used_slots = used
    rows = rows_of(relation)
    for slot in range(aggregate.slot_count):
        entry = int64(directory[slot])
        if entry != VACANT_SLOT and slot_of_group(aggregate, rows, row_of_entry(aggregate, entry)) != slot:
            return UNREACHABLE
    return SOUND


@helper
def is_key(aggregate, relation, rows, last, key, value):
    """Return whether `key` is that of an aggregate input with this value: the value itself, or the number of its row.
    `last` is the column of values."""
    if aggregate.by_row == 0:
        return key == value
    return 0 <= key < relation.row_count and int64(rows[key, last]) == value


@helper
def check_inline(aggregate, relation, rows, last, group, least, below, latest):
    """Check a small group, which must be settled, with its aggregate inputs in the order of their timestamps."""
    before = int64(NONE)
    for i in range(INLINE_AGGREGANDS):
        entry = group.inline[i]
        if entry.stamp == NONE:
            if entry.value != NO_VALUE or entry.total != NO_VALUE:
                return UNSETTLED_GROUP
            before = int64(NEVER)
            continue
        if not before <= entry.stamp <= latest or entry.stamp < 0:
            return STAMP_OUT
        if not (least <= entry.value < below and least <= entry.total < below):
            return VALUE_OUT
        if not is_key(aggregate, relation, rows, last, int64(entry.key), int64(entry.value)):
            return KEY_OUT
        before = int64(entry.stamp)
    return SOUND


@helper
def is_power(number):
    """Return whether a number is a power of two."""
    return number > 0 and number & (number - 1) == 0


@helper
def check_spill(aggregate, relation, rows, last, group, flags, least, below, latest):
    """Check a larger group, which must be settled: its blocks, its waves with their trees, its aggregate inputs."""
    end = aggregate.word_count
    problem = flag_block(flags, int64(group.spill), int64(WORDS_OF_SPILL), end)
    if problem != SOUND:
        return problem
    spill = spill_of(aggregate, group)
    if not (
        is_power(int64(spill.table_capacity))
        and is_power(int64(spill.wave_capacity))
        and spill.table_capacity >= SMALLEST_SPILL
        and 0 <= spill.wave_count <= spill.wave_capacity
        and 0 <= spill.aggregand_count < spill.table_capacity
    ):
        return NO_TABLE
    if spill.touched_from != NEVER or spill.touched_to != NONE or spill.resume_at != NONE:
        return UNSETTLED_GROUP
    problem = flag_block(flags, int64(spill.table_start), WORDS_PER_AGGREGAND * int64(spill.table_capacity), end)
    if problem == SOUND:
        problem = flag_block(flags, int64(spill.waves_start), WORDS_PER_WAVE * int64(spill.wave_capacity), end)
    if problem == SOUND:
        problem = check_waves(aggregate, spill, flags, least, below, latest)
    if problem == SOUND:
        problem = check_aggregands(aggregate, relation, rows, last, spill, flags)
    return problem


@helper
def check_waves(aggregate, spill, flags, least, below, latest):
    """Check that waves are in the order of their timestamps, each with a tree whose nodes are values."""
    waves, before = waves_of(aggregate, spill), int64(NONE)
    for position in range(spill.wave_count):
        wave = waves[position]
        if not before < wave.stamp <= latest:
            return STAMP_OUT
        before = int64(wave.stamp)
        if not (least <= wave.root < below and least <= wave.total < below):
            return VALUE_OUT
        if not (is_power(int64(wave.leaf_capacity)) and 1 <= wave.leaf_count <= wave.leaf_capacity):
            return TREE_OUT
        if wave.leaf_capacity == 1:
            if wave.first_hole != NONE:
                return LEAF_OUT
            continue
        problem = flag_block(flags, int64(wave.tree), 2 * int64(wave.leaf_capacity), aggregate.word_count)
        if problem == SOUND:
            problem = check_tree(aggregate, wave, least, below)
        if problem != SOUND:
            return problem
    return SOUND


@helper
def check_tree(aggregate, wave, least, below):
    """Check that the inner nodes of a tree are values or empty, that its used leaves are values or holes, and that the
    holes form a list."""
    nodes, leaves, holes = nodes_of(aggregate, wave), int64(wave.leaf_capacity), int64(0)
    for node in range(1, 2 * leaves):
        value = nodes[node]
        if least <= value < below or value == NO_VALUE:
            if value == NO_VALUE and node >= leaves and node - leaves < wave.leaf_count:
                return LEAF_OUT
            if value != NO_VALUE and node >= leaves and node - leaves >= wave.leaf_count:
                return LEAF_OUT
            continue
        if (
            node < leaves
            or node - leaves >= wave.leaf_count
            or value > LAST_HOLE
            or value <= LAST_HOLE - 1 - wave.leaf_count
        ):
            return LEAF_OUT
        holes += 1
    hole = int64(wave.first_hole)
    # a list with a cycle, or with a leaf that is no hole, is longer or shorter than there are holes
    while hole != NONE:
        if holes == 0 or not 0 <= hole < wave.leaf_count or nodes[leaves + hole] > LAST_HOLE:
            return LEAF_OUT
        holes -= 1
        hole = LAST_HOLE - 1 - nodes[leaves + hole]
    return SOUND if holes == 0 and nodes[1] == wave.root else LEAF_OUT


@helper
def check_aggregands(aggregate, relation, rows, last, spill, flags):
    """Check that each aggregate input is found by its key and has a leaf of its own in the wave of its timestamp, and
    that all leaves have an aggregate input."""
    aggregands, waves, count, leaves = aggregands_of(aggregate, spill), waves_of(aggregate, spill), int64(0), int64(0)
    for slot in range(spill.table_capacity):
        count += aggregands[slot].in_use != 0
    if count != spill.aggregand_count or count == spill.table_capacity:
        return NO_TABLE
    for slot in range(spill.table_capacity):
        aggregand = aggregands[slot]
        if aggregand.in_use == 0:
            continue
        if find_aggregand(aggregate, spill, int64(aggregand.key)) != slot:
            return UNREACHABLE
        position = wave_position(aggregate, spill, int64(aggregand.stamp))
        if position >= spill.wave_count or waves[position].stamp != aggregand.stamp:
            return STAMP_OUT
        wave, leaf = waves[position], int64(aggregand.leaf)
        if not 0 <= leaf < wave.leaf_count:
            return LEAF_OUT
        place, value = int64(spill.waves_start) + WORDS_PER_WAVE * position, int64(wave.root)
        if wave.leaf_capacity > 1:
            place = int64(wave.tree) + int64(wave.leaf_capacity) + leaf
            value = int64(nodes_of(aggregate, wave)[wave.leaf_capacity + leaf])
        if flags[place] != 1 or value <= LAST_HOLE:
            return LEAF_OUT
        flags[place] = 2
        if not is_key(aggregate, relation, rows, last, int64(aggregand.key), value):
            return KEY_OUT
    for position in range(spill.wave_count):
        leaves += used_leaves(aggregate, waves[position])
    return SOUND if leaves == count else LEAF_OUT


@helper
def used_leaves(aggregate, wave):
    """Return the number of leaves of a wave that hold a value."""
    if wave.leaf_capacity == 1:
        return int64(1)
    nodes, count = nodes_of(aggregate, wave), int64(0)
    for leaf in range(wave.leaf_count):
        count += nodes[wave.leaf_capacity + leaf] > LAST_HOLE
    return count


@helper
def free_idle_words(aggregate, flags):
    """Make the unused space between the blocks of groups into free blocks."""
    for size_log in range(MAX_CLASSES):
        aggregate.free_block[size_log] = 0
    place = int64(1)
    while place < aggregate.word_count:
        size = idle_run(flags, place, aggregate.word_count)
        if size == 0:
            place += 1
            continue
        give_back(aggregate, place, size)
        place += size
