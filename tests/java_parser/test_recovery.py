"""What is kept and what is left out of files with syntax errors."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ladder.frontends.java import recovery
from ladder.frontends.java.facts import facts_of
from ladder.frontends.java.layout import first_doubt
from ladder.frontends.java.lexer import JavaLexer, SourceText, Unreadable, tokenize_leniently
from ladder.frontends.protocol import FileFacts
from tests.java_lowering.integrity import problems
from tests.java_parser.mutations import outcomes
from tests.work import calls_in

ROOT = Path(__file__).resolve().parents[2]
FILES = [
    path
    for pattern in ("corpora/bookshop/**/*.java", "tests/java_parser/snippets/*.java", "tests/java_lowering/**/*.java")
    for path in sorted(ROOT.glob(pattern))
]


def recovered(source: str) -> FileFacts:
    found = facts_of(source.encode())
    assert found.parser == "recovered"
    assert not list(problems(found))
    return found


def methods(found: FileFacts) -> dict[str, str]:
    """The methods of a file by what is there of their code: "body", "left out", or "" for those without any."""
    bodies, left_out = found.relations.get("Method_HasBody", ()), found.relations.get("Method_LeftOut", ())
    return {
        str(row[0]): "body" if row[:1] in bodies else "left out" if row[:1] in left_out else ""
        for row in found.relations.get("Method", ())
    }


def messages(found: FileFacts) -> list[str]:
    return [f"{line}:{column} {message}" for line, column, kind, message in found.diagnostics if kind == "syntax"]


def test_a_method_keeps_its_declaration() -> None:
    found = recovered("""class C {
        int f(int x) { return 1; }
        int g(int y, String z) throws E { return y +; }
        int h() { return g(1, ""); }
    }""")
    assert methods(found) == {
        "C.f(int)": "body",
        "C.g(int,String)": "left out",
        "C.h()": "body",
        "C.<init>()": "body",
    }
    assert messages(found) == ["3:53 The body of a method is left out: Expected an expression, found ;"]
    assert len([row for row in found.relations["FormalParam"] if row[1] == "C.g(int,String)"]) == 2


def test_a_constructor_keeps_its_declaration_and_none_is_implied() -> None:
    assert methods(recovered("class C { C(int x) { this.x = ; } void f() { } }")) == {
        "C.<init>(int)": "left out",
        "C.f()": "body",
    }
    assert methods(recovered("class C {\n C(int) { }\n void f() { }\n}")) == {"C.f()": "body"}


def test_a_field_keeps_its_declaration_and_constructors_run_its_initialiser() -> None:
    found = recovered("class C {\n private final int x = 1 +;\n C() { }\n int f() { return x; }\n}")
    assert found.relations["Field"] == [("C.x:field", "C", "x", "int")]
    assert methods(found) == {"C.<init>()": "body", "C.<init-block>()": "body", "C.f()": "body"}
    assert any(row[0] == "C.<init>()/call <init-block>" for row in found.relations["Instruction"])
    assert [row[3] for row in found.relations["LoadInstanceField"]] == ["C.x:field"]
    assert messages(found) == ["2:27 The initialiser of the field x is left out: Expected an expression, found ;"]


def test_bodies_that_name_what_a_left_out_part_may_declare_are_left_out() -> None:
    found = recovered("""class C {
        private int = 1;
        int before = 2;
        C() { }
        int f() { return count; }
        int g() { return before + Math.max(1, 2); }
        int h(int count) { return count; }
        void i(int count) { this.count = count; }
    }""")
    assert methods(found) == {
        "C.<init>()": "body",
        "C.<init-block>()": "body",
        "C.f()": "left out",
        "C.g()": "body",
        "C.h(int)": "body",
        "C.i(int)": "left out",
    }
    assert [message.partition(" ")[2] for message in messages(found)] == [
        "A member is left out: Expected a name, found =",
        "A body is left out: what count means, a part that is left out may say",
        "A body is left out: what count means, a part that is left out may say",
    ]


def test_bodies_whose_classes_are_numbered_after_those_of_a_left_out_part_are_left_out() -> None:
    found = recovered("""class C {
        Object a() { return new A() { }; }
        Object b() { return new A() { } +; }
        Object c() { return new A() { }; }
        Object d() { return new A(); }
        Object e = new A() { };
    }""")
    assert {name: code for name, code in methods(found).items() if name.startswith("C.") and len(name) == 5} == {
        "C.a()": "body",
        "C.b()": "left out",
        "C.c()": "left out",
        "C.d()": "body",
    }
    assert [row[0] for row in found.relations["AnonymousType"]] == ["C$1"]


def test_members_behind_a_missing_brace_stay_in_the_member_that_they_are_indented_in() -> None:
    found = recovered("""
        interface A {
            A NOTHING = new A()
                @Override
                public void take() { }

                @Override
                public void release() { }
            };

            void release();
        }
        """)
    assert methods(found) == {}
    found = recovered("""
        class B {
            void f() { }

            private final class In implements C
                private final D d = new D();

                In(int start) { }

                private void g() { }
            }

            void h() { }
        }
        """)
    assert methods(found) == {"B.f()": "body"}
    found = recovered("""
        class E {
            int x;
            void f()
                while (true) {
                    g();
                }
                int start = 1;
            }
        }
        """)
    assert [row[0] for row in found.relations["Field"]] == ["E.x:field"]


def test_a_type_whose_head_has_several_lines_ends_at_the_indentation_of_the_first() -> None:
    found = recovered("""
        class A
            implements B {
            void f()
                if (x) {
                }
            }

            private class C {
                C(int x) { }
            }
        }
        """)
    assert {row[0] for row in found.relations["Type"]} == {"A"}


def test_further_constants_of_an_enum_are_not_taken_for_members() -> None:
    source = "class B { }\nenum A {\n X {\n  void f() { }\n };\n Y {\n  void f() { }\n },\n Z;\n A() { }\n}"
    assert {row[0] for row in recovered(source).relations["Type"]} == {"B"}
    assert {row[0] for row in recovered(source.replace("};\n Y {", "};\n A( {")).relations["Type"]} == {"B", "A", "A$1"}


def test_heads_with_errors_are_what_they_evidently_are() -> None:
    assert methods(recovered('class A {\n @S("x")\n A(int @x) {\n }\n void f() { }\n}')) == {"A.f()": "body"}
    found = recovered("class A {\n A() { }\n int get= (int i) {\n  return i;\n }\n}")
    assert "Field" not in found.relations and methods(found) == {"A.<init>()": "left out"}


def test_which_initialisers_a_constructor_runs_may_not_be_known() -> None:
    source = "class C {{\n int x 5;\n {more}\n C() {{ }}\n void f() {{ }}\n}}"
    assert methods(recovered(source.format(more="")))["C.<init>()"] == "left out"
    assert methods(recovered(source.format(more="int y = 6;")))["C.<init>()"] == "body"


def test_types_are_left_out_where_their_heads_have_errors() -> None:
    found = recovered(
        "package p;\nclass A { }\nclass B extends {\n void f() { }\n}\nclass C {\n class D extends { }\n int x;\n}"
    )
    assert found.types == ("p.A", "p.C")
    assert {row[0] for row in found.relations["Type"]} == {"p.A", "p.C"}
    assert [row[0] for row in found.relations["Field"]] == ["p.C.x:field"]


def test_members_of_records_and_enums_are_not_implied_where_they_may_be_declared() -> None:
    assert methods(recovered("record R(int x) {\n int x( { return 1; }\n int f() { return 2; }\n}")) == {
        "R.f()": "body"
    }
    assert methods(recovered("record R(int x) {\n R { this.x = ; }\n}"))["R.<init>(int)"] == "left out"
    found = recovered("enum E {\n A, B;\n E() { +; }\n int f() { return 1; }\n}")
    assert methods(found)["E.<init>()"] == "left out" and methods(found)["E.values()"] == "body"
    assert facts_of(b"enum E { A(+), B; void f() { } }").parser == "none"


def test_imports_are_left_out_one_by_one() -> None:
    found = recovered("package p;\nimport a.;\nimport b.C;\nimport static\nimport d.*;\nclass X { C c = new C(); }")
    assert [row[1] for row in found.relations["SingleTypeImport"]] == ["C"]
    assert [row[1] for row in found.relations["OnDemandImport"]] == ["d"]
    assert [message[:3] for message in messages(found)] == ["2:1", "5:1"]


def test_after_an_error_in_the_braces_only_the_layout_is_trusted() -> None:
    text = """package p;

