"""Accessors: functions that return the bulk arrays of a record. Each docstring ends with the dtype and the shape, by
fields of the record.

Python owns every bulk array and keeps its address in a record (see `ladder.engine.local.arrays`). Kernels fetch the
arrays that they need once for each batch, by name.
"""

import numpy as np

from .compiling import helper
from .layout import (
    AGGREGAND,
    ANSWER,
    BLOCK,
    CHANGE,
    ENTRY,
    EVENT,
    GROUP_STATE,
    KEY,
    MARK_BITS,
    MAX_REGISTERS,
    NOTE,
    PLACE,
    SPILL,
    TOTAL_EVENT,
    WAVE,
    WORD,
    WORKSPACE,
)
from .memory import accessor

KEY_BYTES = KEY.itemsize

_cells = accessor(np.int32, 1)
_counts = accessor(np.int32, 1, increments=True)
_cell_table = accessor(np.int32, 2)
_keys = accessor(KEY, 1)
_entries = accessor(ENTRY, 1)
_blocks = accessor(BLOCK, 1)
_changes = accessor(CHANGE, 1)
_events = accessor(EVENT, 1)
_flags = accessor(np.uint8, 1)
_words = accessor(np.int64, 1)
_answers = accessor(ANSWER, 1)
_places = accessor(PLACE, 1)
_group_states = accessor(GROUP_STATE, 1)
_total_events = accessor(TOTAL_EVENT, 1)
_notes = accessor(NOTE, 1)
_spills = accessor(SPILL, 1)
_aggregands = accessor(AGGREGAND, 1)
_waves = accessor(WAVE, 1)
_workspaces = accessor(WORKSPACE, 1)


@helper
def rows_of(relation):
    """The rows of a relation, as a table of cells: int32[row_capacity, arity]."""
    return _cell_table(relation.rows, relation.row_capacity, relation.arity)


@helper
def first_of(relation):
    """The iteration in which each row was first derived: int32[row_capacity]."""
    return _cells(relation.first_iteration, relation.row_capacity)


@helper
def counts_of(relation):
    """The number of derivations of each row in its first iteration, 1 in memory never written: int32[row_capacity]."""
    return _counts(relation.derivation_count, relation.row_capacity)


@helper
def view_first_of(relation, place):
    """The first iterations that the rows of a relation have in one of its views: int32[row_capacity]."""
    return _cells(relation.view_first[place], relation.row_capacity)


@helper
def known_of(relation):
    """The bitmap of known rows of a relation that has one: uint8[(known_bits + 7) / 8]."""
    return _flags(relation.known, (relation.known_bits + 7) >> 3)


@helper
def change_numbers_of(relation):
    """The number of each row's change in the running update, END where a row has none, as also in memory that was never
    written: int32[row_capacity]."""
    return _cells(relation.change_number, relation.row_capacity)


@helper
def changes_of(update):
    """The changes of the rows that an update has touched; number END is unused: CHANGE[change_capacity]."""
    return _changes(update.changes, update.change_capacity)


@helper
def events_of(update):
    """The pool of events; number END is unused: EVENT[event_capacity]."""
    return _events(update.events, update.event_capacity)


@helper
def first_events_of(update):
    """The first event in the list of each iteration: int32[iteration_capacity]."""
    return _cells(update.first_event, update.iteration_capacity)


@helper
def first_totals_of(update):
    """The first event in the list of TOTAL events of each iteration: int32[iteration_capacity]."""
    return _cells(update.first_total, update.iteration_capacity)


@helper
def directory_of(index):
    """The hash table of the blocks of an index, by key: KEY[slot_count]."""
    return _keys(index.directory, index.slot_count)


@helper
def marks_of(index):
    """The marks of the keys of an index, which lie behind its directory: uint8[slot_count << MARK_BITS >> 3]."""
    return _flags(index.directory + index.slot_count * KEY_BYTES, index.slot_count << MARK_BITS >> 3)


@helper
def entries_of(index):
    """The pool from which the blocks of an index are allocated: ENTRY[entry_capacity]."""
    return _entries(index.entries, index.entry_capacity)


@helper
def retired_of(index):
    """The blocks that were replaced while a scan may still be reading them: BLOCK[retired_capacity]."""
    return _blocks(index.retired, index.retired_capacity)


