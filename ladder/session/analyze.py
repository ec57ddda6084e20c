"""Analyses of a project's facts, in one database: a bootstrap or an update of the saved state, and which rows came and
went."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import resource
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from ladder.api.options import Options as DatabaseOptions
from ladder.api.options import local_options
from ladder.api.rows import Work
from ladder.api.together import Together, View
from ladder.errors import LadderError, ProjectError, StateError, Unsupported
from ladder.facts.packs.frames import Columns, Packs, with_columns
from ladder.facts.packs.rows import same_rows
from ladder.frontends.protocol import Display, FrontEnd, Models, Resources, Row
from ladder.language.core import Finding, Kind
from ladder.language.parsed_files import sharing_files
from ladder.language.versions.union import NotPossible
from ladder.policy.placement import chosen
from ladder.project.files import Project
from ladder.report.results import with_sets
from ladder.session import entries
from ladder.session.bodies import CODE, Bodies
from ladder.session.facts import Facts, Files, inputs_of
from ladder.session.states import Note, StateFolder
from ladder.session.test_units import TEST_UNITS, test_units
from ladder.session.workspace import Workspace
from ladder.support.by_name import order_of_header
from ladder.support.console import Console
from ladder.support.counts import counted
from ladder.support.json_text import read_json
from ladder.support.limits import NO_LIMITS
from ladder.support.tuning import DEFAULT, SAVED_AT_ONCE

if TYPE_CHECKING:
    from ladder.api.database import Database

POLICY, PATTERN, REFLECTION = "EntryPolicy", "EntryPattern", "ReflectionPolicy"
EXCEPTIONS = "ExceptionPolicy"
LIBRARY = "library"
KINDS = "EntryKinds"  # (policy, framework or pattern, number of its entry points)
Reflection = Literal["none", "strings", "resources", "casts"]
Exceptions = Literal["near", "objects", "types"]
_INCLUDE = re.compile(r'^\s*[.#]\s*include\s*(["<])([^">\n]+)', re.MULTILINE)
LONGEST = 60  # of the names of analyses in a folder's name


@dataclass(frozen=True)
class Options:
    """The options of an analysis, beside the program and the facts; `entry`: policies and patterns, as `entry_text`
    writes them; `models`: facts about libraries, and names in files beside the sources; `context`: the contexts of
    methods and objects, "" for those that each analysis has where none are named; `class_path`: facts about the class
    path; `library`: what stands for libraries, as `Library.text` writes it; `bodies`: the bodies of libraries, if that
    is said."""

    entry: str = entries.DEFAULT
    models: Models = field(default_factory=Models)
    reflection: Reflection = "strings"
    exceptions: Exceptions = "near"
    context: str = ""
    class_path: Models = field(default_factory=Models)
    library: str = ""
    bodies: Bodies | None = None
    verify: bool = False
    database: DatabaseOptions = field(default_factory=lambda: DatabaseOptions())

    @property
    def strategy(self) -> str:
        """The strategy; states of different strategies are stored separately."""
        return self.database.get("strategy", "elastic")

    def given(self, inputs: Sequence[str], before: str | None = None) -> dict[str, Any]:
        """The rows of those of the inputs that options decide; of those about libraries and the class path only what
        has another version than `before` says."""
        entry = entries.entry_of(self.entry)
        found: dict[str, Any] = {
            POLICY: [(policy,) for policy in entry.policies],
            PATTERN: list(entry.patterns),
            REFLECTION: [(self.reflection,)],
            EXCEPTIONS: [(self.exceptions,)],
            CODE: self.bodies.types if self.bodies else [],
        }
        versions = self._versions(inputs)
        known = _said(before)
        for name, models in self._libraries.items():
            if name in versions and (before is None or known.get(name) != versions[name]):
                found |= models.read()[0]
        return {relation: rows for relation, rows in found.items() if relation in inputs}

    def version(self, inputs: Sequence[str]) -> str:
        """Changes whenever rows of these inputs that a saved state may have otherwise, may have changed."""
        return json.dumps(self._versions(inputs), sort_keys=True)

    @property
    def of_state(self) -> tuple[str, ...]:
        """The options by which states are kept apart."""
        return (self.entry, self.strategy, self.context, *filter(None, [self.library]))

    @property
    def _libraries(self) -> dict[str, Models]:
        """The rows about libraries, by what versions call them."""
        return {"models": self.models, "class path": self.class_path}

    def _versions(self, inputs: Sequence[str]) -> dict[str, str]:
        chosen = {"reflection": (REFLECTION, self.reflection), "exceptions": (EXCEPTIONS, self.exceptions)}
        found: dict[str, str] = {name: value for name, (relation, value) in chosen.items() if relation in inputs}
        for name, models in self._libraries.items():
            if set(inputs) & set(models.relations):
                found[name] = models.version
        if self.bodies is not None:
            found[LIBRARY] = self.bodies.version
        return found


def _said(version: str | None) -> dict[str, str]:
    """The parts of a version; none of one that has none, or is an older one."""
    try:
        return dict(read_json(version)) if version else {}
    except (ValueError, TypeError):
        return {}


@dataclass
class Outcome:
    """The result of one analysis.

    `display`: how its rows are shown. `db`: the database with all relations. `before`: the files relative to which
    changes are reported (None after a bootstrap without a baseline); `inserted` and `deleted`: output relation → rows
    that came and went since. `work`: how the engine made the change. `opened`: the files of the saved state that it
    went on from, None if there was none or it was one of another version of the program; `opened_key`: what that state
    was made from; `moved`: what changed since it was opened, None for nothing; `kept_key`: what the state that was
    saved is made from, "" if none was.
    """

    name: str
    program: Any
    db: Any
    mode: Literal["bootstrap", "update", "unchanged"]
    files: Files
    display: Display
    before: Files | None = None
    inserted: Mapping[str, pa.Table] = field(default_factory=dict)
    deleted: Mapping[str, pa.Table] = field(default_factory=dict)
    changed_facts: int = 0
    verified: bool = False
    edited: bool = False  # whether the program is another version of that of the last run
    work: Work | None = None
    opened: Files | None = None
    opened_key: str = ""
    moved: Any = None
    kept_key: str = ""

    @property
    def profile(self) -> tuple[Any, Any] | None:
        """The measurements of the evaluation, if they were asked for, and the program that was evaluated."""
        db = self.db.db if isinstance(self.db, View) else self.db
        return (db.profile, db.program) if db.profile else None

    @property
    def on_spark(self) -> Any:
        """What an evaluation on Spark took; None of others."""
        return (self.db.db if isinstance(self.db, View) else self.db).report

    def changes(self, relation: str) -> list[pa.Table]:
        """The rows of a relation that came, and those that went, since the state was opened."""
        if self.moved is None:
            return []
        name = self.db.names[relation] if isinstance(self.db, View) else relation
        sides = (self.moved.inserted, self.moved.deleted)
        return [self.table(relation, side[name]) for side in sides if name in side and len(side[name])]

    def table(self, relation: str, rows: Any = None) -> pa.Table:
        """Rows of a relation (by default all) as an Arrow table with ids; sets are lists."""
        rows = self.db[relation] if rows is None else rows
        objects = [
            i
            for i, column in enumerate(self.program.core.relations[relation].columns)
            if column.type.kind is Kind.OBJECT
        ]
        values = list(rows) if objects else []
        return with_sets(rows.to_arrow(), {i: [row[i] for row in values] for i in objects})


def with_resources(models: Models, project: Project, reflection: Reflection) -> Models:
    """The facts about libraries, and what files beside the sources name, where reflection is followed there."""
    resources: Sequence[Resources] = getattr(project.front_end, "resources", ())
    if not resources:
        return models
    followed = [each for each in resources if reflection in each.policies]
    files = project.resources(lambda path: any(each.has(path) for each in followed)) if followed else {}

    def read() -> tuple[Mapping[str, Sequence[Row]], Sequence[str]]:
        rows, left_out = models.read()
        found: dict[str, set[Row]] = {each.relation: set() for each in resources}
        for path, blob in files.items():
            data = project.source.read(path, blob)
            for each in followed:
                if each.has(path):
                    found[each.relation].update(each.rows(path, data))
        return {**rows, **{relation: sorted(names) for relation, names in found.items()}}, left_out

    said = repr(([each.relation for each in followed], sorted(files.items())))
    version = hashlib.sha256(said.encode()).hexdigest()[:16] if files else ""
    relations = (*models.relations, *(each.relation for each in resources))
    return Models(relations, f"{models.version} {version}".strip(), read)


def programs(front_end: FrontEnd) -> list[str]:
    """The names of the analyses of a front end."""
    return sorted(path.stem for path in front_end.analyses.glob("*.dl")) if front_end.analyses else []


def title(name: str, front_end: FrontEnd) -> str:
    """What an analysis computes: the first sentence of the comment that its program begins with."""
    text = ((front_end.analyses or Path()) / f"{name}.dl").read_text(encoding="utf-8")
    comment = itertools.takewhile(lambda line: line.startswith("// "), text.splitlines())
    return " ".join(line.removeprefix("// ") for line in comment).partition(". ")[0].removesuffix(".")


def contexts(front_end: FrontEnd) -> list[str]:
    """The contexts that there is a choice of."""
    return sorted(path.stem for path in front_end.contexts.parent.glob("*.dl")) if front_end.contexts else []


def usual_context(name: str, front_end: FrontEnd) -> str:
    """The contexts that an analysis has where none are named, "" if they are those that its program includes."""
    usual: Mapping[str, str] = getattr(front_end, "usual_contexts", {})
    return usual.get(name, "")


def refuse_unknown_context(front_end: FrontEnd, context: str) -> None:
    """Raise `LadderError` if there are no contexts of this name."""
    known = contexts(front_end)
    if context and context not in known:
        raise LadderError(
            f"There are no contexts {context} for {front_end.language}.",
            f"There are {', '.join(known)}." if known else "Leave --context out.",
        )


def other_context(front_end: FrontEnd, context: str) -> str:
    """The contexts of this name, "" if they are those that programs include; `LadderError` if there are none of this
    name."""
    refuse_unknown_context(front_end, context)
    return "" if front_end.contexts is None or context == front_end.contexts.stem else context


def refuse(names: Sequence[str], front_end: FrontEnd, context: str) -> None:
    """Raise `LadderError` for an analysis that is not there, or that includes no file that says what contexts of this
    name are, without reading more of the programs than which files they include."""
    paths = {name: _path_of(name, front_end) for name in names}
    if other_context(front_end, context):
        for name, path in paths.items():
            _refuse_context(name, front_end, context, _named(_may_read(path)))


def those_with(context: str, names: Sequence[str], front_end: FrontEnd) -> tuple[str, ...]:
    """Those of the analyses that have contexts of this name."""
    if not other_context(front_end, context):
        return tuple(names)
    read = {name: _named(_may_read(_path_of(name, front_end))) for name in names}
    return tuple(name for name in names if _may_have(context, _folders_read(front_end, read[name])))


def _path_of(name: str, front_end: FrontEnd) -> Path:
    """The file of an analysis, which is given by name or as the path of a `.dl` file."""
    path = Path(name) if name.endswith(".dl") else (front_end.analyses or Path()) / f"{name}.dl"
    if not path.is_file() or (front_end.analyses is None and not name.endswith(".dl")):
        known = list(programs(front_end))
        near = "".join(f"Did you mean {each}? " for each in get_close_matches(name, known, 1))
        raise LadderError(
            f"There is no analysis {name}.",
            f"{near}There are {', '.join(known)}; a path to a .dl file works too."
            if known
            else "Name a path to a .dl file.",
        )
    return path


def load(name: str, front_end: FrontEnd, context: str = "") -> Any:
    """The program of an analysis, which is given by name or as the path of a `.dl` file, with contexts of a name; of
    none, with its usual ones."""
    from ladder.api.program import Program

    path, context = _path_of(name, front_end), context or usual_context(name, front_end)
    if not other_context(front_end, context):
        return Program.load(path)
    instead = {
        (folder / usual).resolve(): (folder / f"{context}.dl").resolve()
        for folder, usual in _context_folders(front_end).items()
        if (folder / f"{context}.dl").is_file()
    }
    program = Program.load(path, instead=instead)
    usual_of = {file.parts[-2:]: usual.parts[-2:] for usual, file in instead.items()}
    read = {Path(source.strip("<>")).parts[-2:] for source in program.sources}
    _refuse_context(name, front_end, context, read | {usual_of[file] for file in read & usual_of.keys()})
    return program


def _may_read(path: Path) -> set[Path]:
    """The files that a program includes, or might if it were not for its preprocessor."""
    from ladder.language.options import LIBRARY

    found, waiting = set[Path](), [path.resolve()]
    while waiting:
        file = waiting.pop()
        if file in found or not file.is_file():
            continue
        found.add(file)
        text = file.read_text(encoding="utf-8", errors="replace")
        for opening, name in _INCLUDE.findall(text):
            waiting.append(((LIBRARY if opening == "<" else file.parent) / name).resolve())
    return found


def _named(files: Iterable[Path]) -> set[tuple[str, ...]]:
    """Files, known by their folders and names."""
    return {file.parts[-2:] for file in files}


def _refuse_context(name: str, front_end: FrontEnd, context: str, read: set[tuple[str, ...]]) -> None:
    """Raise `LadderError` if none of the files that an analysis reads, known by their folders and names, is one in
    whose place another says what contexts of this name are."""
    has = _folders_read(front_end, read)
    if not _may_have(context, has):
        others = sorted(file.stem for folder in has for file in folder.glob("*.dl"))
        raise LadderError(
            f"The analysis {name} has no contexts of which {context} could be chosen.",
            f"It has {', '.join(others)}." if others else _without_contexts(front_end),
        )


def _folders_read(front_end: FrontEnd, read: set[tuple[str, ...]]) -> list[Path]:
    """The folders whose file of the usual contexts is among the files that an analysis reads, known by their folders
    and names."""
    return [folder for folder, usual in _context_folders(front_end).items() if (folder.name, usual) in read]


def _may_have(context: str, folders: Sequence[Path]) -> bool:
    return any((folder / f"{context}.dl").is_file() for folder in folders)


def _context_folders(front_end: FrontEnd) -> dict[Path, str]:
    """The folders whose files say what contexts are, with the name of the file in each that analyses include: that of
    the front end's contexts, and those in it."""
    if front_end.contexts is None:
        return {}
    folder, usual = front_end.contexts.parent, front_end.contexts.name
    return {path.parent: usual for path in (folder / usual, *sorted(folder.glob(f"*/{usual}")))}


