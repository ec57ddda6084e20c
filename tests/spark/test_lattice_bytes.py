"""Joins in SQL over canonical bytes: against the lattices' own joins, and values that SQL cannot take apart."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import reduce
from itertools import product as combinations
from typing import Any

import pyarrow as pa
import pytest

from ladder.api.program import Program
from ladder.engine.canonical import canonical
from ladder.engine.spark.lattices.lattice_bytes import join_of_bytes
from ladder.engine.spark.values.shipping import UnusualValue, error_in
from ladder.lattices import (
    BOTTOM,
    TOP,
    Interval,
    Lattice,
    Widening,
    boolean,
    congruence,
    dual,
    finite,
    flat,
    interval,
    k_set,
    lexicographic,
    maximum,
    minimum,
    parity,
    pointwise,
    powerset,
    product,
    sign,
    strided,
)

from ..engine.comparison import difference
from .comparison import bootstrapped, state_of
from .corpus import example

MIXED = [frozenset(s) for s in ((), (1,), (-1, "a"), ("", b"\0", 0.5), (None, 2**80), ("é", -(2**63)), range(300))]
RANGES = [BOTTOM, (0, 0), (-1, 5), (5, 2**40), (-(2**63), 2**63 - 1), (-300, -299), (10**6, 10**7)]
JOINED: dict[str, tuple[Lattice[Any], Sequence[Hashable]]] = {
    "hull": (interval(None), RANGES),
    "widened": (Widening(interval()), [r for r in RANGES if r is BOTTOM or -(2**31) <= r[0] <= r[1] < 2**31]),
    "widened beyond its thresholds": (Widening(interval((-7, 7))), RANGES),
    "common part": (dual(interval()), RANGES),
    "sets": (powerset, MIXED),
    "few": (k_set(2), [*(s for s in MIXED if len(s) <= 2), TOP]),
    "one": (k_set(1), [*MIXED[:2], frozenset("a"), TOP]),
    "product": (
        product(sign, interval(None), minimum, finite(["a", "bc"], [[0, 1], [1, 1]])),
        [
            (s, r, n, e)
            for s, r in zip(["-", "0", "Top", "+", "Bottom"], RANGES, strict=False)
            if s in sign.elements
            for n, e in ((2**40, "a"), (-1, "bc"))
        ],
    ),
    "product in a product": (
        product(boolean, product(interval(None), maximum), interval(None)),
        [(b, (r, n), q) for b, r, q in zip([0, 1, 0], RANGES, RANGES[2:], strict=False) for n in (0, -(2**63))],
    ),
    "product with sets": (
        product(k_set(2), powerset, boolean, powerset),
        [
            (few, s, b, t)
            for few, s, t in zip(
                [TOP, frozenset(), frozenset("a"), frozenset((2, "a"))], MIXED, MIXED[2:], strict=False
            )
            for b in (0, 1)
        ],
    ),
    "product with constants": (
        product(flat, sign, flat),
        [(a, "+", b) for a in (BOTTOM, TOP, 0, "a") for b in (None, 0.5, "b")] + [(1, "-", BOTTOM)],
    ),
    "common elements": (dual(powerset), MIXED),
    "common of few": (dual(k_set(2)), [TOP, *(s for s in MIXED if len(s) <= 2), frozenset((1, "a"))]),
    "lesser of lesser": (dual(product(dual(powerset), boolean)), [(s, b) for s in MIXED for b in (0, 1)]),
    "lesser": (dual(product(maximum, minimum, boolean)), [(2, 3, 0), (-1, 5, 1), (2**62, -5, 1), (7, 7, 0)]),
    "meet of a product": (
        dual(product(sign, flat, interval(), product(powerset, parity))),
        [
            (s, c, r, (e, p))
            for s, c, r, e, p in zip(
                sign.elements, (TOP, 1, "a", 1, BOTTOM), RANGES, MIXED, parity.elements * 2, strict=False
            )
        ],
    ),
    "pairs": (lexicographic(sign, interval(None)), [(s, r) for s in ("-", "0", "+") for r in RANGES[:4]]),
    "numbers first": (
        lexicographic(minimum, k_set(2)),
        [(n, s) for n in (-3, 2**40) for s in (TOP, frozenset("a"), frozenset("b"), frozenset())],
    ),
    "pairs in pairs": (
        lexicographic(lexicographic(parity, boolean), lexicographic(flat, product(powerset, maximum))),
        [
            ((p, b), (c, (s, 1 + b)))
            for p, b in ((parity.elements[0], 1), (parity.elements[1], 0), (parity.elements[1], 1))
            for c, s in ((BOTTOM, MIXED[1]), (1, MIXED[2]), ("a", MIXED[3]), (1, MIXED[4]))
        ],
    ),
    "lesser pairs": (
        dual(lexicographic(sign, interval(None))),
        [(s, r) for s in ("", "-", "-0", "0+") for r in RANGES[:3]],
    ),
    "widened product": (
        Widening(product(interval((-7, 0, 7)), parity)),
        [(r, p) for r in (BOTTOM, (0, 0), (1, 3), (-9, 9)) for p in parity.elements],
    ),
}
ASKED = {
    "classes": congruence,
    "strides": strided(None),
    "maps of classes": pointwise(congruence),
    "product of classes": product(boolean, congruence),
    "pairs of maps": lexicographic(boolean, pointwise(boolean)),
    "lesser maps": dual(pointwise(boolean)),
    "maps of maps": pointwise(pointwise(boolean)),
    "large table in a product": product(
        finite(list(range(33)), [[max(i, j) for j in range(33)] for i in range(33)]), boolean
    ),
}


class OwnInterval(Interval):
    """Its join might be another one."""


@pytest.mark.parametrize("name", JOINED)
def test_joins_are_those_of_the_lattice(spark: Any, name: str) -> None:
    """Of every one, two and three values."""
    lattice, values = JOINED[name]
    groups = [group for size in (1, 2, 3) for group in combinations(values, repeat=size)]
    assert totals(spark, lattice, groups) == [canonical(reduce(lattice.join, group)) for group in groups]


def totals(spark: Any, lattice: Lattice[Any], groups: Sequence[Sequence[Hashable]]) -> list[bytes]:
    """The bytes of the totals of groups, by SQL."""
    join = join_of_bytes("L", lattice)
    assert join is not None
    rows = [(number, canonical(value)) for number, group in enumerate(groups) for value in group]
    table = pa.table({"k": [k for k, _ in rows], "x": pa.array([x for _, x in rows], pa.binary())})
    spark.createDataFrame(table).createOrReplaceTempView("ladder_test_bytes")
    found = spark.sql(
        f"SELECT k, {join.of_group('x')} AS x FROM (SELECT k, {join.checked('x')} AS x FROM ladder_test_bytes) GROUP "
        "BY k"
    ).collect()
    return [bytes(x) for _, x in sorted(found)]


@pytest.mark.parametrize("lattice", [*ASKED.values(), OwnInterval()], ids=[*ASKED, "one of a user"])
def test_others_are_asked_of_python(lattice: Lattice[Any]) -> None:
    assert join_of_bytes("L", lattice) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hull", (0, 2**63)),
        ("hull", (0, True)),
        ("hull", (0.0, 1)),
        ("hull", (1, 2, 3)),
        ("hull", "no"),
        ("widened", TOP),
        ("sets", frozenset([(1, 2)])),
        ("sets", frozenset([frozenset()])),
        ("sets", frozenset([True])),
        ("sets", TOP),
        ("few", (1,)),
        ("few", frozenset("abc")),
        ("product", ("+", (0, 1), 0)),
        ("product", ("plus", (0, 1), 0, "a")),
        ("product", ("+", (0, 1), 2**64, "a")),
    ],
)
def test_values_that_sql_cannot_take_apart_are_told(spark: Any, name: str, value: Hashable) -> None:
    with pytest.raises(Exception, match="none that SQL can join") as caught:
        totals(spark, JOINED[name][0], [(value, JOINED[name][1][0])])
    assert type(error_in(str(caught.value))) is UnusualValue


ENTRY = "a, frozenset([b])"
UNUSUAL = """
.lattice Range = "ladder.lattices:interval(None)"
.lattice Sets = "ladder.lattices:powerset"
.lattice Maps = "ladder.lattices:pointwise(powerset)"
.functor range(n: number): Range = "functors.py:range_of"
.functor pair(a: number, b: number): Sets = "functors.py:pair_of"
.functor map(a: number, b: number): Maps = "functors.py:map_of"
.decl e(a: number, b: number)
e(1, 2). e(2, 3). e(3, 1). e(3, 4).
.decl r(a: number, v: Range<>)
.decl s(a: number, v: Sets<>)
r(a, @range(b)) :- e(a, b).
r(b, v) :- r(a, v), e(a, b).
s(a, @pair(a, b)) :- e(a, b).
s(b, v) :- s(a, v), e(a, b).
.decl m(a: number, v: Maps<>)
m(a, @map(a, b)) :- e(a, b).
m(b, v) :- m(a, v), e(a, b).
"""
FUNCTORS = """
def range_of(n):
    return 0, {large}

