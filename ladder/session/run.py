"""One run of `analyze`: bring the facts up to date, run every analysis on them, write tables, make a report."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ladder.api.options import Options as DatabaseOptions
from ladder.api.options import local_options
from ladder.errors import StateError, Unsupported
from ladder.frontends.protocol import Models, Row
from ladder.project.extraction import Mode
from ladder.project.files import Project, Snapshot
from ladder.report.findings import Findings, Logged
from ladder.report.results import Naming, Places, about_temporaries
from ladder.report.sarif import fingerprints_of
from ladder.report.summary import AnalysisReport, Diagnostic, Report, Scope
from ladder.session import analyze, class_path, entries, findings, kept_findings, tables
from ladder.session.analyze import Outcome
from ladder.session.bodies import (
    NEED,
    NEEDED,
    NEEDS,
    Bodies,
    Code,
    Kept,
    bodies_of,
    with_bodies,
)
from ladder.session.class_path import ClassPath
from ladder.session.facts import Facts, Files
from ladder.session.library import LibraryChoice
from ladder.session.names import Owners, column_types, naming, places_in, result_relations
from ladder.session.states import StateFolder
from ladder.session.workspace import Workspace
from ladder.support.collection import without_collection
from ladder.support.console import Console
from ladder.support.counts import counted
from ladder.support.limits import NO_LIMITS
from ladder.support.tuning import DEFAULT, Keeping

MOST_REASONS = 20  # rows about libraries that are left out are told one by one up to here
MANY = 500  # files of a project, from which it is said how many are tests

if TYPE_CHECKING:
    from ladder.engine.local.warm import Compilation


@dataclass(frozen=True)
class Request:
    """The user's request; `entry`: where the program starts, as `entry_text` writes it; `models`: files and folders
    with models of libraries; `context`: which contexts the analyses have, "" for their usual ones; `class_path`:
    the entries of the class path, None for those that the project's files say; `library`: what stands for libraries;
    `database`: the options of databases; `output`: a directory for complete tables in the format `format_` (None: they
    are written elsewhere or not at all); `temporaries`: whether the summary lists rows about temporaries; `known`:
    SARIF logs of earlier runs, whose findings are suppressed."""

    analyses: Sequence[str]
    entry: str = entries.DEFAULT
    models: Sequence[Path] = ()
    reflection: analyze.Reflection = "strings"
    exceptions: analyze.Exceptions = "near"
    context: str = ""
    class_path: Sequence[Path] | None = None
    library: LibraryChoice = field(default_factory=LibraryChoice)
    verify: bool = False
    baseline: str | None = None
    extraction: Mode = "auto"
    jobs: int = 0
    keep: bool = True
    output: Path | None = None
    format_: str | None = None
    database: DatabaseOptions = field(default_factory=lambda: DatabaseOptions())
    temporaries: bool = False
    known: Sequence[Path] = ()


def run(
    project: Project, request: Request, workspace: Workspace, console: Console, started: float | None = None
) -> Report:
    """Analyse a project; `started`: the time (`time.perf_counter`) at which the run began, by default now."""
    started = time.perf_counter() if started is None else started
    fingerprints = fingerprints_of(request.known)
    analyze.refuse(request.analyses, project.front_end, request.context)
    with console.stage("discover"):
        facts = Facts(project, workspace, console, request.extraction, request.jobs)
        snapshot = facts.now()
        if _is_another(facts, snapshot):
            console.warn(
                f"Another project was at {project.root}, or in this state, at the last run: everything is computed "
                "anew."
            )
            workspace.start_over()
            facts = Facts(project, workspace, console, request.extraction, request.jobs)
            snapshot = facts.now()
        revision = project.revision(request.baseline) if request.baseline else None
        previous = _previous(facts)
    console.say(f"{project.root}: {counted(len(snapshot.files), f'{project.front_end.language} file')}")
    if previous is None and (remark := _many_tests(project, snapshot)):
        console.say(remark)
    with console.stage("load"):
        compilation = _compile_meanwhile(request.database.get("limits", NO_LIMITS).memory)
    try:
        with console.stage("class path"):
            path, remembered = class_path.class_path_of(
                project, request.class_path, workspace, console, request.library
            )
        baseline = facts.of(revision) if revision else None
        files = replace(facts.of(snapshot), others=tuple(path.diagnostics))
        if compilation:
            compilation.show()
    finally:
        if compilation:
            compilation.stop()
    for found in filter(None, (baseline, files)):
        facts.snapshots.add(found.snapshot, _used(workspace))
    with ExitStack() as held:
        again = cache(lambda: held.enter_context(facts.extracted_again(files)))
        models = analyze.with_resources(_models(request, facts, console), project, request.reflection)
        with console.stage("class path"):
            libraries = class_path.rows_of(path, remembered, facts, files)
            if request.verify:
                class_path.verify(path, facts, files, libraries)
        bodies = _bodies(request, path, models, libraries, facts, files, workspace, console, again)
        if bodies is not None:
            libraries = with_bodies(libraries, bodies, path)
        options = _options(request, facts, models, libraries, bodies)
        known = _Known(request, options, facts, files, baseline, workspace, console, fingerprints)
        reports = _reports(known, again)
    if request.keep:
        with console.stage("save"):
            facts.collect(_used(workspace))
    console.seconds["total"] = time.perf_counter() - started
    came = None if baseline is None else new_diagnostics(files.diagnostics(), baseline.diagnostics())
    return replace(
        _report(project, request, facts, files, previous, reports, console, path.said, bodies.said if bodies else ""),
        new_diagnostics=came,
    )


def _compile_meanwhile(memory: int | None) -> Compilation | None:
    """Start to compile the engine while files are read, if this machine has not compiled it before. Where the limit of
    memory does not allow both at once, it is compiled before they are read. Returns the compilation if it still
    runs."""
    from ladder.engine.local.kernels.compiling import compiled

    if compiled():
        return None
    from ladder.engine.local.warm import Compilation

    compilation = Compilation(memory)
    if compilation.at_once:
        return compilation
    compilation.show()
    return None


def _models(request: Request, facts: Facts, console: Console) -> Models:
    """What is known of libraries; where it is read, with warnings of what is not understood."""
    found = facts.front_end.models(request.models)

    @cache
    def read() -> tuple[Mapping[str, Sequence[Row]], Sequence[str]]:
        rows, left_out = found.read()
        for reason in left_out[:MOST_REASONS]:
            console.warn(f"{reason}: left out.")
        if len(left_out) > MOST_REASONS:
            console.warn(f"{counted(len(left_out) - MOST_REASONS, 'more row')} about libraries: left out.")
        return rows, left_out

    return replace(found, read=read)


def _bodies(
    request: Request,
    path: ClassPath,
    models: Models,
    libraries: Models,
    facts: Facts,
    files: Files,
    workspace: Workspace,
    console: Console,
    again: Callable[[], tuple[Facts, Files]],
) -> Bodies | None:
    """The bodies of libraries that the project may run, as far as they are looked at: found by an analysis of what it
    needs of its class path. `LadderError` where that is not possible."""
    if not request.library.bodies:
        return None
    maker, analyses = path.maker, facts.front_end.analyses
    if maker is None or analyses is None:
        raise Unsupported(f"Bodies of libraries are not looked at for {facts.front_end.language}.")
    if request.database.get("engine") == "spark":
        raise Unsupported(f"--library {request.library.text} and Spark are not possible together.", "Leave one out.")
    options = analyze.Options(
        request.entry,
        models,
        class_path=libraries,
        library=NEEDED,
        verify=request.verify,
        database=local_options(request.database),
    )
    needed = analyze.Set.of([str(analyses / NEEDS)], facts.front_end, options)
    outcome = analyze.run(needed, options, facts, files, None, workspace, console, request.keep, again).whole
    needs = list(outcome.db[NEED])
    outcome.db.close()
    code = Code(path, maker, request.jobs, console)
    kept = Kept(workspace.bodies, workspace.seal)
    found = bodies_of(request.library, needs, path, code, kept)
    if request.verify and bodies_of(request.library, needs, path, code, kept, anew=True) != found:
        raise StateError(
            "What is kept of bodies of libraries differs from what a search finds.",
            "This is a defect of Ladder; --no-state computes from scratch.",
        )
    return found


@dataclass(frozen=True)
class _Known:
    """What a run knows when its analyses begin: the request, and the options that follow from it; facts and files of
    the project, now and at the baseline; where states are kept; what tells people; the findings that are suppressed
    (fingerprint → by which file)."""

    request: Request
    options: analyze.Options
    facts: Facts
    files: Files
    baseline: Files | None
    workspace: Workspace
    console: Console
    suppressed: Mapping[str, Logged]

    @cached_property
    def places(self) -> Places:
        """The places of all sites."""
        return places_in(self.files.active, self.facts.front_end.display, self.facts, self.files)


def _options(
    request: Request, facts: Facts, models: Models, libraries: Models, bodies: Bodies | None
) -> analyze.Options:
    return analyze.Options(
        request.entry,
        models,
        request.reflection,
        request.exceptions,
        request.context,
        libraries,
        request.library.text,
        bodies,
        request.verify,
        request.database,
    )


def _reports(known: _Known, again: Callable[[], tuple[Facts, Files]]) -> list[AnalysisReport]:
    """The reports of all analyses, in the order in which they were asked for; those that can be are evaluated
    together."""
    names, found = known.request.analyses, dict[str, AnalysisReport]()
    with known.console.stage("load"):
        sets = analyze.sets_of(names, known.options, known.facts.front_end, known.console)
    for together in sets:
        outcomes = analyze.run(
            together,
            known.options,
            known.facts,
            known.files,
            known.baseline,
            known.workspace,
            known.console,
            known.request.keep,
            again,
        )
        made: tables.Made = {}
        if outcomes.whole.mode == "bootstrap":
            known.console.say(f"{together.label}: writing tables")
        with without_collection():
            for number, (name, outcome) in enumerate(outcomes.parts.items()):
                found[name] = _report_of(name, outcome, outcomes.of, made, known)
                if not number:
                    found[name] = replace(found[name], profile=outcome.profile, on_spark=outcome.on_spark)
        outcomes.whole.db.close()
    return [found[name] for name in names]


def _report_of(name: str, outcome: Outcome, larger: Sequence[str], made: tables.Made, known: _Known) -> AnalysisReport:
    """The report of one analysis, of an outcome whose state may be that of a larger set; `made`: the tables of those
    before it in the same database."""
    console = known.console
    with console.stage("report"):
        unlisted = _unlisted(outcome)
        changes, owners, temporary = ({}, {}, {}) if unlisted else _changes(outcome, known.facts)
        written = _written(name, outcome, None if unlisted else changes, made, known)
    with console.stage("findings"):
        since = _since(outcome, larger, known)
        found = _findings(name, outcome, since, known)
    return AnalysisReport(
        Path(name).stem,
        outcome.mode,
        {relation: len(outcome.db[relation]) for relation in result_relations(outcome)},
        _scope(outcome),
        changes,
        owners,
        temporary,
        since,
        outcome.verified,
        str(written or ""),
        outcome.work,
        findings=found,
        unlisted=unlisted,
    )


def _findings(name: str, outcome: Outcome, since: str, known: _Known) -> Findings:
    """The findings of one analysis; those that the last run described and that are as they were are not described
    anew."""
    workspace, program = known.workspace, outcome.program.fingerprint
    file = workspace.findings / analyze.state_name(name, known.options)
    kept = None
    if outcome.opened is not None:
        kept = kept_findings.read(file, workspace.seal, f"{program} {outcome.opened_key}")
    found, keeping = findings.findings_of(outcome, known.facts, since, known.suppressed, kept)
    if outcome.kept_key and found.rules:
        kept_findings.write(file, workspace.seal, f"{program} {outcome.kept_key}", keeping, kept)
    return found


def _since(outcome: Outcome, larger: Sequence[str], known: _Known) -> str:
    """What changes are reported relative to, "" for nothing."""
    if outcome.before is None:
        return ""
    if known.baseline:
        return f"commit {known.request.baseline}"
    return "the last run" + (f" of {', '.join(sorted(Path(name).stem for name in larger))}" if larger else "")


def _written(
    name: str, outcome: Outcome, changes: Mapping[str, pa.Table] | None, made: tables.Made, known: _Known
) -> Path | None:
    """Write an analysis' tables → the folder that was written, if any; `changes`: None where these are not listed."""
    request = known.request

    @cache
    def naming_of_all() -> Naming:
        return naming(outcome, known.facts, known.files, places=known.places)

    written = None
    if request.keep:
        anew = outcome.before is None or known.baseline or outcome.edited
        folder = known.workspace.results / analyze.state_name(name, known.options)
        written = tables.write_results(folder, outcome, naming_of_all, None if anew else changes, made)
    if request.output and request.format_:
        written = request.output / Path(name).stem if len(request.analyses) > 1 else request.output
        tables.write_output(written, request.format_, tables.all_tables(outcome, naming_of_all(), made))
    return written


