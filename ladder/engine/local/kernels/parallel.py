"""Parts of a bootstrap that threads do side by side: join, enter rows, list rows; the host waits between these.

    JOIN    each thread runs the plans on its share of the rows that they start from (chunks of row numbers, in turn);
            heads are not stored, but partitioned by the part that their key of the primary index belongs to (see
            `blocks`); each thread is the consumer of some parts
    ENTER   a thread stores the heads sent to it: rows of different parts never meet in a directory or a block
    LIST    a thread enters the new rows whose key of a secondary index belongs to one of its parts
    close   rows get numbers without gaps (`partitioning.close_numbers`)

A thread has its own copies of the records that it writes to: relations and indexes (when entering and listing), plans
and steps (when joining), a workspace. Arrays are shared. Nothing that plans read is written while they run. Since the
rows of an iteration are visible from the next one on only, storing them after all joins gives the same rows with the
same counts.
"""

from .blocks import AT_ONCE, consumer_of_key, key_of_row, list_row
from .compiling import helper
from .driver import run_started_plan, start_plan
from .layout import ALL, DELTA, FINISHED, ITERATED, NEEDS_CAPACITY, NONE, ONCE, int64
from .partitioning import enter_share
from .storage import rows_of

IDLE, BOOTSTRAP, JOIN, ENTER, LIST = range(5)  # what a FIXPOINT is active for
LARGEST_CHUNK = 13  # binary logarithm of the rows of a chunk
CHUNKS = 8  # … and of the least number of chunks, where there are so many rows: threads have some each
LEAST_SHARE = 6  # … and of the chunks of the least size in as many rows as threads are asked for from


@helper
def run_share(fixpoint, component, plans, steps, relations, indexes, operations, workspace, update):
    """Do a thread's share of the work that `fixpoint.active` names; return FINISHED, or the status with which it
    stopped. A second call carries on."""
    if fixpoint.active == JOIN:
        return join_share(fixpoint, component, plans, steps, relations, indexes, operations, workspace, update)
    if fixpoint.active == ENTER:
        return enter_share(fixpoint, steps, relations, indexes, workspace)
    return list_share(fixpoint, component, relations, indexes)


# ---- what is worth it


@helper
def rows_to_list(component, relations):
    """Return the number of new rows of a component's relations, each counted once for each secondary index."""
    count = int64(0)
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relation = relations[number]
        count += relation.index_count * (relation.settled_rows - relation.before_rows)
    return count


@helper
def rows_to_join(fixpoint, component, plans, steps, relations):
    """Return the number of rows that the shared plans of this iteration start from."""
    count, role = int64(0), ONCE if fixpoint.iteration == 1 else ITERATED
    for number in range(component.first_plan, component.first_plan + component.plan_count):
        plan = plans[number]
        if plan.role == role and plan.shared != 0:
            first = steps[plan.first_step]
            relation = relations[first.relation]
            count += relation.settled_rows - relation.before_rows if first.window == DELTA else relation.row_count
    return count


# ---- join


@helper
def join_share(fixpoint, component, plans, steps, relations, indexes, operations, workspace, update):
    """Run the shared plans of this iteration on a thread's chunks; return a status, which is NEEDS_CAPACITY when the
    buffers of partitioned heads must be emptied first."""
    role = ONCE if fixpoint.iteration == 1 else ITERATED
    while fixpoint.plan < component.first_plan + component.plan_count:
        plan = plans[fixpoint.plan]
        if plan.role == role and plan.shared != 0:
            while plan.level != NONE or start_chunk(fixpoint, plan, steps, relations):
                status = run_started_plan(plan, steps, relations, indexes, operations, workspace, update)
                if status != FINISHED:
                    return status
        fixpoint.plan += 1
        fixpoint.chunk = 0
    return FINISHED


@helper
def start_chunk(fixpoint, plan, steps, relations):
    """Set a plan to its first step on the next chunk of this thread; return False when there is none.

    Chunks depend on row numbers alone, so that all plans that start from a relation get a given row in the same thread.
    A chunk has a share of the rows from which threads are asked for: batches of a few rows take longer than their rows.
    """
    start_plan(plan, steps, relations, fixpoint.iteration, ALL)
    first = steps[plan.first_step]
    rows_from, rows_below = first.rows_from, min(first.rows_below, relations[first.relation].row_count)
    size_log = int64(LARGEST_CHUNK)
    while (1 << size_log) > max(int64(1), fixpoint.share_from >> LEAST_SHARE) and (
        (rows_below - rows_from) >> size_log < 1 << CHUNKS
    ):
        size_log -= 1
    chunk = max(fixpoint.chunk, rows_from >> size_log)
    while chunk % fixpoint.share_count != fixpoint.share:
        chunk += 1
    fixpoint.chunk = chunk + 1
    first.rows_from, first.rows_below = max(rows_from, chunk << size_log), min(rows_below, (chunk + 1) << size_log)
    first.cursor = first.rows_from
    if first.rows_from < first.rows_below:
        return True
    plan.level = NONE
    return False


# ---- list


@helper
def list_share(fixpoint, component, relations, indexes):
    """Enter the new rows of a component whose keys belong to a thread's parts into secondary indexes; return
    NEEDS_CAPACITY when it needs capacity, or after AT_ONCE rows."""
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relation = relations[number]
        for i in range(relation.index_count):
            if not list_part(relation, indexes[relation.indexes[i]], fixpoint.share, fixpoint.share_count):
                return NEEDS_CAPACITY
    return FINISHED


@helper
def list_part(relation, index, consumer, consumers):
    """Enter the new rows whose keys belong to the parts of thread `consumer`, of `consumers`, into one index; return
    False when it needs capacity, or after AT_ONCE rows."""
    rows, below = rows_of(relation), min(relation.row_count, index.row_count + AT_ONCE)
    for row in range(index.row_count, below):
        if consumer_of_key(key_of_row(index, rows, row), consumers) == consumer and not list_row(index, rows, row):
            index.row_count = row
            return False
    index.row_count = below
    return below == relation.row_count
