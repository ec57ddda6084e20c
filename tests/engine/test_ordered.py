"""Ordered components: the evaluator on hash tables against the definition, and by hand."""

from __future__ import annotations

import dataclasses
import itertools
import math
import random
from typing import Any

import pytest

from ladder import Database, Program
from ladder.engine.ordered.components import Outcome, evaluate_ordered
from ladder.engine.ordered.depth import DEEPEST, require_shallow
from ladder.engine.reference import evaluate as naive
from ladder.engine.reference.rules import program_facts
from ladder.errors import LadderError, Unsupported
from ladder.language import core
from ladder.language.core import (
    Atom,
    Compare,
    Compute,
    Const,
    Kind,
    Rule,
)
from ladder.language.values.value_order import ValueOrder
from ladder.support.limits import Limits

from ..marks import seeds, slow_after
from .ordered_programs import (
    NUMBER,
    STEPS,
    SYMBOL,
    Maker,
    X,
    Y,
    Z,
    program_of,
    relation,
    shortest,
)


def evaluated(program: core.Program, facts: dict[str, Any]) -> dict[str, set[Any]]:
    """All relations of a program whose components are all ordered or hold facts alone, by the evaluator under test."""
    found: dict[str, set[Any]] = {}
    drawn = 0
    for names in naive.components(program):
        given = {}
        for name in names:
            stated = program_facts(program, name)
            given[name] = (*sorted(set(facts.get(name, ())) - set(stated), key=ValueOrder(program).key), *stated)
        if names & core.ordered_relations(program):
            outcome: Outcome = evaluate_ordered(program, names, found.__getitem__, given, drawn)
            drawn += outcome.drawn
            found.update((name, set(rows)) for name, rows in outcome.rows.items())
        else:
            assert not any(rule.head.relation in names for rule in program.rules)
            found.update((name, set(given[name])) for name in names)
    return found


def agrees(program: core.Program, facts: dict[str, Any]) -> dict[str, set[Any]]:
    """What both evaluators find."""
    found = evaluated(program, facts)
    expected = naive.evaluate(program, facts, most_iterations=200, most_instantiations=200_000)
    assert found == {name: expected.visible(name) for name in program.relations}
    return found


def test_the_first_row_of_each_key_is_kept() -> None:
    edge, tree = relation("edge", NUMBER, NUMBER), relation("tree", NUMBER, NUMBER, choice=((1,),))
    program = program_of(
        [edge, tree],
        Rule(Atom("tree", (X, Y)), (Atom("tree", (None, X)), Atom("edge", (X, Y)))),
        facts={"tree": ((0, 1),)},
    )
    found = agrees(program, {"edge": [(1, 3), (1, 2), (2, 4), (3, 4), (4, 1), (2, 3)]})
    assert found["tree"] == {(0, 1), (1, 2), (1, 3), (2, 4)}


def test_every_key_of_a_row_must_be_free() -> None:
    both, pair = relation("both", NUMBER, SYMBOL), relation("pair", NUMBER, SYMBOL, choice=((0,), (1,)))
    program = program_of([both, pair], Rule(Atom("pair", (X, Y)), (Atom("both", (X, Y)),)))
    assert agrees(program, {"both": [(1, "a"), (1, "b"), (2, "a"), (2, "c"), (3, "c"), (3, "b")]})["pair"] == {
        (1, "a"),
        (2, "c"),
        (3, "b"),
    }


def test_instantiations_with_fewer_new_rows_come_first() -> None:
    edge, node, pick = (
        relation("edge", NUMBER, NUMBER),
        relation("node", NUMBER),
        relation("pick", NUMBER, NUMBER, NUMBER, choice=((0,),)),
    )
    rules = (
        Rule(Atom("node", (Y,)), (Atom("node", (X,)), Atom("edge", (X, Y)))),
        Rule(Atom("node", (X,)), (Atom("pick", (None, X, None)),)),
        Rule(
            Atom("pick", (Const(0, NUMBER), X, Y)),
            (Atom("node", (X,)), Atom("node", (Y,)), Compare("!=", X, Y, Kind.NUMBER)),
        ),
    )
    program = program_of([edge, node, pick], *rules, facts={"node": ((5,),)})
    assert agrees(program, {"edge": [(5, 1), (5, 2)]})["pick"] == {(0, 1, 5)}


