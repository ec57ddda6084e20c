"""Spark as a backend for bootstraps; a state stays on Spark until something is requested that only the local engine can
do.

Relations are read part by part, or stay on Spark as DataFrames. Changes are made by evaluating from scratch. For
everything else (small updates, changed rules, explanations) the state is exported and opened by the local engine; the
next evaluation from scratch brings it back to Spark with its facts.
"""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ladder.engine.backend import (
    Backend,
    Capability,
    Change,
    Changes,
    Facts,
    OfRelation,
    Remote,
    Settings,
    kept_for_reading,
)
from ladder.engine.local.backend import LocalBackend
from ladder.engine.local.saved.places import Places
from ladder.engine.local.saved.program import Origin
from ladder.engine.local.saved.state import SavedState
from ladder.engine.rows import Source, in_one_table, readable, undictionaried
from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.rows import SparkRows
from ladder.engine.spark.runs import FactSummary, Runs, changes, seed_of, visible_cells
from ladder.errors import LadderError, StateError
from ladder.language.core import Program
from ladder.plan.components import expand
from ladder.policy.placement import size_of_state, state_too_large
from ladder.policy.rebuild import Known
from ladder.spark.settings import AT_LEAST, SEED, heap_within
from ladder.support.limits import Watch
from ladder.support.supervision import temporary_folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ladder.engine.spark.engine import SparkState
    from ladder.engine.spark.report import RunReport


