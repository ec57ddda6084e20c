"""Indexes: a directory of keys, and for each key a block of entries, which are allocated from the index's pool.

The directory is a hash table with open addressing. A key of one column is stored exactly; a key of several columns is
stored as a hash, and whoever probes compares the columns. Keys are divided into PARTS *parts*, so that threads may
enter rows of different parts at the same time; slots belong to the parts in turn, one cache line each. Neighbouring
keys belong to different parts, and their slots lie in neighbouring lines, so that probes in the order of dense keys
(interned values) share lines; after a collision the search looks at the other slots of the line, which is in the cache
by then, and jumps within the part by a hash of the key where that is full, which prevents clusters.

Behind the slots of a directory lie *marks*: bits, several for each slot, of which each key sets one, so that most
look-ups of keys that are not there end at a bit. Of the marks, which take a hundredth of what an index takes, more are
in the cache: an update looks each row up in dozens of indexes, and finds it in few.
The blocks of the primary index are hash tables themselves, by *tag*: a hash of all columns but that of the key.

In this module, `key` is a record of KEY where a function looks at the block of a key, and an int64 elsewhere.
"""

from .arguments import record_of
from .compiling import entry_point, helper, inlined_helper
from .layout import ENTRY, HASHED, INDEX, LINE, MARK_BITS, MAX_CLASSES, NONE, PART_BITS, PARTS, int32, int64
from .memory import prefetch
from .storage import KEY_BYTES, directory_of, entries_of, flags_of, marks_of, retired_of, rows_of

ENTRY_BYTES = ENTRY.itemsize
EMPTY = -1  # row of a free slot
MANY_ROWS = 64  # from which an index made over existing rows is laid out without gaps
AT_ONCE = 1 << 20  # rows that are entered until the host may look around, as it does when capacity is wanted
AHEAD = 8  # how many rows before their turn the lines of the cache are asked for in which their entries are,
WORTH_ASKING = 3  # look-ups at one time from which their lines of the cache are asked for beforehand,
LARGE_INDEX = 1 << 17  # ... where directory and entries of an index take so many bytes, and so leave the cache
SMALL_TABLE = 4  # tables up to this size may be full: a search looks at each slot at most once
LARGE_TABLE = 256  # from this size tables are filled up to 7/8, others to 3/4,
HUGE_TABLE = 4096  # and so are those from this size: at 7/8 a search for what is not there looks at 20 slots or more
HASH_FACTOR = 0x9E3779B1  # 2**32 / golden ratio; a product with an int32 never overflows int64
HASH_SHIFT = 15
PAIR_FACTOR = 0x85EBCA6B
POSITIVE = 0x7FFFFFFF


@helper
def home_slot(tag, last_slot):
    """Return the slot at which the search for a tag begins; last_slot + 1 is a power of two."""
    return ((int64(tag) * HASH_FACTOR) >> HASH_SHIFT) & last_slot


@helper
def mix(hash_so_far, cell):
    """Return the hash of a hash and one more cell, which is not negative."""
    return ((int64(hash_so_far) * PAIR_FACTOR) ^ int64(cell)) & POSITIVE


@helper
def part_of_key(key):
    """Return the part that a key belongs to; neighbouring keys belong to different parts, and keys with regular gaps
    are spread evenly, too."""
    key = int64(key)
    return (key ^ (((key >> PART_BITS) * HASH_FACTOR) >> HASH_SHIFT)) & (PARTS - 1)


@helper
def consumer_of_key(key, consumers):
    """Return which of `consumers` threads enters the rows of a key; each thread has some of the parts."""
    return (part_of_key(key) * consumers) >> PART_BITS


@helper
def slot_at(part, place):
    """Return the slot of the directory that is number `place` among those of a part."""
    return ((place & -LINE) << PART_BITS) + part * LINE + (place & (LINE - 1))


@inlined_helper
def key_slot(index, key):
    """Return the slot of a key in the directory, or the free slot (capacity 0) where it would be entered."""
    slot = first_slot(index, key)
    found = directory_of(index)[slot]
    if found.capacity == 0 or found.key == key:
        return slot
    return later_slot(index, int64(key))


