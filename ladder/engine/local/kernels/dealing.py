"""Heads dealt out by threads to the one that has the part of the keys which theirs of the primary index belongs to, and
entered by it.

What is dealt lies in arrays of cells, one for each thread and taker: after a HEADER the rows of a batch, column by
column.
"""

from .blocks import home_slot, key_slot, tag_of_row, taker_of_key
from .compiling import entry_point, helper
from .layout import FINISHED, NEEDS_PAUSE, NEEDS_ROOM, NONE, int64
from .rowset import compute_tags, enter, find_batch, find_in_block
from .storage import counts_of, dealt_of, dealt_rows, directory_of, entries_of, first_of, rows_of, scratch_of

HEADER = 2  # number of the step that dealt the rows, number of rows
RUN_OF_NUMBERS = 10  # threads take numbers for new rows in runs of 2 ** this, by turns


@helper
def deal(step, number, index, workspace, batch, places):
    """Add a batch of heads to what is dealt out to each taker; False where there is no room. `places`: two columns."""
    count, width, takers = step.source_count, step.argument_count + int64(step.value_register != NONE), workspace.takers
    for taker in range(takers):
        if workspace.dealt_count[taker] + HEADER + width * count > workspace.dealt_capacity:
            return False
    keys, whose, its = batch[step.arguments[index.keys[0]]], places[0], places[1]
    for i in range(count):
        whose[i] = taker_of_key(keys[i], takers)
    for taker in range(takers):
        found = int64(0)
        for i in range(count):  # without a branch, which no processor could foresee
            its[found] = i
            found += int64(whose[i] == taker)
        deal_to(taker, found, step, number, workspace, batch, its)
    return True


@helper
def deal_to(taker, count, step, number, workspace, batch, places):
    """Copy the rows at these places of a batch, column by column, multiplicities last."""
    if count == 0:
        return
    cells, at = dealt_of(workspace, taker), workspace.dealt_count[taker]
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
    workspace.dealt_count[taker] = at


@helper
def enter_share(fixpoint, steps, relations, indexes, workspace):
    """Store what was dealt to a thread by another one, or by itself; the steps' arguments are the columns."""
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
def number_of_fresh(relation, taker, takers, fresh):
    """Number of the row that one of so many threads adds as its `fresh`-th."""
    turn = takers * (fresh >> RUN_OF_NUMBERS) + taker
    return relation.fresh_from + (turn << RUN_OF_NUMBERS) + (fresh & ((1 << RUN_OF_NUMBERS) - 1))


@helper
def enter_dealt(fixpoint, step, relation, index, batch, count, scratch):
    """Add rows to the relation, or count more derivations; False when it stopped for room (fixpoint.cursor:
    how far)."""
    rows, first, counts = rows_of(relation), first_of(relation), counts_of(relation)
    arity, settled_rows, iteration = step.argument_count, relation.settled_rows, fixpoint.iteration
    taker, takers = fixpoint.share, fixpoint.share_count
    exact, weighted, fresh = arity <= 2, step.value_register != NONE, relation.fresh[taker]
    keys, weights = batch[index.keys[0]], batch[arity if weighted else 0]
    found, tags, position = scratch[0], scratch[3], fixpoint.cursor
    compute_tags(step, index, batch, count, tags)
    find_batch(step, relation, index, batch, position, count, tags, found)
    while position < count:
        row, weight = int64(found[position]), int64(1)
        if weighted:
            weight = int64(weights[position])
        if row < 0:  # or stored since, by this loop
            row = find_in_block(rows, index, step, batch, position, keys[position], tags[position], exact)
        if row == NONE:
            row = number_of_fresh(relation, taker, takers, fresh)
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
    relation.fresh[taker] = fresh
    fixpoint.cursor = position
    return position == count


@entry_point
def close_numbers(relation, index, takers):
    """Move the rows with the highest numbers into the gaps that are left where some threads added fewer rows than
    others."""
    end, gap_of, gap = int64(relation.fresh_from), int64(0), int64(relation.fresh[0])
    for taker in range(takers):
        end += relation.fresh[taker]
    for taker in range(takers):
        for fresh in range(relation.fresh[taker] - 1, -1, -1):
            row = number_of_fresh(relation, taker, takers, fresh)
            if row < end:
                break
            while number_of_fresh(relation, gap_of, takers, gap) >= end:
                gap_of += 1
                gap = int64(relation.fresh[gap_of])
            move_row(relation, index, row, number_of_fresh(relation, gap_of, takers, gap))
            gap += 1
    relation.row_count = end
    for taker in range(takers):
        relation.fresh[taker] = 0


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
