"""Values of lattices in canonical bytes (see `canonical`), decoded and encoded by SQL: numbers, elements of small
finite lattices, constants, intervals.

Parts of the values are read from the bytes and aggregated over a group by built-in functions; the bytes of the total
are made from the aggregates:

    numbers, tables       as in `lattice_sql`
    flat                  the set of constants: none, one, or Top
    intervals             least lower and greatest upper bound; with widening also greatest lower and least upper bound,
                          which tell whether all intervals were the same
    intervals under glb   greatest lower and least upper bound, and whether one was empty
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ladder.engine.canonical import KEY, canonical
from ladder.engine.spark.lattices.lattice_sql import chosen, table_bits
from ladder.engine.spark.values.canonical_sql import NO_BYTES, eight_bytes, literal, long_at, size_at
from ladder.lattices.base import BOTTOM, TOP

LONG, TUPLE, SET = "69", "54", "46"  # first bytes of a number of 8 bytes, a tuple, a set (hex)
# first bytes of constants that are followed by nothing, by 8 bytes, by a size of 4 bytes
NIL, EIGHT, SIZED = ("4e",), (LONG, "64"), ("73", "49", "62")
PAIR = f"{TUPLE}00000002"  # first bytes of a tuple of two (hex)
MOST_ELEMENTS = 32  # of a finite lattice

Part = tuple[str, Callable[[str, str], str]]  # aggregate function, SQL of its argument in bytes from a position


@dataclass(frozen=True)
class Form:
    """The encoding of values of a lattice in bytes `x` from a position `at`, counted from 1; both are SQL.

    `fits(x, at)`: whether a value begins there; `size(x, at)`: its number of bytes, NULL or any number where none
    begins; `parts`: what is aggregated over a group; `written(aggregates)`: the bytes of the total. Aggregates are
    numbers (min, max, bit_and) or arrays of bytes as texts (collect_set).
    """

    fits: Callable[[str, str], str]
    size: Callable[[str, str], str]
    parts: tuple[Part, ...]
    written: Callable[[Sequence[str]], str]


def bytes_inside(value: Hashable) -> bytes | None:
    """The canonical bytes of a value as part of another value; None where they do not determine it."""
    data = canonical(value)
    return data[1:] if data[:1] == KEY else None


NOTHING, ALL = canonical(BOTTOM)[1:], canonical(TOP)[1:]


# ---- numbers, constants, elements of finite lattices


def number_form(function: str) -> Form:
    """The form of numbers of which the least (min) or the greatest (max) is the join."""
    return Form(
        lambda x, at: f"substring({x}, {at}, 1) = X'{LONG}'",
        lambda x, at: "9",
        ((function, lambda x, at: long_at(x, f"{at} + 1")),),
        lambda parts: _number(parts[0]),
    )


def _number(number: str) -> str:
    """SQL of a number's canonical bytes."""
    return f"concat(X'{LONG}', {eight_bytes(number)})"


def constant_size(x: str, at: str) -> str:
    """SQL of the number of bytes of a constant (number, text, bytes, None) from a position; NULL where none begins
    there."""
    tag = f"substring({x}, {at}, 1)"
    return (
        f"CASE WHEN {tag} IN ({_hexes(EIGHT)}) THEN 9 WHEN {tag} IN ({_hexes(NIL)}) THEN 1 "
        f"WHEN {tag} IN ({_hexes(SIZED)}) THEN 5 + {size_at(x, f'{at} + 1')} END"
    )


def _hexes(tags: Sequence[str]) -> str:
    return ", ".join(f"X'{tag}'" for tag in tags)


def flat_form(neutral: bytes = NOTHING, other: bytes = ALL) -> Form:
    """The form of a flat lattice: `neutral` changes no join, and `other` is the join of two different constants; under
    glb the two change places."""

    def size(x: str, at: str) -> str:
        extremes = " ".join(f"WHEN {_begins(x, at, data)} THEN {len(data)}" for data in (neutral, other))
        return f"CASE {extremes} ELSE {constant_size(x, at)} END"

    def constant(x: str, at: str) -> str:
        return f"CAST(nullif(substring({x}, {at}, {size(x, at)}), {literal(neutral)}) AS STRING)"

    def written(parts: Sequence[str]) -> str:
        values = f"array_compact({parts[0]})"
        return (
            f"CASE cardinality({values}) WHEN 0 THEN {literal(neutral)} WHEN 1 THEN CAST({values}[0] AS BINARY) "
            f"ELSE {literal(other)} END"
        )

    return Form(lambda x, at: f"{size(x, at)} IS NOT NULL", size, (("collect_set", constant),), written)


