"""Rows that small files must give."""

from __future__ import annotations

import pytest

from ladder.frontends.java import lexer, limits, parse, treesitter
from ladder.frontends.java.facts import facts_of, rows_of
from ladder.frontends.java.lexer import SourceText
from ladder.frontends.java.lower import lower
from ladder.frontends.java.verifier import verify
from ladder.frontends.protocol import FileFacts

from .integrity import problems


def facts(source: str) -> FileFacts:
    result = facts_of(source.encode())
    assert result.parser == "javalang", result.diagnostics
    return result


def rows(source: str, relation: str) -> list[tuple[str | int, ...]]:
    return facts(source).relations.get(relation, [])


def test_units_packages_and_imports() -> None:
    found = facts(
        "package a.b; import x.Y; import x.y.*; import static x.Y.max; import static x.Y.*; class C { } class D { }"
    )
    assert (found.unit, found.types) == ("a.b.C", ("a.b.C", "a.b.D"))
    relations = found.relations
    assert relations["Unit"] == [("a.b.C", "a.b")]
    assert relations["SingleTypeImport"] == [("a.b.C", "Y", "a.b.C/name x.Y")]
    assert relations["OnDemandImport"] == [("a.b.C", "x.y", "a.b.C/name x.y")]
    assert relations["StaticImport"] == [("a.b.C", "a.b.C/name x.Y", "max")]
    assert relations["StaticOnDemandImport"] == [("a.b.C", "a.b.C/name x.Y")]
    assert relations["TopLevelType"] == [("a.b.C", "a.b", "C"), ("a.b.D", "a.b", "D")]
    assert ("a.b.C/name x.Y", "a.b.C/name x", "x", "Y") in relations["QualifiedTypeUse"]


def test_units_without_types() -> None:
    assert facts("package a.b;").unit == "a.b.package-info"
    assert facts("module m.n { }").unit == "m.n/module-info"


def test_modules() -> None:
    assert rows("import module java.base; import module m.n; class C { }", "ModuleImport") == [
        ("C", "java.base"),
        ("C", "m.n"),
    ]
    relations = facts(
        "module m.n { exports a.b; exports c to d; requires transitive e.f; requires g; provides a.S with I, J; }"
    ).relations
    unit = "m.n/module-info"
    assert relations["ModuleExport"] == [(unit, "m.n", "a.b"), (unit, "m.n", "c")]
    assert relations["ModuleReads"] == [(unit, "m.n", "e.f")]
    assert relations["ModuleProvides"] == [(unit, "a.S", "I"), (unit, "a.S", "J")]


def test_compact_source_files_declare_a_class() -> None:
    found = facts("import java.util.*; int x = 1; void main() { use(x); } void use(int y) { } record R(int z) { }")
    (name,) = found.types
    relations = found.relations
    assert found.unit == name and relations["TopLevelType"] == [(name, "", name)]
    assert relations["ModuleImport"] == [(name, "java.base")]
    assert (name, "final") in relations["Type_Modifier"]
    assert relations["MemberType"] == [(f"{name}$R", name, "R")]
    assert {row[0] for row in relations["Method"]} >= {f"{name}.main()", f"{name}.use(int)", f"{name}.<init>()"}
    assert (f"{name}.main()/load: x", f"{name}.x:field") in {(row[0], row[3]) for row in relations["LoadInstanceField"]}
    assert not list(problems(found))


def test_a_field_may_be_assigned_before_the_constructor_call() -> None:
    found = facts("class C extends B { int x, y = 2; C(int a) { x = a; super(a); y = a; } }")
    order = [row[0].rpartition("/")[2] for row in sorted(found.relations["Instruction"], key=lambda row: row[0])]
    assert order.count("call <init>") == 1
    follows = {
        str(a).rpartition("/")[2]: str(b).rpartition("/")[2] for a, b in found.relations["Next"] if "C.<init>" in a
    }
    assert [follows["store: x"], follows["call <init>"], follows["call <init-block>"]] == [
        "call <init>",
        "call <init-block>",
        "store: y",
    ]


