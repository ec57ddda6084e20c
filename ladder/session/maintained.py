"""A program over changing facts whose state is kept in a folder: the first run evaluates everything, later ones update
it.

A state belongs to its program and to a version of the engine. A state of another version or a damaged one is reported
and replaced; one of another program or another user is an error and stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ladder.api.database import Database
from ladder.api.joining import joined
from ladder.api.options import Options
from ladder.api.program import Program
from ladder.api.rows import Delta, Work
from ladder.engine.local.saved.state import refuse_others_files
from ladder.errors import NotOurs, StateError
from ladder.facts.files import read_facts
from ladder.policy.placement import chosen, facts_in, saved_state_too_large
from ladder.report.summary import how
from ladder.support.limits import NO_LIMITS, Limits
from ladder.support.locks import locked
from ladder.support.private import check_state
from ladder.support.tuning import DEFAULT, SAVED_AT_ONCE, Placing

CURRENT = "CURRENT"


def maintained(
    program: Program,
    facts: Path,
    folder: Path,
    options: Options,
    say: Callable[[str], None],
    missing_is_empty: bool = False,
    trusted: bool = False,
) -> tuple[Database, Delta | None]:
    """(the database of a program over the facts in the files of a folder, what changed since the last run); the state
    is saved in another folder.

    The delta is None if there was no usable state. Nobody else may use the state's folder meanwhile. `trusted`: the
    state may have been written by somebody else; it becomes this user's.
    """
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    check_state(folder, trusted)
    refuse_others_files(folder)
    tuning = options.get("tuning", DEFAULT)
    with locked(folder / "lock", f"The state in {folder}", say, tuning.saving.patience, trusted=trusted):
        db, delta = _opened(program, facts, folder, options, say, trusted), None
        if db is None:
            made: Options = {"tuning": SAVED_AT_ONCE, **options}
            db = Database(program, **made)
            db.load(facts, missing_is_empty)
        else:
            delta = db.replace_facts(read_facts(db.program.core, facts, missing_is_empty, tuning.reading))
            delta = joined(db.opening, delta) if db.opening else delta
        db.save(folder)
        return db, delta


def _opened(
    program: Program, facts: Path, folder: Path, options: Options, say: Callable[[str], None], trusted: bool
) -> Database | None:
    """The database of the saved state; None, after a message with the reason, if it cannot be used, or if it does not
    fit this machine and another engine may be used."""
    if not (folder / CURRENT).exists():
        return None
    limits, tuning = options.get("limits", NO_LIMITS), options.get("tuning", DEFAULT).placing
    if options.get("engine") == "spark" and (reason := too_large(program, facts, folder, limits, tuning)):
        say(f"{reason} Everything is computed anew.")
        return None
    try:
        return Database.open(folder, program, trust=trusted, **options)
    except NotOurs:
        raise
    except StateError as error:
        say(f"The saved state is not used: {error.message} Everything is computed anew.")
        return None


def too_large(program: Program, facts: Path, folder: Path, limits: Limits, tuning: Placing = DEFAULT.placing) -> str:
    """Why facts, or a saved state, do not fit this machine, as a sentence; "" if they fit."""
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    if reason := saved_state_too_large(size, limits, tuning):
        return reason
    choice = chosen(facts_in(program.core, facts, tuning), limits, tuning)
    return choice.reason if choice.engine == "spark" else ""


def summary(db: Database, delta: Delta | None) -> str:
    """A summary of a run: one line, and a line for each relation that changed."""
    if delta is None:
        seconds = db.bootstrap_seconds
        return how(
            Work(
                "bootstrap",
                "There was no state to go on from.",
                seconds,
                {"bootstrap": seconds},
                engine=db.choice.engine,
            )
        )
    lines = [how(delta.work)]
    for name in sorted({*delta.inserted, *delta.deleted}):
        lines.append(f"  {name}: +{len(delta.inserted[name]):,} -{len(delta.deleted[name]):,}")
    return "\n".join(lines)
