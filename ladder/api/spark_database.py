"""`Database(program, engine="spark")`: evaluated from scratch on Spark, maintained here where the state fits.

A state is in one of two places. On Spark, relations are read part by part, or stay there as DataFrames. Whatever else a database can do
(small updates, changed rules, explanations) brings the state into the local engine, which says so where the state does not fit.
A change that is too large for an update is evaluated from scratch on Spark again.
"""
from __future__ import annotations

import shutil
import weakref
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ladder.api.database import Database, Progress
from ladder.api.program import Program
from ladder.api.rows import Delta, Rows, Work
from ladder.api.spark_runs import Given, Runs, Source, changes, seed_of, visible_cells
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.rows import Cells
from ladder.engine.local.saved.program import Origin
from ladder.engine.local.saved.state import SavedState
from ladder.engine.rows import readable, undictionaried
from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.rows import SparkRows
from ladder.errors import LadderError, StateError, Unsupported
from ladder.language import core
from ladder.plan.components import expand
from ladder.policy.placement import Choice, chosen, facts_in, room, size_of_state
from ladder.policy.rebuild import DEFAULT_SHARE, LEAST_FACTOR
from ladder.spark.settings import AT_LEAST, SEED, heap_within
from ladder.support.by_name import table_of
from ladder.support.exceeded import size_text
from ladder.support.limits import NO_LIMITS, Limits
from ladder.support.supervision import temporary_folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ladder.engine.spark.engine import SparkState
    from ladder.engine.spark.report import RunReport

STRATEGIES = ("elastic", "recompute")


