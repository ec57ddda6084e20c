"""Lattices in programs: recursion and updates on every engine, widening, and that nobody sees a value before it is
final."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from ladder.api.program import Program
from ladder.engine.reference import evaluate as naive

from .running import FUNCTORS, run

FLAT = """
.type Flat = No{} | One{n: number} | All{}
.functor join(a: Flat, b: Flat): Flat  .functor meet(a: Flat, b: Flat): Flat  .functor next(a: Flat): Flat
.lattice Flat<> { Bottom -> $No(), Top -> $All(), Lub -> @join(_, _), Glb -> @meet(_, _) }
.decl edge(a: symbol, b: symbol)  .input edge
.decl start(a: symbol, n: number)  .input start
.decl at(a: symbol, x: Flat<>)
at(a, $One(n)) :- start(a, n).
at(b, x) :- at(a, x), edge(a, b).
"""
DOWNSTREAM = """
.decl plain(a: symbol, x: Flat)
.decl not_one(a: symbol)
.decl several(n: number)
.decl again(x: Flat<>)
.decl one(a: symbol, n: number)
plain(a, x) :- at(a, x).
not_one(a) :- at(a, _), !plain(a, $One(1)).
several(n) :- n = count : { plain(_, _) }.
again(x) :- at("d", x).
one(a, n) :- at(a, x), x = $One(n).
"""
CHAIN = {"edge": [("a", "b"), ("b", "c"), ("c", "d")], "start": [("a", 1)]}


def test_later_strata_see_final_values_only() -> None:
    state = run(FLAT + DOWNSTREAM, {**CHAIN, "start": [("a", 1), ("c", 2)]})
    # d was 2 before 1 arrived: there are values not to be seen
    assert len(state.totals["at"]) > len(state.finals["at"])
    final = {("a", ("One", 1)), ("b", ("One", 1)), ("c", ("All",)), ("d", ("All",))}
    assert state.visible("at") == state.visible("plain") == final
    assert state.visible("not_one") == {("c",), ("d",)}
    assert state.visible("several") == {(4,)}
    assert state.visible("again") == {(("All",),)}
    assert state.visible("one") == {("a", 1), ("b", 1)}


def test_later_strata_see_final_values_after_updates() -> None:
    state = run(
        FLAT + DOWNSTREAM,
        CHAIN,
        ({"start": [("c", 2)]}, {}),
        ({}, {"start": [("a", 1)]}),
        ({"start": [("a", 3)], "edge": [("d", "b")]}, {"edge": [("a", "b")]}),
    )
    assert state.visible("plain") == {("a", ("One", 3)), ("b", ("One", 2)), ("c", ("One", 2)), ("d", ("One", 2))}
    assert state.visible("not_one") == {("a",), ("b",), ("c",), ("d",)}


def test_outputs_of_a_database_have_final_values() -> None:
    import ladder

    db = ladder.Database(Program.parse(FLAT + ".output at\n", functors=FUNCTORS))
    db.load_rows("edge", CHAIN["edge"])
    db.load_rows("start", [("a", 1), ("c", 2)])
    assert set(db["at"]) == {("a", ("One", 1)), ("b", ("One", 1)), ("c", ("All",)), ("d", ("All",))}
    delta = db.update(delete={"start": [("c", 2)]})
    assert set(delta.inserted["at"]) == {("c", ("One", 1)), ("d", ("One", 1))}
    assert set(delta.deleted["at"]) == {("c", ("All",)), ("d", ("All",))}


def test_random_changes_of_a_graph() -> None:
    chance = random.Random(5)
    places = "abcdef"
    edges = [(a, b) for a in places for b in places if a != b]
    given = {"edge": chance.sample(edges, 8), "start": [("a", 1), ("d", 1)]}
    current, changes = set(given["edge"]), []
    for _ in range(12):
        out = set(chance.sample(sorted(current), 2))
        new = set(chance.sample([edge for edge in edges if edge not in current], 2))
        current = current - out | new
        changes.append(({"edge": sorted(new)}, {"edge": sorted(out)}))
    changes.append(({"start": [("b", 2)]}, {}))
    changes.append(({}, {"start": [("a", 1)]}))
    run(FLAT + DOWNSTREAM, given, *changes)


RECORD = """
.type Span = [low: number, high: number]
.functor hull(a: Span, b: Span): Span  .functor overlap(a: Span, b: Span): Span  .functor far(a: Span, b: Span): Span
.functor up(a: Span): Span
.lattice Span<> {{ Bottom -> nil, Lub -> @hull(_, _), Glb -> @overlap(_, _){widen} }}
.decl edge(a: symbol, b: symbol)  .input edge
.decl start(a: symbol, n: number)  .input start
.decl gate(a: symbol, s: Span<>)
gate(a, [0, n]) :- a = "head", n = 20.
.decl at(a: symbol, s: Span<>)
at(a, [n, n]) :- start(a, n).
at(b, @up(s)) :- at(a, s), edge(a, b), !gate(b, _).
at(b, s) :- at(a, s), edge(a, b), gate(b, s).
.decl all(s: Span<>)
all(s) :- at(_, s).
"""
LOOP = {"start": [("in", 0)], "edge": [("in", "head"), ("head", "body"), ("body", "head")]}


def test_a_loop_without_widening_climbs_step_by_step() -> None:
    state = run(
        RECORD.format(widen=""),
        LOOP,
        ({"start": [("in", -3)]}, {}),
        ({}, {"start": [("in", 0)]}),
        ({"start": [("in", 7)]}, {"edge": [("body", "head")]}),
    )
    assert state.visible("at") == {("in", (-3, 7)), ("head", (0, 7)), ("body", (1, 8))}
    state = run(RECORD.format(widen=""), LOOP)
    assert state.visible("at") == {("in", (0, 0)), ("head", (0, 20)), ("body", (1, 21))}
    assert len(state.totals["at"]) > 20


def test_a_loop_with_widening_takes_few_steps() -> None:
    state = run(RECORD.format(widen=", Widen -> @far(_, _)"), LOOP, ({"start": [("in", 1)]}, {}))
    assert len(state.totals["at"]) < 12
    assert ("head", (0, 20)) not in state.visible("at")
    assert dict(state.visible("at"))["head"] == (0, 99)
    # What does not depend on itself is joined exactly.
    spans = [span for _, span in state.visible("at")]
    assert state.visible("all") == {((min(low for low, _ in spans), max(high for _, high in spans)),)}


INTERVALS = """
.lattice Range = "ladder.lattices:interval({thresholds})"
.functor only(n: number): Range  .functor shifted(r: Range, n: number): Range
.functor at_most(r: Range, n: number): Range
.decl limit(n: number)  .input limit
.decl at(p: symbol, r: Range<>)
at("head", @only(0)).
at("body", @at_most(r, n - 1)) :- at("head", r), limit(n).
at("head", @shifted(r, 1)) :- at("body", r).
"""


@pytest.mark.parametrize(
    ("thresholds", "head", "totals"),
    [("None", (0, 50), 100), ("(-100, 0, 10, 60, 100)", (0, 100), 10), ("(-100, 100)", (-100, 100), 10)],
)
def test_interval_loops_with_and_without_thresholds(thresholds: str, head: tuple[int, int], totals: int) -> None:
    text = INTERVALS.format(thresholds=thresholds)
    state = run(text, {"limit": [(20,)]}, ({"limit": [(50,)]}, {"limit": [(20,)]}))
    assert dict(state.visible("at"))["head"] == head
    assert (len(state.totals["at"]) > totals) == (thresholds == "None")


MIXED = """
.type Flat = No{} | One{n: number} | All{}
.functor join(a: Flat, b: Flat): Flat  .functor meet(a: Flat, b: Flat): Flat  .functor next(a: Flat): Flat
.lattice Flat<> { Bottom -> $No(), Lub -> @join(_, _), Glb -> @meet(_, _) }
.lattice Few = "ladder.lattices:k_set(2)"
.functor members(s: Few): symbol several
.decl edge(a: symbol, b: symbol)  .input edge
.decl start(a: symbol, n: number)  .input start
.decl at(a: symbol, x: Flat<>, via: Few)
.decl from(a: symbol, s: Few)
.decl value(a: symbol, x: Flat<>)
from(a, lub(a)) :- start(a, _).
value(a, $One(n)) :- start(a, n).
from(b, s) :- from(a, s), edge(a, b).
value(b, @next(x)) :- value(a, x), from(a, s), o = @members(s), start(o, _), edge(a, b).
.decl met(a: symbol, b: symbol, x: Flat<>)
met(a, b, x) :- value(a, x), value(b, x), a < b.
.decl fewest(s: Few)
fewest(glb(s)) :- from(_, s).
"""


def test_both_forms_in_one_recursion() -> None:
    text = MIXED.replace(".decl at(a: symbol, x: Flat<>, via: Few)\n", "")
    state = run(
        text,
        {"start": [("a", 1)], "edge": [("a", "b"), ("b", "c"), ("c", "a")]},
        ({"start": [("b", 5)]}, {}),
        ({"start": [("c", 0)]}, {"edge": [("c", "a")]}),
        ({}, {"start": [("b", 5), ("c", 0)]}),
    )
    assert state.visible("value") == {("a", ("One", 1)), ("b", ("One", 2)), ("c", ("One", 3))}
    assert state.visible("met") == set()
    assert state.visible("fewest") == {(frozenset("a"),)}


def test_programs_with_lattices_of_functors_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "mine.py").write_text(
        "def join(a, b):\n    return max(a, b)\n\n\ndef meet(a, b):\n    return min(a, b)\n"
    )
    (tmp_path / "p.dl").write_text("""
