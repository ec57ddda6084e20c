"""Sets of constants in canonical bytes, joined by SQL: the sets of a group are gathered, their elements become one sorted set at the end."""
from __future__ import annotations

from collections.abc import Sequence

from ladder.engine.spark.byte_forms import ALL, SET, Form, constant_size
from ladder.engine.spark.canonical_sql import four_bytes, literal, size_at

TOP_ELEMENT = "\\0"      # stands for Top among the elements of sets; no canonical bytes begin so
NO_TEXTS = "CAST(NULL AS ARRAY<STRING>)"


def set_form(most: int | None, common: bool, otherwise: str = NO_TEXTS) -> Form:
    """Unions, of more than `most` elements Top; under glb (`common`) what all sets have in common.

    `otherwise`: SQL of the elements of what is no set of constants.
    """
    def fits(x: str, at: str) -> str:
        begins = f"substring({x}, {at}, 1) = X'{SET}'"
        if most is None:
            return begins
        return f"(substring({x}, {at}, {len(ALL)}) = {literal(ALL)} OR {begins} AND substring({x}, {at} + 1, 4) <= X'{most:08x}')"

    def size(x: str, at: str) -> str:
        walked = f"aggregate({_counted(size_at(x, f'{at} + 1'))}, {at} + 5, (p, i) -> p + {constant_size(x, 'p')}, p -> p - ({at}))"
        return walked if most is None else f"IF(substring({x}, {at}, 1) = X'{SET}', {walked}, {len(ALL)})"

    def written(parts: Sequence[str]) -> str:
        sets = f"transform({parts[0]}, s -> {_elements('s', most, otherwise)})"
        if common:
            sets = sets if most is None else f"filter({sets}, s -> NOT array_contains(s, '{TOP_ELEMENT}'))"
            found = (f"transform(array({sets}), l -> IF(cardinality(l) = 0, array('{TOP_ELEMENT}'), "
                     f"aggregate(l, l[0], (a, b) -> array_intersect(a, b))))[0]")
        else:
            found = f"array_distinct(flatten({sets}))"
        bytes_ = f"concat(X'{SET}', {four_bytes('cardinality(e)')}, CAST(array_join(e, '') AS BINARY))"
        if most is not None:
            bytes_ = f"IF(cardinality(e) > {most} OR array_contains(e, '{TOP_ELEMENT}'), {literal(ALL)}, {bytes_})"
        return f"transform(array(sort_array({found})), e -> {bytes_})[0]"

    return Form(fits, size, (("collect_set", lambda x, at: f"CAST(substring({x}, {at}, {size(x, at)}) AS STRING)"),), written)


def _counted(number: str) -> str:
    """SQL of the numbers 1 … number."""
    return f"IF({number} = 0, CAST(array() AS ARRAY<INT>), sequence(1, {number}))"


def _elements(value: str, most: int | None, otherwise: str) -> str:
    """SQL of the elements of a set, as texts of their bytes."""
    size = constant_size("x", "at.p")
    step = f"named_struct('p', at.p + {size}, 'e', array_append(at.e, CAST(substring(x, at.p, {size}) AS STRING)))"
    found = (f"IF(substring(x, 1, 1) = X'{SET}', aggregate({_counted(size_at('x', '2'))}, "
             f"named_struct('p', 6, 'e', CAST(array() AS ARRAY<STRING>)), (at, i) -> {step}, "
             f"at -> IF(at.p = length(x) + 1, at.e, {otherwise})), {otherwise})")
    if most is not None:
        found = f"IF(x = {literal(ALL)}, array('{TOP_ELEMENT}'), {found})"
    return f"transform(array(CAST({value} AS BINARY)), x -> {found})[0]"
