"""Record layouts: the names and types that Python and the compiled kernels share.

A *record* holds small named facts about one relation, index, plan step, aggregate …; bulk data (rows, directories,
entries) lives in arrays whose addresses the records keep (see `storage`). Cells are int32: numbers are stored as they
are, all other values as the number of an interned value.
"""

from typing import Any

import numpy as np

# Kinds of plan step: those that fill a batch of their own …
SCAN, CHANGED, PROBE, GENERATE, RANGE = range(5)
# … those that work on a batch in place …
MEMBER, ABSENT_ROW, COMPARE, COMPUTE, CALL, FILL, PACK, UNPACK, GROUP, WEIGH, MAKE_TEXT = range(5, 16)
# … and those that end a plan.
INSERT, SCHEDULE, RANK, PARTITION = range(16, 20)
# Which rows a plan sees: all stored and present ones, those of the old state, or those of the new one as far as known.
ALL, OLD, NEW = range(3)
# Which rows of a relation of the component at hand a step of a bootstrap sees.
EVERY, DELTA, BEFORE, SETTLED = range(4)
# What a body literal of a rule is to the rule's component.
INTERNAL, EXTERNAL, NEGATED = range(3)
# Roles of plans: in a bootstrap, at iteration 1 and later; in an update, from changed body rows, from rows of the head;
# in a bootstrap, into an intermediate: what it begins with, and what an iteration adds.
ONCE, ITERATED, FORWARD, BACKWARD, BEGUN, FILLED = range(6)
# What FILL fills in: a cell, or the number of the iteration.
A_CELL, THE_ITERATION = range(2)
# Kinds of event: an instantiation that counted in the old state lost a row, one gained its last row,
# a row that lost all its derivations may be derived again; a total may appear or disappear.
LOST, GAINED, CANDIDATE, TOTAL = range(4)
# Kinds of index: the primary index is a set of rows, hashed per key; the others are lists per key.
HASHED, LISTED = range(2)
# Comparisons and built-in functions on cells; the last ones are on texts alone, of which COMPUTE and MAKE_TEXT do those
# that give numbers and those that give texts.
EQUAL, DIFFERENT, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, CONTAINED, NOT_CONTAINED = range(8)
AS_SIGNED, AS_UNSIGNED, AS_FLOAT, AS_TEXT = range(4)
(
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    POWER,
    NEGATE,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    BIT_NOT,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SHIFT_RIGHT_UNSIGNED,
    LOGICAL_AND,
    LOGICAL_OR,
    LOGICAL_XOR,
    LOGICAL_NOT,
    LEAST,
    GREATEST,
    TO_NUMBER,
    TO_UNSIGNED,
    TO_FLOAT,
    LENGTH,
    CONCATENATE,
    SUBSTRING,
    TO_TEXT,
) = range(27)
# What a kernel returns.
FINISHED, NEEDS_CAPACITY, NEEDS_ANSWERS, NEEDS_PAUSE, INCONSISTENT, NEEDS_PLANS, NEEDS_THREADS, NO_LATTICE = range(8)

# When a kernel stops so that the host may measure what a plan takes.
PAUSE_NEVER, PAUSE_BEFORE, PAUSE_AFTER = range(3)

