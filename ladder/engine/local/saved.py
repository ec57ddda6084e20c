"""A saved state: one file of arrays that is mapped, not read, and a log of changes after it.

    FOLDER/CURRENT          which base and how many logs are the state, and the user's note; replaced in one step
    FOLDER/base-N           magic, header (JSON: records, arrays with their places, names), arrays
    FOLDER/log-N-K          what the K-th save after base N changed: rows with their states, new symbols, objects, records
    FOLDER/tables-N         instead of both, what an engine that computes elsewhere left (see `saved_tables`)

A save after an update writes a log in proportion to the change; a new base follows once the logs have grown to a share
of it. Whatever is interrupted, CURRENT names files that are complete. Everything carries checksums.
"""
from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xxhash import xxh3_64_intdigest as checksum

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.saved_base import MEND, read_base, write_base
from ladder.engine.local.saved_log import apply_log, pack_log, seal_of
from ladder.engine.local.saved_program import Opener, Origin
from ladder.engine.local.saved_tables import TABLES, remove_others
from ladder.engine.local.transactions import forget_group_notes
from ladder.engine.switching import Costs
from ladder.errors import StateError
from ladder.files import TEMPORARY, remove_leftovers, write_atomically
from ladder.limits import Watch
from ladder.locks import locked

MOST_LOGS = 40
LOG_SHARE = 0.25           # of the base's size, from which a new base is written
OWN = ("CURRENT", "base-", "log-", TABLES, "checkpoints", "lock", TEMPORARY)


@dataclass
class SavedState:
    """Where an engine's state is saved, and what of it is there; `seal` is that of the last file."""

    folder: Path
    base: int = 0
    logs: int = 0
    base_size: int = 0
    log_size: int = 0
    seal: int = 0
    current: str | None = None     # what this process last read from, or wrote to, CURRENT

    def save(self, engine: LocalEngine, origin: Origin, note: str) -> None:
        """Write what changed since the last save, or everything; `StateError` where it cannot be written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with locked(self.folder / "lock", f"The state in {self.folder}"):
                self._save(engine, origin, note)
        except OSError as error:
            raise StateError(f"The state in {self.folder} cannot be written: {error.strerror or error}.", "The old one stands.") from error

    def _save(self, engine: LocalEngine, origin: Origin, note: str) -> None:
        refuse_others_files(self.folder)
        remove_leftovers(self.folder)
        if self._can_go_on(engine):
            data = pack_log(engine, self.seal)
            if data:
                write_atomically(self.folder / f"log-{self.base}-{self.logs + 1}", data, durable=True)
                self.logs, self.log_size, self.seal = self.logs + 1, self.log_size + len(data), seal_of(data)
        else:
            number = max((int(p.name.split("-")[1]) for p in self.folder.glob("base-*")), default=0) + 1
            size, self.seal = write_base(self.folder / f"base-{number}", engine, origin)
            self.base, self.logs, self.base_size, self.log_size = number, 0, size, 0
        engine.unsaved.start(engine)
        self._point_here(engine, note)

    def _can_go_on(self, engine: LocalEngine) -> bool:
        """Whether a log may follow: nobody else has saved meanwhile, row numbers mean what they did, logs are few and small."""
        return (bool(self.base) and self.current == _current(self.folder) and engine.unsaved.by_row is not None
                and self.logs < MOST_LOGS and self.log_size <= LOG_SHARE * self.base_size)

    def _point_here(self, engine: LocalEngine, note: str) -> None:
        text = json.dumps({"base": self.base, "logs": self.logs, "note": note, "costs": engine.costs.stored()})
        sealed = json.dumps({"current": text, "checksum": checksum(text.encode())})
        write_atomically(self.folder / "CURRENT", sealed, durable=True)
        self.current = sealed
        remove_others(self.folder, {f"base-{self.base}", *(f"log-{self.base}-{number}" for number in range(1, self.logs + 1))})


def refuse_others_files(folder: Path) -> None:
    """`StateError` for a folder that holds other things than a state: nobody's files shall be taken for parts of one."""
    other = next((path.name for path in folder.iterdir() if not path.name.startswith(OWN)), None) if folder.is_dir() else None
    if other is not None:
        raise StateError(f"{folder} is no folder for a state: it holds {other}.", "Name an empty or a new one.")


def open_state(folder: Path, program_of: Opener, watch: Watch | None = None, strategy: str = "elastic") -> tuple[LocalEngine, SavedState, str]:
    """(engine, where it is saved, the note); `StateError` where there is no such state, or a damaged or foreign one.

    `program_of` finds the core program of what is saved, or raises `StateError`.
    """
    try:
        text = (folder / "CURRENT").read_text()
        sealed = json.loads(text)
        if checksum(sealed["current"].encode()) != sealed["checksum"]:
            raise StateError(f"The state in {folder} is damaged: its CURRENT file has another checksum.", MEND)
        current = json.loads(sealed["current"])
        if "tables" in current:
            return _opened_tables(folder, current, program_of, watch, strategy)
        base = folder / f"base-{current['base']}"
        engine, seal = read_base(base, program_of, watch, strategy)
        engine.costs = Costs(**current.get("costs", {}))
        log_size = 0
        for number in range(1, current["logs"] + 1):
            data = (folder / f"log-{current['base']}-{number}").read_bytes()
            apply_log(engine, data, seal)
            seal, log_size = seal_of(data), log_size + len(data)
    except FileNotFoundError as error:
        raise StateError(f"There is no complete state in {folder} ({Path(error.filename or '').name} is missing).", MEND) from None
    except OSError as error:
        raise StateError(f"The state in {folder} cannot be read: {error.strerror}.", MEND) from error
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise StateError(f"The state in {folder} is damaged ({type(error).__name__}: {error}).", MEND) from error
    engine.unsaved.start(engine)
    # Only now: joins may yield values that no log has, which must get numbers after all those that the logs have.
    for number in range(len(engine.store.aggregates)):
        engine.settle(number)
    forget_group_notes(engine)
    return engine, SavedState(folder, current["base"], current["logs"], base.stat().st_size, log_size, seal, text), current["note"]


def _opened_tables(folder: Path, current: Mapping[str, Any], program_of: Opener, watch: Watch | None, strategy: str) -> tuple[LocalEngine, SavedState, str]:
    """The engine of a state in tables; the next save writes a base."""
    from ladder.engine.local.imported import read_tables  # Arrow is needed here only

    engine = read_tables(folder, current, program_of, watch, strategy)
    engine.costs = Costs(**current["costs"])
    engine.unsaved.start(engine)
    return engine, SavedState(folder), current["note"]


def _current(folder: Path) -> str | None:
    try:
        return (folder / "CURRENT").read_text()
    except OSError:
        return None