@helper
def later_slot(index, key):
    """Return what `key_slot` does for a key whose first slot another key has taken."""
    directory, last_place = directory_of(index), (index.slot_count >> PART_BITS) - 1
    hashed = ((key >> PART_BITS) * HASH_FACTOR) >> HASH_SHIFT
    part, place, jump = (key ^ hashed) & (PARTS - 1), (key >> PART_BITS) & last_place, hashed | 1
    while True:
        line = slot_at(part, place & -LINE)
        for turn in range(LINE):
            slot = line + ((place + turn) & (LINE - 1))
            if directory[slot].capacity == 0 or directory[slot].key == key:
                return slot
        place = (place + jump) & last_place


@inlined_helper
def first_slot(index, key):
    """Return the slot of the directory at which the search for a key begins."""
    key = int64(key)
    hashed = ((key >> PART_BITS) * HASH_FACTOR) >> HASH_SHIFT
    return slot_at((key ^ hashed) & (PARTS - 1), (key >> PART_BITS) & ((index.slot_count >> PART_BITS) - 1))


@helper
def mark_of(index, key):
    """Return (the item, the bit in it) of a key's mark; the marks of each part lie beside one another."""
    key, part_size = int64(key), index.slot_count << MARK_BITS >> PART_BITS
    mark = (key >> PART_BITS) & (part_size - 1)
    return (part_of_key(key) * part_size + mark) >> 3, int64(1) << (mark & 7)


@helper
def set_mark(index, key):
    """Set the mark of a key."""
    marks, (item, bit) = marks_of(index), mark_of(index, key)
    marks[item] = int64(marks[item]) | bit


@helper
def may_hold(index, key):
    """Return whether an index may have a key; where it returns False, it has not."""
    item, bit = mark_of(index, key)
    return int64(marks_of(index)[item]) & bit != 0


@helper
def is_large(index):
    """Return whether an index is so large that most look-ups find nothing of it in the cache."""
    return index.slot_count * KEY_BYTES + index.entry_count * ENTRY_BYTES >= LARGE_INDEX


@helper
def key_of_row(index, rows, row):
    """Return the key under which a row is entered in an index, or looked up. index: a record of INDEX or LOOK_UP."""
    if index.key_count == 1:
        return int64(rows[row, index.keys[0]])
    key = int64(0)
    for k in range(index.key_count):
        key = mix(key, rows[row, index.keys[k]])
    return key


@helper
def tag_of_row(relation, index, rows, row):
    """Return the tag of a row in the primary index: a hash of its columns without the key, or the cell itself where
    that is one column."""
    tag, first = int64(0), True
    for column in range(relation.arity):
        if column != index.keys[0]:
            tag = int64(rows[row, column]) if first else mix(tag, rows[row, column])
            first = False
    return tag


@helper
def size_class(size):
    """Return the binary logarithm of a block size, rounded up."""
    result = 0
    while 1 << result < size:
        result += 1
    return result


@helper
def take_block(index, size):
    """Return the start of an unused block of `size` entries, or NONE when the pool must grow first."""
    size_log = size_class(size)
    for place in range(PARTS * size_log, PARTS * size_log + PARTS):
        start = index.free_block[place]
        if start != 0:
            index.free_block[place] = entries_of(index)[start].row
            index.free_entries -= 1 << size_log
            return start
    start = index.entry_count
    if start + size > (index.entry_limit if index.share != 0 else index.entry_capacity):
        index.entries_wanted = start + size
        return int64(NONE)
    if index.share != 0:  # what is put aside for threads counts as free
        index.free_entries -= size
    index.entry_count = start + size
    return start


@helper
def free_block(index, start, capacity, turn):
    """Free a block: add it to list number `turn` of the PARTS free lists for its size."""
    size_log = size_class(capacity)
    if 1 << size_log != capacity:  # a block without slack: only its power of two is used again
        size_log -= 1
    place = PARTS * size_log + turn
    entries_of(index)[start].row = index.free_block[place]
    index.free_block[place] = start
    index.free_entries += capacity


@helper
def move_block(index, key, size):
    """Allocate a new block of `size` entries for `key` and retire its old one; return the start of the new block, or
    NONE when it needs capacity.

    Where threads enter rows, the old block is not retired: `left_behind` takes care of it.
    """
    if index.share != 0:
        return take_block(index, size)
    if index.retired_count == index.retired_capacity:
        index.retired_wanted = index.retired_count + 1
        return int64(NONE)
    start = take_block(index, size)
    if start != NONE and key.capacity > 0:
        block = retired_of(index)[index.retired_count]
        block.start = key.start
        block.capacity = key.capacity
        index.retired_count += 1
    return start


