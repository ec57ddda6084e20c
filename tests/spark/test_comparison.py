"""The comparison can fail: an engine that is wrong in one row, number or program is found out, and the program is
named."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

import pytest

from ladder.engine.reference import evaluate as naive
from ladder.engine.reference.evaluate import State
from ladder.language import parse
from ladder.language.core import Program

from ..engine.programs import Rows
from .closures import CLOSURE, EDGES, local
from .comparison import Example, disagreements, report

DISTANCE = """.decl edge(x: number, y: number) .input edge
.decl distance(x: number, d: number)
distance(0, min(0)).
distance(y, min(d + 1)) :- distance(x, d), edge(x, y).
.decl far(x: number)
far(x) :- distance(x, d), d > 1, !edge(x, 0).
"""


def example(name: str, text: str) -> Example:
    program = parse(text)
    return Example(name, program, EDGES, naive.evaluate(program, EDGES))


EXAMPLES = [example("closure", CLOSURE), example("distance", DISTANCE), example("closure again", CLOSURE)]


@pytest.mark.parametrize("glued", [False, True])
def test_an_engine_that_is_right(glued: bool) -> None:
    assert report(disagreements(local, EXAMPLES, glued)) == ""


def less_a_row(state: State) -> None:
    state.rows["u0_path"].popitem()


def another_row(state: State) -> None:
    state.rows["u0_path"][7, 7] = 3, 1


def counted_twice(state: State) -> None:
    row, (first, count) = next(iter(state.rows["u0_path"].items()))
    state.rows["u0_path"][row] = first, count + 1


def too_late(state: State) -> None:
    row, (first, count) = next(iter(state.rows["u0_path"].items()))
    state.rows["u0_path"][row] = first + 1, count


def another_input(state: State) -> None:
    state.aggregate_inputs["u1_distance"][0, 9] = 3, 1


def total_too_late(state: State) -> None:
    state.totals["u1_distance"] = {row: first + 1 for row, first in state.totals["u1_distance"].items()}


def total_not_final(state: State) -> None:
    state.finals["u1_distance"] = {(x, d + 1) for x, d in state.finals["u1_distance"]}


@pytest.mark.parametrize(
    "change, name",
    [
        (less_a_row, "closure"),
        (another_row, "closure"),
        (counted_twice, "closure"),
        (too_late, "closure"),
        (another_input, "distance"),
        (total_too_late, "distance"),
        (total_not_final, "distance"),
    ],
)
def test_an_engine_that_is_wrong(change: Callable[[State], None], name: str) -> None:
    def wrong(program: Program, facts: Rows) -> State:
        state = deepcopy(local(program, facts))
        change(state)
        return state

    assert list(disagreements(wrong, EXAMPLES)) == [name]


def test_an_engine_that_fails() -> None:
    """What fails with one program is told of that program, and the others are compared all the same."""

    def failing(program: Program, facts: Rows) -> State:
        if any("distance" in name for name in program.relations):
            raise RuntimeError("no plan")
        return local(program, facts)

    assert disagreements(failing, EXAMPLES) == {"distance": "RuntimeError: no plan"}


def test_iterations() -> None:
    assert [one.iterations for one in EXAMPLES] == [4, 3, 4]


def test_choices_among_texts_are_those_of_the_program_by_itself() -> None:
    """Which of two texts comes first is told by what mentions it first: in a union that is another program."""
    first = parse('.decl b(s: symbol)\nb("b").')
    text = (
        ".decl s(s: symbol) .input s\n.decl one(n: number, s: symbol) choice-domain n\none(1, s) :- s(s), s != "
        '"a".\none(2, s) :- s(s).'
    )
    facts: Rows = {"s": [("a",), ("b",)]}
    chosen = parse(text)
    examples = [
        Example("first", first, {}, naive.evaluate(first, {})),
        Example("chosen", chosen, facts, naive.evaluate(chosen, facts)),
    ]
    assert report(disagreements(local, examples)) == ""
    examples[1].expected.rows["one"].popitem()
    assert list(disagreements(local, examples)) == ["chosen"]