.type Level <: number
.functor join(a: Level, b: Level): Level = "mine.py:join"
.functor meet(a: Level, b: Level): Level = "mine.py:meet"
.lattice Level<> { Bottom -> 0, Lub -> @join(_, _), Glb -> @meet(_, _) }
.decl level(x: symbol, n: Level<>)
level("a", 3). level("a", 5). level("b", 4).
.decl both(n: Level<>)  both(n) :- level("a", n), level("b", n).
.decl high(x: symbol)  high(x) :- level(x, 5).
.decl low(x: symbol)  low(x) :- level(x, _), !level(x, 1).
.decl least(n: Level)  least(glb(n)) :- level(_, n).
.output both, high, low, least
""")
    expected = {"both": {(4,)}, "high": {("a",)}, "low": set(), "least": {(4,)}}
    for _ in range(2):  # the second time from what was stored
        program = Program.load(tmp_path / "p.dl")
        state = naive.evaluate(program.core)
        assert {name: state.visible(name) for name in expected} == expected


def test_the_meet_of_columns_may_be_used_in_the_body() -> None:
    text = (
        INTERVALS.format(thresholds="None")
        + """
.decl other(r: Range<>)
other(@at_most(r, 5)) :- at("head", r).
.decl met(r: Range<>)
met(@shifted(r, 100)) :- at("body", r), other(r), @at_most(r, 3) != r.
"""
    )
    assert run(text, {"limit": [(20,)]}).visible("met") == {((100, 105),)}
    assert run(text, {"limit": [(3,)]}).visible("met") == set()


def test_aggregates_over_lattice_relations_read_them_by_order() -> None:
    text = (
        FLAT
        + """
