"""A saved state: one file of arrays that is mapped, not read, and logs of the changes after it.

    FOLDER/CURRENT          which base and how many logs are the state, with their digests, and the user's note;
                            replaced in one step
    FOLDER/base-N           everything (see `base`)
    FOLDER/log-N-K          what the K-th save after base N changed: rows with their states, new symbols, objects,
                            records
    FOLDER/tables-N         instead of both: tables that another engine has written (see `tables`)

A save after an update writes a log in proportion to the change; once the logs have grown to a share of the base, a new
base follows. Even if a save is interrupted, CURRENT names complete files: they are on the disk before CURRENT is
replaced, and files that it no longer names are removed afterwards. Every file has a digest, and CURRENT has an
authentication code under the user's key: a state that somebody else has written, or that was copied from where another
key is used, is opened only if it is trusted, and is checked even then.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.saved.base import laid_base, of_these_kernels, read_base
from ladder.engine.local.saved.checks import check_iterations
from ladder.engine.local.saved.format import FORMAT, HINT, MAGIC
from ladder.engine.local.saved.log import apply_log, laid_log
from ladder.engine.local.saved.parts import HEAD, Laid, Parts, damaged, place_of_header, read_small
from ladder.engine.local.saved.program import Opener, Origin
from ladder.engine.local.saved.tables import CURRENT, believed, current_text, remove_others
from ladder.engine.local.transactions import forget_group_notes
from ladder.errors import LadderError, NotOurs, StateError
from ladder.language.core import Program
from ladder.policy.rebuild import Costs
from ladder.support.files import TEMPORARY, make_folder, remove_leftovers, replacing, write_atomically, write_pieces
from ladder.support.json_text import read_object
from ladder.support.limits import Watch
from ladder.support.locks import locked
from ladder.support.looks import settled_look
from ladder.support.private import open_own
from ladder.support.tuning import DEFAULT, Tuning

OWN = re.compile(rf"CURRENT|lock|checkpoints|base-\d+|log-\d+-\d+|tables-\d+|{re.escape(TEMPORARY)}.*")
# the exceptions that reading malformed data raises
NO_FORM = (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError)


@dataclass
class SavedState:
    """Where an engine's state is saved, and which files of it are there; `digests`: the digests of these files; `look`:
    what the base looks like (see `looks`) whose arrays are known to be those that were written, "" if that is not
    known."""

    folder: Path
    base: int = 0
    base_size: int = 0
    log_size: int = 0
    digests: tuple[bytes, ...] = ()
    look: str = ""
    current: str | None = None  # what this process last read from, or wrote to, CURRENT, …
    tried: str | None = None  # … and what it last tried to write there
    trusted: bool = False  # whether files of others may be in the folder

    @property
    def logs(self) -> int:
        """The number of logs after the base."""
        return max(len(self.digests) - 1, 0)

    def renewed(self) -> SavedState:
        """Return this state for another engine, whose next save writes everything."""
        return SavedState(self.folder, current=self.current, tried=self.tried, trusted=self.trusted)

    def save(self, engine: LocalEngine, origin: Origin, note: str) -> None:
        """Write what changed since the last save, or everything; `StateError` if it cannot be written, or somebody else
        has saved here."""
        try:
            make_folder(self.folder)
            with self.locked(engine.tuning.saving.patience):
                self._save(engine, origin, note)
        except OSError as error:
            raise StateError(
                f"The state in {self.folder} cannot be written: {error.strerror or error}.", "The old one stands."
            ) from error
        except MemoryError as error:
            raise StateError(
                f"The state in {self.folder} cannot be written: there is not enough memory.", "The old one stands."
            ) from error

    def locked(self, patience: float) -> AbstractContextManager[None]:
        """A block in which nobody else saves here; `StateError` if somebody else holds the lock for `patience`
        seconds."""
        return locked(self.folder / "lock", f"The state in {self.folder}", patience=patience, trusted=self.trusted)

    def _save(self, engine: LocalEngine, origin: Origin, note: str) -> None:
        found = self.checked(engine.program, origin)
        remove_leftovers(self.folder)
        nothing, parts = engine.nothing_unsaved(), (self.base, self.digests, self.base_size, self.log_size, self.look)
        if self._can_go_on(engine, found):
            laid = laid_log(engine)
            if laid is not None:
                _write(self.folder / f"log-{self.base}-{self.logs + 1}", laid)
                parts = self.base, (*self.digests, laid.digest), self.base_size, self.log_size + laid.size, self.look
        else:
            for aggregate in range(len(engine.store.aggregates)):
                engine.build_groups(aggregate)
            number, laid = 1 + max(_numbers(self.folder), default=0), laid_base(engine, origin)
            base = self.folder / f"base-{number}"
            _write(base, laid)
            parts = number, (laid.digest,), laid.size, 0, settled_look(base)
        # Together, and without a call that may fail between them: what a log holds is never written into another one.
        self.base, self.digests, self.base_size, self.log_size, self.look = parts
        engine.unsaved, engine.asserted_program_facts.changed = nothing, False
        self._point_here(engine, note)

    def _can_go_on(self, engine: LocalEngine, found: str | None) -> bool:
        """Whether another log may follow: row numbers have kept their meaning, and logs are few and small."""
        return (
            bool(self.base)
            and self.current == found
            and engine.unsaved.by_row is not None
            and self.logs < engine.tuning.saving.most_logs
            and self.log_size <= engine.tuning.saving.log_share * self.base_size
        )

    def checked(self, program: Program, origin: Origin) -> str | None:
        """The text of CURRENT; `StateError` if it must not be replaced, because others have saved since it was opened
        here, or because it is of another program or user."""
        refuse_others_files(self.folder)
        found = _current(self.folder)
        if found is None:
            return None
        if found == self.tried:  # it took its place, though something failed after that
            self.current = found
        if self.current is not None and found != self.current:
            raise StateError(
                f"The state in {self.folder} was saved by somebody else since it was opened or saved here.",
                "Open it again and make the change there, or save to another folder; what was saved there stands.",
            )
        if self.current is None and _is_foreign(found):
            raise NotOurs(
                f"{self.folder} holds a state that was not written by this user's Ladder, or with another key.",
                "Name another folder, or remove it.",
            )
        if self.current is None and _is_of_another(self.folder, found, program, origin):
            raise NotOurs(f"{self.folder} holds the state of another program.", "Name another folder, or remove it.")
        return found

    def about_to_write(self, current: str) -> None:
        """Note the text that CURRENT will have: if something fails after CURRENT was replaced, the text is recognised
        as our own."""
        self.tried = current

    def _point_here(self, engine: LocalEngine, note: str) -> None:
        self.tried = current_text(
            format=FORMAT,
            base=self.base,
            digests=[digest.hex() for digest in self.digests],
            note=note,
            costs=engine.costs.stored(),
            look=self.look,
        )
        write_atomically(self.folder / CURRENT, self.tried, durable=True)
        self.current = self.tried
        remove_others(
            self.folder, {f"base-{self.base}", *(f"log-{self.base}-{number}" for number in range(1, self.logs + 1))}
        )


def _write(path: Path, laid: Laid) -> None:
    with replacing(path, durable=True) as temporary, closing(laid.pieces()) as pieces:
        write_pieces(temporary, pieces)


def _numbers(folder: Path) -> list[int]:
    """The numbers of all bases in the folder, including those that are incomplete or not in use."""
    return [int(path.name.partition("-")[2]) for path in folder.glob("base-*") if OWN.fullmatch(path.name)]


def refuse_others_files(folder: Path) -> None:
    """Raise `StateError` for a folder that contains anything but a state: other files must not be mistaken for parts of
    one."""
    other = (
        next((path.name for path in folder.iterdir() if not OWN.fullmatch(path.name)), None)
        if folder.is_dir()
        else None
    )
    if other is not None:
        raise StateError(f"{folder} is no folder for a state: it holds {other}.", "Name an empty or a new one.")


def _is_foreign(found: str) -> bool:
    """Whether the text of a CURRENT file is intact, but written by somebody else."""
    try:
        believed(Path(), found, trust=False)
    except NotOurs:
        return True
    except (LadderError, *NO_FORM):
        return False
    return False


def _is_of_another(folder: Path, found: str, program: Program, origin: Origin) -> bool:
    """Whether the state in a folder, as far as it can be read, is of a program that has no relation of this one's."""
    try:
        current = read_object(read_object(found)["current"])
        if "tables" in current:
            manifest = read_object(
                read_small(
                    folder / f"tables-{int(current['tables'].removeprefix('tables-'))}" / "MANIFEST", trusted=True
                )
            )
            return manifest["fingerprint"] != origin.fingerprint and not set(manifest["relations"]).intersection(
                program.relations
            )
        with os.fdopen(open_own(folder / f"base-{int(current['base'])}", trusted=True), "rb") as file:
            start = file.read(HEAD)
            position, length = place_of_header(start)
            if start[: len(MAGIC)] != MAGIC or length > 1 << 30:
                return False
            file.seek(position)
            header = read_object(file.read(length))
        return header["program"] != origin.fingerprint and not set(header["numbers"]).intersection(
            name for name in program.relations if program.declares(name)
        )
    except (OSError, LadderError, *NO_FORM):
        return False


