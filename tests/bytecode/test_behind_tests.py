"""Uses behind tests read parts of variables in class files as in sources."""

from __future__ import annotations

from pathlib import Path

from ladder.frontends.java.facts import facts_of
from tests.analyses.annotated import Project, analyse
from tests.bytecode.compiling import compiled, needs_javac, project_of

SOURCE = """
class M {
    static class A { void run() { } }
    static class B { }
    static void main(Object x, Object y, int n) {
        if (x instanceof A) { one(x); } else { two(x); }
        if (!(y instanceof B)) { return; }
        three(y);
        if (x == y) { two(x); }
        if (x.getClass() == B.class && n == 3) { one(x); }
        while (n > 0) { one(x); if (x instanceof B) { x = y; } n--; }
    }
    static void one(Object o) { } static void two(Object o) { } static void three(Object o) { }
    public static void main(String[] args) {
        Object a = args.length > 1 ? new A() : new B();
        main(a, new B(), 2);
    }
}
"""
KNOWN = ("Var_InstanceOf", "Var_NoInstanceOf", "Var_ClassIs", "Var_SameAs")


def parts(rows: dict[str, list[tuple]]) -> set[tuple[str, str, str]]:
    """(relation, the whole variable, what is known by its last name) of each part."""
    wholes = dict(rows["Var_PartOf"])
    return {
        (known, wholes[part].rpartition("/")[2], what.replace("$", " ").replace("/", " ").split()[-1])
        for known in KNOWN
        for part, what in rows[known]
    }


@needs_javac
def test_parts_are_those_of_the_source(tmp_path: Path) -> None:
    source = tmp_path / "M.java"
    source.write_text(SOURCE)
    found = parts(project_of(compiled([source], tmp_path / "classes")).facts)
    assert found == parts(facts_of(SOURCE.encode()).relations)
    assert {known for known, _, _ in found} == set(KNOWN)


@needs_javac
def test_objects_are_those_of_the_source(tmp_path: Path) -> None:
    source = tmp_path / "M.java"
    source.write_text(SOURCE)
    of_classes = analyse("pointsto", project_of(compiled([source], tmp_path / "classes"), [source])).objects()
    of_source = analyse("pointsto", Project.of({"M.java": SOURCE})).objects()
    for name, kinds in (("one", {"A", "B"}), ("two", {"B"}), ("three", {"B"})):
        for objects in (of_classes[f"M.{name}(java.lang.Object)/o"], of_source[f"M.{name}(Object)/o"]):
            assert {heap.partition("@")[0].rpartition("$")[2] for heap in objects} == kinds
