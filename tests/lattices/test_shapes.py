"""The shape that a lattice says it has is how it joins: compared with a plain reading of the shapes."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import pytest

from ladder import Program
from ladder.engine.spark.lattices.lattice_sql import join_of_cells
from ladder.lattices import (
    BOTTOM,
    TOP,
    Dual,
    Lattice,
    Widening,
    boolean,
    flat,
    interval,
    k_set,
    lexicographic,
    maximum,
    minimum,
    pointwise,
    powerset,
    sign,
)
from ladder.lattices import product as side_by_side
from ladder.lattices.congruence import congruence
from ladder.lattices.sets import Powerset
from ladder.lattices.shapes import (
    Constants,
    Elements,
    Intervals,
    Maps,
    Numbers,
    Priority,
    Rounded,
    Sets,
    Shape,
    Tuples,
    shape_of,
    widened_shape_of,
)
from ladder.lattices.strided import strided

RANGE = interval((-1000, 0, 10, 1000))
LATTICES: dict[str, Lattice[Any]] = {
    "minimum": minimum,
    "maximum": maximum,
    "boolean": boolean,
    "flat": flat,
    "interval": RANGE,
    "powerset": powerset,
    "k-set": k_set(2),
    "sign": sign,
    "product": side_by_side(minimum, flat, powerset),
    "by priority": lexicographic(boolean, k_set(2)),
    "by sets": lexicographic(powerset, maximum),
    "map": pointwise(flat),
    "widened": Widening(RANGE),
    "widened product": Widening(side_by_side(RANGE, boolean)),
    "widened map": Widening(pointwise(RANGE)),
    **{
        f"dual {name}": Dual(of)
        for name, of in (
            ("minimum", minimum),
            ("flat", flat),
            ("interval", RANGE),
            ("powerset", powerset),
            ("k-set", k_set(2)),
            ("sign", sign),
            ("product", side_by_side(minimum, flat)),
            ("by priority", lexicographic(boolean, k_set(2))),
        )
    },
}


def joined(shape: Shape, a: Any, b: Any) -> Any:
    match shape:
        case Numbers(function):
            return {"min": min, "max": max}[function](a, b)
        case Constants(meet):
            neutral, other = (TOP, BOTTOM) if meet else (BOTTOM, TOP)
            return b if a == neutral else a if b in (neutral, a) else other
        case Intervals(meet=True):
            low_high = BOTTOM if BOTTOM in (a, b) else (max(a[0], b[0]), min(a[1], b[1]))
            return BOTTOM if low_high == BOTTOM or low_high[0] > low_high[1] else low_high
        case Intervals() | Rounded():
            if BOTTOM in (a, b) or a == b:
                return b if a == BOTTOM else a
            low, high = min(a[0], b[0]), max(a[1], b[1])
            if isinstance(shape, Rounded):
                low, high = max(t for t in shape.thresholds if t <= low), min(t for t in shape.thresholds if t >= high)
            return low, high
        case Sets(most, meet):
            if meet:
                return b if a == TOP else a if b == TOP else a & b
            return TOP if TOP in (a, b) or most is not None and len(a | b) > most else a | b
        case Tuples(parts):
            return tuple(joined(part, x, y) for part, x, y in zip(parts, a, b, strict=True))
        case Priority(first, second, bottom):
            best = joined(first, a[0], b[0])
            beside = [pair[1] for pair in (a, b) if pair[0] == best]
            return best, joined(second, *beside) if len(beside) == 2 else beside[0] if beside else bottom
        case Maps(of, bottom):
            left, right = dict(a), dict(b)
            both = {key: joined(of, left.get(key, bottom), right.get(key, bottom)) for key in {*left, *right}}
            return frozenset((key, value) for key, value in both.items() if value != bottom)
        case Elements(lattice):
            return lattice.join(a, b)
    raise AssertionError(shape)


@pytest.mark.parametrize("name", LATTICES)
def test_a_shape_joins_as_its_lattice_does(name: str) -> None:
    lattice, shape = LATTICES[name], shape_of(LATTICES[name])
    assert shape is not None
    values = list(lattice.examples())
    if "widened" in name:  # a value of a loop is one that was rounded, or never joined
        values = [lattice.join(a, b) for a, b in pairwise(values)]
    for a, b in product(values, repeat=2):
        assert joined(shape, a, b) == lattice.join(a, b), (a, b)


def test_what_has_none() -> None:
    class Other(Powerset):
        """May join in another way."""

    assert shape_of(Other()) is None and shape_of(congruence) is None and shape_of(None) is None
    assert shape_of(strided(None)) is None and widened_shape_of(strided((-10, 0, 10))) is None
    assert (
        shape_of(side_by_side(minimum, Other())) is None
        and shape_of(Dual(pointwise(flat))) is None
        and shape_of(lexicographic(Other(), minimum)) is None
    )


def test_numbers_and_their_duals_are_joined_by_sql_on_cells() -> None:
    type_ = (
        Program.parse('.lattice L = "ladder.lattices:minimum"\n.decl p(n: L<>)\n').core.relations["p"].columns[0].type
    )
    for lattice, function in ((minimum, "min"), (boolean, "max"), (Dual(minimum), "max"), (Dual(boolean), "min")):
        join = join_of_cells("L", lattice, type_, lambda values, _: values)
        assert join is not None and join.of_group("n") == f"{function}(n)"
