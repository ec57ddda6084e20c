"""`ladder run` and `analyze` on Spark: results, states, progress, profiles, limits; and what is left
behind: nothing."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ladder.support.files import write_atomically
from tests.session.projects import CALLS, FILES, write

from .corpus import RESULTS

PROGRAM = """
.decl edge(x: number, y: symbol)
.input edge
.decl next(x: symbol, y: number)
.input next
.decl path(x: number, y: number)
.output path
.printsize path
.decl named(n: float, y: symbol, p: P)
.output named
.type P = [a: symbol, b: number]
path(x, z) :- edge(x, y), next(y, z).
path(x, z) :- path(x, y), path(y, z).
named(0.5, y, [y, x]) :- edge(x, y).
"""
COMMAND = [sys.executable, "-c", "import sys; sys.argv[0] = 'ladder'; from ladder.cli import main; main()", "run"]
QUICK = "spark.driver.extraJavaOptions=-XX:TieredStopAtLevel=1"  # JVMs that live for seconds
LOCAL = ("--master", "local[2]", "--spark-conf", "spark.driver.memory=900m", "--spark-conf", QUICK)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "program.dl").write_text(PROGRAM)
    facts(tmp_path, 6)
    return tmp_path


def facts(folder: Path, count: int) -> None:
    (folder / "edge.facts").write_text("".join(f"{i}\tn{i}\n" for i in range(count)))
    (folder / "next.facts").write_text("".join(f"n{i}\t{i + 1}\n" for i in range(count)))


def run(folder: Path, *arguments: Any, code: int = 0) -> tuple[str, str]:
    surroundings = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "TMPDIR": str(folder)}
    done = subprocess.run(
        [*COMMAND, "program.dl", *map(str, arguments)],
        cwd=folder,
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr and not list(folder.glob("ladder-*")), done.stderr
    return done.stdout, done.stderr


def lines(file: Path) -> list[str]:
    return sorted(file.read_text().splitlines())


def test_results_are_those_of_the_local_engine(spark: Any, folder: Path) -> None:
    out, printed = run(
        folder, "--engine", "spark", *LOCAL, "-D", "far", "--profile", "--profile-output", "far/profile.html"
    )
    expected, _ = run(folder, "--engine", "local", "-D", "near")
    assert out == expected == "path\t21\n"
    for name in ("path.csv", "named.csv"):
        assert lines(folder / "far" / name) == lines(folder / "near" / name)
    assert "iteration 1: " in printed and "rows" in printed and "shuffled" in printed and "planning" in printed
    assert "path" in (folder / "far/profile.html").read_text()
    out, printed = run(folder, "--engine", "spark", *LOCAL, "-D", "-", "--quiet")
    assert sorted(out.splitlines()) == sorted(run(folder, "-D", "-")[0].splitlines()) and not printed


@pytest.mark.nightly
def test_result_cases(spark: Any) -> None:
    """What `.output` with its parameters writes, and `.printsize` prints, case by case."""
    options = shlex.join(["--engine", "spark", *LOCAL])
    done = subprocess.run(
        [
            *COMMAND[:-1],
            "test",
            str(RESULTS),
            "--json",
            "--memory-limit",
            "64",
            "--time-limit",
            "300",
            "--options",
            options,
        ],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    outcomes = json.loads(done.stdout)
    assert {outcome["case"]: outcome["reason"] for outcome in outcomes if outcome["status"] != "passed"} == {}
    assert len(outcomes) > 20


@pytest.mark.nightly
def test_a_state_is_kept_and_maintained(spark: Any, folder: Path) -> None:
    _, printed = run(folder, "--engine", "spark", *LOCAL, "--state", "state", "--parquet", "-D", "far")
    assert "bootstrap on Spark in" in printed and (folder / "far/path.parquet").is_dir()
    assert len(pq.read_table(folder / "far/path.parquet")) == 21
    facts(folder, 7)
    _, printed = run(folder, "--engine", "spark", *LOCAL, "--state", "state", "-D", "far")
    assert "ladder: update in" in printed and "path: +7 -0" in printed and len(lines(folder / "far/path.csv")) == 28
    _, printed = run(folder, "--state", "state", "-D", "near")
    assert "update in" in printed and lines(folder / "near/path.csv") == lines(folder / "far/path.csv")


def test_what_cannot_be_had_is_one_sentence(spark: Any, folder: Path) -> None:
    _, printed = run(folder, "--engine", "spark", "--master", "spark://127.0.0.1:1", code=2)
    assert "does not answer" in printed and printed.count("\n") == 1
    _, printed = run(
        folder, "--engine", "spark", "--master", "local[1]", "--spark-conf", "spark.driver.memory=x", code=2
    )
    assert "does not start on local[1]" in printed and printed.count("\n") == 1
    (folder / "edge.facts").write_text("1\tn1\nx\tn2\n")
    _, printed = run(folder, "--engine", "spark", *LOCAL, code=2)
    assert "edge.facts:2:1" in printed and "x" in printed


def test_limits_and_interrupts_end_it_with_nothing_left(spark: Any, folder: Path) -> None:
    facts(folder, 300)
    for seconds in (3, 12):  # while the JVM starts, and later
        _, printed = run(folder, "--engine", "spark", *LOCAL, "--time-limit", seconds, "--state", "state", code=3)
        assert f"time limit of {seconds} s" in printed and not jvms_of(folder)
    surroundings = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "TMPDIR": str(folder)}
    process = subprocess.Popen(
        [*COMMAND, "program.dl", "--engine", "spark", *LOCAL, "--state", "state"],
        cwd=folder,
        env=surroundings,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "iteration 2" in line:
            process.send_signal(signal.SIGINT)
            break
    printed = process.stderr.read()
    assert process.wait(60) == 130 and "interrupted" in printed and "Traceback" not in printed, printed
    assert (
        not list(folder.glob("ladder-*")) and not (folder / "state/CURRENT").exists() and not list(folder.glob("*.csv"))
    )
    assert not jvms_of(folder)


@pytest.mark.nightly
def test_a_run_whose_driver_is_killed_is_resumed(spark: Any, folder: Path) -> None:
    (folder / "program.dl").write_text(
        PROGRAM.replace("path(x, z) :- path(x, y), path(y, z).", "path(x, z) :- path(x, y), edge(y, v), next(v, z).")
    )
    facts(folder, 20)
    surroundings = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "TMPDIR": str(folder)}
    process = subprocess.Popen(
        [
            *COMMAND,
            "program.dl",
            "--engine",
            "spark",
            *LOCAL,
            "--state",
            "state",
            "--spark-conf",
            "spark.ladder.checkpoint.every=4",
        ],
        cwd=folder,
        env=surroundings,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "iteration 10:" in line:
            process.kill()
            break
    assert process.wait(60) == -signal.SIGKILL and list((folder / "state/checkpoints").glob("checkpoint-*"))
    while found := list(folder.glob("ladder-*")):  # what the driver could not remove any more; its JVM is about to end
        for left in found:
            shutil.rmtree(left, ignore_errors=True)
    _, printed = run(folder, "--engine", "spark", *LOCAL, "--state", "state", "--resume", "-D", "far")
    first = re.search(r"iteration (\d+):", printed)
    assert first is not None and int(first[1]) > 1 and not (folder / "state/checkpoints").exists()
    run(folder, "--engine", "local", "-D", "near")
    assert lines(folder / "far/path.csv") == lines(folder / "near/path.csv")


def jvms_of(folder: Path) -> list[str]:
    """Java processes whose files are below a folder, once those that were told to end had ten seconds to do so."""
    until = time.monotonic() + 10
    while (found := _jvms_of(folder)) and time.monotonic() < until:
        time.sleep(0.2)
    return found


def _jvms_of(folder: Path) -> list[str]:
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = file.read_bytes()
        except OSError:
            continue
        if b"java" in command and bytes(folder) in command:
            found.append(file.parent.name)
    return found


@pytest.mark.nightly
def test_a_project_is_analysed_on_spark_and_maintained_here(spark: Any, tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, FILES)

    def analyze(*arguments: str) -> dict[str, Any]:
        command = [
            sys.executable,
            "-c",
            "from ladder.cli import analyze_main; analyze_main()",
            str(root),
            "--analysis",
            CALLS,
            "--format",
            "json",
            *arguments,
        ]
        done = subprocess.run(
            command,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    far, near = analyze("--engine", "spark", "--extract", "spark", *LOCAL), analyze("--no-state")
    assert far["extracted_on"] == "spark" and (far["engine"]["on"], near["engine"]["on"]) == ("spark", "local")
    assert far["relations"] == near["relations"]
    write_atomically(root / "src/p/D.java", "package p; class D { void d() { d(); } }")
    again = analyze("--engine", "spark", *LOCAL, "--verify")
    assert (again["mode"], again["engine"]["on"], again["verified"]) == ("update", "local", True)
    assert again["relations"] == analyze("--no-state")["relations"]
