"""`Database(program, engine="spark")`: evaluated from scratch on Spark, maintained here where the state fits.

A state is in one of two places. On Spark, relations are read part by part, or stay there as DataFrames. Whatever else a database can do
(small updates, changed rules, explanations) brings the state into the local engine, which says so where the state does not fit.
A change that is too large for an update is evaluated from scratch on Spark again.
"""
from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ladder.choosing import BYTES_PER_FACT, Choice, chosen, room, size_of_facts, size_of_state
from ladder.database import Database, Progress
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.saved_program import Origin
from ladder.engine.plan.components import expand, is_record_table, needs_filler
from ladder.engine.switching import DEFAULT_SHARE, LEAST_FACTOR
from ladder.errors import LadderError, Unsupported
from ladder.language import core
from ladder.language.core import Kind
from ladder.limits import NO_LIMITS, Limits, guarded, size_text
from ladder.program import Program
from ladder.rows import Cells, Delta, Rows, Work, visible
from ladder.spark.settings import SEED
from ladder.spark_rows import SparkDelta, SparkRows, undictionaried

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ladder.engine.spark.engine import Options, SparkEngine, SparkState
    from ladder.engine.spark.facts import Facts
    from ladder.engine.spark.report import RunReport

STRATEGIES = ("elastic", "recompute")
Source = tuple[str | None, Any]        # a relation and rows of it, or None, a folder of fact files and whether missing ones are empty


@dataclass(frozen=True)
class Given:
    """What is known of the facts of a state: relation → how many were given, and which of those that the program states were given, too."""

    counts: Mapping[str, int] = field(default_factory=dict)
    too: Mapping[str, frozenset[tuple[Any, ...]]] = field(default_factory=dict)

    @staticmethod
    def of(facts: Facts) -> Given:
        """Of facts whose cells were asked for."""
        return Given(dict(facts.counts), {name: frozenset(rows) for name, rows in facts.given_too().items()})

    def without(self, relations: Iterable[str]) -> Given:
        """That of the other relations."""
        counts = {name: count for name, count in self.counts.items() if name not in relations}
        return Given(counts, {name: rows for name, rows in self.too.items() if name not in relations})

    def changed(self, came: Given, went: Given) -> Given:
        """After facts went and others came."""
        counts = {name: max(0, self.counts.get(name, 0) - went.counts.get(name, 0)) + came.counts.get(name, 0) for name in {**self.counts, **came.counts}}
        too = {name: self.too.get(name, frozenset()) - went.too.get(name, frozenset()) | came.too.get(name, frozenset()) for name in {**self.too, **came.too}}
        return Given(counts, too)

    def given_too(self) -> dict[str, list[tuple[Any, ...]]]:
        """As a state is exported with it."""
        return {name: sorted(rows, key=repr) for name, rows in self.too.items()}


