"""Joins of values: built in, looked up in a table, compiled for the program, or computed by the host, once for each
pair of values.

Kernels never call Python. A pair that the host has not answered yet is queued, once, and the result is UNKNOWN;
the caller then postpones its work, and the kernel returns NEEDS_ANSWERS when nothing else is left to do.
"""

from .arguments import vector_of
from .blocks import home_slot
from .compiling import entry_point, helper
from .indirect_calls import call_at
from .layout import (
    ASK,
    COMPILED,
    COMPILED_UNSIGNED,
    FLAT,
    MAX_FLOAT,
    MAX_UNSIGNED,
    MIN,
    MIN_FLOAT,
    MIN_UNSIGNED,
    NO_VALUE,
    NONE,
    SUM,
    TABLE,
    UNKNOWN,
    int32,
    int64,
)
from .storage import answers_of, places_of, table_of
from .values import NO_ANSWER, UNSIGNED_MASK, recall, wrapped

BITS_OF_INFINITY = 0x7F800000


@helper
def join(operation, left, right):
    """Return the join of two values, or UNKNOWN while the host has not answered. NO_VALUE, which is no cell, is
    neutral."""
    left, right = int64(left), int64(right)
    if right == NO_VALUE:
        return left
    if left == NO_VALUE:
        return right
    kind = operation.kind
    if kind == SUM:
        return wrapped(left + right)
    if left == right and kind <= ASK:
        return left
    if kind < SUM:
        smaller = comes_before(kind, left, right) == (kind == MIN or kind == MIN_UNSIGNED or kind == MIN_FLOAT)
        return left if smaller else right
    if kind == FLAT:
        return right if left == operation.bottom else left if right == operation.bottom else int64(operation.top)
    if kind == COMPILED:
        return wrapped(call_at(operation.function, left, right))
    if kind == COMPILED_UNSIGNED:
        return wrapped(call_at(operation.function, left & UNSIGNED_MASK, right & UNSIGNED_MASK))
    if kind == TABLE:
        row, column = place_of(operation, left), place_of(operation, right)
        if row != NONE and column != NONE:
            return int64(table_of(operation)[row, column])
    low, high = min(left, right), max(left, right)  # commutative: one answer serves both orders
    slot = recall(operation, low, high, int64(0), int64(0))
    return int64(UNKNOWN) if slot == NO_ANSWER else int64(answers_of(operation)[slot].result)


@helper
def place_of(operation, cell):
    """Return the place of a value in the table of joins, or NONE if it is not in the table."""
    places, last_slot = places_of(operation), operation.place_count - 1
    slot = home_slot(cell, last_slot)
    while places[slot].place != NONE and places[slot].cell != cell:
        slot = (slot + 1) & last_slot
    return int64(places[slot].place)


@helper
def comes_before(kind, left, right):
    """Return whether the value of one cell is less than that of another, different one; of floats, -0 comes before 0,
    and NaN comes last."""
    if kind == MIN_UNSIGNED or kind == MAX_UNSIGNED:
        return (left & UNSIGNED_MASK) < (right & UNSIGNED_MASK)
    if kind == MIN_FLOAT or kind == MAX_FLOAT:
        return float_rank(left) < float_rank(right)
    return left < right


@helper
def float_rank(cell):
    """Return a number that orders cells of floats by value: their bits, where those below the sign are inverted for
    negative floats; NaN is ranked last."""
    if (cell & 0x7FFFFFFF) > BITS_OF_INFINITY:
        return cell + (1 << 40)
    return cell if cell >= 0 else cell ^ 0x7FFFFFFF


@entry_point(cells=vector_of(int32))
def fill_places(operation, cells):
    """Enter the cells of a table's values, in their order, into its hash table of places, which is vacant.

    cells: int32[value_count].
    """
    places, last_slot = places_of(operation), operation.place_count - 1
    for position in range(len(cells)):
        slot = home_slot(cells[position], last_slot)
        while places[slot].place != NONE and places[slot].cell != cells[position]:
            slot = (slot + 1) & last_slot
        places[slot].cell, places[slot].place = cells[position], position
