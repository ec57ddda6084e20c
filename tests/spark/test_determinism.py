"""The same program and facts give the same state, ids included, however the work is cut and in whatever order facts are
given."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from ladder.language.core import Program
from ladder.support.tuning import Distributing, Planning, Tuning

from ..conformance import cases
from ..engine.programs import Rows
from .comparison import bootstrapped
from .unions import union, unite

# Symbols, records, objects, aggregates in recursion, new texts, generated values: whatever makes ids or folds over
# batches.
NAMES = ("aggregates_in_recursion", "bounded_sets", "functors", "records", "text")
BATCH = "spark.sql.execution.arrow.maxRecordsPerBatch"


@pytest.fixture(scope="module")
def case() -> tuple[Program, Rows]:
    loaded = list(map(cases.load, NAMES))
    return union([case.program.core for case in loaded]), unite([case.facts for case in loaded])


@pytest.fixture(scope="module")
def expected(spark: Any, case: tuple[Program, Rows]) -> dict[str, Any]:
    found = contents(spark, *case)
    assert sum(map(len, found.values())) > 100 and len(found["dictionary"]) > 20
    return found


def contents(spark: Any, program: Program, facts: Rows, **options: Any) -> dict[str, Any]:
    """All that is stored, cells as they are."""
    state = bootstrapped(spark, program, facts, **options)
    try:
        found = {name: sorted(map(tuple, state.frame(name).collect())) for name in program.relations}
        return found | {"dictionary": sorted({(row[0], bytes(row[1])) for row in state.dictionary.collect()})}
    finally:
        state.release()


def differing(found: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    assert found.keys() == expected.keys()
    return {name: (found[name], expected[name]) for name in found if found[name] != expected[name]}


@pytest.mark.parametrize("partitions", [1, pytest.param(5, marks=pytest.mark.nightly)])
def test_partitions(partitions: int, spark: Any, case: tuple[Program, Rows], expected: dict[str, Any]) -> None:
    assert differing(contents(spark, *case, partitions=partitions), expected) == {}


def test_order_of_facts_and_size_of_batches(spark: Any, case: tuple[Program, Rows], expected: dict[str, Any]) -> None:
    """Facts in another order, some of them twice, in batches of two rows."""
    program, facts = case
    source = random.Random(7)
    mixed = {name: source.sample(rows + rows[:3], len(rows) + len(rows[:3])) for name, rows in facts.items()}
    with setting(spark, BATCH, "2"):
        assert differing(contents(spark, program, mixed), expected) == {}


LOW = Tuning(
    planning=Planning(unknown_rows=0.0, unknown_block=0.0, one_match=0.0, indexing=0.0),
    distributing=Distributing(
        memory_per_branch=1 << 40,
        rows_together=0,
        broadcast_rows=0,
        most_runs=1,
        comparable=1,
        own_run=1,
        measured_rows=1,
        replanned_rows=1,
        replanned_growth=1,
        many_facts=0,
        remembered=1,
        remembered_bytes=0,
    ),
)


@pytest.mark.nightly
def test_thresholds(spark: Any, case: tuple[Program, Rows], expected: dict[str, Any]) -> None:
    """Branches apart, runs merged and taken apart, and plans made anew, whenever they may be."""
    assert differing(contents(spark, *case, tuning=LOW), expected) == {}


@contextmanager
def setting(spark: Any, key: str, value: str) -> Iterator[None]:
    before = spark.conf.get(key)
    spark.conf.set(key, value)
    try:
        yield
    finally:
        spark.conf.set(key, before)