def new_diagnostics(now: Sequence[Diagnostic], before: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics that were not there before; one that only stands elsewhere in its file was."""
    left = Counter((path, kind, message) for path, _, _, kind, message in before)
    new = []
    for found in now:
        key = (found[0], found[3], found[4])
        if left[key]:
            left[key] -= 1
        else:
            new.append(found)
    return new


def _scope(outcome: Outcome) -> Scope:
    """Where the program starts, how much of it that reaches, and what is left out, as far as the analysis says."""
    display, known = outcome.display, outcome.program.core.relations

    def rows(relation: str) -> list[tuple[Any, ...]]:
        return sorted(outcome.db[relation]) if relation in known else []

    reached = next(iter(rows(display.reached)), None)
    return Scope(
        dict(rows(display.entries)) if display.entries in known else None,
        None if reached is None else (reached[0], reached[1]),
        dict(rows(display.unsound)) if display.unsound in known else None,
    )


def _unlisted(outcome: Outcome, tuning: Keeping = DEFAULT.keeping) -> int:
    """How many rows of the tables came and went if they are too many to be listed, as they may be where the program is
    another version; else 0."""
    if outcome.before is None:
        return 0
    sides = (outcome.inserted or {}, outcome.deleted or {})
    rows = sum(len(side[name]) for name in result_relations(outcome) for side in sides if name in side)
    return rows if rows > tuning.listed else 0


def _changes(
    outcome: Outcome, facts: Facts
) -> tuple[Mapping[str, pa.Table], Mapping[str, Sequence[str]], Mapping[str, Sequence[bool]]]:
    """(table → rows with names that came and went, table → for each row the path of the file that it is about, table →
    for each row whether it is about a temporary)."""
    if outcome.before is None or not (outcome.inserted or outcome.deleted):
        return {}, {}, {}
    now = naming(outcome, facts, outcome.files, outcome.inserted)
    before = naming(outcome, facts, outcome.before, outcome.deleted)
    new, old = Owners(outcome.files, outcome.display), Owners(outcome.before, outcome.display)
    changed = ((old, outcome.deleted), (new, outcome.inserted))
    owners, temporary = {}, {}
    for relation in result_relations(outcome):
        types = column_types(outcome, relation)
        parts = [(owner, rows[relation]) for owner, rows in changed if relation in rows]
        found = [path for owner, rows in parts for path in owner.of_rows(rows, types)]
        if found:
            owners[relation] = found
            temporary[relation] = [
                it for _, rows in parts for it in about_temporaries(rows, types, outcome.display).to_pylist()
            ]
    return tables.changes(outcome, now, before), owners, temporary


def _previous(facts: Facts) -> Mapping[str, str] | None:
    """The files of the last run; None if there was none."""
    return facts.snapshots.files(facts.snapshots.ids[-1]) if facts.snapshots.ids else None


def _is_another(facts: Facts, snapshot: Snapshot) -> bool:
    """Whether the project is another one than was analysed last: no file has the path of one of its files."""
    previous = _previous(facts)
    return bool(previous) and (previous or {}).keys().isdisjoint(path for path, _ in snapshot.files)


def _many_tests(project: Project, snapshot: Snapshot) -> str:
    """What to say if a quarter of many files are tests, which may cost far more than the rest: what they make meets in
    all that they use. Else an empty text."""
    names, total = getattr(project.front_end, "tests", ()), len(snapshot.files)
    found = Counter(
        next((folder for folder in path.split("/")[:-1] if folder in names), "") for path, _ in snapshot.files
    )
    tests = total - found.pop("", 0)
    if total < MANY or 4 * tests < total:
        return ""
    exclude = " ".join(f"--exclude {name}/" for name in sorted(found))
    return f"  {tests:,} of them are tests: `{exclude}` analyses the others alone, in less time and memory."


def _used(workspace: Workspace) -> list[str]:
    """The ids of snapshots that saved states were made from."""
    found = (StateFolder(folder, workspace.seal).snapshot() for folder in workspace.states.iterdir())
    return [snapshot for snapshot in found if snapshot]


def _report(
    project: Project,
    request: Request,
    facts: Facts,
    files: Files,
    previous: Mapping[str, str] | None,
    reports: Sequence[AnalysisReport],
    console: Console,
    said: str,
    bodies: str,
) -> Report:
    now = dict(files.snapshot.files)
    before: Mapping[str, Any] = previous or {}
    changed = sum(before.get(path) != hash_ for path, hash_ in now.items()) + sum(path not in now for path in before)
    entries = [files.entries[hash_] for _, hash_ in files.snapshot.files]
    return Report(
        str(project.root),
        project.describe(),
        len(now),
        sum(entry.lines for entry in entries),
        changed,
        facts.extracted,
        facts.where,
        sum(entry.facts for entry in files.of_active()),
        Counter(entry.parser for entry in entries),
        files.diagnostics(),
        console.seconds,
        analyze.peak_memory(),
        reports,
        project.front_end.display,
        str(request.output or ""),
        sum(map(project.is_generated, now)),
        len(files.snapshot.skipped),
        files.snapshot.excluded,
        request.temporaries,
        said,
        bodies,
        unread=len(files.snapshot.unreadable),
    )
