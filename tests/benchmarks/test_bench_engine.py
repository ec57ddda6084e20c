"""`ladder bench engine` measures what it says: rows are right, limits are kept, what fails is told."""
from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ladder.bench.bench import Bench
from ladder.bench.processes import run_process
from ladder.bench.report import Check, Section, report
from ladder.bench.workloads import Workload, facts_of

MEBI = 1 << 20


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, full=False, runs=1, souffle=None, data=None)


def test_a_process_is_measured_by_itself() -> None:
    ballast = bytearray(80 * MEBI)   # of this process, not of the one measured
    done = run_process([sys.executable, "-c", "kept = bytearray(60 * 2**20); sum(range(3_000_000)); print(len(kept))"], 60)
    assert (done.output, done.failure) == (f"{60 * MEBI}\n", "")
    assert done.cpu > 0.01
    assert 60 * MEBI < done.peak < 60 * MEBI + len(ballast)


def test_a_late_process_is_ended_and_its_output_kept() -> None:
    late = run_process([sys.executable, "-c", "import time; print('here', flush=True); time.sleep(60)"], 1)
    assert (late.output, late.failure) == ("here\n", "> 1 s")
    assert late.wall < 20


def test_a_failing_process_says_why() -> None:
    assert run_process([sys.executable, "-c", "raise ValueError('no such thing')"], 60).failure == "failed: ValueError: no such thing"


def test_verdicts() -> None:
    assert [Check("a", value, 2.0).verdict for value in (1.0, 2.0, 2.1, None)] == ["met", "met", "**missed**", "not measured"]
    assert Check("a", 1.8, 1.7, at_least=True).verdict == "met"
    text = report("Engine", "Small.", [Section("From scratch", [Check("a|b", 3.0, 2.0, "x", note="of 4")], notes=["A note."])])
    assert "0 of 1 bars met" in text
    assert "| a\\|b | 3x (of 4) | ≤ 2x | **missed** |" in text


def test_from_scratch_finds_the_rows_that_are_there(bench: Bench) -> None:
    from ladder.bench.cases.scratch import evaluate

    workload = Workload("dense", "closure", "closure", "dense_graph", (30,))
    facts = facts_of(bench, workload)
    assert facts is not None
    edges = {tuple(map(int, line.split("\t"))) for line in (facts / "edge.facts").read_text().splitlines()}
    paths = set(edges)
    while more := {(a, d) for a, b in paths for c, d in edges if b == c} - paths:
        paths |= more
    for strategy in ("recompute", "elastic"):
        measured = bench.measure(evaluate, 120, program=str(workload.path), facts=str(facts), strategy=strategy)
        assert measured.failure == ""
        assert measured.last["rows"] == {"path": len(paths)}
        assert measured.last["cpu"] > 0