def test_types_as_written_are_explained_in_their_scope() -> None:
    relations = facts("class C<T> { <U> java.util.Map<T, ? super U[]> m(C<T>.D d) { return null; } }").relations
    scope = "C.m(C.D)"
    written = f"{scope}/type java.util.Map<T,? super U[]>"
    assert ("C.m(C.D)", "C", "m", 1, written) in relations["Method"]
    assert (scope, "C") in relations["Scope"]
    assert (written, f"{scope}/type java.util.Map") in relations["ParameterizedTypeUse"]
    assert (written, 0, "", f"{scope}/type T") in relations["TypeArgument"]
    assert (written, 1, "super", f"{scope}/type U[]") in relations["TypeArgument"]
    assert (f"{scope}/type U[]", f"{scope}/type U") in relations["ArrayTypeUse"]
    assert (f"{scope}/type java.util.Map", f"{scope}/type java.util", "java.util", "Map") in relations[
        "QualifiedTypeUse"
    ]
    assert (f"{scope}/type java", scope, "java") in relations["SimpleTypeUse"]
    assert ("C.m(C.D)", 0, "U", "C.m(C.D)/<U>") in relations["TypeParameter"]
    assert ("C/<T>", 0, "C/name java.lang.Object") in relations["TypeParameterBound"]


def test_local_classes_open_a_scope_from_their_declaration_on() -> None:
    relations = facts("class C { void m() { A a; class A { } A b; } }").relations
    assert relations["LocalType"] == [("C$1A", "C.m()/block A", "A")]
    assert ("C.m()/a", "C/type A") in relations["Var_Type"]
    assert ("C.m()/b", "C.m()/block A/type A") in relations["Var_Type"]
    assert relations["InnerType"] == [("C$1A", "C$1A.this$0:field")]


def test_nested_types_and_implied_modifiers() -> None:
    source = "interface I { class N { } int X = -1; void m(); private void p() { } } enum E { A } record R(int x) { }"
    relations = facts(source).relations
    assert {m for t, m in relations["Type_Modifier"] if t == "I$N"} == {"public", "static"}
    assert {m for t, m in relations["Field_Modifier"] if t == "I.X:field"} == {"public", "static", "final"}
    assert {m for t, m in relations["Method_Modifier"] if t == "I.m()"} == {"public", "abstract"}
    assert {m for t, m in relations["Method_Modifier"] if t == "I.p()"} == {"private"}
    assert ("I.X:field", "-1", "int") in relations["FieldInitialValue"]
    assert ("R", "I/name java.lang.Record") in relations["DirectSuperclass"]
    assert ("E", "I/name java.lang.Enum") in relations["DirectSuperclass"]
    assert relations["EnumConstant"] == [("E.A:field", "E", 0)]
    assert relations["RecordComponent"] == [("R.x:field", "R", 0)]
    assert "InnerType" not in relations


def test_anonymous_and_local_classes_are_numbered_as_the_compiler_does() -> None:
    source = """class C { Object f = new Object() { }; class N { Object g = new Object() { }; }
        void m() { class L { } call(() -> new Object() { }, new Error() { }); { class L { } } } }"""
    relations = facts(source).relations
    kinds = {type: (where, use.rpartition(" ")[2]) for type, where, use in relations["AnonymousType"]}
    assert kinds == {
        "C$1": ("C.<init-block>()", "Object"),
        "C$N$1": ("C$N.<init-block>()", "Object"),
        "C$2": ("C.m()", "Error"),
        "C$3": ("C.m()/lambda: call()", "Object"),
    }
    assert {row[0] for row in relations["LocalType"]} == {"C$1L", "C$2L"}


