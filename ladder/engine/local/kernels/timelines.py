"""Timelines: the number of derivations of a row in each iteration, not only in its first one.

The (first, count) of a present row is the beginning of its timeline; its other iterations are in a list of the row, the
latest first, in a pool that all relations share. Most rows have no such list. A transaction notes what it changes in
lists, so that it can be rolled back.

In this module, `heads` is the record of HEADS of one relation, except in `take_back`.
"""

import numpy as np

from .arguments import record_of, vector_of
from .compiling import entry_point, helper
from .layout import END, NONE, int32, int64, record
from .memory import accessor

ENTRY = record(("iteration", int32), ("count", int32), ("next", int32))
NOTE = record(("relation", int32), ("row", int32), ("iteration", int32), ("difference", int32))
TIMELINES = record(
    ("entry_count", int64),  # entries handed out from the pool so far; number END is unused
    ("entry_capacity", int64),
    ("entries_wanted", int64),
    ("free_entry", int64),  # list of those out of use
    ("note_count", int64),
    ("note_capacity", int64),
    ("notes_wanted", int64),
    ("entries", int64),  # addresses of the bulk arrays
    ("notes", int64),
)
HEADS = record(("capacity", int64), ("heads", int64))  # of one relation: the first entry of each row's list

_entries = accessor(ENTRY, 1)
_notes = accessor(NOTE, 1)
_heads = accessor(np.int32, 1)


@helper
def heads_of(heads):
    """The first entry of each row's list, END where it has none: int32[capacity]."""
    return _heads(heads.heads, heads.capacity)


@helper
def capacity_for_later(timelines, count):
    """Return whether there is room for `count` more entries and notes; ask for capacity otherwise."""
    if timelines.entry_count + count > timelines.entry_capacity:
        timelines.entries_wanted = timelines.entry_count + count
        return False
    if timelines.note_count + count > timelines.note_capacity:
        timelines.notes_wanted = timelines.note_count + count
        return False
    return True


@helper
def count_later(timelines, heads, row, iteration, difference):
    """Change the number of derivations of a row in an iteration of its list; there must be capacity for an entry."""
    entries, firsts = _entries(timelines.entries, timelines.entry_capacity), heads_of(heads)
    before, number = int64(NONE), int64(firsts[row])
    while number != END and entries[number].iteration > iteration:
        before, number = number, int64(entries[number].next)
    if number == END or entries[number].iteration != iteration:
        following = number
        number = timelines.free_entry
        if number != END:
            timelines.free_entry = entries[number].next
        else:
            number = timelines.entry_count
            timelines.entry_count += 1
        entry = entries[number]
        entry.iteration, entry.count, entry.next = iteration, 0, following
        if before == NONE:
            firsts[row] = number
        else:
            entries[before].next = number
    entry = entries[number]
    entry.count += difference
    if entry.count == 0:
        if before == NONE:
            firsts[row] = entry.next
        else:
            entries[before].next = entry.next
        entry.next = timelines.free_entry
        timelines.free_entry = number


@helper
def note_later(timelines, heads, relation, row, iteration, difference):
    """Do what `count_later` does, and note it for a rollback; there must be capacity for an entry and a note.
    `relation` is the number of the relation."""
    note = _notes(timelines.notes, timelines.note_capacity)[timelines.note_count]
    note.relation, note.row, note.iteration, note.difference = relation, row, iteration, difference
    timelines.note_count += 1
    count_later(timelines, heads, row, iteration, difference)


@helper
def count_at(timelines, heads, row, iteration):
    """Return the number of derivations of a row in an iteration of its list."""
    entries, number = _entries(timelines.entries, timelines.entry_capacity), int64(heads_of(heads)[row])
    while number != END and entries[number].iteration > iteration:
        number = int64(entries[number].next)
    return int64(entries[number].count) if number != END and entries[number].iteration == iteration else int64(0)


@helper
def next_later(timelines, heads, row, iteration):
    """Return the first iteration after this one in a row's list, or NONE."""
    entries, number, found = (
        _entries(timelines.entries, timelines.entry_capacity),
        int64(heads_of(heads)[row]),
        int64(NONE),
    )
    while number != END and entries[number].iteration > iteration:
        found = int64(entries[number].iteration)
        number = int64(entries[number].next)
    return found


@entry_point(timelines=record_of(TIMELINES), heads=vector_of(HEADS))
def take_back(timelines, heads):
    """Undo the changes that were noted; return False when it needs capacity, and a second call carries on with the
    notes that are left."""
    notes = _notes(timelines.notes, timelines.note_capacity)
    while timelines.note_count > 0:
        if timelines.entry_count + 1 > timelines.entry_capacity:
            timelines.entries_wanted = timelines.entry_count + 1
            return False
        note = notes[timelines.note_count - 1]
        count_later(timelines, heads[note.relation], note.row, int64(note.iteration), -note.difference)
        timelines.note_count -= 1
    return True


@entry_point(
    timelines=record_of(TIMELINES),
    heads=record_of(HEADS),
    rows=vector_of(int32),
    iterations=vector_of(int32),
    counts=vector_of(int32),
)
def read_later(timelines, heads, rows, iterations, counts):
    """Read the lists of all rows of a relation, row after row, as (row, iteration, count); return the number of
    entries.

    rows, iterations, counts: int32[n], which are filled up to their end; entries beyond it are only counted.
    """
    entries, firsts, found = _entries(timelines.entries, timelines.entry_capacity), heads_of(heads), 0
    for row in range(heads.capacity):
        number = int64(firsts[row])
        while number != END:
            if found < len(rows):
                rows[found], iterations[found], counts[found] = row, entries[number].iteration, entries[number].count
            found += 1
            number = int64(entries[number].next)
    return found
