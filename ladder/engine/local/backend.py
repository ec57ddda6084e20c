"""The local engine as a backend; the engine object is replaced when everything is evaluated from scratch."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ladder.engine.backend import (
    NO_CHANGE,
    Backend,
    Capability,
    Change,
    Changes,
    Facts,
    InFolder,
    InParts,
    OfRelation,
    Settings,
    Stored,
)
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.rows import CellRows, Cells
from ladder.engine.local.saved.places import Places
from ladder.engine.local.strategies import STRATEGIES
from ladder.engine.local.values.encoding import Values
from ladder.errors import LadderError
from ladder.facts.files import read_facts
from ladder.facts.files.plain import PlainText
from ladder.facts.files.reading import Unreadable, read_value
from ladder.language.core import Program, Relation, Type
from ladder.policy.rebuild import Known
from ladder.support.arrow_memory import give_back
from ladder.support.by_name import table_of
from ladder.support.limits import Watch

if TYPE_CHECKING:
    from ladder.engine.local.explain import Explanation
    from ladder.engine.local.saved.program import Opener


class LocalBackend(Backend):
    """A state in this process.

    When everything is evaluated from scratch, the engine object is replaced, but cells keep their values.
    """

    name = "local"
    capabilities = frozenset(set(Capability) - {Capability.FRAMES})
    strategies = frozenset(STRATEGIES)

    def __init__(
        self, program: Program, settings: Settings, engine: LocalEngine | None = None, places: Places | None = None
    ) -> None:
        """`engine`: one that has a state already, if there is one."""
        self._engine = engine or LocalEngine(
            program,
            watch=settings.watch,
            strategy=settings.strategy,
            jobs=settings.jobs,
            tuning=settings.tuning,
        )
        self._engine.profile = settings.profile
        self.places = places or Places()
        self._pending: dict[str, list[Cells]] = {}

    @staticmethod
    def open(
        folder: Path, program_of: Opener, settings: Settings, watch: Watch, trust: bool = False
    ) -> tuple[LocalBackend, str]:
        """(a backend with the state that is saved in a folder, the note saved with it); see `open_state`.

        `watch`: checks the limits while it is opened.
        """
        from ladder.engine.local.saved.state import open_state  # most runs neither open nor save a state

        engine, saved, note = open_state(folder, program_of, watch, settings.strategy, trust, settings.tuning)
        engine.jobs, engine.watch = settings.jobs, settings.watch
        return LocalBackend(engine.program, settings, engine, Places(saved)), note

    @property
    def engine(self) -> LocalEngine:
        """The engine with the state; `LadderError` if a commit was interrupted, so that the state is neither the old
        nor the new one."""
        if self._engine.half_done:
            raise LadderError(
                "An earlier change was cut short for want of memory while it was completed.",
                "Open the saved state again, or load the facts.",
            )
        return self._engine

    @property
    def program(self) -> Program:
        """The program of the state."""
        return self._engine.program

    @property
    def values(self) -> Values:
        """The values that cells stand for."""
        return self._engine.values

    @property
    def seconds(self) -> float:
        """How long the last bootstrap took."""
        return self.engine.costs.bootstrap or 0.0

    def close(self) -> None:
        """Do nothing: nothing is held outside of this process."""

    # ---- facts

    def add_facts(self, facts: Facts) -> None:
        """Add facts for the bootstrap, encoded as cells."""
        match facts:
            case OfRelation(relation, rows):
                self._pending.setdefault(relation, []).append(self._cells(relation, rows))
            case InFolder(folder, missing_is_empty):
                for relation, rows in read_facts(self.program, folder, missing_is_empty, self._engine.tuning.reading):
                    self._pending.setdefault(relation, []).append(self._cells(relation, rows))
            case InParts(source):
                for number in range(len(source.sizes)):
                    for relation, table in source.read(number):
                        self._pending.setdefault(relation, []).append(self._cells(relation, table))

    def bootstrap(self) -> None:
        """Evaluate from scratch over all facts that were added."""
        facts = self._taken()
        give_back()
        self.engine.bootstrap(facts)

    def _taken(self) -> dict[str, Cells]:
        """The facts that were added, which are no longer kept here."""
        pending, self._pending = self._pending, {}
        return {name: cells[0] if len(cells) == 1 else np.concatenate(cells) for name, cells in pending.items()}

    def encoded(self, change: Change) -> Change:
        """The change with its facts as cells; replaced facts become deletions and insertions of those that differ."""
        engine = self.engine
        deleted = {name: self._cells(name, rows) for name, rows in change.deleted.items()}
        inserted = {name: self._cells(name, rows) for name, rows in change.inserted.items()}
        parts: dict[str, list[Cells]] = {}
        for name, rows in change.replaced:
            parts.setdefault(name, []).append(self._cells(name, rows))
        for name, several in parts.items():
            cells = np.concatenate(several)
            old, asserted = engine.asserted_facts(name, cells)
            deleted[name], inserted[name] = old[asserted], cells[~engine.is_asserted(name, cells)]
        return Change(inserted, deleted)

    def _cells(self, name: str, rows: Any) -> Cells:
        """Rows of a relation as cells; `LadderError` if their number of columns or their types do not fit."""
        engine = self._engine
        if isinstance(rows, PlainText):
            from ladder.engine.local.values.texts import cells_of_lines

            cells = rows.cells(partial(cells_of_lines, engine.values.symbols))
            if cells is not None:
                return engine.pad(name, cells)
            rows = rows.exactly()
        if (table := table_of(rows)) is not None:
            from ladder.engine.local.values.arrow import cells_of_table

            return engine.pad(
                name, cells_of_table(engine.values, table, engine.program.relations[name], self._read_text)
            )
        return engine.encode_facts(name, rows)

    def _read_text(self, text: str, type_: Type) -> Any:
        try:
            return read_value(text, type_, self.program.types)
        except Unreadable as error:
            raise LadderError(f"{text!r} is not a value of type {type_.name}: {error}") from None

    def known(self, change: Change) -> Known:
        """What is known of an encoded change."""
        return Known(
            sum(map(len, (*change.deleted.values(), *change.inserted.values()))),
            partial(self._differing, change),
            self.engine.costs,
        )

    def _differing(self, change: Change) -> int:
        """How many facts the change inserts that are not asserted yet, and deletes that are."""
        changed = sum(int((~self.engine.is_asserted(name, cells)).sum()) for name, cells in change.inserted.items())
        return changed + sum(int(self.engine.is_asserted(name, cells).sum()) for name, cells in change.deleted.items())

    def facts(
        self, names: Iterable[str], change: Change = NO_CHANGE, program: Program | None = None
    ) -> Iterator[tuple[str, CellRows]]:
        """The asserted facts of these relations after an encoded change."""
        engine = self.engine
        if program is not None and program is not engine.program:
            from ladder.engine.local.evolution import refuse_misfits

            refuse_misfits(engine, program)
        for name in names:
            if name in engine.program.relations:
                cells, asserted = engine.asserted_facts(name, change.deleted.get(name))
                yield name, self._rows(name, cells[asserted])
            if name in change.inserted:
                yield name, self._rows(name, change.inserted[name])

    # ---- changes

    def update(self, change: Change, allowed: float | None, timings: dict[str, float]) -> Changes:
        """Change the facts in a transaction of the engine."""
        engine, clock = self.engine, self._engine.watch.work
        if not engine.rehearsed:
            began = clock()
            engine.rehearse()
            timings["prepare"] = clock() - began
        began = self._begun(allowed)
        try:
            engine.update(change.deleted, change.inserted)
            try:
                changes = self._changes(engine, engine.program)
            except BaseException:
                engine.abandon()
                raise
            changes.changed_states = engine.finish().changed_rows
        finally:
            self._ended(began, timings)
            engine.costs.note_update(
                timings["update"],
                sum(map(len, (*change.deleted.values(), *change.inserted.values()))),
                engine.tuning.rebuilding,
            )
        return changes

    def evolve(
        self, program: Program, others: Collection[str], allowed: float | None, timings: dict[str, float]
    ) -> Changes:
        """Replace the program in a transaction."""
        from ladder.engine.local.evolution import Evolution, refuse_misfits  # most runs change no rules

        engine = self.engine
        refuse_misfits(engine, program)
        engine.load_transaction()
        began = self._begun(allowed)
        try:
            evolution = Evolution(engine, program, others)
            evolution.open()
            try:
                changes = self._changes(evolution.engine, program)
            except BaseException:
                evolution.abandon()
                raise
            changes.changed_states = evolution.finish().changed_rows
            self._engine = evolution.engine
        finally:
            self._ended(began, timings)
        changes.reason = evolution.reason
        return changes

    def _begun(self, allowed: float | None) -> float:
        """Note that an update begins, which may take this many seconds. Returns the time of its start."""
        watch = self._engine.watch
        began = watch.work()
        watch.switch_at = None if allowed is None else began + allowed
        return began

    def _ended(self, began: float, timings: dict[str, float]) -> None:
        """Note that an update ends, and how many seconds it took."""
        watch = self._engine.watch
        watch.switch_at = None
        timings["update"] = watch.work() - began

    def _changes(self, engine: LocalEngine, program: Program) -> Changes:
        """The changes of an engine's open transaction."""
        came, went = dict[str, CellRows](), dict[str, CellRows]()
        for name, arrived, departed in engine.changes(program):
            relation = engine.relations[name]
            for side, cells in ((came, arrived), (went, departed)):
                if len(cells):
                    side[name] = CellRows(self, relation, cells)
        return Changes(came, went)

    def recompute(self, change: Change, program: Program | None = None) -> Changes:
        """Evaluate from scratch over changed facts or another program; values keep their cells."""
        old, program = self.engine, program or self.program
        facts: dict[str, Cells] = {}
        for name, rows in self.facts(program.declared, change, program):
            facts[name] = np.concatenate([facts[name], rows.cells]) if name in facts else rows.cells
        new = old.successor(program)
        new.bootstrap({name: cells for name, cells in facts.items() if len(cells)})
        began = new.watch.work()
        came, went = dict[str, CellRows](), dict[str, CellRows]()
        for name in program.declared:
            arrived, departed = _compared(old, new, name)
            came[name], went[name] = (
                CellRows(self, new.relations[name], arrived),
                CellRows(self, new.relations[name], departed),
            )
        self._engine = new
        self.places.renew()
        new.costs.note_replaced(old.costs, new.watch.work() - began)
        changed = sum(map(len, (*came.values(), *went.values())))
        return Changes(came, went, {"bootstrap": new.costs.bootstrap or 0.0}, changed)

    # ---- results

    def _rows(self, stored: str, cells: Cells) -> CellRows:
        return CellRows(self, self._engine.relations[stored], cells)

    def rows(self, relation: str) -> CellRows:
        """The rows of a relation."""
        engine = self.engine
        return self._rows(relation, engine.store.present_cells(engine.numbers[relation]))

    def stored_relations(self) -> tuple[Relation, ...]:
        """All stored relations, except for those of records and switches."""
        return tuple(r for r in self.engine.relations.values() if r.part is None or r.part.of)

    def state(self, relation: str) -> Stored:
        """The rows of a stored relation, with (first, count) of each."""
        engine = self.engine
        cells, first, counts = engine.store.present(engine.numbers[relation])
        return Stored(self._rows(relation, cells), first, counts)

    def explain(self, relation: str, row: tuple[Any, ...], depth: int | None = None) -> Explanation:
        """Why a row is there: a derivation of least height, down to facts or so many levels."""
        from ladder.engine.local.explain import explain

        return explain(self.engine, relation, row, depth)

    def save(self, folder: Path, fingerprint: str, rules: Mapping[str, Any], note: str, language: str = "") -> None:
        """Save the state: all of it the first time, then what changed."""
        from ladder.engine.local.saved.program import Origin

        engine = self.engine
        if engine.strategy.name != "recompute":
            engine.plan_updates()
        self.places.last = self.places.known(folder)
        self.places.last.save(engine, Origin(fingerprint, dict(rules), language), note)


def _compared(old: LocalEngine, new: LocalEngine, name: str) -> tuple[Cells, Cells]:
    """(rows that a relation has in the new engine only, rows that it has in the old one only); cells have the same
    values in both."""
    from ladder.language.versions.rule_changes import same_cells

    after = new.store.present_cells(new.numbers[name])
    if name not in old.numbers or not same_cells(name, old.program, new.program):
        return after, after[:0]
    before = old.store.present_cells(old.numbers[name])
    if len(before) < len(after):  # the fewer rows are looked up among the more
        went, came = new.store.compared(new.numbers[name], before)
    else:
        came, went = old.store.compared(old.numbers[name], after)
    return came, went
