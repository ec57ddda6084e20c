"""Evaluations on Spark for its backend: they combine session, facts and settings, and determine what an evaluation has
changed."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from ladder.engine.backend import Change, InFolder, InParts, OfRelation
from ladder.engine.backend import Facts as Sources
from ladder.engine.spark.layout import TEXTS
from ladder.errors import LadderError
from ladder.language import core
from ladder.plan.components import expand, is_record_table, needs_filler
from ladder.spark.session import Holder
from ladder.spark.settings import SEED
from ladder.support.limits import NO_LIMITS, Limits, guarded
from ladder.support.tuning import DEFAULT, Tuning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ladder.engine.spark.engine import SparkEngine, SparkState
    from ladder.engine.spark.facts.sources import Facts
    from ladder.engine.spark.materialised import Store

Progress = Callable[[str, int, int, int, int], None]  # relations, stage, stages, iteration, rows that appeared
Cells = Mapping[str, "DataFrame"]  # relation → c0…


@dataclass(frozen=True)
class FactSummary:
    """What is known of the facts of a state: `counts`, how many were asserted for each relation, and which of its
    `program_facts` were asserted as well."""

    counts: Mapping[str, int] = field(default_factory=dict)
    program_facts: Mapping[str, frozenset[tuple[Any, ...]]] = field(default_factory=dict)

    @staticmethod
    def of(facts: Facts) -> FactSummary:
        """The summary of facts whose cells were made."""
        of_program = {name: frozenset(rows) for name, rows in facts.asserted_program_facts().items()}
        return FactSummary(dict(facts.counts), of_program)

    def without(self, relations: Iterable[str]) -> FactSummary:
        """The summary without these relations."""
        counts = {name: count for name, count in self.counts.items() if name not in relations}
        return FactSummary(counts, {name: rows for name, rows in self.program_facts.items() if name not in relations})

    def changed(self, came: FactSummary, went: FactSummary) -> FactSummary:
        """The summary after some facts went and others came."""
        counts = {
            name: max(0, self.counts.get(name, 0) - went.counts.get(name, 0)) + came.counts.get(name, 0)
            for name in {**self.counts, **came.counts}
        }
        mine, theirs, gone = self.program_facts, came.program_facts, went.program_facts
        none = frozenset[tuple[Any, ...]]()
        of_program = {
            name: mine.get(name, none) - gone.get(name, none) | theirs.get(name, none) for name in {**mine, **theirs}
        }
        return FactSummary(counts, of_program)

    def asserted_program_facts(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return the program facts that were asserted as well, in the form in which a state is exported."""
        return {name: sorted(rows, key=repr) for name, rows in self.program_facts.items()}


@dataclass
class Runs:
    """Makes a database's evaluations on Spark. `limits`: of one evaluation; `sources`: file → text of the program, for
    messages; `tuning`: performance thresholds."""

    holder: Holder
    seed: int
    progress: Progress | None = None
    checkpoints: str | None = None
    resume: bool = False
    limits: Limits = NO_LIMITS
    sources: Mapping[str, str] = field(default_factory=dict)
    tuning: Tuning = DEFAULT
    _left: WeakSet[SparkState] = field(default_factory=WeakSet)
    _unread: list[Mapping[str, Store]] = field(default_factory=list)

    def discard(self, state: SparkState) -> None:
        """Note that a state belongs to no database any more: it is released when the session is used next and nobody
        holds rows of it."""
        state.checkpoints.release()
        self._left.add(state)
        weakref.finalize(state, self._unread.append, state.stores).atexit = False

    def rest(self) -> None:
        """Stop a session of our own, which the next evaluation starts again, unless somebody holds rows on it."""
        gc.collect()
        if not self._left:
            self._unread.clear()
            self.holder.close()

    def close(self) -> None:
        """Release all states, and stop a session of our own."""
        for state in list(self._left):
            state.release()
        self.holder.close()

    @contextmanager
    def session(self) -> Iterator[Any]:
        """A block with the Spark session, whose errors are raised as `LadderError`."""
        from ladder.engine.spark.engine import release
        from ladder.engine.spark.failures import explained

        with explained(self.sources), self.holder.session() as spark:
            while self._unread:
                release(self._unread.pop())
            yield spark

    @contextmanager
    def running(self) -> Iterator[Any]:
        """A block with the Spark session, within the limits of an evaluation."""
        with guarded(self.limits), self.session() as spark:
            yield spark

    def bootstrap(self, program: core.Program, sources: Iterable[Sources]) -> tuple[SparkState, FactSummary]:
        """Evaluate a program over asserted facts → (its state, the summary of the facts)."""
        with self.running() as spark:
            facts = self.facts(program, spark, sources)
            try:
                cells, summary = facts.cells(), FactSummary.of(facts)
                state = self.engine(program, spark).bootstrap(cells)
                self.resume = False  # what is evaluated later is over other facts
                return state, summary
            finally:
                facts.release()

    def recompute(
        self, spark: Any, old: SparkState, summary: FactSummary, change: Change
    ) -> tuple[SparkState, FactSummary]:
        """Evaluate the same program over changed facts → (its state, the summary of the facts)."""
        program, replaced = old.program, {name for name, _ in change.replaced}
        all_ = [OfRelation(*rows) for rows in (*change.inserted.items(), *change.replaced)]
        came, went = (
            self.facts(program, spark, all_),
            self.facts(program, spark, [OfRelation(*rows) for rows in change.deleted.items()]),
        )
        gone = went.cells()
        kept: dict[str, DataFrame] = {}
        for name, before in self._fact_cells(old, spark).items():
            if name not in replaced:  # what the program states is among the facts that come
                kept[name] = before.subtract(gone.frame(name)) if name in gone.names else before
        for name in (r.name for r in expand(program).relations.values() if is_record_table(r)):
            kept[name] = old.frame(name).drop("first", "count")
        cells = came.cells().and_also({**kept, TEXTS: old.dictionary})
        found = summary.without(replaced).changed(FactSummary.of(came), FactSummary.of(went))
        new = self.engine(program, spark).bootstrap(cells)
        came.release()
        went.release()
        return new, found

    def recompute_from_local(
        self,
        spark: Any,
        program: core.Program,
        sources: Iterable[Sources],
        before: core.Program,
        rows: Iterable[Sources],
    ) -> tuple[SparkState, FactSummary, Cells]:
        """Evaluate a program over the facts of a local state → (its state, the summary of the facts, cells of the
        visible rows of the local state, whose program is `before`)."""
        shown, facts = self.facts(bare(before), spark, rows).cells(), self.facts(program, spark, sources)
        visible_rows = {name: shown.frame(name) for name in shown.names if name in before.relations}
        # What went is to be read, too.
        cells = facts.cells().and_also(
            {name: shown.frame(name) for name in shown.names if name not in before.relations}
        )
        summary = FactSummary.of(facts)
        return (
            self.engine(program, spark).bootstrap(cells),
            summary,
            {name: filled(frame) for name, frame in visible_rows.items()},
        )

    def facts(self, program: core.Program, spark: Any, sources: Iterable[Sources]) -> Facts:
        """The asserted facts of a program."""
        from ladder.engine.spark.facts.sources import Facts

        facts = Facts(program, spark, self.seed, self.tuning)
        for source in sources:
            match source:
                case InFolder(folder, missing_is_empty):
                    facts.read(folder, missing_is_empty)
                case InParts(parts):
                    facts.add_source(parts)
                case OfRelation(name, rows):
                    facts.add(name, rows(spark) if callable(rows) else rows)
        return facts

    def engine(self, program: core.Program, spark: Any) -> SparkEngine:
        """An engine for one bootstrap."""
        from ladder.engine.spark.checkpoints.checkpointing import Checkpointing
        from ladder.engine.spark.engine import Options, SparkEngine

        checkpoints = Checkpointing(self.checkpoints, self.resume) if self.checkpoints is not None else None
        options = Options(seed=self.seed, progress=self.progress, checkpoints=checkpoints, tuning=self.tuning)
        return SparkEngine(program, spark, options)

    def _fact_cells(self, state: SparkState, spark: Any) -> Cells:
        """Relation of the program → its facts, asserted or in the program: the rows at iteration 0."""
        program, engine = state.program, self.engine(state.program, spark)
        edb_relations = {
            name: engine.fact_relation(name) for name in program.declared if not program.relations[name].keys
        }
        return {
            name: cells_of(state.frame(edb).where("first = 0"), name, program) for name, edb in edb_relations.items()
        }


