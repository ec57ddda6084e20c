"""What variables point to in annotated Java files, whom calls reach, and agreement with the naive evaluator."""

from __future__ import annotations

import pytest

from ladder.engine.reference import evaluate as naive
from tests.analyses.annotated import Project, Results, analyse, case_project, models, program, wrong_objects


@pytest.fixture(scope="module")
def project() -> Project:
    return case_project("pointsto")


@pytest.fixture(scope="module")
def results(project: Project) -> Results:
    return analyse("pointsto", project)


def test_objects(project: Project, results: Results) -> None:
    assert len(list(project.comments(r"(\w+) = \{(.*)\}"))) > 25
    assert not wrong_objects(results)


def test_reachable(results: Results) -> None:
    reachable = {row[0] for row in results.rows("Reachable")}
    assert (
        "shop.Main.fail(Object)" in reachable
        and "shop.Main.<clinit>()" in reachable
        and "shop.Special.<clinit>()" in reachable
    )
    assert "shop.Never.never()" not in reachable


@pytest.mark.slow
def test_entry_policies(project: Project, results: Results) -> None:
    reached = {
        policy: {row[0] for row in analyse("pointsto", project, policy).rows("Reachable")}
        for policy in ("public", "all")
    }
    main = {row[0] for row in results.rows("Reachable")}
    assert main < reached["all"] and main <= reached["public"] <= reached["all"]
    assert "shop.Never.never()" in reached["all"]


def test_callees(project: Project, results: Results) -> None:
    callees = {line: found for (_, line), found in results.callees().items()}
    line = {text.strip().split("//")[0].strip(): number for number, text in enumerate(project.texts["Main.java"], 1)}
    assert callees[line["Object x = a.get();"]] == {"<shop.Item: java.lang.Object get()>"}
    assert callees[line["Object y = b.get();"]] == {"<shop.Special: java.lang.Object get()>"}
    assert callees[line["Object area = shape.area();"]] == {"<shop.Square: java.lang.Object area()>"}
    assert "<shop.Main: java.lang.Object wrap(java.lang.Object)>" in callees[line['Object r = third.make("wrapped");']]


SMALL = """
class A { Object f; Object id(Object o) { f = o; return f; } }
class B extends A { Object id(Object o) { return super.id(this); } }
class Small { public static void main(String[] args) { A a = args == null ? new A() : new B(); Object x = a.id("s"); } }
"""


@pytest.mark.slow
def test_agrees_with_the_naive_evaluator() -> None:
    project = Project.of({"Small.java": SMALL})
    results = analyse("pointsto", project)
    state = naive.evaluate(program("pointsto").core, {**project.facts, **models()})
    for relation in program("pointsto").outputs:
        assert set(results.rows(relation)) == state.visible(relation), relation
    assert {heap.rpartition("/")[2] for heap, var in state.visible("VarPointsTo") if var.endswith("/x")} == {
        '"s"',
        "new B",
    }
