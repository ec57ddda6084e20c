"""Joins of values: built in, or asked of the host once per distinct pair.

The kernel never calls Python. A pair that the host has not answered yet is queued, once, and the result is UNKNOWN;
whoever gets that leaves its work for later, and the kernel returns NEEDS_ANSWERS when nothing else is left to do.
"""
from .compiling import helper
from .layout import (
    ASK,
    MAX_FLOAT,
    MAX_UNSIGNED,
    MIN,
    MIN_FLOAT,
    MIN_UNSIGNED,
    NO_VALUE,
    SUM,
    UNKNOWN,
    int64,
)
from .storage import answers_of
from .values import NO_ANSWER, UNSIGNED_MASK, recall, wrapped

BITS_OF_INFINITY = 0x7F800000


@helper
def join(operation, left, right):
    """The join of two values, NO_VALUE being neutral; or UNKNOWN. No cell is as small as NO_VALUE."""
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
    low, high = min(left, right), max(left, right)   # commutative: one answer serves both orders
    slot = recall(operation, low, high, int64(0), int64(0))
    return int64(UNKNOWN) if slot == NO_ANSWER else int64(answers_of(operation)[slot].result)


@helper
def comes_before(kind, left, right):
    """Whether a cell holds a lesser value than another, different one; of floats, -0 comes before 0, what is no number last."""
    if kind == MIN_UNSIGNED or kind == MAX_UNSIGNED:
        return (left & UNSIGNED_MASK) < (right & UNSIGNED_MASK)
    if kind == MIN_FLOAT or kind == MAX_FLOAT:
        return float_rank(left) < float_rank(right)
    return left < right


@helper
def float_rank(cell):
    """A number that orders cells with floats: their bits, those below the sign turned over where it is set."""
    if (cell & 0x7FFFFFFF) > BITS_OF_INFINITY:
        return cell + (1 << 40)
    return cell if cell >= 0 else cell ^ 0x7FFFFFFF