NONE = -1  # no register, no column, no row, no value
MAX_COLUMNS = 32  # widest relation
MAX_REGISTERS = 128  # most variables of one rule, rows of its body included: numbers of them fit into int8
MAX_LEVELS = 64  # most steps of one plan
MAX_VIEWS = 2  # most relations that share the rows of another one
KNOWN_COLUMNS = 4  # columns of a relation that may have a bitmap of known rows
MAX_INDEXES = 32  # most indexes of one relation
MAX_CLASSES = 40  # block sizes are 2**0 .. 2**39 entries
MAX_BODY = 16  # most relational literals of one rule body
MAX_ARGUMENTS = 4  # most arguments of a function that the host answers
MAX_KEYS = 8  # most columns of an index's key
PART_BITS = 3
# parts of an index by its keys: at most as many threads may enter rows into it at a time; more make small directories
# large
PARTS = 1 << PART_BITS
LINE = 8  # neighbouring slots of a directory that belong to one part: a line of the cache
LEAST_SLOTS = PARTS * LINE  # of a directory
MARK_BITS = 2  # binary logarithm of the marks for each slot of a directory (see `blocks`)
MAX_FILTERS = 4  # most columns that a scan compares with cells
MAX_SIEVES = 2  # most look-ups by which a plan passes over changed rows
MAX_CHOICES = 8  # most join orders that rows of one plan may choose from
ABSENT = 1 << 30  # first iteration of a row that is not there: later than any other
UNBOUNDED = 1 << 60
END = 0  # ends lists of changes and of events; number 0 is never used

int8, int32, int64 = np.int8, np.int32, np.int64


def record(*fields: Any) -> Any:
    """Return a dtype whose scalars are np.record, so that plain Python can also write `step.cursor`."""
    taken = [name for name, *_ in fields if hasattr(np.record, name)]  # in Python these would hide the field
    if taken:
        raise ValueError(f"numpy scalars already have attributes {taken}")
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


RELATION = record(  # what every look-up reads stands at the beginning, in a line of the cache
    ("rows", int64),  # addresses of the bulk arrays (see storage)
    ("first_iteration", int64),
    ("derivation_count", int64),
    ("change_number", int64),
    ("row_count", int64),
    ("row_capacity", int64),
    ("arity", int64),
    ("absent_rows", int64),  # stored rows that are not in the relation; only an update leaves any
    ("lost", int64),  # changes of this iteration: rows in need of another derivation,
    ("departed", int64),  # ... rows that were there before and no longer are,
    ("arrived", int64),  # ... rows that are there now; of a finished component: in the whole update
    ("active", int64),  # ... whether there may be any; then it is in the list of such relations:
    ("next_active", int64),  # ... the number of the next one, or NONE
    ("backward_group", int64),  # of the component at hand: the first plan that starts from its lost rows, or NONE,
    ("forward_group", int64),  # ... and the first one that starts from its rows that departed or arrived
    ("changed", int64),  # all changes of the transaction
    ("rows_wanted", int64),  # capacity that a kernel asks for
    ("before_rows", int64),  # bootstrap: rows older than the last iteration,
    ("settled_rows", int64),  # ... and older than the current one: their counts are final
    ("primary_index", int64),
    ("index_count", int64),  # other indexes of the relation
    ("indexes", int32, (MAX_INDEXES,)),
    ("aggregate", int64),  # aggregate whose aggregate inputs are the rows, or NONE
    ("owner", int64),  # relation whose rows and primary index it shares (see `aggregation`), or NONE
    ("place", int64),  # ... and which of that one's views it is
    ("late", int64),  # bootstrap: list of aggregate inputs (row + 1) that were totals before they were derived
    ("fresh_from", int64),  # rows that threads add: the number from which they share out numbers,
    ("fresh", int64, (PARTS,)),  # ... and how many rows each thread has added
    ("saved_rows", int64),  # rows that the last save has seen
    ("listed_rows", int64),  # rows that an update has found in all indexes
    ("view_first", int64, (MAX_VIEWS,)),  # addresses of the first iterations of its views, 0 = none
    ("repeated", int64),  # bootstrap: derivations of rows from before the iteration, as the primary index has found
    ("known", int64),  # address of the bitmap of known rows (see `known`), 0 = none,
    ("known_bits", int64),  # its bits: as many as there are rows with cells in the ranges,
    ("known_low", int64, (KNOWN_COLUMNS,)),  # ... of each column the least cell,
    ("known_width", int64, (KNOWN_COLUMNS,)),  # ... and how many cells are from there to the greatest
    ("known_rows", int64),  # rows that it has been told of,
    ("known_outside", int64),  # ... of which so many are outside of the ranges
    ("known_wanted", int64),  # whether a kernel asks for one, or for other ranges
    ("known_after", int64),  # derivations of that kind from which a kernel asks, at least
)