def visible_cells(state: SparkState) -> Cells:
    """The cells of every relation that the program declares; of one without columns, those of the filler."""
    return {name: filled(cells_of(state.frame(name), name, state.program)) for name in state.program.declared}


def cells_of(frame: DataFrame, name: str, program: core.Program) -> DataFrame:
    """The cells of a relation's columns, without the filler."""
    relation = program.relations[name]
    cut = int(needs_filler(relation))
    return frame.selectExpr(*(f"c{i + cut} AS c{i}" for i in range(len(relation.columns))))


def changes(before: Cells, state: SparkState) -> list[dict[str, tuple[DataFrame, int]]]:
    """The rows that came, and those that went: relation → (cells, which are kept on Spark, number of rows); relations
    without changes are absent."""
    after = visible_cells(state)
    shared = [name for name in after if name in before and before[name].columns == after[name].columns]
    sides = []
    for left, right in ((after, before), (before, after)):
        parts = {
            name: frame.subtract(right[name]) if name in shared else frame
            for name, frame in left.items()
            if name in after
        }
        sides.append(_kept(parts, state.program))
    return sides


def _kept(frames: Cells, program: core.Program) -> dict[str, tuple[DataFrame, int]]:
    """Evaluate the rows of several relations together, and keep them."""
    width = max((len(frame.columns) for frame in frames.values()), default=0)
    padded = [
        frame.selectExpr(f"'{name}' AS r", *frame.columns, *(f"0L AS c{i}" for i in range(len(frame.columns), width)))
        for name, frame in frames.items()
    ]
    if not padded:
        return {}
    kept = reduce(lambda all_, part: all_.unionAll(part), padded).localCheckpoint()
    counts = {row.r: row["count"] for row in kept.groupBy("r").count().collect()}
    return {
        name: (
            kept.where(f"r = '{name}'").selectExpr(*(f"c{i}" for i in range(len(program.relations[name].columns)))),
            counts[name],
        )
        for name in frames
        if name in counts
    }


def bare(program: core.Program) -> core.Program:
    """The program without rules and facts, whose relations accept any rows as facts, for encoding rows."""
    plain = {
        name: replace(relation, keys=(), aggregate=None, facts=None) for name, relation in program.relations.items()
    }
    return replace(program, relations=plain, facts={})


def filled(frame: DataFrame) -> DataFrame:
    """A frame of cells, with a constant column if it has none, since frames without columns cannot be compared."""
    return frame if frame.columns else frame.selectExpr("0L AS c0")


def seed_of(text: str | None) -> int:
    """The seed in a setting; `LadderError` if it is no number."""
    from ladder.engine.spark.values.dictionary import SEED as USUAL

    if text is None:
        return USUAL
    try:
        return int(text)
    except ValueError:
        raise LadderError(f"{SEED}={text} is not a number.") from None
