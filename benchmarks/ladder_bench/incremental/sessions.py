"""Live sessions, each in a process of its own: an analysis of a project from scratch, then changes one after the other.

What updates leave is compared with an evaluation from scratch: rows of all relations, their first iterations and
derivations. So is every single update where `verify` says so; its process is killed by the first that differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ladder.api.database import Database
from ladder.api.rows import Delta
from ladder.errors import LadderError
from ladder.project.files import Project
from ladder.session.analyze import Outcome, verify
from ladder_bench import live
from ladder_bench.incremental.changes import Edit, drawn
from ladder_bench.incremental.projects import Analysed, changed_facts, verified_by_its_facts, versions, with_files
from ladder_bench.processes import peak_of, resident_of

SAMPLE = 10  # changes whose results are compared with those from scratch, all at once, in every session
TOLD = ("If", "DecidedBranch", "UnreachableInstruction", "Reachable")  # of which rows are told, where they are there


def random_changes(
    project: str,
    kept: str,
    analysis: str,
    context: str,
    entry: str,
    relation: str,
    kind: str,
    count: int,
    seed: int,
    verified: bool,
) -> Iterator[dict[str, Any]]:
    """The bootstrap; what the first updates cost; then two lines for each random change, which is made and undone.

    As many rows of every relation must go with the opposite of a change as came with it. In the end `SAMPLE` changes
    are made together.
    """
    live.warmed()
    analysed = Analysed(analysis, context, entry, Path(kept))
    facts = analysed.facts(Project(project))
    outcome, told = _begun(analysed, facts, facts.of(facts.now()), relation)
    yield told
    db = outcome.db
    ready, edits = drawn(db, kind, count + SAMPLE, seed)
    clock = live.Clock()
    for edit in ready:
        db.update(edit.come, edit.gone), db.update(edit.gone, edit.come)
    yield {"what": "first updates", **clock.lap()}
    for edit in edits[:count]:
        line, there = _updated(db, relation, edit.come, edit.gone)
        yield {"what": edit.kind, "place": edit.place, "undone": False, **line}
        if verified:
            verified_by_its_facts(outcome)
        line, back = _updated(db, relation, edit.gone, edit.come)
        yield {"what": edit.kind, "place": edit.place, "undone": True, **line}
        _refuse_other_way(edit, there, back)
    yield {"what": "memory", "peak": peak_of("self"), "resident": resident_of("self")}
    for edit in edits[count:] or edits[:SAMPLE]:
        db.update(edit.come, edit.gone)
    verified_by_its_facts(outcome)
    yield {"what": "verified", "changes": len(edits[:count]) if verified else 0, "sample": SAMPLE}


def commits(
    history: str, kept: str, analysis: str, context: str, entry: str, relation: str, count: int, verified: bool
) -> Iterator[dict[str, Any]]:
    """The bootstrap of the oldest version, and what the first update costs; then a line for each version that changes
    facts, and how many do not."""
    live.warmed()
    analysed = Analysed(analysis, context, entry, Path(kept))
    series = with_files(versions(Path(history), count + 1), analysed)
    _, facts, files = next(series)
    outcome, told = _begun(analysed, facts, files, relation)
    yield told
    clock = live.Clock()
    outcome.db.update({}, {})
    yield {"what": "first updates", **clock.lap()}
    same = checked = 0
    for version, facts, now in series:
        came, went = changed_facts(outcome.program, facts, files, now)
        changed = sum(map(len, (*came.values(), *went.values())))
        if changed:
            line, _ = _updated(outcome.db, relation, came, went)
            size = len(set(files.active.items()) ^ set(now.active.items()))
            yield {"what": "commit", "place": version.name, "files": size, "facts": changed, **line}
        same += not changed
        files = now
        if verified:
            verify(outcome, analysed.bootstrapped(facts, files))
            checked += 1
    yield {"what": "memory", "peak": peak_of("self"), "resident": resident_of("self"), "same": same}
    verify(outcome, analysed.bootstrapped(facts, files))
    yield {"what": "verified", "changes": checked, "sample": 1}


def _begun(analysed: Analysed, facts: Any, files: Any, relation: str) -> tuple[Outcome, dict[str, Any]]:
    """An analysis from scratch, and what it took and found."""
    before, clock = resident_of("self"), live.Clock()
    outcome = analysed.bootstrapped(facts, files)
    spent = clock.lap()
    db = outcome.db
    rows = {name: len(db[name]) for name in (relation, *TOLD) if name in db.relations}
    told = {"files": len(files.active), "lines": sum(entry.lines for entry in files.of_active()), "rows": rows}
    held = {"resident": resident_of("self") - before, "peak": peak_of("self")}
    return outcome, {"what": "bootstrap", "evaluation": db.bootstrap_seconds, **spent, **told, **held}


def _updated(
    db: Database, relation: str, come: Mapping[str, Any], gone: Mapping[str, Any]
) -> tuple[dict[str, Any], Delta]:
    """One transaction: what it took and changed."""
    clock = live.Clock()
    delta = db.update(come, gone)
    spent = clock.lap()
    impact = len(delta.inserted[relation]) + len(delta.deleted[relation])
    return {**spent, "impact": impact, "all": delta.impact, "mode": delta.mode}, delta


def _refuse_other_way(edit: Edit, there: Delta, back: Delta) -> None:
    """Raise `LadderError` where undoing a change did not undo what it changed."""
    if any(_sizes(one) != _sizes(other) for one, other in _opposites(there, back)):
        raise LadderError(f"Undoing the change of {edit.place} ({edit.kind}) did not bring the old rows back.")


def _opposites(there: Delta, back: Delta) -> tuple[tuple[Mapping[str, Any], Mapping[str, Any]], ...]:
    return (there.inserted, back.deleted), (there.deleted, back.inserted)


def _sizes(side: Mapping[str, Any]) -> dict[str, int]:
    return {name: len(rows) for name, rows in side.items()}