INDEX = record(  # what every look-up reads stands at the beginning, in a line of the cache
    ("directory", int64),  # addresses of the bulk arrays
    ("entries", int64),
    ("slot_count", int64),  # of the directory, a power of two
    ("entry_count", int64),  # entries handed out from the pool so far,
    ("entry_capacity", int64),
    ("kind", int64),
    ("value_column", int64),  # LISTED: column whose value is copied into the entries, or NONE
    ("key_count", int64),  # columns of the key
    ("keys", int32, (MAX_KEYS,)),
    ("relation", int64),
    ("row_count", int64),  # rows listed so far; the primary index always holds all
    ("counted_rows", int64),  # rows counted so far while blocks are laid out
    ("used_slots", int64, (PARTS,)),  # in each part of it (see `blocks`)
    ("slots_wanted", int64),
    ("share", int64),  # of a thread's own copy of the record: 1 + its number; else 0
    ("entry_limit", int64),  # ... where the entries end that it may hand out,
    ("still_read", int64),  # ... and whether plans that stopped half way may still read blocks that keys have outgrown
    ("range_from", int64, (PARTS,)),  # entries put aside for each thread, which none has used yet
    ("range_to", int64, (PARTS,)),
    ("free_entries", int64),  # entries handed out that no block uses any more
    ("entries_wanted", int64),
    ("retired_count", int64),
    ("retired_capacity", int64),
    ("retired_wanted", int64),
    ("retired", int64),
    ("free_block", int64, (MAX_CLASSES * PARTS,)),  # heads of the free lists of each block size, 0 = none
)

# A slot of a directory: the place of its key's block in the pool, or -1 minus the number of its only row; 0 is a slot
# without a key. Behind the slots lie the marks, in a place of so many more slots.
KEY = record(("key", int32), ("block", int32))
ENTRY = record(("row", int32), ("tag", int32))  # one row of a block; the header: how many rows, room for how many
BLOCK = record(("start", int64), ("capacity", int64))  # a block out of use

# Updates run thousands of plans, each for a few rows, and what that takes is mostly the lines of the cache that these
# records are in. So numbers are as short as they may be, and what every run reads stands at the beginning.
COLUMN_REGISTER = [("column", int8), ("register", int8)]
LOOK_UP = [("index", int32), ("key_count", int32), ("keys", int8, (MAX_KEYS,))]  # of a row, by these columns
# A first look-up of one of several plans, and what each row that it finds is expected to cost, in WEIGHTS.
CHOICE = [*LOOK_UP, ("weight", int32)]
WEIGHTS = 16  # the weight of a row after which nothing more is looked up
MOST_WEIGHT = 1 << 30  # a block of 2 ** 31 rows times this is an int64

