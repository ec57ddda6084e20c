"""Bytes to trees: encodings, the fallback, depth, and time that grows with the text and no faster."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from javalang.parser import JavaSyntaxError

from ladder.frontends.java import parse as parse_module
from ladder.frontends.java import treesitter
from ladder.frontends.java.lexer import SourceText
from ladder.frontends.java.limits import BODIES, DIMENSIONS, LINKS, NESTING, Budget
from ladder.frontends.java.parse import Diagnostic, UnreadableSource, parse
from ladder.frontends.java.visit import difference, verify, walk
from tests.java_parser.reading import unit


def test_latin_1_is_read_and_reported() -> None:
    parsed = parse('class C {\n  String s = "caf\xe9"; }'.encode("latin-1"))
    assert parsed.diagnostics == (Diagnostic(2, 18, "encoding", "Not UTF-8, read as ISO-8859-1"),)
    assert parsed.parser == "javalang"


def test_tree_sitter_reads_what_our_parser_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: SourceText, budget: Budget) -> None:
        raise JavaSyntaxError("Unheard of", (1, 7))

    ours = unit("class C { int x = f(1); }")
    monkeypatch.setattr(parse_module, "parse_javalang", refuse)
    parsed = parse(b"class C { int x = f(1); }")
    assert (parsed.parser, parsed.diagnostics) == ("tree-sitter", (Diagnostic(1, 7, "fallback", "Unheard of"),))
    assert difference(parsed.unit, ours) is None
    with pytest.raises(UnreadableSource) as caught:
        parse(b"class { int x = f(1; }")
    assert caught.value.diagnostics == (Diagnostic(1, 7, "syntax", "Unheard of"),)


def test_text_that_is_no_token_is_not_left_to_tree_sitter() -> None:
    parsed = parse(b'class C { String s = "a\n"; }')
    assert parsed.parser == "recovered" and {found.kind for found in parsed.diagnostics} == {"syntax"}
    with pytest.raises(UnreadableSource, match="line 1, column 9: Unexpected character '#'"):
        parse(b"package #; class C { }")


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


@pytest.mark.parametrize("text", ["!;" * 60_000, "class A { void m() { switch (x) { " + "caseA=> " * 12_000])
def test_what_takes_tree_sitter_gigabytes_is_not_read_by_it(text: str) -> None:
    assert not treesitter.is_readable(SourceText(text), Budget())
    with pytest.raises(UnreadableSource, match="line 1, column 1: Expected"):
        parse(("!;" * 60_000).encode())


Form = Callable[[int], str]
"""A member of a class that nests or repeats something so many times."""

FREE: dict[str, Form] = {
    "concatenation": lambda n: "int x = " + " + ".join(["s"] * n) + ";",
    "conjunction": lambda n: "boolean x = " + " && ".join(["s"] * n) + ";",
    "conditionals": lambda n: "int x = " + "a ? b : " * n + "c;",
    "else if": lambda n: "void m() { " + "if (a) b(); else " * n + "c(); }",
    "array initialiser": lambda n: "int[] x = {" + "1, " * n + "};",
    "comparisons": lambda n: "int x = f(" + "a < b, " * n + "1);",
    "parameters of lambdas": lambda n: "int x = f(" + "() -> 1, " * n + "1);",
}
"""What may be as long as a file."""
LIMITED: dict[str, tuple[Form, int]] = {
    "parentheses": (lambda n: "int x = " + "(" * n + "a" + ")" * n + ";", NESTING - 1),
    "calls nested": (lambda n: "int x = " + "f(" * n + ")" * n + ";", NESTING),
    "prefixes": (lambda n: "int x = " + "- " * n + "a;", NESTING - 1),
    "casts": (lambda n: "int x = " + "(A) " * n + "a;", NESTING - 1),
    "conditionals in the middle": (lambda n: "int x = " + "a ? " * n + "b" + " : c" * n + ";", NESTING - 1),
    "indexes": (lambda n: "int x = " + "a[" * n + "0" + "]" * n + ";", NESTING - 1),
    "blocks": (lambda n: "void m() { " + "{" * n + "}" * n + " }", NESTING),
    "ifs": (lambda n: "void m() { " + "if (a) " * n + "b(); }", NESTING - 1),
    "labels": (lambda n: "void m() { " + "a: " * n + "b(); }", NESTING - 1),
    "resources": (lambda n: "void m() { try (" + "A a = b;" * n + ") { } }", NESTING - 1),
    "arrays": (lambda n: "int[] x = " + "{" * n + "}" * n + ";", NESTING),
    "type arguments": (lambda n: "A" + "<A" * n + ">" * n + " x;", NESTING),
    "wildcards": (lambda n: "A" + "<? super A" * n + ">" * n + " x;", NESTING),
    "annotations": (lambda n: "@A(" * n + "1" + ")" * n + " int x;", NESTING),
    "annotation arrays": (lambda n: "@A(" + "{" * n + "}" * n + ") int x;", NESTING - 1),
    "record patterns": (lambda n: "boolean b = a instanceof " + "R(" * n + "T t" + ")" * n + ";", NESTING - 1),
    "instanceof": (lambda n: "boolean b = a" + " instanceof T" * n + ";", NESTING),
    "dotted name": (lambda n: "int x = a" + ".a" * n + ";", NESTING - 1),
    "dotted type": (lambda n: "a" + ".a" * n + " x;", NESTING - 1),
    "switches": (lambda n: "int x = " + "switch (a) { default -> " * n + "1" + "; }" * n + ";", NESTING - 1),
    "calls chained": (lambda n: "int x = a()" + ".f(b)" * n + ";", LINKS),
    "indexes chained": (lambda n: "int x = a" + "[0]" * n + ";", LINKS),
    "right operands": (lambda n: "int x = " + "a = " * n + "b;", LINKS),
    "lambdas": (lambda n: "int x = " + "a -> " * n + "b;", BODIES - 1),
    "classes": (lambda n: "class D { " * n + "}" * n, BODIES - 1),
    "anonymous classes": (lambda n: "Object x = " + "new D() { Object x = " * n + "1" + "; }" * n + ";", BODIES - 1),
    "dimensions": (lambda n: "int" + "[]" * n + " x;", DIMENSIONS),
    "dimensions after the name": (lambda n: "int x" + "[]" * n + ";", DIMENSIONS),
    "annotated dimensions": (lambda n: "int" + " @A []" * n + " x;", DIMENSIONS),
    "dimensions of a new array": (lambda n: "Object x = new int" + "[1]" * n + ";", DIMENSIONS),
}
"""What may be so deep and no deeper."""


@pytest.mark.parametrize("case", FREE)
def test_what_is_long_is_no_depth(case: str) -> None:
    limit = sys.getrecursionlimit()
    root = unit(f"class C {{ {FREE[case](5000)} }}")
    assert sum(1 for _ in walk(root)) >= 5000
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize("case", LIMITED)
def test_what_is_deeper_than_the_limit_is_one_diagnostic_at_its_place(case: str) -> None:
    form, most = LIMITED[case]
    unit(f"class C {{ {form(most)} }}")
    for depth in (most + 1, 25_000):
        with pytest.raises(UnreadableSource) as caught:
            parse(f"class C {{\n{form(depth)} }}".encode())
        (found,) = caught.value.diagnostics
        assert found.kind == "limit" and found.line == 2 and 1 < found.column < len(form(most + 3))


@pytest.mark.parametrize("case", ["type arguments", "prefixes", "dimensions after the name", "casts"])
def test_depth_that_tree_sitter_reads_is_limited_too(case: str) -> None:
    source = f"class enum {{ {LIMITED[case][0](11_000)} }}"
    with pytest.raises(UnreadableSource) as caught:
        parse(source.encode())
    assert [found.kind for found in caught.value.diagnostics] == ["syntax"]


@pytest.mark.nightly
@pytest.mark.parametrize("case", LIMITED)
def test_no_depth_ends_a_process_that_reads_it_by_tree_sitter(case: str) -> None:
    source = f"class enum {{ {LIMITED[case][0](25_000)} }}"
    with pytest.raises(UnreadableSource) as caught:
        parse(source.encode())
    assert [found.kind for found in caught.value.diagnostics] == ["syntax"]


def test_less_than_signs_that_nothing_closes_are_not_left_to_tree_sitter() -> None:
    parsed = parse(b"class C { void m() { " + b"A<" * 40_000 + b"B f; } }")
    message = "The body of a method is left out: Expected ;, found f"
    assert (parsed.parser, parsed.diagnostics[0].message) == ("recovered", message)


def test_depth_through_tree_sitter() -> None:
    chained = LIMITED["calls chained"][0](3000)
    source = (
        f"class C {{ {FREE['concatenation'](5000)} {chained} {FREE['else if'](5000)} {FREE['conditionals'](5000)} }}"
    )
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