def _without_contexts(front_end: FrontEnd) -> str:
    """What to do with an analysis that includes no file of contexts."""
    includable = " or ".join(
        f"<{(folder / usual).relative_to(front_end.analyses or '')}>"
        for folder, usual in _context_folders(front_end).items()
    )
    return f"Leave --context out, or include {includable}, which says what contexts are."


@dataclass(frozen=True)
class Set:
    """Analyses that are evaluated together, in one database: their names, as the user wrote them, and programs."""

    names: tuple[str, ...]
    programs: Together

    @staticmethod
    def of(names: Sequence[str], front_end: FrontEnd, options: Options) -> Set:
        """The analyses of these names; `LadderError` where one is not there, or not possible with the options."""
        ordered = sorted(names)
        with sharing_files():
            programs = [load(name, front_end, options.context) for name in ordered]
        for name, program in zip(ordered, programs, strict=True):
            refuse_patterns(program, name, options)
        return Set(tuple(ordered), Together.of(dict(zip(labels(ordered), programs, strict=True))))

    @property
    def label(self) -> str:
        """What the set is called in messages."""
        return self.names[0] if len(self.names) == 1 else ", ".join(sorted(Path(name).stem for name in self.names))

    def parts(self, whole: Outcome) -> dict[str, Outcome]:
        """The outcome of each analysis, by its name, in the outcome of all: a view of the database, and of the rows
        that came and went."""
        if len(self.names) == 1:
            return {self.names[0]: whole}
        return {name: self._part(number, whole) for number, name in enumerate(self.names)}

    def _part(self, number: int, whole: Outcome) -> Outcome:
        program, names = self.programs.parts[number], self.programs.names[number]
        inserted, deleted = (
            {name: side[names[name]] for name in program.outputs if names[name] in side}
            for side in (whole.inserted, whole.deleted)
        )
        return replace(
            whole,
            name=self.names[number],
            program=program,
            db=self.programs.view(whole.db, number),
            inserted=inserted,
            deleted=deleted,
        )


