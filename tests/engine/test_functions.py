"""What kernels compute against the built-in functions' definition: every function and comparison of numbers, at the
edges of 32 bits."""

from __future__ import annotations

import itertools
import struct
from typing import Any

import pytest

from ladder.engine.local.encode import calculated_in_kernel
from ladder.engine.local.engine import LocalEngine
from ladder.engine.reference import evaluate as naive
from ladder.language.core import (
    ARITHMETIC,
    CONVERSIONS,
    Atom,
    Column,
    Compare,
    Compute,
    Function,
    Generate,
    Kind,
    Program,
    Relation,
    Rule,
    Type,
    Var,
    verify,
)
from ladder.language.values import builtins

from .comparison import check_structure, difference, state_of
from .tuned import tuned

N, U, F, S = (Type(kind.value, kind) for kind in (Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT, Kind.SYMBOL))
TYPES = {t.kind: t for t in (N, U, F, S)}
SINGLE = 0.10000000149011612
VALUES: dict[Kind, list[Any]] = {
    Kind.NUMBER: [0, 1, -1, 2, -2, 3, 7, 31, 32, 33, -7, 21, 46341, 65536, 2**31 - 1, -(2**31)],
    Kind.UNSIGNED: [0, 1, 2, 3, 7, 31, 32, 33, 40, 65536, 2**31 - 1, 2**31, 2**32 - 1],
    Kind.FLOAT: [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        2.0,
        -3.0,
        SINGLE,
        1.5,
        -2.5,
        2.0**31,
        -(2.0**31),
        2.0**32,
        2.0**63,
        2.0**100,
        -(2.0**127),
        2.0**-126,
        16777217.0 - 1,
        float("inf"),
        float("-inf"),
        float("nan"),
    ],
    Kind.SYMBOL: ["", "a", "b", "B", "ä", "12", "-3x", "4294967295", "1.5e3"],
}
UNARY = ("neg", "bnot", "lnot", *CONVERSIONS)
FOR_INTEGERS = ("%", "band", "bor", "bxor", "bnot", "bshl", "bshr", "bshru", "land", "lor", "lxor", "lnot")
X, Y, R, I = (Var(name) for name in "xyri")


def column(name: str, type_: Type) -> Column:
    return Column(name, type_)


def same(a: Any, b: Any) -> bool:
    """Equal, and floats the same cell."""
    return (
        a == b if not isinstance(a, float) or not isinstance(b, float) else struct.pack("<f", a) == struct.pack("<f", b)
    )


def evaluated(literal: Any, types: tuple[Type, ...], result: Type, rows: list[tuple[Any, ...]]) -> dict[int, list[Any]]:
    """Row number → results of a literal that computes r from x (and y)."""
    terms = (X, Y)[: len(types)]
    relations = (
        Relation("given", (column("i", N), *(column(f"a{i}", t) for i, t in enumerate(types)))),
        Relation("found", (column("i", N), column("r", result))),
    )
    program = verify(
        Program({r.name: r for r in relations}, (Rule(Atom("found", (I, R)), (Atom("given", (I, *terms)), literal)),))
    )
    engine = LocalEngine(program)
    engine.bootstrap({"given": engine.encode_facts("given", [(i, *row) for i, row in enumerate(rows)])})
    found: dict[int, list[Any]] = {}
    for i, cell in engine.store.present(engine.numbers["found"])[0].tolist():
        found.setdefault(i, []).append(engine.values.decode(cell, result))
    return found


@pytest.mark.parametrize("kind", [Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT])
@pytest.mark.parametrize("function", [*ARITHMETIC, "to_number", "to_unsigned", "to_float"])
def test_functions_of_numbers(function: str, kind: Kind) -> None:
    if kind is Kind.FLOAT and function in FOR_INTEGERS:
        pytest.skip("for integers")
    assert calculated_in_kernel(function, kind)
    check_function(function, kind)


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        ("to_string", Kind.NUMBER),
        ("to_string", Kind.UNSIGNED),
        ("to_string", Kind.FLOAT),
        ("to_string", Kind.SYMBOL),
        ("to_number", Kind.SYMBOL),
        ("to_unsigned", Kind.SYMBOL),
        ("to_float", Kind.SYMBOL),
        ("cat", Kind.SYMBOL),
        ("min", Kind.SYMBOL),
        ("max", Kind.SYMBOL),
        ("strlen", Kind.SYMBOL),
        ("ord", Kind.NUMBER),
        ("ord", Kind.UNSIGNED),
        ("ord", Kind.FLOAT),
    ],
)
def test_functions_of_and_to_symbols(function: str, kind: Kind) -> None:
    check_function(function, kind)


