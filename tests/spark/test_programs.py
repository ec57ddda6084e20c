"""Programs that people use, on Spark: the state is the local engine's."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import starmap
from pathlib import Path
from typing import Any

import pytest

from . import corpus
from .comparison import disagreements, report, spark_evaluator

SOME = ("bits", "classes", "colours", "groups", "heads", "lists", "text", "witnesses")


def check(spark: Any, cases: Iterable[corpus.Given]) -> None:
    wrong = disagreements(spark_evaluator(spark), list(starmap(corpus.example, cases)))
    assert not wrong, report(wrong)


def test_some_result_cases(spark: Any) -> None:
    check(spark, [case for case in corpus.result_cases() if case[0] in SOME])


@pytest.mark.nightly
def test_result_cases(spark: Any) -> None:
    check(spark, corpus.result_cases())


@pytest.mark.nightly
def test_documentation(spark: Any, tmp_path: Path) -> None:
    check(spark, corpus.documentation(tmp_path))


@pytest.mark.parametrize(
    "name",
    [
        name if name in ("pointsto_heap", "crdt") else pytest.param(name, marks=pytest.mark.nightly)
        for name in corpus.BENCHMARKS
    ],
)
def test_benchmarks(name: str, spark: Any) -> None:
    check(spark, [corpus.benchmark(name)])


@pytest.mark.nightly
@pytest.mark.large
@pytest.mark.parametrize("name", corpus.ANALYSES)
def test_analyses(name: str, spark: Any) -> None:
    check(spark, [corpus.analysis(name)])
