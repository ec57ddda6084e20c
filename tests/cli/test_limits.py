"""Every phase ends when a limit is reached: programs and facts that would take minutes or gigabytes, each in a process
of its own.

A case is a folder and a command. It must leave with exit code 3 or 4 and one sentence, soon after the limit, without
taking much more than it was allowed, and in the phase that is meant. Bounds are wide, for the machine may be busy: what
a run took is printed by `pytest -s`, and `benchmarks/limits.py` measures it with several limits.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ladder.support import limits
from ladder.support.exceeded import size_text
from tests.cli.limit_cases import CASES, ENVIRONMENT, PROBE, Case, measured, uncompiled

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at processes as Linux shows them")
MEGABYTES = 300
LATE = 8  # seconds more than the limit, on a machine that does other things as well
SLOWER = (1, 3, 9)
MORE = 1.25  # times the memory limit at most
ALWAYS = ("fixpoint", "functor swallows", "cat")  # the cases of every run of the tests


def parameters(which: str) -> list[object]:
    return [
        pytest.param(
            case,
            id=case.name,
            marks=[
                *([pytest.mark.nightly] if case.nightly else []),
                *([pytest.mark.spark] if case.spark else []),
                *([pytest.mark.slow] if case.name not in ALWAYS else []),
            ],
        )
        for case in CASES
        if getattr(case, which)
    ]


@pytest.mark.parametrize("case", parameters("time"))
def test_time(tmp_path: Path, case: Case) -> None:
    command = [*case.make(tmp_path), *case.options]
    for seconds in (case.least_seconds * more for more in SLOWER):  # a busy machine may not come to the phase so soon
        run = measured(tmp_path, command, seconds=seconds)
        print(f"{case.name} | time | {run.over(seconds):+.1f} s | {run.peak >> 20} MB | {run.code}")
        assert run.code == 3, run.said
        assert (
            f"Not finished within the time limit of {seconds} s" in run.said
            and "Traceback" not in run.said
            and run.said.count("\n") <= 3
        )
        assert run.over(seconds) < LATE
        if case.phase in run.calls:
            return
    raise AssertionError(f"{case.phase} was not reached: {run.calls}")


@pytest.mark.parametrize("case", parameters("memory"))
def test_memory(tmp_path: Path, case: Case) -> None:
    limit = case.megabytes << 20
    run = measured(tmp_path, [*case.make(tmp_path), *case.options], memory=limit)
    print(f"{case.name} | memory | {run.seconds:.1f} s | {run.peak >> 20} MB of {case.megabytes} | {run.code}")
    assert run.code == 4, run.said
    assert (
        f"The memory limit of {size_text(limit)} does not suffice" in run.said
        and "Traceback" not in run.said
        and run.said.count("\n") <= 3
    )
    assert case.phase in run.calls, run.calls
    assert run.peak < MORE * limit


GROWING = """
import subprocess, sys
if sys.argv[1:]:
    subprocess.run([sys.executable, "-c", "held = bytearray(b'x') * (64 << 20); print(flush=True); input()"])
else:
    subprocess.run(["/bin/sh", "-c", f"{sys.executable} {__file__} again; true"])
"""


def test_what_children_of_a_family_hold_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "growing.py").write_text(GROWING)
    monkeypatch.setattr(limits, "families", set())  # without the JVM of other tests
    before = limits.memory_in_use()
    with subprocess.Popen(
        [sys.executable, tmp_path / "growing.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stdin is not None
        process.stdout.readline()
        assert limits.memory_in_use() < before + (64 << 20)
        monkeypatch.setattr(limits, "families", {process.pid})
        assert limits.memory_in_use() > before + (64 << 20)
        process.stdin.write(b"\n")
    assert limits.memory_in_use() < before + (64 << 20)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ["ladder", "run", "p.dl", "-D", "-"],
        ["ladder", "run", "p.dl", "--show", "syntax"],
        ["ladder", "check", "p.dl", "--json"],
        ["analyze", ".", "--analysis", "linking", "--no-state", "--quiet", "--format", "json", "-j", "1"],
    ],
    ids=" ".join,
)
def test_output_that_nobody_takes(tmp_path: Path, command: list[str]) -> None:
    """A pipe that holds a page, and whose reader sleeps."""
    many = "".join(f".decl relation_{i}(x: number)\nrelation_{i}(x) :- n(x).\n" for i in range(100))
    (tmp_path / "p.dl").write_text(f".decl n(x: number)\nn(x) :- x = range(0, 9000).\n.output n\n{many}")
    for i in range(40):
        (tmp_path / f"C{i}.java").write_text("class C { int m( {")
    taking, output = os.pipe()
    fcntl.fcntl(output, fcntl.F_SETPIPE_SZ, 4096)
    try:
        done = subprocess.run(
            [sys.executable, "-P", PROBE, tmp_path, *command, "--time-limit", "5"],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
            env=ENVIRONMENT,
        )
    finally:
        os.close(output)
        os.close(taking)
    assert done.returncode == 3, done.stderr
    assert done.stderr.splitlines()[-1].startswith("ladder: Not finished within the time limit of 5 s.")
    assert done.stderr.count("time limit") == 1 and "Traceback" not in done.stderr


@pytest.mark.slow
def test_compiling_is_refused_at_once_where_there_is_no_room(tmp_path: Path) -> None:
    run = measured(tmp_path, uncompiled(tmp_path), memory=MEGABYTES << 20)
    assert run.code == 4 and run.said.count("\n") == 1, run.said
    assert "The memory limit of 300M does not suffice for compiling kernels" in run.said
    assert run.peak < MEGABYTES << 20


@pytest.mark.nightly
def test_compiling_keeps_to_the_memory_that_is_allowed(tmp_path: Path) -> None:
    run = measured(tmp_path, uncompiled(tmp_path), memory=420 << 20)
    print(f"compiling | memory | {run.seconds:.1f} s | {run.peak >> 20} MB of 420 | {run.code}")
    assert run.code == 0, run.said
    assert run.peak < 420 << 20
    again = measured(tmp_path, uncompiled(tmp_path), memory=MEGABYTES << 20)
    assert again.code == 0 and "compiling" not in again.said, again.said