def test_calls_and_their_receivers() -> None:
    source = """class C { C c; void m(C p) {
        m(p); p.m(c); this.m(null); Other.m(p); super.toString(); I.super.d(); c.m(p); new C(p); p.new N(1); } }"""
    relations = facts(source).relations
    kinds = {row[0].rpartition("/")[2]: row[1:4] for row in relations["Invocation"] if row[4] == "C.m(C)"}
    assert kinds == {
        "call m": ("unqualified", "m", 1),
        "call m: p.m(c)": ("expression", "m", 1),
        "call m: this.m(null)": ("expression", "m", 1),
        "call m: Other.m(p)": ("name", "m", 1),
        "call toString": ("super", "toString", 0),
        "call d": ("super", "d", 0),
        "call m: c.m(p)": ("expression", "m", 1),
        "new C": ("new", "<init>", 1),
        "new N": ("new", "<init>", 1),
    }
    assert ("C.m(C)/call m: Other.m(p)", "C/type Other") in relations["Invocation_Qualifier"]
    assert ("C.m(C)/call d", "C/type I") in relations["Invocation_Qualifier"]
    assert relations["Invocation_Outer"] == [("C.m(C)/new N", "C.m(C)/p")]
    assert ("C.m(C)/call m: this.m(null)", "C.m(C)/@this") in relations["Invocation_Base"]
    assert ("C.m(C)", "C", "C.m(C)/@this") in relations["EnclosingInstance"]


def test_constructors_call_their_superclass_and_initialisers() -> None:
    source = """class C { int x = 1; C() { } C(int i) { this(); } C(String s) { super(); } }
        class D { } enum E { A; int y = 1; }"""
    relations = facts(source).relations
    calls = {(row[4], row[1]) for row in relations["Invocation"]}
    assert calls == {
        ("C.<init>()", "super-constructor"),
        ("C.<init>()", "direct"),
        ("C.<init>(int)", "this-constructor"),
        ("C.<init>(String)", "super-constructor"),
        ("C.<init>(String)", "direct"),
        ("D.<init>()", "super-constructor"),
        ("E.<init>()", "direct"),
        ("E.<clinit>()", "new"),
        ("E.valueOf(String)", "direct"),
    }
    implied = {row[0] for row in relations["SyntheticInvocation"]}
    assert "C.<init>()/call <init>" in implied and "C.<init>(String)/call <init>" not in implied


def test_lambdas_know_what_gives_them_their_type() -> None:
    source = """class C { Runnable f = () -> { }; Runnable[] a = { () -> { } };
        Runnable m(boolean b) { use(1, () -> 1); Runnable r = b ? () -> { } : C::go; this.f = () -> m(b); g = C::new;
            var s = (Runnable) () -> { throw null; }; return switch (1) { default -> () -> { return; }; }; } }"""
    relations = facts(source).relations
    m = "C.m(boolean)"
    contexts = {row[0]: row[1:] for row in relations["FunctionalTarget"]}
    assert contexts == {
        "C.<init-block>()/lambda: f()": ("type", "C/type Runnable", 0),
        "C.<init-block>()/lambda: ()": ("type", "C/type Runnable", 0),
        f"{m}/lambda: use()": ("argument", f"{m}/call use", 1),
        f"{m}/lambda: r()": ("var", f"{m}/r", 0),
        f"{m}/reference: C::go": ("var", f"{m}/r", 0),
        f"{m}/lambda: this.f()": ("store", f"{m}/store: this.f", 0),
        f"{m}/reference: g": ("store", f"{m}/store: g", 0),
        f"{m}/lambda: ()": ("type", "C/type Runnable", 0),
        f"{m}/lambda: ()#2": ("return", m, 0),
    }
    bodies = {row[0].partition(": ")[2]: row[2] for row in relations["LambdaMethod"] if row[1] == m}
    assert bodies == {"use()": "expression", "r()": "void", "this.f()": "statement", "()": "either", "()#2": "void"}
    stored = f"{m}/lambda: this.f()"
    assert (f"{m}/b", f"{stored}/b", stored) in relations["CapturedVar"]
    assert (f"{m}/@this", f"{stored}/@this", stored) in relations["CapturedVar"]


