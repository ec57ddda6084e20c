"""Aggregates over joins are asked only for the groups that the rest of their rule binds; updates included."""

from __future__ import annotations

import random

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.reference.evaluate import evaluate as naive
from ladder.language import parse
from ladder.language.compile import CORE_TO_CORE, compile_program
from ladder.language.core import Atom
from ladder.language.roles import Role

from .comparison import check_structure, difference, state_of

COMMON = """
.decl edge(x: number, y: number)
.decl common(x: number, y: number, n: number)
.output common
common(x, y, n) :- edge(x, y), n = {function} : {{ edge(x, z), edge(y, z) }}.
"""


@pytest.mark.parametrize("function", ["count", "sum z", "min z", "max z * 2", "mean to_float(z)"])
def test_only_groups_that_are_asked_for(function: str) -> None:
    text = COMMON.format(function=function)
    source = random.Random(function)
    program = parse(text.replace("n: number", "n: float") if "mean" in function else text)
    edges = {(source.randrange(9), source.randrange(9)) for _ in range(30)}
    engine = LocalEngine(program)
    engine.bootstrap({"edge": engine.encode_facts("edge", sorted(edges))})
    for _ in range(6):
        assert not difference(state_of(engine), naive(program, {"edge": sorted(edges)}))
        check_structure(engine)
        inputs = next(a.inputs for a in engine.expanded.aggregates.values())
        groups = {tuple(row[:2]) for row in engine.store.present_cells(engine.numbers[inputs]).tolist()}
        assert groups <= edges
        assert groups == edges or function not in ("count", "sum z")
        gone = set(source.sample(sorted(edges), 4))
        come = {(source.randrange(9), source.randrange(9)) for _ in range(4)} - edges
        engine.update(
            {"edge": engine.encode_facts("edge", sorted(gone))}, {"edge": engine.encode_facts("edge", sorted(come))}
        )
        engine.finish()
        edges = edges - gone | come


ASKED = [
    # the group is bound by several atoms, with what restricts it
    "r(x, y, n) :- edge(x, w), edge(w, y), w < 5, !edge(y, x), n = min z : { edge(x, z), edge(y, z) }.",
    # by two rules
    """r(x, y, n) :- edge(x, y), n = max z : { edge(x, z), edge(y, z) }.
    r(x, x, n) :- edge(x, _), n = max z : { edge(x, z), edge(x, z) }.""",
    # by a value that is computed
    "r(x, y, n) :- edge(x, w), y = w / 2, n = min z : { edge(x, z), edge(y, z) }.",
    # the value is compared, the group has a constant
    "r(x, 3, n) :- edge(_, x), n = min z : { edge(x, z), edge(3, z) }, n > 2.",
    # within another aggregate
    "r(x, 0, n) :- edge(x, _), n = sum m : { edge(x, y), m = min z : { edge(x, z), edge(y, z) } }.",
    # of alternatives
    "r(x, y, n) :- edge(x, y), n = min z : { edge(x, z), edge(y, z) ; edge(z, x), edge(z, y) }.",
    # two aggregates
    "r(x, y, n) :- edge(x, y), n = max z : { edge(x, z), edge(y, z) }, m = min z : { edge(y, z), edge(z, x) }, m < n.",
]
NOT_ASKED = [
    # only by what depends on the aggregate
    "r(x, y, 0) :- edge(x, y). r(y, z, n) :- r(x, y, n), edge(y, z), n = min w : { edge(x, w), edge(y, w) }.",
    # by atoms that share no variable
    "r(x, y, n) :- edge(x, _), edge(_, y), n = min z : { edge(x, z), edge(y, z) }.",
    # by an atom that is in the join
    "r(x, x, n) :- edge(x, _), n = min z : { edge(x, y), edge(y, z) }.",
    # the body is no join
    "r(x, y, n) :- edge(x, y), n = min z : { edge(x, z) }.",
]
HEAD = ".decl edge(x: number, y: number)\n.input edge\n.decl r(x: number, y: number, n: number)\n.output r\n"


@pytest.mark.parametrize(("rules", "asked"), [(r, True) for r in ASKED] + [(r, False) for r in NOT_ASKED])
def test_least_and_greatest_values_of_groups(rules: str, asked: bool) -> None:
    """Results are those of the definition, from scratch and after changes; a relation of groups is there or not."""
    program, source = parse(HEAD + rules), random.Random(rules)
    starts = {
        atom.relation
        for rule in program.rules
        if program.relations[rule.head.relation].aggregate in ("min", "max")
        for atom in rule.body
        if isinstance(atom, Atom)
    }
    assert any((part := program.relations[name].part) and part.role is Role.GROUPS for name in starts) == asked
    edges = {(source.randrange(8), source.randrange(8)) for _ in range(25)}
    engine = LocalEngine(program)
    engine.bootstrap({"edge": engine.encode_facts("edge", sorted(edges))})
    for _ in range(5):
        assert not difference(state_of(engine), naive(program, {"edge": sorted(edges)}))
        gone = set(source.sample(sorted(edges), 4))
        come = {(source.randrange(8), source.randrange(8)) for _ in range(4)} - edges
        engine.update(
            {"edge": engine.encode_facts("edge", sorted(gone))}, {"edge": engine.encode_facts("edge", sorted(come))}
        )
        engine.finish()
        edges = edges - gone | come
    assert naive(program, {"edge": sorted(edges)}).visible("r") == plain(rules, edges)


def plain(rules: str, edges: set[tuple[int, int]]) -> set[tuple[int, ...]]:
    """The rows of r where no aggregate is asked for its groups."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(CORE_TO_CORE, "ask for groups", lambda program, _: program)
        program = compile_program(HEAD + rules).core
    return naive(program, {"edge": sorted(edges)}).visible("r")