# ---- opening


def open_state(
    folder: Path,
    program_of: Opener,
    watch: Watch | None = None,
    strategy: str = "elastic",
    trust: bool = False,
    tuning: Tuning = DEFAULT,
) -> tuple[LocalEngine, SavedState, str]:
    """(engine, where it is saved, the note); `StateError` if there is no such state, or it is damaged or foreign.

    `program_of` returns the core program of the state, or raises `StateError`. `trust`: a state that others have
    written is opened, too, after everything in it was checked.
    """
    for _ in range(tuning.saving.attempts):
        try:
            return _opened(folder, program_of, watch, strategy, trust, tuning)
        except _Replaced:  # somebody has saved between two of the files
            continue
        except OSError as error:
            raise StateError(f"The state in {folder} cannot be read: {error.strerror}.", HINT) from error
        except MemoryError as error:
            raise StateError(
                f"The state in {folder} cannot be opened: there is not enough memory.", "Free some, or allow more."
            ) from error
        except NO_FORM as error:
            raise StateError(f"The state in {folder} is damaged ({type(error).__name__}: {error}).", HINT) from error
    raise StateError(f"The state in {folder} cannot be opened: it is saved again and again meanwhile.", "Try again.")


class _Replaced(Exception):
    """Raised if CURRENT was replaced after it was read."""


