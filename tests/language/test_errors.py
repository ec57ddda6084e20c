"""What is wrong with a program: every error at once, at its place, with the hint where there is one."""

from __future__ import annotations

import json

import pytest

from ladder.errors import LadderError
from ladder.language import parse
from ladder.language.core import Place
from ladder.language.errors import WIDEST, ProgramError, excerpt

DECLARED = """\
.type A <: symbol  .type B <: symbol  .type List = [head: number, tail: List]
.lattice K = "ladder.lattices:k_set(2)"
.functor f(x: number, a: A): B = "operator:add"
.decl n(x: number)  .decl m(x: number, y: number)  .decl t(s: symbol)  .decl a(x: A)  .decl b(x: B)
.decl u(x: unsigned)  .decl d(x: float)  .decl l(l: List)  .decl k(g: number, s: K<>)  .decl p(g: number, s: K)
"""


def errors_of(text: str) -> list[tuple[int, int, str, str | None]]:
    with pytest.raises(ProgramError) as refused:
        parse(text)
    return [(e.place.line, e.place.column, e.message, e.hint) for e in refused.value.errors]


SYNTAX = [
    ("a(x :- b(x).", 5, "unexpected ':-', ',' or ')' is expected", None),
    ("a(x) :- b(x)", 12, "the text ends in the middle of a clause or declaration", "a . is missing?"),
    ("a(x) :- b(x). // a(", 0, "", None),
    ("a(x) :- b(x), .", 15, "unexpected '.', an atom or a constraint is expected", None),
    ("a(x) :- b(x) c(x).", 14, "unexpected 'c', ',' or '.' is expected", None),
    ("a(x) :- b(x] .", 12, "unexpected ']', ')' is expected", None),
    ("a(x) :- b(,x).", 11, "unexpected ',', a value is expected", None),
    ("a.", 2, "unexpected '.', '(' is expected", None),
    (".decl a(x number)", 11, "unexpected 'number', ':' is expected", None),
    (".declare a(x: number)", 1, "there is no directive .declare", "did you mean .decl?"),
    (".decl a(x: number)\n.output a\n.outputs a", 1, "there is no directive .outputs", "did you mean .output?"),
    ('a("x).', 3, "a string that is not closed on its line", 'write " where it ends, and \\" for a quote inside'),
    ("a(x) /* b", 6, "a comment that is not closed", "write */ where it ends"),
    ("a(count) :- b(count).", 3, "count is a reserved word", "use another name"),
    ("a(x) :- b('x').", 11, 'unexpected "\'", a value is expected', 'symbols are written in double quotes: "text"'),
    ("a(x) :- not b(x).", 13, "unexpected 'b', ',' or '.' is expected", "negation is written !"),
    ("a(x) :- b(x) and c(x).", 14, "unexpected 'and', ',' or '.' is expected", "a conjunction is written with ,"),
    ("a(x) :- b(x), x == 1.", 18, "unexpected '=', a value is expected", "equality is written ="),
    ("a(x) :- b(x), x => 1.", 18, "unexpected '>', a value is expected", "write >="),
    ("a(x) :- b(x), x =< 1.", 18, "unexpected '<', a value is expected", "write <="),
    ("a(n) :- n = count { b(_) }.", 19, "unexpected '{', ':' is expected", "write count : { … }"),
    ("a(n) :- n = sum x { b(x) }.", 19, "unexpected '{', ':' is expected", "write sum x : { … }"),
    (".limitsize a(n=-1)", 16, ".limitsize takes a number of rows", "write n=1000, for example"),
    (
        ".decl a, b(x: number)\na(x) :- a(x), b(x).\n.plan 0:(1,2)\n.plan 1:(2,1)",
        1,
        "this plan does not follow a rule",
        "a rule has one .plan: .plan 0:(2,1), 1:(1,2)",
    ),
    ("a(x) <- b(x).", 6, "unexpected '<', ',' or '.' is expected", "a rule is written head :- body."),
    ("?- a(x).", 2, "unexpected '-', '(' is expected", "there are no queries: write a rule and .output its relation"),
    (".decl a(x: number) a(1) :- 1 + 1.", 28, "an atom or a constraint is expected here, not a value", None),
    (".decl n(x: number) n(1) :- n((n(1), n(2))).", 31, "a value is expected here, not an atom or a constraint", None),
    (".input a(file=x.csv)", 16, "unexpected '.csv', ',' or ')' is expected", None),
]


@pytest.mark.parametrize(("text", "column", "message", "hint"), [case for case in SYNTAX if case[1]])
def test_syntax_errors(text: str, column: int, message: str, hint: str | None) -> None:
    [(_, *error)] = errors_of(text)
    assert error == [column, message, hint]


