"""Joins of values: built in, or asked of the host once per distinct pair.

The kernel never calls Python. A pair that the host has not answered yet is queued, once, and the result is UNKNOWN;
whoever gets that leaves its work for later, and the kernel returns NEEDS_ANSWERS when nothing else is left to do.
"""
from .compiling import helper
from .layout import MAX, MIN, NO_VALUE, UNKNOWN, int64
from .storage import answers_of
from .values import NO_ANSWER, recall


@helper
def join(operation, left, right):
    """Least upper bound of two values, NO_VALUE being the least of all; or UNKNOWN."""
    left, right = int64(left), int64(right)
    if left == right or right == NO_VALUE:
        return left
    if left == NO_VALUE:
        return right
    low, high = min(left, right), max(left, right)   # commutative: one answer serves both orders
    if operation.kind == MIN:
        return low
    if operation.kind == MAX:
        return high
    slot = recall(operation, low, high, int64(0), int64(0))
    return int64(UNKNOWN) if slot == NO_ANSWER else int64(answers_of(operation)[slot].result)
