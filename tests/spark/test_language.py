"""What conformance cases cannot say: floats that are equal and not the same, numbers of 64 bits, values at the edges of
files."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from ladder.api.database import Database
from ladder.api.program import Program

from ..engine.programs import Rows
from .comparison import disagreements, report, spark_evaluator
from .corpus import example

# A join is by the bits of a float, a comparison by its value.
FLOATS = """
.decl f(x: float, y: float)
.input f
.decl same, equal, below, above(x: float, y: float)
.decl chain(x: float, y: float)
.decl extremes(least: float, greatest: float, n: number)
.decl least(x: float, y: float)
.decl total(x: float, s: float)
.decl none(x: float)
same(x, y) :- f(x, y), x = y.
equal(x, y) :- f(x, y), x + 0.0 = y.
below(x, y) :- f(x, y), x <= y.
above(x, y) :- f(x, y), x != y, !below(x, y).
chain(x, y) :- f(x, y).
chain(x, z) :- chain(x, y), f(y, z).
extremes(a, b, n) :- a = min x : { f(x, _) }, b = max x : { f(x, _) }, n = count : { f(_, _) }.
least(x, min(y)) :- f(x, y).
least(x, min(z)) :- least(x, y), f(y, z).
total(x, s) :- f(x, _), s = sum y : { f(x, y) }.
none(x) :- f(x, _), !f(_, x).
"""
ZEROS = [
    (0.0, -0.0),
    (-0.0, 1.0),
    (1.0, 0.0),
    (-0.0, -0.0),
    (0.0, 0.1),
    (1e-45, 1e-45),
    (float("inf"), float("-inf")),
    (float("-inf"), 0.0),
]
NO_NUMBERS = [(float("nan"), float("nan")), (1.0, float("nan")), (float("nan"), 0.0)]

WIDE = """
.decl edge(x: number, y: number, w: unsigned, f: float)
.input edge
.decl path(x: number, y: number)
.decl product(n: number, m: number)
.decl shortest(y: number, d: unsigned)
.decl summary(x: number, n: number, least: number, sum: unsigned, mean: float, greatest: float)
.decl parts(x: number, a: number, u: unsigned, f: float, s: symbol)
.decl first(x: number, y: number) choice-domain x
.decl numbered(i: number, x: number)
.decl best(x: number, w: unsigned)
.decl steps(i: number)
path(x, y) :- edge(x, y, _, _).
path(x, z) :- path(x, y), edge(y, z, _, _), z > -4611686018427387904.
product(1, 1).
product(n + 1, m * (n + 1)) :- product(n, m), n < 22.
shortest(1, min(0)).
shortest(y, min(d + w)) :- shortest(x, d), edge(x, y, w, _).
summary(x, n, a, s, m, b) :- edge(x, _, _, _), n = count : { edge(x, _, _, _) }, a = min y : { edge(x, y, _, _) },
    s = sum w : { edge(x, _, w, _) }, m = mean f : { edge(x, _, _, f) }, b = max f : { edge(x, _, _, f) }.
parts(x, x bshr 33, to_unsigned(x) / 3, to_float(x) * f, to_string(x)) :- edge(x, _, _, f), x / (x - 1) != 7.
first(x, y) :- edge(x, y, _, _).
numbered(autoinc(), x) :- edge(x, _, _, _).
best(x, w) :- edge(x, _, w, _).
best(x, v) <= best(x, w) :- v < w.
steps(i) :- i = range(4294967296, 4294967299).
"""
EDGES = [
    (1, 2**40, 2**63, 0.1),
    (2**40, -(2**62), 5, 1e300),
    (1, 2, 7, -0.5),
    (2, 2**40, 3, 0.25),
    (-(2**63), 1, 2**64 - 1, 2.5),
]


def loaded(facts: Rows, db: Database) -> None:
    for relation, rows in facts.items():
        db.load_rows(relation, rows)


@pytest.mark.nightly
@pytest.mark.parametrize("rows", [ZEROS, ZEROS + NO_NUMBERS], ids=["zeros", "no numbers"])
def test_floats_that_are_equal_and_not_the_same(rows: list[tuple[float, float]], spark: Any) -> None:
    """In Python they are one key of a dictionary, or none: what is compared is how they are written."""
    program = Program.parse(FLOATS)
    local, far = Database(program), Database(program, engine="spark", spark=spark)
    for db in (local, far):
        db.bootstrap({"f": rows})
    found = {name: sorted(map(repr, far[name])) for name in far.relations}
    assert found == {name: sorted(map(repr, local[name])) for name in local.relations}
    assert {"(0.0, -0.0)", "(-0.0, -0.0)"} <= set(found["f"]) and "(0.0, -0.0)" in set(found["equal"]) - set(
        found["same"]
    )
    far.close()


@pytest.mark.nightly
def test_64_bits(spark: Any) -> None:
    found = example("64 bits", Program.parse(WIDE, domain=64), partial(loaded, {"edge": EDGES}))
    assert (22, -1250660718674968576) in found.expected.rows["product"]
    wrong = disagreements(spark_evaluator(spark), [found])
    assert not wrong, report(wrong)
