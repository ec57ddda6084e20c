"""Several databases over one folder: whoever would undo what another one saved is told, and what was opened stays
readable."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.backend import Change
from ladder.engine.local.saved import state as saved
from ladder.errors import NotOurs, StateError
from ladder.support.tuning import Saving, Tuning

from ..engine.forging import somebody_else

TEXT = (
    ".decl e(a: number, b: number)\n.input e\n.decl p(a: number, b: number)\np(a, b) :- e(a, b).\np(a, c) :- "
    "p(a, b), e(b, c).\n"
)
OTHER = ".decl q(a: symbol)\n.input q\n.decl r(a: symbol)\nr(a) :- q(a).\n"


@pytest.fixture(scope="module")
def program() -> Program:
    return Program.parse(TEXT)


@pytest.fixture
def folder(tmp_path: Path, program: Program) -> Path:
    db = Database(program)
    db.load_rows("e", [(i, i + 1) for i in range(50)])
    db.save(tmp_path / "s", "0")
    return tmp_path / "s"


def insert(db: Database, *rows: tuple[int, int]) -> None:
    db.update(insert={"e": rows})


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "lock"}


def test_the_second_of_two_writers_is_told(folder: Path, program: Program, tmp_path: Path) -> None:
    first, second = Database.open(folder, program), Database.open(folder, program)
    insert(first, (100, 101))
    insert(second, (200, 201))
    first.save(folder, "first")
    before = files(folder)
    for _ in range(2):
        with pytest.raises(StateError, match="was saved by somebody else since") as error:
            second.save(folder, "second")
        assert "Open it again" in str(error.value) and "another folder" in str(error.value)
    assert files(folder) == before
    second.save(tmp_path / "elsewhere", "second")
    assert Database.open(folder, program).note == "first" and (200, 201) in set(
        Database.open(tmp_path / "elsewhere", program)["p"]
    )
    again = Database.open(folder, program)
    insert(again, (200, 201))
    again.save(folder, "both")
    assert {(100, 101), (200, 201)} <= set(Database.open(folder, program)["p"])
    with pytest.raises(StateError, match="somebody else"):
        first.save(folder)


@pytest.mark.parametrize("logs", [0, 40])
def test_what_was_opened_stays_readable_whoever_saves(folder: Path, program: Program, logs: int) -> None:
    tuning = Tuning(saving=Saving(most_logs=logs))
    reader, writer = Database.open(folder, program), Database.open(folder, program, tuning=tuning)
    rows = set(reader["p"])
    reopened = Database.open(folder, program)
    for number in range(3):
        insert(writer, (1000 + number, 1001 + number))
        writer.save(folder)
    other = Database(program)
    other.load_rows("e", [(7, 8)])
    other.save(folder)  # a fresh one takes its place
    assert set(reopened["p"]) == rows == set(reader["p"])
    insert(reopened, (50, 51))
    assert (0, 51) in set(reopened["p"])
    shutil.rmtree(folder)
    assert set(reader["p"]) == rows
    insert(reader, (60, 61))
    reader.save(folder)  # nothing is there that could be lost
    assert set(Database.open(folder, program)["p"]) == rows | {(60, 61)}


def test_folders_by_turns(folder: Path, program: Program, tmp_path: Path) -> None:
    db, other = Database.open(folder, program), Database.open(folder, program)
    insert(db, (100, 101))
    db.save(tmp_path / "b")
    insert(other, (200, 201))
    other.save(folder)
    with pytest.raises(StateError, match="somebody else"):
        db.save(folder)
    db.save(tmp_path / "b")
    (tmp_path / "link").symlink_to(folder)
    with pytest.raises(StateError, match="somebody else"):
        db.save(tmp_path / "link")


def test_a_database_that_was_computed_anew_is_no_fresh_one(folder: Path, program: Program) -> None:
    db, other = Database.open(folder, program, strategy="elastic", switch=0.0), Database.open(folder, program)
    insert(other, (200, 201))
    other.save(folder)
    db._backend.recompute(Change())
    with pytest.raises(StateError, match="somebody else"):
        db.save(folder)


def test_the_folder_of_another_program_or_user_is_left_alone(folder: Path, program: Program) -> None:
    before = files(folder)
    with pytest.raises(NotOurs, match="the state of another program"):
        Database(Program.parse(OTHER)).save(folder)
    with somebody_else(), pytest.raises(NotOurs, match="not written by this user"):
        Database(program).save(folder)
    assert files(folder) == before
    (folder / "CURRENT").write_text("{")  # nothing that could be lost
    Database(program).save(folder)
    assert Database.open(folder, program).note == ""


@pytest.mark.parametrize("what", ["a pipe", "a link", "a folder"])
def test_a_base_that_is_no_file_is_not_read(what: str, folder: Path) -> None:
    """Nobody waits for what a pipe never gives."""
    base = folder / "base-1"
    base.rename(folder.parent / "base")
    if what == "a pipe":
        os.mkfifo(base)
    elif what == "a link":
        base.symlink_to(folder.parent / "base")
    else:
        base.mkdir()
    for trust in (False, True):
        with pytest.raises(StateError, match="base-1 is not used"):
            Database.open(folder, Program.parse(TEXT), trust=trust)
    other = Program.parse(OTHER)  # whose state it is cannot be known
    Database(other).save(folder)
    assert Database.open(folder, other).note == ""


def test_folders_that_only_look_like_a_state(tmp_path: Path, program: Program) -> None:
    for name in ("base-pictures", "tables-old", "log-x", "CURRENTLY", "base-1.bak"):
        folder = tmp_path / name
        (folder / name).mkdir(parents=True)
        (folder / name / "mine").write_text("mine")
        with pytest.raises(StateError, match="no folder for a state"):
            Database(program).save(folder)
        assert (folder / name / "mine").read_text() == "mine"


def test_links_are_not_followed(folder: Path, program: Program, tmp_path: Path) -> None:
    victim, inside = tmp_path / "victim", tmp_path / "folder"
    victim.write_text("mine")
    inside.mkdir()
    (inside / "mine").write_text("mine")
    db = Database.open(folder, program)
    insert(db, (100, 101))
    (folder / "log-1-7").symlink_to(victim)
    (folder / "tables-1").symlink_to(inside)
    (folder / "log-1-1").symlink_to(victim)
    db.save(folder)
    assert victim.read_text() == "mine" and (inside / "mine").read_text() == "mine"
    assert Database.open(folder, program)
    base = folder / "base-1"
    shutil.move(base, tmp_path / "moved")
    base.symlink_to(tmp_path / "moved")
    with pytest.raises(StateError, match="symbolic link"):
        Database.open(folder, program)


def test_a_state_that_is_replaced_while_it_is_opened(
    folder: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between CURRENT and the base that it names somebody else saves: then the new one is opened."""
    writer, left = Database.open(folder, program, tuning=Tuning(saving=Saving(most_logs=0))), [3]
    original = saved.Parts

    def slow(*arguments: Any) -> saved.Parts:
        if left[0]:
            left[0] -= 1
            insert(writer, (900 + left[0], 901))
            writer.save(folder, f"{left[0]}")
        return original(*arguments)

    monkeypatch.setattr(saved, "Parts", slow)
    assert Database.open(folder, program).note == "0" and not left[0]
    left[0] = 1000
    with pytest.raises(StateError, match="again and again"):
        Database.open(folder, program)
