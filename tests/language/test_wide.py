"""Programs with numbers of 64 bits: values beyond 32 bits, the same results within, engine and naive
evaluator alike."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.reference.evaluate import evaluate
from ladder.errors import LadderError, ProgramError
from ladder.language.core import Kind
from ladder.language.values.arithmetic import WIDE, NoValue

N, U, F, S = Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT, Kind.SYMBOL
LEAST, MOST = -(2**63), 2**63 - 1

PROGRAM = """.type P = [x: number, f: float]
.type T = Leaf {} | Node {value: number, next: T}
.functor twice(x: number): number
.decl given(x: number, u: unsigned, f: float)
given(1, 18446744073709551615, 0.1). given(9223372036854775807, 3, 2.5). given(-5000000000, 0, 1.0).
.decl next(x: number)
next(x + 1) :- given(x, _, _).
.decl doubled(x: number)
doubled(4294967296).
doubled(y) :- doubled(x), y = 2 * x, y > 0, y < 4611686018427387904.
.decl totals(a: number, b: unsigned, c: float, d: float, e: number, f: number)
totals(a, b, c, d, e, f) :- a = sum x : given(x, _, _), b = sum u : given(_, u, _), c = sum y : given(_, _, y),
    d = mean z : given(_, _, z),
    e = count : given(_, _, _), f = min x : given(x, _, _).
