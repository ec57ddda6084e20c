"""Heads dealt out by threads to the part that their key of the primary index belongs to, and entered part by part.

What is dealt lies in arrays of cells, one for each thread and part: after a HEADER the rows of a batch, column by column.
"""
from .blocks import home_slot, key_slot, part_of_key, tag_of_row
from .compiling import entry_point, helper
from .layout import FINISHED, NEEDS_PAUSE, NEEDS_ROOM, NONE, PARTS, int64
from .rowset import compute_tags, enter, find_batch, find_in_block
from .storage import counts_of, dealt_of, dealt_rows, directory_of, entries_of, first_of, rows_of, scratch_of

HEADER = 2                  # number of the step that dealt the rows, number of rows
RUN_OF_NUMBERS = 10         # threads take numbers for new rows in runs of 2 ** this, by turns


@helper
def deal(step, number, index, workspace, batch, places):
    """Add a batch of heads to what is dealt out to each part; False where there is no room. `places`: two columns."""
    count, width = step.source_count, step.argument_count + int64(step.value_register != NONE)
    for part in range(PARTS):
        if workspace.dealt_count[part] + HEADER + width * count > workspace.dealt_capacity:
            return False
    keys, lefts, rights, left, right = batch[step.arguments[index.keys[0]]], places[0], places[1], int64(0), int64(0)
    for i in range(count):   # without a branch, which no processor could foresee
        part = part_of_key(keys[i])
        lefts[left], rights[right] = i, i
        left += 1 - part
        right += part
    deal_to(0, left, step, number, workspace, batch, lefts)
    deal_to(1, right, step, number, workspace, batch, rights)
    return True


@helper
def deal_to(part, count, step, number, workspace, batch, places):
    """Copy the rows at these places of a batch, column by column, multiplicities last."""
    if count == 0:
        return
    cells, at = dealt_of(workspace, part), workspace.dealt_count[part]
    cells[at], cells[at + 1] = number, count
    at += HEADER
    for a in range(step.argument_count):
        column = batch[step.arguments[a]]
        for i in range(count):
            cells[at + i] = column[places[i]]
        at += count
    if step.value_register != NONE:
        column = batch[step.value_register]
        for i in range(count):
            cells[at + i] = column[places[i]]
        at += count
    workspace.dealt_count[part] = at


@helper
def enter_share(fixpoint, steps, relations, indexes, workspace):
    """Store what was dealt to a thread's part by one thread; the steps' arguments are the columns."""
    scratch = scratch_of(workspace)
    while fixpoint.position < fixpoint.dealt_count:
        if workspace.budget <= 0:
            return NEEDS_PAUSE
        workspace.budget -= 1
        head = dealt_rows(fixpoint.dealt, fixpoint.position, int64(1), int64(HEADER))[0]
        step, count = steps[head[0]], int64(head[1])
        width = step.argument_count + int64(step.value_register != NONE)
        batch = dealt_rows(fixpoint.dealt, fixpoint.position + HEADER, width, count)
        if not enter_dealt(fixpoint, step, relations[step.relation], indexes[step.index], batch, count, scratch):
            return NEEDS_ROOM
        fixpoint.position += HEADER + width * count
        fixpoint.cursor = 0
    return FINISHED


@helper
def number_of_fresh(relation, part, fresh):
    """Number of the row that the thread of a part adds as its `fresh`-th."""
    turn = PARTS * (fresh >> RUN_OF_NUMBERS) + part
    return relation.fresh_from + (turn << RUN_OF_NUMBERS) + (fresh & ((1 << RUN_OF_NUMBERS) - 1))


@helper
def enter_dealt(fixpoint, step, relation, index, batch, count, scratch):
    """Add rows to the relation, or count more derivations; False when it stopped for room (fixpoint.cursor: how far)."""
    rows, first, counts = rows_of(relation), first_of(relation), counts_of(relation)
    arity, settled_rows, part, iteration = step.argument_count, relation.settled_rows, index.share - 1, fixpoint.iteration
    exact, weighted, fresh = arity <= 2, step.value_register != NONE, relation.fresh[part]
    keys, weights = batch[index.keys[0]], batch[arity if weighted else 0]
    found, tags, position = scratch[0], scratch[3], fixpoint.cursor
    compute_tags(step, index, batch, count, tags)
    find_batch(step, relation, index, batch, position, count, tags, found)
    while position < count:
        row, weight = int64(found[position]), int64(1)
        if weighted:
            weight = int64(weights[position])
        if row < 0:   # or stored since, by this loop
            row = find_in_block(rows, index, step, batch, position, keys[position], tags[position], exact)
        if row == NONE:
            row = number_of_fresh(relation, part, fresh)
            if row >= relation.row_capacity:
                relation.rows_wanted = row + 1
                break
            if not enter(index, keys[position], tags[position], row):
                break
            for a in range(arity):
                rows[row, a] = batch[a, position]
            first[row] = iteration
            counts[row] = weight
            fresh += 1
        elif row >= settled_rows:
            counts[row] += weight
        position += 1
    relation.fresh[part] = fresh
    fixpoint.cursor = position
    return position == count


@entry_point
def close_numbers(relation, index):
    """Move the rows with the highest numbers into the gaps that are left where one thread added more rows than the other."""
    end = relation.fresh_from + relation.fresh[0] + relation.fresh[1]
    gap_part, gap = int64(0), relation.fresh[0]
    for part in range(PARTS):
        for fresh in range(relation.fresh[part] - 1, -1, -1):
            row = number_of_fresh(relation, part, fresh)
            if row < end:
                break
            while gap_part == 0 and number_of_fresh(relation, gap_part, gap) >= end:
                gap_part, gap = int64(1), relation.fresh[1]
            move_row(relation, index, row, number_of_fresh(relation, gap_part, gap))
            gap += 1
    relation.row_count = end
    for part in range(PARTS):
        relation.fresh[part] = 0


@helper
def move_row(relation, index, row, target):
    """Give a row another number; no other index knows it yet."""
    rows, first, counts = rows_of(relation), first_of(relation), counts_of(relation)
    for column in range(relation.arity):
        rows[target, column] = rows[row, column]
    first[target], counts[target] = first[row], counts[row]
    key, entries = directory_of(index)[key_slot(index, rows[row, index.keys[0]])], entries_of(index)
    tag, last_slot = tag_of_row(relation, index, rows, row), int64(key.capacity) - 1
    slot = home_slot(tag, last_slot)
    while entries[key.start + slot].row != row:
        slot = (slot + 1) & last_slot
    entries[key.start + slot].row = target
