"""Saved states that were interrupted, damaged, or made by others: the old state, the new one, or a `StateError`."""

from __future__ import annotations

import os
import pickle
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.local.saved import base as saved_base
from ladder.engine.local.saved import cells as saved_cells
from ladder.engine.local.saved import checks as saved_checks
from ladder.engine.local.saved import core as saved_core
from ladder.engine.local.saved import imported
from ladder.engine.local.saved import log as saved_log
from ladder.engine.local.saved import parts as saved_parts
from ladder.engine.local.saved import state as saved
from ladder.engine.local.saved import tables as saved_tables
from ladder.engine.local.saved import values as saved_values
from ladder.engine.local.saved.format import MAGIC
from ladder.engine.local.saved.parts import HEAD, digest_of, place_of_header
from ladder.errors import LadderError, StateError

from ..engine.forging import Forged, current_of, files_of, point, put, sealed
from ..marks import slow_after
from .stepwise import TEXT, change, keeping, same, scratch


@pytest.fixture(scope="module")
def program() -> Program:
    return Program.parse(TEXT)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A base and two logs; the note is the number of the last change."""
    db = scratch(0)
    for number in range(3):
        if number:
            change(db, number)
        db.save(tmp_path / "state", str(number))
    assert {p.name for p in (tmp_path / "state").iterdir()} == {"CURRENT", "lock", "base-1", "log-1-1", "log-1-2"}
    return tmp_path / "state"


# ---- interrupted


class Killed(BaseException):
    pass


def killing(monkeypatch: pytest.MonkeyPatch, after: int, error: type[BaseException]) -> list[int]:
    """From the `after`-th on, steps of a save fail: nothing reaches the disk any more."""
    steps = [0]

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        def step(*arguments: Any, **options: Any) -> Any:
            steps[0] += 1
            if steps[0] > after:
                raise error
            return function(*arguments, **options)

        return step

    monkeypatch.setattr(os, "fsync", wrap(os.fsync))
    monkeypatch.setattr(os, "replace", wrap(os.replace))
    monkeypatch.setattr(Path, "unlink", wrap(Path.unlink))
    return steps


@pytest.mark.parametrize("logs", [40, 2])
@pytest.mark.parametrize("error", slow_after(1, [Killed, OSError]))
def test_every_step_of_a_save_may_be_the_last(
    folder: Path,
    program: Program,
    monkeypatch: pytest.MonkeyPatch,
    logs: int,
    error: type[BaseException],
    tmp_path: Path,
) -> None:
    """With room for logs the third save is one, otherwise it is a base; both may stop anywhere."""
    after, done, tuning = 0, False, keeping(logs)
    while not done:
        here = tmp_path / f"after {after}"
        shutil.copytree(folder, here)
        db = Database.open(here, program, tuning=tuning)
        change(db, 3)
        with monkeypatch.context() as patch:
            steps = killing(patch, after, error)
            try:
                db.save(here, "3")
            except (Killed, StateError):
                pass
            done = steps[0] <= after
        opened = Database.open(here, program, tuning=tuning)
        assert opened.note in ("2", "3") and same(opened, scratch(int(opened.note)))
        assert opened.note == "3" or not done
        # the next process goes on from there, and the one whose save failed may try again
        if opened.note == "2":
            change(opened, 3)
        opened.save(here, "3")
        assert same(Database.open(here, program), scratch(3))
        if not done:
            other = tmp_path / f"again {after}"
            shutil.copytree(folder, other)
            db = Database.open(other, program, tuning=tuning)
            change(db, 3)
            with monkeypatch.context() as patch:
                killing(patch, after, error)
                with pytest.raises((Killed, StateError)):
                    db.save(other, "3")
            change(db, 4)
            db.save(other, "4")
            opened = Database.open(other, program)
            assert opened.note == "4" and same(opened, scratch(4))
        after += 1
    assert after >= 4


WORKER = """
import sys
from pathlib import Path
from tests.database.stepwise import TEXT, change, keeping
from ladder.api.database import Database
from ladder.api.program import Program
folder, program = Path(sys.argv[1]), Program.parse(TEXT)
db = Database.open(folder, program, tuning=keeping(3))
number = int(db.note)
print("opened", number, flush=True)
while True:
    number += 1
    change(db, number)
    db.save(folder, str(number))
    print(number, flush=True)
