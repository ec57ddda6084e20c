"""What a method requires of a number or a truth value that it is given: the lattice and the functors of
`java/requirements.dl`.

A requirement is `(low, high, excluded, open)`, four conditions that a value satisfies wherever the method returns: it
is not less than `low` and not greater than `high`, it is none of `excluded`, and it has passed the checks `open`, of
which it is not known what they let through: `LOW` and `HIGH` are comparisons by which the least or the greatest numbers
may be refused, any other text is a check by a call.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

from ladder.analyses.java_ranges import Number, Pair, ends, number
from ladder.analyses.java_values import RANGES, Range
from ladder.analyses.java_values import ranges as value_ranges
from ladder.lattices import BOTTOM, Extreme, Lattice

Bounds = tuple[Number, Number, tuple[int, ...], tuple[str, ...]]
Requirement = Bounds | Extreme

HOLES = (-1, 0, 1)
"""The numbers of which it is kept whether a value may be one of them: 0, and what stands for `not found`. Of all other
numbers only bounds are kept, so that chains end at the literals of the program."""

LOW, HIGH = "low", "high"
FLOATING = {"float", "double", "java.lang.Float", "java.lang.Double"}


class Requirements(Lattice[Requirement]):
    """Requirements ordered by what they let through; `BOTTOM` is that of a method that never returns.

    A product: intervals, joined by their hull; sets of excluded numbers and sets of checks, joined by intersection.
    """

    bottom = BOTTOM
    top: Bounds = (-math.inf, math.inf, (), ())

    def join(self, a: Requirement, b: Requirement) -> Requirement:
        if isinstance(b, Extreme) or a == b:
            return a
        if isinstance(a, Extreme):
            return b
        return min(a[0], b[0]), max(a[1], b[1]), _common(a[2], b[2]), _common(a[3], b[3])

    def meet(self, a: Requirement, b: Requirement) -> Requirement:
        if isinstance(a, Extreme) or isinstance(b, Extreme):
            return BOTTOM
        low, high = max(a[0], b[0]), min(a[1], b[1])
        return _made(low, high, {*a[2], *b[2]}, {*a[3], *b[3]})

    def examples(self) -> Sequence[Requirement]:
        inf = math.inf
        bounds = ((-inf, inf), (0, inf), (1, inf), (-inf, -1), (0, 1), (2, 9), (0.5, 2.5))
        sets = product(bounds, ((), (0,), (0, 1)), ((), (LOW,), (LOW, HIGH)))
        return [BOTTOM, *dict.fromkeys(_made(low, high, {*out}, {*checks}) for (low, high), out, checks in sets)]


requirements = Requirements()


def _common(a: tuple[object, ...], b: tuple[object, ...]) -> tuple:  # type: ignore[type-arg]
    return a if a == b else tuple(value for value in a if value in b)


def _made(low: Number, high: Number, excluded: set[int], open_: set[str]) -> Requirement:
    """The requirement with these conditions: `BOTTOM` if no number satisfies them."""
    excluded = excluded | {hole for hole in HOLES if not low <= hole <= high}
    if low > high or low == high and low in excluded:
        return BOTTOM
    return low, high, tuple(sorted(excluded)), tuple(sorted(open_))


# ---- what conditions leave


def nothing_required(type_: str) -> Requirement:
    """The requirement that every value of the type satisfies."""
    low, high = RANGES["boolean"] if type_ in ("boolean", "java.lang.Boolean") else (-math.inf, math.inf)
    return _made(low, high, set(), set())


def compared(comparison: str, given: Requirement, literal: str, type_: str) -> Iterator[Requirement]:
    """What is left of a value of the type where it compares so with a literal; no result if nothing is left."""
    bound = number(literal)
    if isinstance(given, Extreme) or math.isnan(bound):
        yield given
        return
    low, high, excluded, open_ = given
    step = 0 if type_ in FLOATING else 1
    if comparison == "==":
        low, high = max(low, bound), min(high, bound)
    elif comparison == "!=":
        excluded = tuple({*excluded, *(hole for hole in HOLES if hole == bound)})
        low = low + step if low == bound else low
        high = high - step if high == bound else high
    elif comparison in ("<", "<="):
        high = min(high, _before(bound, step) if comparison == "<" else bound)
    else:
        low = max(low, _behind(bound, step) if comparison == ">" else bound)
    yield from _some(_made(low, high, set(excluded), set(open_)))


def compared_with_unknown(comparison: str, given: Requirement) -> Iterator[Requirement]:
    """What is left of a value where it compares so with something that is not known here."""
    refused = {"<": HIGH, "<=": HIGH, ">": LOW, ">=": LOW, "==": "equal"}.get(comparison)
    yield from _some(given) if refused is None else checked(given, refused)


def checked(given: Requirement, check: str) -> Iterator[Requirement]:
    """What is left of a value that has passed a check of which no more is known."""
    if not isinstance(given, Extreme):
        yield from _some(_made(given[0], given[1], set(given[2]), {*given[3], check}))


def both(a: Requirement, b: Requirement) -> Iterator[Requirement]:
    """What satisfies both requirements."""
    yield from _some(requirements.meet(a, b))


def _some(found: Requirement) -> Iterator[Requirement]:
    if not isinstance(found, Extreme):
        yield found


def _behind(bound: Number, step: int) -> Number:
    return bound + step if step else math.nextafter(float(bound), math.inf)


def _before(bound: Number, step: int) -> Number:
    return bound - step if step else math.nextafter(float(bound), -math.inf)


# ---- rows about libraries


def condition_of(condition: str) -> Iterator[Requirement]:
    """The requirement of a row of checkModel: `true`, `false`, or comparisons with whole numbers that `and` joins."""
    given = nothing_required("boolean" if condition in ("true", "false") else "int")
    if condition in ("true", "false"):
        yield from compared("==", given, str(int(condition == "true")), "boolean")
        return
    for part in condition.split(" and "):
        comparison, _, literal = part.partition(" ")
        if literal == "?":
            given = next(compared_with_unknown(comparison, given), BOTTOM)
        else:
            given = next(compared(comparison, given, literal, "int"), BOTTOM)
    yield from _some(given)


# ---- what requirements say


def says_something(given: Requirement) -> int:
    """1 if some value does not satisfy the requirement, or may not."""
    return int(given not in (nothing_required("int"), nothing_required("boolean")))


def truths(given: Requirement) -> Iterator[int]:
    """The truth values, 0 and 1, that satisfy the requirement."""
    if not isinstance(given, Extreme):
        yield from (truth for truth in (0, 1) if given[0] <= truth <= given[1] and truth not in given[2])


def admitted_range(given: Requirement) -> Range:
    """The range of the whole numbers that satisfy the requirement."""
    if isinstance(given, Extreme):
        return BOTTOM
    low, high = max(given[0], value_ranges.top[0]), min(given[1], value_ranges.top[1])
    low, high = math.ceil(low), math.floor(high)
    while low in given[2]:
        low += 1
    while high in given[2]:
        high -= 1
    return (low, high) if low <= high else BOTTOM


def admitted(given: Requirement, pair: Pair) -> Iterator[Pair]:
    """Those of the numbers between two that occur of which it is known that they satisfy the requirement."""
    if isinstance(given, Extreme) or not {*given[3]} <= {LOW, HIGH} or len(given[3]) == 2:
        return
    low, high = max(pair[0], given[0]), min(pair[1], given[1])
    if low > high:
        return
    left = ends("<", (low, high)) if HIGH in given[3] else ends(">", (low, high)) if LOW in given[3] else [(low, high)]
    for one in left:
        yield from _without(one, [hole for hole in given[2] if one[0] <= hole <= one[1]])


def _without(pair: Pair, excluded: Sequence[int]) -> Iterator[Pair]:
    """The pair in pieces between the excluded numbers, which are in order."""
    step = 1 if isinstance(pair[0], int) and isinstance(pair[1], int) else 0
    low, high = pair
    for hole in excluded:
        if low < hole:
            yield low, _before(hole, step)
        low = max(low, _behind(hole, step))
    if low <= high:
        yield low, high
