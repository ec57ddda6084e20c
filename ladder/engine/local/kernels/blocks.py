"""Indexes: a directory of keys, and for each key with several rows a block of entries, which are allocated from the
index's pool.

Most keys of most indexes have one row. Such a key is *alone*: its slot holds the number of the row, and what entries
say beside it is read from the row itself. A block begins with its *header*, an entry that says how many entries follow
and how many there is room for, so that a slot takes eight bytes, and a look-up of a small block one line of the cache.

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
HEADER = 1  # entries of a block before those of its rows
SMALLEST = 2  # rows for which the smallest block has room
ALONE = -1  # minus the number of a key's only row: what its slot holds
PROMISED = -(1 << 31)  # what the slot of a key holds that is about to get its only row (see `host_calls`)
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
    """Return the slot of a key in the directory, or the free slot (block 0) where it would be entered."""
    slot = first_slot(index, key)
    found = directory_of(index)[slot]
    if found.block == 0 or found.key == key:
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
            if directory[slot].block == 0 or directory[slot].key == key:
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
def length_of(index, key):
    """Return the number of the rows of `key`, a slot that may be free."""
    block = int64(key.block)
    if block <= 0:
        return int64(block != 0)
    return int64(entries_of(index)[block].row)


@helper
def tag_column(relation, index):
    """Return the column of a relation that an index has in its entries as tags; NONE where tags are no cells."""
    if index.kind != HASHED:
        return int64(index.value_column)
    return int64(1 - index.keys[0]) if relation.arity == 2 else int64(NONE)


@helper
def tag_of_row(arity, index, rows, row):
    """Return the tag of a row in the primary index: a hash of its columns without the key, or the cell itself where
    that is one column."""
    tag, first = int64(0), True
    for column in range(arity):
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
    """Return the place of an unused block with room for `size` entries after its header, or NONE when the pool must
    grow first."""
    size_log = size_class(size)
    for place in range(PARTS * size_log, PARTS * size_log + PARTS):
        block = index.free_block[place]
        if block != 0:
            index.free_block[place] = entries_of(index)[block].row
            index.free_entries -= HEADER + (1 << size_log)
            return block
    block, after = index.entry_count, index.entry_count + HEADER + size
    if after > (index.entry_limit if index.share != 0 else index.entry_capacity):
        index.entries_wanted = after
        return int64(NONE)
    if index.share != 0:  # what is put aside for threads counts as free
        index.free_entries -= after - block
    index.entry_count = after
    return block


@helper
def free_block(index, block, capacity, turn):
    """Free a block: add it to list number `turn` of the PARTS free lists for its size."""
    size_log = size_class(capacity)
    if 1 << size_log != capacity:  # a block without slack: only its power of two is used again
        size_log -= 1
    place = PARTS * size_log + turn
    entries_of(index)[block].row = index.free_block[place]
    index.free_block[place] = block
    index.free_entries += HEADER + capacity


@helper
def move_block(index, block, size):
    """Allocate a new block for `size` entries and retire the old one; return the new one, or NONE when it needs
    capacity.

    Where threads enter rows, the old block is not retired: `left_behind` takes care of it.
    """
    if index.share != 0:
        return take_block(index, size)
    if index.retired_count == index.retired_capacity:
        index.retired_wanted = index.retired_count + 1
        return int64(NONE)
    taken = take_block(index, size)
    if taken != NONE:
        retired = retired_of(index)[index.retired_count]
        retired.start, retired.capacity = block, entries_of(index)[block].tag
        index.retired_count += 1
    return taken


@helper
def left_behind(index, block, capacity):
    """Free a block that a key has outgrown, in a thread and after its entries were copied; if plans may still read it,
    it is only counted as free."""
    if index.share != 0:
        if index.still_read != 0:
            index.free_entries += HEADER + capacity
        else:
            free_block(index, block, capacity, index.share - 1)


@helper
def capacity_for_key(index, key):
    """Return whether there is room for one more key in the directory; ask for capacity otherwise."""
    if 4 * PARTS * (index.used_slots[part_of_key(key)] + 1) <= 3 * index.slot_count:
        return True
    index.slots_wanted = 2 * index.slot_count
    return False


@helper
def clear_table(entries, block, size):
    """Let a block be a hash table of `size` slots, all free. entries: ENTRY[entry_capacity]."""
    entries[block].row, entries[block].tag = 0, size
    for place in range(block + HEADER, block + HEADER + size):
        entries[place].row = EMPTY


@helper
def enter_in_table(entries, block, row, tag):
    """Enter a row into the hash table of a block, which has room for it. entries: ENTRY[entry_capacity]."""
    start, last_slot = block + HEADER, int64(entries[block].tag) - 1
    slot = home_slot(tag, last_slot)
    while entries[start + slot].row != EMPTY:
        slot = (slot + 1) & last_slot
    entries[start + slot].row, entries[start + slot].tag = row, tag
    entries[block].row += 1


@helper
def enlarge_table(index, key):
    """Double the hash table of `key`; return False when the pool must grow first."""
    entries, old = entries_of(index), int64(key.block)
    capacity = int64(entries[old].tag)
    block = move_block(index, old, 2 * capacity)
    if block == NONE:
        return False
    clear_table(entries, block, 2 * capacity)
    for place in range(old + HEADER, old + HEADER + capacity):
        if entries[place].row != EMPTY:
            enter_in_table(entries, block, entries[place].row, entries[place].tag)
    left_behind(index, old, capacity)
    key.block = block
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
def table_size(count):
    """Return the size that a hash table grows to when it gets `count` rows one after the other."""
    size = int64(1)
    while not has_room(count - 1, size):
        size *= 2
    return size


@helper
def enlarge_list(index, key):
    """Double the list of `key`; return False when the pool must grow first."""
    entries, old = entries_of(index), int64(key.block)
    length, capacity = int64(entries[old].row), int64(entries[old].tag)
    size = int64(1) << size_class(capacity + 1)
    block = move_block(index, old, size)
    if block == NONE:
        return False
    move_entries(entries, old, block, HEADER + length)
    entries[block].tag = size
    left_behind(index, old, capacity)
    key.block = block
    return True


@helper
def enter_alone(index, slot, value, row):
    """Enter the first row of the key `value`, whose slot is free; return False when the directory needs capacity."""
    if not capacity_for_key(index, value):
        return False
    key = directory_of(index)[slot]
    key.key, key.block = value, ALONE - row
    index.used_slots[part_of_key(value)] += 1
    set_mark(index, value)
    return True


@helper
def block_end(index, block):
    """Return the place after the last entry of a block that a probe must look at."""
    header = entries_of(index)[block]
    return block + HEADER + int64(header.tag if index.kind == HASHED else header.row)


@helper
def append(index, rows, block, row):
    """Enter a row into the list of a block, which has room for it."""
    entries = entries_of(index)
    entry = entries[block + HEADER + entries[block].row]
    entry.row = row
    entry.tag = 0 if index.value_column == NONE else rows[row, index.value_column]
    entries[block].row += 1


@helper
def list_row(index, rows, row):
    """Enter a row into a LISTED index; return False when it needs capacity."""
    value = key_of_row(index, rows, row)
    slot = key_slot(index, value)
    key, entries = directory_of(index)[slot], entries_of(index)
    if key.block == 0:
        return enter_alone(index, slot, value, row)
    if key.block < 0:
        first = int64(ALONE - key.block)
        if first == row:  # it was, while blocks were laid out
            return True
        block = take_block(index, SMALLEST)
        if block == NONE:
            return False
        entries[block].row, entries[block].tag = 0, SMALLEST
        append(index, rows, block, first)
        key.block = block
    elif entries[key.block].row == entries[key.block].tag and not enlarge_list(index, key):
        return False
    append(index, rows, int64(key.block), row)
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
            block = int64(directory[first_slot(index, key_of_row(index, rows, row + AHEAD))].block)
            if block > 0:
                prefetch(entries, block)
        if not list_row(index, rows, row):
            index.row_count = row
            return False
    index.row_count = below
    return below == relation.row_count


@helper
def count_row(index, value, row):
    """Count one more row of a key: while blocks are laid out, the slot of a key with several rows holds their number.
    Return False when the directory needs capacity."""
    slot = key_slot(index, value)
    key = directory_of(index)[slot]
    if key.block == 0:
        return enter_alone(index, slot, value, row)
    key.block = max(int64(key.block), int64(1)) + 1
    return True


@helper
def reserve_blocks(relation, index):
    """Lay out the blocks of an empty LISTED index so that each has exactly the size that its key needs; return False
    when it needs capacity, or after AT_ONCE rows. Rows that are alone are entered then."""
    rows, count = rows_of(relation), relation.row_count
    below = min(count, index.counted_rows + AT_ONCE)
    directory = directory_of(index)
    for row in range(index.counted_rows, below):
        if row + AHEAD < below:
            prefetch(directory, first_slot(index, key_of_row(index, rows, row + AHEAD)))
        if not count_row(index, key_of_row(index, rows, row), row):
            index.counted_rows = row
            return False
    index.counted_rows = below
    if below < count:
        return False
    directory, total = directory_of(index), int64(1)
    for slot in range(index.slot_count):
        if directory[slot].block > 0:
            total += HEADER + directory[slot].block
    if index.entry_capacity < total:
        index.entries_wanted = total
        return False
    entries, block = entries_of(index), int64(1)
    for slot in range(index.slot_count):
        key = directory[slot]
        if key.block > 0:
            entries[block].row, entries[block].tag = 0, key.block
            key.block = block
            block += HEADER + entries[block].tag
    index.entry_count, index.counted_rows = total, 0
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
    never written, do not matter. Meanwhile the header of a block holds the slot of its key, and the slot holds the
    length that was in the header.
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
                entries[place].row = key.block
                key.block = target
                size = HEADER + int64(entries[place].tag)
                move_entries(entries, place, target, size)
                target += size
            place += 1
            several >>= 1
    index.entry_count, index.free_entries = target, 0
    forget_free_blocks(index)
    return True


@helper
def flag_blocks(index, workspace, wanted):
    """Flag the header of each block and exchange the length in it for the slot of its key; `wanted` is the number of
    bytes of flags, with eight flags each."""
    flags, directory, entries = flags_of(workspace), directory_of(index), entries_of(index)
    for at in range(wanted):
        flags[at] = 0
    for slot in range(index.slot_count):
        key = directory[slot]
        if key.block > 0:
            block = int64(key.block)
            flags[block >> 3] = int64(flags[block >> 3]) | 1 << (block & 7)
            key.block = entries[block].row
            entries[block].row = slot


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
    """Turn the unused entries of those put aside for a thread into free blocks, but for a few at the end; they are
    counted as free already."""
    while index.entry_limit - index.entry_count >= HEADER + SMALLEST:
        size = int64(1) << size_class(index.entry_limit - index.entry_count - HEADER)
        if size > index.entry_limit - index.entry_count - HEADER:
            size >>= 1
        free_block(index, index.entry_count, size, index.share - 1)
        index.free_entries -= HEADER + size
        index.entry_count += HEADER + size
    index.entry_count = index.entry_limit


@entry_point(old=record_of(INDEX))
def rehash_directory(old, index, first, below):
    """Copy the keys of some parts of an index into its new directory, which is all zero; those that were promised a row
    are left out.

    old: the record of INDEX as it was before; first, below: int64, numbers of parts.
    """
    before, after = directory_of(old), directory_of(index)
    for line in range(0, old.slot_count >> PART_BITS, LINE):  # in the order in which they lie in memory
        for part in range(first, below):
            begin = slot_at(part, line)
            for slot in range(begin, begin + LINE):
                key = before[slot]
                if key.block != 0 and key.block != PROMISED:
                    target = after[key_slot(index, key.key)]
                    target.key, target.block = key.key, key.block
                    set_mark(index, key.key)


@entry_point
def clear_index(index):
    """Remove all blocks of an index."""
    directory = directory_of(index)
    for slot in range(index.slot_count):
        key = directory[slot]
        key.key, key.block = int32(0), int32(0)
    marks = marks_of(index)
    for item in range(index.slot_count << MARK_BITS >> 3):
        marks[item] = 0
    forget_free_blocks(index)
    for part in range(PARTS):
        index.used_slots[part] = 0
    index.entry_count, index.free_entries, index.retired_count = 1, 0, 0
    index.row_count, index.counted_rows = 0, 0
