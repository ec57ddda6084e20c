"""Random programs on random facts: the state on Spark is the naive evaluator's, many programs in one run, and alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ladder.api.program import Program
from ladder.engine.reference import evaluate as naive
from ladder.language import parse
from ladder.language.core import ordered_relations

from ..engine.programs import Case, cases, random_case, states
from ..engine.recursion import recursive_case
from ..lattices import random_programs as over_lattices
from ..lattices.running import FUNCTORS
from ..marks import seeds
from ..random_programs.whole_language import affordable_cases
from .comparison import Example, disagreements, report, spark_evaluator
from .gaps import gap


def examples_of(name: str, case: Case) -> Iterator[Example]:
    """The case with its facts at first and after all changes."""
    program = parse(case.text)
    every = list(states(case))
    for step in {0, len(every) - 1}:
        yield Example(f"{name}, step {step}", program, every[step], naive.evaluate(program, every[step]))


def over_lattices_of(seed: int) -> Example:
    text, facts, _ = over_lattices.cases(seed)
    program = Program.parse(text, functors=FUNCTORS).core
    return Example(f"lattices {seed}", program, facts, naive.evaluate(program, facts))


def joins(chosen: Iterable[int]) -> Iterator[Example]:
    for seed in chosen:
        yield from examples_of(f"random {seed}", random_case(seed))


def whole_language(chosen: Iterable[int]) -> Iterator[Example]:
    for seed, case in affordable_cases(chosen):
        if gap(parse(case.text)) is None:
            yield from examples_of(f"whole language {seed}", case)


def alone(seed: int) -> Iterator[Example]:
    """A program of one of the three generators with its facts at first, if Spark evaluates it."""
    made = [joins, whole_language, lambda chosen: map(over_lattices_of, chosen)][seed % 3]
    return islice(made([seed]), 1)


def check(spark: Any, examples: Iterable[Example]) -> None:
    wrong = disagreements(spark_evaluator(spark), list(examples))
    assert not wrong, report(wrong)


def test_random_programs(spark: Any) -> None:
    check(spark, chain(islice(joins(range(20_000, 20_100)), 3), islice(whole_language(range(30_000, 30_100)), 3)))


def test_random_programs_over_lattices(spark: Any) -> None:
    check(spark, [over_lattices_of(20)])


@pytest.mark.nightly
def test_recursion_through_lattices(spark: Any) -> None:
    check(spark, examples_of("recursion", recursive_case(3)))


def test_a_random_program_alone(spark: Any) -> None:
    check(spark, alone(36_002))


@pytest.mark.nightly
def test_many_random_programs_alone(spark: Any) -> None:
    """What distinguishes programs, relations and lattices in the SQL of many is not there."""
    for seed in seeds(range(36_003, 36_063)):
        check(spark, alone(seed))


@pytest.mark.nightly
@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(several=st.lists(cases(), min_size=1, max_size=6))
def test_programs_that_hypothesis_can_shrink(spark: Any, several: list[Case]) -> None:
    check(spark, chain.from_iterable(examples_of(str(number), case) for number, case in enumerate(several)))


def test_ordered_programs(spark: Any) -> None:
    """Choices, limits, subsumption and counters among other rules."""
    ordered = [
        (seed, case) for seed, case in affordable_cases(range(31_000, 31_040)) if ordered_relations(parse(case.text))
    ]
    assert len(ordered) > 5
    check(spark, chain.from_iterable(examples_of(f"ordered {seed}", case) for seed, case in ordered[:2]))


@pytest.mark.nightly
def test_many_random_programs(spark: Any) -> None:
    for block in seeds(range(12)):
        check(spark, joins(range(40_000 + 24 * block, 40_000 + 24 * block + 24)))


@pytest.mark.nightly
def test_many_programs_of_the_whole_language(spark: Any) -> None:
    for block in seeds(range(12)):
        check(spark, whole_language(range(50_000 + 40 * block, 50_000 + 40 * block + 40)))


@pytest.mark.nightly
def test_many_random_programs_over_lattices(spark: Any) -> None:
    for block in seeds(range(5)):
        alone = map(over_lattices_of, range(2000 + 12 * block, 2012 + 12 * block))
        recursive = (examples_of(f"recursion {seed}", recursive_case(seed)) for seed in range(4 * block, 4 * block + 4))
        check(spark, chain(alone, *recursive))
