"""Variants, equivalences, several lattice columns, subsumptions and conversions as core, and what the
verifier refuses."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import networkx as nx
import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.language import core, parse
from ladder.language.core import (
    Atom,
    Compute,
    Const,
    Invalid,
    Not,
    Pack,
    Relation,
    Rule,
    Subsumption,
    Unpack,
    Var,
    verify,
)
from ladder.language.errors import ProgramError

DECLARED = """\
.type T = Leaf {} | One {x: number} | Two {l: T, r: T}
.type P = [a: number, t: T]
.decl t(x: T)  .decl p(x: P)  .decl n(x: number)  .decl u(x: unsigned)  .decl f(x: float)  .decl s(x: symbol)
.decl o(x: number, y: number)
"""
LATTICES = """\
.lattice Low = "ladder.lattices:maximum"
.decl e(a: number, b: Low, c: Low)
.decl m(k: number, a: Low<>, b: Low<>)
"""


def rules(text: str) -> list[str]:
    return [str(rule) for rule in parse(DECLARED + text).rules]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("t($One(x)) :- n(x).", ["t($1) :- n(x), $1 = $One(x)."]),
        ("t($Two($Leaf(), x)) :- t(x).", ["t($1) :- t(x), $2 = $Leaf(), $1 = $Two($2, x)."]),
        ("n(x) :- t($One(x)).", ["n(x) :- t($1), $1 = $One(x)."]),
        (
            "n(x) :- t($Two($One(x), $Two(_, $One(x)))).",
            ["n(x) :- t($1), $1 = $Two($2, $3), $2 = $One(x), $3 = $Two(_, $4), $4 = $One($5), $5 = x."],
        ),
        ("n(x) :- t(y), y = $One(x).", ["n(x) :- t(y), y = $One(x)."]),
        ("n(x) :- t(y), $One(x) != y, n(x).", ["n(x) :- t(y), n(x), $1 = $One(x), $1 != y."]),
        ("n(x) :- $One(x) = $One(y), n(y).", ["n(y) :- n(y)."]),
        ("n(x) :- n(x), $One(x) = $Leaf().", []),
        ("n(x) :- n(x), $One(x) != $Leaf().", ["n(x) :- n(x)."]),
        ("n(x) :- p([x, $One(x)]).", ["n(x) :- p($1), $1 = [x, $2], $2 = $One($3), $3 = x."]),
        ("n(x) :- p([x + 1, $One(x)]).", ["n(x) :- p($1), $1 = [$2, $3], $3 = $One(x), $4 = +(x, 1), $2 = $4."]),
        ("n(x) :- p(nil), n(x).", ["n(x) :- p(nil), n(x)."]),
        ("n(x) :- [x, _] = nil.", []),
        ("n(to_number(x)) :- f(x).", ["n($1) :- f(x), $1 = to_number(x)."]),
        ("f(to_float(x)) :- n(x).", ["f($1) :- n(x), $1 = to_float(x)."]),
        ("u(to_unsigned(to_float(x))) :- n(x).", ["u($1) :- n(x), $2 = to_float(x), $1 = to_unsigned($2)."]),
        ("n(to_number(x)) :- n(x).", ["n(x) :- n(x)."]),
        ("n(as(x, number)) :- f(x).", ["n($1) :- f(x), $1 = bits_number(x)."]),
        ("n(x) :- n(x), s(y), as(y, number) != x.", ["n(x) :- n(x), s(y), $1 = bits_number(y), $1 != x."]),
        ("o($, x) :- n(x).", ["o($1, x) :- n(x), $1 = autoinc()."]),
        ("u(recursive_iteration_cnt()) :- n(_).", ["u($1) :- n(_), $1 = iteration()."]),
        ("n(x) :- f(y), y = 0.0, n(x).", ["n$if1() :- f(y), y = 0.0.", "n(x) :- n(x), n$if1()."]),
        ("n(x) :- f(y), y = 1.0, n(x).", ["n(x) :- f(1.0), n(x)."]),
        ("f(x) :- x = 0.0.", ["f(0.0) :- ."]),
        ("o(1, 2), n(3).", []),
    ],
)
def test_rules(text: str, expected: list[str]) -> None:
    assert rules(text) == expected


def test_facts_of_constants_are_rows() -> None:
    program = parse(
        DECLARED + 't($Two($Leaf(), $One(1 + 2))). p([1, $Leaf()]). p(nil). f(0.0). f(-0.0). f(0.0). s(cat("a", "b")).'
    )
    assert program.rules == ()
    assert program.facts["t"] == ((("Two", ("Leaf",), ("One", 3)),),)
    assert program.facts["p"] == (((1, ("Leaf",)),), (None,))
    assert list(map(str, program.facts["f"])) == ["(0.0,)", "(-0.0,)"]
    assert program.facts["s"] == (("ab",),)


def test_a_number_is_no_symbol() -> None:
    with pytest.raises(ProgramError):
        parse(DECLARED + "s(as(x, symbol)) :- n(x).")


# ---- equivalences


def test_closure_follows_changes() -> None:
    program = Program.parse(
        ".decl e(x: number, y: number) .input e .decl q(x: number, y: number) eqrel .input q .output q\n"
        "q(x, y) :- e(x, y). q(x, x + 1) :- q(x, 3), x < 3."
    )
    for seed in range(4):
        source = random.Random(seed)
        given: dict[str, set[tuple[int, int]]] = {"e": set(), "q": set()}
        database = Database(program)
        database.bootstrap({})
        for _ in range(8):
            changed = {name: set(source.sample(list(product(range(6), range(6))), 3)) for name in given}
            database.update(
                insert={name: sorted(rows - given[name]) for name, rows in changed.items()},
                delete={name: sorted(rows & given[name]) for name, rows in changed.items()},
            )
            given = {name: rows ^ changed[name] for name, rows in given.items()}
            assert set(database["q"]) == closure(given["e"] | given["q"])


def closure(edges: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The least equivalence that has the edges, and x next to x + 1 where x < 3 is in the class of 3."""
    while True:
        graph = nx.Graph(list(edges))
        rows = {pair for members in nx.connected_components(graph) for pair in product(members, members)}
        more = {(x, x + 1) for x, y in rows if y == 3 and x < 3}
        if more <= edges:
            return rows
        edges = edges | more