class SparkBackend(Remote):
    """A state on Spark, or what is kept of it while the local engine has it.

    Its own options are those of `Database` (`spark`, `master`, `spark_conf`, `checkpoints`, `resume`, `progress`).
    Limits apply to each evaluation; `memory` to this process and, where the session is our own, its JVM and Python
    workers together.
    """

    name = "spark"
    capabilities = frozenset((Capability.SAVE, Capability.PROFILE, Capability.FRAMES))
    strategies = frozenset(("elastic", "recompute"))
    own = frozenset(("spark", "master", "spark_conf", "checkpoints", "resume", "progress"))

    def __init__(self, program: Program, settings: Settings) -> None:
        from ladder.spark.session import Holder, Wanted

        own, limits = settings.own, settings.watch.limits
        checkpoints, session, conf = own.get("checkpoints"), own.get("spark"), dict(own.get("spark_conf") or {})
        if own.get("resume") and checkpoints is None:
            raise LadderError("There is nothing to resume from.", "Name the folder of the checkpoints.")
        seed = seed_of(conf.pop(SEED, None))
        # what is too little for Spark is evaluated elsewhere, unless Spark was asked for
        fits = settings.named or (limits.memory or 0) >= AT_LEAST
        cores = settings.jobs if settings.jobs > 1 else 0
        heap = heap_within(limits.memory, cores) if session is None and fits else None
        holder = Holder(Wanted(own.get("master"), cores, conf, heap, settings.tuning.connecting), session)
        self.runs = Runs(
            holder,
            seed,
            own.get("progress"),
            None if checkpoints is None else str(checkpoints),
            bool(own.get("resume")),
            limits,
            settings.sources,
            settings.tuning,
        )
        self.settings, self.places = settings, Places()
        self._state: SparkState | None = None
        self._program, self._facts, self._summary = program, list[Facts](), FactSummary()
        self._exported: Path | None = None
        self._report: RunReport | None = None
        self._seconds = 0.0

    @property
    def on_spark(self) -> SparkState:
        """The state, which must be on Spark."""
        assert self._state is not None
        return self._state

    @property
    def program(self) -> Program:
        """The program of the state."""
        return self._program if self._state is None else self._state.program

    @property
    def seconds(self) -> float:
        """How long the last bootstrap took."""
        return self._seconds

    @property
    def report(self) -> RunReport | None:
        """The figures of the last bootstrap, by component and iteration."""
        return self._report if self._state is None else self._state.report

    def close(self) -> None:
        """Release what Spark holds, remove the checkpoints of completed evaluations, and stop a session of our own."""
        if self._state is not None:
            self._forget_checkpoints()
            self._state.release()
            self._report, self._state = self._state.report, None
        self.runs.close()

    def _forget_checkpoints(self) -> None:
        """Remove the checkpoints of a completed evaluation, which will not be resumed."""
        with self.runs.session():
            self.on_spark.checkpoints.remove()

    # ---- facts

    def add_facts(self, facts: Facts) -> None:
        """Add facts for the bootstrap; its workers read files and parts by themselves."""
        self._facts.append(
            OfRelation(facts.relation, kept_for_reading(facts.rows)) if isinstance(facts, OfRelation) else facts
        )

    def bootstrap(self) -> None:
        """Evaluate from scratch over all facts that were added."""
        began, facts = self.settings.watch.clock(), self._facts
        self._facts = []
        self._state, self._summary = self.runs.bootstrap(self._program, facts)
        self._seconds = self.settings.watch.clock() - began

    def encoded(self, change: Change) -> Change:
        """The change with rows that can be read several times."""
        inserted, deleted = (
            {name: kept_for_reading(rows) for name, rows in side.items()} for side in (change.inserted, change.deleted)
        )
        return Change(inserted, deleted, [(name, kept_for_reading(rows)) for name, rows in change.replaced])

    def known(self, change: Change) -> Known:
        """What is known of a change; its costs are unknown, since the local engine would make the update."""
        facts = None if change.replaced else sum(map(_length, (*change.inserted.values(), *change.deleted.values())))
        return Known(facts, asserted=sum(self._summary.counts.values()), state_too_large=self.state_too_large)

    def recompute(self, change: Change, program: Program | None = None) -> Changes:
        """Evaluate from scratch over changed facts; only the local engine changes rules."""
        assert program is None or program is self.program
        old, began = self.on_spark, self.settings.watch.clock()
        old.checkpoints.release()  # the folder is the new evaluation's
        with self.runs.running() as spark:
            new, summary = self.runs.recompute(spark, old, self._summary, change)
            found = self._difference(visible_cells(old), new, began)
        self._state, self._exported, self._summary = new, None, summary
        self.runs.discard(old)
        return found

    def _difference(self, before: Mapping[str, DataFrame], new: SparkState, began: float) -> Changes:
        """The changes by a bootstrap; their rows are kept on Spark."""
        sides = changes(before, new)
        self._seconds = self.settings.watch.clock() - began
        came, went = (
            {name: SparkRows(self.runs.session, name, new, cells, count) for name, (cells, count) in side.items()}
            for side in sides
        )
        return Changes(came, went, {"bootstrap": self._seconds})

    # ---- from and to the local engine

    def state_too_large(self) -> str:
        """Why the state does not fit this machine, as a sentence; "" where it does."""
        state, relations = self.on_spark, expand(self.program).relations
        tuning = self.settings.tuning.placing
        with self.runs.session():
            rows, texts = {name: state.rows(name) for name in relations}, state.rows(TEXTS)
        return state_too_large(
            size_of_state(rows, {name: relation.arity for name, relation in relations.items()}, texts, tuning),
            self.settings.watch.limits,
            tuning,
        )

    def to_local(self) -> LocalBackend:
        """Move the state to the local engine: export it, unless that was done already, open it there, and release it on
        Spark."""
        state, here = self.on_spark, self._as_saved()
        if here is None:
            temporary = Path(temporary_folder("ladder-state-"))
            self._export(SavedState(temporary / "state"), Origin("", {}), "")
            here = self._opened(temporary / "state")
            here.places = self.places
            weakref.finalize(here, shutil.rmtree, temporary, True)
        self._state, self._report, self._program = None, state.report, state.program
        self.runs.discard(state)
        del state
        if self.settings.watch.limits.memory is not None:  # which both engines together must keep
            self.runs.rest()
        return here

    def _as_saved(self) -> LocalBackend | None:
        """The state as it was saved last, opened by the local engine; None if it was not saved, or somebody else has
        saved since."""
        if self._exported is None or self.places.last is None:
            return None
        try:
            opened = self._opened(self._exported)
        except StateError:
            return None
        return (
            opened
            if opened.places.last is not None and opened.places.last.current == self.places.last.current
            else None
        )

    def _opened(self, folder: Path) -> LocalBackend:
        return LocalBackend.open(folder, lambda _: self.program, self.settings, Watch(self.settings.watch.limits))[0]

    def recompute_from(self, here: Backend, change: Change, program: Program) -> Changes:
        """Evaluate a program from scratch over the changed facts of a local state."""
        began = self.settings.watch.clock()
        facts = [OfRelation(name, readable(rows)) for name, rows in here.facts(program.declared, change, program)]
        shown = [OfRelation(name, readable(here.rows(name))) for name in here.program.declared]
        with self.runs.running() as spark:
            new, summary, before = self.runs.recompute_from_local(spark, program, facts, here.program, shown)
            found = self._difference(before, new, began)
        if isinstance(here, LocalBackend):
            self.places = here.places
        self.places.renew()
        self._state, self._exported, self._summary = new, None, summary
        return found

    # ---- results

    def rows(self, relation: str) -> SparkRows:
        """The rows of a relation, on Spark."""
        return SparkRows(self.runs.session, relation, self.on_spark)

    def frame(self, source: Source) -> DataFrame:
        """Rows, of any backend, as a DataFrame with the relation's columns."""
        with self.runs.session() as spark:
            frame: DataFrame = (
                source.frame()
                if isinstance(source, SparkRows)
                else spark.createDataFrame(undictionaried(in_one_table(source)))
            )
        return frame

    def save(self, folder: Path, fingerprint: str, rules: Mapping[str, Any], note: str, language: str = "") -> None:
        """Save the state in the form that the local engine opens; workers write it, and must see the folder."""
        self.places.last = self.places.known(folder).renewed()
        self._export(self.places.last, Origin(fingerprint, dict(rules), language), note)
        self._forget_checkpoints()
        self._exported = folder

    def _export(self, saved: SavedState, origin: Origin, note: str) -> None:
        """Write the state into a folder; `saved`: what is known of the folder."""
        from ladder.engine.spark.export import write_state

        with self.runs.running():
            write_state(self.on_spark, saved.folder, origin, note, self._summary, saved)


def _length(rows: Any) -> int:
    return len(rows) if hasattr(rows, "__len__") else rows.count()
