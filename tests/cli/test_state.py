"""`ladder run --state`: what a run keeps, what the next one makes of it, and how runs end that may not go on."""

from __future__ import annotations

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ladder.support.files
from ladder import cli
from ladder.engine.local.saved.format import FORMAT
from ladder.support.tuning import Saving, Tuning

from ..engine.forging import point

MAIN = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from ladder.cli import main; main()"
COMMAND = [sys.executable, "-c", MAIN, "run", "p.dl", "--state", "st"]
PATH = {"PYTHONPATH": str(Path(cli.__file__).parents[2])}
CLOSURE = """
.decl e(x: number, y: number)
.input e
.decl s(x: number)
.input s
.decl p(x: number, y: number)
.output p
p(x, y) :- e(x, y).
p(x, z) :- p(x, y), e(y, z).
.decl many(a: number, b: number, c: number)
many(a, b, c) :- s(a), s(b), s(c).
.printsize many
"""
HOLDER = """
import sys
from pathlib import Path
from ladder.support.locks import locked
sys.argv = ["other", "run"]
with locked(Path("st/lock"), "it"):
    print("held", flush=True)
    sys.stdin.read()
"""
SMALL, HUGE = "1\n2\n", "".join(f"{i}\n" for i in range(2000))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("p.dl").write_text(CLOSURE)
    write([(1, 2), (2, 3)])
    Path("s.facts").write_text(SMALL)
    return tmp_path


def write(edges: list[tuple[int, int]]) -> None:
    Path("e.facts").write_text("".join(f"{x}\t{y}\n" for x, y in edges))


