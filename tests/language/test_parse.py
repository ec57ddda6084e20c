"""Text → syntax tree, seen through the text that the tree prints as."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.language.errors import ProgramError
from ladder.language.syntax import nodes as s
from ladder.language.syntax.parser import parse_text


def clause(text: str) -> s.Clause:
    [item] = parse_text(text)
    assert isinstance(item, s.Clause)
    return item


def value(text: str) -> s.Expression:
    body = clause(f"h(x) :- x = {text}.").body
    assert isinstance(body, s.Comparison)
    return body.right


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a ^ b ^ c", "(a ^ (b ^ c))"),
        ("-a ^ b", "(-(a ^ b))"),
        ("-a * b", "((-a) * b)"),
        ("- -a", "(-(-a))"),
        ("(-a) ^ b", "((-a) ^ b)"),
        ("a * -b ^ c", "(a * (-(b ^ c)))"),
        ("a bor b bxor c band d", "(a bor (b bxor (c band d)))"),
        ("a bshl b + c", "(a bshl (b + c))"),
        ("a bshl b bshr c", "((a bshl b) bshr c)"),
        ("a lor b land c lxor d", "(a lor ((b land c) lxor d))"),
        ("bnot a + lnot b", "((bnot a) + (lnot b))"),
        ("(a + b) % 3", "((a + b) % 3)"),
        ("-5", "-5"),
        ("3 - -5", "(3 - -5)"),
        ("3-5", "(3 - 5)"),
        ("0x1F", "0x1f"),
        ("0b101", "0x5"),
        ("7u", "7u"),
        ("1.5", "1.5"),
        ("2.5e2", "250.0"),
        ("10.0.0.1", "0xa000001"),
        ('"a\\"b\\\\\\n"', '"a\\"b\\\\\\n"'),
        ("nil", "nil"),
        ("[a, [1, nil]]", "[a, [1, nil]]"),
        ("[]", "[]"),
        ("as(a + 1, T)", "as((a + 1), T)"),
        ("@f(a, @g())", "@f(a, @g())"),
        ("min(a, b)", "min(a, b)"),
        ("cat(a, b, c)", "cat(a, b, c)"),
        ("range(1, 3)", "range(1, 3)"),
        ("count : { a(_) }", "count : { a(_) }"),
        ("count : a(_)", "count : { a(_) }"),
        ("min y + 1 : { a(y), y > 2 }", "min (y + 1) : { a(y), y > 2 }"),
        ("sum (y) : { a(y) }", "sum y : { a(y) }"),
    ],
)
def test_expressions(text: str, shown: str) -> None:
    assert str(value(text)) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a(1).", "a(1)."),
        ("a(x),b(x):-c(x).", "a(x), b(x) :- c(x)."),
        ("a() :- b(), !c().", "a() :- b(), !c()."),
        ("a(x) :- b(x) ; c(x), d(x).", "a(x) :- b(x); c(x), d(x)."),
        ("a(x) :- (b(x) ; c(x)), d(x).", "a(x) :- (b(x); c(x)), d(x)."),
        ("a(x) :- ((b(x))).", "a(x) :- b(x)."),
        ("a(x) :- !(b(x), x < 2).", "a(x) :- !(b(x), x < 2)."),
        ("a(x) :- !b(_), ((x)) = (1).", "a(x) :- !b(_), x = 1."),
        (
            'a(x) :- match("q.*", x), contains("b", x), !match("c", x).',
            'a(x) :- match("q.*", x), contains("b", x), !(match("c", x)).',
        ),
        ("a(x) :- true, b(x), !false.", "a(x) :- true, b(x), !(false)."),
        ("a(x) :- c.b(x), x != y.d(1).", "a(x) :- c.b(x), x != y."),
        ("p(v, lub(x)) :- q(v, x).", "p(v, lub(x)) :- q(v, x)."),
        ("p(?v, _x1) :- q(?v, _x1, _).", "p(?v, _x1) :- q(?v, _x1, _)."),
        ("a(x) /* in /* two * lines */ :- // to here\n b(x).", "a(x) :- b(x)."),
    ],
)
def test_clauses(text: str, shown: str) -> None:
    assert str(parse_text(text)[0]) == shown


def test_plans_are_kept() -> None:
    assert clause("a(x) :- b(x), c(x). .plan 0:(2,1), 1:(1,2)").plan == (2, 1)


def test_declarations() -> None:
    relation, subtype, union, record, functor, lattice, *directives = parse_text("""
        .decl r(x: number, y: T<>) output printsize btree
        .type A <: symbol   .type U = A | B.c   .type R = [x: number, rest: R]
        .functor f(x: number, symbol): R = "m:f" several
        .lattice L = "m:lattice(3)"
        .input r, q(IO=file, filename="q.csv", rfc4180=true, n=2)
        .decl e() .type E = [] .functor g(): number
    """)
    assert relation == s.RelationDeclaration(
        relation.place,
        "r",
        (s.Attribute(relation.place, "x", "number"), s.Attribute(relation.place, "y", "T", True)),
        ("output", "printsize", "btree"),
    )
    assert (subtype.kind, [m for m, _ in subtype.members]) == ("subtype", ["symbol"])
    assert (union.kind, [m for m, _ in union.members]) == ("union", ["A", "B.c"])
    assert (record.kind, [(f.name, f.type) for f in record.fields]) == ("record", [("x", "number"), ("rest", "R")])
    assert (functor.name, functor.result, functor.binding, functor.several) == ("f", "R", "m:f", True)
    assert [(p.name, p.type) for p in functor.parameters] == [("x", "number"), ("", "symbol")]
    assert lattice.binding == "m:lattice(3)"
    first, second, empty_relation, empty_record, constant = directives
    assert (first.relation, second.relation) == ("r", "q") and first.parameters == second.parameters
    assert second.parameters == (("IO", "file"), ("filename", "q.csv"), ("rfc4180", "true"), ("n", "2"))
    assert empty_relation.attributes == () and empty_record.fields == () and constant.parameters == ()


def test_one_declaration_of_several_relations() -> None:
    assert [item.name for item in parse_text(".decl a, b(x: number)") if isinstance(item, s.RelationDeclaration)] == [
        "a",
        "b",
    ]


def test_relations_may_be_called_like_qualifiers_and_words_of_other_places() -> None:
    items = parse_text(
        ".decl input(several: number)\ninput(1).\noutput(x) :- input(x).\n.decl q(x: number)\ninline(x) :- q(x)."
    )
    assert [str(i) for i in items if isinstance(i, s.Clause)] == [
        "input(1).",
        "output(x) :- input(x).",
        "inline(x) :- q(x).",
    ]


def test_places_count_lines_and_columns_from_one() -> None:
    [item] = parse_text("// first\n\ta(x) :-\n  b(x, y + 1).", "f.dl")
    assert isinstance(item, s.Clause) and isinstance(item.body, s.AtomLiteral)
    assert (item.place.file, item.place.line, item.place.column) == ("f.dl", 2, 2)
    argument = item.body.atom.arguments[1]
    assert (argument.place.line, argument.place.column) == (3, 8)


@pytest.mark.parametrize(
    "text, shown",
    [
        (".type T = A {x: number, rest: T} | B {}", [".type T = A {x: number, rest: T} | B {}"]),
        (".type T = A {}", [".type T = A {}"]),
        (".number_type N .symbol_type S", [".type N <: number", ".type S <: symbol"]),
        (
            ".decl a, b(x: T<>, y: c.T) btree inline choice-domain x, (x, y)",
            [
                ".decl a(x: T<>, y: c.T) btree inline choice-domain (x), (x, y)",
                ".decl b(x: T<>, y: c.T) btree inline choice-domain (x), (x, y)",
            ],
        ),
        (".lattice L<> { Bottom -> $B(), Lub -> @lub(_, _) }", [".lattice L<> {Bottom -> $B(), Lub -> @lub(_, _)}"]),
        (
            "a(x, $) <= a(y, autoinc()) :- x < y. .plan 0:(2,1), 1:()",
            ["a(x, autoinc()) <= a(y, autoinc()) :- x < y.\n.plan 0:(2, 1), 1:()"],
        ),
        (".limitsize a(n=3) .printsize a", ['.limitsize a(n="3")', ".printsize a"]),
        (
            ".comp A<T, U> : B<T>, C { .override r .decl s() .init d = D<U> .comp E {} }",
            [".comp A<T, U> : B<T>, C {\n.override r\n.decl s()\n.init d = D<U>\n.comp E {\n}\n}"],
        ),
        (
            ".comp A { .use b .decl r() .use c r().} .init a = A",
            [".comp A {\n.use b\n.use c\n.decl r()\nr().\n}", ".init a = A"],
        ),
        (
            "a(x) :- x = sum @f(y, 1) : c.b(y), x = max min(y, 2) : { b(y) }, x = mean (y * 2) : b(y).",
            ["a(x) :- x = sum (@f(y, 1)) : { c.b(y) }, x = max (min(y, 2)) : { b(y) }, x = mean (y * 2) : { b(y) }."],
        ),
        (
            "a($c.A(1), $B) :- $c.A(x) = y, !neg(x), x != -y ^ 2, z = (-1) ^ 2.",
            ["a($c.A(1), $B()) :- $c.A(x) = y, !neg(x), x != (-(y ^ 2)), z = ((-1) ^ 2)."],
        ),
        (
            (
                '/// documented\n@[hint(a, [1], "]")] @[x]\n.decl a( /* b */ @[t {//! ]\n}] x: number)\na(1) :- //! '
                "inner\n @![y] b(1)."
            ),
            [".decl a(x: number)", "a(1) :- b(1)."],
        ),
    ],
)
def test_everything_else(text: str, shown: list[str]) -> None:
    assert [str(item) for item in parse_text(text)] == shown
    assert [str(item) for item in parse_text("\n".join(shown))] == shown


def test_annotations_keep_places() -> None:
    [item] = parse_text('@[a("\n")]\n@[b {\n}] a(1).')
    assert (item.place.line, item.place.column) == (4, 4)


@pytest.mark.parametrize(
    "text, errors",
    [
        (".decl a() input input", [(1, 17, "the qualifier input is given twice")]),
        (".decl a(x: T, y: T) brie eqrel", [(1, 26, "a relation has one representation: brie or eqrel")]),
        ('a("\\d").', [(1, 3, "there is no escape sequence \\d")]),
        (".lattice L<> { Lubb -> @f(_, _) }", [(1, 16, "a lattice has no Lubb")]),
        ("a(x) :- x = count y : b(y).", [(1, 13, "count takes no expression")]),
        ("a(x) :- x = sum : b(y).", [(1, 13, "sum takes one expression")]),
        ('.functor f(): number = "a" = "b"', [(1, 10, "the functor f has two functions")]),
        (
            ".comp A {\nr(1).\n} }\nr(,).",
            [(3, 3, "unexpected '}', a name is expected"), (4, 3, "unexpected ',', a value is expected")],
        ),
        (
            ".comp A {\nr(1)\n}\n.comp B { s(,). }\nr().",
            [(2, 4, "a . is missing at the end of this clause"), (4, 13, "unexpected ',', a value is expected")],
        ),
        (
            ".comp : A {\n.decl r()\n}\nr(,).",
            [(1, 7, "unexpected ':', a name is expected"), (4, 3, "unexpected ',', a value is expected")],
        ),
    ],
)
def test_errors_beyond_the_grammar(text: str, errors: list[tuple[int, int, str]]) -> None:
    with pytest.raises(ProgramError) as refused:
        parse_text(text)
    assert [(e.place.line, e.place.column, e.message) for e in refused.value.errors] == errors


def _expressions(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operator = st.sampled_from(("+", "-", "*", "/", "%", "^", "band", "bshl", "lor"))
    return st.one_of(
        st.tuples(inner, operator, inner).map(" ".join),
        st.tuples(st.sampled_from(("-", "bnot ", "lnot ")), inner).map("".join),
        inner.map("({})".format),
        inner.map("as({}, T)".format),
        inner.map("[{}, nil]".format),
        inner.map("@f({})".format),
        st.tuples(inner, inner).map(lambda pair: f"max({pair[0]}, {pair[1]})"),
    )


def _literals(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        inner.map("!{}".format),
        inner.map("({})".format),
        st.tuples(inner, inner).map(", ".join).map("({})".format),
        st.tuples(inner, inner).map(" ; ".join).map("({})".format),
    )


expressions = st.recursive(
    st.sampled_from(("x", "y", "?z", "_w", "_", "0", "7", "-3", '"s"', "3u", "0.5", "nil")), _expressions, max_leaves=6
)
literals = st.recursive(
    st.one_of(
        st.tuples(expressions, st.sampled_from(("=", "!=", "<", "<=", ">", ">=")), expressions).map(" ".join),
        expressions.map("r({})".format),
        st.sampled_from(("true", "false", "r()")),
    ),
    _literals,
    max_leaves=4,
)


@given(st.lists(literals, min_size=1, max_size=3), st.lists(expressions, max_size=2))
def test_printed_trees_parse_to_equal_trees(body: list[str], head: list[str]) -> None:
    tree = clause(f"h({', '.join(head)}) :- {', '.join(body)}.")
    assert clause(str(tree)) == tree