@helper
def left_behind(index, start, capacity):
    """Free a block that a key has outgrown, in a thread and after its entries were copied; if plans may still read it,
    it is only counted as free."""
    if index.share != 0 and capacity > 0:
        if index.still_read != 0:
            index.free_entries += capacity
        else:
            free_block(index, int64(start), int64(capacity), index.share - 1)


@helper
def capacity_for_key(index, key):
    """Return whether there is room for one more key in the directory; ask for capacity otherwise."""
    if 4 * PARTS * (index.used_slots[part_of_key(key)] + 1) <= 3 * index.slot_count:
        return True
    index.slots_wanted = 2 * index.slot_count
    return False


@helper
def enlarge_table(index, key):
    """Double the hash table of `key`; return False when the pool must grow first."""
    size = max(int64(1), 2 * int64(key.capacity))
    start = move_block(index, key, size)
    if start == NONE:
        return False
    entries = entries_of(index)
    for slot in range(start, start + size):
        entries[slot].row = EMPTY
    for old in range(key.start, key.start + key.capacity):
        if entries[old].row != EMPTY:
            slot = home_slot(entries[old].tag, size - 1)
            while entries[start + slot].row != EMPTY:
                slot = (slot + 1) & (size - 1)
            entries[start + slot].row = entries[old].row
            entries[start + slot].tag = entries[old].tag
    left_behind(index, key.start, key.capacity)
    key.start = start
    key.capacity = size
    return True


@helper
def has_room(length, capacity):
    """Return whether there is room for one more entry in a hash table with so many of so many slots taken."""
    if capacity <= SMALL_TABLE:
        return length < capacity
    if LARGE_TABLE <= capacity < HUGE_TABLE:
        return 8 * length < 7 * capacity
    return 4 * length < 3 * capacity


@helper
def has_free_slot(key):
    """Return whether there is room for one more entry in the hash table of `key`."""
    return has_room(int64(key.length), int64(key.capacity))


@helper
def table_size(count):
    """Return the size that a hash table grows to when it gets `count` rows one after the other."""
    size = int64(1)
    while not has_room(count - 1, size):
        size *= 2
    return size


@helper
def enlarge_list(index, key):
    """Double the list of `key`; return False when the pool must grow first."""
    size = int64(1) << size_class(int64(key.capacity) + 1)
    start = move_block(index, key, size)
    if start == NONE:
        return False
    entries = entries_of(index)
    for position in range(key.length):
        entries[start + position].row = entries[key.start + position].row
        entries[start + position].tag = entries[key.start + position].tag
    left_behind(index, key.start, key.capacity)
    key.start = start
    key.capacity = size
    return True


@helper
def open_key(index, value):
    """Return the slot of the key `value`, whose block then has room for one more entry; NONE when it needs capacity."""
    slot = key_slot(index, value)
    key = directory_of(index)[slot]
    is_new = key.capacity == 0
    if is_new:
        if not capacity_for_key(index, value):
            return int64(NONE)
        key.key, key.length = value, 0
    if index.kind == HASHED:
        enough = has_free_slot(key) or enlarge_table(index, key)
    else:
        enough = key.length < key.capacity or enlarge_list(index, key)
    if not enough:
        return int64(NONE)
    if is_new:
        index.used_slots[part_of_key(value)] += 1
        set_mark(index, value)
    return slot


@helper
def block_end(index, key):
    """Return the place after the last entry of `key` that a probe must look at."""
    return int64(key.start) + int64(key.capacity if index.kind == HASHED else key.length)


@helper
def list_row(relation, index, rows, row):
    """Enter a row into a LISTED index; return False when it needs capacity."""
    slot = open_key(index, key_of_row(index, rows, row))
    if slot == NONE:
        return False
    key = directory_of(index)[slot]
    entry = entries_of(index)[key.start + key.length]
    entry.row = row
    entry.tag = 0 if index.value_column == NONE else rows[row, index.value_column]
    key.length += 1
    return True


