"""The story of a row: what is told of an explanation, how rows are named, and its forms."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ladder.api.saved_rows import SavedRows
from ladder.errors import LadderError
from ladder.report.findings import Spot
from ladder.report.stories import Step, Teller, as_dot, as_json_text, as_text, story
from ladder.session.inspect import Saved, saved
from ladder.session.why import told
from tests.session.projects import CALLS, FLAWED, FLAWS, analyse, write

ID = "p.B.help()/call oldDone", "p.A.run()", "p.B.oldDone(int)"


@pytest.fixture
def result(tmp_path: Path) -> Iterator[Saved]:
    root = tmp_path / "project"
    write(root, FLAWED)
    analyse(root, analyses=[FLAWS])
    with saved(root, FLAWS, "auto", None) as found:
        yield found


@pytest.mark.parametrize("together", [False, True])
def test_a_look_tells_what_an_opened_state_does(tmp_path: Path, together: bool) -> None:
    """The state is that of one analysis, or of two in which relations are shared and have other names; a second run
    leaves a log after it."""
    root, analyses = tmp_path / "project", [FLAWS, CALLS] if together else [FLAWS]
    write(root, FLAWED)
    analyse(root, analyses=analyses)
    for _ in range(2):
        stories = {}
        for lazily in (True, False):
            with saved(root, FLAWS, "auto", None, lazily=lazily) as found:
                stories[lazily] = as_text(told(found, "Old", ID)), as_text(told(found, "old-call", ("src/p/B.java:4",)))
                assert isinstance(found.outcome.db, SavedRows) == lazily
        assert stories[True] == stories[False]
        write(root, {"src/p/C.java": "package p; class C { void run() { new B().help(); } }"})
        analyse(root, analyses=analyses)


TOLD = """\
src/p/B.java:4:5   Old(oldDone, A.run, B.oldDone)   | oldDone(1);
src/p/B.java:4:5     Call(oldDone, B.oldDone)
src/p/A.java:3:8     Starts(A.run, B.help)   | void run() { new B().help(); }
src/p/A.java:3:8       Reaches(A.run, B.help)
src/p/A.java:3:24        Call(help, B.help)"""


def test_a_story_has_the_rows_of_results(result: Saved) -> None:
    assert as_text(told(result, "Old", ID)) == TOLD


def test_the_story_of_a_finding_without_a_way_begins_with_what_it_says(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, {"src/p/C.java": "package p;\nclass C {\n  void far() { far(); }\n}\n"})
    analyse(root, analyses=[FLAWS])
    with saved(root, FLAWS, "auto", None) as result:
        first, *others = told(result, "far", ("C.java:3",))
        row = told(result, "Empty", ("p.C.far()/call far",))
    assert first.text == "far away" and row[0].text.startswith("Empty(") and others == row[1:]


@pytest.mark.parametrize(
    ("relation", "cells"),
    [
        ("Call", ("p.B.help()/call oldDone", "p.B.oldDone(int)")),
        ("Call", ("src/p/B.java:4:5/oldDone", "<p.B: oldDone>")),
        ("Call", ("src/p/B.java:4:5/oldDone", "p.B.oldDone(int)")),
        ("old-call", ("src/p/B.java:4",)),
        ("old-call", ("src/p/B.java:4:5",)),
        ("old-call", ("B.java:4",)),
    ],
)
def test_rows_are_named_as_outputs_print_them(result: Saved, relation: str, cells: Sequence[str]) -> None:
    first = told(result, relation, cells)[0]
    assert str(first.spot) == "src/p/B.java:4:5"


@pytest.mark.parametrize(
    ("relation", "cells", "message"),
    [
        ("old-call", ("src/p/B.java:5",), "There is no finding of old-call at src/p/B.java:5."),
        ("old-call", (".java:4",), "There is no finding of old-call at .java:4."),
        ("Call", ("x", "y"), "Call(x, y) is not a row."),
        ("Call", ("x",), "Call has 2 columns, but is given 1 value."),
        ("Calls", ("x",), "has no relation Calls."),
    ],
)
def test_what_is_not_there_is_told(result: Saved, relation: str, cells: Sequence[str], message: str) -> None:
    with pytest.raises(LadderError, match=re.escape(message)):
        told(result, relation, cells)


@dataclass(frozen=True)
class Because:
    relation: str
    row: tuple[Any, ...] = ()
    because: tuple[Because, ...] = ()


def test_helpers_are_folded_and_nothing_is_told_twice() -> None:
    fact = Because("assign", ("i",))
    tree = Because(
        "a", (1,), (Because("helper", (), (Because("b", (2,), (fact,)), fact)), Because("b", (2,)), Because("given"))
    )
    teller = Teller(
        {"a", "b"}.__contains__,
        lambda relation, row: f"{relation}{row[0]}",
        lambda relation, row: Spot("f", 3) if relation == "assign" else None,
        {"assign"}.__contains__,
        lambda spot: " x = y; ",
    )
    steps = story(tree, teller)
    assert [(step.level, step.text, step.spot) for step in steps] == [
        (0, "a1", None),
        (1, "b2", None),
        (2, "", Spot("f", 3)),
    ]
    assert as_text(steps).splitlines() == ["       a1", "         b2", "f:3:1      x = y;"]
    assert as_text(steps, 1).splitlines()[1] == "… and 2 more steps; --full shows every row"
    assert [step["level"] for step in json.loads(as_json_text(steps))] == [0, 1, 2]
    assert "s1 -> s0;" in as_dot(steps) and "s2 -> s1;" in as_dot(steps)


def test_a_way_is_a_chain_in_dot_and_its_end_is_shown_in_text() -> None:
    steps = [Step(0, "found"), *(Step(1, f"step {n}", on_way=True) for n in range(1, 5))]
    edges = [line.strip() for line in as_dot(steps).splitlines() if "->" in line]
    assert edges == ["s1 -> s2;", "s2 -> s3;", "s3 -> s4;", "s4 -> s0;"]
    assert [line.strip() for line in as_text(steps, 4).splitlines()] == [
        "found",
        "step 1",
        "… and 1 more step; --format json has all",
        "step 3",
        "step 4",
    ]


def test_dot_quotes_what_programs_say() -> None:
    assert r'label="a\"b\\x1bc"' in as_dot([Step(0, 'a"b\x1bc')])
