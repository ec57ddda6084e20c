"""What a transaction of a strategy without timestamps knows about a row, and where it is stored.

These strategies need no iterations. Their state lies where other strategies keep (first, count):

    first            ABSENT, or the row's *word*: twice the number of its recursive derivations, plus 1 if it is no fact
    count            the number of its nonrecursive derivations; 1 where they are not counted

A row is *given* if it is a fact of an EDB relation. The change of a row that the transaction has touched holds

    candidate        the word, whether the row is present or not
    delta            the last round in which the row left or entered
    candidate_count  what is known of its proof, as flags: CHECKED …
    listed           whether the row is queued, that is, in the list of rows that the next phase looks at
"""

from .arguments import vector_of
from .compiling import entry_point, helper
from .events import capacity_for_changes, change_of
from .layout import ABSENT, END, NONE, int32, int64
from .storage import change_numbers_of, changes_of, counts_of, first_of

NOT_GIVEN = 1
RECURSIVE = 2  # what one recursive derivation adds to a word
CHECKED = 1  # the row's derivations are looked for, or have been,
FOUND = 2  # ... one was found,
PROVED = 4  # ... and its consequences are proved, too;
DELAYED = 8  # a proof was found before it was asked for
SATED = 16  # enough of its derivations are known for now,
TAKEN = 32  # ... and so many, times this, were known before


@helper
def touch(update, number, relation, row):
    """Return the number of the change of a row, which is made if there is none; there must be capacity for it."""
    known = change_numbers_of(relation)[row]
    if known != END:
        return known
    change_number = change_of(update, number, relation, row)
    change = changes_of(update)[change_number]
    first = first_of(relation)[row]
    change.candidate = int32(NOT_GIVEN) if first == ABSENT else first
    change.delta, change.candidate_count = int32(NONE), int32(0)
    return int32(change_number)


@helper
def is_given(change):
    """Return whether a touched row is a fact in the new state."""
    return change.candidate & NOT_GIVEN == 0


@helper
def was_given(change):
    """Return whether a touched row was a fact in the old state."""
    return change.old_first != ABSENT and change.old_first & NOT_GIVEN == 0


@helper
def set_word(relation, change, word):
    """Change the word of a touched row."""
    change.candidate = word
    first = first_of(relation)
    if first[change.row] != ABSENT:
        first[change.row] = word


@helper
def wait(update, change, number):
    """Queue a touched row, unless it is queued already."""
    if change.listed == 0:
        change.listed = 1
        change.next_affected = update.affected
        update.affected = number


@entry_point
def forget_counts(relation):
    """Set the counts of all present rows to 1."""
    first, counts = first_of(relation), counts_of(relation)
    for row in range(relation.row_count):
        if first[row] != ABSENT and counts[row] != 1:
            counts[row] = 1


@entry_point
def clear_counts(relation):
    """Set the counts of all stored rows, their nonrecursive derivations, to 0; words say which rows are facts."""
    counts = counts_of(relation)
    for row in range(relation.row_count):
        counts[row] = 0


@entry_point(rows=vector_of(int64))
def change_given(update, relation, number, rows, present, done):
    """Make stored rows facts, or (`present` is false) facts no longer; return how many rows are done, fewer than all
    when it needs capacity.

    Rows do not become present or absent yet, because that depends on their derivations. rows: int64[n], numbers of rows
    of the relation `number`; present: bool; done: int64, how many were done before.
    """
    changes = changes_of(update)
    for i in range(done, len(rows)):
        row = rows[i]
        known = change_numbers_of(relation)[row]
        if known == END:
            first = first_of(relation)[row]
            given = first != ABSENT and first & NOT_GIVEN == 0
        else:
            given = is_given(changes[known])
        if given == present:
            continue
        if not capacity_for_changes(update, 1):
            return i
        change = changes[touch(update, number, relation, row)]
        set_word(relation, change, change.candidate ^ NOT_GIVEN)
    return len(rows)