def test_branches_carry_their_condition_and_successors() -> None:
    relations = facts("class C { int m(int x) { if (3 <= x) x = 1; return x; } }").relations
    m = "C.m(int)"
    assert relations["If"] == [(f"{m}/if: 3 <= x", "<=", m)]
    assert relations["IfConstant"] == [(f"{m}/if: 3 <= x", 1, "3", "int")]
    assert relations["IfVar"] == [(f"{m}/if: 3 <= x", 2, f"{m}/x")]
    assert relations["Branch"] == [
        (f"{m}/if: 3 <= x", 0, f"{m}/return: x"),
        (f"{m}/if: 3 <= x", 1, f"{m}/assign: x"),
    ]
    assert (f"{m}/if: 3 <= x", m) in relations["Entry"]
    assert (f"{m}/assign: x", f"{m}/return: x") in relations["Next"]


def test_exceptions_reach_handlers_from_the_inside_out() -> None:
    source = """class C { void m() { try { try { a(); } catch (E e) { b(); } finally { c(); } }
        catch (F | G f) { d(); } } }"""
    relations = facts(source).relations
    edges: dict[object, list[str]] = {}
    for instruction, handler, _ in sorted(relations["ExceptionEdge"], key=lambda row: (row[0], row[2])):
        edges.setdefault(str(instruction).rpartition("/")[2], []).append(str(handler).rpartition("/")[2])
    # The outer clause stands first in the text; a `finally` catches everything and throws it again.
    assert edges == {
        "call a": ["catch: E", "finally"],
        "call b": ["finally"],
        "call c": ["catch: F | G"],
        "throw: finally": ["catch: F | G"],
    }
    types = {(row[0].rpartition("/")[2], row[1]) for row in relations["ExceptionHandler_Type"]}
    assert types >= {("catch: F | G", "C/type F"), ("catch: F | G", "C/type G"), ("catch: E", "C/type E")}


def test_literals_are_normalised() -> None:
    source = r"""class C { void m() { long a = 0xFFL; char b = '\n'; int c = 0b11, d = -2147483648, e = 0xFFFFFFFF;
        boolean f = true;
        double g = 1e3; String h = "a\"\u0041\t", i = "\uD800"; Object j = null; } }"""
    relations = facts(source).relations
    found = {row[3].rpartition("/")[2]: row[1:3] for row in relations["AssignNumConstant"]}
    assert found == {
        "a": ("255", "long"),
        "b": ("10", "char"),
        "c": ("3", "int"),
        "d": ("-2147483648", "int"),
        "e": ("-1", "int"),
        "f": ("1", "boolean"),
        "g": ("1000.0", "double"),
    }
    assert {row[1] for row in relations["AssignStringConstant"]} == {'"a\\"A\\t"', '"\\ud800"'}
    assert len(relations["AssignNull"]) == 1


def test_evident_and_derived_types_of_variables() -> None:
    source = """class C { void m(Object[] xs) { var a = "s"; var b = f(); for (var x : xs) { } int c = 1;
        g(c > 0 ? a : b, (Long) b, c == 2, c++); } }"""
    relations = facts(source).relations
    m = "C.m(Object[])"
    assert {row[0].rpartition("/")[2] for row in relations["InferredVar"]} == {"a", "b", "x"}
    assert (f"{m}/a", f'{m}/$("s")') in relations["Var_TypeFromVar"]
    assert (f'{m}/$("s")', "C/name java.lang.String") in relations["Var_Type"]
    assert [row[0] for row in relations["Var_TypeFromElement"]] == [f"{m}/x"]
    assert [row[1:] for row in relations["Var_TypeFromConditional"]] == [(f"{m}/a", f"{m}/b")]