STEP = record(
    ("kind", int32),
    ("relation", int32),
    ("index", int32),
    # receives the entry's value or a result, or NONE; GROUP, INSERT: multiplicity of each row
    ("value_register", int32),
    ("row_register", int32),  # receives the row's number, or NONE
    ("feeder", int32),  # run-time state: level whose batch this step consumes,
    ("source_count", int32),  # ... number of rows in that batch,
    ("choice", int32),  # CHANGED: the number of this plan among those that start alike, and the
    ("choice_count", int32),  # ... first look-up of each one; a row takes the cheapest
    ("bind_count", int32),  # columns fetched from the relation's rows
    ("check_count", int32),  # columns compared with registers
    ("key_count", int32),  # PROBE: registers that hold the index's key
    ("argument_count", int32),  # registers of a row, of a function's arguments, of a comparison's sides
    ("live_count", int32),  # registers that later steps still read
    ("cursor", int64),  # run-time state: next row of the batch (or of the relation, for SCAN; or next change),
    ("entry_at", int64),  # ... next entry of the current key, or NONE
    ("entry_end", int64),
    ("rows_from", int64),  # window of row numbers this step may see
    ("rows_below", int64),
    ("keys", int8, (MAX_KEYS,)),
    ("live", int8, (MAX_REGISTERS,)),
    ("binds", COLUMN_REGISTER, (MAX_COLUMNS,)),
    ("checks", COLUMN_REGISTER, (MAX_COLUMNS,)),
    ("arguments", int8, (MAX_COLUMNS,)),
    ("choices", CHOICE, (MAX_CHOICES,)),
    # CALL, GENERATE: number of the operation; COMPARE, COMPUTE, MAKE_TEXT, FILL: which one
    # ... PROBE: which one of the steps in `constant` the entries at hand are of
    ("operation", int32),
    # COMPARE, COMPUTE, MAKE_TEXT, RANGE: AS_SIGNED, AS_UNSIGNED, AS_FLOAT or AS_TEXT; CALL: AS_TEXT if kernels compute
    # most results, the floats of texts
    ("interpretation", int32),
    ("constant", int64),  # FILL: the cell; UNPACK: what the first cell of the record must be, if `check_count`;
    # ... GROUP, WEIGH: whether rows have a multiplicity already; PROBE: how many MEMBER steps after it are done with it
    ("window", int32),  # which rows of a relation of its own component a bootstrap's step sees
    ("rows_taken", int64),  # GROUP: rows that came and that were left lately,
    ("rows_left", int64),
    ("batches_spared", int64),  # ... and batches for which it is not worth doing
    ("filter_count", int32),  # SCAN, CHANGED: columns that must hold these cells
    ("filters", [("column", int32), ("cell", int32)], (MAX_FILTERS,)),
)

WORKSPACE = record(  # buffers shared by all plans of one thread
    ("batch_size", int64),
    ("budget", int64),  # batches until a kernel stops so that the host may look around
    ("pause", int64),  # PAUSE_BEFORE the next plan or PAUSE_AFTER this one, in turns, so that the host may measure
    ("consumers", int64),  # threads among which heads are hash-partitioned,
    ("partitioned_capacity", int64),  # ... cells that fit into the buffer for each of them, and cells that are in it
    ("partitioned_count", int64, (PARTS,)),
    ("large_pool", int64),  # entries from which a pool is squeezed …
    ("waste", int64),  # … when one entry in so many lies in no block
    ("known_repeats", int64),  # derivations of rows from before from which a relation gets a bitmap (see `known`)
    ("flag_capacity", int64),  # bytes of flags: see `blocks.squeeze_pool`
    ("flags_wanted", int64),
    ("texts", int64),  # address of the record of the table of symbols (see `texts`)
    ("batches", int64),  # addresses of the bulk arrays
    ("scratch", int64),
    ("partitioned", int64, (PARTS,)),
    ("entry_flags", int64),
)

PLAN = record(
    ("level", int32),  # where execution stands, NONE where it does not; kept when a kernel stops
    ("start", int32),  # update: the relation of the rows that it starts from,
    ("start_kind", int32),  # ... and the kind of their literal (INTERNAL …)
    ("next_alike", int32),  # of the plans of an update that start from the same changed rows, the next one, or NONE
    ("next_group", int32),  # ... and the first one of the next such group, or NONE
    ("sieve_count", int32),  # update: look-ups by columns of its first row alone, which must find something
    ("sieves", LOOK_UP, (MAX_SIEVES,)),
    ("role", int32),
    ("shared", int32),  # whether threads may run it side by side
    ("pending_step", int32),  # step that works in place and must be called again, or NONE,
    ("pending_count", int32),  # ... and the number of rows it was given
    ("iteration", int32),
    ("state", int32),
    ("first_step", int32),  # number of the plan's first step among all steps
    ("step_count", int32),
    ("number", int32),  # number of the plan among all plans
    ("rule", int32),
    ("head", int32),  # relation of the head
    ("driver", int32),  # body literal it starts from, or NONE
    ("body_count", int32),  # relational body literals in the order of the rule's text
    ("derivations", int64),  # totals for reports: rows that reached the last step,
    ("matches", int64),  # ... index entries looked at on the way, and batches
    ("batches", int64),
    ("body_kinds", int8, (MAX_BODY,)),
    ("row_registers", int8, (MAX_BODY,)),
    ("body_relations", int32, (MAX_BODY,)),
)

