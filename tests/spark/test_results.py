"""Rows of a state on Spark as users see them: those of the local engine."""

from __future__ import annotations

from typing import Any

from ladder import Database, Program
from ladder.engine.spark.engine import SparkEngine
from ladder.engine.spark.facts.sources import Facts
from ladder.engine.spark.results import results, rows

TEXT = """\
.lattice Few = "ladder.lattices:k_set(2)"
.type List = [head: symbol, tail: List]
.type Tree = Leaf { x: number } | Node { l: Tree, s: List }
.decl fact(a: symbol, n: number, u: unsigned, x: float)
.input fact
.decl all(u: unsigned, a: symbol, x: float, n: number)
all(u, a, x, n) :- fact(a, n, u, x).
.decl list(l: List, t: Tree)
list([a, [a, nil]], $Node($Leaf(n), [a, nil])) :- fact(a, n, _, _).
list(nil, $Leaf(0)).
.decl few(n: number, a: Few<>)
few(n, lub(a)) :- fact(a, n, _, _).
.decl one(n: number)
one(min(n)) :- fact(_, n, _, _).
.decl none()
none() :- fact(_, 1, _, _).
"""
FACTS = [("ä", 1, 4294967295, 0.5), ("", -1, 0, -0.0), ("b", 1, 7, float("inf")), ("c", 1, 7, 1e-30)]


def test_frames_and_rows_are_those_of_the_local_engine(spark: Any) -> None:
    program = Program.parse(TEXT)
    local = Database(program)
    local.bootstrap({"fact": FACTS})
    given = Facts(program.core, spark)
    given.add("fact", FACTS)
    state = SparkEngine(program.core, spark).bootstrap(given.cells())
    for name in local.relations:
        assert sorted(map(repr, rows(state, name))) == sorted(map(repr, local[name])), name
        table, expected = results(state, name).toArrow(), local[name].to_arrow()
        assert table.column_names == expected.column_names
        if expected.num_columns:
            assert sorted(map(repr, table.to_pylist())) == sorted(map(repr, expected.to_pylist())), name
    some = state.frame("all").where("c0 = 7").drop("first", "count")
    assert sorted(rows(state, "all", some)) == sorted(row for row in local["all"] if row[0] == 7)
    assert {row["u"] for row in results(state, "all", some).collect()} == {7}
    state.release()
