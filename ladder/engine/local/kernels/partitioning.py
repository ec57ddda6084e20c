"""Hash partitioning of heads among threads: a head's key of the primary index belongs to a part, each part to a thread;
this thread, the *consumer*, stores the head.

Partitioned heads lie in buffers of cells, one for each pair of a thread that made them and a consumer: after a header
(BATCH_HEADER cells) the rows of a batch, column by column.
"""

from .arguments import table_of, vector_of
from .blocks import ALONE, HEADER, consumer_of_key, home_slot, key_slot, tag_of_row
from .compiling import entry_point, helper
from .layout import FINISHED, NEEDS_CAPACITY, NEEDS_PAUSE, NONE, WORKSPACE, int64
from .rowset import NO_CAPACITY, compute_tags, find_batch, find_or_enter
from .storage import (
    counts_of,
    directory_of,
    entries_of,
    first_of,
    partitioned_of,
    partitioned_rows,
    rows_of,
    scratch_of,
    workspaces_of,
)

BATCH_HEADER = 2  # number of the step that made the rows, number of rows
RUN_OF_NUMBERS = 10  # threads take numbers for new rows in runs of 2 ** this, by turns


@helper
def partition(step, number, index, workspace, batch, places):
    """Add a batch of heads to the buffers of their consumers; return False when one lacks capacity. places: int32[4,
    batch_size], scratch."""
    count, width, consumers = (
        step.source_count,
        step.argument_count + int64(step.value_register != NONE),
        workspace.consumers,
    )
    for consumer in range(consumers):
        if workspace.partitioned_count[consumer] + BATCH_HEADER + width * count > workspace.partitioned_capacity:
            return False
    keys, whose, its = batch[step.arguments[index.keys[0]]], places[0], places[1]
    for i in range(count):
        whose[i] = consumer_of_key(keys[i], consumers)
    for consumer in range(consumers):
        found = int64(0)
        for i in range(count):  # without a branch, which no processor could foresee
            its[found] = i
            found += int64(whose[i] == consumer)
        send_to(consumer, found, step, number, workspace, batch, its)
    return True


@helper
def send_to(consumer, count, step, number, workspace, batch, places):
    """Copy some rows of a batch, column by column, multiplicities last, to the buffer of a consumer. places:
    int32[batch_size], of which the first `count` are the rows."""
    if count == 0:
        return
    cells, at = partitioned_of(workspace, consumer), workspace.partitioned_count[consumer]
    cells[at], cells[at + 1] = number, count
    at += BATCH_HEADER
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
    workspace.partitioned_count[consumer] = at


@helper
def enter_share(fixpoint, steps, relations, indexes, workspace):
    """Store the heads that all threads have sent to this one; return a status. The columns of their buffers are the
    arguments of the step."""
    scratch, consumer, all_workspaces = scratch_of(workspace), fixpoint.share, workspaces_of(fixpoint)
    while fixpoint.workspace < fixpoint.workspace_count:
        sender = all_workspaces[fixpoint.workspace]
        while fixpoint.position < sender.partitioned_count[consumer]:
            if workspace.budget <= 0:
                return NEEDS_PAUSE
            workspace.budget -= 1
            buffer = sender.partitioned[consumer]
            head = partitioned_rows(buffer, fixpoint.position, int64(1), int64(BATCH_HEADER))[0]
            step, count = steps[head[0]], int64(head[1])
            width = step.argument_count + int64(step.value_register != NONE)
            batch = partitioned_rows(buffer, fixpoint.position + BATCH_HEADER, width, count)
            relation, index = relations[step.relation], indexes[step.index]
            if not enter_partitioned(fixpoint, step, relation, index, batch, count, scratch):
                return NEEDS_CAPACITY
            fixpoint.position += BATCH_HEADER + width * count
            fixpoint.cursor = 0
        fixpoint.workspace += 1
        fixpoint.position = 0
    return FINISHED