COMPONENT = record(  # relations and plans of a component are runs of numbers
    ("first_relation", int64),
    ("relation_count", int64),
    ("first_plan", int64),  # plans of the bootstrap
    ("plan_count", int64),
    ("first_update_plan", int64),
    ("update_plan_count", int64),
    ("backward_plans", int64),  # heads of lists of groups of update plans that start alike: those from lost rows,
    ("forward_plans", int64),  # ... those from changed rows, of the component's own relations first
    ("first_aggregate", int64),
    ("aggregate_count", int64),
    ("first_input", int64),  # numbers of the relations of other components that it reads: a run of `inputs`
    ("input_count", int64),
    ("first_watched", int64),  # update: relations without rows, of which one gets some before rules without plans may
    ("watched_count", int64),  # ... derive anything: another run of `inputs`
    ("first_intermediate", int64),  # bootstrap: relations that hold parts of rules' joins, another run
    ("intermediate_count", int64),
)

FIXPOINT = record(  # a bootstrap of one component
    ("active", int64),  # whether a bootstrap runs, not an update; or which work for a thread (see `parallel`)
    ("phase", int64),
    ("iteration", int64),
    ("plan", int64),
    ("cursor", int64),
    ("rows_planned_for", int64),  # rows of the component from which new plans are asked for at the next iteration,
    ("matches_planned_for", int64),  # ... or matches of one plan, if they are
    ("matches_per_derivation", int64),  # ... so many times its derivations
    ("share_from", int64),  # rows of a delta from which the work is left to threads, 0: never,
    ("share_at_first", int64),  # ... and from which it was at first, before they saw what it takes
    ("listed_by_threads", int64),  # the iteration whose new rows they have listed,
    ("joined_by_threads", int64),  # ... whose plans they have run
    ("share", int64),  # of a thread's own copy: which of so many shares is its own,
    ("share_count", int64),
    ("chunk", int64),  # ... next chunk of rows of the plan at hand,
    ("workspaces", int64),  # ... address of the workspaces of all threads that partition heads, and their number,
    ("workspace_count", int64),
    ("workspace", int64),  # ... the one whose heads are being stored, and the cell of its buffer to carry on at
    ("position", int64),
)

CHANGE = record(  # a row that an update has touched
    ("relation", int32),
    ("row", int32),
    ("old_first", int32),
    ("old_count", int32),
    ("listed", int32),  # in this iteration: whether it is in the list of affected rows,
    ("delta", int32),  # ... derivations gained and lost,
    ("candidate", int32),  # ... iteration of the earliest derivation found,
    ("candidate_count", int32),  # ... number of derivations in it,
    ("doubtful", int32),  # ... and whether one of them may have another time by then
    ("next_affected", int32),
    ("next_lost", int32),
    ("next_moved", int32),  # in the list of departed or of arrived rows
    ("next_changed", int32),  # in the list of all changes of its relation
    ("choice", int32),  # of the plans that start alike, the one that this row takes
)

EVENT = record(  # one instantiation (or a CANDIDATE row), to be looked at in one iteration
    ("next", int32),
    ("kind", int32),
    ("plan", int32),  # the plan that found it; of a CANDIDATE, the relation; of a TOTAL, the aggregate
    ("head", int32),  # row number of the head; of a TOTAL, the group
    ("body", int32, (MAX_BODY,)),  # row numbers of the body; of a TOTAL, first the value
)

