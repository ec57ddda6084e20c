"""`ladder bench engine` measures what it says: rows are right, limits are kept, what fails is told."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from ladder.cli.bench import CASES
from ladder.cli.bench import bench as command
from ladder_bench import cases, processes
from ladder_bench.bench import Bench
from ladder_bench.processes import run_process
from ladder_bench.report import Check, Section, report
from ladder_bench.workloads import Workload, facts_of, points_to

MEBI = 1 << 20


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, full=False, runs=1, souffle=None, data=None)


def test_a_process_is_measured_by_itself() -> None:
    ballast = bytearray(80 * MEBI)  # of this process, not of the one measured
    done = run_process(
        [sys.executable, "-c", "kept = bytearray(60 * 2**20); sum(range(3_000_000)); print(len(kept))"], 60
    )
    assert (done.output, done.failure) == (f"{60 * MEBI}\n", "")
    assert done.cpu > 0.01
    assert 60 * MEBI < done.peak < 60 * MEBI + len(ballast)


def test_a_late_process_is_ended_and_its_output_kept() -> None:
    late = run_process([sys.executable, "-c", "import time; print('here', flush=True); time.sleep(60)"], 1)
    assert (late.output, late.failure) == ("here\n", "> 1 s")
    assert late.wall < 20


def test_a_process_that_takes_most_of_the_memory_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "MOST_MEMORY", 64 * MEBI)
    code = "import time; held = b'x' * (100 << 20); time.sleep(60)"
    large = run_process([sys.executable, "-c", code], 60)
    assert large.failure == "> 0 GB" and large.wall < 20


@pytest.mark.slow
def test_the_memory_of_a_child_counts() -> None:
    """As of a command of Ladder, which a process that takes little waits for."""
    child = "import time; held = bytearray(200 << 20); time.sleep(1)"
    done = run_process(
        [sys.executable, "-c", f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"], 60
    )
    assert not done.failure and 200 << 20 < done.peak < 400 << 20


def test_a_failing_process_says_why() -> None:
    assert (
        run_process([sys.executable, "-c", "raise ValueError('no such thing')"], 60).failure
        == "failed: ValueError: no such thing"
    )


def test_verdicts() -> None:
    assert [Check("a", value, 2.0).verdict for value in (1.0, 2.0, 2.1, None)] == [
        "met",
        "met",
        "**missed**",
        "not measured",
    ]
    assert Check("a", 1.8, 1.7, at_least=True).verdict == "met"
    text = report(
        "Engine", "Small.", [Section("From scratch", [Check("a|b", 3.0, 2.0, "x", note="of 4")], notes=["A note."])]
    )
    assert "0 of 1 bars met" in text
    assert "| a\\|b | 3x (of 4) | ≤ 2x | **missed** |" in text


def test_from_scratch_finds_the_rows_that_are_there(bench: Bench) -> None:
    from ladder_bench.cases.scratch import evaluate

    workload = Workload("dense", "closure", "closure", "dense_graph", (30,))
    facts = facts_of(bench, workload)
    assert facts is not None
    edges = {tuple(map(int, line.split("\t"))) for line in (facts / "edge.facts").read_text().splitlines()}
    paths = set(edges)
    while more := {(a, d) for a, b in paths for c, d in edges if b == c} - paths:
        paths |= more
    measured = bench.measure(evaluate, 120, program=str(workload.path), facts=str(facts), strategy="recompute")
    assert measured.failure == ""
    found = [measured.last, *evaluate(str(workload.path), str(facts), "elastic")]
    assert [line["rows"] for line in found] == [{"path": len(paths)}] * 2
    assert min(line["cpu"] for line in found) > 0


def test_small_changes_are_taken_back(bench: Bench) -> None:
    from ladder_bench.cases.small_changes import cycles

    workload = points_to(2_000)
    lines = list(cycles(str(workload.path), str(facts_of(bench, workload)), count=4, size=50))
    gone, came = ([line["impact"] for line in lines if line["what"] == what] for what in ("delete", "insert"))
    assert gone == came
    assert len(gone) == 4
    assert min(gone) >= 1
    assert next(line["impact"] for line in lines if line["what"] == "with switch") >= 50


@pytest.mark.slow
def test_strategies_agree_after_thirteen_epochs(bench: Bench) -> None:
    from ladder_bench.cases.epochs import epochs

    workload = points_to(2_000)
    facts = str(facts_of(bench, workload))
    found = [list(epochs(str(workload.path), facts, strategy, large=100)) for strategy in ("elastic", "recompute")]
    assert [[line["epoch"] for line in lines] for lines in found] == [list(range(13))] * 2
    assert [line["impact"] for line in found[0]] == [line["impact"] for line in found[1]]
    assert found[0][7]["rows"] == found[1][7]["rows"] != found[0][0]["rows"] == found[0][12]["rows"]


def test_a_strategy_is_stopped_when_it_has_taken_too_long(bench: Bench) -> None:
    from ladder_bench.cases.epochs import epochs

    workload = points_to(2_000)
    stopped = epochs(str(workload.path), str(facts_of(bench, workload)), "recompute", large=100, stop_after=0.0)
    assert [line["epoch"] for line in stopped] == [0, 1]


def test_every_case_can_be_named() -> None:
    modules = {path.stem for path in Path(cases.__file__).parent.glob("*.py")} - {"__init__"}
    assert set(CASES) == modules
    assert all(hasattr(importlib.import_module(f"ladder_bench.cases.{name}"), "run") for name in CASES)


def test_a_run_tells_what_it_measured(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["engine", "--only", "rules", "--minutes", "0", "--output", str(tmp_path)])
    assert done.exit_code == 0, done.exception
    assert done.stdout == (tmp_path / "engine.md").read_text("utf-8") + "\n"
    assert "# The engine, measured" in done.stdout and "not measured" in done.output


def test_without_the_measurements_the_command_says_how_to_have_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ladder.cli.bench.MEASUREMENTS", "ladder_bench_of_nobody")
    for name in ("engine", "spark"):
        done = CliRunner().invoke(command, [name, "--output", str(tmp_path / "bench")])
        assert done.exit_code == 1
        assert "are not installed here" in done.output and "`pip install .` in a checkout" in done.output
    assert list(tmp_path.iterdir()) == []


def test_what_is_measured_ends_with_the_bench(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    child = f"import os, time; open({str(pid_file)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    measuring = (
        "from ladder_bench.processes import end_with_children, run_process; end_with_children(); "
        f"run_process({[sys.executable, '-c', child]!r}, 60)"
    )
    bench = subprocess.Popen([sys.executable, "-c", measuring])
    while not (pid_file.exists() and pid_file.read_text()):
        assert bench.poll() is None
        time.sleep(0.02)
    bench.terminate()
    assert bench.wait() == 128 + signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)
