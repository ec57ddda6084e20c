"""Random programs of the whole language, each with its setting: strategy, threads, changes, saves, other rules."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ladder.language.compile import compile_program
from ladder.language.core import Program
from ladder.language.versions.rule_changes import rule_key

from ..marks import seeds
from .bodies import SCALARS
from .checking import FINE, TOO_MUCH, case_of, check, check_case, smallest
from .forms import FORMS
from .programs import EVERYTHING, build
from .sessions import OPERATIONS, STRATEGIES, setting_of
from .unit_columns import with_unit_columns

FIRST = 200_000


@pytest.mark.parametrize("block", range(4))
def test_some_random_programs(block: int, tmp_path: Path) -> None:
    outcomes = [check(seed, tmp_path / "state") for seed in range(FIRST + 10 * block, FIRST + 10 * block + 10)]
    assert outcomes.count(FINE) > 5


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**9), steps=st.integers(0, 3), strategy=st.sampled_from(STRATEGIES))
def test_seeds_that_hypothesis_chooses(
    seed: int, steps: int, strategy: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    check_case(case_of(seed), setting_of(seed, steps, strategy), tmp_path_factory.mktemp("state") / "s")


@pytest.mark.parametrize("seed", range(60))
def test_columns_of_a_type_with_one_value_cost_nothing(seed: int) -> None:
    """The core program is the one without them, but for the names of variables."""
    source = random.Random(f"unit columns {seed}")
    text = build(source, EVERYTHING - {"components", "overrides", "wide"}).text
    more = with_unit_columns(text, source)
    assert contents(compile_program(more).core) == contents(compile_program(text).core), more


def contents(program: Program) -> tuple[object, ...]:
    clauses = (*program.rules, *program.subsumptions)
    rules = [(rule_key(clause, program.types), getattr(clause, "plan", None)) for clause in clauses]
    return rules, program.relations, program.facts, program.directives, program.functions


def test_the_generator_has_everything() -> None:
    """Every construct, lattice, operation and strategy is drawn often enough to be met."""
    texts = [case_of(seed).text for seed in range(700)]
    wanted = [
        *SCALARS,
        *FORMS,
        "eqrel",
        "inline",
        "choice-domain",
        " <= r",
        ".limitsize",
        ".plan",
        ".comp",
        ".override",
        "overridable",
        "debug_delta",
        "autoinc()",
        "recursive_iteration_cnt()",
        "glb(",
        "lub(",
        "min(",
        "mean ",
        "sum ",
        "count",
        "range(",
        "match(",
        "contains(",
        "$Node",
        "$Next",
        "nil",
        " ; ",
        "!",
        "magic",
        "btree",
        "c31:",
        "@near",
        "Small",
        "Mixed",
        "Deep",
    ]
    assert [word for word in wanted if sum(word in text for text in texts) < 3] == []
    chosen = [setting_of(seed) for seed in range(500)]
    assert {s.strategy for s in chosen} == set(STRATEGIES) and {s.jobs for s in chosen} == {1, 2, 3, 7}
    assert {name for s in chosen for name, _ in s.steps} == set(OPERATIONS)
    assert len(EVERYTHING) > 20


def test_what_fails_is_made_smaller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect that concerns one relation is shown by little more than that relation."""

    def wrong(self: object) -> None:
        assert "eqrel" not in self.text, "an equivalence"  # type: ignore[attr-defined]

    seed = next(seed for seed in range(1000) if "eqrel" in case_of(seed).text and ".comp" not in case_of(seed).text)
    monkeypatch.setattr("tests.random_programs.sessions.Session.check", wrong)
    case, setting = smallest(case_of(seed), setting_of(seed), tmp_path / "state")
    assert "eqrel" in case.text and len(case.text.splitlines()) <= 2 and not case.changes and not setting.steps


@pytest.mark.nightly
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_many_sessions(strategy: str, tmp_path: Path) -> None:
    """Long sessions; as many as the budget allows, or 300."""
    outcomes = [
        check_case(case_of(seed), setting_of(seed, 8, strategy), tmp_path / "state")
        for seed in seeds(range(FIRST, FIRST + 300))
    ]
    assert FINE in outcomes or TOO_MUCH in outcomes