# ---- several lattice columns


def test_columns_are_relations() -> None:
    program = parse(
        LATTICES + ".decl r(a: number) m(x, y, z) :- e(x, y, z). r(x) :- m(x, _, z), e(_, z, _). r(x) :- m(x, _, _). "
        "r(x) :- m(x, y, y)."
    )
    assert [str(rule) for rule in program.rules if rule.head.relation == "r"] == [
        "r(x) :- m$lattice2(x, $1), e(_, z, _), $2 = Low.leq(z, $1), $2 = 1.",
        "r(x) :- m$lattice1(x, _).",
        "r(x) :- m$lattice1(x, $1), m$lattice2(x, $2), y = Low.meet($1, $2).",
    ]
    assert [
        str(rule)
        for rule in program.rules
        if rule.body[0] == Atom("e", rule.body[0].terms) and rule.head.relation != "r"
    ] == ["m$lattice1(x, y) :- e(x, y, _).", "m$lattice2(x, z) :- e(x, _, z)."]
    assert program.relations["m"].facts == "m$given" and program.relations["m$lattice1"].aggregate == "Low"


def test_columns_grow_apart_from_each_other() -> None:
    program = Program.parse(
        LATTICES + ".input e .input m .output m\nm(x, y, z) :- e(x, y, z). m(x, b, a) :- m(x, a, b), e(x, _, a)."
    )
    database, given = (
        Database(program),
        {"e": [(1, 2, 0), (1, 5, 1), (7, 1, 1), (8, 3, 9)], "m": [(9, 4, 4), (9, 2, 6)]},
    )
    database.bootstrap(given)
    assert set(database["m"]) == {(1, 5, 1), (7, 1, 1), (8, 3, 9), (9, 4, 6)}
    database.update(delete={"e": [(1, 5, 1)], "m": [(9, 2, 6)]})
    assert set(database["m"]) == {(1, 2, 0), (7, 1, 1), (8, 3, 9), (9, 4, 4)}


# ---- subsumptions


def test_subsumptions() -> None:
    program = parse(DECLARED + "o(x, y) <= o(x, z) :- z < y, (n(x) ; n(z)). o(x, 1) <= o(_, x) :- true. o(1, 2).")
    assert [str(s) for s in program.subsumptions] == [
        "o(x, y) <= o(x, z) :- z < y, n(x).".replace("z < y, n(x)", "n(x), z < y"),
        "o(x, y) <= o(x, z) :- n(z), z < y.",
        "o(x, 1) <= o($1, x) :- .",
    ]


# ---- the verifier

NUMBER = core.Type("number", core.Kind.NUMBER)
PAIR = core.Type("Pair", core.Kind.RECORD, (("a", "number"), ("b", "number")))
X = Var("x")
COLUMN = (core.Column("x", NUMBER),)
GOOD = core.Program(
    {"a": Relation("a", COLUMN), "b": Relation("b", COLUMN)}, (Rule(Atom("a", (X,)), (Atom("b", (X,)),)),)
)


@pytest.mark.parametrize(
    "broken",
    [
        replace(GOOD, rules=(Rule(Atom("a", (X,)), ()),)),
        replace(GOOD, rules=(Rule(Atom("a", (X, X)), (Atom("b", (X,)),)),)),
        replace(GOOD, rules=(Rule(Atom("a", (X,)), (Atom("b", (X,)), Not(Atom("b", (None,))))),)),
        replace(GOOD, rules=(Rule(Atom("a", (X,)), (Atom("b", (X,)), Compute(X, "+", (X, X)))),)),
        replace(GOOD, rules=(Rule(Atom("a", (X,)), (Compute(X, "nothing", (Const(1, NUMBER),)),)),)),
        replace(GOOD, rules=(Rule(Atom("a", (X,)), (Pack(X, (Const(1, NUMBER),), PAIR),)),)),
        replace(GOOD, rules=(Rule(Atom("a", (X,)), (Unpack(Const(None, PAIR), (X,), PAIR),)),)),
        replace(GOOD, relations={**GOOD.relations, "a": Relation("a", COLUMN, keys=COLUMN)}),
        replace(GOOD, relations={**GOOD.relations, "b": Relation("b", COLUMN, "Nowhere")}),
        replace(GOOD, relations={**GOOD.relations, "b": Relation("b", COLUMN, facts="c")}),
        replace(GOOD, relations={**GOOD.relations, "b": Relation("b", COLUMN, choice=((1,),))}),
        replace(GOOD, subsumptions=(Subsumption(Atom("a", (X,)), Atom("b", (X,)), ()),)),
        replace(GOOD, subsumptions=(Subsumption(Atom("a", (X,)), Atom("a", (None,)), ()),)),
        replace(GOOD, facts={"b": ((1, 2),)}),
    ],
)
def test_broken_programs(broken: core.Program) -> None:
    assert verify(GOOD) is GOOD
    with pytest.raises(Invalid):
        verify(broken)