def labels(names: Sequence[str]) -> list[str]:
    """A label for each analysis, by which its relations are told apart from those of others: its name, or a number with
    it where another file has the same."""
    found: list[str] = []
    for name in names:
        stem = re.sub(r"\W", "_", Path(name).stem)
        found.append(f"{stem}_{len(found)}" if stem in found else stem)
    return found


def sets_of(names: Sequence[str], options: Options, front_end: FrontEnd, console: Console) -> list[Set]:
    """The analyses of these names, by which ones are evaluated together: each of them alone where it is not possible
    that all are, which is said."""
    try:
        found = [Set.of(names, front_end, options)]
    except NotPossible as error:
        console.say(f"Analyses are evaluated one after the other: {error}.")
        found = [Set.of([name], front_end, options) for name in names]
    refuse_ambiguous_rules(found)
    return found


def refuse_ambiguous_rules(sets: Sequence[Set]) -> None:
    """Raise `Unsupported` where two analyses declare a rule of the same name: their findings could not be told apart.
    Analyses that include the same declaration have the same rule."""
    declared: dict[str, tuple[str, Finding]] = {}
    for name, program in ((name, p) for one in sets for name, p in zip(one.names, one.programs.parts, strict=True)):
        for finding in program.core.findings:
            other, known = declared.setdefault(finding.rule, (name, finding))
            if known != finding or _declared_at(known) != _declared_at(finding):
                both = f"{other} ({known.place}) and {name} ({finding.place})"
                raise Unsupported(
                    f"Two analyses declare a rule {finding.rule}: {both}.",
                    "Give one of them another name: suppressions and reports name findings by it.",
                )


