"""Two texts or records with one id end an evaluation; equal Python values of different types are one object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ladder.engine.reference import evaluate as naive
from ladder.engine.spark.lowering import expressions, packing
from ladder.engine.spark.values import dictionary
from ladder.errors import LadderError
from ladder.language.compile import compile_program

from ..engine.comparison import difference
from .comparison import spark_evaluator

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TEXTS = """
.decl part(s: symbol)
part("a"). part("b").
.decl joined(s: symbol)
joined(cat(s, t)) :- part(s), part(t).
.decl more(s: symbol)
more(cat(s, "c")) :- joined(s), strlen(s) < 3.
"""
RECORDS = """
.type Pair = [left: number, right: number]
.decl n(x: number)
n(1). n(2). n(3).
.decl pair(p: Pair)
pair([x, y]) :- n(x), n(y).
"""
OBJECTS = """
.lattice Any = "ladder.lattices:flat"
.functor number(n: number): Any
.functor flag(n: number): Any
.functor half(n: number): Any
.functor same(x: Any, y: Any): number
.decl n(x: number)
n(0). n(1). n(2).
.decl r(x: Any)
r(@number(x)) :- n(x).
r(@flag(x)) :- n(x).
r(@half(x)) :- n(x).
.decl s(x: number)
s(@same(x, y)) :- r(x), r(y).
"""
FUNCTORS = {"number": lambda n: n, "flag": lambda n: n == 1, "half": lambda n: n / 2, "same": lambda x, y: int(x == y)}


@pytest.mark.parametrize(
    ("name", "hashes"), [("same", "CAST(1L << 40 AS BIGINT)"), ("few", "pmod(xxhash64({}), 3L) + 1099511627776L")]
)
def test_texts(spark: SparkSession, monkeypatch: pytest.MonkeyPatch, name: str, hashes: str) -> None:
    monkeypatch.setattr(expressions, "text_id_sql", lambda text, seed: hashes.format(text))
    with pytest.raises(LadderError, match="have the same hash") as caught:
        spark_evaluator(spark)(compile_program(TEXTS).core, {})
    assert "spark.ladder.seed" in caught.value.hint


def test_a_text_and_one_of_an_earlier_stage(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    known = dictionary.symbol_id("b")
    monkeypatch.setattr(
        expressions,
        "text_id_sql",
        lambda text, seed: f"CASE WHEN {text} = CAST('aac' AS BINARY) THEN {known}L ELSE xxhash64({text}) END",
    )
    with pytest.raises(LadderError, match="'aac' and 'b' have the same hash"):
        spark_evaluator(spark)(compile_program(TEXTS).core, {})


def test_records(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "record_id_sql", lambda table, cells, seed: f"{cells[0]} + 1099511627776L")
    with pytest.raises(LadderError, match=r"Two records of \[\]2 have the same hash"):
        spark_evaluator(spark)(compile_program(RECORDS).core, {})


def test_equal_values_of_different_types_are_one(spark: SparkSession) -> None:
    """0, 1, 2, False, True, 0.0, 0.5, 1.0."""
    program: Any = compile_program(OBJECTS, functors=FUNCTORS).core
    found, expected = spark_evaluator(spark)(program, {}), naive.evaluate(program, {})
    assert difference(found, expected) == ""
    assert len(found.rows["r"]) == 4
