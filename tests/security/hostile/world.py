"""A small world around a hostile project: a home, folders beside the clone, somebody's private sources, and what a run
did to them."""

from __future__ import annotations

import hashlib
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pygit2
import pytest

from ladder import cli
from tests.session.projects import CALLS, WHO

ANALYZE = "from ladder.cli import analyze_main; analyze_main()"
SECRET = "TopSecret"
SOURCES = {
    "src/p/A.java": "package p;\nclass A {\n  void run() { B.done(); }\n}\n",
    "src/p/B.java": "package p;\nclass B {\n  static void done() { }\n}\n",
}
Look = tuple[int, int, int, str]


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


class World:
    """Below `root`: `home`, `private` sources, `clones/beside` and the hostile `clones/evil`; Ladder's own things are
    in `state`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home, self.private, self.state = root / "home", root / "private", root / "state"
        self.evil, self.beside = root / "clones/evil", root / "clones/beside"
        self.canary = root / "canary"
        self.locks: set[str] = set()  # locks of states that are this user's own, and the folders that they are made in
        for path, text in {
            self.home / ".bashrc": "alias ls=ls\n",
            self.home / ".ssh/id": "a key\n",
            self.private / "Secret.java": f"package q; class {SECRET} {{ void run() {{ run(); }} }}",
            self.beside / "facts/thesis.parquet": "my thesis",
            self.beside / "states/1/notes.txt": "notes",
        }.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        for name, text in SOURCES.items():
            self.write(name, text)

    def write(self, name: str, text: str) -> Path:
        """A file of the project."""
        file = self.evil / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def link(self, name: str, target: Path | str) -> None:
        """A link in the project, in the place of what is there."""
        file = self.evil / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        file.symlink_to(target)

    def commit(self) -> pygit2.Repository:
        """The project as a repository with a commit of all that is there."""
        made = pygit2.init_repository(str(self.evil), initial_head="main")
        made.index.add_all()
        made.index.write()
        made.create_commit("HEAD", WHO, WHO, "all", made.index.write_tree(), [])
        return made

    def tree(self) -> dict[str, Look]:
        """What everything but Ladder's own folder looks like: mode, size, time of the last change, content."""
        found = {}
        for folder, folders, files in os.walk(self.root):
            if Path(folder) == self.root:
                folders.remove("state") if "state" in folders else None
            for path in (Path(folder), *(Path(folder, name) for name in (*files, *folders))):
                if path != self.root:
                    found[str(path)] = _look(path)
        return found

    @contextmanager
    def untouched(self) -> Iterator[None]:
        """Nothing but Ladder's own folder is written to, removed or made meanwhile, and no code of the project runs."""
        before = self.tree()
        yield
        after = self.tree()
        assert {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)} <= self.locks


def _look(path: Path) -> Look:
    status = path.lstat()
    content = ""
    if stat.S_ISLNK(status.st_mode):
        content = os.readlink(path)
    elif stat.S_ISREG(status.st_mode) and status.st_size < 1 << 20:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
    return status.st_mode, status.st_size if not path.is_dir() else 0, status.st_mtime_ns, content


class Commands:
    """Commands of Ladder over a world, each compared with what it may do."""

    def __init__(self, world: World, capfd: pytest.CaptureFixture[str]) -> None:
        self.world = world
        self.capfd = capfd

    def analyze(self, *options: object, project: Path | None = None) -> Ended:
        """`analyze` in this process; its results are looked at for what is private."""
        return self._ended(cli.analyze_main, [str(project or self.world.evil), "--analysis", CALLS, *map(str, options)])

    def ladder(self, *arguments: object) -> Ended:
        """`ladder COMMAND`."""
        return self._ended(cli.main, [str(argument) for argument in arguments])

    def _ended(self, command: Any, arguments: list[str]) -> Ended:
        with self.world.untouched(), pytest.raises(SystemExit) as leaving:
            command(arguments)
        ended = Ended(int(leaving.value.code or 0), *self.capfd.readouterr())
        return self._looked_at(ended)

    def apart(self, *options: object, seconds: float = 60, cwd: Path | None = None) -> Ended:
        """`analyze` in a process of its own, which has to end."""
        with self.world.untouched():
            done = subprocess.run(
                [sys.executable, "-P", "-c", ANALYZE, str(self.world.evil), "--analysis", CALLS, *map(str, options)],
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
                cwd=cwd,
                stdin=subprocess.DEVNULL,
            )
        return self._looked_at(Ended(done.returncode, done.stdout, done.stderr))

    def _looked_at(self, ended: Ended) -> Ended:
        assert "Traceback" not in ended.err and "this is a defect" not in ended.err, ended.err
        assert not self.world.canary.exists() and SECRET not in ended.out
        for file in (self.world.state / "projects").rglob("*") if self.world.state.is_dir() else ():
            assert not file.is_file() or SECRET.encode() not in file.read_bytes(), file
        return ended
