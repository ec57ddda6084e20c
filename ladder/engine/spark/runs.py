"""Evaluations on Spark for its backend: session, facts and settings brought together, and what an evaluation has
changed."""

from __future__ import annotations

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
from ladder.support.limits import Limits, guarded

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ladder.engine.spark.engine import SparkEngine, SparkState
    from ladder.engine.spark.facts.sources import Facts
    from ladder.engine.spark.materialised import Store

Progress = Callable[[str, int, int, int, int], None]  # relations, stage, stages, iteration, rows that appeared
Cells = Mapping[str, "DataFrame"]  # relation → c0…


@dataclass(frozen=True)
class Given:
    """What is known of the facts of a state: relation → how many were given, and which of those that the program states
    were given, too."""

    counts: Mapping[str, int] = field(default_factory=dict)
    too: Mapping[str, frozenset[tuple[Any, ...]]] = field(default_factory=dict)

    @staticmethod
    def of(facts: Facts) -> Given:
        """Return what is known of facts whose cells were asked for."""
        return Given(dict(facts.counts), {name: frozenset(rows) for name, rows in facts.given_too().items()})

    def without(self, relations: Iterable[str]) -> Given:
        """Return what is known of all relations but these."""
        counts = {name: count for name, count in self.counts.items() if name not in relations}
        return Given(counts, {name: rows for name, rows in self.too.items() if name not in relations})

    def changed(self, came: Given, went: Given) -> Given:
        """Return what is known after some facts went and others came."""
        counts = {
            name: max(0, self.counts.get(name, 0) - went.counts.get(name, 0)) + came.counts.get(name, 0)
            for name in {**self.counts, **came.counts}
        }
        too = {
            name: self.too.get(name, frozenset()) - went.too.get(name, frozenset()) | came.too.get(name, frozenset())
            for name in {**self.too, **came.too}
        }
        return Given(counts, too)

    def given_too(self) -> dict[str, list[tuple[Any, ...]]]:
        """Return the facts that the program states and that were given, too, in the form in which a state
        is exported."""
        return {name: sorted(rows, key=repr) for name, rows in self.too.items()}


