"""Aggregates over joins are asked only for the groups that the rest of their rule binds; updates included."""

from __future__ import annotations

import random

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.reference.evaluate import evaluate as naive
from ladder.language import parse

from .comparison import check_structure, difference, state_of

COMMON = """
.decl edge(x: number, y: number)
.decl common(x: number, y: number, n: number)
.output common
common(x, y, n) :- edge(x, y), n = {function} : {{ edge(x, z), edge(y, z) }}.
"""


@pytest.mark.parametrize("function", ["count", "sum z"])
def test_only_groups_that_are_asked_for(function: str) -> None:
    source, program = random.Random(function), parse(COMMON.format(function=function))
    edges = {(source.randrange(9), source.randrange(9)) for _ in range(30)}
    engine = LocalEngine(program)
    engine.bootstrap({"edge": engine.encode_facts("edge", sorted(edges))})
    for _ in range(6):
        assert not difference(state_of(engine), naive(program, {"edge": sorted(edges)}))
        check_structure(engine)
        inputs = next(a.inputs for a in engine.expanded.aggregates.values())
        groups = {tuple(row[:2]) for row in engine.store.present_cells(engine.numbers[inputs]).tolist()}
        assert groups == edges
        gone = set(source.sample(sorted(edges), 4))
        come = {(source.randrange(9), source.randrange(9)) for _ in range(4)} - edges
        engine.update(
            {"edge": engine.encode_facts("edge", sorted(gone))}, {"edge": engine.encode_facts("edge", sorted(come))}
        )
        engine.finish()
        edges = edges - gone | come
