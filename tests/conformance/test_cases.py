"""Every conformance case on every engine: states after the facts and after each change, and the errors of refused programs."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.reference import evaluate as naive
from ladder.engine.reference.evaluate import State
from ladder.language.errors import ProgramError

from ..engine.comparison import state_of
from ..spark import gaps
from ..spark.comparison import Example, disagreements, report, spark_evaluator, spark_then_local
from . import cases
from .cases import ACCEPTED, REFUSED


def run_naive(case: cases.Case) -> Iterator[State]:
    """From scratch after every change."""
    for facts in cases.states(case):
        yield naive.evaluate(case.program.core, facts)


def run_local(case: cases.Case) -> Iterator[State]:
    """One bootstrap, then one update for each change."""
    engine = LocalEngine(case.program.core)
    engine.bootstrap(encoded(engine, case.facts))
    yield state_of(engine)
    yield from updated(engine, case)


def updated(engine: LocalEngine, case: cases.Case) -> Iterator[State]:
    for change in case.changes:
        engine.update(encoded(engine, change.get("delete", {})), encoded(engine, change.get("insert", {})))
        engine.finish()
        yield state_of(engine)


def encoded(engine: LocalEngine, rows: cases.Rows) -> dict[str, Any]:
    return {name: engine.encode_facts(name, some) for name, some in rows.items()}


def run_spark(case: cases.Case, spark: Any) -> Iterator[State]:
    """From scratch after every change."""
    evaluate = spark_evaluator(spark)
    for facts in cases.states(case):
        yield evaluate(case.program.core, facts)


def run_spark_then_local(case: cases.Case, spark: Any, folder: Path) -> Iterator[State]:
    """One bootstrap on Spark, whose state the local engine opens and updates for each change."""
    engine = spark_then_local(spark, case.program, case.facts, folder)
    yield state_of(engine)
    yield from updated(engine, case)


# An engine takes a case and yields its state after the facts and after each of the changes.
ENGINES: dict[str, Callable[[cases.Case], Iterator[State]]] = {"naive": run_naive, "local": run_local}


# Those of many iterations or many rules: analyses over lattices, loops, three states of one lattice each, every operator.
LONG = frozenset(("aggregates", "constants", "constants_with_meets", "counting_loop", "extremes", "functor_intervals", "functor_signs",
                  "iterations", "ladddder_singleton", "mixed_lattices", "operators", "supplied_lattices"))
# Those whose state is taken over by the local engine, one of them in every run of the tests; others stand in unions, see tests/spark.
TAKEN_OVER = ("text", "variants")


def check_states(case: cases.Case, states: Iterator[State]) -> None:
    steps = 0
    for step, state in enumerate(states):
        for (relation, form), lines in case.expected[step].items():
            assert cases.lines(case, state, relation, form) == lines, f"{form} {step} {relation}"
        steps += 1
    assert steps == len(case.changes) + 1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ACCEPTED)
def test_states(name: str, engine: str) -> None:
    case = cases.load(name)
    check_states(case, ENGINES[engine](case))


def test_states_on_spark(spark: Any) -> None:
    """Cases of few iterations, with their facts at first, many of them in one run; all others and all steps are run at night."""
    examples = [Example(case.name, case.program.core, case.facts, next(run_naive(case)))
                for case in (cases.load(name) for name in ACCEPTED if name not in LONG)]
    wrong = disagreements(spark_evaluator(spark), examples)
    assert not wrong, report(wrong)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ACCEPTED)
def test_states_on_spark_one_by_one(name: str, spark: Any) -> None:
    case = cases.load(name)
    check_states(case, run_spark(case, spark))


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.smoke if name == "text" else () if name in TAKEN_OVER else pytest.mark.nightly) for name in ACCEPTED])
def test_states_on_spark_then_local(name: str, spark: Any, tmp_path: Path) -> None:
    case = cases.load(name)
    check_states(case, run_spark_then_local(case, spark, tmp_path))


@pytest.mark.parametrize("name", ACCEPTED)
def test_no_case_is_a_gap_of_spark(name: str) -> None:
    assert gaps.gap(cases.load(name).program.core) is None


@pytest.mark.parametrize("name", REFUSED)
def test_errors(name: str) -> None:
    with pytest.raises(ProgramError) as refused:
        cases.load(name)
    assert refused.value.render().splitlines() == cases.expected_errors(name)


def test_every_case_says_what_it_expects() -> None:
    for name in ACCEPTED:
        case = cases.load(name)
        assert len(case.expected) == len(case.changes) + 1 and all(case.expected), name
    for name in REFUSED:
        assert [title for title, _ in cases.sections(name)] == ["errors"], name