MEANING = [
    # names and arguments
    ("n(x) :- mm(x, _).", 9, "the relation mm is not declared", "did you mean m?"),
    ("n(x) :- N(x).", 9, "the relation N is not declared", "did you mean n?"),
    ("n(x, y) :- m(x, y).", 1, "n has 1 column, not 2", "it is declared as n(x: number)"),
    ("n(x) :- m(x).", 9, "m has 2 columns, not 1", "it is declared as m(x: number, y: number)"),
    ("n(x) :- n(m(x, 1)).", 11, "the atom m(…) stands where a value is expected", None),
    ("b(f(x, y)) :- n(x), a(y).", 3, "f is a functor", "write @f(…)"),
    ("f(x, y) :- n(x), a(y).", 1, "the relation f is not declared", "a functor is called with @: @f(…)"),
    ("n(x) :- t(s), strlne(s) = x.", 15, "there is no function strlne", "did you mean strlen?"),
    ("n(x) :- t(s), strlen(s, s) = x.", 15, "strlen takes 1 argument, not 2", None),
    ("n(x) :- t(s), range(1) = x.", 15, "range takes 2 or 3 arguments, not 1", None),
    ("n(x) :- n(y), @g(y) = x.", 15, "the functor g is not declared", None),
    ("b(x) :- n(y), @f(y) = x.", 15, "the functor f takes 2 arguments, not 1", None),
    (
        "n(x) :- n(x), !(m(x, _), k > 3).",
        26,
        "the variable k is not bound: it stands only in !(k > 3)",
        "bind it with an atom that is not negated, or by = with a value",
    ),
    ("n(_) :- n(_).", 3, "the wildcard _ has no value here", "it may stand in atoms of a body only"),
    ("n(x) :- n(x), x < _.", 19, "the wildcard _ has no value here", "it may stand in atoms of a body only"),
    (".output nn", 9, "the relation nn of .output is not declared", "did you mean n?"),
    (".decl q(x: numbr)", 9, "the type numbr is not declared", "did you mean number?"),
    (".decl q(x: number, x: number)", 20, "the relation q has two columns x", None),
    (".decl n(x: number)", 7, "the relation n is declared twice", "it is already declared in <text>:4:7"),
    (".type A <: number", 7, "the type A is declared twice", "it is already declared in <text>:1:7"),
    (".type number = symbol", 7, "the type number is declared twice", "it is a primitive type"),
    (
        ".type X = number | symbol",
        7,
        "the union X mixes number and symbol values",
        "all members of a union must have the same primitive type",
    ),
    (".type X = [y: Z]", 12, "the type Z of field y is not declared", None),
    # types
    ('n("x").', 3, '"x" is a symbol, column x of n is a number', None),
    ("n(1.5).", 3, "1.5 is a float, column x of n is a number", None),
    ("n(3u).", 3, "3u is an unsigned, column x of n is a number", None),
    ("n(nil).", 3, "nil is a record, not a number", None),
    ("n([1, nil]).", 3, "[1, nil] is a record, a number is expected", None),
    ("n(x) :- t(x).", 3, "x is a symbol, column x of n is a number", None),
    ("n(x) :- n(x), t(x).", 17, "x is a number, column s of t is a symbol", None),
    ("n(x) :- n(x), t(s), x < s.", 21, "the two sides of < have different types: number and symbol", None),
    ("n(x) :- n(x), t(s), x = s + 1.", 29, "the arguments of + have different types: symbol and number", None),
    ("n(x) :- n(x), d(y), x band 1 = 1, y band 2.0 > 1.0.", 35, "band is for integers, not floats", None),
    ('n(x) :- n(x), match(x, "a").', 21, "x is a number: match compares symbols", None),
    ("n(strlen(x)) :- n(x).", 10, "x is a number: strlen takes a symbol here", None),
    ("a(x) :- b(x).", 3, "x is a B, column x of a is an A", "write as(x, A) if this is meant"),
    ("a(x) :- t(x).", 3, "x is a symbol, column x of a is an A", "write as(x, A) if this is meant"),
    ("t(x) :- a(x), b(x).", 17, "x is an A and a B, which have no value in common", "write as(x, A) if this is meant"),
    (
        "a(@f(x, s)) :- n(x), a(s).",
        3,
        "@f(x, s) is a B, column x of a is an A",
        "write as(@f(x, s), A) if this is meant",
    ),
    ("a(y) :- b(x), y = x.", 3, "y is a B, column x of a is an A", "write as(y, A) if this is meant"),
    ("l([1]).", 3, "a List has 2 fields, not 1", "it is declared as [head: number, tail: List]"),
    ('l(["x", nil]).', 4, '"x" is a symbol, field head of List is a number', None),
    ("n(4294967295).", 3, "4294967295 does not fit a number of 32 bits", None),
    ("u(-1).", 3, "-1 does not fit an unsigned of 32 bits", None),
    (
        "n(x) :- n(x), m(x, y), n(y). .plan 0:(1,2)",
        36,
        "this plan names 2 atoms, the rule has 3",
        "a plan names every atom that is not negated once",
    ),
    ("n(x) :- n(x), m(x, y). .plan 0:(1,1)", 30, "this plan leaves out atom 2", "a plan names every atom once"),
    (
        "n(x) :- n(x), m(x, y), n(y). .plan 0:(1,2,3), 2:(3,2,1)",
        47,
        "there is no version 2 of this rule",
        "it has version 0 to 1, one for each recursive atom",
    ),
    # bindings
    (
        "n(x).",
        3,
        "the variable x is not bound: it stands only in the head",
        'facts have constants; a symbol is written "x"',
    ),
    ("n(x) :- m(y, y).", 3, "the variable x is not bound: it stands only in the head", ...),
    ("n(x) :- n(x), !m(x, y).", 21, "the variable y is not bound: it stands only in the negated atom !m(x, y)", ...),
    ("n(x) :- n(x), x < y.", 19, "the variable y is not bound: it stands only in x < y", ...),
    ("n(x) :- x = y + 1, n(z).", 13, "the variable y is not bound: it stands only in x = (y + 1)", ...),
    ("n(x) :- n(x) ; n(y).", 3, "the variable x is not bound: it stands only in the head", ...),
    ("n(x) :- n(y + 1), x = y.", 11, "the variable y is not bound: it stands only inside (y + 1)", ...),
    # aggregates
    ("m(min(x), y) :- m(x, y).", 3, "min(x) must be the last column of m", "the columns before it are the group"),
    (
        "m(x, y) :- m(x, z), y = max(z).",
        25,
        "max(x) with one argument is an aggregator: the last column of a head only",
        None,
    ),
    (
        "m(x, lub(y)) :- m(x, y).",
        6,
        "lub on a column of type number, which is no lattice",
        'declare the column with a lattice\'s type: .lattice Name = "module:attribute"',
    ),
    ("k(x, min(y)) :- k(x, y).", 6, "min on a column of the lattice K", "write lub"),
    ("k(x, glb(y)) :- k(x, y).", 6, "glb on the column s, which is joined", "declare the column without <>: s: K"),
    ("t(min(s)) :- t(s).", 3, "min aggregates numbers, not a symbol", None),
    (
        "m(x, min(y)), m(x, max(y)) :- m(x, y).",
        20,
        "the relation m is aggregated by min elsewhere, by max here",
        "a relation has one aggregate: split it into two relations",
    ),
    ("p(x, s) :- n(x), t(s).", 6, "s is a symbol, column s of p is a K", None),
    (
        ".decl q(s: K<>, x: number)",
        9,
        "the lattice column s stands before one without a lattice",
        "lattice columns are the last of their relation",
    ),
    (".decl q(s: A<>)", 9, "A is no lattice", 'declare it: .lattice A = "module:attribute"'),
    (
        '.lattice Q = "nowhere:x"',
        10,
        "the lattice Q cannot be found: cannot import nowhere: No module named 'nowhere'",
        None,
    ),
    (
        '.lattice Q = "ladder.lattices:k_set(0)"',
        10,
        "the lattice Q cannot be found: k_set(0) failed: ValueError: a bounded set needs room for at least one element",
        None,
    ),
    ('.lattice Q = "math:pi"', 10, "math:pi is no lattice: it has no method join(a, b)", "see ladder.lattices.Lattice"),
    (
        '.lattice Q = "math:pi + 1"',
        10,
        "the lattice Q cannot be found: 'pi + 1' is not a name or a call with literal arguments",
        None,
    ),
    (
        '.functor g(x: number): number = "math:nope"',
        10,
        "the function of the functor g cannot be found: math has no attribute nope",
        None,
    ),
    (
        ".functor g(x: number): number n(@g(1)).",
        33,
        "the functor g has no function",
        'write = "module:function" after its declaration, or give a module that has g (--functors, functors=…)',
    ),
    (
        "n(x) :- p(x, s), !k(_, s).",
        21,
        "!k(_, s) compares a lattice column for any key",
        "its value may meet s for one key and not for another: bind the key with an atom that is not negated",
    ),
    ("n(x) :- p(x, s), !(m(x, x) ; k(_, s)).", 32, "!k(_, s) compares a lattice column for any key", ...),
    ("n(x) :- p(x, s), 1 = count : { !k(_, s) }.", 35, "!k(_, s) compares a lattice column for any key", ...),
    # stratification
    (
        "n(x) :- n(x), !n(x).",
        15,
        "n depends on its own negation: n ← !n",
        "a negated relation must be complete before the rule that negates it: break this cycle",
    ),
    (
        'n(x) :- t(s), x = strlen(s). t("x") :- m(1, _). m(x, x) :- u(_), !n(x), x = 1.',
        66,
        "m depends on its own negation: m ← !n ← t ← m",
        ...,
    ),
]


