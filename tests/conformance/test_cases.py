"""Every conformance case on every backend of the registry: states after the facts and after each change, and the errors
of refused programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ladder import Database
from ladder.engine.backend import Capability
from ladder.engine.reference.backend import ReferenceBackend
from ladder.engine.reference.evaluate import State
from ladder.engine.registry import BACKENDS
from ladder.language.errors import ProgramError

from ..engine.comparison import state_of
from ..spark import gaps
from ..spark.comparison import Example, disagreements, report, spark_evaluator
from . import cases
from .cases import ACCEPTED, REFUSED


def run(case: cases.Case, engine: str, **options: Any) -> Iterator[State]:
    """One bootstrap, then each change; where the state is another backend's that does not tell it, it is brought to the
    local engine."""
    db = Database(case.program, engine=engine, switch=None, **options)
    try:
        db.bootstrap(case.facts)
        yield found(db)
        for change in case.changes:
            db.update(**change)
            yield found(db)
    finally:
        db.close()


def found(db: Database) -> State:
    """The state of a database, in the form of the reference; of a backend that tells no more, the rows alone."""
    backend = db._with_state()
    if isinstance(backend, ReferenceBackend):
        return backend.found
    if Capability.STATE not in backend.capabilities and backend is not db._remote:
        return State(finals={name: set(db[name]) for name in db.relations})
    return state_of(db._ready())


def run_spark(case: cases.Case, spark: Any) -> Iterator[State]:
    """From scratch on Spark after every change."""
    evaluate = spark_evaluator(spark)
    for facts in cases.states(case):
        yield evaluate(case.program.core, facts)


# Those of many iterations or many rules: analyses over lattices, loops, three states of one lattice each, every
# operator.
LONG = frozenset(
    (
        "aggregates",
        "constants",
        "constants_with_meets",
        "counting_loop",
        "extremes",
        "functor_intervals",
        "functor_signs",
        "iterations",
        "ladddder_singleton",
        "mixed_lattices",
        "operators",
        "supplied_lattices",
    )
)
TAKEN_OVER = ("text", "variants")  # by the local engine, of a state of Spark; others stand in unions, see tests/spark
SMOKE = "transitive_closure"  # on Spark in every run of the tests: most of its time is the start of a session


def check_states(case: cases.Case, states: Iterator[State]) -> None:
    steps = 0
    for step, state in enumerate(states):
        rows_alone = not state.rows and not state.aggregate_inputs
        for (relation, form), lines in case.expected[step].items():
            if rows_alone and form != "rows":
                continue
            assert cases.lines(case, state, relation, form) == lines, f"{form} {step} {relation}"
        steps += 1
    assert steps == len(case.changes) + 1


def of(engine: str, name: str) -> Any:
    """A case on a backend; those on Spark are marked as such, and but for a few run at night."""
    if engine != "spark":
        return pytest.param(name, engine)
    marks = [pytest.mark.spark]
    if name == SMOKE:
        marks.append(pytest.mark.smoke)
    elif name not in TAKEN_OVER:
        marks.append(pytest.mark.nightly)
    return pytest.param(name, engine, marks=marks)


@pytest.mark.parametrize(("name", "engine"), [of(engine, name) for engine in BACKENDS for name in ACCEPTED])
def test_states(name: str, engine: str, request: pytest.FixtureRequest) -> None:
    own = {"spark": request.getfixturevalue("spark")} if engine == "spark" else {}
    case = cases.load(name)
    check_states(case, run(case, engine, **own))


def test_states_on_spark(spark: Any) -> None:
    """Every second case of few iterations, with their facts at first, many of them in one run; all others and all steps
    are run at night."""
    examples = [
        Example(case.name, case.program.core, case.facts, next(run(case, "reference")))
        for case in map(cases.load, [name for name in ACCEPTED if name not in LONG][::2])
    ]
    wrong = disagreements(spark_evaluator(spark), examples)
    assert not wrong, report(wrong)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ACCEPTED)
def test_states_on_spark_one_by_one(name: str, spark: Any) -> None:
    case = cases.load(name)
    check_states(case, run_spark(case, spark))


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
