"""A program over facts that change, its state kept in a folder: the first run computes everything, later ones what changed.

A state belongs to its program and to this version of the engine. One that does not fit, or is damaged, is told and replaced.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ladder.database import Database, Options
from ladder.engine.local.saved import refuse_others_files
from ladder.errors import StateError
from ladder.locks import locked
from ladder.program import Program
from ladder.report import how
from ladder.rows import Delta, Work, joined

Facts = Iterable[tuple[str, Any]]
CURRENT = "CURRENT"


def maintained(program: Program, facts: Facts, folder: Path, options: Options, say: Callable[[str], None]) -> tuple[Database, Delta | None]:
    """The database of a program over these facts (pairs of a relation and its rows), saved, and what changed since the folder's last run.

    The delta is None where there was no state to go on from. Nobody else may use the folder meanwhile.
    """
    refuse_others_files(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "lock", f"The state in {folder}", say):
        db, delta = _opened(program, folder, options, say), None
        if db is None:
            db = Database(program, **options)
            for name, rows in facts:
                db.load_rows(name, rows)
        else:
            delta = db.replace_facts(facts)
            delta = joined(db.opening, delta) if db.opening else delta
        db.save(folder)
        return db, delta


def _opened(program: Program, folder: Path, options: Options, say: Callable[[str], None]) -> Database | None:
    """The saved state; None, after saying why, where it cannot be gone on from."""
    if not (folder / CURRENT).exists():
        return None
    try:
        return Database.open(folder, program, **options)
    except StateError as error:
        say(f"The saved state is not used: {error.message} Everything is computed anew.")
        return None


def summary(db: Database, delta: Delta | None) -> str:
    """What a run did, in a line, and a line for each relation that changed."""
    if delta is None:
        seconds = db.bootstrap_seconds
        return how(Work("bootstrap", "There was no state to go on from.", seconds, {"bootstrap": seconds}))
    lines = [how(delta.work)]
    for name in sorted({*delta.inserted, *delta.deleted}):
        lines.append(f"  {name}: +{len(delta.inserted[name]):,} -{len(delta.deleted[name]):,}")
    return "\n".join(lines)
