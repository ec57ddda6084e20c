"""What updates look at: rows that depart are looked up backward once, and plans that find nothing for a row are not
begun."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.reference import evaluate as naive
from ladder.language import parse

from .comparison import check_structure, difference, state_of

REACHED = """
.decl edge(x: number, y: number)
.decl reached(x: number)
reached(0).
reached(y) :- reached(x), edge(x, y).
"""
BEHIND = 50  # nodes behind the one to which the ways lead


def way(*nodes: int) -> list[tuple[int, int]]:
    return list(pairwise(nodes))


DIRECT, SHORT, LONG = way(0, 100), way(0, 1, 2, 100), way(0, 11, 12, 13, 14, 100)
TAIL = way(*range(100, 101 + BEHIND))


@pytest.mark.parametrize(
    "gone, looked_back",
    [
        (DIRECT, BEHIND + 1),  # the short way is what is found for its end when the direct one goes
        (DIRECT + SHORT[1:2], BEHIND + 3),  # … and goes meanwhile: a node on it departs, and its end is looked up again
        (DIRECT + SHORT[:1], BEHIND + 4),  # … two nodes on it depart
        (DIRECT + SHORT[:1] + LONG[:1], BEHIND + 9),  # … and four on the long one, which was found after it
    ],
)
def test_rows_that_move_to_later_iterations(gone: list[tuple[int, int]], looked_back: int) -> None:
    """Rows depart and return in the iterations that the naive evaluator gives; each is looked up backward once, and
    once more where the derivation that was found has gone meanwhile."""
    program, facts = parse(REACHED), DIRECT + SHORT + LONG + TAIL
    engine = LocalEngine(program)
    engine.bootstrap({"edge": engine.encode_facts("edge", facts)})
    for deleted, inserted, there in (
        (gone, [], [fact for fact in facts if fact not in gone]),
        ([], gone, facts),
    ):
        engine.update({"edge": engine.encode_facts("edge", deleted)}, {"edge": engine.encode_facts("edge", inserted)})
        report = engine.finish()
        assert difference(state_of(engine), naive.evaluate(program, {"edge": there})) == ""
        check_structure(engine)
        if deleted:
            assert report.looked_back == looked_back


OF_INTEREST = """
.decl row(x: number, y: number)
.decl special(x: number)
.decl all(y: number)
.decl some(y: number)
all(y) :- row(_, y).
some(y) :- row(x, y), special(x).
some(y) :- row(7, y), y > 3.
"""


@pytest.mark.parametrize("x, begun", [(5, {"all"}), (3, {"all", "some"}), (7, {"all", "some"})])
def test_plans_that_find_nothing_are_not_begun(x: int, begun: set[str]) -> None:
    """A row of `row` is joined by the rules alone that one of its values is of interest to."""
    engine = LocalEngine(parse(OF_INTEREST))
    facts = {"row": [(i % 3, i) for i in range(500)], "special": [(3,)]}
    engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts.items()})
    plans = engine.prepare_updates().plans
    plans["derivations"] = plans["matches"] = 0
    engine.update({}, {"row": engine.encode_facts("row", [(x, 1000)])})
    engine.finish()
    found = {engine.names[int(plan["head"])] for plan in plans if plan["derivations"]}
    assert found == begun
    facts["row"].append((x, 1000))
    assert difference(state_of(engine), naive.evaluate(parse(OF_INTEREST), facts)) == ""
