"""Saved states that were interrupted, damaged, or made by others: the old state, the new one, or a `StateError`."""
from __future__ import annotations

import json
import os
import pickle
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from xxhash import xxh3_64_intdigest as checksum

from ladder.database import Database
from ladder.engine.local import saved, saved_base
from ladder.errors import StateError
from ladder.program import Program

from ..engine.comparison import difference, state_of

TEXT = """
.type Pair = [n: number, s: symbol]
.lattice Few = "ladder.lattices:k_set(2)"
.decl e(a: number, b: number)
.input e
.decl p(a: number, b: number)
p(a, b) :- e(a, b).
p(a, c) :- p(a, b), e(b, c).
.decl named(x: Pair)
named([a, to_string(b)]) :- p(a, b).
.decl few(a: number, s: Few<>)
few(a, lub(s)) :- named([a, s]).
"""


def edges(number: int) -> set[tuple[int, int]]:
    """The facts after so many changes; neighbours differ in a few."""
    return {(i, (i * i + number // (i + 1)) % 9) for i in range(9)}


def change(db: Database, number: int) -> None:
    db.update(insert={"e": sorted(edges(number))}, delete={"e": sorted(edges(number - 1) - edges(number))})


def scratch(number: int) -> Database:
    db = Database(Program.parse(TEXT))
    db.load_rows("e", sorted(edges(number)))
    return db


def same(one: Database, other: Database) -> bool:
    return difference(state_of(one._ready()), state_of(other._ready())) == ""


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
@pytest.mark.parametrize("error", [Killed, OSError])
def test_every_step_of_a_save_may_be_the_last(folder: Path, program: Program, monkeypatch: pytest.MonkeyPatch, logs: int,
                                              error: type[BaseException], tmp_path: Path) -> None:
    """With room for logs the third save is one, otherwise it is a base; both may stop anywhere."""
    monkeypatch.setattr(saved, "MOST_LOGS", logs)
    after, done = 0, False
    while not done:
        here = tmp_path / f"after {after}"
        shutil.copytree(folder, here)
        db = Database.open(here, program)
        change(db, 3)
        with monkeypatch.context() as patch:
            steps = killing(patch, after, error)
            try:
                db.save(here, "3")
            except (Killed, StateError):
                pass
            done = steps[0] <= after
        opened = Database.open(here, program)
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
            db = Database.open(other, program)
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
from tests.database.test_damage import TEXT, change, scratch
from ladder.database import Database
from ladder.engine.local import saved
from ladder.program import Program
saved.MOST_LOGS = 3
folder, program = Path(sys.argv[1]), Program.parse(TEXT)
db = Database.open(folder, program)
number = int(db.note)
print("opened", number, flush=True)
while True:
    number += 1
    change(db, number)
    db.save(folder, str(number))
    print(number, flush=True)
"""


def test_killed_at_any_moment(folder: Path, program: Program) -> None:
    source, last = random.Random(5), 2
    for _ in range(6):
        worker = subprocess.Popen([sys.executable, "-c", WORKER, folder], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
        assert worker.stdout is not None
        assert worker.stdout.readline().split() == ["opened", str(last)]
        told = [last, *(int(worker.stdout.readline()) for _ in range(source.randrange(6)))]
        time.sleep(source.random() * 0.03)
        worker.send_signal(signal.SIGKILL)
        told += map(int, worker.stdout.read().split())
        worker.wait()
        opened = Database.open(folder, program)
        last = int(opened.note)
        assert last in (told[-1], told[-1] + 1) and same(opened, scratch(last))
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


@pytest.mark.parametrize("name", ["CURRENT", "base-1", "log-1-1", "log-1-2"])
def test_bytes_that_changed(folder: Path, program: Program, name: str) -> None:
    source, expected = random.Random(name), scratch(2)   # not an opened one, which would map what is damaged here
    file = folder / name
    original = file.read_bytes()
    header = 37 + int.from_bytes(original[13:21], "little") if name == "base-1" else len(original)
    places = {*range(min(64, len(original))), *source.sample(range(header), min(60, header)), *source.sample(range(len(original)), min(120, len(original)))}
    found = 0
    for place in sorted(places):
        damaged = bytearray(original)
        damaged[place] ^= 1 << source.randrange(8)
        file.write_bytes(damaged)
        detected = attempt(folder, program, expected)
        assert detected or place >= header, place
        found += detected
    assert found >= 64


@pytest.mark.parametrize("name", ["CURRENT", "base-1", "log-1-1", "log-1-2"])
def test_files_that_are_too_short_or_gone(folder: Path, program: Program, name: str) -> None:
    source, file = random.Random(name), folder / name
    original = file.read_bytes()
    for length in {0, 1, 12, 20, 29, 36, len(original) - 1, *source.sample(range(len(original)), 30)}:
        if length < len(original):
            file.write_bytes(original[:length])
            assert attempt(folder, program, scratch(2)) or len(original) - length < saved_base.ALIGN   # no more than padding is gone
    file.write_bytes(original + b"more")
    attempt(folder, program, scratch(2))
    file.unlink()
    with pytest.raises(StateError, match=name):
        Database.open(folder, program)


def test_logs_in_the_wrong_place(folder: Path, program: Program) -> None:
    (folder / "log-1-1").write_bytes((folder / "log-1-2").read_bytes())
    with pytest.raises(StateError):
        Database.open(folder, program)


@pytest.mark.parametrize("text", ["", "[]", "5", "null", '{"current": {}, "checksum": 0}', '{"current": 3, "checksum": 0}', "\x00\xff", "{}"])
def test_a_current_file_that_is_something_else(folder: Path, program: Program, text: str) -> None:
    (folder / "CURRENT").write_text(text)
    with pytest.raises(StateError):
        Database.open(folder, program)


@pytest.mark.parametrize("current", ["{}", "[]", '{"base": "x", "logs": 0, "note": ""}', '{"base": 1, "logs": "2", "note": ""}', '{"base": 7, "logs": 0, "note": ""}'])
def test_a_sealed_current_file_that_is_something_else(folder: Path, program: Program, current: str) -> None:
    (folder / "CURRENT").write_text(json.dumps({"current": current, "checksum": checksum(current.encode())}))
    with pytest.raises(StateError):
        Database.open(folder, program)


# ---- made by others

def test_no_state(tmp_path: Path, program: Program) -> None:
    with pytest.raises(StateError, match="CURRENT"):
        Database.open(tmp_path, program)
    with pytest.raises(StateError, match="CURRENT"):
        Database.open(tmp_path / "nowhere", program)


def test_another_program_or_another_version(folder: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StateError, match="another program"):
        Database.open(folder, Program.parse(".decl q(a: number)\n.input q\n.decl r(a: number)\nr(a) :- q(a).\n"))
    with monkeypatch.context() as patch:
        patch.setattr(saved_base, "CACHE", Path("kernels-of-another-version"))
        with pytest.raises(StateError, match="version"):
            Database.open(folder, program)
    base = folder / "base-1"
    base.write_bytes(base.read_bytes().replace(saved_base.MAGIC, b"LADDERSTATE0\n", 1))
    with pytest.raises(StateError, match="version"):
        Database.open(folder, program)


class Bomb:
    """Unpickled, it calls a function with a text."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> Any:
        return self.call


def reseal(base: Path, objects: bytes) -> None:
    """A base with other objects, and right checksums."""
    data = base.read_bytes()
    length = int.from_bytes(data[13:21], "little")
    arrays = data[-(-(29 + length) // 4096) * 4096:]
    header = json.loads(data[29:29 + length])
    header["objects"] = objects.hex()
    text = json.dumps(header).encode()
    head = data[:13] + len(text).to_bytes(8, "little") + checksum(text).to_bytes(8, "little") + text
    base.write_bytes(head + bytes(-len(head) % 4096) + arrays)


def named(module: str, name: str, argument: str) -> bytes:
    """The pickle of a call of something that need not exist here."""
    return b"\x80\x04c" + f"{module}\n{name}\n".encode() + b"(" + pickle.dumps(argument, protocol=0)[:-1].replace(b"p0\n", b"") + b"tR."


@pytest.mark.parametrize("objects", [
    pickle.dumps([Bomb(os.system, "touch MARK")]), pickle.dumps([Bomb(eval, "open('MARK', 'w')")]), pickle.dumps([Bomb(Path, "x")]),
    pickle.dumps([Bomb(subprocess.Popen, ["touch", "MARK"])]), named("ladder.lattices.sets", "KSet.__init__", "x"),
    named("ladder.lattices.sets", "annotations", "x"), named("ladder.lattices.sets", "Hashable", "x"), b"no pickle", pickle.dumps(5)], ids=str)
def test_malicious_objects(folder: Path, program: Program, objects: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "log-1-1").unlink()
    current = json.dumps({"base": 1, "logs": 0, "note": "0"})
    (folder / "CURRENT").write_text(json.dumps({"current": current, "checksum": checksum(current.encode())}))
    reseal(folder / "base-1", pickle.dumps(Database.open(folder, program)._ready().values.objects.values))
    assert same(Database.open(folder, program), scratch(0))
    reseal(folder / "base-1", objects)
    with pytest.raises(StateError):
        Database.open(folder, program)
    assert not (folder / "MARK").exists()


@pytest.mark.parametrize("body", [pickle.dumps(Bomb(os.system, "touch MARK")), pickle.dumps({}), pickle.dumps(3), b"", b"\x80\x05]"], ids=str)
def test_malicious_logs(folder: Path, program: Program, body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "log-1-2").write_bytes(saved_base.MAGIC + checksum(body).to_bytes(8, "little") + body)
    with pytest.raises(StateError):
        Database.open(folder, program)
    assert not (folder / "MARK").exists()


def test_classes_that_a_lattice_module_merely_imports(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("from subprocess import Popen\nfrom ladder.lattices import KSet\n\nclass Mine(KSet):\n"
                                      "    def __init__(self):\n        super().__init__(3)\n")
    (tmp_path / "program.dl").write_text('.lattice Mine = "mine.py:Mine"\n.decl e(a: symbol)\n.input e\n.decl m(s: Mine<>)\nm(lub(a)) :- e(a).\n')
    program = Program.load(tmp_path / "program.dl")
    db = Database(program)
    db.load_rows("e", [("a",)])
    db.save(tmp_path / "state")
    module = type(program.core.lattices["Mine"]).__module__
    mark = tmp_path / "MARK"
    reseal(tmp_path / "state" / "base-1", named(module, "Popen", f"touch {mark}"))
    with pytest.raises(StateError):
        Database.open(tmp_path / "state", program)