def _declared_at(finding: Finding) -> tuple[str, int, int] | None:
    """The file, by its name alone, the line and the column of a declaration: a file that is included has its path."""
    place = finding.place
    return None if place is None else (Path(place.file).name, place.line, place.column)


def run(
    wanted: Set,
    options: Options,
    facts: Facts,
    files: Files,
    baseline: Files | None,
    workspace: Workspace,
    console: Console,
    keep: bool = True,
    again: Callable[[], tuple[Facts, Files]] | None = None,
) -> Outcomes:
    """Bring analyses up to date with `files`, all in one database; changes are reported relative to `baseline`, by
    default to the last run.

    The state is that of the last run that had these analyses. If it had others, too, it is read but not replaced: what
    changed for the others is told when they run again. With `keep` the state is saved. With `options.verify` the result
    is compared with one computed from scratch, from facts that `again` extracts anew; `StateError` if they differ.
    """
    outcome, opened = None, None
    with console.stage("load"):
        group = latest(wanted, options, facts, workspace)
        expected, states = _place(group, options, facts, files.snapshot.id, workspace)
        opened = states.open(expected, console.warn, edited=True)
    if opened is not None:
        program = group.programs.whole
        outcome = _updated(group.label, program, options, facts, files, baseline, opened, console)
    fresh = outcome is None
    if outcome is None:
        group = wanted
        expected, states = _place(group, options, facts, files.snapshot.id, workspace)
        outcome = bootstrapped(group.label, group.programs.whole, options, facts, baseline or files, console)
        if baseline is not None:
            outcome = moved(outcome, facts, files, console)
    refuse_unmatched(outcome, options)
    if options.verify and again is not None:
        with console.stage("verify", "Comparing with a run from scratch"):
            scratch = bootstrapped(group.label, group.programs.whole, options, *again(), Console(quiet=True))
            verify(outcome, scratch)
    changed = fresh or opened is None or outcome.edited or opened[1].snapshot != files.snapshot.id
    larger = group.names if group.names != wanted.names else ()
    if keep and not larger and changed:
        with console.stage("save"):
            (states.replace if fresh else states.update)(outcome.db, expected)
    if keep and not larger:
        outcome = replace(outcome, kept_key=expected.key)
    parts = group.parts(outcome)
    return Outcomes(outcome, {name: parts[name] for name in wanted.names}, larger)


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of analyses that are evaluated together. `whole`: that of the program of all; `parts`: by the
    names of those that were asked for; `of`: the analyses of the larger set whose state it is, if it is one."""

    whole: Outcome
    parts: Mapping[str, Outcome]
    of: tuple[str, ...] = ()


def _place(group: Set, options: Options, facts: Facts, snapshot: str, workspace: Workspace) -> tuple[Note, StateFolder]:
    """(what the state of a set is made from, where that is kept)."""
    program = group.programs.whole
    note = Note(
        program.fingerprint,
        facts.version,
        repr(options.of_state),
        snapshot,
        options.version(program.inputs),
        group.names,
    )
    states = StateFolder(
        workspace.states / state_name(group.names, options),
        workspace.seal,
        lambda path: _database().open(path, program, trust=workspace.seal.trusted, **_opened(options)),
    )
    return note, states


def _database() -> type[Database]:
    """The class of databases, whose import loads the engine: what looks at a saved state does without."""
    from ladder.api.database import Database

    return Database


def _joined(first: Any, second: Any) -> Any:
    """The joint change of two transactions."""
    from ladder.api.joining import joined

    return joined(first, second)


def latest(wanted: Set, options: Options, facts: Facts, workspace: Workspace) -> Set:
    """The analyses of the last run that had all that are wanted, with these options, and whose state is there; of such
    states of the same files the one of fewest analyses. Those that are wanted, if there is none, or if what it had
    besides is no program any more."""
    for note in states_of(wanted, options, facts, workspace):
        if note.analyses == wanted.names:
            return wanted
        try:
            return Set.of(note.analyses, facts.front_end, options)
        except (LadderError, NotPossible):
            continue
    return wanted


def states_of(wanted: Set, options: Options, facts: Facts, workspace: Workspace) -> list[Note]:
    """What the states that have all analyses which are wanted, with these options, were made from: the latest first,
    and of those of the same files the one of fewest analyses."""
    return [note for note in _notes(workspace, options, facts) if set(wanted.names) <= set(note.analyses)]


def analysis_with(relation: str, options: Options, facts: Facts, workspace: Workspace) -> str:
    """Of the analyses that have results with these options, the one whose rule or relation this is: the last that ran,
    of those that ran together the first. "" if there is none."""
    for name in dict.fromkeys(name for note in _notes(workspace, options, facts) for name in note.analyses):
        try:
            program = load(name, facts.front_end, options.context).core
        except LadderError:  # one of the user's, which is not there any more
            continue
        if relation in program.relations or relation in {finding.rule for finding in program.findings}:
            return name
    return ""


def _notes(workspace: Workspace, options: Options, facts: Facts) -> list[Note]:
    """What the kept states with these options were made from, in the order of `states_of`."""
    notes = (StateFolder(folder, workspace.seal).note() for folder in sorted(workspace.states.iterdir()))
    version, chosen = facts.version, repr(options.of_state)
    found = [note for note in notes if note and (note.facts, note.options) == (version, chosen)]
    ages = {identity: age for age, identity in enumerate(facts.snapshots.ids)}
    return sorted(found, key=lambda note: (-ages.get(note.snapshot, -1), len(note.analyses), note.analyses))


def refuse_patterns(program: Any, name: str, options: Options) -> None:
    """Raise `Unsupported` where there are patterns of entry points, which the program does not read."""
    if entries.entry_of(options.entry).patterns and PATTERN not in program.inputs:
        raise Unsupported(
            f"The analysis {name} takes no patterns of entry points: it does not read {PATTERN}.",
            f"--entry {'|'.join(entries.POLICIES)} is possible.",
        )


def refuse_unmatched(outcome: Outcome, options: Options) -> None:
    """Raise `LadderError` where a pattern of entry points is the name of no method."""
    patterns = [pattern for pattern, _ in entries.entry_of(options.entry).patterns]
    if not patterns or KINDS not in outcome.program.core.relations:
        return
    matched = {kind for kind, _ in outcome.db[KINDS]}
    if unmatched := [pattern for pattern in patterns if pattern not in matched]:
        raise LadderError(
            f"No method with a body is called {' or '.join(unmatched)}.",
            "--entry takes names as the tables show them, `<a.b.C: int f(java.lang.String)>`, or in short "
            "`a.b.C.f(java.lang.String)`, with * for any text; names of nested types have a $.",
        )


def state_name(name: str | Sequence[str], options: Options) -> str:
    """The name of the folder of the state of an analysis, or of several, which depends on names and options."""
    names = [name] if isinstance(name, str) else list(name)
    key = hashlib.sha256(repr((*names, *options.of_state)).encode()).hexdigest()[:8]
    stems = "+".join(Path(each).stem for each in names)
    return f"{stems if len(stems) <= LONGEST else f'{len(names)}-analyses'}-{key}"


def verify(outcome: Outcome, scratch: Outcome) -> None:
    """Raise `StateError` with the relations in which rows or states of two outcomes differ."""
    differing = [
        relation
        for relation, name in outcome.db.names_in(scratch.db).items()
        if not same_rows(outcome.db.state(relation), scratch.db.state(name))
    ]
    if differing:
        raise StateError(
            f"The incremental result differs from one computed from scratch in {', '.join(differing)}.",
            "This is a defect of Ladder; --no-state computes from scratch.",
        )
    outcome.verified = True


def peak_memory() -> tuple[int, int]:
    """(peak memory of this process, peak memory of its largest child process), in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return (
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit,
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit,
    )