@helper
def list_rows(relation, index):
    """Enter the rows that are not yet in a LISTED index; return False when it needs capacity, or after AT_ONCE rows, so
    that the host may interrupt."""
    rows, below = rows_of(relation), min(relation.row_count, index.row_count + AT_ONCE)
    directory, entries = directory_of(index), entries_of(index)
    large = is_large(index)
    for row in range(index.row_count, below):
        if large and row + 2 * AHEAD < below:
            prefetch(directory, first_slot(index, key_of_row(index, rows, row + 2 * AHEAD)))
            key = directory[first_slot(index, key_of_row(index, rows, row + AHEAD))]
            prefetch(entries, int64(key.start) + int64(key.length))
        if not list_row(relation, index, rows, row):
            index.row_count = row
            return False
    index.row_count = below
    return below == relation.row_count


@helper
def count_row(index, value):
    """Count one more row of a key: while blocks are laid out, its capacity is the number of its rows. Return False when
    the directory needs capacity."""
    key = directory_of(index)[key_slot(index, value)]
    if key.capacity == 0:
        if not capacity_for_key(index, value):
            return False
        key.key, key.length = value, 0
        index.used_slots[part_of_key(value)] += 1
        set_mark(index, value)
    key.capacity += 1
    return True


@helper
def reserve_blocks(relation, index):
    """Lay out the blocks of an empty LISTED index so that each has exactly the size that its key needs; return False
    when it needs capacity, or after AT_ONCE rows."""
    rows, count = rows_of(relation), relation.row_count
    if index.entry_capacity < count + 1:
        index.entries_wanted = count + 1
        return False
    below = min(count, index.counted_rows + AT_ONCE)
    directory = directory_of(index)
    for row in range(index.counted_rows, below):
        if row + AHEAD < below:
            prefetch(directory, first_slot(index, key_of_row(index, rows, row + AHEAD)))
        if not count_row(index, key_of_row(index, rows, row)):
            index.counted_rows = row
            return False
    index.counted_rows = below
    if below < count:
        return False
    directory, start = directory_of(index), int64(1)
    for slot in range(index.slot_count):
        key = directory[slot]
        if key.capacity != 0:
            key.start = start
            start += key.capacity
    index.entry_count, index.counted_rows = start, 0
    return True


@helper
def list_new_rows(relation, indexes):
    """Enter new rows into a relation's LISTED indexes; return False when it needs capacity, or after AT_ONCE rows."""
    for i in range(relation.index_count):
        index = indexes[relation.indexes[i]]
        if index.row_count == relation.row_count:
            continue
        if index.row_count == 0 and index.entry_count == 1 and relation.row_count >= MANY_ROWS:
            if not reserve_blocks(relation, index):
                return False
        if not list_rows(relation, index):
            return False
    return True


@helper
def free_retired(index):
    """Free the retired blocks of an index; no plan may be running."""
    retired = retired_of(index)
    for position in range(index.retired_count):
        free_block(index, retired[position].start, retired[position].capacity, position % PARTS)
    index.retired_count = 0


@helper
def free_all_retired(relations, indexes, first, count):
    """Free the retired blocks of all indexes of `count` relations from number `first` (int64) on."""
    for number in range(first, first + count):
        relation = relations[number]
        free_retired(indexes[relation.primary_index])
        for i in range(relation.index_count):
            free_retired(indexes[relation.indexes[i]])


@helper
def entries_aside(index):
    """Return how many entries are put aside for threads, which will use them in the next iteration."""
    aside = int64(0)
    for thread in range(PARTS):
        aside += index.range_to[thread] - index.range_from[thread]
    return aside


@helper
def squeeze_pool(index, workspace):
    """Compact the pool of an index where many entries are unused; return False when it needs capacity. No plan may be
    running, and no block may be retired.

    A flag for each entry says whether a block begins there, so that the contents of unused entries, many of which were
    never written, do not matter. Meanwhile the first entry of a block holds the slot of its key, and the key holds the
    row that was in the entry.
    """
    wasted = index.free_entries - entries_aside(index)
    if index.entry_count < workspace.large_pool or workspace.waste * wasted < index.entry_count:
        return True
    wanted = (index.entry_count >> 3) + 1
    if workspace.flag_capacity < wanted:
        workspace.flags_wanted = wanted
        return False
    flag_blocks(index, workspace, wanted)
    flags, directory, entries, target = flags_of(workspace), directory_of(index), entries_of(index), int64(1)
    for at in range(wanted):
        place, several = 8 * at, int64(flags[at])
        while several != 0:
            if several & 1 != 0:
                key = directory[entries[place].row]
                entries[place].row = key.start
                key.start = target
                move_entries(entries, place, target, int64(key.capacity))
                target += key.capacity
            place += 1
            several >>= 1
    index.entry_count, index.free_entries = target, 0
    forget_free_blocks(index)
    return True


