"""Small Java projects to analyse, change and analyse again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygit2
import pytest

from ladder.project.files import Project
from ladder.report.summary import Report
from ladder.session import workspace
from ladder.session.run import Request, run
from ladder.support.console import Console
from ladder.support.private import LIBRARIES_VARIABLE

CALLS = str(Path(__file__).with_name("calls.dl"))
FLAWS = str(Path(__file__).with_name("flaws.dl"))
WHO = pygit2.Signature("A", "a@example.org", 1_700_000_000, 0)
FILES = {
    "src/p/A.java": "package p;\nclass A {\n  void run() { step(1); new B().help(); }\n  void step(int n) { }\n}\n",
    "src/p/B.java": "package p;\nclass B {\n  void help() { C.done(); }\n}\n",
    "src/p/C.java": "package p;\nclass C {\n  static void done() { }\n}\n",
}
FLAWED = {
    "src/p/A.java": "package p;\nclass A {\n  void run() { new B().help(); }\n}\n",
    "src/p/B.java": "package p;\nclass B {\n  void help() {\n    oldDone(1);\n  }\n  void oldDone(int n) { }\n}\n",
}


def write(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")


def alone(monkeypatch: pytest.MonkeyPatch, folder: Path, source: Path, text: str) -> Path:
    """A project of one file, with packs of libraries and a home of its own, all below a folder."""
    monkeypatch.setenv(LIBRARIES_VARIABLE, str(folder / "libraries"))
    monkeypatch.setenv("HOME", str(folder / "home"))
    root = folder / "project"
    write(root, {str(source): text})
    return root


def commit(root: Path, message: str = "change") -> str:
    repository = pygit2.Repository(str(root))
    repository.index.add_all()
    repository.index.write()
    parents = [] if repository.head_is_unborn else [repository.head.target]
    return str(repository.create_commit("HEAD", WHO, WHO, message, repository.index.write_tree(), parents))


def analyse(root: Path, **wishes: Any) -> Report:
    """Analyse with the state kept where the command keeps it; what goes on is compared with a run from scratch."""
    messages: list[str] = wishes.pop("messages", [])
    console = Console(quiet=True)
    console.say = messages.append  # type: ignore[method-assign]
    console.warn = messages.append  # type: ignore[method-assign]
    request = Request(**({"analyses": [CALLS], "extraction": "local", "verify": _goes_on(root)} | wishes))
    project = Project(root)
    with workspace.opened(project, None, messages.append) if request.keep else workspace.temporary() as opened:
        return run(project, request, opened, console)


def _goes_on(root: Path) -> bool:
    """Whether there is a kept state."""
    return (state_of(root) / "states").is_dir()


def state_of(root: Path) -> Path:
    """Where the state of a project is kept."""
    return workspace.kept_for(root.resolve())


def changes(report: Report) -> dict[str, set[tuple[str, ...]]]:
    """table → rows `(sign, cells…)` that came and went."""
    return {
        name: {tuple(row.values()) for row in table.to_pylist()} for name, table in report.analyses[0].changes.items()
    }


def tables(root: Path, folder: Path, **wishes: Any) -> dict[str, list[str]]:
    """The complete tables as lines of csv, written by a run with these wishes."""
    analyse(root, output=folder, format_="csv", **wishes)
    return {file.stem: file.read_text("utf-8").splitlines() for file in sorted(folder.glob("*.csv"))}