@entry_point(workspaces=vector_of(WORKSPACE), counts=table_of(int64))
def count_partitioned(workspaces, steps, counts):
    """Add to counts[c, r] the number of rows of relation `r` that threads have sent to consumer `c`.

    workspaces: WORKSPACE[threads]; counts: int64[consumers, relations].
    """
    for sender in range(len(workspaces)):
        workspace = workspaces[sender]
        for consumer in range(len(counts)):
            position = int64(0)
            while position < workspace.partitioned_count[consumer]:
                head = partitioned_rows(workspace.partitioned[consumer], position, int64(1), int64(BATCH_HEADER))[0]
                step, count = steps[head[0]], int64(head[1])
                counts[consumer, step.relation] += count
                position += BATCH_HEADER + (step.argument_count + int64(step.value_register != NONE)) * count


@helper
def number_of_fresh(relation, consumer, consumers, fresh):
    """Return the number of the row that thread `consumer`, of `consumers`, adds as its `fresh`-th."""
    turn = consumers * (fresh >> RUN_OF_NUMBERS) + consumer
    return relation.fresh_from + (turn << RUN_OF_NUMBERS) + (fresh & ((1 << RUN_OF_NUMBERS) - 1))


@helper
def enter_partitioned(fixpoint, step, relation, index, batch, count, scratch):
    """Add rows to the relation, or count more derivations of those that are stored; return False when it needs capacity
    (`fixpoint.cursor` is the row to carry on at). batch: int32[columns, count]."""
    rows, first, counts = rows_of(relation), first_of(relation), counts_of(relation)
    arity, settled_rows, iteration = step.argument_count, relation.settled_rows, fixpoint.iteration
    consumer, consumers = fixpoint.share, fixpoint.share_count
    weighted, fresh = step.value_register != NONE, relation.fresh[consumer]
    keys, weights = batch[index.keys[0]], batch[arity if weighted else 0]
    found, ends, tags, position = scratch[0], scratch[1], scratch[3], fixpoint.cursor
    compute_tags(step, index, batch, count, tags)
    find_batch(step, relation, index, batch, position, count, tags, found, ends)
    while position < count:
        row, weight = int64(found[position]), int64(1)
        if weighted:
            weight = int64(weights[position])
        if row < 0:  # or stored since, by this loop
            number, end = number_of_fresh(relation, consumer, consumers, fresh), int64(ends[position])
            if number >= relation.row_capacity:
                relation.rows_wanted = number + 1
                break
            row = find_or_enter(rows, index, step, batch, position, keys[position], tags[position], end, number)
            if row == NO_CAPACITY:
                break
        if row == NONE:
            row = number
            for a in range(arity):
                rows[row, a] = batch[a, position]
            first[row] = iteration
            counts[row] = weight
            fresh += 1
        elif row >= settled_rows:
            counts[row] += weight
        else:
            relation.repeated += 1
        position += 1
    relation.fresh[consumer] = fresh
    fixpoint.cursor = position
    return position == count


@entry_point
def close_numbers(relation, index, consumers):
    """Move the rows with the highest numbers into the gaps that are left where some threads added fewer rows than
    others.

    consumers: int64, how many threads have added rows.
    """
    end, gap_of, gap = int64(relation.fresh_from), int64(0), int64(relation.fresh[0])
    for consumer in range(consumers):
        end += relation.fresh[consumer]
    for consumer in range(consumers):
        for fresh in range(relation.fresh[consumer] - 1, -1, -1):
            row = number_of_fresh(relation, consumer, consumers, fresh)
            if row < end:
                break
            while number_of_fresh(relation, gap_of, consumers, gap) >= end:
                gap_of += 1
                gap = int64(relation.fresh[gap_of])
            move_row(relation, index, row, number_of_fresh(relation, gap_of, consumers, gap))
            gap += 1
    relation.row_count = end
    for consumer in range(consumers):
        relation.fresh[consumer] = 0


@helper
def move_row(relation, index, row, target):
    """Change the number of a row, which only the primary index knows yet, to `target`."""
    rows, first, counts = rows_of(relation), first_of(relation), counts_of(relation)
    for column in range(relation.arity):
        rows[target, column] = rows[row, column]
    first[target], counts[target] = first[row], counts[row]
    key, entries = directory_of(index)[key_slot(index, rows[row, index.keys[0]])], entries_of(index)
    if key.block < 0:
        key.block = ALONE - target
        return
    start, last_slot = int64(key.block) + HEADER, int64(entries[key.block].tag) - 1
    slot = home_slot(tag_of_row(relation.arity, index, rows, row), last_slot)
    while entries[start + slot].row != row:
        slot = (slot + 1) & last_slot
    entries[start + slot].row = target
