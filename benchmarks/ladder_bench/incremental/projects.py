"""Java projects and their histories, and databases of analyses on them; facts are extracted once and kept."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ladder.api.database import Database
from ladder.api.rows import Rows
from ladder.engine.backend import Capability
from ladder.errors import ProjectError
from ladder.frontends.registry import libraries_of
from ladder.project.files import Project, Snapshot
from ladder.session.analyze import Options, Outcome, as_declared, bootstrapped, load, verify, with_resources
from ladder.session.class_path import no_rows
from ladder.session.facts import Facts, Files, inputs_of
from ladder.session.workspace import Workspace
from ladder.support.console import Console

Tables = Mapping[str, Any]
CHECKOUT = Path(__file__).resolve().parents[3]  # where `corpora` is, unless this is installed from a wheel
FETCHED = ("antlr", "jsoup", "commons-lang3", "ant")  # by size; the first one that is there, unless all are wanted
SERIES = "cordova-android"


@dataclass(frozen=True)
class Version:
    """One version of a project."""

    name: str
    project: Project
    snapshot: Snapshot


@dataclass(frozen=True)
class Analysed:
    """An analysis of a project with these entry points, contexts ("": those of the program) and facts."""

    analysis: str
    context: str
    entry: str
    kept: Path

    def facts(self, project: Project) -> Facts:
        """The facts of a project, which are kept in a folder."""
        self.kept.mkdir(mode=0o700, parents=True, exist_ok=True)
        return Facts(project, Workspace(self.kept), Console(quiet=True), "local", os.cpu_count() or 1)

    def bootstrapped(self, facts: Facts, files: Files) -> Outcome:
        """The analysis of files from scratch, on one thread."""
        models = with_resources(facts.front_end.models(()), facts.project, Options.reflection)
        class_path = no_rows(libraries_of(facts.front_end))
        options = Options(self.entry, models, context=self.context, class_path=class_path, database={"jobs": 1})
        program = load(self.analysis, facts.front_end, self.context)
        return bootstrapped(self.analysis, program, options, facts, files, Console(quiet=True))


def known(full: bool) -> list[Path]:
    """The projects that are measured unless others are named: what `corpora/fetch.py` has fetched, or else the sample;
    without `full` the smallest. `ProjectError` where there are none."""
    corpora = CHECKOUT / "corpora"
    there = [corpora / "fetched" / name for name in FETCHED if (corpora / "fetched" / name).is_dir()]
    there = there or [path for path in (corpora / "bookshop",) if path.is_dir()]
    if not there:
        raise ProjectError("There are no projects to measure here.", "Name folders of Java projects with --projects.")
    return there if full else there[:1]


def known_histories(work: Path) -> list[Path]:
    """The history that is measured unless another is named: that of the sample, replayed below `work`, and the versions
    that `corpora/fetch.py` has fetched; none where there is no `corpora`."""
    corpora, sample = CHECKOUT / "corpora", work / "bookshop"
    if not (corpora / "replay.py").is_file():
        return []
    if not sample.is_dir():
        work.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=work) as folder:
            made = Path(folder) / "bookshop"
            subprocess.run(
                [sys.executable, str(corpora / "replay.py"), str(made)], check=True, stdout=subprocess.DEVNULL
            )
            made.rename(sample)
    return [sample, *(path for path in (corpora / "fetched" / SERIES,) if path.is_dir())]


def folder_of(work: Path, project: Path) -> Path:
    """The folder below `work` for what is kept of a project, which is another one for each path."""
    return work / "projects" / f"{project.name}-{hashlib.sha256(os.fsencode(project.resolve())).hexdigest()[:12]}"


def verified_by_its_facts(outcome: Outcome) -> None:
    """Compare all relations with those of an evaluation of the same facts from scratch: rows, first iterations and
    derivations; `StateError` where they differ."""
    db = outcome.db
    facts = db._able(Capability.FACTS).facts(db.program.inputs)
    scratch = Database(db.program)
    scratch.bootstrap({name: Rows(rows).to_arrow() for name, rows in facts})
    verify(outcome, replace(outcome, db=scratch))


def changed_facts(program: Any, facts: Facts, old: Files, new: Files) -> tuple[Tables, Tables]:
    """The facts that came and went between two versions, as tables."""
    extracted, _ = inputs_of(program, facts)
    change = facts.tables.difference(list(old.active.values()), list(new.active.values()), extracted)
    return as_declared(program, change.inserted), as_declared(program, change.deleted)


# ---- histories


def versions(path: Path, most: int) -> list[Version]:
    """The newest versions, oldest first: commits of a git repository along first parents, or else the folders in a
    folder, in the order of the numbers in their names."""
    if (path / ".git").exists() or (path / "HEAD").exists():
        project = Project(path)
        found = [Version(name[:10], project, project.revision(name)) for name in reversed(_commits(project, most))]
    else:
        folders = sorted(
            (folder for folder in path.iterdir() if folder.is_dir()), key=lambda folder: _order(folder.name)
        )
        found = [
            Version(folder.name, project, project.snapshot())
            for folder in folders[-most:]
            for project in (Project(folder),)
        ]
    if len(found) < 2:
        raise ProjectError(f"{path} has no versions to compare.", "Name a git repository, or a folder of folders.")
    return found


def _commits(project: Project, most: int) -> list[str]:
    """The ids of the newest commits along first parents, newest first."""
    head = project.head()
    if project.repository is None or head is None:
        return []
    commit = project.repository[head]
    found = [str(commit.id)]
    while commit.parents and len(found) < most:
        commit = commit.parents[0]
        found.append(str(commit.id))
    return found


def _order(name: str) -> list[tuple[int, str]]:
    """A key by which 9.1.0 comes before 10.0.0."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name) if part]


def with_files(series: Sequence[Version], analysed: Analysed) -> Iterator[tuple[Version, Facts, Files]]:
    """Each version with its facts, those that are missing being extracted."""
    facts: Facts | None = None
    for version in series:
        if facts is None or facts.project is not version.project:
            facts = analysed.facts(version.project)
        yield version, facts, facts.of(version.snapshot)