def pair_of(a, b):
    return frozenset([{element}])

def map_of(a, b):
    return frozenset([({entry})])
"""


@pytest.mark.parametrize(
    ("large", "element", "entry", "named"),
    [
        ("2 ** (30 * n)", "a", ENTRY, "Range"),
        pytest.param("n", "(a, b)", ENTRY, "Sets", marks=pytest.mark.nightly),
        pytest.param("n", "a", "(a, b), frozenset([b])", "Maps", marks=pytest.mark.nightly),
        pytest.param("n", "a", "a, frozenset()", "Maps", marks=pytest.mark.nightly),
        pytest.param("n", "a", ENTRY, "", marks=pytest.mark.nightly),
    ],
)
def test_a_program_starts_again_with_joins_in_python(
    large: str, element: str, entry: str, named: str, spark: Any, tmp_path: Any
) -> None:
    """Rows are those of the local engine, and the report says why."""
    (tmp_path / "functors.py").write_text(FUNCTORS.format(large=large, element=element, entry=entry))
    (tmp_path / "program.dl").write_text(UNUSUAL)
    checked = Program.load(tmp_path / "program.dl")
    wanted = example("unusual", checked, lambda db: None)
    state = bootstrapped(spark, wanted.program, wanted.facts)
    assert difference(state_of(wanted.program, state), wanted.expected) == ""
    assert state.report.unusual == (named and f"A value of {named} is none that SQL can join.")
    state.release()
