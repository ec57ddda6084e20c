"""The rows of a relation as a set: finding and adding rows through the primary index.

A *candidate* is a row of a batch that may be a row of the relation: column `a` of candidate `i` is
`batch[step.arguments[a], i]`.
"""

from .blocks import (
    ALONE,
    EMPTY,
    HEADER,
    SMALLEST,
    WORTH_ASKING,
    clear_table,
    enlarge_table,
    enter_alone,
    enter_in_table,
    first_slot,
    has_room,
    home_slot,
    is_large,
    key_slot,
    mix,
    tag_of_row,
    take_block,
)
from .compiling import helper
from .layout import ABSENT, MAX_VIEWS, NONE, int64
from .memory import prefetch
from .storage import counts_of, directory_of, entries_of, first_of, rows_of, view_first_of

IN_A_LINE = 7  # slots of a hash table that are in the same line of the cache as the header, or in the next one
NO_CAPACITY = -2
UNSURE = -2


@helper
def compute_tags(step, index, batch, count, tags):
    """Compute the tag of each candidate: a hash of its columns without the key, or the cell of a single one."""
    first = True
    for i in range(count):
        tags[i] = 0
    for a in range(step.argument_count):
        if a == index.keys[0]:
            continue
        column = batch[step.arguments[a]]
        if first:
            for i in range(count):
                tags[i] = column[i]
        else:
            for i in range(count):
                tags[i] = mix(tags[i], column[i])
        first = False


@helper
def same_row(rows, row, step, batch, i):
    """Return whether a stored row equals candidate `i`."""
    for a in range(step.argument_count):
        if rows[row, a] != batch[step.arguments[a], i]:
            return False
    return True


@helper
def find_in_block(rows, index, step, batch, i, value, tag, exact):
    """Return the number of candidate `i`, whose key is `value`, or NONE if it is not stored. `exact` says that rows
    with equal keys and tags are equal."""
    block = int64(directory_of(index)[key_slot(index, value)].block)
    if block < 0:
        return ALONE - block if same_row(rows, ALONE - block, step, batch, i) else int64(NONE)
    if block == 0:
        return int64(NONE)
    entries, start = entries_of(index), block + HEADER
    last_slot = int64(entries[block].tag) - 1
    slot = home_slot(tag, last_slot)
    for _ in range(last_slot + 1):
        entry = entries[start + slot]
        row = int64(entry.row)
        if row == EMPTY or (entry.tag == tag and (exact or same_row(rows, row, step, batch, i))):
            return row
        slot = (slot + 1) & last_slot
    return int64(NONE)


@helper
def ask_for_entries(step, index, rows, batch, begin, count, tags):
    """Ask for the lines of the cache in which the searches for candidates begin: first all lines of the directory, then
    those of headers and of rows that are alone, then those of large hash tables."""
    directory, entries, keys = directory_of(index), entries_of(index), batch[step.arguments[index.keys[0]]]
    for i in range(begin, count):
        prefetch(directory, first_slot(index, keys[i]))
    for i in range(begin, count):
        block = int64(directory[first_slot(index, keys[i])].block)
        if block > 0:
            prefetch(entries, block)
        elif block < 0:
            prefetch(rows, ALONE - block)
    for i in range(begin, count):
        block = int64(directory[first_slot(index, keys[i])].block)
        if block > 0 and entries[block].tag > IN_A_LINE:
            prefetch(entries, block + HEADER + home_slot(tags[i], int64(entries[block].tag) - 1))


