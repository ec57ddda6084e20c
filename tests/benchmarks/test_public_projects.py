"""Every analysis, entry policy and number of threads over public projects: equal rows, no crash."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import Any

import pytest

import public_projects
from public_projects import ANALYSES, FETCHED, NAMES, POLICIES, THREADS, Found, compare, digest
from tests.marks import seconds

FETCHED_NAMES = [name for name in NAMES if (FETCHED / name).is_dir()]


def test_rows_that_differ_are_told() -> None:
    found = Found()
    for run, rows in enumerate((3, 3, 4), 1):
        public_projects._note(
            found,
            "pointsto",
            run,
            {"entry": "all", "run": run, "relations": {"VarPointsTo": [rows, "x"], "Reachable": [1, "y"]}},
        )
    assert found.runs == 3 and found.wrong == [
        "pointsto --entry all -j 3, run 3: VarPointsTo differ from the first run"
    ]


def test_what_rows_there_are_counts_not_their_order() -> None:
    assert digest([("a", 1), ("b", 2)]) == digest([("b", 2), ("a", 1)]) != digest([("b", 1), ("a", 2)])
    assert digest([("a", 1)] * 2) != digest([("a", 1)])


def test_a_crash_is_told_with_its_signal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Died:
        returncode, stdout, stderr = (
            -signal.SIGSEGV,
            '{"entry": "all", "run": 1, "relations": {}}\n',
            "Fatal Python error",
        )

    def run(*_: Any, **__: Any) -> Died:
        return Died()

    monkeypatch.setattr(public_projects.subprocess, "run", run)
    found = Found()
    assert len(list(public_projects._child(tmp_path, tmp_path / "state", "pointsto", POLICIES, 7, 2, found))) == 1
    assert found.wrong == ["pointsto -j 7: SIGSEGV after 1 runs: Fatal Python error"]


@pytest.mark.slow
def test_every_analysis_of_a_small_project(tmp_path: Path) -> None:
    """The relations that the session gives them are given here, too."""
    (tmp_path / "A.java").write_text(
        "class A { public static void main(String[] a) { Object o = new A(); int i = 1; } }"
    )
    found = compare(tmp_path, ANALYSES, ("main",), (1,))
    assert not found.wrong and found.runs == 2 * len(ANALYSES)


@pytest.mark.nightly
def test_the_sample() -> None:
    found = compare(FETCHED.parent / "bookshop", ("pointsto", "interval"), ("public", "main"), (1, 7))
    assert not found.wrong and found.runs == 16 and min(found.rows.values()) > 100


@pytest.mark.nightly
@pytest.mark.parametrize("name", FETCHED_NAMES)
def test_public_projects(name: str) -> None:
    """`python corpora/fetch.py` brings them; as much as the budget allows."""
    found = compare(FETCHED / name, ANALYSES, POLICIES, THREADS, time.monotonic() + seconds(float("inf")))
    assert not found.wrong, "\n".join(found.wrong)
    assert found.runs


@pytest.mark.nightly
def test_at_least_eight_projects_are_there() -> None:
    assert len(FETCHED_NAMES) >= 8, "python corpora/fetch.py " + " ".join(
        name for name in NAMES if name not in FETCHED_NAMES
    )