def _begins(x: str, at: str, data: bytes) -> str:
    return f"substring({x}, {at}, {len(data)}) = {literal(data)}"


def table_form(lattice: Any, elements: Sequence[Hashable]) -> Form | None:
    """The form of a finite lattice, by bits of meet-irreducible elements (see `lattice_sql`); None where there are too
    many elements, or bytes do not distinguish them."""
    bits = table_bits(lattice, list(elements)) if 0 < len(elements) <= MOST_ELEMENTS else None
    found = [bytes_inside(element) for element in elements]
    datas = [data for data in found if data is not None]
    if bits is None or len(set(datas)) < len(elements):
        return None

    def element(x: str, at: str, values: Sequence[object]) -> str:
        cases = " ".join(f"WHEN {_begins(x, at, data)} THEN {value}" for data, value in zip(datas, values, strict=True))
        return f"CASE {cases} END"

    def size(x: str, at: str) -> str:
        return element(x, at, [len(data) for data in datas])

    of_bits = sorted((bit, literal(data)) for bit, data in zip(bits, datas, strict=True))
    return Form(
        lambda x, at: f"{size(x, at)} IS NOT NULL",
        size,
        (("bit_and", lambda x, at: element(x, at, [f"{bit}L" for bit in bits])),),
        lambda parts: chosen(parts[0], of_bits, NO_BYTES),
    )


# ---- intervals


def _bound(x: str, at: str, place: int) -> str:
    """SQL of a bound, `place` bytes after the position of its interval; NULL for the empty interval."""
    return f"IF(substring({x}, {at}, 1) = X'{TUPLE}', {long_at(x, f'{at} + {place}')}, NULL)"


_low, _high = partial(_bound, place=6), partial(_bound, place=15)


def _bounds(low: str, high: str, empty: str) -> str:
    """SQL of the bytes of an interval."""
    return f"IF({empty}, {literal(NOTHING)}, concat(X'{PAIR}', {_number(low)}, {_number(high)}))"


def _interval(parts: tuple[Part, ...], written: Callable[[Sequence[str]], str]) -> Form:
    return Form(
        lambda x, at: (
            f"(substring({x}, {at}, 6) = X'{PAIR}{LONG}' AND substring({x}, {at} + 14, 1) = X'{LONG}' "
            f"OR {_begins(x, at, NOTHING)})"
        ),
        lambda x, at: f"IF(substring({x}, {at}, 1) = X'{TUPLE}', 23, {len(NOTHING)})",
        parts,
        written,
    )


def interval_form() -> Form:
    """The form of intervals whose join is their hull."""
    return _interval((("min", _low), ("max", _high)), lambda parts: _bounds(parts[0], parts[1], f"{parts[0]} IS NULL"))


def common_part_form() -> Form:
    """The form of intervals whose join is their intersection."""
    empty = ("max", lambda x, at: f"IF(substring({x}, {at}, 1) = X'{TUPLE}', 0L, 1L)")
    return _interval(
        (("max", _low), ("min", _high), empty),
        lambda parts: _bounds(parts[0], parts[1], f"{parts[2]} = 1L OR {parts[0]} > {parts[1]}"),
    )


def widened_form(thresholds: Sequence[int]) -> Form:
    """The form of intervals whose join is their hull; that of different intervals has bounds rounded outwards to
    thresholds."""

    def written(parts: Sequence[str]) -> str:
        low, high, greatest_low, least_high = parts
        alone = f"{low} = {greatest_low} AND {high} = {least_high}"
        return _bounds(
            f"IF({alone}, {low}, {_rounded(low, thresholds, '>=')})",
            f"IF({alone}, {high}, {_rounded(high, thresholds, '>')})",
            f"{low} IS NULL",
        )

    return _interval((("min", _low), ("max", _high), ("max", _low), ("min", _high)), written)


def _rounded(number: str, thresholds: Sequence[int], beyond: str) -> str:
    """SQL of a threshold, as a tree of comparisons: the greatest one that is not above the number (`beyond` is >=), or
    the least one that is not below it (>)."""
    if len(thresholds) == 1:
        return f"{thresholds[0]}L"
    middle = len(thresholds) // 2
    limit = thresholds[middle] if beyond == ">=" else thresholds[middle - 1]
    return (
        f"IF({number} {beyond} {limit}L, {_rounded(number, thresholds[middle:], beyond)}, "
        f"{_rounded(number, thresholds[:middle], beyond)})"
    )
