"""Kernels that the host calls directly: they look rows up, store rows of a saved state, and measure columns."""

import numpy as np

from .arguments import table_of, vector_of
from .blocks import (
    AHEAD,
    AT_ONCE,
    HEADER,
    PROMISED,
    clear_table,
    count_row,
    first_slot,
    is_large,
    part_of_key,
    table_size,
    tag_of_row,
)
from .compiling import entry_point
from .layout import ABSENT, NONE, int32, int64
from .memory import prefetch
from .rowset import NO_CAPACITY, enter_row, find_like, find_or_add_like
from .storage import counts_of, directory_of, entries_of, first_of, rows_of


@entry_point(cells=table_of(int32), numbers=vector_of(int64))
def find_rows(relation, index, cells, numbers):
    """Set numbers[i] to the number of the stored row that equals cells[i], or NONE; rows that come in the order in
    which they are stored need no look-up.

    cells: int32[n, arity]; numbers: int64[n].
    """
    rows, following = rows_of(relation), int64(0)
    for i in range(len(cells)):
        same = following < relation.row_count
        for column in range(relation.arity if same else 0):
            same &= rows[following, column] == cells[i, column]
        number = following
        if not same:
            number, _ = find_like(relation, index, cells, i, relation.arity, int64(0))
        numbers[i] = number
        if number != NONE:
            following = number + 1


@entry_point(cells=table_of(int32))
def reserve_tables(index, cells):
    """Lay out the hash tables of an empty primary index so that each has the size that it will have grown to with these
    rows; return False when it needs capacity, or after AT_ONCE rows. Keys that will have one row are PROMISED it, and
    are no longer counted: `rehash_directory` must leave them out before anything looks the rows up.

    Growing tables one by one would copy each row about once, and leave as many entries behind that no block uses.
    cells: int32[n, arity].
    """
    column, below = int64(index.keys[0]), min(len(cells), index.counted_rows + AT_ONCE)
    for row in range(index.counted_rows, below):
        if not count_row(index, int64(cells[row, column]), row):
            index.counted_rows = row
            return False
    index.counted_rows = below
    if below < len(cells):
        return False
    directory, total = directory_of(index), int64(1)
    for slot in range(index.slot_count):
        if directory[slot].block > 0:
            total += HEADER + table_size(int64(directory[slot].block))
    if index.entry_capacity < total:
        index.entries_wanted = total
        return False
    entries, block = entries_of(index), int64(1)
    for slot in range(index.slot_count):
        key = directory[slot]
        if key.block > 0:
            size = table_size(int64(key.block))
            clear_table(entries, block, size)
            key.block = block
            block += HEADER + size
        elif key.block < 0:
            key.block = PROMISED
            index.used_slots[part_of_key(key.key)] -= 1
    index.entry_count, index.counted_rows = total, 0
    return True


@entry_point(cells=table_of(int32), numbers=vector_of(int64))
def add_rows(relation, index, cells, numbers, done):
    """Do what `find_rows` does, and store unknown rows as absent rows; return how many rows are done, fewer than all
    when it needs capacity.

    cells: int32[n, arity]; numbers: int64[n]; done: int64, how many were done before.
    """
    column, large, directory, entries = int64(index.keys[0]), is_large(index), directory_of(index), entries_of(index)
    for i in range(done, len(cells)):
        if large and i + 2 * AHEAD < len(cells):
            prefetch(directory, first_slot(index, cells[i + 2 * AHEAD, column]))
            block = int64(directory[first_slot(index, cells[i + AHEAD, column])].block)
            if block > 0:
                prefetch(entries, block)
        number = find_or_add_like(relation, index, cells, i, relation.arity, int64(0))
        if number == NO_CAPACITY:
            return i
        numbers[i] = number
    return len(cells)


@entry_point(numbers=vector_of(int64), first=vector_of(int32), counts=vector_of(int32))
def set_states(relation, numbers, first, counts):
    """Set the first iterations and counts of stored rows.

    numbers: int64[n], of the rows; first, counts: int32[n].
    """
    firsts, all_counts = first_of(relation), counts_of(relation)
    for i in range(len(numbers)):
        row = numbers[i]
        relation.absent_rows += int64(first[i] == ABSENT) - int64(firsts[row] == ABSENT)
        firsts[row], all_counts[row] = first[i], counts[i]


@entry_point(buckets=vector_of(int32), moment=vector_of(np.float64))
def second_moments(relation, column, buckets, moment):
    """Hash the cells of a column into buckets; return the number of present rows.

    column: int64; buckets: int32[n], zeros, where n is a power of two; moment: float64[1], becomes the sum over the
    buckets of the squared number of present rows.
    """
    rows, first, last, total, seen = rows_of(relation), first_of(relation), len(buckets) - 1, 0.0, 0
    for row in range(relation.row_count):
        if first[row] != ABSENT:
            bucket = ((int64(rows[row, column]) * 0x9E3779B1) >> 15) & last
            buckets[bucket] += 1
            seen += 1
    for bucket in range(len(buckets)):
        total += float(buckets[bucket]) * float(buckets[bucket])
    moment[0] = total
    return seen


@entry_point(wanted=vector_of(bool))
def squeeze(relation, wanted):
    """Compact a relation to the wanted rows, in their order. No transaction may be open, so that no row has a change.

    wanted: bool[row_count].
    """
    rows, first, counts = rows_of(relation), first_of(relation), counts_of(relation)
    kept, absent = 0, 0
    for row in range(relation.row_count):
        if wanted[row]:
            for column in range(relation.arity):
                rows[kept, column] = rows[row, column]
            first[kept], counts[kept] = first[row], counts[row]
            absent += first[row] == ABSENT
            kept += 1
    relation.row_count = kept
    relation.absent_rows = absent
    relation.listed_rows = 0


@entry_point
def hash_rows(relation, index):
    """Enter the rows that the primary index does not hold yet; return False when it needs capacity (`index.row_count`
    is the row to carry on at)."""
    rows, count = rows_of(relation), relation.row_count
    for row in range(index.row_count, count):
        relation.row_count = row  # enter_row enters the row of this number
        entered = enter_row(relation, index, rows[row, index.keys[0]], tag_of_row(relation.arity, index, rows, row))
        relation.row_count = count
        if not entered:
            index.row_count = row
            return False
    index.row_count = 0
    return True