class SparkDatabase(Database):
    """A database whose bootstraps run on Spark (`engine="spark"`), or there where its facts may not fit this machine ("auto").

    `spark`: a session to be used, and never stopped; else the active one of the process, else one of our own on `master` (None: this
    machine) with the settings `spark_conf`, which `close` stops. `limits`: `seconds` of each evaluation or update; `memory` of the local
    engine, and of the JVM and Python of our own session together. `checkpoints`: a folder (on a cluster: one that all machines see) to write what is evaluated
    to every now and then; `resume`: go on from there. `progress`: told of every iteration: relations, stage, stages, iteration, rows that
    appeared. `choice`: which engine was taken for the last bootstrap, and why.
    """

    def __init__(self, program: Program, strategy: str = "elastic", engine: str = "spark", switch: float | None = DEFAULT_SHARE,
                 limits: Limits = NO_LIMITS, jobs: int = 1, profile: bool = False, spark: Any = None, master: str | None = None,
                 spark_conf: Mapping[str, str] | None = None, checkpoints: str | Path | None = None, resume: bool = False,
                 progress: Progress | None = None) -> None:
        self._begin(program, strategy, switch, limits, jobs, profile)
        self._prepare(engine, spark, master, spark_conf, checkpoints, resume, progress)
        self._sources: list[Source] | None = []
        self._pending = None
        self._engine = None

    def _prepare(self, engine: str, spark: Any = None, master: str | None = None, spark_conf: Mapping[str, str] | None = None,
                 checkpoints: str | Path | None = None, resume: bool = False, progress: Progress | None = None) -> None:
        from ladder.spark.session import Holder, Wanted

        if self.strategy not in STRATEGIES:
            raise Unsupported(f"The strategy {self.strategy} is not there on Spark.", "There are elastic and recompute; the others are local.")
        if resume and checkpoints is None:
            raise LadderError("There is nothing to resume from.", "Name the folder of the checkpoints.")
        conf = dict(spark_conf or {})
        seed, limits = seed_of(conf.pop(SEED, None)), self.watch.limits
        fits = engine == "spark" or (limits.memory or 0) >= AT_LEAST      # what is too little for Spark, "auto" evaluates here
        heap = heap_within(limits.memory) if spark is None and fits else None
        holder = Holder(Wanted(master, self.jobs if self.jobs > 1 else 0, conf, heap), spark)
        self._runs = Runs(holder, seed, progress, None if checkpoints is None else str(checkpoints), resume, limits.seconds, self.program.sources)
        self.engine = engine
        self.choice = Choice("spark", "Spark was asked for.")
        self._state: SparkState | None = None
        self._sources = None
        self._exported: Path | None = None
        self._given = Given()
        self._report: RunReport | None = None
        self._seconds = 0.0

    def close(self) -> None:
        """Give back what Spark holds for this database, remove the checkpoints of what was evaluated, and stop a session of our own."""
        if self._state is not None:
            self._forget_checkpoints()
            self._state.release()
            self._report, self._state = self._state.report, None
        self._runs.close()

    def _forget_checkpoints(self) -> None:
        """Nothing will be resumed that has come to its end."""
        if self._state is not None and self._state.checkpoints is not None:
            with self._runs.session():
                self._state.checkpoints.remove()

    # ---- facts

    def load(self, folder: str | Path, missing_is_empty: bool = False) -> None:
        """Add the facts of every `.input` relation from its file in a folder; on Spark, its workers read them."""
        if self._sources is None:
            super().load(folder, missing_is_empty)
        else:
            self._sources.append((None, (Path(folder), missing_is_empty)))

    def load_rows(self, relation: str, rows: Any) -> None:
        """Add facts: tuples of Python values, an Arrow table, a DataFrame of pandas or of Spark, or a function that gives one of a session."""
        if self._sources is None:
            self.update(insert={relation: rows})
        else:
            if not self._core.declares(relation):
                raise LadderError(f"The program has no relation {relation}.", f"It has {', '.join(sorted(self.relations)[:8])}, …")
            self._sources.append((relation, _kept_for_reading(rows)))

    def load_source(self, source: Any) -> None:
        """Add facts of several relations that Spark's workers read by themselves (see `engine.spark.facts.Source`), before anything is evaluated."""
        if self._sources is None:
            raise LadderError("Facts that workers read are loaded before a bootstrap.", "Hand over rows (load_rows).")
        self._sources.append((None, source))

    def bootstrap(self, facts: Mapping[str, Any]) -> None:
        """Evaluate from scratch over these facts (and any loaded before)."""
        for name, rows in facts.items():
            self.load_rows(name, rows)
        self._evaluate()

    def update(self, insert: Mapping[str, Any] | None = None, delete: Mapping[str, Any] | None = None) -> Delta:
        """Delete and insert facts in one transaction: here if the change is small and the state fits, else from scratch on Spark."""
        self._evaluate()
        if self._engine is not None:
            return super().update(insert, delete)
        inserted, deleted = ({name: _kept_for_reading(rows) for name, rows in (side or {}).items()} for side in (insert, delete))
        reason = self._no_update(sum(map(_length, (*inserted.values(), *deleted.values()))))
        if not reason:
            self._ready()
            return super().update(inserted, deleted)
        return self._evaluated_again(inserted, deleted, {}, reason)

    def replace_facts(self, facts: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Delta:
        """Let these be the given facts of these relations from now on."""
        self._evaluate()
        if self._engine is not None:
            return super().replace_facts(facts)
        if not (reason := self._no_room()) and self.strategy != "recompute":
            self._ready()
            return super().replace_facts(facts)
        new: dict[str, list[Any]] = {}
        for name, rows in facts.items() if isinstance(facts, Mapping) else facts:
            new.setdefault(name, []).append(rows)
        return self._evaluated_again({}, {}, new, reason or "The strategy recompute starts over at every change.")

    # ---- where the state is

    def _evaluate(self) -> None:
        """Evaluate what is pending, on the engine that is chosen."""
        if self._sources is None:
            if self._state is None and self._engine is None:
                raise LadderError("The database could not be evaluated.")
            return
        sources, self._sources = self._sources, None
        if self.engine == "auto":
            self.choice = self._chosen(sources)
        if self.choice.engine == "local":
            self._here()
            for name, rows in sources:
                if name is not None:
                    Database.load_rows(self, name, rows)
                elif isinstance(rows, tuple):
                    Database.load(self, *rows)
                else:
                    for number in range(len(rows.sizes)):
                        for relation, table in rows.read(number):
                            Database.load_rows(self, relation, table)
            super()._ready()
            return
        began = self.watch.clock()
        self._state, self._given = self._runs.bootstrap(self._core, sources)
        self._seconds = self.watch.clock() - began

    def _chosen(self, sources: Iterable[Source]) -> Choice:
        from ladder.spark.java import lacking

        number = sum(facts_in(self._core, rows[0]) if name is None and isinstance(rows, tuple) else _facts(rows) for name, rows in sources)
        choice = chosen(number, self.watch.limits)
        return chosen(number, self.watch.limits, lacking()) if choice.engine == "spark" else choice

    def _here(self) -> None:
        """A local engine, with nothing evaluated."""
        self._engine = LocalEngine(self._core, watch=self.watch, strategy=self.strategy, jobs=self.jobs)
        self._engine.profile, self._pending = self.profile, {}

    def _ready(self) -> LocalEngine:
        """The local engine, with the state brought into it."""
        self._evaluate()
        if self._engine is None:
            if reason := self._no_room():
                raise LadderError(reason, "Read it on Spark (frame), or allow more memory.")
            self._bring_in()
        return super()._ready()

    def _bring_in(self) -> None:
        """Export the state, if it was not yet, and open it in the local engine; what Spark holds of it is given back."""
        state, opened = self._state, self._as_saved()
        assert state is not None
        if opened is not None:
            self._saved = opened._saved
        else:
            temporary = Path(temporary_folder("ladder-state-"))
            folder = temporary / "state"
            weakref.finalize(self, shutil.rmtree, temporary, True)
            self._export(SavedState(folder), "")
            opened = self._opened(folder)
        engine, self._core = opened._ready(), opened._core
        engine.watch, engine.profile = self.watch, self.profile
        self._engine, self._state, self._report = engine, None, state.report
        self._runs.leave(state)

    def _as_saved(self) -> Database | None:
        """The state as it was saved last, opened; None where it was not, or is not there any more: somebody else may have saved since."""
        if self._exported is None or self._saved is None:
            return None
        try:
            opened = self._opened(self._exported)
        except StateError:
            return None
        return opened if opened._saved is not None and opened._saved.current == self._saved.current else None

    def _opened(self, folder: Path) -> Database:
        return Database.open(folder, self.program, self.strategy, self.switch, self.watch.limits, self.jobs)

    def _export(self, saved: SavedState, note: str) -> None:
        """Write the state into a folder, of which this is known."""
        from ladder.engine.spark.export import write_state

        assert self._state is not None
        with self._runs.running():
            write_state(self._state, saved.folder, Origin(self.program.fingerprint, self._rules.description()), note, self._given, saved)

    def _no_room(self) -> str:
        """Why the state does not fit this machine, as a sentence; "" where it does."""
        with self._runs.session():
            needed, there = self._size(), room(self.watch.limits)
        return "" if needed <= there else f"The state takes some {size_text(needed)} of memory here, and there are {size_text(there)}."

    def _size(self) -> int:
        """Bytes that the state would take in the local engine."""
        assert self._state is not None
        relations = expand(self._core).relations
        rows = {name: self._state.rows(name) for name in relations}
        return size_of_state(rows, {name: relation.arity for name, relation in relations.items()}, self._state.rows(TEXTS))

    def _no_update(self, changed: int) -> str:
        """Why a change is evaluated from scratch on Spark, as a sentence; "" where it is an update of the local engine."""
        if self.strategy == "recompute":
            return "The strategy recompute starts over at every change."
        given = sum(self._given.counts.values())
        if self.switch is not None and changed * LEAST_FACTOR > self.switch * given:
            return f"{changed:,} facts change, of {given:,}: too many for an update."
        return self._no_room()

    # ---- from scratch, on Spark

    def _evaluated_again(self, inserted: Mapping[str, Any], deleted: Mapping[str, Any], replaced: Mapping[str, list[Any]], reason: str) -> Delta:
        """The state on Spark, evaluated from scratch over changed facts; `replaced`: relation → all of its facts from now on, in parts."""
        old, began = self._state, self.watch.clock()
        assert old is not None
        old.checkpoints.release()      # the folder is the new evaluation's
        with self._runs.running() as spark:
            new, given = self._runs.again(spark, old, self._given, inserted, deleted, replaced)
            delta = self._difference(visible_cells(old), new, reason, began, {})
        self._state, self._exported, self._given = new, None, given
        self._runs.leave(old)
        return delta

    def _rebuild(self, program: core.Program, deleted: Mapping[str, Cells], inserted: Mapping[str, Cells], reason: str,
                 began: float | None = None, timings: dict[str, float] | None = None) -> Delta:
        """Evaluate a program from scratch over the facts of the local state, changed so, where the last bootstrap was."""
        if self.choice.engine == "local":
            return super()._rebuild(program, deleted, inserted, reason, began, timings)
        old, began = self._ready(), self.watch.clock() if began is None else began
        sources: list[Source] = []
        for name in program.declared:
            if name in old.program.relations:
                cells, kept = old.given_facts(name, deleted.get(name))
                sources.append((name, readable(self._rows(name, cells[kept]))))
            if name in inserted:
                sources.append((name, readable(self._rows(name, inserted[name]))))
        shown = [(name, readable(super(SparkDatabase, self).__getitem__(name).source)) for name in self._core.declared]
        with self._runs.running() as spark:
            new, given, before = self._runs.moved(spark, program, sources, self._core, shown)
            delta = self._difference(before, new, reason, began, timings or {})
        self._saved = None if self._saved is None else self._saved.renewed()
        self._engine, self._core, self._state, self._exported, self._given = None, program, new, None, given
        return delta

    def _difference(self, before: Mapping[str, DataFrame], new: SparkState, reason: str, began: float, timings: Mapping[str, float]) -> Delta:
        """What a bootstrap has changed; the rows are kept on Spark."""
        self._seconds = self.watch.clock() - began - sum(timings.values())
        came, went = ({name: SparkRows(self._runs.session, name, new, cells, count) for name, (cells, count) in side.items()} for side in changes(before, new))
        work = Work("bootstrap", reason, self.watch.clock() - began, {**timings, "bootstrap": self._seconds}, engine="spark")
        return Delta(new.program, came, went, work)

    # ---- results

    def __getitem__(self, relation: str) -> Rows:
        """The rows of a relation, on Spark as long as the state is there."""
        if relation not in self._core.relations:
            raise KeyError(relation)
        self._evaluate()
        if self._engine is not None:
            return super().__getitem__(relation)
        assert self._state is not None
        return Rows(SparkRows(self._runs.session, relation, self._state))

    def frame(self, relation: str) -> DataFrame:
        """The rows of a relation as a Spark DataFrame with its columns; read it while the session is there."""
        rows = self[relation]
        with self._runs.session() as spark:
            frame: DataFrame = rows.frame() if rows.source.place else spark.createDataFrame(undictionaried(rows.to_arrow()))
        return frame

    @property
    def report(self) -> RunReport | None:
        """Figures of the bootstrap whose state is on Spark, by component and iteration."""
        return self._state.report if self._state is not None else self._report

    @property
    def bootstrap_seconds(self) -> float:
        """How long the last bootstrap took."""
        self._evaluate()
        return self._seconds if self.choice.engine == "spark" else super().bootstrap_seconds

    def save(self, path: str | Path, note: str = "") -> None:
        """Save the state in a folder, as the local engine opens it; on Spark, its workers write it, and must see the folder."""
        self._evaluate()
        if self._engine is not None:
            super().save(path, note)
            return
        self._saved = self._saved_in(Path(path)).renewed()
        self._export(self._saved, note)
        self._forget_checkpoints()
        self._exported, self.note = Path(path), note

    def _set_up(self, engine: str, of_spark: Mapping[str, Any]) -> None:
        """A database that is opened: its state is here, its next bootstrap where the engine says."""
        self._prepare(engine, **of_spark)
        if engine == "auto":
            self.choice = Choice("local", "The saved state fits this machine.")


def _kept_for_reading(rows: Any) -> Any:
    """Rows that can be read more than once."""
    if hasattr(rows, "__len__") or hasattr(rows, "columns") or callable(rows):
        return rows
    table = table_of(rows)
    return list(rows) if table is None else table


def _length(rows: Any) -> int:
    return len(rows) if hasattr(rows, "__len__") else rows.count()


def _facts(rows: Any) -> int:
    """How many facts rows are, as far as they tell without being evaluated."""
    return int(sum(rows.sizes)) if hasattr(rows, "sizes") else len(rows) if hasattr(rows, "__len__") else 0
