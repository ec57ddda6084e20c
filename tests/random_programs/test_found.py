"""The least programs of what random programs have found."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder import Database, Program
from ladder.engine.reference import evaluate as naive
from ladder.errors import ProgramError
from ladder.language import parse

from ..engine.comparison import difference, state_of

FUNCTIONS = Path(__file__).with_name("functions.py")
WIDENED = """
.lattice Range = "ladder.lattices:interval((-10, 0, 10))"
.functor exactly(n: number): Range = "ladder.lattices:bounds_of"
.decl e(n: number)
.input e
.decl r(x: Range<>)
r(@exactly(n)) :- e(n).
"""
SUM = ".decl e(x: float)\n.input e\n.decl r(x: float)\nr(1.5).\n"
DUAL = """
.lattice Sign = "ladder.lattices:sign"
.decl e(s: Sign)
.decl r(s: Sign)
e(as("-0", Sign)).
"""


LEAST = ".decl e(x: number)\n.decl r(y: number, x: number)\ne(3). e(4).\n"


@pytest.mark.parametrize(
    ("text", "rule", "rows"),
    [
        (WIDENED, "r(x) :- r(x), e(3).\n", {((-10, 10),)}),
        (SUM, "r(y) :- y = sum x : { e(x) }.\n", {(1.5,), (5.0,)}),
        (DUAL, "r(glb(s)) :- e(s).\n", {("-0",)}),
        (LEAST, "r(1, min(x)) :- e(x).\n", {(1, 3)}),
    ],
)
def test_states_of_programs_whose_edit_takes_or_brings_a_derived_lattice(
    text: str, rule: str, rows: set, tmp_path: Path
) -> None:
    """Sums of floats, widening and meets have lattices of their own, which come and go with the rules that
    need them."""
    facts = {"e": [(-2,), (3,)]} if text == WIDENED else {"e": [(2.0,), (3.0,)]} if text == SUM else {}
    without, with_it = (
        Program.parse(t, functors={}, domain=64 if text == LEAST else None) for t in (text, text + rule)
    )
    db = Database(without)
    db.bootstrap(facts)
    before = set(db["r"])
    for program, expected in ((with_it, rows), (without, before)):
        db.save(tmp_path)
        db = Database.open(tmp_path, program)
        assert set(db["r"]) == expected


def test_a_lattice_without_leq_is_compared_by_its_join() -> None:
    text = f"""
    .type Warm = Unknown {{}} | Degrees {{n: number}}
    .lattice Warm = "{FUNCTIONS}:Warmest"
    .decl e(n: number)
    .decl r(w: Warm<>)
    .decl at_least(n: number)
    e(1). e(5). e(9).
    r($Degrees(n)) :- e(n), n < 6.
    at_least(n) :- e(n), r($Degrees(n)).
    """
    assert set(Database(Program.parse(text, functors={}))["at_least"]) == {(1,), (5,)}


def test_a_pattern_in_a_lattice_column_whose_variable_an_aggregate_asks_for_is_told() -> None:
    text = f"""
    .type Hull = [low: number, high: number]
    .functor hull(a: Hull, b: Hull): Hull = "{FUNCTIONS}:hull"
    .functor overlap(a: Hull, b: Hull): Hull = "{FUNCTIONS}:overlap"
    .lattice Hull<> {{ Bottom -> nil, Lub -> @hull(_, _), Glb -> @overlap(_, _) }}
    .decl e(x: number)
    .decl s(h: Hull<>)
    .decl r(n: number)
    e(1). s([1, 2]).
    r(n) :- s([low, _]), n = count : {{ e(low) }}.
    """
    with pytest.raises(ProgramError) as raised:
        parse(text)
    assert [error.message for error in raised.value.errors] == ["[low, _] in a lattice column is not bound"]


def test_equal_numbers_of_64_bits_are_of_the_type_of_their_column() -> None:
    """0 and 0.0 are one object inside; users, and rules that count in an order, see each as what its column holds."""
    text = """
    .decl e(x: number)
    .decl r(a: number, b: float, s: symbol)
    .decl first(x: number, b: float)
    e(0). e(1).
    r(x, 0.0, to_string(y)) :- e(x), y = to_float(x).
    first(x, b) :- r(x, b, _).
    .limitsize first(n=5)
    """
    db = Database(Program.parse(text, functors={}, domain=64))
    assert {(repr(a), repr(b), s) for a, b, s in db["r"]} == {("0", "0.0", "0.000000"), ("1", "0.0", "1.000000")}
    assert {(repr(a), repr(b)) for a, b in db["first"]} == {("0", "0.0"), ("1", "0.0")}


NEGATED = """
.lattice Signs = "ladder.lattices:sign"
.lattice Wide = "ladder.lattices:interval(None)"
.functor between(l: number, h: number): Wide = "ladder.lattices:bounds"
.decl e(x: number)
.decl p(x: number, s: Signs<>, w: Wide<>)
.decl r(n: number)
e(0). e(1). e(2).
p(x, as("0", Signs), @between(x, x)) :- e(x).
"""


@pytest.mark.parametrize(
    ("negated", "count"),
    [
        ('p(0, as("+", Signs), @between(1, 1))', 3),  # the meets of both columns are bottom
        ('p(0, as("0", Signs), @between(1, 1))', 3),
        ('p(7, as("0", Signs), @between(1, 1))', 3),
        ('p(0, as("0", Signs), @between(0, 1))', 0),
        ("p(_, _, _)", 0),
    ],
)
def test_a_negated_atom_with_several_lattice_columns_is_no_part_of_a_solution(negated: str, count: int) -> None:
    """Each of its columns is a way in which it holds, with a value of another type."""
    program = Program.parse(f"{NEGATED} r(n) :- n = count : {{ e(y), !{negated} }}.", functors={})
    database = Database(program)
    assert set(database["r"]) == {(count,)}
    assert difference(state_of(database._ready()), naive.evaluate(program.core)) == ""


PARTIAL = f"""
.type Flat = No {{}} | One {{n: number}}
.type Pair = [m: number, n: number]
.lattice Trust = "{FUNCTIONS}:Trust"
.functor named(t: Trust): number = "{FUNCTIONS}:place"
.functor size(f: Flat): number = "{FUNCTIONS}:fields"
.functor width(p: Pair): number = "{FUNCTIONS}:fields"
.functor share(n: number): number = "{FUNCTIONS}:share"
.functor first(s: symbol): symbol = "{FUNCTIONS}:first_letter"
.decl g(z: number)   .input g
.decl t(x: Trust, f: Flat, p: Pair, n: number, s: symbol, v: number)   .input t
.decl trusted(k: number, x: Trust<>)
.decl r(z: number, c: number)
trusted(v, x) :- t(x, _, _, _, _, v).
"""
PARTIAL_FACTS = {
    "g": [(1,), (2,)],
    "t": [("checked", ("No",), (1, 2), 3, "a", 1), ("untrusted", ("One", 2), (2, 1), 2, "bb", 2)],
}


@pytest.mark.parametrize(
    "body",
    [
        *(
            f"{{ t(x, f, p, n, s, v), @{call} }}"
            for call in ("named(x) <= z", "size(f) <= z", "width(p) > z", "share(n) > z")
        ),
        '{ t(x, f, p, n, s, v), @first(s) != "b" }',
        "{ (t(x, f, p, n, s, v), @named(x) + @share(n) < 9 ; v = z) }",
        '{ trusted(v, x), (g(w), as("checked", Trust) = x ; trusted(w, x)) }',
        "{ trusted(v, x), (!trusted(2, x) ; true) }",
    ],
)
@pytest.mark.parametrize("function", ["count", "sum v"])
def test_functors_are_never_asked_about_what_stands_in_a_key_that_a_summand_has_not(function: str, body: str) -> None:
    """The summand of an empty group, and those of other alternatives, have nil, 0 or an empty text there."""
    program = Program.parse(f"{PARTIAL} r(z, c) :- g(z), c = {function} : {body}.", functors={})
    database = Database(program)
    database.bootstrap(PARTIAL_FACTS)
    for name, rows in PARTIAL_FACTS.items():
        for row in rows:
            for change in ("delete", "insert"):
                database.update(**{change: {name: [row]}})
                left = {**PARTIAL_FACTS, name: [one for one in rows if one != row or change == "insert"]}
                assert set(database["r"]) == naive.evaluate(program.core, left).visible("r")


def test_a_record_that_a_rule_makes_and_takes_apart_is_made() -> None:
    """Of two literals that say the same of a record, the one that makes it stays where no row brings it."""
    program = Program.parse(
        """
.type Even = Zero {} | After {o: Odd}   .type Odd = Next {e: Even, n: number}
.decl made(s: symbol, o: Odd) inline
made("1", $Next($Zero, 4)).
.decl r(x: number)
r(0) :- made(s, o), made(s, o).
.decl e(o: Odd)   .input e
.decl taken(n: number)
taken(n) :- e(o), o = $Next($Zero, n), o = $Next(z, n), z = $Zero.
""".replace('made("1", $Next($Zero, 4)).', 'made("1", $Next($Zero, 4)) :- true.')
    )
    facts = {"e": [(("Next", ("Zero",), 3),), (("Next", ("After", ("Next", ("Zero",), 1)), 2),)]}
    database = Database(program)
    database.bootstrap(facts)
    assert list(database["r"]) == [(0,)] and list(database["taken"]) == [(3,)]
    assert difference(state_of(database._ready()), naive.evaluate(program.core, facts)) == ""
