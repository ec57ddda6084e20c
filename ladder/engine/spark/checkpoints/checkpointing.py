"""Checkpoints: rows of a bootstrap on storage that outlives executors and the driver, from which it can be resumed.

A row never changes once it is materialised, so each checkpoint writes only the rows that appeared since the last one,
of all stages, in one job, and then a manifest that lists everything written so far. What a whole run writes is its
state, once.

    checkpoint-000007.json     which program and facts, the stage and iteration reached, the parts with their rows
    rows-000007-<run>/         Parquet: s (stage), r (number of the relation), c0…, n, f, x
    lock                       held by the run that writes here; only in folders of this machine or mounted on it

The newest complete manifest is used; parts that it does not list are leftovers of a run that was killed.
"""

from __future__ import annotations

import re
import time
import uuid
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ladder.engine.spark.checkpoints.manifests import FORMAT, Manifest, Part
from ladder.engine.spark.checkpoints.storage import Storage
from ladder.engine.spark.failures import lost_rows
from ladder.engine.spark.layout import Layout, key_sql
from ladder.engine.spark.materialised import Run, Store, replicated
from ladder.engine.spark.report import RunReport
from ladder.errors import LadderError, LadderWarning
from ladder.spark.internals import context_of
from ladder.support.locks import locked
from ladder.support.tuning import DEFAULT, Distributing

if TYPE_CHECKING:
    from pyspark import StorageLevel
    from pyspark.sql import DataFrame, SparkSession

Result = TypeVar("Result")
NOTHING = 0  # iterations of a stage that are restored
EVERY = "spark.ladder.checkpoint.every"  # a setting of the session: after how many iterations
MANIFEST, ROWS, LOCK = "checkpoint-", "rows-", "lock"


@dataclass(frozen=True)
class Checkpointing:
    """The user's request for checkpoints. `folder`: path or URI that driver and executors see.

    `every`: the number of iterations between checkpoints; None: that of the session's setting, or else depending on the
    time they take.

    `resume`: resume from the checkpoint in the folder.
    """

    folder: str
    resume: bool = False
    every: int | None = None


@dataclass(frozen=True)
class Restored:
    """Where a run is resumed: stages before `stage` are complete, and this one up to `iteration` (None: it has not
    begun)."""

    manifest: Manifest
    storage: Storage
    spark: SparkSession

    @property
    def stage(self) -> int:
        return self.manifest.stage

    @property
    def iteration(self) -> int | None:
        return self.manifest.iteration

    def fill(self, stage: int, store: Store) -> int | None:
        """Restore the relations of a stage. Returns the number of iterations that are restored, None for a complete
        stage.

        In the stage that is resumed, the rows of the last iteration are the delta.
        """
        done = (
            None
            if stage < self.stage
            else self.iteration
            if stage == self.stage and self.iteration is not None
            else NOTHING
        )
        rows = self._rows(stage, store.layout) if done != NOTHING else None
        if rows is None:
            return done
        name = f"ladder_restored_{stage}"
        rows.createOrReplaceTempView(name)
        for condition in ("true",) if done is None else (f"f < {done}", f"f = {done}"):
            store.advance(_run_of(store, f"SELECT * FROM {name} WHERE {condition}"))
        if done is None:
            store.advance(None)
        self.spark.catalog.dropTempView(name)
        return done

    def _rows(self, stage: int, layout: Layout) -> DataFrame | None:
        """The rows of replica 0 of a stage; None if there are none."""
        parts = [part for part in self.manifest.parts if stage in part.stages]
        if not parts:
            return None
        numbers = [(self.manifest.relations.index(name), name) for name in layout.arities]
        keys: dict[str, list[int]] = {}
        for number, name in numbers:
            keys.setdefault(key_sql(layout.replicas_of(name)[0].key, layout.cells(layout.arities[name])), []).append(
                number
            )
        tag = "CASE r " + " ".join(f"WHEN {number} THEN {layout.tag(name)}" for number, name in numbers) + " END"
        key = (
            "CASE " + " ".join(f"WHEN r IN ({', '.join(map(str, of))}) THEN {sql}" for sql, of in keys.items()) + " END"
        )
        columns = [f"{tag} AS t", f"{key} AS part", *layout.columns[2:]]
        frames = [
            _read(self.spark, self.storage, [part for part in parts if part.width == width])
            .where(f"s = {stage}")
            .selectExpr(*columns)
            for width in sorted({part.width for part in parts})
        ]
        return reduce(lambda a, b: a.unionAll(b), frames)


