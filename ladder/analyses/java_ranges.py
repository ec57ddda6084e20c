"""What `java/witness.dl` asks of the numbers that a value is known to take: pairs (low, high), both of which occur.

Such a pair is a witness, not a bound: `ladder.analyses.java_values` says which numbers a value may have at most, these
pairs say which ones it has for some input. Numbers are Python's: integers exact, others as doubles.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator

from ladder.analyses.java_values import RANGES
from ladder.lattices import Extreme, Interval
from ladder.lattices import interval as intervals

Number = int | float
Pair = tuple[Number, Number]

witnesses: Interval = intervals(None)
BOXES = {
    "java.lang.Byte": "byte",
    "java.lang.Short": "short",
    "java.lang.Integer": "int",
    "java.lang.Long": "long",
    "java.lang.Character": "char",
}
LARGEST_INDEX = RANGES["int"][1]
LARGEST_FLOAT = 3.4028234663852886e38
ENOUGH = 64 * 4  # bits of a number that is computed further


def number(text: str) -> Number:
    """The number that a literal stands for; `nan` for one that is none."""
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return math.nan


def between(low: str, high: str) -> Iterator[Pair]:
    """The pair of two literals; no result if one is no number."""
    pair = number(low), number(high)
    if not any(map(math.isnan, pair)):
        yield pair


def of_digits(start: str, end: str) -> Iterator[Pair]:
    """The numbers that as many characters may say as are between two positions."""
    size = number(end) - number(start)
    if 0 < size < 19:
        yield 1 - 10 ** int(size - 1), 10 ** int(size) - 1


def exactly(text: str) -> Iterator[Pair]:
    """The pair of a number with itself."""
    return between(text, text)


def below(bound: Pair) -> Iterator[Pair]:
    """From zero to the number before the bound; no result for a bound that is not positive."""
    if bound[0] > 0 and isinstance(bound[0], int):
        yield 0, bound[0] - 1


def is_single(pair: Pair) -> int:
    """1 if the pair is one number."""
    return int(pair[0] == pair[1])


def extreme(field: str) -> Iterator[Pair]:
    """The value of a field of the library such as `Integer.MAX_VALUE`."""
    owner, _, rest = field.strip("<>").partition(": ")
    bounds = RANGES.get(BOXES.get(owner, ""))
    name = rest.rpartition(" ")[2]
    if bounds is not None and name in ("MIN_VALUE", "MAX_VALUE"):
        value = bounds[name == "MAX_VALUE"]
        yield value, value


# ---- what conditions leave


def narrowed(comparison: str, pair: Pair, other: Pair) -> Iterator[Pair]:
    """What is left of the pair where it compares with one number so."""
    low, high = pair
    bound = other[0]
    step = 1 if isinstance(bound, int) and isinstance(low, int) and isinstance(high, int) else 0
    if comparison == "==":
        low, high = (bound, bound) if low <= bound <= high else (1, 0)
    elif comparison == "!=":
        if low == bound:
            low = low + step if step else math.nextafter(float(low), math.inf)
        if high == bound:
            high = high - step if step else math.nextafter(float(high), -math.inf)
        if low < bound < high:
            yield from _split(low, bound, high, step)
            return
    elif comparison in ("<", "<="):
        strict = comparison == "<"
        high = min(high, (bound - step if step else math.nextafter(float(bound), -math.inf)) if strict else bound)
    else:
        strict = comparison == ">"
        low = max(low, (bound + step if step else math.nextafter(float(bound), math.inf)) if strict else bound)
    if low <= high:
        yield low, high


def _split(low: Number, bound: Number, high: Number, step: int) -> Iterator[Pair]:
    """The numbers on both sides of a bound."""
    if step:
        yield low, bound - step
        yield bound + step, high
    else:
        yield low, math.nextafter(float(bound), -math.inf)
        yield math.nextafter(float(bound), math.inf), high


def ends(comparison: str, pair: Pair) -> Iterator[Pair]:
    """What is left of the pair where it compares so with something that is not known: only the end that the condition
    says nothing of, and all of it where it differs from one number. Of one number it is not known whether it compares
    so, but that a negative one is less than a length or a count, and the greatest one greater than most."""
    single = pair[0] == pair[1]
    if comparison in ("<", "<=") and (pair[0] < 0 or not single):
        yield pair[0], pair[0]
    elif comparison in (">", ">=") and (pair[1] >= LARGEST_INDEX or not single):
        yield pair[1], pair[1]
    elif comparison == "!=":
        yield pair


# ---- arithmetic

_CORNERS: dict[str, Callable[[Number, Number], Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}


def _results(operation: str, left: Pair, right: Pair) -> tuple[Number, ...]:
    """What the operation gives for the ends of both pairs; nothing if it is none of these, or of doubles."""
    ends_ = (*left, *right)
    if any(isinstance(end, float) for end in ends_):
        return ()
    if operation == "%" and left[0] != left[1] and right[0] == right[1]:
        return _remainders(left, abs(right[0]) - 1)
    if operation in ("/", "%"):
        if left[0] != left[1] or right[0] != right[1] or right[0] == 0:
            return ()
        quotient = abs(left[0]) // abs(right[0]) * (1 if (left[0] < 0) == (right[0] < 0) else -1)
        return (quotient if operation == "/" else left[0] - right[0] * quotient,)
    corner = _CORNERS.get(operation)
    return () if corner is None else tuple(corner(a, b) for a in left for b in right)


def _remainders(left: Pair, greatest: Number) -> tuple[Number, ...]:
    """The ends of what is left of a division of the numbers from the one end to the other, which has the sign of these;
    nothing if that may be no more than some of what is possible."""
    low, high = left
    if greatest < 1 or low > greatest or high < -greatest:
        return ()
    return (max(low, -greatest), min(high, greatest)) if low < 0 or high <= greatest else (0, greatest)


def remainder_by_count(pair: Pair) -> Iterator[Pair]:
    """A negative number is left of the division of one by a length or a count that is greater than 1."""
    if isinstance(pair[0], int) and pair[0] < 0 < pair[1]:
        yield -1, 0


def computed(operation: str, type_: str, left: Pair, right: Pair) -> Iterator[Pair]:
    """The pair of `left operation right`, if the type holds it."""
    found = _results(operation, left, right)
    if found and not overflows(operation, type_, left, right):
        yield min(found), max(found)


def overflows(operation: str, type_: str, left: Pair, right: Pair) -> int:
    """1 if the type does not hold `left operation right` for some ends of the pairs."""
    bounds, found = RANGES.get(type_), _results(operation, left, right)
    return int(bounds is not None and any(not bounds[0] <= result <= bounds[1] for result in found))


def squared_overflows(operation: str, type_: str, pair: Pair) -> int:
    """1 if the type does not hold the product of an end of the pair with itself."""
    return int(operation == "*" and any(overflows("*", type_, (end, end), (end, end)) for end in pair))


def kept(type_: str, pair: Pair) -> Iterator[Pair]:
    """The pair, if a cast to the type keeps it."""
    if type_ not in RANGES or not truncated(type_, pair):
        yield pair


def truncated(type_: str, pair: Pair) -> int:
    """1 if a cast to the type changes an end of the pair."""
    bounds = (-LARGEST_FLOAT, LARGEST_FLOAT) if type_ == "float" else RANGES.get(type_)
    return int(bounds is not None and not (bounds[0] <= pair[0] and pair[1] <= bounds[1]))


def loses_bits(type_: str, pair: Pair) -> int:
    """1 if an end of the pair does not fit into the type: a byte, short or char may stand for a number with a sign or
    for one without, as 200 is stored in a byte."""
    if type_ not in ("byte", "short", "char"):
        return truncated(type_, pair)
    low, high = RANGES[type_]
    return int(not (-(high - low + 1) // 2 <= pair[0] and pair[1] <= high - low))


# ---- what goes wrong


def has_zero(pair: Pair) -> int:
    """1 if zero is among the numbers between the ends."""
    return int(pair[0] <= 0 <= pair[1])


def is_negative(pair: Pair) -> int:
    """1 if the low end is negative."""
    return int(pair[0] < 0)


def is_beyond(pair: Pair, length: tuple[int, int] | Extreme) -> int:
    """1 if the high end is no index of any array whose length is in the range."""
    return int(not isinstance(length, Extreme) and pair[1] >= length[1])


def is_beyond_size(pair: Pair, size: tuple[int, int] | Extreme, more: int) -> int:
    """1 if the high end is no index of anything whose size is in the range; `more`: 1 where the size itself is one."""
    return int(not isinstance(size, Extreme) and pair[1] >= size[1] + more)


def is_past_all(pair: Pair) -> int:
    """1 if the high end is an index of no array at all."""
    return int(pair[1] >= LARGEST_INDEX)


def too_short(pair: Pair, index: str) -> int:
    """1 if an array whose length is the low end, which is none of those that throw, has no such index."""
    return int(0 <= pair[0] <= number(index))


def always_outside(index: tuple[int, int] | Extreme, length: tuple[int, int] | Extreme) -> int:
    """1 if no index in the range is one of an array whose length is in the range."""
    if isinstance(index, Extreme) or isinstance(length, Extreme):
        return 0
    return int(index[1] < 0 or index[0] >= length[1])


def always_past(index: tuple[int, int] | Extreme, size: tuple[int, int] | Extreme, more: int) -> int:
    """1 if all indexes in the range are beyond all sizes in the other; `more`: 1 where the size itself is an index."""
    return int(not isinstance(index, Extreme) and not isinstance(size, Extreme) and index[0] >= size[1] + more)


def always_negative(value: tuple[int, int] | Extreme) -> int:
    """1 if all values are negative."""
    return int(not isinstance(value, Extreme) and value[1] < 0)


def is_zero(value: tuple[int, int] | Extreme) -> int:
    """1 if the value is zero and nothing else."""
    return int(value == (0, 0))


def end_text(pair: Pair) -> str:
    """The pair as sentences have it."""
    return str(pair[0]) if pair[0] == pair[1] else f"{pair[0]} to {pair[1]}"