def test_program_facts_keep_their_order_and_come_after_asserted_ones() -> None:
    pair = relation("pair", NUMBER, NUMBER, choice=((0,),))
    program = program_of([pair], facts={"pair": ((1, 9), (1, 3), (2, 8))})
    assert agrees(program, {})["pair"] == {(1, 9), (2, 8)}
    assert agrees(program, {"pair": [(2, 9), (2, 1)]})["pair"] == {(1, 9), (2, 1)}


def test_dominated_rows_go_and_stop_deriving() -> None:
    assert agrees(shortest(), {"step": STEPS})["way"] == {("a", 0), ("b", 2), ("c", 1), ("d", 3)}


def test_a_limit_ends_the_loop_after_an_iteration() -> None:
    count = relation("count", NUMBER, limit=4)
    rules = [
        Rule(
            Atom("count", (Y,)),
            (
                Atom("count", (X,)),
                Compute(Y, "+", (X, Const(step, NUMBER))),
                Compare("<", Y, Const(100, NUMBER), Kind.NUMBER),
            ),
        )
        for step in (1, 2)
    ]
    assert agrees(program_of([count], *rules, facts={"count": ((0,),)}), {})["count"] == {(i,) for i in range(5)}


def test_numbers_are_drawn_in_the_order_of_the_rows() -> None:
    name, numbered, more = relation("name", SYMBOL), relation("numbered", NUMBER, SYMBOL), relation("more", NUMBER)
    program = program_of(
        [name, numbered, more],
        Rule(Atom("numbered", (X, Y)), (Atom("name", (Y,)), Compute(X, "autoinc", ()))),
        Rule(Atom("more", (X,)), (Atom("numbered", (None, None)), Compute(X, "autoinc", ()))),
    )
    found = agrees(program, {"name": [("c",), ("a",), ("b",)]})
    assert found["numbered"] == {(0, "a"), (1, "b"), (2, "c")} and found["more"] == {(3,)}


def test_an_iteration_tells_its_number() -> None:
    seen = relation("seen", NUMBER)
    rule = Rule(
        Atom("seen", (Y,)),
        (
            Atom("seen", (X,)),
            Compute(Y, "+", (X, Const(1, NUMBER))),
            Compute(Z, "iteration", ()),
            Compare("<", Z, Const(5, NUMBER), Kind.NUMBER),
        ),
    )
    assert agrees(program_of([seen], rule, facts={"seen": ((7,),)}), {})["seen"] == {(7,), (8,), (9,), (10,), (11,)}


def test_totals_within_an_ordered_component_are_those_of_each_iteration() -> None:
    start, level, high = (
        relation("start", NUMBER, NUMBER),
        relation("level", NUMBER, NUMBER, choice=((0,),)),
        relation("high", NUMBER, NUMBER, aggregate="max"),
    )
    rules = (
        Rule(Atom("level", (X, Y)), (Atom("start", (X, Y)),)),
        Rule(Atom("high", (Const(0, NUMBER), Y)), (Atom("level", (None, Y)),)),
        Rule(
            Atom("level", (Y, Y)),
            (
                Atom("high", (None, X)),
                Compute(Y, "+", (X, Const(1, NUMBER))),
                Compare("<", Y, Const(6, NUMBER), Kind.NUMBER),
            ),
        ),
    )
    found = agrees(program_of([start, level, high], *rules), {"start": [(1, 1), (1, 2), (2, 3)]})
    assert found["high"] == {(0, 5)} and found["level"] == {(1, 1), (2, 3), (4, 4), (5, 5)}