@pytest.mark.parametrize(("text", "column", "message", "hint"), MEANING)
def test_errors_of_meaning(text: str, column: int, message: str, hint: object) -> None:
    [(line, found_column, found, found_hint)] = errors_of(DECLARED + text)
    assert (line, found_column, found) == (6, column, message)
    assert hint is ... or found_hint == hint


def test_all_errors_come_at_once_in_the_order_of_the_text() -> None:
    text = '.decl a(x: number)\nb(1).\na(1, 2).\na("x").\na(x) :- !a(x).\n.output c\n'
    assert [(line, column) for line, column, _, _ in errors_of(text)] == [
        (2, 1),
        (3, 1),
        (4, 3),
        (5, 3),
        (5, 9),
        (6, 9),
    ]


def test_syntax_errors_do_not_hide_each_other() -> None:
    text = '.decl a(x: number\n.decl b(x: number)\nb(x :- a(x).\nb(1).\nb(2\nb(3).\n b("x).\nb(4)\n'
    assert [(line, column) for line, column, _, _ in errors_of(text)] == [(2, 1), (3, 5), (6, 1), (7, 4), (8, 4)]


def test_names_whose_declaration_could_not_be_read_are_not_told() -> None:
    text = ".decl a(x number)\n.decl b(x: number)\nb(x) :- a(x).\nb(x) :- aa(x).\nb(x) :- b(x), x < y.\n.output a, c"
    assert [(line, column) for line, column, _, _ in errors_of(text)] == [(1, 11), (4, 9), (5, 19), (6, 12)]
    assert len(errors_of('.include "absent.dl"\na(1).\n.decl b(x: T)\n.output c')) == 1
    assert len(errors_of(".comp C { .decl a(x: number) }\na(1).")) == 1