@helper
def find_batch(step, relation, index, batch, begin, count, tags, found, ends):
    """Set found[i], for begin <= i < count, to the number of candidate `i`; NONE if it is not stored; UNSURE if another
    row with its tag was met first. ends[i]: where in the pool the search has ended, NONE if its key has no block;
    `ends` may be `found` where nobody asks for it.

    Two plain loops, first over entries by tag, then over the rows that they name, let the cache misses of many
    candidates overlap. Between them a row that is alone has a number below UNSURE.
    """
    rows, directory, entries = rows_of(relation), directory_of(index), entries_of(index)
    keys = batch[step.arguments[index.keys[0]]]
    if count - begin >= WORTH_ASKING and is_large(index):
        ask_for_entries(step, index, rows, batch, begin, count, tags)
    for i in range(begin, count):
        block, tag = int64(directory[key_slot(index, keys[i])].block), tags[i]
        if block <= 0:
            ends[i] = NONE
            found[i] = UNSURE + block if block < 0 else int64(NONE)
            continue
        start, last_slot = block + HEADER, int64(entries[block].tag) - 1
        slot, row = home_slot(tag, last_slot), int64(NONE)
        for _ in range(last_slot + 1):
            entry = entries[start + slot]
            if entry.tag == tag or entry.row == EMPTY:
                row = int64(entry.row)
                break
            slot = (slot + 1) & last_slot
        ends[i] = start + slot
        found[i] = row
    for i in range(begin, count):
        row = int64(found[i])
        if row < UNSURE:
            row = ALONE - (row - UNSURE)
            found[i] = row if same_row(rows, row, step, batch, i) else int64(NONE)
        elif step.argument_count > 2 and row != NONE and not same_row(rows, row, step, batch, i):
            found[i] = UNSURE


@helper
def find_or_enter(rows, index, step, batch, i, value, tag, end, fresh):
    """Return the number of candidate `i`, whose key is `value`; NONE if it was not stored and has now been entered as
    row number `fresh`; NO_CAPACITY when it needs capacity.

    `end`: where `find_batch` ended. Rows that were entered since lie behind that place, unless they have got a new
    block.
    """
    block, exact = int64(directory_of(index)[key_slot(index, value)].block), step.argument_count <= 2
    if block < 0 and same_row(rows, ALONE - block, step, batch, i):
        return ALONE - block
    if block > 0:
        entries, start = entries_of(index), block + HEADER
        header = entries[block]
        size = int64(header.tag)
        slot = end - start if start <= end < start + size else home_slot(tag, size - 1)
        for _ in range(size):
            entry = entries[start + slot]
            row = int64(entry.row)
            if row == EMPTY:
                if not has_room(int64(header.row), size):
                    break
                entry.row, entry.tag = fresh, tag
                header.row += 1
                return int64(NONE)
            if entry.tag == tag and (exact or same_row(rows, row, step, batch, i)):
                return row
            slot = (slot + 1) & (size - 1)
    return int64(NONE) if enter(step.argument_count, rows, index, value, tag, fresh) else int64(NO_CAPACITY)


@helper
def find_row(step, relation, index, batch, i, tag):
    """Return the number of candidate `i`, or NONE if it is not stored."""
    value = batch[step.arguments[index.keys[0]], i]
    return find_in_block(rows_of(relation), index, step, batch, i, value, tag, step.argument_count <= 2)


@helper
def enter(arity, rows, index, value, tag, row):
    """Enter a row that is in no hash table yet into the primary index; return False when it needs capacity."""
    slot = key_slot(index, value)
    key, entries = directory_of(index)[slot], entries_of(index)
    if key.block == 0:
        return enter_alone(index, slot, value, row)
    if key.block < 0:
        first, block = int64(ALONE - key.block), take_block(index, SMALLEST)
        if block == NONE:
            return False
        clear_table(entries, block, SMALLEST)
        enter_in_table(entries, block, first, tag_of_row(arity, index, rows, first))
        key.block = block
    elif not has_room(int64(entries[key.block].row), int64(entries[key.block].tag)) and not enlarge_table(index, key):
        return False
    enter_in_table(entries, int64(key.block), row, tag)
    return True