UPDATE = record(  # one transaction
    ("component", int64),  # the component at hand
    ("phase", int64),
    ("iteration", int64),
    ("last_iteration", int64),  # last one with events
    ("plan", int64),  # plan to be run next in this phase; NONE: the phase begins
    ("affected", int64),  # list of changes touched by the events of this iteration
    ("first_active", int64),  # relation in which rows are lost, departed or arrived in it, or NONE
    ("stored", int64),  # whether rows may have been stored since the last look at all relations of the component
    ("change_count", int64),
    ("recycle_at", int64),  # count of changes from which blocks out of use are looked for
    ("change_capacity", int64),
    ("changes_wanted", int64),
    ("event_count", int64),
    ("event_capacity", int64),
    ("events_wanted", int64),
    ("free_event", int64),
    ("free_event_count", int64),
    ("iteration_capacity", int64),
    ("iterations_wanted", int64),
    ("scheduled", int64),  # totals for reports: events,
    ("looked_back", int64),  # ... backward evaluations of a row,
    ("ranked", int64),  # ... instantiations they found,
    ("active_iterations", int64),
    ("active_components", int64),
    ("changes", int64),  # addresses of the bulk arrays
    ("events", int64),
    ("first_event", int64),
    ("first_total", int64),
)

# ---- Values and aggregation. A *value* is a cell; an *aggregate input* (in identifiers: aggregand) is one value of one
# group, identified by its *key*: the value itself or, where equal values count more than once, the number of its row; a
# *wave* is the set of aggregate inputs of a group that have the same timestamp; the *total* of a wave is the join of
# all aggregate inputs up to it.

# Kinds of operation: built in; looked up in a table; compiled for the program, on signed or unsigned numbers; asked of
# the host and remembered (ASK_ALWAYS: joins of equal values, too).
(
    MIN,
    MAX,
    MIN_UNSIGNED,
    MAX_UNSIGNED,
    MIN_FLOAT,
    MAX_FLOAT,
    SUM,
    FLAT,
    TABLE,
    COMPILED,
    COMPILED_UNSIGNED,
    ASK,
    ASK_ALWAYS,
) = range(13)

# What stands in the place of a value; cells are 32 bits, values in aggregates 64, so none is mistaken for a cell.
NO_VALUE = -(1 << 40)  # there is no aggregate input
DIRTY = NO_VALUE - 1  # inner node of a tree that must be computed anew
UNKNOWN = NO_VALUE - 2  # the host has not answered yet
LAST_HOLE = NO_VALUE - 3  # free leaf of a tree; LAST_HOLE - 1 - n is a free leaf followed by free leaf n

WORD = 8  # bytes; blocks of a pool are powers of two of words
WORDS_OF_SPILL = 8
WORDS_PER_AGGREGAND = 2
WORDS_PER_WAVE = 8

OPERATION = record(
    ("kind", int64),
    ("argument_count", int64),
    ("slot_count", int64),  # memo table, open addressing
    ("used_slots", int64),
    ("slots_wanted", int64),
    ("asked_count", int64),  # slots the host must fill in before the kernel is called again
    ("asked_capacity", int64),
    ("result_capacity", int64),  # several results: the pool they lie in, each list preceded by its length
    ("bottom", int64),  # FLAT: the cells of the least and the greatest value
    ("top", int64),
    ("value_count", int64),  # TABLE: values it knows
    ("place_count", int64),  # ... slots of the hash table of their places, a power of two
    ("function", int64),  # COMPILED: address of a function of two int64 with a result of int64
    ("table", int64),  # addresses of the bulk arrays
    ("places", int64),
    ("answers", int64),  # addresses of the bulk arrays
    ("asked", int64),
    ("results", int64),
)
VACANT, WAITING, ANSWERED, REFUSED = range(4)  # REFUSED: there is no result, so the rule does not fire
PLACE = record(("cell", int32), ("place", int32))  # of a value in a table of joins; NONE: a vacant slot
ANSWER = record(("arguments", int32, (MAX_ARGUMENTS,)), ("state", int32), ("result", int32))

