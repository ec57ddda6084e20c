"""Ordered components on Spark: texts, records and numbers drawn between stages, and the limit of what is read."""

from __future__ import annotations

from typing import Any

import pytest

from ladder.api.program import Program
from ladder.engine.reference import evaluate as naive
from ladder.errors import Unsupported
from ladder.support.tuning import Distributing, Tuning

from ..engine.comparison import difference
from .comparison import bootstrapped, spark_evaluator, state_of

BETWEEN = """
.type Pair = [name: symbol, n: number]
.decl word(w: symbol, n: number)
.input word
.decl first(w: symbol, n: number) choice-domain n
.decl named(p: Pair)
.decl numbered(p: Pair, i: number)
.decl late(i: number, j: number)
.decl after(w: symbol, i: number)
first(cat(w, "!"), n % 3) :- word(w, n).
named([w, n]) :- first(w, n).
numbered(p, autoinc()) :- named(p).
late(autoinc(), i) :- numbered(_, i), i < 2.
after(cat(w, w), i + j) :- numbered([w, _], i), late(j, i).
"""
WORDS = {"word": [("a", 1), ("b", 2), ("c", 3), ("d", 4), ("", 5)]}


def test_between_other_stages(spark: Any) -> None:
    program = Program.parse(BETWEEN).core
    expected = naive.evaluate(program, WORDS)
    assert len(expected.rows["after"]) > 1
    assert not difference(spark_evaluator(spark)(program, WORDS), expected)


def test_of_no_facts_there_are_no_rows(spark: Any) -> None:
    program = Program.parse(BETWEEN).core
    assert not difference(spark_evaluator(spark)(program, {"word": []}), naive.evaluate(program))


def test_counters_are_drawn_in_the_order_of_the_components(spark: Any) -> None:
    """`early` draws after `deep`, which comes first in the text but stands on more stages."""
    program = Program.parse("""
        .decl n(x: number)
        .input n
        .decl a(x: number)
        .decl b(x: number)
        .decl deep(i: number, x: number)
        .decl early(i: number, x: number)
        a(x + 1) :- n(x).
        b(x + 1) :- a(x).
        deep(autoinc(), x) :- b(x).
        early(autoinc(), x) :- n(x).
    """).core
    facts = {"n": [(1,), (2,), (3,)]}
    state = bootstrapped(spark, program, facts)
    assert not difference(state_of(program, state), naive.evaluate(program, facts))
    state.release()


def test_what_would_be_too_much_for_one_process_is_refused(spark: Any) -> None:
    tuning = Tuning(distributing=Distributing(ordered_rows=4))
    with pytest.raises(Unsupported, match="first depends on the order in which rows are derived") as refused:
        bootstrapped(spark, Program.parse(BETWEEN).core, WORDS, tuning=tuning)
    assert "local" in refused.value.hint
