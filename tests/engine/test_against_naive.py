"""The local engine against the naive evaluator: state for state, from scratch and after every change."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ladder.engine.local.engine import LocalEngine
from ladder.engine.reference import evaluate as naive
from ladder.language import parse
from ladder.support.tuning import Planning

from ..marks import seeds, slow_after
from ..random_programs.whole_language import affordable_cases
from .comparison import check_structure, difference, state_of
from .programs import Case, Rows, cases, filled_later, random_case, states
from .tuned import tuned


def encoded(engine: LocalEngine, rows: Rows) -> dict:
    return {name: engine.encode_facts(name, some) for name, some in rows.items() if some}


def check(case: Case, seed: int) -> None:
    """Bootstrap, then every change, some of them abandoned half way; tiny batches and capacities by turns."""
    source = random.Random(seed)
    case = filled_later(case, source) if source.random() < 0.5 else case
    program = parse(case.text)
    tuning = tuned(
        batch_size=source.choice([1, 3, 64]),
        capacity=source.choice([2, 64]),
        replanned_rows=source.choice([1, 5, 20_000]),
        replanned_growth=source.choice([1, 2]),
        replanned_change=source.choice([1.0, 2.0]),
        planning=Planning(
            long_block=source.choice([0.0, 3.0]),
            intermediate_from=0,
            intermediate_matches=0,
            intermediate_share=source.choice([0.0, float("inf")]),
        ),
    )
    engine = LocalEngine(program, tuning=tuning)
    expected_facts = list(states(case))
    engine.bootstrap(encoded(engine, expected_facts[0]))
    expected = naive.evaluate(program, expected_facts[0])
    assert difference(state_of(engine), expected) == ""
    for facts, change in zip(expected_facts[1:], case.changes, strict=True):
        deleted, inserted = encoded(engine, change["delete"]), encoded(engine, change["insert"])
        if source.random() < 0.3:
            engine.update(deleted, inserted)
            engine.abandon()
            assert difference(state_of(engine), expected) == ""
        engine.update(deleted, inserted)
        engine.finish()
        expected = naive.evaluate(program, facts)
        assert difference(state_of(engine), expected) == ""
        check_structure(engine)
        if source.random() < 0.3:
            for number in engine.numbers.values():
                if engine.store.relations[number].absent_rows:
                    engine.compact(number)
            check_structure(engine)
            assert difference(state_of(engine), expected) == ""


@pytest.mark.parametrize("block", slow_after(2, range(14)))
def test_random_programs_and_changes(block: int) -> None:
    for seed in range(9 * block, 9 * block + 9):
        check(random_case(seed), seed)


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases(), seed=st.integers(0, 1000))
def test_programs_that_hypothesis_can_shrink(case: Case, seed: int) -> None:
    check(case, seed)


@pytest.mark.parametrize("block", slow_after(2, range(4)))
def test_programs_of_the_whole_language(block: int) -> None:
    for seed, case in affordable_cases(range(5000 + 10 * block, 5000 + 10 * block + 10)):
        check(case, seed)


@pytest.mark.nightly
def test_many_random_programs_and_changes() -> None:
    for seed in seeds(range(1000, 4000)):
        check(random_case(seed), seed)


@pytest.mark.nightly
def test_many_programs_of_the_whole_language() -> None:
    for seed, case in affordable_cases(seeds(range(6000, 8000))):
        check(case, seed)


def test_rows_choose_between_plans_once() -> None:
    """Blocks of the primary index grow while the first of several plans that start alike runs."""
    text = """
    .type Pair = [n: number, s: symbol]
    .decl e0(c0: symbol, c1: number)
    .decl e2(c0: number, c1: number, c2: number)
    .decl r5(c0: Pair, c1: number, c2: number)
    r5([v4, "b"], v4, v1) :- e2(v1, v2, v3), v4 = v2.
    r5(v5, v4, v6) :- r5(v5, v6, v3), e0(v8, v3), r5([v1, v2], v3, v4).
    """
    facts: Rows = {
        "e0": [("a", 3), ("b", 0), ("b", 4), ("b", 7)],
        "e2": [(0, 7, 0), (0, 8, 5), (4, 3, 8), (4, 9, 6), (7, 3, 9), (7, 4, 9)],
    }
    case = Case(text, facts, [{"insert": {"e0": [("b", 8)]}, "delete": {}}])
    for seed in range(4):
        check(case, seed)