@helper
def flag_blocks(index, workspace, wanted):
    """Flag the first entry of each block and exchange its row for the slot of its key; `wanted` is the number of bytes
    of flags, with eight flags each."""
    flags, directory, entries = flags_of(workspace), directory_of(index), entries_of(index)
    for at in range(wanted):
        flags[at] = 0
    for slot in range(index.slot_count):
        key = directory[slot]
        if key.capacity != 0:
            start = int64(key.start)
            flags[start >> 3] = int64(flags[start >> 3]) | 1 << (start & 7)
            key.start = entries[start].row
            entries[start].row = slot


@helper
def move_entries(entries, place, target, count):
    """Move entries towards the beginning of the pool; entries: ENTRY[entry_capacity]."""
    if target != place:
        for i in range(count):
            entries[target + i].row, entries[target + i].tag = entries[place + i].row, entries[place + i].tag


@helper
def forget_free_blocks(index):
    """Empty all free lists, and the ranges of entries that were put aside for threads."""
    for place in range(PARTS * MAX_CLASSES):
        index.free_block[place] = 0
    for part in range(PARTS):
        index.range_from[part], index.range_to[part] = 0, 0


@helper
def squeeze_pools(relations, indexes, first, count, workspace):
    """Squeeze the pools of all indexes of `count` relations from number `first` (int64) on; return False when it needs
    capacity, and a second call carries on."""
    for number in range(first, first + count):
        relation = relations[number]
        if not squeeze_pool(indexes[relation.primary_index], workspace):
            return False
        for i in range(relation.index_count):
            if not squeeze_pool(indexes[relation.indexes[i]], workspace):
                return False
    return True


@entry_point
def list_relation(relation, indexes):
    """Enter all rows of a relation into its LISTED indexes; return False as `list_new_rows` does."""
    return list_new_rows(relation, indexes)


@entry_point
def recycle(relations, indexes):
    """Free all retired blocks; no plan may be running."""
    free_all_retired(relations, indexes, 0, len(relations))


@entry_point
def abandon_range(index):
    """Turn the unused entries of those put aside for a thread into free blocks; they are counted as free already."""
    while index.entry_count < index.entry_limit:
        size = int64(1) << size_class(index.entry_limit - index.entry_count)
        if size > index.entry_limit - index.entry_count:
            size >>= 1
        free_block(index, index.entry_count, size, index.share - 1)
        index.free_entries -= size
        index.entry_count += size


@entry_point(old=record_of(INDEX))
def rehash_directory(old, index, first, below):
    """Copy the keys of some parts of an index into its new, larger directory, which is all zero.

    old: the record of INDEX as it was before; first, below: int64, numbers of parts.
    """
    before, after = directory_of(old), directory_of(index)
    for line in range(0, old.slot_count >> PART_BITS, LINE):  # in the order in which they lie in memory
        for part in range(first, below):
            begin = slot_at(part, line)
            for slot in range(begin, begin + LINE):
                key = before[slot]
                if key.capacity != 0:
                    target = after[key_slot(index, key.key)]
                    target.key, target.start = key.key, key.start
                    target.length, target.capacity = key.length, key.capacity
                    set_mark(index, key.key)


@entry_point
def clear_index(index):
    """Remove all blocks of an index."""
    directory = directory_of(index)
    for slot in range(index.slot_count):
        key = directory[slot]
        key.key, key.start, key.length, key.capacity = int32(0), int32(0), int32(0), int32(0)
    marks = marks_of(index)
    for item in range(index.slot_count << MARK_BITS >> 3):
        marks[item] = 0
    forget_free_blocks(index)
    for part in range(PARTS):
        index.used_slots[part] = 0
    index.entry_count, index.free_entries, index.retired_count = 1, 0, 0
    index.row_count, index.counted_rows = 0, 0