INLINE_AGGREGANDS = 2
INLINE = record(("value", int64), ("total", int64), ("stamp", int32), ("key", int32))
GROUP_STATE = record(
    ("spill", int32),  # word of the SPILL record of a larger group, or NONE
    ("touched", int32),  # whether the group waits to be settled
    ("noted", int32),  # whether its old final total was noted in this transaction
    ("row", int32),  # some row with the group's columns; NONE: free, and `spill` is the next free state
    ("inline", INLINE, (INLINE_AGGREGANDS,)),
)
SPILL = record(  # a group of more than two aggregate inputs
    ("table_start", int64),  # word of the hash table of its aggregate inputs
    ("table_capacity", int32),
    ("aggregand_count", int32),
    ("waves_start", int64),  # word of the list of its waves, by timestamp
    ("wave_capacity", int32),
    ("wave_count", int32),
    ("touched_from", int32),  # timestamps between which waves have changed
    ("touched_to", int32),
    ("resume_total", int64),  # old total before `resume_at`
    ("resume_at", int32),  # timestamp at which rolling forward waits for the host, or NONE
    ("unused", int32),
)
AGGREGAND = record(("key", int32), ("stamp", int32), ("leaf", int32), ("in_use", int32))
WAVE = record(
    ("total", int64),  # as last settled; NO_VALUE for a new wave
    ("root", int64),  # join of the wave's aggregate inputs; NO_VALUE: empty
    ("tree", int64),  # word of 2 * leaf_capacity nodes; the children of n are 2n and 2n + 1
    ("stamp", int32),
    ("leaf_count", int32),  # leaves handed out, holes included
    ("leaf_capacity", int32),  # 1: there is no tree, the root is the leaf
    ("first_hole", int32),
    ("unused", int64, (3,)),
)
TOTAL_EVENT = record(  # the total of a group changed at a timestamp
    ("old_total", int64),
    ("new_total", int64),
    ("group", int32),
    ("stamp", int32),  # ... or, of running totals, the row of the new total, if it is known
    ("had_row", int32),  # whether the row (group, old total) appeared at this timestamp,
    ("has_row", int32),  # ... and (group, new total) appears there now
)
NOTE = record(("group", int64), ("old_final", int64))  # a group that the transaction has touched

AGGREGATE = record(
    ("operation", int64),
    ("aggregands", int64),  # relations: the aggregate inputs with their timestamps (first iterations),
    ("totals", int64),  # ... every total, as it appears,
    ("finals", int64),  # ... and the final totals, for other components,
    ("holder", int64),  # ... and the one among these that holds the rows of totals and finals
    ("shared", int64),  # whether the aggregate inputs hold them; a group of one then has no state
    ("by_row", int64),  # whether the key of an aggregate input is the number of its row; totals may then return
    ("running", int64),  # whether groups hold running totals alone, as in a bootstrap: see `totals.settle_running`
    ("group_width", int64),  # number of columns that identify a group: the first ones
    ("slot_count", int64),  # of the directory of groups, a power of two
    ("used_slots", int64),
    ("slots_wanted", int64),
    ("state_count", int64),  # states handed out so far
    ("state_capacity", int64),
    ("states_wanted", int64),
    ("free_state", int64),  # head of the list of free states, or NONE
    ("touched_count", int64),
    ("event_count", int64),
    ("event_capacity", int64),
    ("events_wanted", int64),
    ("event_cursor", int64),
    ("note_count", int64),
    ("note_capacity", int64),
    ("notes_wanted", int64),
    ("word_count", int64),  # words handed out from the pool so far
    ("word_capacity", int64),
    ("words_wanted", int64),
    ("join_count", int64),  # joins made, for measurements
    ("group_directory", int64),  # addresses of the bulk arrays
    ("group_states", int64),
    ("touched", int64),
    ("events", int64),
    ("notes", int64),
    ("words", int64),
    ("free_block", int64, (MAX_CLASSES,)),
)