class Outer {
    int first() {
        return 1;
    }

    class Inner {
        void in(boolean b) {
            if (b) {
                first();
            }
        }

        void after() {
        }
    }

    void last() {
    }
}
"""
    kept = {"p.Outer.first()": "body"}
    assert methods(recovered(text.replace("first();\n            }", "first();"))) == kept | {
        "p.Outer$Inner.in(boolean)": "left out"
    }
    extra = recovered(text.replace("first();", "first(); }"))
    assert methods(extra) == kept | {"p.Outer$Inner.in(boolean)": "left out"}
    assert messages(extra)[-1] == "11:17 What follows is left out: braces and indentation contradict each other here"
    # Of a line in which braces open and close, layout says nothing, so that all of it is in doubt.
    line = "class A {\n int x;\n class B { void f()  f(); } int g() { return 1; } }\n}\n"
    assert methods(recovered(line)) == {}
    # The members after Inner would be its own, if only braces counted.
    open_ = recovered(text.replace("        void after() {\n        }\n    }\n", "        void after() {\n        }\n"))
    assert methods(open_) == kept | {"p.Outer$Inner.in(boolean)": "left out", "p.Outer$Inner.after()": "body"}
    assert methods(recovered(text.rstrip().removesuffix("}")))["p.Outer.last()"] == "body"


LAYOUTS = [
    "class A\n    extends B {\n    void f(int a,\n            int b) {\n        g();\n    }\n}\n",
    "class A\n{\n  void f()\n  {\n    switch (x)\n    {\n    case 1:\n      g();\n    }\n  }\n}\n",
    "class A {\n    Object o = map(x -> {\n        return x;\n    }).map(y -> {\n        return y;\n    });\n}\n",
    "class A {\n\tint[] x = {\n1, 2,\n  3 };\n        int f() { return 1; }\n}\n",
    "class A {\n    void f() {\n        for (int i = 0;\n  i < 1;\n i++) {\n        }\n        g();\n    }\n}\n",
]


@pytest.mark.parametrize("text", LAYOUTS)
def test_layouts_that_agree_with_the_braces(text: str) -> None:
    source = SourceText(text)
    assert first_doubt(JavaLexer(source).tokenize(), source) is None


def test_what_only_looks_like_a_type_or_an_initialiser() -> None:
    found = recovered("class C {\n private class int x;\n int f() { return x; }\n}")
    assert methods(found)["C.f()"] == "left out"
    found = recovered("class C {\n C() { }\n int y = 1;\n void f() { }\n {\n void g() {\n }\n}\n")
    assert methods(found) == {"C.<init>()": "body", "C.<init-block>()": "body", "C.f()": "body"}
    found = recovered("class C {\n C() { }\n { void g() {\n }\n}\n")
    assert methods(found) == {"C.<init>()": "left out"}


def test_a_part_that_is_left_out_may_hold_two_members() -> None:
    found = recovered("class O {\n int x;\n class C {\n int x\n C(int y) { }\n int f() { return x; }\n }\n}")
    assert methods(found)["O$C.f()"] == "left out"
    found = recovered('class C {\n private "int x;\n C(int y) { }\n int f() { return x; }\n}')
    assert methods(found)["C.f()"] == "left out"
    found = recovered('class C {\n int y;\n int f() throws "E {\n  int x = 1;\n  int z = 2;\n }\n}')
    assert [row[2] for row in found.relations["Field"]] == ["y"]


def test_a_value_named_like_a_type_may_be_declared_by_what_is_left_out() -> None:
    found = recovered(
        "class C {\n String = Kind;\n String f() { return Kind; }\n void h() { Kind = null; }\n"
        " int g() { return Other.size(); }\n}"
    )
    assert methods(found)["C.f()"] == methods(found)["C.h()"] == "left out" and methods(found)["C.g()"] == "body"


def test_variables_of_an_initialiser_without_its_brace_are_no_fields() -> None:
    found = recovered("class C {\n    static\n        final int x = 1;\n        f(x);\n    }\n    void g() { }\n}\n")
    assert not found.relations.get("Field")


def test_a_comment_that_does_not_end_is_told() -> None:
    found = recovered("class C { int f() { return 1; } } /* and more\nclass D { }\n")
    assert methods(found) == {"C.f()": "body", "C.<init>()": "body"}
    assert [message.partition(" ")[0] for message in messages(found)] == ["1:35"], messages(found)


def test_text_that_is_no_token() -> None:
    source = SourceText("a # b = \"c\nd é’ e; 'fg\n/* h")
    tokens = tokenize_leniently(source)
    assert tokens.values == ["a", "#", "b", "=", '"', "d", "é’", "e", ";", "'", ""]
    assert [value for kind, value in zip(tokens.kinds, tokens.values) if kind is Unreadable] == ["#", '"', "é’", "'"]
    found = recovered('class C {\n String s = "a;\n int x = #;\n int y = 1; /* \n void f() { }\n}')
    assert [row[2] for row in found.relations["Field"]] == ["s", "y"]
    assert "C.f()" not in methods(found)


def test_a_compact_source_file_with_an_error_is_refused() -> None:
    assert facts_of(b"class A { }\nvoid main() { f(; }\n").parser == "none"
    assert facts_of(b"class A { int x = ; }\nvoid main() { }\n").parser == "none"


def test_many_errors_take_linear_work_and_are_named_up_to_a_number() -> None:
    def took(number: int) -> int:
        data = ("class C {\n" + " void f() { g(; }\n int x = (;\n int ( ;\n" * number + "}\n").encode()
        found = facts_of(data)
        assert found.parser == "recovered" and len(found.diagnostics) == recovery.MOST_NOTES + 1
        assert found.diagnostics[-1][3] == f"{3 * number - recovery.MOST_NOTES:,} more parts are left out"
        return calls_in(lambda: facts_of(data))

    assert took(2000) < 12 * took(250)


def test_nested_errors_end_at_the_end_of_the_file() -> None:
    for source in (
        "class A { " * 60,
        "class A { void f() { new B() { " * 40,
        "class A { int x = {" * 60,
        "class A { @B({" * 60,
    ):
        assert facts_of(source.encode()).parser in ("recovered", "none")


def test_facts_of_members_without_the_mutated_token_are_those_of_the_intact_file() -> None:
    found = [outcome for _, outcome in outcomes(FILES, 60, Random(1))]
    assert [(outcome.mutation, outcome.wrong) for outcome in found if outcome.wrong] == []
    assert sum(outcome.kept for outcome in found) > 0.5 * sum(outcome.facts for outcome in found)


@pytest.mark.slow
def test_many_mutations() -> None:
    found = [outcome for _, outcome in outcomes(FILES, 600, Random(2))]
    assert [(outcome.mutation, outcome.wrong) for outcome in found if outcome.wrong] == []
