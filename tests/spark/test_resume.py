"""The command line on Spark: runs that are killed, or lack memory or room, leave the previous state as it was, and
`--resume` goes on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from tests.marks import needs_spark

from .cluster import ROOT

pytestmark = [pytest.mark.spark, needs_spark]

PROGRAM = """
.decl edge(a: symbol, b: symbol)
.input edge
.decl path(a: symbol, b: symbol)
.output path
path(a, b) :- edge(a, b).
path(a, c) :- path(a, b), edge(b, c).
"""
SPARK = (
    "--engine",
    "spark",
    "--master",
    "local[2]",
    "--spark-conf",
    "spark.driver.memory=600m",
    "--spark-conf",
    "spark.ladder.checkpoint.every=2",
)
PATIENCE = 300.0


def ladder(*arguments: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "import sys; from ladder.cli import main; sys.exit(main())", *map(str, arguments)]
    return subprocess.Popen(
        command, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def chain(folder: Path, length: int) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "edge.facts").write_text("".join(f"n{i}\tn{i + 1}\n" for i in range(length)))
    return folder


@pytest.mark.nightly
def test_a_killed_run_leaves_the_previous_state_and_is_resumed(tmp_path: Path) -> None:
    program, state, out = tmp_path / "p.dl", tmp_path / "state", tmp_path / "out"
    program.write_text(PROGRAM)
    first = ladder("run", program, "-F", chain(tmp_path / "small", 4), "-D", out, "--state", state, *SPARK)
    assert first.wait(PATIENCE) == 0, first.communicate()[1]
    assert len((out / "path.csv").read_text().splitlines()) == 10
    saved = {file: file.read_bytes() for file in sorted(state.rglob("*")) if file.is_file()}
    checkpoints = tmp_path / "checkpoints"
    larger = chain(tmp_path / "large", 30)
    killed = ladder("run", program, "-F", larger, "-D", out, "--checkpoint", checkpoints, *SPARK)
    deadline = time.monotonic() + PATIENCE
    while not list(checkpoints.glob("checkpoint-*.json")):
        assert killed.poll() is None and time.monotonic() < deadline, killed.communicate()[1]
        time.sleep(0.05)
    killed.kill()
    killed.communicate()
    assert {file: file.read_bytes() for file in sorted(state.rglob("*")) if file.is_file()} == saved
    assert len((out / "path.csv").read_text().splitlines()) == 10
    refused = ladder(
        "run", program, "-F", chain(tmp_path / "other", 31), "-D", out, "--checkpoint", checkpoints, "--resume", *SPARK
    )
    _, said = refused.communicate(timeout=PATIENCE)
    assert refused.returncode == 2 and "is of other facts" in said
    resumed = ladder("run", program, "-F", larger, "-D", out, "--checkpoint", checkpoints, "--resume", *SPARK)
    _, said = resumed.communicate(timeout=PATIENCE)
    assert resumed.returncode == 0, said
    assert len((out / "path.csv").read_text().splitlines()) == 30 * 31 // 2
    assert not checkpoints.exists()


LARGE = """
.decl edge(a: symbol, b: symbol)
.input edge
.decl path(a: symbol, b: symbol)
.output path
.decl many(n: number)
.output many
path(a, b) :- edge(a, b).
path(a, c) :- path(a, b), path(b, c).
many(n) :- edge("n9", b), n = range(0, 200000000 + strlen(b)), n < 3.
"""
ANEW = ("--strategy", "recompute", "--quiet")


def saved(folder: Path, text: str) -> tuple[Path, Path]:
    """A program, and its state on a small chain."""
    program, state = folder / "p.dl", folder / "state"
    program.write_text(text)
    db = Database(Program.load(program), strategy="recompute")
    db.load(chain(folder / "first", 4))
    db.save(state)
    return program, state


def reopened(program: Path, state: Path) -> int:
    """Rows of path in a state."""
    return len(Database.open(state, Program.load(program), strategy="recompute")["path"])


@pytest.mark.nightly
def test_spark_has_no_room_for_what_it_spills(tmp_path: Path, small_disk: Path) -> None:
    program, state = saved(tmp_path, PROGRAM)
    failed = ladder(
        "run",
        program,
        "-F",
        chain(tmp_path / "large", 500),
        "-D",
        tmp_path / "out",
        "--state",
        state,
        *SPARK,
        *ANEW,
        "--spark-conf",
        f"spark.local.dir={small_disk}",
    )
    _, said = failed.communicate(timeout=PATIENCE)
    assert failed.returncode == 2
    assert said.splitlines()[-1].startswith(
        f"ladder: The disk that Spark spills to is full (spark.local.dir {small_disk}). Free some space there"
    )
    assert "Exception" not in said and "\tat " not in said
    assert reopened(program, state) == 10


@pytest.mark.nightly
def test_the_jvm_has_too_little_memory(tmp_path: Path) -> None:
    program, state = saved(tmp_path, LARGE)
    failed = ladder(
        "run", program, "-F", chain(tmp_path / "large", 12), "-D", tmp_path / "out", "--state", state, *SPARK, *ANEW
    )
    _, said = failed.communicate(timeout=PATIENCE)
    assert failed.returncode == 4
    # A JVM that is about to end may, or may not, still tell in which task.
    pattern = r"ladder: (Spark's JVM|An executor of Spark) has used up its memory\. Allow more with --memory-limit"
    assert re.match(pattern, said.splitlines()[-1])
    assert "Exception" not in said and "\tat " not in said
    assert reopened(program, state) == 10


@pytest.mark.nightly
def test_a_run_is_killed_while_it_writes_the_state(tmp_path: Path) -> None:
    program, state = saved(tmp_path, PROGRAM)
    current = (state / "CURRENT").read_bytes()
    run = ("run", program, "-F", chain(tmp_path / "large", 30), "-D", tmp_path / "out", "--state", state, *SPARK, *ANEW)
    killed = ladder(*run)
    deadline = time.monotonic() + PATIENCE
    while not list(state.glob("tables-*/**/*.parquet")):
        assert killed.poll() is None and time.monotonic() < deadline, killed.communicate()[1]
        time.sleep(0.01)
    killed.kill()
    killed.communicate()
    assert (state / "CURRENT").read_bytes() == current and not list(state.glob("tables-*/MANIFEST"))
    assert reopened(program, state) == 10
    again = ladder(*run)
    _, said = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, said
    assert reopened(program, state) == 30 * 31 // 2
    assert len(list(state.glob("tables-*"))) == 1
