"""Faults at every step of saving and opening, as SQLite tests them: the old state or the new one, and one
clear error."""

from __future__ import annotations

import errno
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.errors import LadderError, OutOfMemory, StateError
from ladder.support.tuning import Evaluating, Tuning

from ..marks import slow_after
from .disks import Disk, recording
from .failing import Count, failing, out_of_memory
from .stepwise import TEXT, change, keeping, same, scratch

PARTS = ("CURRENT", "lock", "base-", "log-")


@pytest.fixture(scope="module")
def program() -> Program:
    return Program.parse(TEXT)


@pytest.fixture(scope="module")
def saved_twice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base and a log; the note is the number of the last change."""
    folder, db = tmp_path_factory.mktemp("saved") / "s", scratch(0)
    db.save(folder, "0")
    change(db, 1)
    db.save(folder, "1")
    return folder


def is_state(folder: Path, program: Program, *notes: str) -> str:
    """The note of the state in a folder, which is one of these, and its rows those that belong to it."""
    db = Database.open(folder, program)
    assert db.note in notes and same(db, scratch(int(db.note)))
    return db.note


def every_step(attempt: Callable[[Count, Path], bool], tmp_path: Path, stride: int, for_ever: bool) -> int:
    """Let each step fail in turn until none is left; how many there were. `attempt`: whether something failed."""
    at = 1
    while True:
        folder = tmp_path / f"{at}"
        failed = attempt(Count(at, for_ever), folder)
        shutil.rmtree(folder)
        if not failed:
            return at
        at += stride


def check_save(
    saved_twice: Path,
    program: Program,
    tmp_path: Path,
    fault: Callable[[Count, Path], object],
    stride: int,
    for_ever: bool,
    logs: int,
) -> int:
    """A save that fails leaves the old state or the new one, and one that goes on from there, in this process or
    another, succeeds."""

    def attempt(count: Count, folder: Path) -> bool:
        shutil.copytree(saved_twice, folder)
        db, raised = Database.open(folder, program, tuning=keeping(logs)), None
        change(db, 2)
        with fault(count, folder):  # type: ignore[attr-defined]
            try:
                db.save(folder, "2")
            except (LadderError, MemoryError) as error:
                raised = error
        assert (raised is None) or isinstance(raised, StateError | MemoryError), raised
        note = is_state(folder, program, "1", "2")
        assert note == "2" or raised is not None
        # what is left over harms nobody: this process saves, and so does the next one
        change(db, 3)
        db.save(folder, "3")
        assert is_state(folder, program, "3") and all(path.name.startswith(PARTS) for path in folder.iterdir())
        other = Database.open(folder, program, tuning=keeping(logs))
        change(other, 4)
        other.save(folder, "4")
        assert is_state(folder, program, "4")
        assert len(list(folder.glob("base-*"))) == 1
        return count.failed > 0

    return every_step(attempt, tmp_path, stride, for_ever)


@pytest.mark.parametrize("for_ever", slow_after(1, [False, True]))
@pytest.mark.parametrize("logs", [40, 0], ids=["log", "base"])
def test_calls_of_the_system_that_fail_in_a_save(
    saved_twice: Path, program: Program, tmp_path: Path, logs: int, for_ever: bool
) -> None:
    assert (
        check_save(
            saved_twice, program, tmp_path, lambda count, folder: failing(count, None, folder), 7, for_ever, logs
        )
        > 20
    )


@pytest.mark.nightly
@pytest.mark.parametrize(
    "code", [errno.ENOSPC, errno.EIO, errno.EINTR, errno.EACCES, errno.ENOENT, errno.EMFILE, errno.EDQUOT]
)
@pytest.mark.parametrize("logs", [40, 0], ids=["log", "base"])
def test_every_error_at_every_step_of_a_save(
    saved_twice: Path, program: Program, tmp_path: Path, logs: int, code: int
) -> None:
    for for_ever in (False, True):
        steps = check_save(
            saved_twice, program, tmp_path, lambda count, folder: failing(count, code, folder), 1, for_ever, logs
        )
        print(f"save, logs {logs}, {errno.errorcode[code]}, for ever {for_ever}: {steps} steps")


@pytest.mark.parametrize("logs", [40, 0], ids=["log", "base"])
def test_writes_that_write_less(saved_twice: Path, program: Program, tmp_path: Path, logs: int) -> None:
    shutil.copytree(saved_twice, tmp_path / "s")
    db = Database.open(tmp_path / "s", program, tuning=keeping(logs))
    change(db, 2)
    with failing(Count(1, for_ever=True), None, tmp_path / "s", short=True):
        db.save(tmp_path / "s", "2")
    assert is_state(tmp_path / "s", program, "2")


@pytest.mark.parametrize("stride", [61, pytest.param(1, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("logs", slow_after(1, [40, 0]), ids=["log", "base"])
def test_memory_that_is_not_there_in_a_save(
    saved_twice: Path, program: Program, tmp_path: Path, logs: int, stride: int
) -> None:
    for for_ever in (False, True)[: 1 if stride > 1 else 2]:
        steps = check_save(
            saved_twice, program, tmp_path, lambda count, folder: out_of_memory(count), stride, for_ever, logs
        )
        print(f"save, logs {logs}, memory, for ever {for_ever}: {steps} steps")


def check_open(
    saved_twice: Path, program: Program, fault: Callable[[Count], object], stride: int, for_ever: bool
) -> int:
    """An opening that fails says so, and leaves the state as it was."""
    at = 1
    while True:
        count, db, raised = Count(at, for_ever), None, None
        with fault(count):  # type: ignore[attr-defined]
            try:
                db = Database.open(saved_twice, program)
            except (LadderError, MemoryError) as error:  # commands make a sentence of it, with an exit code of its own
                raised = error
        assert (db is None) == isinstance(raised, StateError | MemoryError | OutOfMemory), raised
        assert db is None or same(db, scratch(1))
        if not count.failed:
            assert db is not None and is_state(saved_twice, program, "1")
            return at
        at += stride


@pytest.mark.parametrize("for_ever", [False, True])
def test_calls_of_the_system_that_fail_while_a_state_is_opened(
    saved_twice: Path, program: Program, for_ever: bool
) -> None:
    assert check_open(saved_twice, program, lambda count: failing(count, None, saved_twice), 1, for_ever) > 4


@pytest.mark.parametrize("stride", [97, pytest.param(1, marks=pytest.mark.nightly)])
def test_memory_that_is_not_there_while_a_state_is_opened(saved_twice: Path, program: Program, stride: int) -> None:
    for for_ever in (False, True):
        print(
            f"open, memory, for ever {for_ever}: {check_open(saved_twice, program, out_of_memory, stride, for_ever)} "
            "steps"
        )


@pytest.mark.slow
@pytest.mark.parametrize("stride", [29, pytest.param(1, marks=pytest.mark.nightly)])
def test_memory_that_is_not_there_in_an_update_that_compacts(
    saved_twice: Path, program: Program, tmp_path: Path, stride: int
) -> None:
    """What is on the disk is not touched by an update; in memory there is the old state, the new one, or an error from
    then on."""
    tuning, at = Tuning(evaluating=Evaluating(compacted_from=1, compacted_share=100)), 1
    while True:
        db, count = Database.open(saved_twice, program, tuning=tuning), Count(at)
        change(db, 2)
        try:
            with out_of_memory(count):
                change(db, 3)
        except (MemoryError, LadderError):
            pass
        if not count.failed:
            print(f"update with compaction, memory: {at} steps")
            return
        folder = tmp_path / f"{at}"
        try:
            number = 3 if same(db, scratch(3)) else 2
            change(db, 3)
            db.save(folder, "3")
        except LadderError:
            number = 0
        if number:
            assert is_state(folder, program, "3")
            shutil.rmtree(folder)
        assert is_state(saved_twice, program, "1")
        at += stride


# ---- crashes


def crash(
    saved_twice: Path | None, program: Program, tmp_path: Path, several: int, seed: int = 1, logs: int = 40
) -> int:
    """Every disk that a crash in a save may leave opens as the old state or the new one; how many there were."""
    folder, other, source, disks, done = tmp_path / "s", tmp_path / "other", random.Random(seed), 0, False
    if saved_twice is not None:
        shutil.copytree(saved_twice, folder)
    db = Database.open(folder, program, tuning=keeping(logs)) if saved_twice is not None else scratch(2)
    if saved_twice is not None:
        change(db, 2)
    else:
        folder.mkdir(parents=True)
    seen: set[int] = set()
    waiting: list[tuple[dict[str, bytes], bool]] = []

    def stopped(disk: Disk) -> None:
        for left in disk.crashes(source, several):
            left.pop("lock", None)
            key = hash((tuple(sorted(left.items())), done))
            if key not in seen:
                seen.add(key)
                waiting.append((left, done))

    with recording(folder, stopped) as disk:
        db.save(folder, "2")
        done = True  # the save has returned: whatever happens now, its state is there
        stopped(disk)
    for left, returned in waiting:
        shutil.rmtree(other, ignore_errors=True)
        other.mkdir()
        for name, content in left.items():
            (other / name).write_bytes(content)
            (other / name).chmod(0o600)
        disks += 1
        if saved_twice is None and not returned and "CURRENT" not in left:
            with pytest.raises(StateError, match="no complete state"):
                Database.open(other, program)
            again = scratch(3)
        else:
            again = Database.open(other, program, tuning=keeping(logs))
            assert again.note == "2" or (again.note == "1" and not returned), (again.note, returned, sorted(left))
            assert same(again, scratch(int(again.note)))
            if again.note == "1":
                change(again, 2)
            change(again, 3)
        if disks % 5 == 0:
            again.save(other, "3")
            assert is_state(other, program, "3") and all(path.name.startswith(PARTS) for path in other.iterdir())
    return disks


@pytest.mark.parametrize("logs", slow_after(1, [40, 0]), ids=["log", "base"])
def test_disks_after_a_crash(saved_twice: Path, program: Program, tmp_path: Path, logs: int) -> None:
    assert crash(saved_twice, program, tmp_path, 0, logs=logs) > 10


@pytest.mark.slow
def test_disks_after_a_crash_in_the_first_save(program: Program, tmp_path: Path) -> None:
    assert crash(None, program, tmp_path, 0) > 3


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10))
def test_many_disks_after_a_crash(saved_twice: Path, program: Program, tmp_path: Path, seed: int) -> None:
    found = 0
    for logs, before in ((40, saved_twice), (0, saved_twice), (40, None)):
        found += crash(before, program, tmp_path / f"{logs} {before is None}", 12, seed, logs)
    print(f"disks after crashes, seed {seed}: {found}")
