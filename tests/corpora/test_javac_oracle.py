"""The oracle says what was worked out by hand for a small file, and the comparison counts what it should."""

from __future__ import annotations

import io
from pathlib import Path

import javac_calls
import pytest

SOURCE = """\
package p;
import java.util.*;
class A<T extends Comparable<T>> extends Base {
\tclass Inner { Inner(int x) { super(); } }
    enum E { ONE(1) { void f() { g(); } }, TWO(2); E(int i) { } void f() { } static void g() { } }
    A() { this(1); }
    A(int... xs) { super("é"); }
    void m(A<String> a, T t, Object[] os) {
        A<String>.Inner i = a.new Inner(3);
        Runnable r = new Runnable() { public void run() { m(null, null, os); } };
        java.util.function.Supplier<A<String>> s = A::new;
        t.compareTo(t); os.clone(); r.hashCode();
        List.of("😀").toArray(Object[]::new); inherited(); Missing.foo(1);
    }
}
"""
BASE = "package p; class Base { Base(String s) { } protected int inherited() { return 0; } }\n"
EXPECTED = """\
p/A.java:4:31 constructor super <java.lang.Object: void <init>()> 0
p/A.java:5:14 constant ONE <p.A$E$1: void <init>(int)> 1
p/A.java:5:34 call g <p.A$E: void g()> 1
p/A.java:5:44 constant TWO <p.A$E: void <init>(int)> 1
p/A.java:6:11 constructor this <p.A: void <init>(int[])> 1
p/A.java:7:20 constructor super <p.Base: void <init>(java.lang.String)> 1
p/A.java:9:31 new new Inner <p.A$Inner: void <init>(int)> 1
p/A.java:10:22 anonymous new Runnable <p.A$1: void <init>()> 1
p/A.java:10:59 call m <p.A: void m(p.A,java.lang.Comparable,java.lang.Object[])> 1
p/A.java:11:55 reference new <p.A: void <init>()> 1
p/A.java:12:11 call compareTo <java.lang.Comparable: int compareTo(java.lang.Object)> 0
p/A.java:12:28 call clone <java.lang.Object: java.lang.Object clone()> 0
p/A.java:12:39 call hashCode <java.lang.Object: int hashCode()> 0
p/A.java:13:14 call of <java.util.List: java.util.List of(java.lang.Object)> 0
p/A.java:13:22 call toArray <java.util.Collection: java.lang.Object[] toArray(java.util.function.IntFunction)> 0
p/A.java:13:46 call inherited <p.Base: int inherited()> 1
p/A.java:13:67 call foo None 0
"""


@pytest.fixture(scope="module")
def calls(jdk: None, tmp_path_factory: pytest.TempPathFactory) -> list[javac_calls.Call]:
    project = tmp_path_factory.mktemp("project")
    (project / "p").mkdir()
    (project / "p" / "A.java").write_text(SOURCE, encoding="utf-8")
    (project / "p" / "Base.java").write_text(BASE)
    return javac_calls.javac_calls(project)


def test_every_call_with_its_place_and_method(calls: list[javac_calls.Call]) -> None:
    shown = [f"{c.path}:{c.line}:{c.column} {c.kind} {c.name} {c.method} {int(c.declared)}" for c in calls]
    assert shown == EXPECTED.splitlines()


def test_places_point_at_the_name(calls: list[javac_calls.Call]) -> None:
    lines = SOURCE.split("\n")
    for call in calls:
        assert lines[call.line - 1][call.column - 1 :].startswith(call.name.split()[0])


def test_what_javac_guesses_for_want_of_a_type_is_unknown(jdk: None, tmp_path: Path) -> None:
    """Of several methods javac took the first one where an argument had no type."""
    (tmp_path / "A.java").write_text(
        "class A { A(String s) { } A(int i) { }\n"
        "  void f(String s) { } void f(int i) { } void f(int i, int j) { } void g(String s) { }\n"
        "  void m(Missing x) { f(x); g(x); f(1); f(x, 1); new A(x); x.each(this::f); x.each(this::g); } }\n"
    )
    found = [(call.name, call.method) for call in javac_calls.javac_calls(tmp_path) if call.line == 3]
    assert found == [
        ("f", None),
        ("g", "<A: void g(java.lang.String)>"),
        ("f", "<A: void f(int)>"),
        ("f", "<A: void f(int,int)>"),
        ("new A", None),
        ("each", None),
        ("f", None),
        ("each", None),
        ("g", "<A: void g(java.lang.String)>"),
    ]


def test_calls_survive_being_written(calls: list[javac_calls.Call], tmp_path: Path) -> None:
    text = io.StringIO()
    javac_calls.write_calls(calls, text)
    (tmp_path / "calls.csv").write_text(text.getvalue(), encoding="utf-8")
    assert javac_calls.read_calls(tmp_path / "calls.csv") == calls


def call(line: int, method: str | None, *, declared: bool = True, kind: str = "call") -> javac_calls.Call:
    return javac_calls.Call("p/A.java", line, 1, kind, "m", method, declared)


def test_comparison_counts_and_groups() -> None:
    oracle = [
        call(1, "<p.A: void m()>"),
        call(2, "<p.A: void m(int)>"),
        call(3, "<q.L: int m()>", declared=False),
        call(4, None),
        call(5, "<p.A: void m()>"),
        call(6, "<p.A: void m()>"),
        call(7, "<p.E: void <init>()>", kind="constant"),
        call(8, "<p.A: void m()>"),
    ]
    ours = javac_calls.by_place(
        [
            ("p/A.java:1:1/m", "<p.A: void m()>"),
            ("p/A.java:2:1/m", "<p.A: void m(long)>"),
            ("p/A.java:3:1/m", "<q.L: int m()>"),
            ("p/A.java:5:1/m", "<p.B: void m()>"),
            ("p/A.java:8:1/m", "<p.A: void m()>"),
            ("p/A.java:8:1/m", "<p.B: void m()>"),
            ("p/A.java:1:1/next", "<java.util.Iterator: java.lang.Object next()>"),
            ("p/A.java:99:1/m", "<p.A: void m()>"),
        ]
    )
    found = javac_calls.compare(ours, oracle)
    assert (found.calls, found.same, found.project_calls, found.project_same) == (6, 2, 5, 1)
    assert (found.unknown, found.extra) == (1, 1)
    assert (found.share, found.project_share) == (2 / 6, 1 / 5)
    assert {cause: len(group) for cause, group in found.by_cause().items()} == {
        "another overload, declared in the project": 1,
        "another declaring class, declared in the project": 1,
        "no target of ours: call, declared in the project": 1,
        "several targets named, declared in the project": 1,
    }


def test_a_row_without_a_place_is_an_error() -> None:
    with pytest.raises(ValueError, match="not path/File.java"):
        javac_calls.by_place([("somewhere", "<p.A: void m()>")])


def test_a_missing_jdk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(javac_calls.OracleError, match="install a JDK"):
        javac_calls.javac_calls(tmp_path)
