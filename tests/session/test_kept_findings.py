"""Findings that were described by the last run are as those described anew, and only what a change is about is."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pygit2
import pytest

from ladder.report.findings import Found
from ladder.report.summary import Report
from ladder.session import findings, kept_findings
from tests.marks import slow_after
from tests.session.projects import FLAWED, FLAWS, analyse, commit, state_of, write

A, B = FLAWED.values()
C = "package p;\nclass C {\n  void run() {\n    far();\n    new B().oldDone(3);\n  }\n  void far() { }\n}\n"
PROJECT = {**FLAWED, "src/p/C.java": C}
CHAIN = "package p;\nclass A {\n  void run() { mid(); }\n  void mid() { new B().help(); }\n}\n"
# What each edit is → the files that it writes (None: removes), and the number of findings that are described after it.
EDITS: dict[str, tuple[dict[str, str | None], int]] = {
    "nothing": ({}, 0),
    "a file without findings": ({"src/p/D.java": "package p;\ninterface D { }\n"}, 0),
    "lines move in one file": ({"src/p/C.java": C.replace("class C {", "class C {\n\n")}, 2),
    "a finding comes": ({"src/p/C.java": C.replace("far();", "far();\n    far();", 1)}, 3),
    "a finding goes": ({"src/p/C.java": C.replace("    far();\n", "")}, 1),
    "a longer way": ({"src/p/A.java": CHAIN}, 1),
    "a way through another file": (
        {"src/p/A.java": A.replace("new B()", "new E()"), "src/p/E.java": "package p;\nclass E extends B { }\n"},
        1,
    ),
    "a method is renamed": ({"src/p/B.java": B.replace("oldDone(int n)", "oldDone(long n)")}, 2),
    "a comment suppresses": ({"src/p/C.java": C.replace("far();", "far(); // ladder: ignore far why", 1)}, 2),
    "an idle comment elsewhere": ({"src/p/D.java": "package p;\ninterface D { } // ladder: ignore far\n"}, 0),
    "an annotation suppresses": ({"src/p/C.java": C.replace("void run", '@SuppressWarnings("ladder") void run')}, 2),
    "a file goes": ({"src/p/A.java": None}, 1),
    "a type moves to another file": ({"src/p/C.java": None, "src/p/X.java": C}, 2),
    "a class takes the place of one without a file": (
        {
            "src/p/A.java": A.replace("new B()", "new Gone()"),
            "src/p/Gone.java": "package p;\nclass Gone extends B { }\n",
        },
        1,
    ),
}


def told(report: Report) -> list[Found]:
    """The findings without what became of them."""
    return [f for f in report.findings.found if f.state != "absent"]


def alike(one: Report, other: Report) -> bool:
    def plain(report: Report) -> list[tuple[Any, ...]]:
        return [
            (f.rule, f.level, f.message, f.spot, f.relation, f.row, f.related, f.flow, f.fingerprint, f.by_line)
            + (f.suppressed, f.source)
            for f in told(report)
        ]

    return plain(one) == plain(other) and one.findings.idle == other.findings.idle


def change(root: Path, files: dict[str, str | None]) -> None:
    for path, text in files.items():
        if text is None:
            (root / path).unlink()
        else:
            write(root, {path: text})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    write(folder, PROJECT)
    return folder


@pytest.fixture
def described(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of findings that are described, one after the other."""
    numbers: list[int] = []

    def counting(outcome: Any, lines: Any, parts: Any) -> Any:
        if lines.files is outcome.files:
            numbers.append(sum(len(rows) for _, rows, _ in parts))
        return describe(outcome, lines, parts)

    describe = findings.described
    monkeypatch.setattr(findings, "described", counting)
    return numbers


@pytest.mark.parametrize("edit", slow_after(7, EDITS))
def test_kept_findings_are_as_those_described_anew(root: Path, described: list[int], edit: str) -> None:
    analyse(root, analyses=[FLAWS], verify=False)
    files, number = EDITS[edit]
    change(root, files)
    kept = analyse(root, analyses=[FLAWS], verify=False)
    assert described.pop() == number
    assert alike(kept, analyse(root, analyses=[FLAWS], keep=False))
    again = analyse(root, analyses=[FLAWS], verify=False)
    assert described.pop() == 0 and alike(kept, again)


def test_comments_that_suppress_nothing_are_told_as_long_as_they_are_there(root: Path) -> None:
    def idle() -> list[str]:
        return [str(spot) for spot, _ in analyse(root, analyses=[FLAWS], verify=False).findings.idle]

    assert idle() == []
    change(root, EDITS["an idle comment elsewhere"][0])
    assert idle() == ["src/p/D.java:2:17"]
    change(root, EDITS["a finding goes"][0])
    assert idle() == ["src/p/D.java:2:17"]
    change(root, {"src/p/D.java": None})
    assert idle() == []