class SparkDatabase(Database):
    """A database whose bootstraps run on Spark (`engine="spark"`), or there where its facts may not fit this machine ("auto").

    `spark`: a session to be used, and never stopped; else the active one of the process, else one of our own on `master` (None: this
    machine) with the settings `spark_conf`, which `close` stops. `limits`: `seconds` of each evaluation or update; `memory` of the local
    engine, and of the JVMs of our own session. `checkpoints`: a folder (on a cluster: one that all machines see) to write what is evaluated
    to every now and then; `resume`: go on from there. `progress`: told of every iteration: relations, stage, stages, iteration, rows that appeared. `choice`: which engine was taken for the last bootstrap, and why.
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
        self._seed = seed_of(conf.pop(SEED, None))
        self.engine, self._progress = engine, progress
        self._checkpoints, self._resume = str(checkpoints) if checkpoints is not None else None, resume
        self._holder = Holder(Wanted(master, self.jobs if self.jobs > 1 else 0, conf, self.watch.limits.memory), spark)
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
        self._holder.close()

    def _forget_checkpoints(self) -> None:
        """Nothing will be resumed that has come to its end."""
        if self._state is not None and self._state.checkpoints is not None:
            with self._session():
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
                Database.load(self, *rows) if name is None else Database.load_rows(self, name, rows)
            super()._ready()
            return
        began = self.watch.clock()
        self._state = self._bootstrapped(self._core, sources)
        self._resume = False        # what is evaluated later is over other facts
        self._seconds = self.watch.clock() - began

    def _chosen(self, sources: Iterable[Source]) -> Choice:
        from ladder.spark.java import lacking

        size = sum(size_of_facts(self._core, rows[0]) if name is None else _bytes(rows) for name, rows in sources)
        choice = chosen(size, self.watch.limits)
        return chosen(size, self.watch.limits, lacking()) if choice.engine == "spark" else choice

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
        state, folder, saved = self._state, self._exported, True
        assert state is not None
        if folder is None:
            folder, saved = Path(tempfile.mkdtemp(prefix="ladder-state-")), False
            weakref.finalize(self, shutil.rmtree, folder, True)
            self._export(folder, "")
        opened = Database.open(folder, self.program, self.strategy, self.switch, self.watch.limits, self.jobs)
        engine, self._core = opened._ready(), opened._core
        engine.watch, engine.profile = self.watch, self.profile
        self._engine, self._saved, self._state, self._report = engine, opened._saved if saved else None, None, state.report
        state.release()

    def _export(self, folder: Path, note: str) -> None:
        from ladder.engine.spark.export import write_state

        assert self._state is not None
        with self._running():
            write_state(self._state, folder, Origin(self.program.fingerprint, self._rules.description()), note, self._given)

    def _no_room(self) -> str:
        """Why the state does not fit this machine, as a sentence; "" where it does."""
        with self._session():
            needed, there = self._size(), room(self.watch.limits)
        return "" if needed <= there else f"The state takes some {size_text(needed)} of memory here, and there are {size_text(there)}."

    def _size(self) -> int:
        """Bytes that the state would take in the local engine."""
        assert self._state is not None
        relations = expand(self._core).relations
        rows = {name: self._state.rows(name) for name in relations}
        return size_of_state(rows, {name: relation.arity for name, relation in relations.items()}, self._state.dictionary.count())

    def _no_update(self, changed: int) -> str:
        """Why a change is evaluated from scratch on Spark, as a sentence; "" where it is an update of the local engine."""
        if self.strategy == "recompute":
            return "The strategy recompute starts over at every change."
        given = sum(self._given.counts.values())
        if self.switch is not None and changed * LEAST_FACTOR > self.switch * given:
            return f"{changed:,} facts change, of {given:,}: too many for an update."
        return self._no_room()

    def _given_cells(self, spark: Any) -> dict[str, DataFrame]:
        """Relation of the program → its given facts: what is there at iteration 0, facts that the program states included."""
        state, engine = self._state, self._spark_engine(self._core, spark)
        assert state is not None
        takers = {name: engine.fact_relation(name) for name in visible(self._core) if not self._core.relations[name].keys}
        return {name: self._cells_of(state.frame(taker).where("first = 0"), name, self._core) for name, taker in takers.items()}

    def _visible_cells(self, state: SparkState, program: core.Program) -> dict[str, DataFrame]:
        """The cells of every relation that the program declares; of one without columns, what fills its row."""
        return {name: filled(self._cells_of(state.frame(name), name, program)) for name in visible(program)}

    def _cells_of(self, frame: DataFrame, name: str, program: core.Program) -> DataFrame:
        """The cells of a relation's columns, without what fills a row that has none."""
        relation = program.relations[name]
        cut = int(needs_filler(relation))
        return frame.selectExpr(*(f"c{i + cut} AS c{i}" for i in range(len(relation.columns))))

    # ---- evaluation on Spark

    def _bootstrapped(self, program: core.Program, sources: Iterable[Source]) -> SparkState:
        """The state of a program over facts from outside."""
        with self._running() as spark:
            facts = self._facts_of(program, spark, sources)
            try:
                state = self._spark_engine(program, spark).bootstrap(*facts.cells())
                self._given = Given.of(facts)
            finally:
                facts.release()
        return state

    def _facts_of(self, program: core.Program, spark: Any, sources: Iterable[Source]) -> Facts:
        from ladder.engine.spark.facts import Facts

        facts = Facts(program, spark, self._seed)
        for name, rows in sources:
            if name is None:
                facts.read(*rows)
            else:
                facts.add(name, rows(spark) if callable(rows) else rows)
        return facts

    def _spark_engine(self, program: core.Program, spark: Any) -> SparkEngine:
        from ladder.engine.spark.engine import SparkEngine

        return SparkEngine(program, spark, self._options())

    def _options(self) -> Options:
        from ladder.engine.spark.checkpoints import Checkpointing
        from ladder.engine.spark.engine import Options

        checkpoints = Checkpointing(self._checkpoints, self._resume) if self._checkpoints is not None else None
        return Options(seed=self._seed, progress=self._progress, checkpoints=checkpoints)

    @contextmanager
    def _session(self) -> Iterator[Any]:
        """The Spark session; what goes wrong with it is told as an error of ours."""
        from ladder.engine.spark.failures import explained

        with explained(), self._holder.session() as spark:
            yield spark

    @contextmanager
    def _running(self) -> Iterator[Any]:
        """The Spark session, for as long as an evaluation may take."""
        with guarded(Limits(seconds=self.watch.limits.seconds)), self._session() as spark:
            yield spark

    def _evaluated_again(self, inserted: Mapping[str, Any], deleted: Mapping[str, Any], replaced: Mapping[str, list[Any]], reason: str) -> Delta:
        """The state on Spark, evaluated from scratch over changed facts; `replaced`: relation → all of its facts from now on, in parts."""
        old, began = self._state, self.watch.clock()
        assert old is not None
        with self._running() as spark:
            all_ = [*inserted.items(), *((name, rows) for name, parts in replaced.items() for rows in parts)]
            came, went = self._facts_of(self._core, spark, all_), self._facts_of(self._core, spark, deleted.items())
            facts, dictionary, records = came.cells()
            gone = went.cells()[0]
            for name, before in self._given_cells(spark).items():
                if name in replaced:
                    continue
                if name in gone:      # and what the program states, which is among the facts that came
                    before = before.subtract(gone[name])
                facts[name] = before.unionAll(facts[name]) if name in facts else before
            for name in filter(is_record_table, expand(self._core).relations):
                kept = old.frame(name).drop("first", "count")
                records[name] = kept.unionAll(records[name]) if name in records else kept
            new = self._spark_engine(self._core, spark).bootstrap(facts, old.dictionary.unionAll(dictionary), records)
            delta = self._difference(self._visible_cells(old, self._core), new, self._core, reason, began, {})
            given = self._given.without(replaced).changed(Given.of(came), Given.of(went))
            came.release()
            went.release()
        self._state, self._exported, self._given = new, None, given
        old.release()
        return delta

    def _rebuild(self, program: core.Program, deleted: Mapping[str, Cells], inserted: Mapping[str, Cells], reason: str,
                 began: float | None = None, timings: dict[str, float] | None = None) -> Delta:
        """Evaluate a program from scratch over the facts of the local state, changed so, where the last bootstrap was."""
        if self.choice.engine == "local":
            return super()._rebuild(program, deleted, inserted, reason, began, timings)
        old, began = self._ready(), self.watch.clock() if began is None else began
        sources: list[Source] = []
        for name in visible(program):
            if name in old.program.relations:
                cells, kept = old.given_facts(name, deleted.get(name))
                sources.append((name, self._decoded_here(name, cells[kept])))
            if name in inserted:
                sources.append((name, self._decoded_here(name, inserted[name])))
        with self._running() as spark:
            before, texts, records = self._facts_of(bare(self._core), spark, [
                (name, self._decoded_here(name, super(SparkDatabase, self).__getitem__(name).cells)) for name in visible(self._core)]).cells()
            facts = self._facts_of(program, spark, sources)
            given, more_texts, more_records = facts.cells()
            for name, rows in records.items():      # what went is to be read, too
                more_records[name] = more_records[name].unionAll(rows) if name in more_records else rows
            new = self._spark_engine(program, spark).bootstrap(given, more_texts.unionAll(texts), more_records)
            given_facts = Given.of(facts)
            delta = self._difference({name: filled(frame) for name, frame in before.items()}, new, program, reason, began, timings or {})
        self._engine, self._saved, self._core, self._state, self._exported, self._given = None, None, program, new, None, given_facts
        return delta

    def _decoded_here(self, name: str, cells: Cells) -> Any:
        """Rows of the local state as others read them: a table, or tuples where columns hold records or lattice values."""
        relation = self._core.relations[name]
        if all(column.type.kind in (Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT, Kind.SYMBOL) for column in relation.columns):
            return self._table(name, cells)
        return list(Rows(self, name, cells))

    def _difference(self, before: Mapping[str, DataFrame], new: SparkState, program: core.Program, reason: str, began: float,
                    timings: Mapping[str, float]) -> Delta:
        """What a bootstrap has changed; the rows are kept on Spark."""
        bootstrap = self.watch.clock() - began - sum(timings.values())
        after = self._visible_cells(new, program)
        shared = [name for name in after if name in before and before[name].columns == after[name].columns]
        sides = []
        for left, right in ((after, before), (before, after)):
            parts = {name: left[name].subtract(right[name]) if name in shared else left[name] for name in left}
            sides.append(self._kept(new, {name: part for name, part in parts.items() if name in after}))
        self._seconds = bootstrap
        work = Work("bootstrap", reason, self.watch.clock() - began, {**timings, "bootstrap": bootstrap}, engine="spark")
        return SparkDelta(self, sides[0], sides[1], work)

    def _kept(self, state: SparkState, frames: Mapping[str, DataFrame]) -> dict[str, SparkRows]:
        """Rows of relations, evaluated together and kept; relations without any are absent."""
        width = max((len(frame.columns) for frame in frames.values()), default=0)
        padded = [frame.selectExpr(f"'{name}' AS r", *frame.columns, *(f"0L AS c{i}" for i in range(len(frame.columns), width)))
                  for name, frame in frames.items()]
        if not padded:
            return {}
        kept = reduce(lambda all_, part: all_.unionAll(part), padded).localCheckpoint()
        counts = {row.r: row["count"] for row in kept.groupBy("r").count().collect()}
        return {name: SparkRows(self, name, state, self._cells_of_kept(kept, name, state.program), counts[name]) for name in frames if name in counts}

    def _cells_of_kept(self, kept: DataFrame, name: str, program: core.Program) -> DataFrame:
        return kept.where(f"r = '{name}'").selectExpr(*(f"c{i}" for i in range(len(program.relations[name].columns))))

    # ---- results

    def __getitem__(self, relation: str) -> Any:
        """The rows of a relation, on Spark (`SparkRows`) as long as the state is there."""
        if relation not in self._core.relations:
            raise KeyError(relation)
        self._evaluate()
        if self._engine is not None:
            return super().__getitem__(relation)
        assert self._state is not None
        return SparkRows(self, relation, self._state)

    def frame(self, relation: str) -> DataFrame:
        """The rows of a relation as a Spark DataFrame with its columns; read it while the session is there."""
        rows = self[relation]
        with self._session() as spark:
            frame: DataFrame = rows.frame() if isinstance(rows, SparkRows) else spark.createDataFrame(undictionaried(rows.to_arrow()))
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
        self._export(Path(path), note)
        self._forget_checkpoints()
        self._exported, self.note = Path(path), note

    def _set_up(self, engine: str, of_spark: Mapping[str, Any]) -> None:
        """A database that is opened: its state is here, its next bootstrap where the engine says."""
        self._prepare(engine, **of_spark)
        if engine == "auto":
            self.choice = Choice("local", "The saved state fits this machine.")


