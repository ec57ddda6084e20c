"""A base that looks as it did when its arrays were right is not hashed again; one that changed in any way is, and is
refused unless its bytes are the same."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.local.saved.parts import HEAD, Parts, place_of_header
from ladder.errors import StateError
from ladder.support import looks

CLOSURE = """
.decl e(a: symbol, b: symbol)
.input e
.decl p(a: symbol, b: symbol)
p(a, b) :- e(a, b).
p(a, c) :- p(a, b), e(b, c).
"""
FACTS = [("a", "b"), ("b", "c")]
PATHS = {("a", "b"), ("b", "c"), ("a", "c")}


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files whose arrays are hashed."""
    names: list[str] = []
    refuse = Parts._refuse_changed

    def noting(parts: Parts) -> None:
        names.append(parts.path.name)
        refuse(parts)

    monkeypatch.setattr(Parts, "_refuse_changed", noting)
    return names


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    db = Database(Program.parse(CLOSURE))
    db.bootstrap({"e": FACTS})
    db.save(tmp_path / "state")
    return tmp_path / "state"


def opened(folder: Path) -> Database:
    return Database.open(folder, Program.parse(CLOSURE))


def flipped(file: Path) -> None:
    """Change a byte of an array, and set the times of the file back."""
    status, data = file.stat(), bytearray(file.read_bytes())
    at, _ = place_of_header(bytes(data[:HEAD]))
    data[max(i for i, byte in enumerate(data[:at]) if byte)] ^= 1
    with file.open("r+b") as written:
        written.write(data)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_what_was_just_saved_is_not_hashed_but_logs_are(folder: Path, hashed: list[str]) -> None:
    db = opened(folder)
    assert set(db["p"]) == PATHS and hashed == []
    db.update(insert={"e": [("c", "d")]})
    db.save(folder)
    assert len(opened(folder)["p"]) == 6 and hashed == ["log-1-1"]


def test_a_byte_that_changed_is_found_though_times_were_set_back(folder: Path, hashed: list[str]) -> None:
    flipped(folder / "base-1")
    with pytest.raises(StateError, match="has another digest"):
        opened(folder)
    assert hashed == ["base-1"]


def test_a_copy_is_hashed_until_it_is_saved_again(
    folder: Path, hashed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = folder.with_name("copy")
    shutil.copytree(folder, copy)
    db = opened(copy)
    assert set(db["p"]) == PATHS and hashed == ["base-1"]
    monkeypatch.setattr(looks, "UNSETTLED", 0)
    db = opened(copy)
    db.update(insert={"e": [("c", "d")]})
    db.save(copy)
    hashed.clear()
    assert len(opened(copy)["p"]) == 6 and hashed == ["log-1-1"]


def test_states_of_others_are_hashed(folder: Path, hashed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LADDER_KEY", "another key, of somebody else")
    assert set(Database.open(folder, Program.parse(CLOSURE), trust=True)["p"]) == PATHS
    assert hashed == ["base-1"]


def test_files_whose_times_say_nothing_have_no_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"x")
    assert looks.settled_look(file) == looks.look_of(file.stat())
    status = file.stat()
    whole = type("Status", (), {"st_ctime_ns": status.st_ctime_ns // 10**9 * 10**9})
    monkeypatch.setattr(looks.os, "lstat", lambda path: whole)
    assert looks.settled_look(file) == ""
    ahead = type("Status", (), {"st_ctime_ns": status.st_ctime_ns + 10**12})
    monkeypatch.setattr(looks.os, "lstat", lambda path: ahead)
    assert looks.settled_look(file) == ""