def test_changes_since_a_commit_are_told_by_what_is_kept_of_the_last_run(root: Path, described: list[int]) -> None:
    pygit2.init_repository(str(root))
    first = commit(root)
    change(root, EDITS["lines move in one file"][0])
    analyse(root, analyses=[FLAWS])
    change(root, EDITS["a longer way"][0])
    report = analyse(root, analyses=[FLAWS], baseline=first)
    assert described.pop() == 1
    assert alike(report, analyse(root, analyses=[FLAWS], keep=False))
    assert {f.state for f in report.findings.found} == {"unchanged"}


CALLERS = """
.include <pointsto.dl>
.decl Called(method: Method, call: Invocation)
.finding Called(rule="called", message="{method} is called", at=method, identity=method, related="call: called here")
Called(m, i) :- CallGraphEdge(i, _, m, _), Method(m, _, "oldDone", _, _).
"""


@pytest.mark.slow
def test_rows_that_are_the_same_finding_have_their_related_places_told_and_kept(root: Path, tmp_path: Path) -> None:
    program = tmp_path / "callers.dl"
    program.write_text(CALLERS)

    def places(**wishes: Any) -> list[str]:
        [finding] = told(analyse(root, analyses=[str(program)], entry="all", **wishes))
        return [str(spot) for spot, _ in finding.related]

    assert sorted(places()) == ["src/p/B.java:4:5", "src/p/C.java:5:13"]
    change(root, {"src/p/C.java": "\n" + C})
    assert sorted(places()) == ["src/p/B.java:4:5", "src/p/C.java:6:13"]
    change(root, {"src/p/C.java": C.replace("    far();", "    far(); new B().oldDone(4);", 1)})
    [finding] = told(analyse(root, analyses=[str(program)], entry="all"))
    assert len(finding.related) == 3 and finding.state == "unchanged"  # another row of a finding makes no new one
    change(
        root, {"src/p/C.java": None, "src/p/D.java": "package p;\nclass D {\n  void run(B b) { b.oldDone(1); }\n}\n"}
    )
    assert sorted(places()) == ["src/p/B.java:4:5", "src/p/D.java:3:21"]
    assert places() == places(keep=False)


def test_the_nearest_of_several_ways_is_told_as_ways_come_and_go(root: Path) -> None:
    longer = {"src/p/D.java": "package p;\nclass D {\n  void run() { more(); }\n  void more() { new B().help(); }\n}\n"}
    nearer = {"src/p/E.java": "package p;\nclass E extends B {\n  void run() { help(); }\n}\n"}
    removed: dict[str, str | None] = {"src/p/A.java": "package p;\nclass A { }\n"}
    starts = []
    for files in ({}, longer, nearer, removed, {"src/p/E.java": None}):
        change(root, dict(files))
        kept = analyse(root, analyses=[FLAWS], verify=False)
        assert alike(kept, analyse(root, analyses=[FLAWS], keep=False))
        [found] = [f for f in told(kept) if f.rule == "old-call" and f.spot and f.spot.path == "src/p/B.java"]
        starts.append((found.row[1], len(found.flow)))
    assert starts == [("p.A.run()", 3), ("p.A.run()", 3), ("p.A.run()", 3), ("p.E.run()", 3), ("p.D.run()", 4)]


@pytest.mark.parametrize("damage", [b"", b"x", b"0" * 64 + b"\n{}"], ids=["emptied", "cut", "forged"])
def test_what_is_damaged_or_forged_is_described_anew(root: Path, described: list[int], damage: bytes) -> None:
    before = analyse(root, analyses=[FLAWS])
    [file] = (state_of(root) / "findings").iterdir()
    file.write_bytes(damage)
    assert alike(before, analyse(root, analyses=[FLAWS]))
    assert described.pop() == len(before.findings.found)


def test_what_another_version_described_is_described_anew(
    root: Path, described: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = analyse(root, analyses=[FLAWS])
    monkeypatch.setattr(kept_findings, "_version", lambda: "another")
    analyse(root, analyses=[FLAWS])
    assert described.pop() == len(before.findings.found)


@pytest.mark.slow
def test_after_random_edits_kept_findings_are_as_those_described_anew(root: Path) -> None:
    source = random.Random(1)
    analyse(root, analyses=[FLAWS])
    for step in range(25):
        change(
            root,
            {
                path: None
                for path in ("src/p/D.java", "src/p/E.java", "src/p/X.java", "src/p/Gone.java")
                if (root / path).exists()
            },
        )
        write(root, PROJECT)
        for edit in source.sample(sorted(EDITS), 2):
            change(root, {path: text for path, text in EDITS[edit][0].items() if text is not None})
        kept = analyse(root, analyses=[FLAWS], verify=False)
        assert alike(kept, analyse(root, analyses=[FLAWS], keep=False)), f"edit {step}"
