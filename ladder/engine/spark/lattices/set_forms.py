"""Sets and maps of constants in canonical bytes, joined by SQL.

sets      the sets of a group are collected; their elements become one sorted set at the end
maps      the maps of a group are collected; their entries become rows, which are joined by key, and then one sorted
          map
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ladder.engine.spark.lattices.byte_forms import ALL, PAIR, SET, Form, constant_size
from ladder.engine.spark.lattices.lattice_sql import Entries, SqlJoin
from ladder.engine.spark.values.canonical_sql import four_bytes, literal, size_at

TOP_ELEMENT = "\\0"  # stands for Top among the elements of sets; no canonical bytes begin like this
NO_TEXTS = "CAST(NULL AS ARRAY<STRING>)"
ENTRY = "STRUCT<key: STRING, value: STRING>"
CHUNK = 16  # elements that are collected together


def set_form(most: int | None, common: bool, otherwise: str = NO_TEXTS) -> Form:
    """The form of sets whose join is their union, or Top where this has more than `most` elements; with `common` (glb)
    the join is their intersection.

    `otherwise`: SQL of the elements where a value is not a set of constants.
    """

    def fits(x: str, at: str) -> str:
        begins = f"substring({x}, {at}, 1) = X'{SET}'"
        if most is None:
            return begins
        return (
            f"(substring({x}, {at}, {len(ALL)}) = {literal(ALL)} OR {begins} AND substring({x}, {at} + 1, 4) <= "
            f"X'{most:08x}')"
        )

    def size(x: str, at: str) -> str:
        count = size_at(x, f"{at} + 1")
        end = f"aggregate({_counted(count)}, {at} + 5, (p, i) -> p + {constant_size('w', 'p')})"
        walked = f"IF({count} = 1, 5 + {constant_size(x, f'{at} + 5')}, transform(array({x}), w -> {end})[0] - ({at}))"
        return walked if most is None else f"IF(substring({x}, {at}, 1) = X'{SET}', {walked}, {len(ALL)})"

    def written(parts: Sequence[str]) -> str:
        sets = f"transform({parts[0]}, s -> {_elements('s', most, otherwise)})"
        if common:
            sets = sets if most is None else f"filter({sets}, s -> NOT array_contains(s, '{TOP_ELEMENT}'))"
            found = (
                f"transform(array({sets}), l -> IF(cardinality(l) = 0, array('{TOP_ELEMENT}'), "
                f"aggregate(l, l[0], (a, b) -> array_intersect(a, b))))[0]"
            )
        else:
            found = f"array_distinct(flatten({sets}))"
        bytes_ = set_of("e")
        if most is not None:
            bytes_ = f"IF(cardinality(e) > {most} OR array_contains(e, '{TOP_ELEMENT}'), {literal(ALL)}, {bytes_})"
        return f"transform(array(sort_array({found})), e -> {bytes_})[0]"

    return Form(
        fits, size, (("collect_set", lambda x, at: f"CAST(substring({x}, {at}, {size(x, at)}) AS STRING)"),), written
    )


def set_of(elements: str) -> str:
    """SQL of the bytes of a set, from the sorted array of the texts of its elements."""
    return f"concat(X'{SET}', {four_bytes(f'cardinality({elements})')}, CAST(array_join({elements}, '') AS BINARY))"


def entries_of(value: Form, bottom: bytes, otherwise: str) -> Entries:
    """How entries of maps with constants as keys are joined; `bottom`: the value that no entry has; `otherwise`: SQL of
    the entries where a value is not such a map."""

    def behind_key(place: str, found: str) -> str:
        return f"transform(array({place} + 5 + {constant_size('x', f'{place} + 5')}), q -> {found})[0]"

    def size(place: str) -> str:
        fits = (
            f"substring(x, {place}, 5) = X'{PAIR}' AND {value.fits('x', 'q')} "
            f"AND substring(x, q, {len(bottom)}) <> {literal(bottom)}"
        )
        return behind_key(place, f"IF({fits}, q + {value.size('x', 'q')}, NULL)") + f" - {place}"

    def pair(place: str) -> str:
        return behind_key(
            place,
            f"named_struct('key', {_text(f'{place} + 5', f'q - {place} - 5')}, 'value', "
            f"{_text('q', value.size('x', 'q'))})",
        )

    def apart(text: str) -> str:
        return f"transform(array(CAST({text} AS BINARY)), x -> {_walked(size, pair, ENTRY, otherwise)})[0]"

    def argument(of: Callable[[str, str], str]) -> Callable[[str], str]:
        return lambda text: of(f"CAST({text} AS BINARY)", "1")

    parts = tuple((function, argument(of)) for function, of in value.parts)
    return Entries(
        apart,
        SqlJoin(parts, value.written),
        lambda key, total: f"CAST(concat(X'{PAIR}', CAST({key} AS BINARY), {total}) AS STRING)",
    )


def _text(start: str, size: str) -> str:
    return f"CAST(substring(x, {start}, {size}) AS STRING)"


def _counted(number: str) -> str:
    """SQL of the numbers 1 … number."""
    return f"IF({number} = 0, CAST(array() AS ARRAY<INT>), sequence(1, {number}))"


def _elements(value: str, most: int | None, otherwise: str) -> str:
    """SQL of the elements of a set, as texts of their bytes."""

    def size(place: str) -> str:
        return constant_size("x", place)

    found = _walked(size, lambda place: _text(place, size(place)), "STRING", otherwise)
    if most is not None:
        found = f"IF(x = {literal(ALL)}, array('{TOP_ELEMENT}'), {found})"
    return f"transform(array(CAST({value} AS BINARY)), x -> {found})[0]"


def _walked(size: Callable[[str], str], found: Callable[[str], str], type_: str, otherwise: str) -> str:
    """SQL of an array with what `found` gives for the position of each element of the set x; `size`: the number of
    bytes of an element, NULL where there is none.

    `aggregate` copies its accumulator at each step. So elements are collected `CHUNK` at a time, after the position of
    each chunk has been found.
    """
    count = size_at("x", "2")

    def gathered(start: str, number: str, end: str) -> str:
        step = f"named_struct('p', at.p + {size('at.p')}, 'e', array_append(at.e, {found('at.p')}))"
        return (
            f"aggregate({_counted(number)}, named_struct('p', {start}, 'e', CAST(array() AS ARRAY<{type_}>)), (at, "
            f"i) -> {step}, at -> {end})"
        )

    few = gathered("6", count, f"IF(at.p = length(x) + 1, at.e, {otherwise})")
    after = f"aggregate({_counted(f'least({CHUNK}, {count} - {CHUNK} * (j - 1))')}, b.p, (p, i) -> p + {size('p')})"
    starts = (
        f"aggregate(sequence(1, CAST(({count} + {CHUNK - 1}) DIV {CHUNK} AS INT)), named_struct('p', 6, 's', "
        "CAST(array() AS ARRAY<INT>)), "
        f"(b, j) -> named_struct('p', {after}, 's', array_append(b.s, b.p)), b -> IF(b.p = length(x) + 1, b.s, NULL))"
    )
    chunks = f"transform({starts}, (s, j) -> {gathered('s', f'least({CHUNK}, {count} - {CHUNK} * j)', 'at.e')})"
    one = f"IF({size('6')} = length(x) - 5, array({found('6')}), {otherwise})"
    many = f"IF({count} <= {CHUNK}, {few}, coalesce(flatten({chunks}), {otherwise}))"
    return f"IF(substring(x, 1, 1) = X'{SET}', IF({count} = 1, {one}, {many}), {otherwise})"
