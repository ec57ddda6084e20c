"""Random programs, random sessions, all strategies."""
from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ladder.errors import Unsupported

from .programs import Case, cases, random_case
from .sessions import STRATEGIES, run
from .whole_language import affordable_cases

NIGHTLY_SEEDS = int(os.environ.get("LADDER_SEEDS", "300"))


def check(case: Case, seed: int, strategy: str, folder: Path, steps: int) -> bool:
    """A session; whether the strategy takes the program."""
    try:
        run(case, seed, strategy, folder, steps)
    except Unsupported:
        return False
    return True


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_sessions(strategy: str, tmp_path: Path) -> None:
    seeds = range(80_000, 80_006 if strategy == "elastic" else 80_002)
    assert sum(check(random_case(seed), seed, strategy, tmp_path / str(seed), 6) for seed in seeds)


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases(), seed=st.integers(0, 10**6), strategy=st.sampled_from(STRATEGIES))
def test_sessions_that_hypothesis_can_shrink(case: Case, seed: int, strategy: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    check(case, seed, strategy, tmp_path_factory.mktemp("state") / "s", 4)


@pytest.mark.nightly
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_many_sessions(strategy: str, tmp_path: Path) -> None:
    """As many seeds as LADDER_SEEDS says."""
    for seed in range(81_000, 81_000 + NIGHTLY_SEEDS):
        check(random_case(seed), seed, strategy, tmp_path / str(seed), 10)


@pytest.mark.nightly
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_many_sessions_of_the_whole_language(strategy: str, tmp_path: Path) -> None:
    for seed, case in affordable_cases(range(82_000, 82_000 + NIGHTLY_SEEDS)):
        check(case, seed, strategy, tmp_path / str(seed), 6)