def bare(program: core.Program) -> core.Program:
    """A program whose relations take any rows as facts, and states none: to encode rows of them."""
    plain = {name: replace(relation, keys=(), aggregate=None, facts=None) for name, relation in program.relations.items()}
    return replace(program, relations=plain, facts={})


def filled(frame: DataFrame) -> DataFrame:
    """A frame of cells, with a column where it has none: what has no columns cannot be compared."""
    return frame if frame.columns else frame.selectExpr("0L AS c0")


def seed_of(text: str | None) -> int:
    """The seed that a setting names; `LadderError` for what is no number."""
    from ladder.engine.spark.dictionary import SEED as USUAL

    if text is None:
        return USUAL
    try:
        return int(text)
    except ValueError:
        raise LadderError(f"{SEED}={text} is not a number.") from None


def _kept_for_reading(rows: Any) -> Any:
    """Rows that can be read more than once."""
    return rows if hasattr(rows, "__len__") or hasattr(rows, "columns") or callable(rows) else list(rows)


def _length(rows: Any) -> int:
    return len(rows) if hasattr(rows, "__len__") else rows.count()


def _bytes(rows: Any) -> int:
    """About how many bytes rows would take in a text file."""
    if hasattr(rows, "nbytes"):
        return int(rows.nbytes)
    return len(rows) * BYTES_PER_FACT if hasattr(rows, "__len__") else 0