def bootstrapped(name: str, program: Any, options: Options, facts: Facts, files: Files, console: Console) -> Outcome:
    """Analyse files from scratch, without saving a state."""
    extracted, others = inputs_of(program, facts)
    given_rows = _decided(others, options, facts, files)
    if unknown := [relation for relation in others if relation not in given_rows]:
        raise LadderError(
            f"The analysis {name} reads {', '.join(unknown)}, which the front end for {facts.front_end.language} does "
            "not extract.",
            "`ladder run` evaluates programs on facts of their own.",
        )
    with console.stage("load", f"{Path(name).stem}: reading facts"):
        made = _made(name, options, files, console)
        on_spark = made.get("engine") == "spark"
        given = (
            {}
            if on_spark
            else as_declared(
                program, facts.reading(lambda: facts.tables.read(list(files.active.values()), extracted), [files])
            )
        )
        if options.bodies is not None:
            given = _with(given, as_declared(program, options.bodies.read(extracted)))
        given |= given_rows
    with console.stage("evaluate", f"{Path(name).stem}: evaluating" + (" on Spark" if on_spark else "")):
        db: Any = _database()(program, **made)
        if on_spark:
            layout = facts.tables.layout
            columns = declared_columns(
                program, {relation: [column for column, _ in layout.relations[relation]] for relation in extracted}
            )
            db.load_source(Packs.of(facts.tables, list(files.active.values()), extracted, columns))
        db.bootstrap(_handed_over(given))
    work = Work(
        "bootstrap",
        "There was no state to go on from.",
        db.bootstrap_seconds,
        {"bootstrap": db.bootstrap_seconds},
        engine=db.engine,
    )
    return Outcome(name, program, db, "bootstrap", files, facts.front_end.display, work=work)