def test_positions_of_instructions() -> None:
    source = (
        "class C {\n  void m(C c) {\n    c . m(new C());\n\tint x = 1 + 2;\n    f(this::m);\n  }\n"
        "  C() {\n    super();\n  }\n}\n"
    )
    positions = {row[0]: row[1:] for row in rows(source, "Position")}
    assert positions["C.m(C)/call m"] == (3, 9)
    assert positions["C.m(C)/new C"] == (3, 11)
    assert positions["C.m(C)/assign: x"] == (4, 6)
    assert positions["C.m(C)/reference: this::m"] == (5, 13)
    assert positions["C.m(C)/return: end"] == (6, 3)
    assert positions["C.<init>()/call <init>"] == (8, 5)
    assert positions["C.m(C)"] == (2, 8)
    assert positions["C"] == (1, 7)


def test_unreadable_files_give_diagnostics_alone() -> None:
    for data in (b"class {", b"\xff\xfe\x00", b"package; class C { }", b"}" * 10):
        found = facts_of(data)
        assert found.parser == "none" and not found.relations and found.diagnostics
        line, column, kind, message = found.diagnostics[-1]
        assert line >= 1 and column >= 1 and kind == "syntax" and message


ODD = [
    "class C { var x = 1; var m(var p) { return p; } } record S(var x) { }",
    "class C { static void m() { super(); this(); this.x = super.y; return 1; } C() { x.super(); } }",
    "class C { void m() { break foo; continue bar; break;  continue; int[] a = null; a[0] += b[1]++; } }",
    "enum E { A { } , A; } record R(int x, int x) { R { return; } } interface I { I() { } { } void m() { this.m(); } }",
    "class C { void m() { switch (o) { default -> {} default -> {} } int k = switch (o) { }; for (;;) { } } }",
    "class C { int i = switch (1) { default -> { break; } }; void m() { try { } finally { throw e; } m(); } }",
    "class B<T, T> extends T { class B { } { class C { } class C { } } <T> void m(T t) { a: a: for (;;) break a; } }",
    "import a; import static b.C; import b.*; class C { void m() { C.super.m(); a.b.super.m(); D.this.m(); } }",
]


@pytest.mark.parametrize("source", ODD)
def test_programs_that_do_not_compile_have_sound_facts(source: str) -> None:
    found = facts(source)
    assert list(problems(found)) == [] and found.count > 10


@pytest.mark.parametrize("literal", ["08", "0_9L", "1" * 5000, "0x" + "f" * 1000 + "p1", "1" * 1_000_000])
def test_what_cannot_be_lowered_is_a_diagnostic_at_its_place(literal: str) -> None:
    found = facts_of(f"class C {{\n int x =\n  -{literal}; }}".encode())
    assert (found.parser, found.relations, found.unit) == ("none", {}, "")
    ((line, column, kind, message),) = found.diagnostics
    assert (line, column, kind) == (3, 4, "lowering") and message.startswith(f"Malformed literal {literal[:20]}")
    assert len(message) < 100


LONG = 300_000


@pytest.mark.parametrize("literal, value", [
    ("0x" + "f" * LONG, "-1"), ("0" + "7" * LONG, "-1"), ("0b" + "1" * LONG, "-1"), ("0." + "1" * LONG,
    "0.1111111111111111"),
    ("1e" + "9" * 1000, "inf"), ("1" + "_" * LONG + "1", "11"), ("'\\377'", "255"), ("'\\u0041'", "65"),
    ("0x1p-2000", "0.0"),
])  # fmt: skip
def test_literals_of_any_length_have_their_value(literal: str, value: str) -> None:
    assert rows(f"class C {{ Object x = {literal}; }}", "FieldInitialValue")[0][1] == value


def test_a_literal_of_another_kind_is_a_diagnostic_too() -> None:
    found = facts_of(b"class C { void m() { switch (a) { case 09: } } }")
    assert [note[:3] for note in found.diagnostics] == [(1, 40, "lowering")]