def _opened(
    folder: Path, program_of: Opener, watch: Watch | None, strategy: str, trust: bool, tuning: Tuning
) -> tuple[LocalEngine, SavedState, str]:
    try:
        text = read_small(folder / CURRENT, trust).decode()
    except FileNotFoundError:
        raise StateError(f"There is no complete state in {folder} (CURRENT is missing).", HINT) from None
    current, ours = believed(folder, text, trust)
    costs, note = _costs(current["costs"]), current["note"]
    if not isinstance(note, str):
        damaged(folder, "its note is none")
    opening: Callable[[], tuple[LocalEngine, SavedState]] = lambda: (
        _opened_tables(folder, current, ours, program_of, watch, strategy, tuning)
        if "tables" in current
        else _opened_files(folder, current, ours, program_of, watch, strategy, trust, tuning)
    )
    try:
        engine, saved = opening()
    except FileNotFoundError as error:
        if _current(folder) != text:
            raise _Replaced from error
        raise StateError(
            f"There is no complete state in {folder} ({Path(error.filename or '').name} is missing).", HINT
        ) from None
    engine.costs = costs
    return engine, replace(saved, current=text, trusted=trust), note


def _costs(description: Mapping[str, Any]) -> Costs:
    costs = Costs(**description)
    measured = [n for n in (costs.bootstrap, costs.per_fact) if n is not None]
    for number in (*measured, costs.facts, costs.comparing, costs.preparing):
        if type(number) not in (int, float) or not 0 <= number < float("inf"):
            raise ValueError("costs that are none")
    return costs


def _opened_files(
    folder: Path,
    current: Mapping[str, Any],
    ours: bool,
    program_of: Opener,
    watch: Watch | None,
    strategy: str,
    trust: bool,
    tuning: Tuning,
) -> tuple[LocalEngine, SavedState]:
    """The engine of a base and its logs.

    If others, or other kernels, wrote them, no log is added to them: the next save writes a new base.
    """
    number, digests = current["base"], tuple(map(bytes.fromhex, current["digests"]))
    if type(number) is not int or number < 1 or not digests:
        damaged(folder, "its CURRENT file names no base")
    look = str(current.get("look", "")) if ours else ""
    base = Parts(folder / f"base-{number}", digests[0], trust, tuning.saving, look)
    engine = read_base(base, ours, program_of, watch, strategy, tuning)
    log_size = 0
    for place, digest in enumerate(digests[1:], 1):
        log = Parts(folder / f"log-{number}-{place}", digest, trust, tuning.saving)
        apply_log(engine, log)
        log_size += log.size
    believed = ours and of_these_kernels(base)
    if not believed:
        check_iterations(engine, folder)
    engine.unsaved, engine.asserted_program_facts.changed = engine.nothing_unsaved(), False
    # Only now: joins may yield values that no log has, which must get numbers after all those that the logs have.
    for aggregate in range(len(engine.store.aggregates)):
        engine.settle(aggregate)
    forget_group_notes(engine)
    known = SavedState(folder, number, base.size, log_size, digests, base.look)
    return engine, known if believed else SavedState(folder)


def _opened_tables(
    folder: Path,
    current: Mapping[str, Any],
    ours: bool,
    program_of: Opener,
    watch: Watch | None,
    strategy: str,
    tuning: Tuning,
) -> tuple[LocalEngine, SavedState]:
    """The engine of a state in tables; the next save writes a base."""
    from ladder.engine.local.saved.imported import read_tables  # Arrow is needed here only

    engine = read_tables(folder, current, ours, program_of, watch, strategy, tuning)
    if not ours:
        check_iterations(engine, folder)
    engine.unsaved, engine.asserted_program_facts.changed = engine.nothing_unsaved(), False
    return engine, SavedState(folder)


def _current(folder: Path) -> str | None:
    try:
        return read_small(folder / CURRENT, trusted=True).decode()
    except (OSError, ValueError, LadderError):
        return None
