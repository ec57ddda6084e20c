"""How near the objects of variables get to those of a run, in programs for each construct, by choice of contexts."""

from __future__ import annotations

import pytest

from ladder.frontends.java import FRONT_END
from ladder.session.analyze import contexts
from tests.analyses.annotated import Project, case_project
from tests.analyses.precision import FOLDER, Said, found, said

CHOICES = contexts(FRONT_END)
LIKE_DOOP = "2-obj+heap"


@pytest.fixture(scope="module")
def project() -> Project:
    return case_project(FOLDER)


@pytest.fixture(scope="module")
def comments(project: Project) -> list[Said]:
    return said(project, CHOICES)


@pytest.mark.parametrize(
    "context", [choice if choice == "ci" else pytest.param(choice, marks=pytest.mark.slow) for choice in CHOICES]
)
def test_objects_are_those_of_a_run_where_comments_say_so(project: Project, comments: list[Said], context: str) -> None:
    """No object of a run is ever missing, but where an opaque object of its class stands for it; others are there only
    where the comment does not name the choice."""
    objects = found(project, context, comments)
    stood_for = {line: {o.rpartition(".")[2] for o in objects[line] if o.startswith("opaque ")} for line in comments}
    missing = {
        (line, heap)
        for line in comments
        for heap in line.exact - objects[line]
        if heap.partition("@")[0] not in stood_for[line]
    }
    assert not missing
    exact = {line for line in comments if objects[line] == line.exact}
    wanted = {line for line in comments if context in line.by}
    assert exact == wanted, ("more than a run", wanted - exact, "as in a run", exact - wanted)


@pytest.mark.slow
def test_two_objects_of_context_are_as_precise_as_in_doop(project: Project, comments: list[Said]) -> None:
    """Exceptions are objects in Doop, wherever they are caught."""
    objects = found(project, LIKE_DOOP, comments, exceptions="objects")
    more = {line: objects[line] - line.doop for line in comments if not objects[line] <= line.doop}
    assert not more
    assert sum(objects[line] == line.exact for line in comments) >= sum(line.doop == line.exact for line in comments)


def test_comments_hold_together(comments: list[Said]) -> None:
    assert len({line.file for line in comments}) == len(list((case_project(FOLDER)).texts))
    for line in comments:
        assert line.exact <= line.doop, line
        assert set(line.by) <= {*CHOICES, ""}, line