@pytest.mark.parametrize(
    "name, value, data, at",
    [
        ("BYTES", 20, b"class C { int a; }   \n", (1, 1)),
        ("TOKENS", 9, b"class C {\n int a;\n int b;\n int c;\n}", (4, 2)),
        ("ROWS", 20, b"class C { void m() {\n a(); b();\n c();\n d(); } }", (3, 2)),
        ("ROWS", 10, b"class C {\n class D { class E { } } }", (2, 8)),
        ("NAMES", 240, b"class Caaaaaaaaaaaaaaaaaaaaa {\n void m() { a();\n b(); c(); } }", (3, 2)),
        ("SECONDS", -1, b"class C { }", (1, 7)),
    ],
)
def test_what_costs_more_than_a_file_may_is_one_diagnostic_at_its_place(
    monkeypatch: pytest.MonkeyPatch, name: str, value: int, data: bytes, at: tuple[int, int]
) -> None:
    for module in (limits, lexer, parse):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, value)
    found = facts_of(data)
    assert found.parser == "none" and not found.relations
    ((line, column, kind, _),) = found.diagnostics
    assert ((line, column), kind) == (at, "limit")


def test_names_that_grow_with_each_other_end_before_memory_does() -> None:
    for source in (
        f"class C {{ void m({', '.join(f'int p{i}' for i in range(8000))}) {{ }} }}",
        f"class {'C' * 100_000} {{ {' '.join(f'void m{i}() {{ x(); }}' for i in range(500))} }}",
        f"class C {{ Object x = {'.'.join('a' * 900)}; Object y = {'.'.join('b' * 900)}; }}" * 20,
    ):
        found = facts_of(source.encode())
        assert [note[2] for note in found.diagnostics] == ["limit"] and found.diagnostics[0][1] > 1


@pytest.mark.parametrize("data", [
    b"", b"\x00", b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbfclass C { }", "class C { }".encode("utf-16"),
    "class C { }".encode("utf-16-le"),
    b"class C { String s = \"\x00\"; /* \x00 */ }", b"class C { \x00 }", b"class C { int \\ud800; }",
    b"class C { int a\\u0000; }", b"\x1a",
    b"class C {\r int x;\r}\r", b"\\u0063lass C { }", b"class C { String s = \"\\ud800\"; char c = '\\udfff'; }",
    b"\xff" * 1000, b"\\",
    b"class " + b"C" * LONG + b" { int " + b"x" * LONG + b"; }", b"class C { // " + b"x" * LONG, b"/*" * LONG,
    b'"' * LONG, b"\n" * LONG,
    b"class C { /** " + b"* " * LONG + b"*/ }", b'class C { String s = "' + b"\\\\" * LONG + b'"; }', b"\\u" * LONG,
    b"\\" + b"u" * LONG,
])  # fmt: skip
def test_any_bytes_end_as_facts_or_as_diagnostics_in_the_file(data: bytes) -> None:
    found = facts_of(data)
    assert (found.parser == "none") == (not found.count) or not data.strip(b"\x1a\n\xef\xbb\xbf")
    for line, column, _, message in found.diagnostics:
        assert 1 <= line <= max(found.lines, 1) + 1 and 1 <= column <= len(data) + 1 and len(message) < 200


def test_equal_names_are_numbered_in_time_that_grows_with_them() -> None:
    for member in ("void m() {}", "int f;", "class D {}", "{ class D {} }"):
        found = facts("class C {" + member * 1000 + "}")
        assert list(problems(found)) == []


def test_empty_files_and_duplicate_members_are_no_error() -> None:
    assert facts_of(b"").parser == "javalang"
    found = facts("class C { void m() { } void m() { } int x; int x; } class C { }")
    assert {row[0] for row in found.relations["Method"]} >= {"C.m()", "C.m()#2"}
    assert {row[0] for row in found.relations["Type"]} == {"C", "C#2"}


def test_line_counts() -> None:
    found = facts_of(b"class C {\n\n}\n")
    assert (found.lines, found.source_lines) == (3, 2)


