"""Nothing that a command has started outlives it, however and whenever it ends: Spark's scripts, its JVM, the daemon of
its Python workers and these."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from pathlib import Path

import pytest

from tests.marks import needs_spark

pytestmark = [
    pytest.mark.spark,
    pytest.mark.nightly,
    needs_spark,
    pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="processes are told by /proc"),
]

PROGRAM = """
.functor slow(x: number): number
.decl e(x: number, y: number)
.input e
.decl p(x: number, y: number)
.output p
p(@slow(x), y) :- e(x, y).
p(x, z) :- p(x, y), e(y, z).
"""
MARK = "LADDER_TEST_MARK"
WITHIN = 10.0  # seconds, on a machine that may be busy


class Run:
    """A command on Spark, whose processes are found again by a variable of their environment."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.mark = uuid.uuid4().hex
        (folder / "p.dl").write_text(PROGRAM)
        (folder / "slow.py").write_text("import time\ndef slow(x):\n    time.sleep(0.5)\n    return x\n")
        (folder / "e.facts").write_text("".join(f"{i}\t{i + 1}\n" for i in range(200)))
        command = [
            str(Path(sys.executable).with_name("ladder")),
            "run",
            "p.dl",
            "--functors",
            "slow.py",
            "-D",
            "-",
            "--engine",
            "spark",
            "--master",
            "local[2]",
            "--spark-conf",
            "spark.driver.memory=700m",
            *options,
        ]
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, MARK: self.mark, "TMPDIR": str(folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def processes(self) -> dict[int, str]:
        """Process id → command line."""
        found = {}
        for folder in Path("/proc").iterdir():
            with suppress(OSError, ValueError):
                if f"{MARK}={self.mark}".encode() in (folder / "environ").read_bytes():
                    found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        return {pid: line for pid, line in found.items() if line}

    def reach(self, what: str) -> None:
        """Wait until a process is there whose command line this pattern is found in."""
        until = time.monotonic() + 240
        while not any(re.search(what, line) for line in self.processes().values()):
            assert self.process.poll() is None and time.monotonic() < until, f"no {what}"
            time.sleep(0.05)

    def left(self) -> dict[int, str]:
        """What is still there some seconds after the end."""
        until = time.monotonic() + WITHIN
        while (left := self.processes()) and time.monotonic() < until:
            time.sleep(0.1)
        for pid in left:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        return left


# what the scripts run first, JVM, Python workers
PHASES = (r"launcher\.Main", r"java (?!.*launcher\.Main).*SparkSubmit", r"pyspark\.daemon")


@pytest.mark.parametrize("phase", PHASES, ids=["scripts", "JVM", "workers"])
@pytest.mark.parametrize("which", ["first", "last"])
def test_a_killed_command_leaves_nothing(tmp_path: Path, phase: str, which: str) -> None:
    """A command may be two processes, one that works and one that waits for it: either is killed."""
    run = Run(tmp_path)
    run.reach(phase)
    own = sorted(pid for pid, line in run.processes().items() if " run p.dl " in line and "java" not in line)
    os.kill(own[0] if which == "first" else own[-1], signal.SIGKILL)
    assert run.left() == {}


@pytest.mark.parametrize("phase", PHASES, ids=["scripts", "JVM", "workers"])
def test_an_interrupted_command_leaves_nothing(tmp_path: Path, phase: str) -> None:
    run = Run(tmp_path)
    run.reach(phase)
    run.process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, printed = run.process.communicate(timeout=60)
    assert run.process.returncode == 130 and "interrupted" in printed and "Traceback" not in printed, printed
    assert time.monotonic() - began < WITHIN and run.left() == {} and not list(tmp_path.glob("ladder-*"))


@pytest.mark.parametrize("seconds", [1, 2, 4, 20])
def test_a_command_whose_time_is_up_leaves_nothing(tmp_path: Path, seconds: int) -> None:
    """The start of the JVM is a phase like any other."""
    began = time.monotonic()
    run = Run(tmp_path, "--time-limit", str(seconds))
    _, printed = run.process.communicate(timeout=120)
    assert (
        run.process.returncode == 3
        and f"Not finished within the time limit of {seconds} s." in printed
        and "Traceback" not in printed
    ), printed
    assert time.monotonic() - began < seconds + WITHIN and run.left() == {} and not list(tmp_path.glob("ladder-*"))