def _decided(inputs: Sequence[str], options: Options, facts: Facts, files: Files) -> dict[str, Any]:
    """The rows of those of the inputs that options decide, or where files lie."""
    placed = _placed(inputs, facts, files)
    return options.given(inputs) | {relation: sorted(rows) for relation, rows in placed.items()}


def _placed(inputs: Sequence[str], facts: Facts, files: Files) -> dict[str, set[tuple[str]]]:
    """The rows of those of the inputs that follow from where files lie."""
    folders = getattr(facts.front_end, "tests", ())
    return {TEST_UNITS: test_units(files, folders)} if TEST_UNITS in inputs else {}


def _handed_over(tables: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The pairs of a dictionary, which is empty at the end: tables of a large project take gigabytes."""
    for name in list(tables):
        yield name, tables.pop(name)


def _with(tables: Mapping[str, pa.Table], more: Mapping[str, pa.Table]) -> dict[str, Any]:
    """Tables of facts with further rows."""
    return {name: pa.concat_tables([table, more[name]]) if name in more else table for name, table in tables.items()}


def as_declared(program: Any, tables: Mapping[str, pa.Table]) -> dict[str, Any]:
    """Tables of facts with the columns that a program declares, matched by name if it uses the front end's names, else
    by position."""
    columns = declared_columns(program, {name: table.column_names for name, table in tables.items()})
    return {name: with_columns(table, columns.get(name)) for name, table in tables.items()}


def declared_columns(program: Any, given: Mapping[str, Sequence[str]]) -> dict[str, Columns]:
    """For each relation which columns of the front end's relation a program reads, and under which names.

    Relations with another number of columns are left out; reading their facts raises an error.
    """
    found: dict[str, Columns] = {}
    for name, columns in given.items():
        declared = [column.name for column in program.core.relations[name].columns]
        order = order_of_header(
            columns, declared, f"The relation {name}", "Name all columns as the front end does, or none."
        )
        if len(columns) == len(declared):
            found[name] = tuple(range(len(columns)) if order is None else order), tuple(declared)
    return found


def _made(name: str, options: Options, files: Files, console: Console) -> DatabaseOptions:
    """The options of the database of a bootstrap; if no engine is requested, it is chosen by the number of facts."""
    engine, limits = options.database.get("engine", "local"), options.database.get("limits", NO_LIMITS)
    if options.bodies is not None:
        engine = "local"
    if engine == "auto":
        number = sum(entry.facts for entry in files.of_active())
        tuning = options.database.get("tuning", DEFAULT).placing
        choice = chosen(number, limits, tuning, extracted=True)
        if choice.engine == "spark" or choice.doubtful:
            console.warn(f"{name}: {choice.reason}")
        engine = choice.engine
    if engine != "spark":
        return {"tuning": SAVED_AT_ONCE, **local_options(options.database)}
    checkpoints = options.database.get("checkpoints")
    return {
        **options.database,
        "engine": engine,
        "checkpoints": checkpoints and f"{checkpoints}/{state_name(name.replace(', ', '+'), options)}",
    }


def _opened(options: Options) -> DatabaseOptions:
    """The options of the database of a saved state; if no engine is requested, it is the local one, which the state
    fits."""
    return options.database if options.database.get("engine") == "spark" else local_options(options.database)


def _updated(
    name: str,
    program: Any,
    options: Options,
    facts: Facts,
    files: Files,
    baseline: Files | None,
    opened: tuple[Any, Note],
    console: Console,
) -> Outcome | None:
    """Update the saved state to `files`, first to the baseline if there is one; None if facts that it was made from are
    gone."""
    db, note = opened
    try:
        old = facts.remembered(note.snapshot)
        if old is None:
            console.warn("The facts of the last run are gone: everything is computed anew.")
            return None
        outcome = Outcome(name, program, db, "unchanged", old, facts.front_end.display, edited=db.opening is not None)
        if not outcome.edited:
            outcome = replace(outcome, opened=old, opened_key=note.key)
        bodies = options.bodies.before(_said(note.given).get(LIBRARY, "")) if options.bodies else None
        if options.bodies and bodies is None:
            console.warn("What bodies of libraries the last run had is forgotten: everything is computed anew.")
            return None
        edit = _edited(outcome, options, facts, bodies, console) if outcome.edited else None
        if note.given != options.version(program.inputs):
            given = _given_anew(outcome, options, facts, bodies, console, note.given)
            outcome, edit = replace(outcome, edited=True), given if edit is None else _joined(edit, given)
        outcome = replace(outcome, moved=edit)
        if baseline is not None and baseline.active != old.active:
            outcome = moved(outcome, facts, baseline, console)
        return moved(outcome, facts, files, console, None if baseline is not None else edit)
    except ProjectError:
        console.warn("The files of the last run are gone: everything is computed anew.")
        return None


def _edited(outcome: Outcome, options: Options, facts: Facts, bodies: Bodies | None, console: Console) -> Any:
    """The changes by another version of the program, including those by the facts of its new inputs."""
    db, delta = outcome.db, outcome.db.opening
    console.say(f"{outcome.name} is another version of the program. {delta.reason}")
    extracted, others = inputs_of(outcome.program, facts)
    files, wanted = outcome.files, [name for name in extracted if name in db.new_inputs]
    given = as_declared(
        outcome.program,
        facts.reading(lambda: facts.tables.read(list(files.active.values()), wanted), [files]) if wanted else {},
    )
    if bodies is not None:
        given = _with(given, as_declared(outcome.program, bodies.read(wanted)))
    decided = _decided(others, options, facts, files)
    given |= {relation: rows for relation, rows in decided.items() if relation in db.new_inputs}
    return _joined(delta, db.update(insert=given)) if given else delta


def _given_anew(
    outcome: Outcome, options: Options, facts: Facts, bodies: Bodies | None, console: Console, before: str
) -> Any:
    """The changes by rows that options decide and that are others than at the last run, of which this was the version;
    `bodies`: those of libraries that it had."""
    inserted: dict[str, Any] = {}
    deleted: dict[str, Any] = {}
    if options.bodies is not None and bodies is not None and options.bodies.version != bodies.version:
        change = options.bodies.difference(bodies, inputs_of(outcome.program, facts)[0])
        inserted |= as_declared(outcome.program, change.inserted)
        deleted |= as_declared(outcome.program, change.deleted)
    for relation, rows in options.given(inputs_of(outcome.program, facts)[1], before).items():
        old, new = set(outcome.db[relation]), set(rows)
        if old != new:
            inserted[relation], deleted[relation] = sorted(new - old), sorted(old - new)
    came, went = (sum(map(len, rows.values())) for rows in (inserted, deleted))
    console.say(
        f"{outcome.name}: {counted(came, 'row')} about libraries, reflection and exceptions came and {went:,} went "
        "since the last run."
    )
    return outcome.db.update(insert=inserted, delete=deleted)


def moved(outcome: Outcome, facts: Facts, files: Files, console: Console, edit: Any = None) -> Outcome:
    """The outcome with its facts replaced by those of `files`; `edit`: changes that another version of the program has
    made before."""
    extracted, others = inputs_of(outcome.program, facts)
    old = outcome.files
    with console.stage("load"):
        change = facts.reading(
            lambda: facts.tables.difference(list(old.active.values()), list(files.active.values()), extracted),
            [old, files],
        )
    before, now = (_placed(others, facts, each) for each in (old, files))
    came = {relation: sorted(rows - before[relation]) for relation, rows in now.items()}
    went = {relation: sorted(rows - now[relation]) for relation, rows in before.items()}
    count = len(change) + sum(len(rows) for side in (came, went) for rows in side.values())
    if not count and edit is None:
        mode: Literal["bootstrap", "unchanged"] = "bootstrap" if outcome.mode == "bootstrap" else "unchanged"
        return replace(outcome, mode=mode, files=files, before=old)
    with console.stage("evaluate", f"{outcome.name}: {counted(count, 'changed fact')}"):
        change_here: Any = outcome.db.update(
            insert=as_declared(outcome.program, change.inserted) | came,
            delete=as_declared(outcome.program, change.deleted) | went,
        )
        since_opened = _joined(outcome.moved, change_here) if outcome.moved is not None else change_here
        delta: Any = _joined(edit, change_here) if edit is not None else change_here
        inserted, deleted = (
            {name: outcome.table(name, side[name]) for name in outcome.program.outputs if len(side[name])}
            for side in (delta.inserted, delta.deleted)
        )
    return replace(
        outcome,
        mode=delta.mode,
        files=files,
        before=old,
        inserted=inserted,
        deleted=deleted,
        changed_facts=count,
        work=delta.work,
        moved=since_opened,
    )