.decl record(p: P)
record([x, f]) :- given(x, _, f).
.decl unpacked(x: number, f: float)
unpacked(x, f) :- record([x, f]), f > 0.5, x != 9223372036854775807.
.decl chain(t: T)
chain($Node(x, $Leaf())) :- given(x, _, _).
.decl called(x: number)
called(@twice(x)) :- given(x, _, _).
.decl text(s: symbol)
text(to_string(x)) :- given(x, _, _).
text(substr("abcdef", x, 2)) :- x = 3.
.decl length(n: number)
length(strlen(s)) :- text(s).
.decl ranged(x: number)
ranged(x) :- x = range(5000000000, 5000000003).
.decl shifted(x: number, y: unsigned)
shifted(1 bshl 40, to_unsigned(x) bshr 63) :- given(x, _, _).
.decl without(x: number)
without(x) :- given(x, _, _), !next(x).
"""
EXPECTED: dict[str, set[tuple[Any, ...]]] = {
    "next": {(2,), (LEAST,), (-4999999999,)},
    "doubled": {(2**i,) for i in range(32, 62)},
    "totals": {(MOST + 1 - 5 * 10**9, 2, 3.6, 1.2, 3, -5000000000)},
    "record": {((1, 0.1),), ((MOST, 2.5),), ((-5000000000, 1.0),)},
    "unpacked": {(-5000000000, 1.0)},
    "chain": {(("Node", x, ("Leaf",)),) for x in (1, MOST, -5000000000)},
    "called": {(2,), (-2,), (-10000000000,)},
    "text": {("1",), (str(MOST),), ("-5000000000",), ("de",)},
    "length": {(1,), (19,), (11,), (2,)},
    "ranged": {(5000000000,), (5000000001,), (5000000002,)},
    "shifted": {(2**40, 0), (2**40, 1)},
    "without": {(1,), (MOST,), (-5000000000,)},
}


def twice(x: int) -> int:
    return 2 * x


def test_values_beyond_32_bits() -> None:
    program = Program.parse(PROGRAM, functors={"twice": twice}, domain=64)
    db, model = Database(program), evaluate(program.core)
    for relation, rows in EXPECTED.items():
        assert set(db[relation]) == rows, relation
        assert model.visible(relation) == rows, relation


def test_updates() -> None:
    text = (
        ".decl e(x: number, y: number)\n.input e\n.decl p(x: number, y: number)\np(x, y) :- e(x, y).\np(x, z) :- "
        "p(x, y), e(y, z).\n"
        ".decl m(x: number, y: number)\nm(x, n) :- e(x, _), n = max y : p(x, y).\n"
    )
    db = Database(Program.parse(text, domain=64))
    big = 2**40
    db.bootstrap({"e": [(big, big + 1), (big + 1, big + 2)]})
    assert set(db["m"]) == {(big, big + 2), (big + 1, big + 2)}
    delta = db.update(insert={"e": [(big + 2, big + 3)]}, delete={"e": [(big, big + 1)]})
    assert set(delta.inserted["m"]) == {(big + 1, big + 3), (big + 2, big + 3)} and set(delta.deleted["m"]) == {
        (big, big + 2),
        (big + 1, big + 2),
    }


def test_the_same_program_wraps_at_32_bits() -> None:
    text = ".decl a(x: number)\na(2147483647).\n.decl b(x: number)\nb(x + 1) :- a(x).\n"
    assert [set(Database(Program.parse(text, domain=bits))["b"]) for bits in (32, 64)] == [{(-(2**31),)}, {(2**31,)}]


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("kind", ["number", "unsigned", "float"])
def test_sums_of_sets_with_equal_parts(kind: str, bits: int) -> None:
    values = [1, 2, 3, 4, 5, 6, 7, 8]
    facts = " ".join(f"a({value}{'.0' if kind == 'float' else ''})." for value in values)
    text = f".decl a(x: {kind})\n{facts}\n.decl s(x: {kind})\ns(y) :- y = sum x : a(x).\n"
    assert set(Database(Program.parse(text, domain=bits))["s"]) == {(sum(values),)}


def test_the_program_says_how_many_bits() -> None:
    text = '.pragma "RamDomain" "64"\n.decl a(x: number)\na(4294967296).\n.decl b(x: number)\nb(x + 1) :- a(x).\n'
    assert set(Database(Program.parse(text))["b"]) == {(2**32 + 1,)}
    assert set(Database(Program.parse(text))["b"]) == {(2**32 + 1,)}
    with pytest.raises(ProgramError, match="does not fit"):
        Program.parse(text, domain=32)
    with pytest.raises(ProgramError, match="32 or 64 bits, not 48"):
        Program.parse(text.replace("64", "48"))


def test_literals_must_fit() -> None:
    text = ".decl a(x: number)\na({}).\n"
    assert set(Database(Program.parse(text.format(MOST), domain=64))["a"]) == {(MOST,)}
    with pytest.raises(ProgramError, match="64 bits"):
        Program.parse(text.format(MOST + 1), domain=64)
    with pytest.raises(ProgramError, match="32 bits"):
        Program.parse(text.format(MOST))


def test_equal_numbers_of_two_types_stay_what_they_are() -> None:
    text = (
        ".decl a(x: number, y: float)\na(1, 1.0). a(2, 3.0).\n.decl b(x: number, s: symbol, q: float)\nb(x, "
        "to_string(y), y / 2.0) :- a(x, y), x = 1.\n"
    )
    assert set(Database(Program.parse(text, domain=64))["b"]) == {(1, "1.000000", 0.5)}


@pytest.mark.parametrize(
    ("function", "arguments", "kind", "expected"),
    [
        ("+", (MOST, 1), N, LEAST),
        ("*", (2**32, 2**32), N, 0),
        ("^", (2, 62), N, 2**62),
        ("^", (2, 63), N, LEAST),
        ("^", (2, 63), U, 2**63),
        ("^", (2, 64), U, 0),
        ("bshl", (1, 63), N, LEAST),
        ("bshl", (1, 64), N, 1),
        ("bshru", (-1, 60), N, 15),
        ("bnot", (0,), U, 2**64 - 1),
        ("+", (0.1, 0.2), F, 0.30000000000000004),
        ("to_number", (1e18,), F, 10**18),
        ("to_number", (1e19,), F, LEAST),
        ("to_unsigned", (1e19,), F, 10**19),
        ("to_unsigned", (-1.5,), F, 2**64 - 1),
        ("to_number", ("-9223372036854775808",), S, LEAST),
        ("to_float", ("1e300",), S, 1e300),
        ("to_number", (2**64 - 1,), U, -1),
        ("bits_number", (1.0,), F, 4607182418800017408),
        ("bits_float", (4607182418800017408,), N, 1.0),
    ],
)
def test_functions(function: str, arguments: tuple[Any, ...], kind: Kind, expected: Any) -> None:
    assert WIDE.compute(function, arguments, kind) == expected


def test_texts() -> None:
    assert WIDE.show(0.1) == "0.10000000000000001" and WIDE.show(-math.nan) == "-nan"
    with pytest.raises(NoValue):
        WIDE.parse_number("9223372036854775808")


@pytest.mark.parametrize("row", [("a", 1.0), (1.5, 1.0), (2**63, 1.0), (True, 1.0), (1, "1"), (1, None)])
def test_values_that_do_not_fit_are_refused(row: tuple[Any, ...]) -> None:
    db = Database(Program.parse(".decl a(x: number, y: float)\n.input a\n", domain=64))
    with pytest.raises(LadderError, match="is not a value of type"):
        db.load_rows("a", [row])