@pytest.mark.parametrize(
    "declaration",
    [
        '.functor g(n: number): number = "absent.py:g"',
        ".functor g(n: numbr): number",
        '.functor g(n: number): number = "absent_module:g"',
    ],
)
def test_a_functor_with_an_error_is_not_told_again_where_it_is_used(declaration: str) -> None:
    [(line, *_)] = errors_of(f"{declaration}\n.decl n(x: number)\nn(@g(x)) :- n(x).\nn(x) :- n(x), @g(x) = 1.")
    assert line == 1


def test_a_lattice_with_an_error_is_not_told_again_where_it_is_used() -> None:
    text = (
        '.lattice Q = "absent:q"\n.decl r(x: number, q: Q<>)\n.decl p(q: Q)\nr(x, lub(q)) :- r(x, q), p(q).\np(q) '
        ":- r(_, q)."
    )
    assert [line for line, *_ in errors_of(text)] == [1]


def test_one_cause_is_told_once() -> None:
    assert len(errors_of('.decl a(x: number)\na(x) :- a(x), y = x + "s", y < 3, a(y), z = y * 2, z = 1.')) == 1


def test_rendering_shows_the_line_a_caret_and_the_hint() -> None:
    with pytest.raises(ProgramError) as refused:
        parse(".decl edge(x: number, y: number)\n\tegde(1,\t2).\n", "graph.dl")
    assert str(refused.value).strip() == (
        "graph.dl:2:2: error: the relation egde is not declared\n    \tegde(1,\t2).\n    \t^~~~\n    did you mean edge?"
    )
    assert isinstance(refused.value, LadderError) and refused.value.exit_code == 2


def test_errors_as_json() -> None:
    with pytest.raises(ProgramError) as refused:
        parse("a(1).\n", "a.dl")
    assert json.loads(refused.value.to_json()) == [
        {
            "severity": "error",
            "file": "a.dl",
            "line": 1,
            "column": 1,
            "message": "the relation a is not declared",
            "mend": None,
            "kind": None,
        }
    ]


def test_of_a_very_long_line_the_part_around_the_error_is_shown() -> None:
    text = ".decl p(x: number)\np(" + "1 + " * 5000 + "missing" + " + 1" * 5000 + ").\n"
    with pytest.raises(ProgramError) as refused:
        parse(text)
    for error in refused.value.errors:
        line, caret = excerpt(error.place, text).split("\n    ")
        assert len(line) <= WIDEST + 2 and len(caret) <= len(line)
    shown = excerpt(Place("p.dl", 2, 2 + 4 * 5000 + 1), text).split("\n    ")
    assert shown[0].startswith("…") and shown[0].endswith("…")
    assert shown[0][shown[1].index("^") :].startswith("missing") and shown[1].endswith("^~~~~~~")
