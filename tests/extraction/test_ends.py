"""However an extraction in processes ends, it ends at once, says so, and leaves no process behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ladder.errors import ExtractionError, TimedOut
from ladder.facts.packs.layout import FileRow
from ladder.facts.packs.store import FactTables
from ladder.frontends.java import FRONT_END
from ladder.project.extraction import local
from ladder.project.extraction.batch import Job, layout
from ladder.project.files import Project
from ladder.support.limits import Limits, guarded
from ladder.support.tuning import Extracting

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="needs /proc to see which processes are left"
)
COMMAND = [
    str(Path(sys.executable).with_name("analyze")),
    ".",
    "--analysis",
    "constprop",
    "--extract",
    "local",
    "-j",
    "2",
    "--no-state",
    "--quiet",
]
BUSY = "class C%d { int m(int a) { " + "a = a * 3 + (a ^ 7) - (a << 2); " * 2000 + "return a; } }"
PATIENCE = 20  # seconds; the machine may be busy


class Stuck(Job):
    """A job that does not come back from one file."""

    def row(self, path: str, hash_: str) -> FileRow:
        if path == "C3.java":
            (Path(self.folder).parent / f"{os.getpid()}.stuck").touch()
            while True:
                pass
        return super().row(path, hash_)


class Mortal(Job):
    """A job whose every process dies."""

    def row(self, path: str, hash_: str) -> FileRow:
        os.kill(os.getpid(), signal.SIGSEGV)
        return super().row(path, hash_)


class Once(Job):
    """A job whose process dies at a file, but not again."""

    def row(self, path: str, hash_: str) -> FileRow:
        mark = Path(self.folder).parent / "died"
        if path == "C3.java" and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().row(path, hash_)


def of_session(session: int) -> list[str]:
    """The processes of a session that have not ended, with their commands."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] != "Z":
                found.append((folder / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


def nothing_left(session: int) -> bool:
    until = time.monotonic() + PATIENCE
    while of_session(session) and time.monotonic() < until:
        time.sleep(0.05)
    return not of_session(session)


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose extraction takes seconds in each of two processes."""
    folder = tmp_path_factory.mktemp("busy")
    for i in range(60):
        (folder / f"C{i}.java").write_text(BUSY % i)
    return folder


def ended_by(folder: Path, number: signal.Signals, after: float, whole_group: bool, *options: str) -> tuple[int, str]:
    """Run the command and send a signal after some seconds → (exit code, what it said)."""
    with subprocess.Popen(
        [*COMMAND, *options],
        cwd=folder,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(after)
        (os.killpg if whole_group else os.kill)(process.pid, number)
        began = time.monotonic()
        try:
            process.wait(PATIENCE)
            assert nothing_left(process.pid), of_session(process.pid)
            return process.returncode, process.stderr.read()
        finally:
            if of_session(process.pid):
                os.killpg(process.pid, signal.SIGKILL)
            assert time.monotonic() - began < 2 * PATIENCE


def check(folder: Path, draw: random.Random) -> None:
    number, group = draw.choice(
        [
            (signal.SIGINT, True),
            (signal.SIGINT, False),
            (signal.SIGTERM, False),
            (signal.SIGTERM, True),
            (signal.SIGKILL, False),
        ]
    )
    code, said = ended_by(folder, number, draw.uniform(0.1, 4), group)
    if number == signal.SIGINT and code == 130:
        assert "interrupted" in said and "Traceback" not in said
    else:
        # before the command has begun it is Python's
        assert code == -number or (number == signal.SIGINT and code in (1, 130))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_signals_at_any_time(busy: Path, seed: int) -> None:
    check(busy, random.Random(seed))


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10, 70))
def test_many_signals_at_any_time(busy: Path, seed: int) -> None:
    check(busy, random.Random(seed))


def test_a_time_limit_ends_it(busy: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "--time-limit", "2.5"],
        cwd=busy,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.wait(PATIENCE) == 3
        assert "Not finished within the time limit of 2.5 s" in process.stderr.read()
        assert nothing_left(process.pid)


class Lonely(Job):
    """A job whose processes die at two files, but not again, and that notes whether these are then read at the same
    time. The other files are read once there are three processes."""

    def row(self, path: str, hash_: str) -> FileRow:
        folder = Path(self.folder).parent
        if path not in ("C0.java", "C1.java"):
            (folder / f"{os.getpid()}.reads").touch()
            while len(list(folder.glob("*.reads"))) < 3:
                time.sleep(0.01)
            return super().row(path, hash_)
        if not (folder / f"{path}.died").exists():
            (folder / f"{path}.died").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if list(folder.glob("*.again")):
            (folder / f"{path}.beside").touch()
        (folder / f"{path}.again").touch()
        time.sleep(0.5)
        (folder / f"{path}.again").unlink()
        return super().row(path, hash_)


class Clock:
    """Stands in for the module `time`: a second passes with each look at it, but only while some process is stuck, so
    however slow the machine is no other file takes long."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._now = folder, 0.0

    def monotonic(self) -> float:
        self._now += any(state_of(file.stem) not in "ZX" for file in self._folder.glob("*.stuck"))
        return self._now


def state_of(pid: str) -> str:
    """The state of a process as Linux tells it; X where it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def tables(tmp_path: Path, kind: type[Job], files: int = 9) -> tuple[Job, list[tuple[str, str]]]:
    for i in range(files):
        (tmp_path / f"C{i}.java").write_text(f"class C{i} {{}}")
    found = Project(tmp_path)
    return kind(
        found.source, str(FactTables(tmp_path / "facts", layout(FRONT_END)).folder), FRONT_END, layout(FRONT_END)
    ), list(found.snapshot().files)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_limit_inside_a_file_is_no_diagnostic(tmp_path: Path, jobs: int) -> None:
    job, files = tables(tmp_path, Stuck)
    began = time.monotonic()
    with pytest.raises(TimedOut), guarded(Limits(seconds=1.5)):
        job.run(files) if jobs == 1 else local.extract(job, files, jobs, lambda done: None)
    assert time.monotonic() - began < PATIENCE


@pytest.mark.slow
def test_a_worker_that_hangs_costs_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "time", Clock(tmp_path / "facts"))
    job, files = tables(tmp_path, Stuck)
    job = replace(job, tuning=Extracting(look=0.01, end_seconds=10 * PATIENCE))
    entries = {entry.hash: entry for entry in local.extract(job, files, 2, lambda done: None)}
    assert [path for path, hash_ in files if entries[hash_].parser == "none"] == ["C3.java"]
    assert "the process reading it died (SIGKILL)" in entries[dict(files)["C3.java"]].diagnostics[0][3]
    assert len(list((tmp_path / "facts").glob("*.stuck"))) == 2  # it was tried once more


@pytest.mark.slow
def test_files_at_which_workers_ended_are_tried_with_nothing_beside_them(tmp_path: Path) -> None:
    """Though as many processes as before are still there."""
    job, files = tables(tmp_path, Lonely)
    entries = local.extract(job, files, 3, lambda done: None)
    assert {entry.parser for entry in entries} == {"javalang"}
    assert [path.name for path in sorted((tmp_path / "facts").glob("C*.*.*"))] == ["C0.java.died", "C1.java.died"]


@pytest.mark.slow
def test_one_death_is_not_held_against_a_file(tmp_path: Path) -> None:
    job, files = tables(tmp_path, Once)
    done: list[int] = []
    entries = local.extract(job, files, 2, done.append)
    assert {entry.parser for entry in entries} == {"javalang"} and len(entries) == sum(done) == 9


def test_no_process_that_lives_is_an_error(tmp_path: Path) -> None:
    job, files = tables(tmp_path, Mortal, 4)
    with pytest.raises(ExtractionError, match="No process that reads files stays alive"):
        local.extract(job, files, 2, lambda done: None)
