"""What analyses make of methods whose code cannot be read because of a syntax error."""

from __future__ import annotations

import pytest

from ladder.analyses.java_values import any_object
from ladder.frontends.java.facts import facts_of
from tests.analyses.annotated import Project, analyse

SOURCE = """
class M {
    public static void main(String[] args) {
        Shape kept = new Shape();
        Shape given = broken(kept, new Task());
        int number = number();
        int two = 2;
        Use.use();
    }
    static Shape broken(Shape shape, Runnable task) {
        return shape +;
    }
    static int number() { return 1 +; }
}
class Shape { }
class Held {
    Shape made = new;
    static Shape shared;
    Shape other;
    Held() { other = ; }
    static void set() { shared = ; }
}
class Constructed {
    Shape own;
    Constructed() { own = ; }
    Constructed self() { return this +; }
}
class Use {
    static void use() {
        Held held = new Held();
        Shape made = held.made;
        Shape other = held.other;
        Held.set();
        Shape shared = Held.shared;
        Constructed constructed = new Constructed();
        Shape own = constructed.own;
    }
}
class Task implements Runnable { public void run() { } }
"""


@pytest.fixture(scope="module")
def project() -> Project:
    found = facts_of(SOURCE.encode())
    assert found.parser == "recovered"
    places = {str(id_): ("M.java", int(line), int(column)) for id_, line, column in found.relations["Position"]}
    return Project({name: list(rows) for name, rows in found.relations.items()}, places)


def test_arguments_escape_and_results_are_opaque(project: Project) -> None:
    results = analyse("pointsto", project)
    assert results.objects()["M.main(String[])/given"] == {"opaque Shape"}
    assert ("Task.run()",) in results.rows("Reachable")


@pytest.mark.slow
def test_fields_of_the_type_may_be_written(project: Project) -> None:
    objects = analyse("pointsto", project).objects()
    assert [objects[f"Use.use()/{name}"] for name in ("made", "other", "shared", "own")] == [{"opaque Shape"}] * 4
    values = dict(analyse("kupdate5", project).rows("VarPointsTo_K"))
    assert all(values[f"Use.use()/{name}"] == any_object() for name in ("made", "other", "shared", "own"))


@pytest.mark.slow
def test_any_object_may_be_the_result_of_sets_of_objects(project: Project) -> None:
    values = dict(analyse("kupdate5", project).rows("VarPointsTo_K"))
    assert values["M.main(String[])/given"] == any_object()


def test_any_number_may_be_the_result(project: Project) -> None:
    constants = analyse("constprop", project).rows("ConstantAfter")
    assert {row[1:] for row in constants if row[1].endswith(("/number", "/two"))} == {("M.main(String[])/two", "2")}
