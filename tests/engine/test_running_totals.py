"""Running totals: what groups hold in a bootstrap ends in the rows, iterations and counts of the definition, and in
groups that updates can go on from; joins of plain numbers are never asked of Python."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.local.engine import LocalEngine
from ladder.engine.reference.evaluate import evaluate as naive
from ladder.language import parse

from .comparison import check_structure, difference, state_of
from .tuned import SHARED, tuned

SHORTEST = """
.lattice Length = "ladder.lattices:minimum"
.decl road(x: number, y: number, l: number)
.input road
.decl far(x: number, y: number, l: Length<>)
.output far
far(x, y, as(l, Length)) :- road(x, y, l).
far(x, z, as(l + k, Length)) :- far(x, y, l), road(y, z, k), l + k < 40.
"""
GREATEST = SHORTEST.replace("minimum", "maximum")
CONSTANTS = """
.lattice Value = "ladder.lattices:flat"
.decl road(x: number, y: number, l: number)
.input road
.decl value(x: number, v: Value<>)
.output value
value(x, lub(l)) :- road(x, x, l).
value(y, v) :- value(x, v), road(x, y, _).
"""
COUNTS = """
.decl road(x: number, y: number, l: number)
.input road
.decl counted(x: number, n: number, s: number)
.output counted
counted(x, n, s) :- road(x, _, _), n = count : { road(x, y, _), road(y, _, _) }, s = sum l : { road(x, _, l) }.
"""
PROGRAMS = {"minimum": SHORTEST, "maximum": GREATEST, "flat": CONSTANTS, "counts and sums": COUNTS}


def roads(source: random.Random) -> list[tuple[int, int, int]]:
    places = source.choice((3, 6, 12))
    return [
        (source.randrange(places), source.randrange(places), source.randrange(1, 9))
        for _ in range(source.randrange(2, 40))
    ]


def bootstrapped(text: str, facts: list[tuple[int, int, int]], strategy: str, source: random.Random) -> LocalEngine:
    shared = {**SHARED, "shared_rows": 3}
    tuning = tuned(batch_size=source.choice((1, 5, 64)), capacity=source.choice((2, 16)), **shared)
    engine = LocalEngine(parse(text), strategy=strategy, jobs=source.choice((1, 2)), tuning=tuning)
    engine.bootstrap({"road": engine.encode_facts("road", facts)})
    return engine


@pytest.mark.parametrize("times", [8, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=list(PROGRAMS))
def test_groups_are_those_of_the_definition(text: str, times: int) -> None:
    source = random.Random(f"{text} {times}")
    for _ in range(times):
        facts = roads(source)
        engine = bootstrapped(text, facts, "elastic", source)
        assert not difference(state_of(engine), naive(engine.program, {"road": facts}))
        check_structure(engine)
        assert not engine.store.aggregates["running"].any()
        kept = facts[: len(facts) // 2]
        gone = [fact for fact in set(facts) if fact not in kept]
        engine.update({"road": engine.encode_facts("road", gone)}, {})
        engine.finish()
        assert not difference(state_of(engine), naive(engine.program, {"road": kept}))
        check_structure(engine)


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=list(PROGRAMS))
def test_groups_that_stayed_running_are_built_when_they_are_saved(text: str, tmp_path: Path) -> None:
    source, program = random.Random(text), Program.parse(text)
    facts = list(dict.fromkeys(roads(source) + roads(source)))
    database = Database(program, strategy="recompute")
    database.bootstrap({"road": facts})
    database.save(str(tmp_path / "state"))
    opened = Database.open(str(tmp_path / "state"), program)
    opened.update(delete={"road": facts[::2]})
    expected = Database(program)
    expected.bootstrap({"road": facts[1::2]})
    names = [d.relation for d in program.core.directives if d.kind == "output"]
    assert all(set(opened[name]) == set(expected[name]) for name in names)


@pytest.mark.parametrize("text", [SHORTEST, GREATEST], ids=["minimum", "maximum"])
def test_plain_numbers_are_joined_by_kernels(text: str) -> None:
    engine = bootstrapped(text, roads(random.Random(3)), "elastic", random.Random(4))
    assert engine.functions.calls == 0


def test_recomputing_makes_no_trees() -> None:
    facts = [(i % 7, i % 5, 1 + i % 3) for i in range(60)]
    words = [
        int(bootstrapped(SHORTEST, facts, strategy, random.Random(1)).store.aggregates["word_count"].sum())
        for strategy in ("recompute", "elastic")
    ]
    assert words[0] == 1 < words[1]
