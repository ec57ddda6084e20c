"""Joins as SQL on canonical bytes (see `canonical`): of intervals, sets, and products of intervals, numbers and finite lattices.

Bytes are taken apart into numbers, which are gathered like the parts of `lattice_sql`, and those of the total are put together again:

    intervals             least lower and greatest upper bound; where they widen, also the others, which tell whether all were the same
    intervals under glb   greatest lower and least upper bound, and whether one was empty
    numbers, tables       as in `lattice_sql`, inside of products
    sets                  the values themselves, whose elements become one sorted set at the end

A lattice's values may be of more types than have a form here (numbers of more than 64 bits, sets of sets): those are told by
`UnusualValue`, and the join has to be asked of Python.
"""
from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ladder.engine.canonical import KEY, canonical
from ladder.engine.spark.canonical_sql import eight_bytes, four_bytes, long_at, size_at
from ladder.engine.spark.lattice_sql import SqlJoin, chosen, raised, table_bits
from ladder.engine.spark.shipping import UnusualValue
from ladder.lattices.base import BOTTOM, TOP, Dual, Widening
from ladder.lattices.interval import Interval, Widened
from ladder.lattices.numbers import Boolean, Maximum, Minimum
from ladder.lattices.product import Product
from ladder.lattices.sets import KSet, Powerset

LONG, TUPLE, SET = "69", "54", "46"      # what begins a number of 8 bytes, a tuple, a set (hex)
MOST_ELEMENTS = 32                       # of a finite lattice inside of a product
LONGEST = 30_000                         # characters of a form's SQL: each component's position is made of the sizes of those before it
NIL, EIGHT, SIZED = ("4e",), (LONG, "64"), ("73", "49", "62")      # elements by what begins them: nothing follows, 8 bytes, a size of 4 bytes
ALL = "\\0"                              # stands for Top among the elements of sets; no canonical bytes begin so

Part = tuple[str, Callable[[str, str], str]]      # aggregate function, SQL of its argument in bytes from a position


@dataclass(frozen=True)
class Form:
    """How values of a lattice stand in bytes `x` from a position `at`, counted from 1; both are SQL.

    `fits(x, at)`: whether one begins there; `size(x, at)`: its number of bytes; `written(gathered parts)`: the bytes of a total.
    """

    fits: Callable[[str, str], str]
    size: Callable[[str, str], str]
    parts: tuple[Part, ...]
    written: Callable[[Sequence[str]], str]


def join_of_bytes(name: str, lattice: Any) -> SqlJoin | None:
    """The join of a lattice whose values are objects; None where it has to be asked of Python. `name`: of the lattice, in messages."""
    unusual = UnusualValue(f"A value of {name} is none that SQL can join.")
    if type(lattice) in (Powerset, KSet):
        return _sets(unusual, lattice.k if type(lattice) is KSet else None)
    form = form_of(lattice)
    if form is None:
        return None
    parts = tuple((function, _at_2(argument)) for function, argument in form.parts)

    def checked(x: str) -> str:
        fits = f"substring({x}, 1, 1) = X'{KEY.hex()}' AND {form.fits(x, '2')} AND length({x}) = 1 + {form.size(x, '2')}"
        return f"IF({fits}, {x}, CAST({raised(unusual)} AS BINARY))"

    written = f"X'{KEY.hex()}'"
    join = SqlJoin(parts, lambda gathered: f"concat({written}, {form.written(gathered)})", contents=True, checked=checked)
    return join if len(checked("x")) + sum(len(argument("x")) for _, argument in parts) <= LONGEST else None


def _at_2(argument: Callable[[str, str], str]) -> Callable[[str], str]:
    return lambda x: argument(x, "2")


def form_of(lattice: Any) -> Form | None:
    """The form of a lattice's values; None where they have none of a kind that SQL can take apart."""
    kind = type(lattice)
    if kind in (Minimum, Maximum, Boolean):
        return _number("min" if kind is Minimum else "max")
    if kind in (Interval, Widened):
        return _interval()
    if kind is Widening:
        return _widening(lattice.of)
    if kind is Dual and type(lattice.of) in (Interval, Widened):
        return _common_part()
    if kind is Product:
        return _product([form_of(part) for part in lattice.parts])
    return _table(lattice) if isinstance(getattr(lattice, "elements", None), Sequence) else None


def _widening(lattice: Any) -> Form | None:
    if type(lattice) is Widened:
        return _widened(lattice.thresholds)
    if type(lattice) is Product:
        return _product([form_of(Widening(part) if hasattr(part, "widen") else part) for part in lattice.parts])
    return None