@helper
def enter_row(relation, index, value, tag):
    """Enter row number `relation.row_count` into the primary index; return False when either needs capacity."""
    if relation.row_count == relation.row_capacity:
        relation.rows_wanted = relation.row_count + 1
        return False
    return enter(relation.arity, rows_of(relation), index, value, tag, relation.row_count)


@helper
def find_or_add_row(step, relation, index, batch, i, tag):
    """Return the number of candidate `i`, stored as an absent row if it is new; NO_CAPACITY when it needs capacity."""
    row = find_row(step, relation, index, batch, i, tag)
    if row != NONE:
        return row
    if not enter_row(relation, index, batch[step.arguments[index.keys[0]], i], tag):
        return int64(NO_CAPACITY)
    row, rows = int64(relation.row_count), rows_of(relation)
    for a in range(step.argument_count):
        rows[row, a] = batch[step.arguments[a], i]
    clear_row(relation, row)
    relation.row_count = row + 1
    return row


@helper
def cell_of(rows, row, width, value, column):
    """Return a cell of the row that has the first `width` cells of `rows[row]`, and then `value`."""
    return int64(rows[row, column]) if column < width else int64(value)


@helper
def find_like(relation, index, rows, row, width, value):
    """Return (number, tag) of the row that has the first `width` cells of `rows[row]`, and then `value`; the number is
    NONE if it is not stored."""
    tag, first = int64(0), True
    for column in range(relation.arity):
        if column != index.keys[0]:
            cell = cell_of(rows, row, width, value, column)
            tag = cell if first else mix(tag, cell)
            first = False
    stored, entries = rows_of(relation), entries_of(index)
    slot = key_slot(index, cell_of(rows, row, width, value, int64(index.keys[0])))
    block = int64(directory_of(index)[slot].block)
    if block < 0:
        same = same_like(relation, stored, ALONE - block, rows, row, width, value)
        return ALONE - block if same else int64(NONE), tag
    if block == 0:
        return int64(NONE), tag
    start, last_slot = block + HEADER, int64(entries[block].tag) - 1
    slot = home_slot(tag, last_slot)
    for _ in range(last_slot + 1):
        entry = entries[start + slot]
        if entry.row == EMPTY:
            break
        if entry.tag == tag and same_like(relation, stored, entry.row, rows, row, width, value):
            return int64(entry.row), tag
        slot = (slot + 1) & last_slot
    return int64(NONE), tag


@helper
def same_like(relation, stored, number, rows, row, width, value):
    """Return whether stored row `number` has the first `width` cells of `rows[row]`, and then `value`."""
    for column in range(relation.arity):
        if stored[number, column] != cell_of(rows, row, width, value, column):
            return False
    return True


@helper
def find_or_add_like(relation, index, rows, row, width, value):
    """Return the number of the row that `find_like` looks for, which is stored as an absent row if it is new;
    NO_CAPACITY when it needs capacity."""
    number, tag = find_like(relation, index, rows, row, width, value)
    if number != NONE:
        return number
    if not enter_row(relation, index, cell_of(rows, row, width, value, int64(index.keys[0])), tag):
        return int64(NO_CAPACITY)
    number, stored = int64(relation.row_count), rows_of(relation)
    for column in range(relation.arity):
        stored[number, column] = cell_of(rows, row, width, value, column)
    clear_row(relation, number)
    relation.row_count = number + 1
    return number


@helper
def clear_row(relation, row):
    """Set the state of a row that was just stored to absent, also in the views of its relation."""
    first_of(relation)[row] = ABSENT
    counts_of(relation)[row] = 0
    relation.absent_rows += 1
    for place in range(MAX_VIEWS):
        if relation.view_first[place] != 0:
            view_first_of(relation, place)[row] = ABSENT


@helper
def follow_owner(relations, number):
    """Extend a view to the rows that its owner has stored since; they are absent in it at first."""
    relation = relations[number]
    if relation.owner != NONE:
        stored = relations[relation.owner].row_count
        relation.absent_rows += stored - relation.row_count
        relation.row_count = stored