class Checkpoints:
    """The checkpoints of one run. `identity`: what the rows of the program depend on; checkpoints with another identity
    are not used.

    `relations`: names of all relations as stored. Without `wanted` nothing is ever written. `figures`: of the report.
    """

    def __init__(
        self,
        spark: SparkSession,
        wanted: Checkpointing | None,
        identity: Mapping[str, str],
        relations: Sequence[str],
        tuning: Distributing = DEFAULT.distributing,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.spark, self.wanted, self.tuning, self.clock = spark, wanted, tuning, clock
        self.identity = {**identity, "format": str(FORMAT)}
        self.relations = tuple(relations)
        self.storage = Storage(spark, wanted.folder) if wanted else None
        self.every = _every(spark, wanted) if wanted else None
        self.newest: Manifest | None = None
        self.figures = RunReport()
        self._run = uuid.uuid4().hex[:8]
        # stages that are complete but not all written, and what came last in them
        self._pending: dict[int, tuple[Store, frozenset[str]]] = {}
        self._reached: dict[int, int] = {}  # stage → iteration up to which its rows are written
        self._iterations = self._number = 0
        self._since = clock()
        self._cost = 0.0
        self._executors = _executors(spark)
        self._held = ExitStack()

    # ---- going on

    def open(self) -> Restored | None:
        """Begin a run. Returns the newest checkpoint if it is to be resumed; `LadderError` if that is of another
        program or other facts.

        Until `release` or `remove`, nobody else may use the folder; `StateError` if somebody does.
        """
        if self.storage is None or self.wanted is None:
            return None
        self._lock(self.storage)
        found = self._manifests()
        self._number = max((int(name.removeprefix(MANIFEST).removesuffix(".json")) for name in found), default=0)
        if not found or not self.wanted.resume:
            self._tell_replaced(found)
            return None
        manifest = self._manifest(self.storage, found[-1])
        self._check(manifest)
        self.newest = manifest
        self.figures.resumed = manifest.place
        return self.restore()

    def _tell_replaced(self, found: Sequence[str]) -> None:
        assert self.storage is not None
        with suppress(LadderError):
            if found and self._manifest(self.storage, found[-1]).identity.get("program") != self.identity.get(
                "program"
            ):
                warnings.warn(
                    f"the checkpoint in {self.storage.uri} is of another program: the first one of this run will "
                    "replace it",
                    LadderWarning,
                    stacklevel=2,
                )

    def _manifest(self, storage: Storage, name: str) -> Manifest:
        try:
            return Manifest.of(storage.read(name))
        except (ValueError, KeyError, TypeError) as error:
            raise LadderError(
                f"The checkpoint {storage.of(name)} cannot be read ({error}).",
                "Run without --resume (resume=True), or remove the folder.",
            ) from error

    def _lock(self, storage: Storage) -> None:
        if storage.local is not None:
            storage.local.mkdir(parents=True, exist_ok=True)
            self._held.enter_context(
                locked(
                    storage.local / LOCK,
                    f"The folder of checkpoints {storage.local}",
                    patience=0.0,
                    hint="Wait for it to end, or name another folder with --checkpoint (checkpoints=…).",
                )
            )
            self._held.callback(_remove_if_unused, storage.local)

    def release(self) -> None:
        """Release the folder, so that others may use it."""
        self._held.close()

    def restore(self) -> Restored | None:
        """The last checkpoint of this run, or the one from which it was resumed; None if there is none."""
        self._pending, self._reached, self._iterations = {}, {}, 0
        if self.newest is None or self.storage is None:
            return None
        if self.newest.iteration is not None:
            self._reached[self.newest.stage] = self.newest.iteration
        self._since = self.clock()
        return Restored(self.newest, self.storage, self.spark)

    def _check(self, manifest: Manifest) -> None:
        assert self.storage is not None
        differing = manifest.differs(self.identity, self.relations)
        if differing:
            raise LadderError(
                f"The checkpoint in {self.storage.uri} is of {' and '.join(differing)}.",
                "Resume with what it was made from, or run without --resume (resume=True) to begin anew.",
            )
        there = set(self.storage.names())
        missing = [part.name for part in manifest.parts if part.name not in there]
        if missing:
            raise LadderError(
                f"The checkpoint in {self.storage.uri} lacks {missing[0]}.",
                "Run without --resume (resume=True) to begin anew.",
            )

    # ---- writing

    def after_iteration(self, stage: int, iteration: int, store: Store) -> bool:
        """Called after each iteration of a stage; whether a checkpoint was written."""
        self._iterations += 1
        if not self._due():
            return False
        self._write(stage, iteration, store)
        return True

    def finished(self, stage: int, store: Store, last: Collection[str] = ()) -> None:
        """Called after the end of a stage, whose store stays until the end of the run; `last`: relations that got their
        rows after its last iteration."""
        self._pending[stage] = (store, frozenset(last))
        if self._due():
            self._write(stage + 1, None, None)

    def remove(self) -> None:
        """Remove the checkpoints of a run that has succeeded."""
        if self.storage is not None:
            for name in self.storage.names():
                if name.startswith((MANIFEST, ROWS, f"_{MANIFEST}")):
                    self.storage.delete(name)
            self.storage.delete_if_empty()
            self.release()
        self.newest = None

    def _due(self) -> bool:
        executors = _executors(self.spark)
        gone = self._executors - executors
        self._executors = executors
        self.figures.lost_executors += len(gone)
        if gone or self.wanted is None:
            return self.wanted is not None  # what was on them has no second copy now
        if self.every is not None:
            return self._iterations >= self.every
        return self.clock() - self._since >= max(
            self.tuning.checkpoint_seconds, self._cost / self.tuning.checkpoint_share
        )

    def _write(self, stage: int, iteration: int | None, store: Store | None) -> None:
        """Write rows that are not written yet, up to an iteration of a stage (None: up to the end of the stage
        before)."""
        assert self.storage is not None
        began = self.clock()
        number = self._number = self._number + 1
        parts = self.newest.parts if self.newest else ()
        unwritten = {s: (of, last) for s, (of, last) in sorted(self._pending.items())}
        if store is not None:
            unwritten[stage] = (store, frozenset())
        part = self._write_rows(f"{ROWS}{number:06d}-{self._run}", unwritten)
        if part is not None:
            parts = (*parts, part)
        manifest = Manifest(number, stage, iteration, self.relations, parts, self.identity)
        self.storage.write(f"{MANIFEST}{number:06d}.json", manifest.text())
        self._reached |= {stage: iteration} if iteration is not None else {}
        self._pending.clear()
        self.newest, self._iterations = manifest, 0
        self._remove_others(f"{MANIFEST}{number:06d}.json")
        self._since = self.clock()
        self._cost = self._since - began
        self.figures.writing += self._cost
        self.figures.checkpoints += 1

    def _write_rows(self, name: str, unwritten: Mapping[int, tuple[Store, frozenset[str]]]) -> Part | None:
        """Write the rows of these stages that no part has, in one job."""
        from pyspark.sql import Observation
        from pyspark.sql import functions as F

        assert self.storage is not None
        sources = {stage: source for stage, (store, _) in unwritten.items() if (source := store.total()) is not None}
        if not sources:
            return None
        width = max(unwritten[stage][0].layout.width for stage in sources)
        selects = [self._select(stage, *unwritten[stage], source, width) for stage, source in sources.items()]
        observed = Observation()
        frame = self.spark.sql(" UNION ALL ".join(selects)).observe(observed, F.count(F.lit(1)).alias("rows"))
        frame.coalesce(int(str(self.spark.conf.get("spark.sql.shuffle.partitions")))).write.parquet(
            self.storage.of(name)
        )
        part = Part(name, int(observed.get["rows"]), tuple(sources), width)
        if self.newest is None or not self.newest.parts:
            self._require_shared(part)
        self.figures.written += part.rows
        return part

    def _select(self, stage: int, store: Store, last: frozenset[str], source: str, width: int) -> str:
        layout, reached = store.layout, self._reached.get(stage, -1)
        relation = " ".join(f"WHEN {layout.tag(name)} THEN {self.relations.index(name)}" for name in layout.arities)
        cells = [f"c{i}" if i < layout.width else "0L" for i in range(width)]
        x = "x" if layout.texts else "CAST(NULL AS BINARY)"
        late = ", ".join(str(layout.tag(name)) for name in sorted(last))
        condition = f"f > {reached}" + (f" OR t IN ({late})" if late else "")
        return (
            f"SELECT {stage} AS s, CASE t {relation} END AS r, "
            f"{', '.join(f'{c} AS c{i}' for i, c in enumerate(cells))}, n, f, "
            f"{x} AS x FROM {source} WHERE {condition}"
        )

    def _require_shared(self, part: Part) -> None:
        """Raise `LadderError` if executors have written to folders of their own machines."""
        assert self.storage is not None
        if part.rows and _read(self.spark, self.storage, [part]).count() != part.rows:
            raise LadderError(
                f"{self.storage.uri} is not the same folder for the driver and for the executors.",
                "Name storage that all of them see (--checkpoint, checkpoints=…).",
            )

    def _manifests(self) -> list[str]:
        assert self.storage is not None
        return [name for name in self.storage.names() if re.fullmatch(rf"{MANIFEST}\d+\.json", name)]

    def _remove_others(self, newest: str) -> None:
        """Remove earlier checkpoints, and parts that the newest one does not list."""
        assert self.storage is not None and self.newest is not None
        used = {part.name for part in self.newest.parts}
        for name in self.storage.names():
            if name.startswith(MANIFEST) and name != newest or name.startswith(ROWS) and name not in used:
                self.storage.delete(name)


def surviving(
    checkpoints: Checkpoints,
    evaluate: Callable[[Restored | None], Result],
    finer: Callable[[Exception], bool] = lambda error: False,
) -> Result:
    """Evaluate, from a checkpoint if one is to be resumed; when all copies of rows are lost, evaluate again from the
    last checkpoint, or from the beginning.

    It gives up if that happens `most_losses` times without a new checkpoint. `finer`: a function that tells whether
    tasks had too little memory, and then lets them have fewer rows.
    """
    with ExitStack() as failing:
        failing.callback(checkpoints.release)
        found = _evaluated(checkpoints, evaluate, finer)
        failing.pop_all()
        return found


def _evaluated(
    checkpoints: Checkpoints, evaluate: Callable[[Restored | None], Result], finer: Callable[[Exception], bool]
) -> Result:
    restored, losses = checkpoints.open(), 0
    while True:
        reached = checkpoints.newest
        try:
            return evaluate(restored)
        except Exception as error:
            losses = losses + 1 if checkpoints.newest is reached else 1
            smaller = not lost_rows(error) and finer(error)
            if not smaller and (losses >= checkpoints.tuning.most_losses or not lost_rows(error)):
                raise
            restored = checkpoints.restore()
            place = "the start" if restored is None else restored.manifest.place
            checkpoints.figures.repeated += (place,)
            why = "tasks had too little memory" if smaller else "executors were lost with all copies of some rows"
            warnings.warn(f"{why}: the evaluation goes on from {place}", LadderWarning, stacklevel=2)


def _every(spark: SparkSession, wanted: Checkpointing) -> int | None:
    text = spark.conf.get(EVERY, None) if wanted.every is None else str(wanted.every)
    if text is not None and not (text.isdecimal() and int(text)):
        raise LadderError(f"{EVERY}={text} is not a number of iterations.", "Write a number from 1, or leave it out.")
    return None if text is None else int(text)


def level_of_runs(spark: SparkSession) -> StorageLevel:
    """The storage level of materialised rows: on a cluster two executors hold each, so that losing one loses nothing;
    in local mode there is only one copy."""
    from pyspark import StorageLevel

    return StorageLevel(True, True, False, True, 1 if context_of(spark).isLocal() else 2)


def _remove_if_unused(folder: Path) -> None:
    """Remove the lock, which is held, if there is nothing to lock, and the folder if it has no other content."""
    with suppress(OSError):
        if not any(file.name.startswith((MANIFEST, ROWS)) for file in folder.iterdir()):
            (folder / LOCK).unlink()
            folder.rmdir()


def _read(spark: SparkSession, storage: Storage, parts: Sequence[Part]) -> DataFrame:
    """The rows of parts of the same width."""
    cells = ", ".join(f"c{i} BIGINT" for i in range(parts[0].width))
    schema = f"s INT, r INT, {cells}, n BIGINT, f INT, x BINARY"
    return spark.read.schema(schema).parquet(*(storage.pattern(part.name) for part in parts))


def _run_of(store: Store, sql: str) -> Run:
    """A run with all replicas, made of rows of replica 0."""
    materialiser, layout = store.materialiser, store.layout
    frame, found = materialiser.frame(
        replicated(materialiser.spread(sql, "part"), layout, materialiser.partitions), layout.metrics()
    )
    return materialiser.materialise(frame, lambda: layout.counted(found()))


def _executors(spark: SparkSession) -> frozenset[str]:
    """The addresses of the executors, including that of the driver."""
    context = context_of(spark)
    return frozenset(context.getExecutorMemoryStatus().keySet().mkString(",").split(","))
