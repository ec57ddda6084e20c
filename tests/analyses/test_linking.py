"""The targets of calls in annotated Java files, and what is used without being declared."""

from __future__ import annotations

import pytest

from tests.analyses.annotated import Line, Project, Results, analyse, case_project


@pytest.fixture(scope="module")
def project() -> Project:
    return case_project("linking")


@pytest.fixture(scope="module")
def results(project: Project) -> Results:
    return analyse("linking", project)


def expected(project: Project) -> dict[Line, list[str]]:
    return {line: found[1].split("; ") for line, found in project.comments(r"-> (.*)")}


@pytest.mark.parametrize(
    "name", ["Overloads.java", "Names.java", "Generics.java", "Phantoms.java", "Access.java", "Targets.java"]
)
def test_targets(name: str, project: Project, results: Results) -> None:
    targets = results.targets()
    wrong = {
        line[1]: (targets.get(line, []), want)
        for line, want in expected(project).items()
        if line[0] == name and targets.get(line, []) != want
    }
    assert not wrong


def test_every_call_of_the_cases_is_annotated(project: Project, results: Results) -> None:
    assert {line for line in results.targets()} == set(expected(project))


def test_phantoms(results: Results) -> None:
    classes = {row[0] for row in results.rows("PhantomClass")}
    assert {
        "com.unknown.Widget",
        "com.unknown.gui.Button",
        "com.unknown.gui.Layout",
        "java.lang.String",
        "java.util.Map$Entry",
    } <= classes
    assert "com.unknown.gui" not in classes
    assert not any(name.startswith(("overloads.", "names.", "generics.", "phantoms.")) for name in classes)
    methods = {row[0] for row in results.rows("PhantomMethod")}
    assert "<com.unknown.Widget: ? draw(int,java.lang.String)>" in methods
    assert "<java.util.List: java.lang.Object get(int)>" in methods


def test_names_of_fields(results: Results) -> None:
    names = dict(results.rows("FieldName"))
    assert names["names.Names.entry:field"] == "<names.Names: java.util.Map$Entry entry>"
    assert names["names.Color.RED:field"] == "<names.Color: names.Color RED>"
    assert names["generics.Node.value:field"] == "<generics.Node: java.lang.Comparable value>"
