"""Bitmaps of known rows: a bit for each row that a relation might have, for relations that have many of these.

A dense relation is derived again and again: the closure of a graph with n vertices and m edges has at most n * n rows,
which follow from up to n * m instantiations. In a bootstrap, an instantiation of a row from before the iteration
changes nothing, and a bit, which is in the cache, says so sooner than the primary index. A bit that is not set says
nothing: threads set none, and values outside of the ranges that the bitmap was made for have none.

The host makes a bitmap when a kernel asks, after many rows were derived again, where all rows with values between the
least and the greatest of each column are not many times those that there are. It is dropped when the component is
finished: a row that an update takes away would still have its bit.
"""

from .compiling import helper
from .layout import KNOWN_COLUMNS, NONE, int64
from .storage import known_of, rows_of

OUTSIDE = 4  # one in so many rows outside of the ranges, and they are measured anew


@helper
def place_of_cell(relation, column, place, cell):
    """Return the place of a row, of which the columns up to this one have `place`, among all rows of the ranges; NONE
    outside of them."""
    cell = int64(cell) - relation.known_low[column]
    if place < 0 or cell < 0 or cell >= relation.known_width[column]:
        return int64(NONE)
    return place * relation.known_width[column] + cell


@helper
def note_known(relation):
    """Set the bits of the rows that are there, and have not been noted, at the beginning of an iteration."""
    known, rows = known_of(relation), rows_of(relation)
    for row in range(relation.known_rows, relation.settled_rows):
        place = int64(0)
        for column in range(relation.arity):
            place = place_of_cell(relation, column, place, rows[row, column])
        if place == NONE:
            relation.known_outside += 1
        else:
            known[place >> 3] = int64(known[place >> 3]) | int64(1) << (place & 7)
    relation.known_rows = relation.settled_rows


@helper
def asks_for_bitmap(relation, workspace):
    """Return whether a relation wants a bitmap, or one for other ranges."""
    if relation.known != 0:
        return OUTSIDE * relation.known_outside > relation.row_count
    if relation.arity > KNOWN_COLUMNS or relation.aggregate != NONE or relation.owner != NONE:
        return False
    return relation.repeated > max(workspace.known_repeats, relation.known_after, relation.row_count >> 1)


@helper
def note_component(component, relations, workspace):
    """Note the new rows of the relations that have bitmaps; return False if others, or others for them, are wanted."""
    done = True
    for number in range(component.first_relation, component.first_relation + component.relation_count):
        relation = relations[number]
        if relation.known != 0:
            note_known(relation)
        if asks_for_bitmap(relation, workspace):
            relation.known_wanted, done = 1, False
    return done


@helper
def find_places(step, relation, batch, places):
    """Set places[i] to the place of candidate `i` among all rows of the ranges, NONE outside of them."""
    count = int64(step.source_count)
    for a in range(step.argument_count):
        column, low, width = batch[step.arguments[a]], relation.known_low[a], relation.known_width[a]
        if a == 0:
            for i in range(count):
                cell = int64(column[i]) - low
                places[i] = cell if (cell >= 0) & (cell < width) else int64(NONE)
        else:
            for i in range(count):
                cell, place = int64(column[i]) - low, int64(places[i])
                places[i] = place * width + cell if (place >= 0) & (cell >= 0) & (cell < width) else int64(NONE)


@helper
def drop_known(step, relation, batch, places, left):
    """Drop the candidates of a batch that are known rows; return how many are left. places, left: int32[batch_size],
    scratch."""
    known, count, kept = known_of(relation), int64(step.source_count), int64(0)
    find_places(step, relation, batch, places)
    for i in range(count):  # without a branch, which no processor could foresee
        place = int64(places[i])
        inside = int64(place >= 0)
        left[kept] = i
        kept += 1 - (inside & int64(known[(place >> 3) * inside]) >> (place & 7))
    if kept < count:
        for a in range(step.argument_count):
            keep(step, batch, a, left, kept)
        if step.value_register != NONE:
            register = batch[step.value_register]
            for k in range(kept):
                register[k] = register[left[k]]
    return kept


@helper
def keep(step, batch, a, left, kept):
    """Move the cells of the candidates that are left to the front of the register of an argument, once for each
    register."""
    for earlier in range(a):
        if step.arguments[earlier] == step.arguments[a]:
            return
    register = batch[step.arguments[a]]
    for k in range(kept):
        register[k] = register[left[k]]
