"""The engine states of a state directory: one for each set of analyses and its options, with a note of the facts that
it was made from.

    states/NAME/N/        a state as the engine saves it, with a note: program, front end, options, snapshot
    states/NAME/CURRENT   the current N, and a copy of its note for runs that need not open it; sealed, written last

An update is saved in the same folder, in one transaction together with the note. A bootstrap writes a new N and then
replaces CURRENT, so that a run that is killed leaves either the old or the new state.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ladder.errors import LadderError, StateError
from ladder.support.files import TEMPORARY, write_atomically
from ladder.support.json_text import read_json
from ladder.support.private import read_own, remove_known
from ladder.support.seals import Seal

PURPOSE = "engine state that counts"
# files of an engine's state
PARTS = rf"CURRENT|lock|base-\d+|log-\d+-\d+|{re.escape(TEMPORARY)}[^/]*|(tables-\d+|checkpoints)/.*"


@dataclass(frozen=True)
class Note:
    """What a state was made from; `snapshot`: the id of the snapshot of files; `facts`: the version of the front end's
    facts; `given`: the version of the rows that options decide, as those about libraries; `analyses`: those that are
    evaluated together in it."""

    program: str
    facts: str
    options: str
    snapshot: str
    given: str = ""
    analyses: tuple[str, ...] = ()

    def text(self) -> str:
        """The note as text, as it is stored with the state."""
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def key(self) -> str:
        """What rows that a program has in common with others follow from: all but the program."""
        return json.dumps([self.facts, self.options, self.snapshot, self.given])

    @classmethod
    def parse(cls, text: str) -> Note:
        """The note in a text; `StateError` if it is none."""
        try:
            known = read_json(text)
            return cls(**{**known, "analyses": tuple(map(str, known.get("analyses", ())))})
        except (ValueError, TypeError, AttributeError):
            raise StateError("The state has no valid note of what it was made from.") from None


class StateFolder:
    """The folder of the states with one name."""

    def __init__(self, folder: Path, seal: Seal, open_database: Callable[[Path], Any] | None = None) -> None:
        """`open_database`: opens the state that the engine saved in a folder, as an object with `note` and `save(path,
        note)`."""
        self.folder = folder
        self.seal = seal
        self.open_database = open_database

    def open(self, expected: Note, say: Callable[[str], None], edited: bool = False) -> tuple[Any, Note] | None:
        """(the saved database, its note); None, after a message with the reason, if there is none for this program and
        these options.

        `edited`: the state may have been made with another version of the program.
        """
        try:
            return self.found(expected, edited)
        except StateError as error:
            say(f"{error.message} Everything is computed anew.")
            return None

    def found(self, expected: Note, edited: bool = False) -> tuple[Any, Note] | None:
        """(the saved database, its note); None if there is none; `StateError` if it does not fit the program and
        options."""
        current = self._current()
        if current is None or self.open_database is None:
            if current is None and (self.folder / "CURRENT").exists():
                raise StateError(
                    "The saved state is not used: what tells which one counts is damaged, or somebody else wrote it."
                )
            return None
        path, copy = current
        try:
            note = Note.parse(json.dumps(copy))
            if _fits(note, expected, edited):
                db = self.open_database(path)
                note = Note.parse(db.note)
        except LadderError as error:
            raise StateError(f"The saved state is not used: {error.message}") from error
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise StateError(f"The saved state cannot be read ({type(error).__name__}: {error}).") from error
        if not _fits(note, expected, edited):
            raise StateError("The analysis, its options or the front end changed since the last run.")
        return db, note

    def update(self, db: Any, note: Note) -> None:
        """Save a database that was opened from here."""
        current = self._current()
        assert current is not None
        db.save(current[0], note=note.text())
        self._point(current[0], note)

    def replace(self, db: Any, note: Note) -> None:
        """Save a new database and remove the one before."""
        self.folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        numbers = [int(path.name) for path in self.folder.iterdir() if path.name.isdigit()]
        target = self.folder / str(max(numbers, default=0) + 1)
        try:
            db.save(target, note=note.text())
            self._point(target, note)
        except BaseException:
            remove_known(target, re.compile(PARTS), itself=True)
            raise
        for path in self.folder.iterdir():
            if path.name.isdigit() and path != target:
                remove_known(path, re.compile(PARTS), itself=True)

    def note(self) -> Note | None:
        """What the current state was made from, without opening it; None if there is no state."""
        current = self._current()
        try:
            return Note.parse(json.dumps(current[1])) if current else None
        except StateError:
            return None

    def snapshot(self) -> str | None:
        """The id of the snapshot that the current state was made from; None if there is no state."""
        note = self.note()
        return note.snapshot if note else None

    def current(self) -> Path | None:
        """The folder of the current state; None if there is none."""
        found = self._current()
        return found and found[0]

    def _current(self) -> tuple[Path, dict[str, Any]] | None:
        """(folder of the current state, the copy of its note)."""
        try:
            current = read_json(
                self.seal.unsealed(PURPOSE, read_own(self.folder / "CURRENT", self.seal.trusted)) or b""
            )
            path, note = self.folder / str(int(current["state"])), dict(current["note"])
        except (OSError, ValueError, KeyError, TypeError, StateError):
            return None
        return (path, note) if path.is_dir() else None

    def _point(self, path: Path, note: Note) -> None:
        current = json.dumps({"state": int(path.name), "note": asdict(note)})
        write_atomically(self.folder / "CURRENT", self.seal.sealed(PURPOSE, current.encode()), durable=True)


def _fits(note: Note, expected: Note, edited: bool) -> bool:
    return (note.facts, note.options) == (expected.facts, expected.options) and (
        edited or note.program == expected.program
    )