.decl asked(x: Flat)  .input asked
.decl all(n: number)
.decl ones(n: number)
.decl above(x: Flat, n: number)
all(count : { at(_, _) }).
ones(count : { at(_, $One(1)) }).
above(x, n) :- asked(x), n = count : { at(_, x) }.
"""
    )
    facts = {**CHAIN, "start": [("a", 1), ("c", 2), ("e", 3)], "asked": [(("One", 1),), (("One", 2),), (("One", 7),)]}
    state = run(text, facts, ({"start": [("f", 1)]}, {}), ({}, {"start": [("a", 1)]}))
    assert state.visible("all") == {(4,)} and state.visible("ones") == {(1,)}
    assert state.visible("above") == {(("One", 1), 1), (("One", 2), 2), (("One", 7), 0)}
    state = run(text, facts)
    assert state.visible("above") == {(("One", 1), 4), (("One", 2), 2), (("One", 7), 2)}


SHOWN = """
.lattice Both = "ladder.lattices:product(sign, congruence)"  .lattice Map = "ladder.lattices:pointwise(sign)"
.lattice Sign = "ladder.lattices:sign"  .lattice Class = "ladder.lattices:congruence"
.lattice Constant = "ladder.lattices:flat"  .type Known <: Constant  .type Pair = [of: Constant, n: number]
.functor signOf(n: number): Sign = "ladder.lattices:sign.inject"
.functor classOf(n: number): Class = "ladder.lattices:congruence.inject"
.functor both(s: Sign, c: Class): Both = "ladder.lattices:components"
.functor entry(k: symbol, s: Sign): Map = "ladder.lattices:entry"
.decl n(n: number)  .decl both(v: Both<>)  .decl map(v: Map<>)  .decl constant(v: Constant<>)
.decl known(v: Known)  .decl pair(v: Pair)
.output both, map, constant, known, pair
n(3). n(11). n(-1).
both(@both(@signOf(x), @classOf(x))) :- n(x), x > 0.
map(@entry("x", @signOf(x))) :- n(x).
constant(lub(x)) :- n(x).
known(as(v, Known)) :- constant(v).
pair([v, 1]) :- constant(v).
"""


@pytest.mark.parametrize("engine", ["local", "reference"])
def test_results_have_values_as_their_lattice_shows_them(engine: str, tmp_path: Path) -> None:
    from ladder.api.database import Database
    from ladder.facts.files import write_outputs

    shown = {"both": "(+, 3 mod 8)", "map": "{x: -+}", "constant": "Top", "known": "Top", "pair": "[Top, 1]"}
    db = Database(Program.parse(SHOWN), engine=engine)
    db.update()
    assert {name: db[name].to_arrow()["v"].to_pylist() for name in shown} == {k: [v] for k, v in shown.items()}
    write_outputs(db.program.core, db, tmp_path, sys.stdout)
    assert {name: (tmp_path / f"{name}.csv").read_text().strip() for name in shown} == shown
    if engine == "local":
        assert [str(db.explain(name, tuple(next(iter(db[name])))).text) for name in shown] == [
            f"{name}({value})" for name, value in shown.items()
        ]
