"""Small programs against what they did when they ran: every call that happened is an edge, every method entered is
reached.

`cases/runs/*/ran.txt` is written by `benchmarks/recall/cases.py`, which runs the programs.
"""

from __future__ import annotations

import re

import pytest

from tests.analyses.annotated import CASES, Results, analyse, case_project, short
from tests.marks import slow_after

RUNS = sorted(folder.parent.name for folder in (CASES / "runs").glob("*/ran.txt"))


def _plain(name: str) -> str:
    """`M.main/lambda: f(x)` as the run has it, `M.lambda`."""
    return re.sub(r"\..*/lambda: .*$", ".lambda", short(name))


def _own(results: Results) -> set[str]:
    return {name for _, name in results.rows("MethodName")}


@pytest.mark.parametrize("name", slow_after(2, RUNS))
def test_what_happened_is_there(name: str) -> None:
    results = analyse("pointsto", case_project(f"runs/{name}"))
    own, names = _own(results), results.names
    edges = {
        f"{file}:{line} {_plain(method)}"
        for (file, line), methods in results.callees().items()
        for method in methods & own
    }
    reached = {f"* {_plain(names[method])}" for (method,) in results.rows("Reachable")}
    ran = set((CASES / "runs" / name / "ran.txt").read_text(encoding="utf-8").splitlines())
    assert len(ran) > 5
    assert not ran - edges - reached


def test_entries_of_abstract_classes() -> None:
    results = analyse("pointsto", case_project("runs/r1"), "public")
    called = {
        (line, _plain(method)) for line, methods in results.callees().items() for method in methods & _own(results)
    }
    assert {(("B.java", 2), "B.g"), (("P.java", 1), "Q.left")} <= called


def test_constructors_run_on_what_is_made_alone() -> None:
    results = analyse("pointsto", case_project("runs/r7"))
    objects = results.objects()
    assert objects["B.<init>()/@this"] == {"B@4"}
    assert objects["C.<init>()/@this"] == {"C@4"}
    fields = {(field, results.shown(base)) for _, field, base in results.rows("InstanceFieldPointsTo")}
    assert ("B.g:field", "B@4") in fields and ("C.g:field", "C@4") in fields
    assert not {("B.g:field", "C@4"), ("C.g:field", "B@4")} & fields
