"""Random programs of all constructs of the language that are small enough for the naive evaluator."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from ladder.engine.reference.evaluate import TooMuch, evaluate
from ladder.language import parse

from ..engine.programs import MOST_INSTANTIATIONS, Case, states
from .programs import FEATURES, build

MOST_ITERATIONS = 60


def affordable_cases(seeds: Iterable[int]) -> Iterator[tuple[int, Case]]:
    """(seed, its case), without those that need too many instantiations."""
    for seed in seeds:
        case = build(random.Random(seed), FEATURES)
        program = parse(case.text)
        try:
            for facts in states(case):
                evaluate(program, facts, MOST_ITERATIONS, MOST_INSTANTIATIONS)
        except TooMuch:
            continue
        yield seed, case