# ---- numbers, and elements of finite lattices


def _number(function: str) -> Form:
    return Form(lambda x, at: f"substring({x}, {at}, 1) = X'{LONG}'", lambda x, at: "9",
                ((function, lambda x, at: long_at(x, f"{at} + 1")),), lambda parts: _eight(parts[0]))


def _eight(number: str) -> str:
    """SQL of a number's canonical bytes."""
    return f"X'{LONG}', {eight_bytes(number)}"


def _table(lattice: Any) -> Form | None:
    """A finite lattice: bits of meet-irreducible elements, see `lattice_sql`."""
    elements = list(lattice.elements)
    bits = table_bits(lattice, elements) if 0 < len(elements) <= MOST_ELEMENTS else None
    written = [_written(element) for element in elements]
    if bits is None or None in written or len(set(written)) < len(written):
        return None
    sizes = [len(data or "") // 2 for data in written]

    def element(x: str, at: str, values: Sequence[object]) -> str:
        cases = " ".join(f"WHEN substring({x}, {at}, {size}) = X'{data}' THEN {value}"
                         for size, data, value in zip(sizes, written, values, strict=True))
        return f"CASE {cases} END"

    literals = sorted((bit, f"X'{data}'") for bit, data in zip(bits, written, strict=True))
    return Form(lambda x, at: f"{element(x, at, sizes)} IS NOT NULL", lambda x, at: element(x, at, sizes),
                (("bit_and", lambda x, at: element(x, at, [f"{bit}L" for bit in bits])),),
                lambda parts: chosen(parts[0], literals, "CAST(NULL AS BINARY)"))


def _written(value: Hashable) -> str | None:
    """A value's canonical bytes (hex) where it is part of another; None where they do not tell everything."""
    data = canonical(value)
    return data[1:].hex() if data[:1] == KEY else None


# ---- intervals


NOTHING = canonical(BOTTOM)[1:].hex()
PAIR = f"{TUPLE}00000002"


def _bound(x: str, at: str, place: int) -> str:
    """SQL of a bound, `place` bytes after the position of its interval; NULL of the empty one."""
    return f"IF(substring({x}, {at}, 1) = X'{TUPLE}', {long_at(x, f'{at} + {place}')}, NULL)"


_low, _high = partial(_bound, place=6), partial(_bound, place=15)


def _bounds(low: str, high: str, empty: str) -> str:
    """SQL of the bytes of an interval."""
    return f"IF({empty}, X'{NOTHING}', concat(X'{PAIR}', {_eight(low)}, {_eight(high)}))"


def _interval_form(parts: tuple[Part, ...], written: Callable[[Sequence[str]], str]) -> Form:
    size = len(NOTHING) // 2
    return Form(lambda x, at: (f"(substring({x}, {at}, 6) = X'{PAIR}{LONG}' AND substring({x}, {at} + 14, 1) = X'{LONG}' "
                               f"OR substring({x}, {at}, {size}) = X'{NOTHING}')"),
                lambda x, at: f"IF(substring({x}, {at}, 1) = X'{TUPLE}', 23, {size})", parts, written)


def _interval() -> Form:
    """The hull."""
    return _interval_form((("min", _low), ("max", _high)), lambda parts: _bounds(parts[0], parts[1], f"{parts[0]} IS NULL"))


def _common_part() -> Form:
    """What all intervals have in common."""
    empty = ("max", lambda x, at: f"IF(substring({x}, {at}, 1) = X'{TUPLE}', 0L, 1L)")
    return _interval_form((("max", _low), ("min", _high), empty),
                          lambda parts: _bounds(parts[0], parts[1], f"{parts[2]} = 1L OR {parts[0]} > {parts[1]}"))


def _widened(thresholds: Sequence[int]) -> Form:
    """The hull; where it is of more than one interval, with bounds rounded outwards to thresholds."""
    def written(parts: Sequence[str]) -> str:
        low, high, greatest_low, least_high = parts
        alone = f"{low} = {greatest_low} AND {high} = {least_high}"
        return _bounds(f"IF({alone}, {low}, {_rounded(low, thresholds, '>=')})",
                       f"IF({alone}, {high}, {_rounded(high, thresholds, '>')})", f"{low} IS NULL")

    return _interval_form((("min", _low), ("max", _high), ("max", _low), ("min", _high)), written)


def _rounded(number: str, thresholds: Sequence[int], beyond: str) -> str:
    """SQL of a threshold, a tree of comparisons: of those that the number is `beyond` the last one (>=), or the one after these (>)."""
    if len(thresholds) == 1:
        return f"{thresholds[0]}L"
    middle = len(thresholds) // 2
    limit = thresholds[middle] if beyond == ">=" else thresholds[middle - 1]
    return (f"IF({number} {beyond} {limit}L, {_rounded(number, thresholds[middle:], beyond)}, "
            f"{_rounded(number, thresholds[:middle], beyond)})")


# ---- products


def _product(forms: Sequence[Form | None]) -> Form | None:
    """Component by component."""
    if not forms or any(form is None for form in forms):
        return None
    known = [form for form in forms if form is not None]
    head = f"{TUPLE}{len(known):08x}"

    def positions(x: str, at: str) -> list[str]:
        """Where each component begins, and where the next value would."""
        found = [f"{at} + 5"]
        for form in known:
            found.append(f"{found[-1]} + {form.size(x, found[-1])}")
        return found

    def fits(x: str, at: str) -> str:
        parts = (form.fits(x, place) for form, place in zip(known, positions(x, at), strict=False))
        return f"substring({x}, {at}, 5) = X'{head}' AND {' AND '.join(parts)}"

    def of_component(place: int, argument: Callable[[str, str], str]) -> Callable[[str, str], str]:
        return lambda x, at: argument(x, positions(x, at)[place])

    parts = tuple((function, of_component(place, argument)) for place, form in enumerate(known) for function, argument in form.parts)

    def written(gathered: Sequence[str]) -> str:
        rest, pieces = list(gathered), []
        for form in known:
            pieces.append(form.written(rest[:len(form.parts)]))
            rest = rest[len(form.parts):]
        return f"X'{head}', {', '.join(pieces)}"

    return Form(fits, lambda x, at: f"({positions(x, at)[-1]} - ({at}))", parts, written)


# ---- sets


def _sets(unusual: UnusualValue, most: int | None) -> SqlJoin:
    """Unions; of more than `most` elements Top."""
    head, top = f"{KEY.hex()}{SET}", canonical(TOP).hex()

    def size(tag: str) -> str:
        return (f"CASE WHEN {tag} IN ({_hexes(EIGHT)}) THEN 9 WHEN {tag} IN ({_hexes(NIL)}) THEN 1 WHEN {tag} IN ({_hexes(SIZED)}) "
                f"THEN 5 + {size_at('x', 'at.p + 1')} END")

    def elements(value: str) -> str:
        """SQL of the elements of a set, as strings of their bytes."""
        step = (f"named_struct('p', at.p + {size('substring(x, at.p, 1)')}, "
                f"'e', array_append(at.e, CAST(substring(x, at.p, {size('substring(x, at.p, 1)')}) AS STRING)))")
        found = (f"IF(substring(x, 1, 2) = X'{head}', aggregate(IF(substring(x, 3, 4) = X'00000000', CAST(array() AS ARRAY<INT>), "
                 f"sequence(1, {size_at('x', '3')})), "
                 f"named_struct('p', 7, 'e', CAST(array() AS ARRAY<STRING>)), (at, i) -> {step}, "
                 f"at -> IF(at.p = length(x) + 1, at.e, CAST({raised(unusual)} AS ARRAY<STRING>))), CAST({raised(unusual)} AS ARRAY<STRING>))")
        if most is not None:
            found = f"IF(x = X'{top}', array('{ALL}'), {found})"
        return f"transform(array(CAST({value} AS BINARY)), x -> {found})[0]"

    def result(parts: Sequence[str]) -> str:
        union = f"sort_array(array_distinct(flatten(transform({parts[0]}, s -> {elements('s')}))))"
        bytes_ = f"concat(X'{head}', {four_bytes('size(e)')}, CAST(array_join(e, '') AS BINARY))"
        if most is not None:
            bytes_ = f"IF(size(e) > {most} OR array_contains(e, '{ALL}'), X'{top}', {bytes_})"
        return f"transform(array({union}), e -> {bytes_})[0]"

    def checked(x: str) -> str:
        """Sets of more elements are not joined like others: alone they stay as they are."""
        if most is None:
            return x
        fits = f"{x} = X'{top}' OR substring({x}, 3, 4) <= X'{most:08x}'"
        return f"IF({fits}, {x}, CAST({raised(unusual)} AS BINARY))"

    return SqlJoin((("collect_set", lambda x: f"CAST({x} AS STRING)"),), result, contents=True, checked=checked)


def _hexes(tags: Sequence[str]) -> str:
    return ", ".join(f"X'{tag}'" for tag in tags)
