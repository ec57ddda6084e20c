"""Random programs over lattices of functors and of Python: every update leaves the state that the naive evaluator
computes."""

from __future__ import annotations

import pytest

from ..marks import seeds
from .random_programs import cases
from .running import run


@pytest.mark.parametrize("seed", range(12))
def test_updates(seed: int) -> None:
    text, facts, changes = cases(seed)
    run(text, facts, *changes)


@pytest.mark.nightly
def test_updates_of_many() -> None:
    for seed in seeds(range(1000, 1400)):
        text, facts, changes = cases(seed)
        run(text, facts, *changes)