ANNOTATED = """package a;
    @Entity(name = "x", sizes = {1, -2}, type = String[].class, kind = Kind.A, in = @Col(@Key), sum = "a" + 'b')
    class A {
        @Inject @a.b.Size(3L) int x, y;
        @Old @Old A(@Id int id) { }
        @Test(expected = Foo.class) @Empty() @None({}) <T> void m(@Nullable T s) {
            Object o = new Object() { @O int f; };
        }
        enum E { @Last X }
        record R(@Id int i) { @C R { } }
        @Local class L { }
    }"""


def test_annotations_are_those_of_types_fields_methods_and_parameters() -> None:
    relations = facts(ANNOTATED).relations
    assert {(where, use.rpartition("/type ")[2]) for _, where, use in relations["Annotation"]} == {
        ("a.A", "Entity"),
        ("a.A/@Entity#1", "Col"),
        ("a.A/@Entity#1/@Col#1", "Key"),
        ("a.A.x:field", "Inject"),
        ("a.A.y:field", "Inject"),
        ("a.A.x:field", "a.b.Size"),
        ("a.A.y:field", "a.b.Size"),
        ("a.A.<init>(int)", "Old"),
        ("a.A.<init>(int)/id", "Id"),
        ("a.A.m(T)", "Test"),
        ("a.A.m(T)", "Empty"),
        ("a.A.m(T)", "None"),
        ("a.A.m(T)/s", "Nullable"),
        ("a.A$1.f:field", "O"),
        ("a.A$E.X:field", "Last"),
        ("a.A$R.i:field", "Id"),
        ("a.A$R.<init>(int)/i", "Id"),
        ("a.A$R.<init>(int)", "C"),
        ("a.A$L", "Local"),
    }
    assert {row[0] for row in relations["Annotation"] if row[1] == "a.A.<init>(int)"} == {
        "a.A.<init>(int)/@Old#1",
        "a.A.<init>(int)/@Old#2",
    }


def test_elements_of_annotations_are_what_is_written() -> None:
    elements = facts(ANNOTATED).relations["AnnotationElement"]
    assert {row[1:] for row in elements if row[0] == "a.A/@Entity#1"} == {
        ("name", -1, "java.lang.String", '"x"'),
        ("sizes", 0, "int", "1"),
        ("sizes", 1, "int", "-2"),
        ("type", -1, "class", "a.A/type String[]"),
        ("kind", -1, "name", "Kind.A"),
        ("in", -1, "annotation", "a.A/@Entity#1/@Col#1"),
        ("sum", -1, "expression", ""),
    }
    assert {row for row in elements if row[0] != "a.A/@Entity#1"} == {
        ("a.A/@Entity#1/@Col#1", "value", -1, "annotation", "a.A/@Entity#1/@Col#1/@Key#1"),
        ("a.A.x:field/@a.b.Size#1", "value", -1, "long", "3"),
        ("a.A.y:field/@a.b.Size#1", "value", -1, "long", "3"),
        ("a.A.m(T)/@Test#1", "expected", -1, "class", "a.A/type Foo"),
    }


def test_defaults_of_elements_are_those_of_the_annotation_type() -> None:
    source = """
        @interface A {
            String name() default "x"; Class<?>[] types() default { B.class, C.class }; B none(); B in() default @B;
        }
    """
    assert facts(source).relations["AnnotationElement"] == [
        ("A", "in", -1, "expression", ""),
        ("A", "name", -1, "java.lang.String", '"x"'),
        ("A", "types", 0, "class", "A/type B"),
        ("A", "types", 1, "class", "A/type C"),
    ]


def test_both_parsers_give_the_same_annotations() -> None:
    unit = lower(treesitter.parse(SourceText(ANNOTATED)))
    assert verify(unit) == []
    first = facts(ANNOTATED).relations
    second = rows_of(unit)
    assert [first[name] for name in ("Annotation", "AnnotationElement")] == [
        second[name] for name in ("Annotation", "AnnotationElement")
    ]
