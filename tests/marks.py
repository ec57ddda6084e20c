"""What tests have in common: which parameters are slow, how much random input is tried, and whether Spark can run."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from ladder.spark.java import lacking

# seconds for each nightly test of random inputs; 0: as many as it names itself
BUDGET = float(os.environ.get("LADDER_TEST_BUDGET", "0"))

NO_SPARK = lacking()  # asked once: it starts Java
needs_spark = pytest.mark.skipif(bool(NO_SPARK), reason=f"Spark cannot run here: {NO_SPARK}")


def slow_after(most: int, values: Iterable[Any]) -> list[Any]:
    """Parameters of a test: the first ones in every run of the tests, the others where slow tests are run, too."""
    return [value if i < most else pytest.param(value, marks=pytest.mark.slow) for i, value in enumerate(values)]


def slow_but(chosen: Iterable[Any], values: Iterable[Any]) -> list[Any]:
    """Parameters of a test: the chosen ones in every run of the tests, the others where slow tests are run, too."""
    chosen, values = list(chosen), list(values)
    assert all(value in values for value in chosen)
    return [value if value in chosen else pytest.param(value, marks=pytest.mark.slow) for value in values]


def sampled(values: Iterable[Any], always: Iterable[Any] = (), slow: Iterable[Any] = ()) -> list[Any]:
    """Parameters of a test that takes long: in every run of the tests those of `always`, where slow tests are run those
    of `slow`, too, and all of them at night."""
    values, always, slow = list(values), list(always), list(slow)
    assert all(value in values for value in always + slow)
    marks = {True: pytest.mark.slow, False: pytest.mark.nightly}
    return [value if value in always else pytest.param(value, marks=marks[value in slow]) for value in values]


def seeds(named: range) -> Iterator[int]:
    """Seeds of a nightly test: those that it names; with a budget as many from the first on as it allows, but one."""
    if not BUDGET:
        yield from named
        return
    until, seed = time.monotonic() + BUDGET, named.start
    while seed == named.start or time.monotonic() < until:
        yield seed
        seed += 1


def seconds(otherwise: float) -> float:
    """The budget of a nightly test that is given seconds; what it takes where there is none."""
    return BUDGET or otherwise