@dataclass
class Runs:
    """How a database evaluates on Spark; `seconds`: that one evaluation may take; `sources`: file → text of the
    program, for messages."""

    holder: Holder
    seed: int
    progress: Progress | None = None
    checkpoints: str | None = None
    resume: bool = False
    seconds: float | None = None
    sources: Mapping[str, str] = field(default_factory=dict)
    _left: WeakSet[SparkState] = field(default_factory=WeakSet)
    _unread: list[Mapping[str, Store]] = field(default_factory=list)

    def leave(self, state: SparkState) -> None:
        """A state is no database's any more: it is given back once nobody holds rows of it, when the session is used
        next."""
        state.checkpoints.release()
        self._left.add(state)
        weakref.finalize(state, self._unread.append, state.stores).atexit = False

    def close(self) -> None:
        """Give back all states, and stop a session of our own."""
        for state in list(self._left):
            state.release()
        self.holder.close()

    @contextmanager
    def session(self) -> Iterator[Any]:
        """The Spark session; what goes wrong with it is told as an error of ours."""
        from ladder.engine.spark.engine import release
        from ladder.engine.spark.failures import explained

        with explained(self.sources), self.holder.session() as spark:
            while self._unread:
                release(self._unread.pop())
            yield spark

    @contextmanager
    def running(self) -> Iterator[Any]:
        """The Spark session, for as long as an evaluation may take."""
        with guarded(Limits(seconds=self.seconds)), self.session() as spark:
            yield spark

    def bootstrap(self, program: core.Program, sources: Iterable[Sources]) -> tuple[SparkState, Given]:
        """The state of a program over facts from outside."""
        with self.running() as spark:
            facts = self.facts(program, spark, sources)
            try:
                cells, given = facts.cells(), Given.of(facts)
                state = self.engine(program, spark).bootstrap(cells)
                self.resume = False  # what is evaluated later is over other facts
                return state, given
            finally:
                facts.release()

    def again(self, spark: Any, old: SparkState, given: Given, change: Change) -> tuple[SparkState, Given]:
        """The state of the same program over changed facts."""
        program, replaced = old.program, {name for name, _ in change.replaced}
        all_ = [OfRelation(*rows) for rows in (*change.inserted.items(), *change.replaced)]
        came, went = (
            self.facts(program, spark, all_),
            self.facts(program, spark, [OfRelation(*rows) for rows in change.deleted.items()]),
        )
        gone = went.cells()
        kept: dict[str, DataFrame] = {}
        for name, before in self._given_cells(old, spark).items():
            if name not in replaced:  # what the program states is among the facts that come
                kept[name] = before.subtract(gone.frame(name)) if name in gone.names else before
        for name in (r.name for r in expand(program).relations.values() if is_record_table(r)):
            kept[name] = old.frame(name).drop("first", "count")
        cells = came.cells().and_also({**kept, TEXTS: old.dictionary})
        found = given.without(replaced).changed(Given.of(came), Given.of(went))
        new = self.engine(program, spark).bootstrap(cells)
        came.release()
        went.release()
        return new, found

    def moved(
        self,
        spark: Any,
        program: core.Program,
        sources: Iterable[Sources],
        before: core.Program,
        rows: Iterable[Sources],
    ) -> tuple[SparkState, Given, Cells]:
        """The state of a program over the facts of a state that is here, and the cells of the rows that this one, of
        program `before`, shows."""
        shown, facts = self.facts(bare(before), spark, rows).cells(), self.facts(program, spark, sources)
        visible_rows = {name: shown.frame(name) for name in shown.names if name in before.relations}
        # What went is to be read, too.
        cells = facts.cells().and_also(
            {name: shown.frame(name) for name in shown.names if name not in before.relations}
        )
        given = Given.of(facts)
        return (
            self.engine(program, spark).bootstrap(cells),
            given,
            {name: filled(frame) for name, frame in visible_rows.items()},
        )

    def facts(self, program: core.Program, spark: Any, sources: Iterable[Sources]) -> Facts:
        """Facts from outside for a program."""
        from ladder.engine.spark.facts.sources import Facts

        facts = Facts(program, spark, self.seed)
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
        return SparkEngine(program, spark, Options(seed=self.seed, progress=self.progress, checkpoints=checkpoints))

    def _given_cells(self, state: SparkState, spark: Any) -> Cells:
        """Relation of the program → its given facts: what is there at iteration 0, facts that the program states
        included."""
        program, engine = state.program, self.engine(state.program, spark)
        takers = {name: engine.fact_relation(name) for name in program.declared if not program.relations[name].keys}
        return {name: cells_of(state.frame(taker).where("first = 0"), name, program) for name, taker in takers.items()}


def visible_cells(state: SparkState) -> Cells:
    """The cells of every relation that the program declares; of one without columns, what fills its row."""
    return {name: filled(cells_of(state.frame(name), name, state.program)) for name in state.program.declared}


def cells_of(frame: DataFrame, name: str, program: core.Program) -> DataFrame:
    """The cells of a relation's columns, without what fills a row that has none."""
    relation = program.relations[name]
    cut = int(needs_filler(relation))
    return frame.selectExpr(*(f"c{i + cut} AS c{i}" for i in range(len(relation.columns))))


def changes(before: Cells, state: SparkState) -> list[dict[str, tuple[DataFrame, int]]]:
    """What came, and what went: relation → cells, kept on Spark, and how many rows; relations without any
    are absent."""
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
    """Rows of relations, evaluated together."""
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
    """A program whose relations take any rows as facts, and states none: to encode rows of them."""
    plain = {
        name: replace(relation, keys=(), aggregate=None, facts=None) for name, relation in program.relations.items()
    }
    return replace(program, relations=plain, facts={})


def filled(frame: DataFrame) -> DataFrame:
    """A frame of cells, with a column where it has none: what has no columns cannot be compared."""
    return frame if frame.columns else frame.selectExpr("0L AS c0")


def seed_of(text: str | None) -> int:
    """The seed that a setting names; `LadderError` for what is no number."""
    from ladder.engine.spark.values.dictionary import SEED as USUAL

    if text is None:
        return USUAL
    try:
        return int(text)
    except ValueError:
        raise LadderError(f"{SEED}={text} is not a number.") from None