def check_function(function: str, kind: Kind) -> None:
    count = 1 if function in (*UNARY, "strlen", "ord") else 2
    result = {"to_number": N, "to_unsigned": U, "to_float": F, "to_string": S, "strlen": N, "ord": N}.get(
        function, TYPES[kind]
    )
    rows = list(itertools.product(VALUES[kind], repeat=count))
    found = evaluated(Compute(R, function, (X, Y)[:count], kind), (TYPES[kind],) * count, result, rows)
    for i, row in enumerate(rows):
        try:
            expected = [builtins.compute(function, row, kind)]
        except builtins.NoValue:
            expected = []
        assert len(expected) == len(found.get(i, [])) and all(map(same, found.get(i, []), expected)), (
            row,
            found.get(i),
            expected,
        )


@pytest.mark.parametrize("kind", list(VALUES))
@pytest.mark.parametrize("operator", ["=", "!=", "<", "<=", ">", ">="])
def test_comparisons(operator: str, kind: Kind) -> None:
    rows = list(itertools.product(VALUES[kind], repeat=2))
    relations = (
        Relation("given", (column("i", N), column("x", TYPES[kind]), column("y", TYPES[kind]))),
        Relation("found", (column("i", N),)),
    )
    rule = Rule(Atom("found", (I,)), (Atom("given", (I, X, Y)), Compare(operator, X, Y, kind)))
    engine = LocalEngine(verify(Program({r.name: r for r in relations}, (rule,))))
    engine.bootstrap({"given": engine.encode_facts("given", [(i, *row) for i, row in enumerate(rows)])})
    found = set(engine.store.present(engine.numbers["found"])[0][:, 0].tolist())
    assert found == {i for i, (x, y) in enumerate(rows) if builtins.holds(operator, x, y)}


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        (Kind.NUMBER, [(0, 5), (5, 0), (3, 3), (-2, 2)]),
        (Kind.UNSIGNED, [(0, 5), (5, 0), (2**32 - 3, 2**32 - 1)]),
        (Kind.FLOAT, [(0.0, 2.5), (2.5, 0.0), (1.0, 1.0)]),
    ],
)
def test_ranges(kind: Kind, rows: list[tuple[Any, Any]]) -> None:
    found = evaluated(Generate(R, "range", (X, Y), kind), (TYPES[kind],) * 2, TYPES[kind], rows)
    assert {i: sorted(values) for i, values in found.items()} == {
        i: sorted(set(builtins.generate_range(*row)))
        for i, row in enumerate(rows)
        if list(builtins.generate_range(*row))
    }


def weighed(a: int, b: str, c: float, d: int, e: str, f: int) -> int:
    return a + 10 * len(b) + int(c) + d * f + len(e)


def spread(a: int, b: int, c: int, d: int, e: int) -> list[int]:
    return [a, b, c, d, e]


def test_functions_of_many_arguments() -> None:
    """Six arguments, and five with several results: from scratch, changed, and of rows of the head."""
    types, variables = (N, S, F, N, S, N), tuple(Var(name) for name in "abcdef")
    relations = (
        Relation("given", tuple(column(f"c{i}", t) for i, t in enumerate(types))),
        Relation("found", (column("a", N), column("r", N))),
        Relation("parts", (column("a", N), column("p", N))),
    )
    a, _, _, d, _, f = variables
    rules = (
        Rule(Atom("found", (a, R)), (Atom("given", variables), Compute(R, "weighed", variables))),
        Rule(Atom("parts", (a, R)), (Atom("given", variables), Generate(R, "spread", (a, d, f, f, a)))),
    )
    functions = {
        "weighed": Function("weighed", types, N, weighed),
        "spread": Function("spread", (N,) * 5, N, spread, several=True),
    }
    program = verify(
        Program({r.name: r for r in relations}, rules, functions, types={t.name: t for t in TYPES.values()})
    )
    rows = [(i % 7, "x" * (i % 3), 0.5 * i, i, f"e{i % 4}", i % 5) for i in range(60)]
    engine = LocalEngine(program, tuning=tuned(batch_size=3, capacity=2))
    engine.bootstrap({"given": engine.encode_facts("given", rows[:40])})
    assert difference(state_of(engine), naive.evaluate(program, {"given": rows[:40]})) == ""
    engine.update(
        {"given": engine.encode_facts("given", rows[:20])}, {"given": engine.encode_facts("given", rows[40:])}
    )
    engine.finish()
    assert difference(state_of(engine), naive.evaluate(program, {"given": rows[20:]})) == ""
    check_structure(engine)
