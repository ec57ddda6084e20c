"""Clauses → core rules, seen through the core's printer; every core program passes its verifier on the way."""

from __future__ import annotations

import pytest

from ladder.language import core, parse
from ladder.language.core import Kind

DECLARED = """\
.type Id <: number   .type Pair = [a: number, b: symbol]   .type List = [head: number, tail: List]
.lattice Few = "ladder.lattices:k_set(2)"   .lattice Sign = "ladder.lattices:sign"
.functor f(x: number): number = "math:floor"   .functor g(x: number): number = "builtins:range" several
.functor elements(s: Few): symbol = "ladder.lattices:members" several
.decl a(x: number)   .decl b(x: number, y: number)   .decl c(x: number, y: number, z: number)   .decl e()
.decl s(t: symbol)   .decl p(p: Pair)   .decl l(l: List)   .decl fl(x: float)   .decl un(x: unsigned)   .decl id(x: Id)
.decl few(g: number, s: Few<>)   .decl set(g: number, s: Few)   .decl sign(g: number, v: Sign<>)
.decl least(g: number, n: number)
"""


def rules(text: str) -> list[str]:
    return [str(rule) for rule in parse(DECLARED + text).rules]


CASES = [
    ("a(x) :- b(x, y), c(y, _, 3).", ["a(x) :- b(x, y), c(y, _, 3)."]),
    ("a(x) :- b(x, y).", ["a(x) :- b(x, _)."]),
    ("a(x), b(x, y) :- b(y, x).", ["a(x) :- b(_, x).", "b(x, y) :- b(y, x)."]),
    ("a(x + 1) :- a(x).", ["a($1) :- a(x), $1 = +(x, 1)."]),
    ("a(x) :- a(x + 1), a(x).", ["a(x) :- a($1), a(x), $2 = +(x, 1), $1 = $2."]),
    ("a(y) :- a(x), y = x * 2 + 1.", ["a(y) :- a(x), $1 = *(x, 2), y = +($1, 1)."]),
    ("a(y) :- a(x), x * 2 = y.", ["a(y) :- a(x), y = *(x, 2)."]),
    ("a(y) :- b(x, y), y = x * 2.", ["a(y) :- b(x, y), $1 = *(x, 2), y = $1."]),
    ("a(z) :- z = y + 1, y = x + 1, a(x).", ["a(z) :- a(x), y = +(x, 1), z = +(y, 1)."]),
    ("a(y) :- a(x), y = x.", ["a(x) :- a(x)."]),
    ("a(y) :- a(x), y = z, z = x.", ["a(x) :- a(x)."]),
    ("a(x) :- x = 3.", ["a(3) :- ."]),
    ("a(x) :- b(x, y), y = 3.", ["a(x) :- b(x, 3)."]),
    ("a(x) :- b(x, y), y = 3, y = 3.", ["a(x) :- b(x, 3)."]),
    ("a(x) :- b(x, y), y = 3, y = 2 + 2.", []),
    ("a(x) :- b(x, y), y != 3, 3 != y.", ["a(x) :- b(x, y), y != 3, y != 3."]),
    ("a(x) :- a(x), 1 < 2.", ["a(x) :- a(x)."]),
    ("a(x) :- a(x), 2 < 1.", []),
    ("a(x) :- a(x), 1 / 0 = 1.", []),
    (
        "a(x) :- (a(x) ; b(x, _)), (e() ; a(3)).",
        ["a(x) :- a(x), e().", "a(x) :- a(x), a(3).", "a(x) :- b(x, _), e().", "a(x) :- b(x, _), a(3)."],
    ),
    ("a(x) :- a(x), (true ; b(x, x)).", ["a(x) :- a(x).", "a(x) :- a(x), b(x, x)."]),
    ("a(x) :- a(x), (false ; b(x, x)).", ["a(x) :- a(x), b(x, x)."]),
    ("a(x) :- un(u), a(x), !b(x, 2), !e(), u = 1.", ["a(x) :- un(1), a(x), !b(x, 2), !e()."]),
    (
        "a(x) :- un(_), s(_), id(x), !c(x, _, 2).",
        [
            "c$0_2(x, z) :- c(x, _, z).",
            "a$if1() :- un(_).",
            "a$if2() :- s(_).",
            "a(x) :- id(x), !c$0_2(x, 2), a$if1(), a$if2().",
        ],
    ),
    ("a(1) :- !b(_, _).", ["b$() :- b(_, _).", "a(1) :- !b$()."]),
    ("a(x) :- id(x), !b(x + 1, _).", ["b$0(x) :- b(x, _).", "a(x) :- id(x), $1 = +(x, 1), !b$0($1)."]),
    ("a(x) :- id(x), !(b(x, _) ; x < 3).", ["b$0(x) :- b(x, _).", "a(x) :- id(x), !b$0(x), x >= 3."]),
    ('a(x) :- id(x), !(s("a"), x != 3).', ['a(x) :- id(x), !s("a").', "a(3) :- id(3)."]),
    ('a(x) :- id(x), !(!(s("a"))).', ['a(x) :- id(x), s("a").']),
    (
        's(x) :- s(x), !match("a.*", x), !contains("b", x), contains("c", x).',
        ['s(x) :- s(x), "a.*" not_match x, "b" not_contains x, "c" contains x.'],
    ),
    ('s(cat(x, "-", y)) :- s(x), s(y).', ['s($1) :- s(x), s(y), $1 = cat(x, "-", y).']),
    (
        's(cat(x, "-", y, x, "+", y)) :- s(x), s(y).',
        ['s($1) :- s(x), s(y), $2 = cat(x, "-", y, x), $1 = cat($2, "+", y).'],
    ),
    ('s(cat("a", "-", "b")) :- e().', ['s("a-b") :- e().']),
    ("a(max(x, y, 3)) :- b(x, y).", ["a($1) :- b(x, y), $2 = max(x, y), $1 = max($2, 3)."]),
    ("a(-x) :- a(x), bnot x < lnot x.", ["a($3) :- a(x), $1 = bnot(x), $2 = lnot(x), $1 < $2, $3 = neg(x)."]),
    ("a(y) :- a(x), y = range(0, x).", ["a(y) :- a(x), y in range(0, x)."]),
    ('s(x + "-" + y) :- s(x), s(y).', ['s($1) :- s(x), s(y), $2 = cat(x, "-"), $1 = cat($2, y).']),
    ("s(to_string(x)), a(to_number(y)) :- s(x), a(y).", ["s(x) :- s(x), a(_).", "a(y) :- s(_), a(y)."]),
    ("a(x) :- a(y), [x, [y, 2]] = [y, [1, z]], [x, z] != [1, 1].", ["a(1) :- a(1)."]),
    (
        "e() :- b(x, y), !(x < y), !(x <= y), !(x > y), !(x >= y), !(x = y).",
        ["e() :- b(x, y), x >= y, x > y, x <= y, x < y, x != y."],
    ),
    ("e() :- b(x, y), !(x != y).", ["e() :- b(y, y)."]),
    ("a(range(0, x, 2)) :- a(x).", ["a($1) :- a(x), $1 in range(0, x, 2)."]),
    ("a(x) :- a(x), x = range(0, 9).", ["a(x) :- a(x), $1 in range(0, 9), x = $1."]),
    ("a(@f(y)) :- a(x), y = @g(x).", ["a($1) :- a(x), y in g(x), $1 = f(y)."]),
    ("a(x) :- a(x), @g(x) = @f(x).", ["a(x) :- a(x), $1 in g(x), $2 = f(x), $1 = $2."]),
    ("p([x, y]) :- a(x), s(y).", ["p($1) :- a(x), s(y), $1 = [x, y]."]),
    ("s(y) :- p([3, y]).", ["s(y) :- p($1), $1 = [$2, y], $2 = 3."]),
    ("a(x) :- p(r), r = [x, _].", ["a(x) :- p(r), r = [x, _]."]),
    ("a(x) :- p(r), [x, y] = r, s(y).", ["a(x) :- p(r), s(y), r = [x, $1], $1 = y."]),
    ("a(x) :- l([x, [x, _]]).", ["a(x) :- l($1), $1 = [x, $2], $2 = [$3, _], $3 = x."]),
    ("a(x) :- l([x, nil]).", ["a(x) :- l($1), $1 = [x, $2], $2 = nil."]),
    ("l(r) :- a(x), r = [x, nil].", ["l(r) :- a(x), r = [x, nil]."]),
    ("l(r) :- l(r), a(x), r = [x, nil].", ["l(r) :- l(r), a(x), r = [$1, $2], $1 = x, $2 = nil."]),
    ("l(nil). l([1, nil]).", []),
    ('a(x) :- a(x), !p([x, "k"]).', ['a(x) :- a(x), $1 = [x, "k"], !p($1).']),
    ("few(1, lub(x)) :- s(x).", ["few(1, $1) :- s(x), $1 = Few.inject(symbol)(x)."]),
    ("few(1, x) :- s(x).", ["few(1, $1) :- s(x), $1 = Few.inject(symbol)(x)."]),
    ("few(y, lub(x)) :- few(y, x).", ["few(y, x) :- few(y, x)."]),
    ('few(1, lub("k")).', ['few(1, $1) :- $1 = Few.inject(symbol)("k").']),
    ("sign(1, lub(x)) :- a(x).", ["sign(1, $1) :- a(x), $1 = Sign.inject(number)(x)."]),
    ("sign(1, lub(x)) :- sign(_, x).", ["sign(1, x) :- sign(_, x)."]),
    ("set(x, lub(y)) :- a(x), s(y).", ["set(x, $1) :- a(x), s(y), $1 = Few.inject(symbol)(y)."]),
    ("least(x, min(y + 1)) :- b(x, y).", ["least(x, $1) :- b(x, y), $1 = +(y, 1)."]),
    ("a(as(x, number)) :- id(x).", ["a(x) :- id(x)."]),
    ("a(x) :- b(x, x). .plan 0:(1)", ["a(x) :- b(x, x)."]),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_rules(text: str, expected: list[str]) -> None:
    assert rules(text) == expected


def test_facts_are_rows() -> None:
    program = parse(
        DECLARED + 'a(1). a(-2 + 5). a(1). s("x"). fl(1). fl(0.1). un(4294967295). p(nil). e(). id(0xffffffff).'
    )
    assert program.facts == {
        "a": ((1,), (3,)),
        "s": (("x",),),
        "fl": ((1.0,), (0.10000000149011612,)),
        "un": ((4294967295,),),
        "p": ((None,),),
        "e": ((),),
        "id": ((-1,),),
    }
    assert program.rules == ()


def test_kinds_of_operations_and_constants() -> None:
    [on_floats, on_unsigned, on_numbers, on_symbols] = parse(
        DECLARED
        + """
        fl(x + 1) :- fl(x), x < 2.
        un(x bshr 1) :- un(x), x < 2.
        a(x + 1) :- a(x), x < 2.
        s(x) :- s(x), x < "b".
    """
    ).rules
    for rule, kind in ((on_floats, Kind.FLOAT), (on_unsigned, Kind.UNSIGNED), (on_numbers, Kind.NUMBER)):
        [compare] = [literal for literal in rule.body if isinstance(literal, core.Compare)]
        [compute] = [literal for literal in rule.body if isinstance(literal, core.Compute)]
        assert compare.kind is compute.kind is kind
        assert isinstance(compute.arguments[1], core.Const) and compute.arguments[1].type.kind is kind
    assert isinstance(on_symbols.body[1], core.Compare) and on_symbols.body[1].kind is Kind.SYMBOL


def test_aggregates_and_lattices() -> None:
    program = parse(DECLARED + "least(1, min(x)) :- a(x). set(1, lub(x)) :- s(x).")
    assert {name: r.aggregate for name, r in program.relations.items() if r.aggregate} == {
        "few": "Few",
        "set": "Few",
        "sign": "Sign",
        "least": "min",
    }
    assert set(program.lattices) == {"Few", "Sign"}
    assert program.types["Sign"].kind is Kind.SYMBOL and program.types["Few"].kind is Kind.OBJECT


def test_plans_and_places() -> None:
    [rule] = parse(DECLARED + "a(x) :- b(x, y), c(y, _, _).\n.plan 0:(2,1)").rules
    assert rule.plan == (1, 0) and rule.place == core.Place("<text>", 1 + DECLARED.count("\n"), 1)


def test_equal_records_are_compared_field_by_field() -> None:
    assert rules("a(x) :- l(t), a(y), as([x, t], List) = [y, nil].") == [
        "a(x) :- l(t), a(y), $1 = [y, nil], $1 = [x, $2], $2 = t."
    ]


def test_too_many_alternatives_are_refused() -> None:
    body = ", ".join(f"(a({i}) ; b({i}, {i}))" for i in range(13))
    with pytest.raises(Exception, match="the alternatives of this rule multiply to more than 4096"):
        parse(DECLARED + f"e() :- {body}.")
