"""Where nodes and names stand: lines and columns from 1, columns in characters of the source, a tab as one."""

from __future__ import annotations

from ladder.frontends.java import tree
from ladder.frontends.java.parse import parse
from ladder.frontends.java.visit import walk
from tests.java_parser.reading import at, unit


def named(source: str, kind: type[tree.Node]) -> list[tuple[str, tree.Position]]:
    return [(getattr(n, "name", ""), n.name_position) for n in walk(unit(source)) if isinstance(n, kind)]  # type: ignore[attr-defined]


def test_calls_stand_at_their_name() -> None:
    source = "class C {\n\tint x = a.b\n\t\t.c(d()) .\n <T> e ();\n}"
    assert named(source, tree.MethodCall) == [("e", (4, 6)), ("c", (3, 4)), ("d", (3, 6))]
    assert at(unit(source), tree.MethodCall) == [
        ((2, 10), (4, 10)),
        ((2, 10), (3, 10)),
        ((3, 6), (3, 9)),
    ]


def test_creations_stand_at_new() -> None:
    source = "class C { Object x = f() . new D(new E()), y = new int [1]; }"
    assert [n.name_position for n in walk(unit(source)) if isinstance(n, tree.New)] == [(1, 28), (1, 34)]
    assert at(unit(source), tree.New) == [((1, 22), (1, 42)), ((1, 34), (1, 41))]
    assert at(unit(source), tree.NewArray) == [((1, 48), (1, 59))]


def test_references_stand_at_the_name_after_the_colons() -> None:
    source = "class C { Object x = f(A::b, C[] :: <T> new); }"
    assert named(source, tree.MethodReference) == [("b", (1, 27)), ("new", (1, 41))]


def test_constructor_calls_stand_at_their_keyword() -> None:
    source = "class C { C() { this ( 1 ) ; } C(D d) {\n d.<T>super();} }"
    calls = [n for n in walk(unit(source)) if isinstance(n, tree.ConstructorCall)]
    assert [(n.position, n.end, n.name_position) for n in calls] == [
        ((1, 17), (1, 29), (1, 17)),
        ((2, 2), (2, 15), (2, 7)),
    ]


def test_declarations_begin_with_their_modifiers() -> None:
    source = "@A\npublic class C {\n /** d */ @B static final int x = 1, y;\n private <T> void m(final int p) { }\n}\n"
    root = unit(source)
    assert at(root, tree.ClassDeclaration) == [((1, 1), (5, 2))]
    assert at(root, tree.FieldDeclaration) == [((3, 11), (3, 40))]
    assert at(root, tree.VariableDeclarator) == [((3, 31), (3, 36)), ((3, 38), (3, 39))]
    assert at(root, tree.MethodDeclaration) == [((4, 2), (4, 37))]
    assert named(source, tree.MethodDeclaration) == [("m", (4, 19))]
    assert named(source, tree.ClassDeclaration) == [("C", (2, 14))]
    assert named(source, tree.Parameter) == [("p", (4, 31))]


def test_operands_in_parentheses_are_covered_by_their_operation() -> None:
    source = "class C { int x = (a) + ((b)); }"
    assert at(unit(source), tree.Binary) == [((1, 19), (1, 30))]
    assert at(unit(source), tree.Name) == [((1, 20), (1, 21)), ((1, 27), (1, 28))]


def test_parts_of_names() -> None:
    (name,) = [n for n in walk(unit("class C { int x = a .\n b.c; }")) if isinstance(n, tree.Name)]
    assert (name.parts, name.positions, name.end) == (("a", "b", "c"), ((1, 19), (2, 2), (2, 4)), (2, 5))


def test_columns_count_characters_not_bytes() -> None:
    source = 'class C { String ä = "ü\U0001f600"; int y; }'
    assert at(unit(source), tree.FieldDeclaration) == [((1, 11), (1, 27)), ((1, 28), (1, 34))]


def test_columns_count_unicode_escapes_as_written() -> None:
    source = "class C { char c = '\\u0041'; int \\u0062b = 1;\nString s = \"\\uD83D\\uDE00\"; int y; }"
    root = unit(source)
    assert at(root, tree.FieldDeclaration) == [
        ((1, 11), (1, 29)),
        ((1, 30), (1, 46)),
        ((2, 1), (2, 27)),
        ((2, 28), (2, 34)),
    ]
    assert [n.text for n in walk(root) if isinstance(n, tree.Literal)] == ["'\\u0041'", "1", '"\\uD83D\\uDE00"']
    assert [n.name for n in walk(root) if isinstance(n, tree.VariableDeclarator)] == ["c", "bb", "s", "y"]


def test_every_kind_of_line_end() -> None:
    for newline in ("\n", "\r\n", "\r"):
        source = newline.join(["// c", "/* d", "*/ class C {", 'String s = """', '  x""";', "int y;", "}"])
        tree_ = parse(source.encode()).unit
        assert at(tree_, tree.FieldDeclaration) == [((4, 1), (5, 8)), ((6, 1), (6, 7))]


def test_byte_order_mark_is_no_column() -> None:
    assert at(parse(b"\xef\xbb\xbfclass C { }").unit, tree.ClassDeclaration) == [((1, 1), (1, 12))]