def test_a_joined_relation_cannot_be_ordered() -> None:
    program = program_of([relation("r", NUMBER, NUMBER, aggregate="max", choice=((0,),))])
    with pytest.raises(Unsupported, match="rows of r are joined"):
        evaluate_ordered(program, ["r"], lambda name: (), {})
    with pytest.raises(Unsupported, match="rows of r are joined"):
        naive.evaluate(program)


# ---- random components


def check_seed(seed: int) -> bool:
    maker = Maker(seed)
    program, facts = maker.program(), maker.facts()
    try:
        naive.evaluate(program, facts, most_iterations=60, most_instantiations=60_000)
    except naive.TooMuch:
        return False
    agrees(program, facts)
    return True


def test_random_components_agree_with_the_definition() -> None:
    assert sum(map(check_seed, range(150))) > 100


@pytest.mark.nightly
def test_many_random_components_agree_with_the_definition() -> None:
    compared = [check_seed(seed) for seed in seeds(range(150, 5000))]
    assert sum(compared) >= len(compared) // 2


# ---- choice


@pytest.mark.parametrize(
    ("keys", "body", "looked_at"),
    [
        ("x", "a(x), b(y), @seen(x, y) > 0", 20),  # one row for each x
        ("x, y", "a(x), b(y), @seen(x, y) > 0", 20),  # of which the first one is not taken
        ("x, y", "a(x), b(y), y != 0, @seen(x, y) > 0", 19 * 20 // 2 + 19),  # the first one is never taken
        ("x", "a(x), c(x, z), b(y), @seen(x, y) > 0", 20),
        ("(x, y)", "a(x), b(y), @seen(x, y) > 0", 400),
        ("x", "b(y), a(x), @seen(x, y) > 0", 400),  # no key is known before the last atom
        ("x", "a(x), b(y), x < y, @seen(x, y) > 0", 19),
    ],
)
def test_what_follows_a_key_that_is_taken_is_not_looked_at(keys: str, body: str, looked_at: int) -> None:
    seen: list[tuple[int, int]] = []

    def call(x: int, y: int) -> int:
        seen.append((x, y))
        return 1

    text = (
        ".functor seen(x: number, y: number): number\n.decl a(x: number) .decl b(y: number)\n"
        ".decl c(x: number, z: number) .input a, b, c\n"
        f".decl r(x: number, y: number) choice-domain {keys} .output r\nr(x, y) :- {body}."
    )
    facts = {"a": [(i,) for i in range(20)], "b": [(i,) for i in range(20)], "c": [(i, 7) for i in range(20)]}
    db = Database(Program.parse(text, functors={"seen": call}))
    db.bootstrap(facts)
    assert len(seen) == looked_at
    assert set(db["r"]) == set(naive.evaluate(Program.parse(text, functors={"seen": call}).core, facts).rows["r"])


def test_a_key_of_a_row_that_is_dominated_is_free_again() -> None:
    text = """
        .decl b(y: number) .input b
        .decl s(x: number)
        .decl r(x: number, y: number) choice-domain x, y .output r
        s(0) :- b(_).
        s(x) :- r(w, _), x = w + 1, x < 8.
        r(x, y) :- s(x), b(y).
        r(x, y) <= r(v, z) :- x < v - 1.
    """
    facts = {"b": [(i,) for i in range(4)]}
    db = Database(Program.parse(text))
    db.bootstrap(facts)
    assert max(db["r"])[0] == 7  # with four numbers for eight rows, of which two are there at a time
    assert set(db["r"]) == set(naive.evaluate(Program.parse(text).core, facts).rows["r"])


# ---- the order of values


@dataclasses.dataclass(frozen=True)
class Held:
    parts: frozenset[int]


def test_values_have_one_order_however_they_come() -> None:
    key = ValueOrder(core.Program({}, ())).key
    floats = [-math.inf, -1.5, -0.0, 0.0, 1.0, math.inf, -math.nan, math.nan]
    for rows in ([(x,) for x in floats], [((x, "a"),) for x in floats]):
        for seed in range(20):
            mixed = random.Random(seed).sample(rows, len(rows))
            assert list(map(repr, sorted(mixed, key=key))) == list(map(repr, rows))
    one, other = Held(frozenset([0, 8])), Held(frozenset([8, 0]))  # in a table of eight places both want the first
    assert (
        one == other and repr(one) != repr(other) and key(one) == key(other) and key(Held(frozenset([0, 9]))) > key(one)
    )
    assert key((1, "b")) > key((1.0, "a")) > key((True, "")) and key(0) > key(-0.0)


@pytest.mark.parametrize("kept", [1.0, -0.0])
def test_floats_that_come_in_another_order_change_nothing(kept: float) -> None:
    program = Program.parse("""
        .decl e(f: float)
        .input e
        .decl first(k: number, f: float) choice-domain k
        first(0, f) :- e(f).
        .decl given(k: number, f: float) choice-domain k
        .input given
    """)
    for rows in itertools.permutations([1.0, math.nan, 2.0] if kept else [0.0, -0.0]):
        db = Database(program, switch=None)
        db.bootstrap({"e": [(f,) for f in rows], "given": [(0, f) for f in rows]})
        for name in ("first", "given"):
            ((_, found),) = db[name]
            assert repr(found) == repr(kept), rows


def test_zeros_of_both_signs_have_one_order_where_rows_are_not_chosen() -> None:
    program = Program.parse("""
        .decl e(n: number)
        .input e
        .decl r(f: float, n: number)
        r(0.0 * to_float(n), 0) :- e(n).
        r(f, n) <= r(f, m) :- m < n.
    """)
    for rows in itertools.permutations([1, -1, -2]):
        db = Database(program, switch=None)
        db.bootstrap({"e": [(n,) for n in rows]})
        assert [repr(row) for row in db["r"]] == ["(-0.0, 0)"], rows


def test_what_is_not_a_number_is_derived_once() -> None:
    db = Database(
        Program.parse("""
        .decl e(f: float)
        .input e
        .decl up(f: float) choice-domain f
        up(f) :- e(f).
        up(f + 1.0) :- up(f), !(f > 2.0).
        .decl both(f: float) choice-domain f
        both(f) :- e(f), up(f).
    """),
        switch=None,
        limits=Limits(seconds=20),
    )
    db.bootstrap({"e": [(math.nan,), (1.0,)]})
    assert sorted(map(repr, db["up"])) == ["(1.0,)", "(2.0,)", "(3.0,)", "(nan,)"] and len(db["both"]) == 2


def nested(deep: int) -> Any:
    """A list of so many elements, as nested records."""
    value = None
    for i in range(deep):
        value = (i, value)
    return value


def test_depth_is_that_of_the_deepest_value_and_costs_each_record_once() -> None:
    values = [nested(DEEPEST)]
    while values[-1][1] is not None:  # all that is in the list: looked at one by one, a thousand million records
        values.append(values[-1][1])
    require_shallow(values)
    with pytest.raises(RecursionError):
        require_shallow([1, "x", (1, values[0])])


@pytest.mark.parametrize("source", slow_after(1, ["functor", "facts", "given"]))
def test_records_that_nest_too_deeply_are_refused(source: str) -> None:
    """Python ends with SIGSEGV when it hashes a record that is nested three times as deeply."""
    heads = (
        ".type L = [head: number, tail: L]\n.functor deep(n: number): L\n.decl e(l: L)\n.input e\n"
        ".decl n(x: number)\nn(1).\n.decl c(x: number, l: L) choice-domain x\n.input c\n"
    )
    rule = "c(x, @deep(x)) :- n(x).\n" if source == "functor" else "c(1, l) :- e(l).\n"
    deep = nested(DEEPEST + 1)
    db = Database(Program.parse(heads + rule, functors={"deep": lambda _: deep}))
    facts = {"e": [(deep,)] if source == "facts" else [], "c": [(1, deep), (2, deep)] if source == "given" else []}
    with pytest.raises(LadderError, match="A record of c is nested too deeply for rules that keep an order"):
        db.bootstrap(facts)
