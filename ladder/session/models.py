"""Models of a library, proposed from its class files: facts → summaries of its methods (`java/summaries`) → rows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ladder.api.database import Database
from ladder.api.options import Options as DatabaseOptions
from ladder.api.program import Program
from ladder.errors import LadderError
from ladder.project.files import Project
from ladder.session.analyze import as_declared
from ladder.session.facts import Facts, Files, inputs_of
from ladder.session.workspace import Workspace
from ladder.support.console import Console

PROGRAM = Path("java/summaries/summaries.dl")
PROVENANCE = "df-generated"
ALL = ""  # the prefix of every package
LENGTH = 3  # of access paths
MOST_TOLD = 20  # diagnostics, packages, reasons


@dataclass(frozen=True)
class Proposal:
    """What is proposed for a library: rows of `summaryModel` and `neutralModel`, sorted, each with the texts of its
    columns; `left`: (method, why no row is made for it)."""

    summaries: Sequence[tuple[str, ...]]
    neutral: Sequence[tuple[str, ...]]
    left: Sequence[tuple[str, str]]

    @property
    def reasons(self) -> Mapping[str, int]:
        """Why no rows are made → for how many methods; the first reason of each counts."""
        first = {method: reason for method, reason in reversed(self.left)}
        return dict(sorted(Counter(first.values()).items(), key=lambda each: (-each[1], each[0])))


@dataclass(frozen=True)
class Request:
    """What models are asked for; `packages`: prefixes of packages, all without any; `models`: files and folders with
    models of libraries that this one uses; `length`: how many components access paths have at most; `jobs`: processes
    that read class files, 0: one per core."""

    packages: Sequence[str] = ()
    models: Sequence[Path] = ()
    length: int = LENGTH
    jobs: int = 0
    database: DatabaseOptions = field(default_factory=lambda: DatabaseOptions())


def infer(project: Project, request: Request, workspace: Workspace, console: Console) -> Proposal:
    """The rows that are proposed for a library."""
    db = summarised(project, request, workspace, console)
    return Proposal(
        sorted((p, t, b, n, s, "", x, y, "value", PROVENANCE) for _, p, t, b, n, s, x, y in db["Row"]),
        sorted((p, t, n, s, "summary", PROVENANCE) for _, p, t, n, s in db["Neutral"]),
        sorted(db["Left"]),
    )


def summarised(
    project: Project,
    request: Request,
    workspace: Workspace,
    console: Console,
    program: Path = PROGRAM,
    more: Mapping[str, Sequence[tuple[str, ...]]] = MappingProxyType({}),
) -> Database:
    """The database with the summaries of a library's methods; `program`: one that extends those, below the folder of
    the analyses; `more`: rows of inputs of its own. `LadderError` where a package is none of the library's."""
    facts = Facts(project, workspace, console, "auto", request.jobs)
    snapshot = facts.now()
    console.say(f"{project.root}: {len(snapshot.files):,} class files")
    files = facts.of(snapshot)
    _tell_unread(files, console)
    read = project.front_end.models(request.models).read
    rows, left_out = read()
    for reason in left_out[:MOST_TOLD]:
        console.warn(f"{reason}: left out.")
    loaded = Program.load((project.front_end.analyses or Path()) / program)
    loaded = loaded.needed()
    extracted, _ = inputs_of(loaded, facts)
    with console.stage("load", "Reading facts"):
        tables = facts.reading(lambda: facts.tables.read(list(files.active.values()), extracted), [files])
        _refuse_unknown(request.packages, tables["Unit"].column("package").to_pylist(), project)
    packages = [(each,) for each in request.packages or (ALL,)]
    given: dict[str, Any] = {
        **as_declared(loaded, tables),
        "Package": packages,
        "PathLength": [(request.length,)],
        **more,
    }
    given |= {relation: each for relation, each in rows.items() if relation in loaded.inputs}
    with console.stage("evaluate", "Summarising methods"):
        db = Database(loaded, **request.database)
        db.bootstrap(given)
    return db


def _tell_unread(files: Files, console: Console) -> None:
    """Warn of classes, or parts of them, that have no facts."""
    told = [f"{path}:{line}:{column}: {message}" for path, line, column, _, message in files.diagnostics()]
    for each in told[:MOST_TOLD]:
        console.warn(f"Left out: {each}.")
    if len(told) > MOST_TOLD:
        console.warn(f"{len(told) - MOST_TOLD:,} more files or parts of them are left out.")


def _refuse_unknown(wanted: Sequence[str], packages: Iterable[str], project: Project) -> None:
    """Raise `LadderError` where a prefix is that of no package."""
    known = sorted(set(packages))
    for prefix in wanted:
        if not any(package == prefix or package.startswith(f"{prefix}.") for package in known):
            shown = ", ".join(known[:MOST_TOLD]) + (", …" if len(known) > MOST_TOLD else "")
            raise LadderError(f"{project.root.name} has no package {prefix}.", f"It has {shown}.")


# ---- rows as text


def as_yaml(proposal: Proposal, name: str) -> str:
    """A file of rows, as `--models` reads it."""
    return "".join(
        (
            f"# Flows of references through the methods of {_on_one_line(name)}, by `ladder models infer`.\n",
            "extensions:\n",
            *_extension(name, "summaryModel", proposal.summaries),
            *_extension(name, "neutralModel", proposal.neutral),
        )
    )


def _extension(name: str, kind: str, rows: Sequence[tuple[str, ...]]) -> Iterable[str]:
    from ladder.analyses.library_models import COLUMNS

    yield f"  - addsTo:\n      pack: {json.dumps(f'ladder/{name}')}\n      extensible: {kind}\n"
    yield "    data:\n" if rows else "    data: []\n"
    if rows:
        yield f"      # {', '.join(COLUMNS[kind][1])}\n"
    for row in rows:
        yield f"      - [{', '.join(cell if cell in ('True', 'False') else json.dumps(cell) for cell in row)}]\n"


def _on_one_line(name: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in name)