"""


@pytest.mark.slow
def test_killed_at_any_moment(folder: Path, program: Program) -> None:
    source, last = random.Random(5), 2
    for _ in range(6):
        worker = subprocess.Popen(
            [sys.executable, "-c", WORKER, folder], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
        )
        assert worker.stdout is not None
        assert worker.stdout.readline().split() == ["opened", str(last)]
        printed = [last, *(int(worker.stdout.readline()) for _ in range(source.randrange(6)))]
        time.sleep(source.random() * 0.03)
        worker.send_signal(signal.SIGKILL)
        printed += map(int, worker.stdout.read().split())
        worker.wait()
        opened = Database.open(folder, program)
        last = int(opened.note)
        assert last in (printed[-1], printed[-1] + 1) and same(opened, scratch(last))
    assert last > 2


# ---- damaged


def attempt(folder: Path, program: Program, expected: Database) -> bool:
    """Whether the damage was found; otherwise it must not matter."""
    try:
        opened = Database.open(folder, program)
    except StateError as error:
        assert str(folder) in str(error) or "log" in str(error)
        return True
    assert same(opened, expected)
    change(opened, 3)
    assert same(opened, scratch(3))
    return False


@pytest.mark.parametrize("name", slow_after(2, ["CURRENT", "base-1", "log-1-1", "log-1-2"]))
def test_bytes_that_changed(folder: Path, program: Program, name: str) -> None:
    source, expected = random.Random(name), scratch(2)  # not an opened one, which would map what is damaged here
    file = folder / name
    original = file.read_bytes()
    header = place_of_header(original)[0] if name != "CURRENT" else 0  # it is the last part of a file
    places = {
        *range(min(64, len(original))),
        *source.sample(range(header, len(original)), min(60, len(original) - header)),
        *source.sample(range(len(original)), min(120, len(original))),
    }
    found = 0
    for place in sorted(places):
        damaged = bytearray(original)
        damaged[place] ^= 1 << source.randrange(8)
        file.write_bytes(damaged)
        detected = attempt(folder, program, expected)
        assert detected or HEAD <= place < header, place
        found += detected
    assert found >= 64


@pytest.mark.parametrize("name", ["CURRENT", "base-1", "log-1-1", "log-1-2"])
def test_files_that_are_too_short_or_gone(folder: Path, program: Program, name: str) -> None:
    source, file = random.Random(name), folder / name
    original = file.read_bytes()
    for length in {0, 1, 12, 20, 29, 36, len(original) - 1, *source.sample(range(len(original)), 30)}:
        if length < len(original):
            file.write_bytes(original[:length])
            assert attempt(folder, program, scratch(2))
    file.write_bytes(original + b"more")
    attempt(folder, program, scratch(2))
    file.unlink()
    with pytest.raises(StateError, match=name):
        Database.open(folder, program)


def test_logs_in_the_wrong_place(folder: Path, program: Program) -> None:
    (folder / "log-1-1").write_bytes((folder / "log-1-2").read_bytes())
    with pytest.raises(StateError):
        Database.open(folder, program)


@pytest.mark.parametrize(
    "text", ["", "[]", "5", "null", '{"current": {}, "checksum": 0}', '{"current": 3, "checksum": 0}', "\x00\xff", "{}"]
)
def test_a_current_file_that_is_something_else(folder: Path, program: Program, text: str) -> None:
    (folder / "CURRENT").write_text(text)
    with pytest.raises(StateError):
        Database.open(folder, program)


@pytest.mark.parametrize(
    "current",
    [
        "{}",
        "[]",
        '{"base": "x", "digests": [], "note": "", "costs": {}}',
        '{"base": 1, "digests": "2", "note": "", "costs": {}}',
        '{"base": 1, "digests": [], "note": "", "costs": {}}',
        '{"base": 7, "digests": ["00"], "note": "", "costs": {}}',
        '{"base": "../x", "digests": ["00"], "note": "", "costs": {}}',
        '{"base": 1, "digests": ["00"], "note": 3, "costs": {}}',
        '{"tables": "../elsewhere", "manifest": "00", "note": "", "costs": {}}',
        "[" * 100_000,
        "9" * 5000,
    ],
)
def test_a_sealed_current_file_that_is_something_else(folder: Path, program: Program, current: str) -> None:
    (folder / "CURRENT").write_text(sealed(current))
    with pytest.raises(StateError):
        Database.open(folder, program)


# ---- made by others


def test_no_state(tmp_path: Path, program: Program) -> None:
    with pytest.raises(StateError, match="CURRENT"):
        Database.open(tmp_path, program)
    with pytest.raises(StateError, match="CURRENT"):
        Database.open(tmp_path / "nowhere", program)


def test_another_program_or_another_version(folder: Path, program: Program) -> None:
    with pytest.raises(StateError, match="another program"):
        Database.open(folder, Program.parse(".decl q(a: number)\n.input q\n.decl r(a: number)\nr(a) :- q(a).\n"))
    base = folder / "base-1"
    base.write_bytes(base.read_bytes().replace(MAGIC, b"LADDERSTATE0\n", 1))
    with pytest.raises(StateError, match="version"):
        Database.open(folder, program)


def text_of(tag: bytes, name: str, rest: bytes) -> bytes:
    """A value of a class in canonical bytes."""
    return b"\xfe" + tag + len(name).to_bytes(4, "big") + name.encode() + rest


ONE = (1).to_bytes(4, "big") + b"s" + (10).to_bytes(4, "big") + b"touch MARK"


def with_objects(folder: Path, data: bytes) -> None:
    """A base with one value of a lattice, these bytes, and right digests."""
    base = files_of(folder)[0]
    forged = Forged.read(base)
    forged.arrays["objects.bytes"].data = np.frombuffer(data, np.uint8)
    forged.arrays["objects.ends"].data = np.array([len(data)], np.int64).view(np.uint8)
    put(folder, {base: forged})


@pytest.mark.parametrize(
    "data",
    [
        text_of(b"D", "subprocess:Popen", ONE),
        text_of(b"U", "os:system", ONE),
        text_of(b"E", "builtins:eval", ONE[4:]),
        text_of(b"G", "os:system", ONE[4:]),
        text_of(b"G", "ladder.lattices.sets:KSet", ONE[4:]),
        text_of(b"D", "ladder.lattices.sets:KSet", ONE),
        text_of(b"D", "pathlib:Path", ONE),
        pickle.dumps(os.system),
        b"",
        b"\xfe",
        b"\xfeT\xff\xff\xff\xff",
        b"\xfeF" + ONE,
        b"\xfes\x00\x00\x00\x01\xff",
        b"\xff\xff\xff\xff\xff",
    ],
    ids=str,
)
def test_malicious_objects(folder: Path, program: Program, data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    with_objects(folder, data)
    with pytest.raises(LadderError):
        Database.open(folder, program)
    assert not (folder / "MARK").exists()


@pytest.mark.parametrize(
    "body",
    [
        pickle.dumps([1]),
        pickle.dumps({}),
        b"",
        b"{}",
        MAGIC,
        MAGIC + bytes(40),
        MAGIC + (1 << 60).to_bytes(8, "little") + bytes(40),
    ],
    ids=str,
)
def test_malicious_logs(folder: Path, program: Program, body: bytes) -> None:
    (folder / "log-1-2").write_bytes(body)
    digests = current_of(folder)["digests"]
    point(folder, digests=[*digests[:2], digest_of(body).hex()])
    with pytest.raises(StateError):
        Database.open(folder, program)


def test_classes_that_a_lattice_module_merely_imports(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from subprocess import Popen\nfrom enum import Flag\nfrom ladder.lattices import KSet\n\nclass Mine(KSet):\n"
        "    def __init__(self):\n        super().__init__(3)\n"
    )
    (tmp_path / "program.dl").write_text(
        '.lattice Mine = "mine.py:Mine"\n.decl e(a: symbol)\n.input e\n.decl m(s: Mine<>)\nm(lub(a)) :- e(a).\n'
    )
    program = Program.load(tmp_path / "program.dl")
    db = Database(program)
    db.load_rows("e", [("a",)])
    module, mark = type(program.core.lattices["Mine"]).__module__, tmp_path / "MARK"
    text = f"touch {mark}".encode()
    for tag in (b"D", b"U", b"E", b"G"):
        for name in (f"{module}:Popen", "subprocess:Popen", f"{module}:Mine"):
            folder = tmp_path / f"{tag!r} {name}"
            db.save(folder)
            with_objects(
                folder, text_of(tag, name, (1).to_bytes(4, "big") + b"s" + len(text).to_bytes(4, "big") + text)
            )
            with pytest.raises(LadderError):
                Database.open(folder, program)
    assert not mark.exists()


def test_no_state_holds_a_pickle(folder: Path) -> None:
    """Whatever is read, nothing calls what unpickles."""
    import ladder.engine.local.saved.program as of_program

    for module in (
        saved,
        saved_base,
        saved_log,
        saved_core,
        saved_values,
        saved_parts,
        saved_tables,
        saved_checks,
        saved_cells,
        of_program,
        imported,
    ):
        text = Path(str(module.__file__)).read_text()
        assert not set(re.findall(r"pickle\.\w+|marshal|shelve|eval\(|exec\(", text)).difference({"pickle.Pickler"}), (
            module
        )
