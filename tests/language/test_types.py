"""Types: what is inferred, what is accepted and what is refused, for each kind of declaration and expression."""

from __future__ import annotations

import pytest

from ladder.language.compile import compile_program
from ladder.language.core import Kind
from ladder.language.errors import ProgramError
from ladder.language.values.value_order import holds_floats

DECLARED = """\
.type A <: symbol  .type B <: symbol  .type AB = A | B  .type BC = B | C  .type C <: symbol  .type Alias = AB
.type Even <: number  .type Small <: Even  .type Pair = [x: number, y: A]  .type Twin = Pair
.type Shape = Dot {} | Circle {r: float} | Both {one: Shape, other: Shape}
.functor half(x: Even): Even  .functor name(x: number): symbol stateful
.decl n(x: number)  .decl u(x: unsigned)  .decl f(x: float)  .decl t(x: symbol)
.decl a(x: A)  .decl b(x: B)  .decl ab(x: AB)  .decl bc(x: BC)  .decl al(x: Alias)  .decl e(x: Even)  .decl s(x: Small)
.decl p(x: Pair)  .decl w(x: Twin)  .decl sh(x: Shape)
"""
LINE = DECLARED.count("\n") + 1
FUNCTORS = {"half": lambda x: x // 2, "name": str}


def errors_of(text: str) -> list[tuple[int, str]]:
    try:
        compile_program(DECLARED + text, functors=FUNCTORS)
    except ProgramError as refused:
        assert all(e.place.line == LINE for e in refused.errors), refused
        return [(e.place.column, e.message) for e in refused.errors]
    return []


ACCEPTED = [
    # subtypes and unions: sources are narrowed, sinks accept what lies below
    "t(x) :- a(x).",
    "ab(x) :- a(x).",
    "al(x) :- ab(x). ab(x) :- al(x).",
    "ab(x) :- a(x) ; b(x).",
    "ab(x), t(x) :- b(x).",
    "b(x) :- ab(x), bc(x).",
    "a(x) :- t(x), ab(x), a(x).",
    "e(x) :- s(x).",
    "n(x) :- s(x).",
    "n(x) :- e(x), n(x).",
    "s(x) :- e(x), s(x).",
    "n(x) :- n(x), !e(x).",
    "t(x) :- ab(x), !b(x).",
    "n(x) :- e(x), !s(x).",
    # constants and arithmetic fit every type of their kind
    'a("k").',
    'ab("k").',
    "s(3).",
    "e(x + 1) :- e(x).",
    "s(x * y) :- e(x), s(y).",
    "e(x) :- x = 2, e(x).",
    "f(1). f(-1).",
    "u(1).",
    "u(x + 1) :- u(x), x < 10.",
    "f(x / 2) :- f(x).",
    "f(1 + 1.5).",
    "n(1) :- 1 - 1 = 0.",
    "u(0x1F).",
    "n(-5 % 3).",
    # overloads
    "t(to_string(x)) :- f(x).",
    "n(to_number(x)) :- u(x).",
    "f(to_float(x)) :- t(x).",
    "u(to_unsigned(x)) :- n(x).",
    "f(itof(x)) :- n(x).",
    "u(ftou(x)) :- f(x).",
    "t(max(x, y)) :- t(x), a(y).",
    "u(min(x, 3, 4)) :- u(x).",
    "u(x band 7) :- u(x).",
    "n(bnot x) :- n(x).",
    "u(range(1, 5)).",
    "f(range(0, 1, 0.5)).",
    "n(ord(x)) :- p(x).",
    "n(ord(x)) :- sh(x).",
    "n(strlen(cat(x, y))) :- a(x), b(y).",
    "t(x + y) :- a(x), b(y).",
    "n(to_number(to_number(2))).",
    "t(substr(x, 0, 2)) :- t(x).",
    "f(x ^ 2) :- f(x).",
    "n(lnot x) :- n(x).",
    # comparisons, casts
    "t(x) :- t(x), t(y), x < y.",
    "a(x) :- a(x), ab(y), x = y.",
    't(x) :- t(x), match("k.*", x).',
    "f(x) :- f(x), x < 1.",
    "a(as(x, A)) :- b(x).",
    "n(as(x, number)) :- t(x).",
    "f(as(x, float)) :- n(x).",
    "u(as(x, unsigned)) :- f(x).",
    "n(x) :- n(x), as(x, unsigned) < 5.",
    "t(to_string(as(2, float))).",
    # records and algebraic data types
    'p([1, "k"]).',
    "p(nil).",
    "n(x) :- p([x, _]).",
    "a(y) :- p(r), r = [_, y].",
    "w(x) :- p(x). p(x) :- w(x).",
    "n(x) :- r = [x, 1], n(x).",
    "n(b) :- a = [1, b], a = [1, 0].",
    'n(x) :- [x, ["k", x]] = [1, ["k", 1]].',
    "sh($Dot()).",
    "sh($Both($Dot(), x)) :- sh(x).",
    "f(r) :- sh($Circle(r)).",
    "f(r) :- sh(x), x = $Both($Circle(r), _).",
    "sh($Circle(1)).",
    "sh(x) :- sh(x), x != $Dot().",
    "n(1) :- sh(x), !sh($Both(x, x)).",
    # functors, aggregates
    "e(@half(x)) :- e(x).",
    "t(@name(x)) :- e(x).",
    "n(@half(4)).",
    "n(count : { a(_) }).",
    "n(x) :- x = sum y : { e(y) }.",
    "n(1) :- x = max y : { u(y) }, u(x).",
    "n(1) :- x = mean y : { f(y) }, f(x).",
    "n(1) :- x = min y / 2 : { f(y) }, f(x).",
    "n(x) :- n(x), x = sum y : { e(y), y < x }, 2 < count : { e(_) }.",
    "e(x) :- e(x), x < max y : { s(y) }.",
    "n(x) :- x = sum y : { e(y), y = count : { a(_) } }.",
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_accepted(text: str) -> None:
    assert errors_of(text) == []


REFUSED = [
    ("t(x) :- a(x), b(x).", 17, "x is an A and a B, which have no value in common"),
    ("a(x) :- ab(x).", 3, "x is an AB, column x of a is an A"),
    ("a(x) :- t(x).", 3, "x is a symbol, column x of a is an A"),
    ("s(x) :- e(x).", 3, "x is an Even, column x of s is a Small"),
    ("e(x) :- e(x), n(y), x = y, s(z), z = y, a(z).", 43, "z is a number, column x of a is an A (symbol)"),
    ("t(x) :- a(x), b(y), x = y.", 21, "x is an A and y is a B, which have no value in common"),
    ("n(1.5).", 3, "1.5 is a float, column x of n is a number"),
    ("f(3u).", 3, "3u is an unsigned, column x of f is a float"),
    ("u(x) :- n(x).", 3, "x is a number, column x of u is an unsigned"),
    ("n(x + y) :- n(x), u(y).", 7, "the arguments of + have different types: number and unsigned"),
    ("f(x % 2) :- f(x).", 3, "% is for integers, not floats"),
    ("f(x) :- f(x), bnot x = 1.", 15, "bnot is for integers, not floats"),
    ("n(-x) :- u(x).", 3, "- is for numbers that are signed, not an unsigned"),
    ('t("a" - "b").', 3, "- is for numbers, not a symbol"),
    ("n(p + 1) :- p(p).", 3, "+ is for numbers, not a Pair"),
    ("n(strlen(x)) :- n(x).", 10, "x is a number: strlen takes a symbol here"),
    ("t(strlen(x)) :- t(x).", 3, "strlen(x) is a number, column x of t is a symbol"),
    ('n(x) :- n(x), match(x, "k").', 21, "x is a number: match compares symbols"),
    ("n(x) :- n(x), t(y), x < y.", 21, "the two sides of < have different types: number and symbol"),
    ("n(count : { a(_) } + 1u).", 22, "the arguments of + have different types: number and unsigned"),
    ("u(count : { a(_) }).", 3, "count : { a(_) } is a number, column x of u is an unsigned"),
    ("f(x) :- x = mean y : { n(y) }.", 18, "y is a number, mean here takes a float"),
    ("n(x) :- x = min y : { t(y) }.", 17, "y is a symbol, min here takes a number"),
    ("e(@name(x)) :- n(x).", 3, "@name(x) is a symbol, column x of e is an Even (number)"),
    ("e(@half(x)) :- t(x).", 9, "x is a symbol, an argument of @half is an Even (number)"),
    ("s(@half(x)) :- s(x), s(x).", 3, "@half(x) is an Even, column x of s is a Small"),
    ("n(x) :- s(y), y = @half(x), n(x).", 19, "@half(x) is an Even, a Small is expected"),
    ("p([1]).", 3, "a Pair has 2 fields, not 1"),
    ('p(["k", "k"]).', 4, '"k" is a symbol, field x of Pair is a number'),
    ("n(x) :- n(x), [x] = [x, x].", 21, "a record of 1 field meets one of 2"),
    ("n([1]).", 3, "[1] is a record, a number is expected"),
    ("n(nil).", 3, "nil is a record, not a number"),
    ("n(x) :- n(x), nil = nil.", 15, "the type of this record is not known"),
    ("sh($Dit()).", 4, "no type has the branch Dit"),
    ("sh($Dot(1)).", 4, "the branch Dot has 0 fields, not 1"),
    ('sh($Circle("k")).', 12, '"k" is a symbol, field r of Circle is a float'),
    ("p($Dot()).", 3, "$Dot() is a Shape, column x of p is a Pair"),
    ("sh(nil).", 4, "nil is a record, not a Shape"),
    ("sh([1, 2]).", 4, "[1, 2] is a record, a Shape is expected"),
    ("n(as(x, Nothing)) :- n(x).", 3, "the type Nothing is not declared"),
    ("n(as(x, Even)) :- n(x), a(as(x, Even)).", 27, "as(x, Even) is a number, column x of a is an A (symbol)"),
]


@pytest.mark.parametrize(("text", "column", "message"), REFUSED)
def test_refused(text: str, column: int, message: str) -> None:
    assert (column, message) in [
        (c, m.split(" (float)")[0] if "(float)" not in message else m) for c, m in errors_of(text)
    ]


DECLARATIONS = [
    (".type X = X", ["the type X is defined by itself: X → X"]),
    (
        ".type X = Y .type Y <: X",
        ["the type X is defined by itself: X → Y → X", "the type Y is defined by itself: Y → X → Y"],
    ),
    (".type X = A | number", ["the union X mixes symbol and number values"]),
    (".type X = A | Pair", ["the union X mixes symbol and Pair values"]),
    (".type X = Pair | Twin", ["the union X has the member Pair, which is no primitive type"]),
    (".type X <: AB", ["X cannot be a subtype of the union AB"]),
    (".type X <: Pair", ["X cannot be a subtype of the record type Pair"]),
    (".type X = [a: number, a: number]", ["the type X has two fields a"]),
    (".type X = Dot {}", ["the branch Dot is declared twice"]),
    (".type X = New {a: Nowhere}", ["the type Nowhere of field a is not declared"]),
    (".type symbol <: number", ["the type symbol is declared twice"]),
    (".decl r(x: int, y: strin)", ["the type int is not declared", "the type strin is not declared"]),
]


@pytest.mark.parametrize(("text", "messages"), DECLARATIONS)
def test_declarations(text: str, messages: list[str]) -> None:
    assert [message for _, message in errors_of(text)] == messages


def test_unknown_types_are_proposed() -> None:
    with pytest.raises(ProgramError) as refused:
        compile_program(".type Name <: symbol .decl r(x: int, y: double, z: Nome, v: wholly)")
    assert [e.hint for e in refused.value.errors] == [
        "did you mean number?",
        "did you mean float?",
        "did you mean Name?",
        None,
    ]


def test_kinds_of_polymorphic_functions_and_constants() -> None:
    text = "u(x + 1) :- u(x). f(1). t(max(x, y)) :- t(x), t(y). n(ord(x)) :- t(x)."
    program = compile_program(DECLARED + text, functors=FUNCTORS).core
    computed = [literal for rule in program.rules for literal in rule.body if hasattr(literal, "function")]
    assert [(c.function, c.kind) for c in computed] == [
        ("+", Kind.UNSIGNED),
        ("max", Kind.SYMBOL),
        ("ord", Kind.SYMBOL),
    ]
    assert program.facts["f"] == ((1.0,),) and isinstance(program.facts["f"][0][0], float)


def test_each_alternative_and_each_head_has_types_of_its_own() -> None:
    text = "f(x), n(x) :- n(_), x = 1. ab(x) :- a(x) ; b(x). ab(x) :- ab(x), (x = y, a(y) ; x = y, b(y))."
    rules = compile_program(DECLARED + text, functors=FUNCTORS).core.rules
    assert [str(rule.head) for rule in rules[:2]] == ["f(1.0)", "n(1)"] and len(rules) == 6


def test_legacy_programs_derive_any_value_of_the_primitive_type() -> None:
    text = "a(x) :- t(x). s(x) :- n(x)."
    assert len(errors_of(text)) == 2
    assert errors_of('.pragma "legacy" ' + text) == []
    assert errors_of('.pragma "legacy" n(x) :- t(x).') != []


def test_branches_are_in_the_type_and_recursive() -> None:
    shape = compile_program(DECLARED, functors=FUNCTORS).core.types["Shape"]
    assert shape.kind is Kind.RECORD
    assert shape.branches == (
        ("Dot", ()),
        ("Circle", (("r", "float"),)),
        ("Both", (("one", "Shape"), ("other", "Shape"))),
    )


@pytest.mark.parametrize("last", ["float", "number"])
def test_types_that_share_their_fields_are_looked_at_once(last: str) -> None:
    """Each record type has two fields of the one before: there are 2^40 ways to the first one."""
    declared = f".type R0 = [x: {last}]\n" + "".join(f".type R{n} = [a: R{n - 1}, b: R{n - 1}]\n" for n in range(1, 41))
    types = compile_program(f"{declared}.type Own = [o: Own, n: number]").core.types
    assert holds_floats(types["R40"], types) == (last == "float")
    assert not holds_floats(types["Own"], types)
