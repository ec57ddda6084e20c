"""Every strategy against the naive evaluator, and its own state against that of a run from scratch, after
every change."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ladder.engine.local.engine import LocalEngine
from ladder.engine.reference import evaluate as naive
from ladder.errors import Unsupported
from ladder.language import parse

from ..marks import seeds, slow_after, slow_but
from ..random_programs.whole_language import affordable_cases
from .comparison import check_structure
from .own_states import own_state
from .programs import Case, Rows, cases, filled_later, random_case, states
from .recursion import recursive_case
from .tuned import tuned

INCREMENTAL = ("counting", "dred", "dredc", "bf", "bfc")


def engine_of(case: Case, strategy: str, source: random.Random) -> LocalEngine:
    """A new engine with tiny batches and capacities by turns."""
    return LocalEngine(
        parse(case.text),
        tuning=tuned(batch_size=source.choice([1, 3, 64]), capacity=source.choice([2, 64])),
        strategy=strategy,
    )


def encoded(engine: LocalEngine, rows: Rows) -> dict[str, Any]:
    return {name: engine.encode_facts(name, some) for name, some in rows.items() if some}


def rows_of(engine: LocalEngine) -> dict[str, set[tuple[Any, ...]]]:
    """Rows of the program's relations."""
    state = own_state(engine)
    return {name: {row[int(engine.has_filler(name)) :] for row in state[name]} for name in engine.program.relations}


def expected_rows(case: Case, facts: Rows) -> dict[str, set[tuple[Any, ...]]]:
    state = naive.evaluate(parse(case.text), facts)
    return {name: set(rows) for name, rows in state.rows.items()} | {
        name: set(rows) for name, rows in state.finals.items()
    }


def from_scratch(case: Case, strategy: str, facts: Rows, source: random.Random) -> LocalEngine:
    engine = engine_of(case, strategy, source)
    engine.bootstrap(encoded(engine, facts))
    return engine


def check(case: Case, strategy: str, seed: int) -> bool:
    """Bootstrap, then every change, in parts, some abandoned and some reverted; whether the strategy takes
    the program."""
    source = random.Random(seed)
    case = filled_later(case, source) if source.random() < 0.5 else case
    all_facts = list(states(case))
    try:
        engine = from_scratch(case, strategy, all_facts[0], source)
    except Unsupported:
        return False
    assert rows_of(engine) == expected_rows(case, all_facts[0])
    for old_facts, facts, change in zip(all_facts, all_facts[1:], case.changes, strict=False):
        before = own_state(engine)
        if source.random() < 0.3:
            engine.update(encoded(engine, change["delete"]), encoded(engine, change["insert"]))
            engine.abandon()
            assert own_state(engine) == before
            check_structure(engine)
        for part in parts(change, source):
            engine.update(encoded(engine, part["delete"]), encoded(engine, part["insert"]))
            engine.finish()
        assert rows_of(engine) == expected_rows(case, facts)
        scratch = own_state(from_scratch(case, strategy, facts, source))
        assert own_state(engine) == scratch
        check_structure(engine)
        if source.random() < 0.2:
            assert list(engine_changes(engine, {}, {})) == []
            assert own_state(engine) == scratch
        if source.random() < 0.2:
            back = {"delete": absent(change["insert"], old_facts), "insert": change["delete"]}
            for there in (back, change):
                engine.update(encoded(engine, there["delete"]), encoded(engine, there["insert"]))
                engine.finish()
                assert there is change or own_state(engine) == before
            assert own_state(engine) == scratch
    return True


def engine_changes(engine: LocalEngine, deleted: Any, inserted: Any) -> list[str]:
    engine.update(deleted, inserted)
    changed = [name for name, _, _ in engine.changes()]
    engine.finish()
    return changed


def absent(rows: Rows, facts: Rows) -> Rows:
    """Rows that are not among the facts."""
    return {name: [row for row in some if row not in facts.get(name, [])] for name, some in rows.items()}


def parts(change: dict[str, Rows], source: random.Random) -> list[dict[str, Rows]]:
    """A change cut into one to three transactions."""
    cut: list[dict[str, Rows]] = [{"delete": {}, "insert": {}} for _ in range(source.choice([1, 1, 2, 3]))]
    for side in ("delete", "insert"):
        for name, rows in change[side].items():
            for row in rows:
                source.choice(cut)[side].setdefault(name, []).append(row)
    return cut


@pytest.mark.parametrize("count", slow_after(1, [2, 6]))
@pytest.mark.parametrize("strategy", INCREMENTAL)
def test_random_programs_and_changes(strategy: str, count: int) -> None:
    taken = (seed for seed in range(200) if check(random_case(seed), strategy, seed))
    assert len(list(islice(taken, count))) == count


@pytest.mark.parametrize("strategy", slow_but(["counting", "bf"], INCREMENTAL))
def test_programs_of_the_whole_language(strategy: str) -> None:
    assert sum(check(case, strategy, seed) for seed, case in affordable_cases(range(5000, 5006)))


@pytest.mark.parametrize("strategy", slow_but(["dred", "bfc"], INCREMENTAL))
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases(), seed=st.integers(0, 1000))
def test_programs_that_hypothesis_can_shrink(strategy: str, case: Case, seed: int) -> None:
    check(case, strategy, seed)


@pytest.mark.nightly
@pytest.mark.parametrize("strategy", INCREMENTAL)
def test_many_random_programs_and_changes(strategy: str) -> None:
    for seed in seeds(range(1000, 3000)):
        check(random_case(seed), strategy, seed)


@pytest.mark.nightly
@pytest.mark.parametrize("strategy", INCREMENTAL)
def test_many_programs_of_the_whole_language(strategy: str) -> None:
    for seed, case in affordable_cases(seeds(range(6000, 7500))):
        check(case, strategy, seed)


@pytest.mark.parametrize("count", slow_after(1, [2, 5]))
@pytest.mark.parametrize("strategy", INCREMENTAL)
def test_recursion(strategy: str, count: int) -> None:
    assert all(check(recursive_case(seed), strategy, seed) for seed in range(count))


@pytest.mark.nightly
@pytest.mark.parametrize("strategy", INCREMENTAL)
def test_much_recursion(strategy: str) -> None:
    assert all(check(recursive_case(seed), strategy, seed) for seed in seeds(range(100, 1000)))
