"""Queries of the saved result of an analysis: rows of a relation, and explanations of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, reduce
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from ladder.api.program import Program
from ladder.api.rows import Rows
from ladder.api.saved_rows import SavedRows
from ladder.errors import LadderError, StateError
from ladder.facts.packs.pack import Damaged
from ladder.frontends.protocol import FrontEnd
from ladder.language.core import Column, Kind
from ladder.language.stored import kept_names
from ladder.project.files import Project
from ladder.report.results import about_temporaries
from ladder.session import workspace
from ladder.session.analyze import (
    Options,
    Outcome,
    Set,
    analysis_with,
    labels,
    latest,
    refuse_unknown_context,
    state_name,
    states_of,
)
from ladder.session.facts import Facts, Files
from ladder.session.kept_findings import Kept, read
from ladder.session.library import MODELS, LibraryChoice
from ladder.session.names import column_types, naming
from ladder.session.states import Note, StateFolder
from ladder.session.workspace import Workspace
from ladder.support.console import Console
from ladder.support.counts import counted

if TYPE_CHECKING:
    from ladder.engine.local.explain import Explanation

RUN_FIRST, RUN_AGAIN = "Run `analyze` first.", "Run `analyze` again: it computes the result anew."


class Saved:
    """A saved outcome and the facts that it was made from. `program`: that of the analysis; `files`: those of the last
    run; `kept`: the findings that it described, if it did."""

    def __init__(
        self, program: Program, facts: Facts, files: Files, kept: Kept | None, opened: Callable[[], Outcome]
    ) -> None:
        self.program, self.facts, self.files, self.kept, self._opened = program, facts, files, kept, opened

    @cached_property
    def outcome(self) -> Outcome:
        """The outcome, whose state is opened, or looked at, when it is first asked for; `StateError` if it cannot
        be."""
        return self._opened()


@contextmanager
def saved(
    project: Path,
    analysis: str,
    entry: str,
    state: Path | None,
    trusted: bool = False,
    front_end: FrontEnd | None = None,
    context: str = "",
    library: LibraryChoice = MODELS,
    lazily: bool = False,
    about: str = "",
) -> Iterator[Saved]:
    """A block with the last result of an analysis; `StateError` if there is none that this version can read. `lazily`:
    few rows are asked for, so that the state is only looked at where that is possible, and even that only if what the
    last run described does not do. If no analysis is named, it is the one that has the rule or relation `about`."""
    found, console = Project(project, front_end), Console(quiet=True)
    if not (workspace.place(found, state) / "FORMAT").exists():
        raise StateError(f"There is no result{f' of {analysis}' if analysis else ''} for {project}.", RUN_FIRST)
    with workspace.opened(found, state, console.warn, trusted, looking=True) as opened:
        refuse_unknown_context(found.front_end, context)
        options = Options(entry, context=context, library=library.text)
        facts = Facts(found, opened, console, "auto", 0, looking=True)
        analysis = analysis or analysis_with(about, options, facts, opened)
        if not analysis:
            raise StateError(
                f"No analysis of {project} that has a result has a rule or a relation {about}.",
                "Run `analyze` first, or name its --analysis; --entry, --context and --library are those of the run.",
            )
        run = f"{analysis} --entry {entry}" + (f" --context {context}" if context else "")
        run += f" --library {library.text}" if library.text else ""
        wanted = Set.of([analysis], found.front_end, options)
        notes = states_of(wanted, options, facts, opened)
        if not notes:
            _found(wanted, options, facts, opened, trusted)
            raise StateError(f"There is no result of {run} for {project}.", RUN_FIRST)
        files = facts.remembered(notes[0].snapshot)
        if files is None:
            raise StateError(f"The facts that the result of {run} was made from are gone.", RUN_AGAIN)
        program = wanted.programs.whole
        file = opened.findings / state_name(analysis, options)
        kept = read(file, opened.seal, f"{program.fingerprint} {notes[0].key}")

        def outcome() -> Outcome:
            glanced = _glanced(wanted, notes[0], options, opened) if lazily and not trusted else None
            if glanced is not None:
                return Outcome(analysis, program, glanced, "unchanged", files, facts.front_end.display)
            return _outcome(analysis, files, *_found(wanted, options, facts, opened, trusted), facts)

        result = Saved(program, facts, files, kept, outcome)
        if not lazily:
            result.outcome  # noqa: B018 - is opened now
        try:
            yield result
        except Damaged as damaged:
            raise StateError(damaged.message, RUN_AGAIN) from damaged


def _glanced(wanted: Set, note: Note, options: Options, opened: Workspace) -> SavedRows | None:
    """The rows of an analysis in the state with this note, without the programs of others that are evaluated together
    with it; None where its database must be opened."""
    program, fingerprint = wanted.programs.whole, note.program
    names: Mapping[str, str] = {}
    if note.analyses != wanted.names:
        label = labels(note.analyses)[note.analyses.index(wanted.names[0])]
        fingerprint, names = dict(kept_names(note.program)).get(label, ("", {}))
    if fingerprint != program.fingerprint:
        return None
    folder = StateFolder(opened.states / state_name(note.analyses, options), opened.seal).current()
    try:
        return None if folder is None else SavedRows.at(folder, program, names, note.program, note.text())
    except StateError:  # which opening the database says, and what to do then
        return None


def _found(wanted: Set, options: Options, facts: Facts, opened: Workspace, trusted: bool) -> tuple[Set, Any]:
    """(the analyses of the latest state that has those that are wanted, the database of the state; None if there is
    none)."""
    from ladder.api.database import Database  # loads the engine, which a look does without

    group = latest(wanted, options, facts, opened)
    program = group.programs.whole
    states = StateFolder(
        opened.states / state_name(group.names, options),
        opened.seal,
        lambda path: Database.open(path, program, trust=trusted),
    )
    note = Note(program.fingerprint, facts.version, repr(options.of_state), states.snapshot() or "")
    try:
        found = states.found(note)
    except StateError as error:
        raise StateError(error.message, RUN_AGAIN) from error
    return group, None if found is None else found[0]


def _outcome(analysis: str, files: Files, group: Set, db: Any, facts: Facts) -> Outcome:
    """The outcome of an analysis in a database of several."""
    whole = Outcome(group.label, group.programs.whole, db, "unchanged", files, facts.front_end.display)
    return group.parts(whole)[analysis]


def rows(
    result: Saved, relation: str, *, names: bool, match: str | None, temporaries: bool = True
) -> tuple[pa.Table, int]:
    """(the rows of a relation, with names or ids, that contain the text `match` in some column; how many such rows are
    left out, because they are about temporaries and these are not asked for)."""
    outcome = result.outcome
    _require(outcome, relation)
    types = column_types(outcome, relation)
    table = outcome.db[relation].to_arrow()
    temporary = about_temporaries(table, types, outcome.display)
    if names:
        table = naming(outcome, result.facts, outcome.files).rename(outcome.table(relation), types)
    if match is not None:
        hits = [pc.match_substring(column.cast(pa.large_string()), match) for column in table.columns]
        found = reduce(pc.or_, hits)
        table, temporary = table.filter(found), temporary.filter(found.combine_chunks())
    if temporaries:
        return table, 0
    return table.filter(pc.invert(temporary)), pc.sum(temporary).as_py() or 0


def explanation(result: Saved, relation: str, cells: Sequence[str], depth: int | None = None) -> Explanation:
    """The explanation of a row, whose cells are given as texts, with so many levels of reasons at most."""
    outcome = result.outcome
    _require(outcome, relation)
    columns = outcome.program.core.relations[relation].columns
    if len(cells) != len(columns):
        raise LadderError(
            f"{relation} has {counted(len(columns), 'column')}, but is given {counted(len(cells), 'value')}.",
            f"They are {', '.join(column.name for column in columns)}.",
        )
    row = tuple(_value(cell, relation, column) for cell, column in zip(cells, columns, strict=True))
    if not all(column.type.kind in (Kind.NUMBER, Kind.SYMBOL) for column in columns):
        row = _shown_as(outcome.db[relation], row)
    found: Explanation = outcome.db.explain(relation, row, depth=depth)
    return found


def _shown_as(rows: Rows, cells: tuple[Any, ...]) -> tuple[Any, ...]:
    """The row with these numbers and symbols whose other values, such as those of lattices, are shown as these
    texts."""
    table = rows.to_arrow()
    chosen = pa.array([True] * len(table), pa.bool_())
    for cell, column, values in zip(cells, rows.columns, table.columns, strict=True):
        if column.type.kind in (Kind.NUMBER, Kind.SYMBOL):
            chosen = pc.and_(chosen, pc.equal(values.combine_chunks().cast(pa.scalar(cell).type), cell))
        else:
            chosen = pc.and_(chosen, pa.array([str(value) == cell for value in values.to_pylist()], pa.bool_()))
    number = pc.index(chosen, True).as_py()
    if number < 0:
        raise LadderError(
            f"{rows.relation}({', '.join(map(str, cells))}) is not a row.", "Only rows that are there can be explained."
        )
    found: tuple[Any, ...] = next(islice(rows, number, None))
    return found


def _value(cell: str, relation: str, column: Column) -> Any:
    """The value of a cell that was given as text."""
    if column.type.kind is not Kind.NUMBER:
        return cell
    try:
        return int(cell)
    except ValueError:
        raise LadderError(
            f"{cell!r} is no number, and the column {column.name} of {relation} holds numbers.",
            "`ladder show RELATION --ids` prints rows as they are given here.",
        ) from None


def _require(outcome: Outcome, relation: str) -> None:
    known = outcome.program.core.relations
    if relation not in known:
        from difflib import get_close_matches

        near = get_close_matches(relation, known, 3) or sorted(outcome.program.outputs)
        raise LadderError(f"{outcome.name} has no relation {relation}.", f"It has {', '.join(near)}.")