@helper
def batch_of(workspace, level):
    """The batch that the step at `level` fills; [r, i] is variable r of row i: int32[MAX_REGISTERS, batch_size]."""
    registers = MAX_REGISTERS * workspace.batch_size
    return _cell_table(workspace.batches + 4 * level * registers, MAX_REGISTERS, workspace.batch_size)


@helper
def scratch_of(workspace):
    """Four columns of batch size for use within one step: int32[4, batch_size]."""
    return _cell_table(workspace.scratch, 4, workspace.batch_size)


@helper
def slots_of(workspace):
    """The first two of the scratch columns as one: int32[2 * batch_size]."""
    return _cells(workspace.scratch, 2 * workspace.batch_size)


@helper
def flags_of(workspace):
    """Flags of the entries of a pool, eight in each item: uint8[flag_capacity]."""
    return _flags(workspace.entry_flags, workspace.flag_capacity)


@helper
def workspaces_of(fixpoint):
    """The workspaces of the threads that have partitioned heads: WORKSPACE[workspace_count]."""
    return _workspaces(fixpoint.workspaces, fixpoint.workspace_count)


@helper
def partitioned_of(workspace, consumer):
    """The buffer for the heads that a thread sends to a consumer: int32[partitioned_capacity]."""
    return _cells(workspace.partitioned[consumer], workspace.partitioned_capacity)


@helper
def partitioned_rows(address, position, width, count):
    """Partitioned heads at a position of a buffer, column by column: int32[width, count]."""
    return _cell_table(address + 4 * position, width, count)


@helper
def answers_of(operation):
    """The memo table of an operation: ANSWER[slot_count]."""
    return _answers(operation.answers, operation.slot_count)


@helper
def table_of(operation):
    """The joins of each two values of a finite lattice, by their places: int32[value_count, value_count]."""
    return _cell_table(operation.table, operation.value_count, operation.value_count)


@helper
def places_of(operation):
    """The hash table of the places of values in the table of joins: PLACE[place_count]."""
    return _places(operation.places, operation.place_count)


@helper
def asked_of(operation):
    """The slots of the memo table that wait for the host: int32[asked_capacity]."""
    return _cells(operation.asked, operation.asked_capacity)


@helper
def results_of(operation):
    """The lists of results of an operation with several, each preceded by its length: int32[result_capacity]."""
    return _cells(operation.results, operation.result_capacity)


@helper
def group_states_of(aggregate):
    """The states of the groups that have one: GROUP_STATE[state_capacity]."""
    return _group_states(aggregate.group_states, aggregate.state_capacity)


@helper
def group_directory_of(aggregate):
    """The hash table of the groups (see `directory`): int32[slot_count]."""
    return _cells(aggregate.group_directory, aggregate.slot_count)


@helper
def touched_of(aggregate):
    """The queue of the groups that wait to be settled: int32[state_capacity]."""
    return _cells(aggregate.touched, aggregate.state_capacity)


@helper
def total_events_of(aggregate):
    """The changes of totals since the events were last cleared: TOTAL_EVENT[event_capacity]."""
    return _total_events(aggregate.events, aggregate.event_capacity)


@helper
def notes_of(aggregate):
    """The groups that a transaction has touched, with their old final totals: NOTE[note_capacity]."""
    return _notes(aggregate.notes, aggregate.note_capacity)


@helper
def words_of(aggregate):
    """The pool from which the blocks of larger groups are allocated: int64[word_capacity]."""
    return _words(aggregate.words, aggregate.word_capacity)


@helper
def spill_of(aggregate, group):
    """The record of a larger group: SPILL."""
    return _spills(aggregate.words + WORD * group.spill, 1)[0]


@helper
def aggregands_of(aggregate, spill):
    """The hash table of the aggregate inputs of a larger group, by key: AGGREGAND[table_capacity]."""
    return _aggregands(aggregate.words + WORD * spill.table_start, spill.table_capacity)


@helper
def waves_of(aggregate, spill):
    """The waves of a larger group, by timestamp: WAVE[wave_capacity]."""
    return _waves(aggregate.words + WORD * spill.waves_start, spill.wave_capacity)


@helper
def nodes_of(aggregate, wave):
    """The tree of a wave that has several leaves; node 1 is the root, the last half are the leaves: int64[2 *
    leaf_capacity]."""
    return nodes_at(aggregate, wave.tree, 2 * wave.leaf_capacity)


@helper
def nodes_at(aggregate, tree, count):
    """The first `count` nodes of the tree at word `tree`: int64[count]."""
    return _words(aggregate.words + WORD * tree, count)
