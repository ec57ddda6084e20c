"""What javalang 0.13 loses, mistakes or restores wrongly without a word, each with the tree it should give."""

from __future__ import annotations

import javalang
import pytest

from tests.java_parser.reading import expression, members, statement, unit

LOST = {
    "call on a cast": ("((T) x).m()", "(MethodCall (Cast T x) m)"),
    "field of a cast": ("((T) x).f", "(FieldAccess (Cast T x) f)"),
    "selectors of a parenthesised call before an operator": (
        "(a.b().c()) || d",
        "(Binary || (MethodCall (MethodCall a b) c) d)",
    ),
    "index in parentheses": ("(a[0])", "(ArrayAccess a 0)"),
    "index in parentheses with selectors": ("(a[0]).f().g", "(FieldAccess (MethodCall (ArrayAccess a 0) f) g)"),
    "postfix operator in parentheses": ("(i++)", "(Update ++ i)"),
    "both operators": ("-(i++)", "(Unary - (Update ++ i))"),
    "double negation": ("-(-x)", "(Unary - (Unary - x))"),
    "not of a negation": ("!(!(a))", "(Unary ! (Unary ! a))"),
    "minus before a cast": ("-(int) y", "(Unary - (Cast int y))"),
    "complement of a cast": ("~(long) y", "(Unary ~ (Cast long y))"),
    "subtraction from a name in parentheses": ("(a) - b", "(Binary - a b)"),
    "addition to a name in parentheses": ("(a) + b", "(Binary + a b)"),
    "cast of a negative": ("(int) -b", "(Cast int (Unary - b))"),
    "qualified generic call": ("a.b.<T>c(d)", "(MethodCall a.b [T] c [d])"),
    "class of an array type": ("String[].class", "(ClassLiteral String[])"),
    "class of a qualified array type": ("java.lang.String[][].class", "(ClassLiteral java.lang.String[][])"),
    "class of a primitive array type": ("int[].class", "(ClassLiteral int[])"),
    "outer this": ("Outer.this.x", "(FieldAccess (This Outer) x)"),
    "field of a superinterface": ("Outer.super.m()", "(MethodCall (Super Outer) m)"),
    "shift with blanks is none": ("a > b", "(Binary > a b)"),
    "creation on a chain": ("a.b().new C(1).d()", "(MethodCall (New (MethodCall a b) C [1]) d)"),
}


@pytest.mark.parametrize("case", LOST)
def test_expression(case: str) -> None:
    source, tree = LOST[case]
    assert expression(source) == tree


def test_default_beside_a_case_is_kept() -> None:
    printed = statement("switch (x) { case 1: default: f(); case 2: }")
    assert printed == (
        "(Switch x [(SwitchCase [1]) (SwitchCase [(DefaultLabel)] [(ExpressionStatement (MethodCall f))])"
        " (SwitchCase [2])])"
    )


def test_initialisers_differ() -> None:
    assert members("static { a(); } { b(); }") == [
        "(Initializer static (Block [(ExpressionStatement (MethodCall a))]))",
        "(Initializer (Block [(ExpressionStatement (MethodCall b))]))",
    ]


def test_blanks_between_shift_characters_are_refused() -> None:
    tokens = javalang.tokenizer.tokenize("class C { int x = a > > b; }")
    javalang.parser.Parser(tokens).parse()
    with pytest.raises(Exception, match="Expected an expression"):
        unit("class C { int x = a > > b; }")


def test_nested_lookahead_restores_the_position() -> None:
    assert statement("for (a.b(c < d, e > f); ; ) g();") == (
        "(For [(MethodCall a b [(Binary < c d) (Binary > e f)])] (ExpressionStatement (MethodCall g)))"
    )


def test_catch_parameter_keeps_its_modifiers() -> None:
    printed = statement("try { } catch (final @A B | C e) { }")
    assert printed == ("(Try (Block) [(Catch (CatchParameter [final] [(Annotation A)] [B C] e) (Block))])")


def test_package_and_import_positions() -> None:
    tree = unit("package a . b;\nimport static c.d.*;\nimport c.E;\n")
    assert tree.package and tree.package.name == "a.b" and tree.package.name_position == (1, 9)
    assert [(i.name, i.static, i.wildcard, i.position) for i in tree.imports] == [
        ("c.d", True, True, (2, 1)),
        ("c.E", False, False, (3, 1)),
    ]