def run(capfd: pytest.CaptureFixture[str], *options: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as leaving:
        cli.main([*COMMAND[3:], *options])
    return int(leaving.value.code or 0), capfd.readouterr().err


def rows() -> set[tuple[int, ...]]:
    return {tuple(map(int, line.split("\t"))) for line in Path("p.csv").read_text().splitlines()}


def closure(edges: list[tuple[int, int]]) -> set[tuple[int, ...]]:
    found = set(edges)
    while more := {(x, z) for x, y in found for w, z in edges if w == y} - found:
        found |= more
    return set(found)


def test_later_runs_compute_what_changed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, err = run(capfd)
    assert code == 0 and "bootstrap in" in err and rows() == closure([(1, 2), (2, 3)])
    write([(2, 3), (3, 4), (3, 4)])
    code, err = run(capfd)
    assert code == 0 and "update in" in err and "6 rows came or went" in err
    assert "  e: +1 -1\n" in err and "  p: +2 -2\n" in err and rows() == closure([(2, 3), (3, 4)])
    assert {"base-1", "log-1-1"} < {path.name for path in Path("st").iterdir()}
    code, err = run(capfd)
    assert code == 0 and "0 rows came or went" in err and not Path("st/log-1-2").exists()
    random_edges = random.Random(3)
    for _ in range(4):
        edges = [(random_edges.randrange(9), random_edges.randrange(9)) for _ in range(random_edges.randrange(12))]
        write(edges)
        assert run(capfd)[0] == 0 and rows() == closure(edges)


@pytest.mark.parametrize("damage", ["noise", "cut", "current", "version"])
def test_a_state_that_cannot_be_used_is_replaced(folder: Path, capfd: pytest.CaptureFixture[str], damage: str) -> None:
    run(capfd)
    base, current = Path("st/base-1"), Path("st/CURRENT")
    data = base.read_bytes()
    if damage == "noise":
        base.write_bytes(data[:-3000] + random.Random(1).randbytes(2000) + data[-1000:])
    elif damage == "cut":
        base.write_bytes(data[: len(data) // 2])
    elif damage == "version":
        point(Path("st"), format=FORMAT + 1)
    else:
        current.write_text(json.dumps({"current": "{}", "checksum": 5}))
    write([(5, 6)])
    code, err = run(capfd)
    assert code == 0 and "not used" in err and "anew" in err and rows() == {(5, 6)}
    write([(5, 6), (6, 7)])
    code, err = run(capfd)
    assert code == 0 and "update in" in err and rows() == closure([(5, 6), (6, 7)])


def test_a_folder_of_other_things_is_left_alone(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("st").mkdir()
    Path("st/thesis.txt").write_text("mine")
    code, err = run(capfd)
    assert code == 2 and "thesis.txt" in err and [path.name for path in Path("st").iterdir()] == ["thesis.txt"]


def test_one_process_at_a_time(
    folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capfd)
    monkeypatch.setattr("ladder.session.maintained.DEFAULT", Tuning(saving=Saving(patience=0.3)))
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | PATH
    ) as holder:
        try:
            assert holder.stdout is not None and holder.stdout.readline() == "held\n"
            code, err = run(capfd)
            assert code == 2 and f"process {holder.pid} on " in err and "other run" in err and "Waiting" in err
        finally:
            holder.kill()  # and the system lets go of the lock
    assert run(capfd)[0] == 0


@pytest.mark.parametrize(
    ("limit", "code", "message"),
    [
        pytest.param(["--time-limit", "4"], 3, "time limit of 4 s", marks=pytest.mark.slow),
        pytest.param(["--memory-limit", "400M"], 4, "memory limit of 400M", marks=pytest.mark.slow),
        ([], 130, "interrupted"),
    ],
)
def test_limits_and_interruption_leave_the_old_state(
    folder: Path, capfd: pytest.CaptureFixture[str], limit: list[str], code: int, message: str
) -> None:
    run(capfd)
    before = {path.name: path.read_bytes() for path in Path("st").iterdir() if path.name != "lock"}
    Path("s.facts").write_text(HUGE)
    last = Path("st/lock").read_text()
    with subprocess.Popen([*COMMAND, *limit], stderr=subprocess.PIPE, text=True, env=os.environ | PATH) as process:
        try:
            if not limit:
                while Path("st/lock").read_text() in ("", last) and process.poll() is None:  # the work has not begun
                    time.sleep(0.1)
                time.sleep(1)
                process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == code and message in err and "is as it was" in err and "Traceback" not in err
    assert before == {path.name: path.read_bytes() for path in Path("st").iterdir() if path.name != "lock"}
    Path("s.facts").write_text(SMALL + "3\n")
    again, err = run(capfd)
    assert again == 0 and "update in" in err and "many" not in err.split("rows came", maxsplit=1)[0]


def test_a_disk_that_is_full(folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A device on which every write fails takes what is written to the next file, log or base."""
    run(capfd)
    before = Path("st/CURRENT").read_bytes()
    write([(7, 8)])
    with monkeypatch.context() as patch:

        def on_a_full_disk(_: int, data: bytes, __: int) -> int:
            with open("/dev/full", "wb", buffering=0) as full:
                return full.write(data)

        patch.setattr(ladder.support.files.os, "pwrite", on_a_full_disk)
        code, err = run(capfd)
    assert code == 2 and os.strerror(errno.ENOSPC) in err and "The old one stands" in err
    assert Path("st/CURRENT").read_bytes() == before and {path.name for path in Path("st").iterdir()} == {
        "CURRENT",
        "lock",
        "base-1",
    }
    assert run(capfd)[0] == 0 and rows() == {(7, 8)}


def test_a_state_of_another_form(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who has the facts evaluates anew, and says why; who has the state alone is told what fixes it."""

    def ended(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            cli.main(arguments)
        out, err = capsys.readouterr()
        return int(left.value.code or 0), out, err

    assert ended("run", "p.dl", "--state", "st", "-D", "-")[0] == 0
    point(Path("st"), format=FORMAT - 1)
    code, _, said = ended("tables", "st", "--program", "p.dl")
    assert code == 2 and said.count("\n") == 1
    assert (
        f"another version of Ladder, in another form than number {FORMAT}. Remove it, or run again to rebuild it."
        in said
    )
    code, out, said = ended("run", "p.dl", "--state", "st", "-D", "-")
    assert code == 0 and "1\t3" in out and "Everything is computed anew" in said
    assert ended("tables", "st", "--program", "p.dl")[0] == 0
