"""Bytes to trees: encodings, the fallback, depth, and time that grows with the text and no faster."""

from __future__ import annotations

import sys

import pytest
from javalang.parser import JavaSyntaxError

from ladder.frontends.java import parse as parse_module
from ladder.frontends.java import treesitter
from ladder.frontends.java.lexer import SourceText
from ladder.frontends.java.parse import Diagnostic, UnreadableSource, parse
from ladder.frontends.java.visit import difference, verify, walk
from tests.java_parser.reading import unit


def test_latin_1_is_read_and_reported() -> None:
    parsed = parse('class C {\n  String s = "caf\xe9"; }'.encode("latin-1"))
    assert parsed.diagnostics == (Diagnostic(2, 18, "encoding", "Not UTF-8, read as ISO-8859-1"),)
    assert parsed.parser == "javalang"


def test_tree_sitter_reads_what_our_parser_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: SourceText) -> None:
        raise JavaSyntaxError("Unheard of", (1, 7))

    ours = unit("class C { int x = f(1); }")
    monkeypatch.setattr(parse_module, "parse_javalang", refuse)
    parsed = parse(b"class C { int x = f(1); }")
    assert (parsed.parser, parsed.diagnostics) == ("tree-sitter", (Diagnostic(1, 7, "fallback", "Unheard of"),))
    assert difference(parsed.unit, ours) is None
    with pytest.raises(UnreadableSource) as caught:
        parse(b"class C { int x = f(1; }")
    assert caught.value.diagnostics == (Diagnostic(1, 7, "syntax", "Unheard of"),)


def test_text_that_is_no_token_is_final() -> None:
    with pytest.raises(UnreadableSource, match="line 1, column 22: Unterminated string"):
        parse(b'class C { String s = "a\n"; }')


@pytest.mark.parametrize(
    "wrong, place",
    [
        ("class C { int x = (a) + b.c * 2 * (d) - e; }", (1, 19)),
        ("class C { int x = (a) + b, y = (int) -c++ + -d--, z = ~(long) (e)++; }", None),
        ("class C { void m(@A(b) C this, int x) { switch (x) { }; } // c\r}", None),
        ("class C { @ interface A { } }", (1, 11)),
        ("class C { int f() { return 1 } }", (1, 29)),
        ('class C { String s = STR."\\{x}"; }', (1, 22)),
    ],
)
def test_tree_sitter_errors_are_refused_or_read_rightly(wrong: str, place: tuple[int, int] | None) -> None:
    if place is None:
        assert difference(treesitter.parse(SourceText(wrong)), unit(wrong)) is None
        return
    with pytest.raises(JavaSyntaxError) as caught:
        treesitter.parse(SourceText(wrong))
    assert caught.value.at == place


DEPTH = 5000
DEEP = {
    "concatenation": "int x = " + " + ".join(["s"] * DEPTH) + ";",
    "right operands": "int x = " + "a = " * DEPTH + "b;",
    "parentheses": "int x = " + "(" * DEPTH + "a" + ")" * DEPTH + ";",
    "calls chained": "int x = a" + ".f(b)" * DEPTH + ";",
    "calls nested": "int x = " + "f(" * DEPTH + ")" * DEPTH + ";",
    "prefixes": "int x = " + "- " * DEPTH + "a;",
    "conditionals": "int x = " + "a ? b : " * DEPTH + "c;",
    "lambdas": "int x = " + "a -> " * DEPTH + "b;",
    "else if": "void m() { " + "if (a) b(); else " * DEPTH + "c(); }",
    "blocks": "void m() { " + "{" * DEPTH + "}" * DEPTH + " }",
    "arrays": "int[] x = " + "{" * DEPTH + "}" * DEPTH + ";",
    "classes": "class D { " * DEPTH + "}" * DEPTH,
    "type arguments": "A" + "<A" * DEPTH + ">" * DEPTH + " x;",
    "switches": "int x = " + "switch (a) { default -> " * DEPTH + "1" + "; }" * DEPTH + ";",
}


@pytest.mark.parametrize("case", DEEP)
def test_depth(case: str) -> None:
    limit = sys.getrecursionlimit()
    root = unit(f"class C {{ {DEEP[case]} }}")
    assert sum(1 for _ in walk(root)) >= DEPTH or case == "parentheses"
    assert sys.getrecursionlimit() == limit


def test_depth_through_tree_sitter() -> None:
    source = f"class C {{ {DEEP['concatenation']} {DEEP['calls chained']} {DEEP['else if']} }}"
    with parse_module.deep_recursion():
        converted = treesitter.parse(SourceText(source))
    verify(converted)
    assert difference(converted, unit(source)) is None


PIECES = [
    "int x = a < b;", "Object x = (a) -> (b) -> c;", "/* ", "\\u0041", "@A(b) ", "(A)", "a.b<c>.", "0x_",
    "f(a < b, c > ",
    "case a -> ", "'\\u0000' + ", '"a" + ',
]  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_steps_grow_with_the_text_only(piece: str) -> None:
    """Calls of functions are counted, not seconds: eight times the text takes no more than twelve times as many."""
    def calls(repeats: int) -> int:
        data, count = f"class C {{ void m() {{ {piece * repeats}".encode(), 0

        def note(_frame: object, event: str, _argument: object) -> None:
            nonlocal count
            count += event in ("call", "c_call")

        sys.setprofile(note)
        try:
            parse(data)
        except UnreadableSource:
            pass
        finally:
            sys.setprofile(None)
        return count

    assert calls(1600) < 12 * calls(200)
