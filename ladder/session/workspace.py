"""The state directory of a project (`PROJECT/.ladder`): where each thing is kept, and the lock that one run at a time holds.

    .gitignore      *: nothing in here is for git
    FORMAT          the version of this layout
    lock            held by the running process
    stat            what files looked like when they were hashed
    snapshots       the snapshots that were analysed
    facts/          packs of facts
    states/NAME/    engine states, CURRENT says which one counts
    results/NAME/   result tables of the last full run, and what each later run changed
"""
from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ladder.errors import StateError
from ladder.files import remove_leftovers, write_atomically
from ladder.locks import locked

NAME = ".ladder"
FORMAT = "ladder state 1\n"


class Workspace:
    """A state directory that this process holds the lock of."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stat = folder / "stat"
        self.snapshots = folder / "snapshots"
        self.facts = folder / "facts"
        self.states = folder / "states"
        self.results = folder / "results"


@contextmanager
def opened(folder: Path, say: Callable[[str], None]) -> Iterator[Workspace]:
    """Make or open a state directory and hold its lock; `StateError` when it is not one, or another run does not end."""
    try:
        _prepare(folder, say)
        with locked(folder / "lock", f"The state directory {folder}", say):
            remove_leftovers(folder)
            for part in (folder / "facts", folder / "states", folder / "results"):
                part.mkdir(exist_ok=True)
            yield Workspace(folder)
    except PermissionError as error:
        raise StateError(f"The state directory {folder} cannot be written: {error.strerror}.",
                         "Name another one with --state, or keep none with --no-state.") from None


@contextmanager
def temporary() -> Iterator[Workspace]:
    """A state directory that is gone when the block ends."""
    with tempfile.TemporaryDirectory(prefix="ladder-") as name:
        for part in ("facts", "states", "results"):
            (Path(name) / part).mkdir()
        yield Workspace(Path(name))


def _prepare(folder: Path, say: Callable[[str], None]) -> None:
    """Make the directory, or check that it is one of ours; one of another version is emptied."""
    if folder.exists() and not folder.is_dir():
        raise StateError(f"{folder} is not a directory.", "Name a directory with --state.")
    found = set(os.listdir(folder)) if folder.exists() else set()
    marker = folder / "FORMAT"
    if marker.exists():
        if marker.read_text("utf-8", "replace") == FORMAT:
            return
        say(f"The state in {folder} was written by another version of Ladder and is built anew.")
        _empty(folder, found)
    elif found - {".gitignore", "lock"}:
        raise StateError(f"{folder} is not empty and not a state directory of Ladder.", "Name another directory with --state.")
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / ".gitignore", "*\n")
    write_atomically(marker, FORMAT)


def _empty(folder: Path, names: set[str]) -> None:
    for name in names - {"lock"}:
        if (folder / name).is_dir():
            shutil.rmtree(folder / name)
        else:
            (folder / name).unlink()
