"""One evaluation on one engine, in a process of its own: what it took, what it found.

evaluate_local   the local engine on fact files, state kept
evaluate_spark   the same on a session: local[n], or a cluster
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ladder.engine.local.engine import LocalEngine
from ladder.language.core import Kind, Program
from ladder_bench import live
from ladder_bench.spark.checksums import checksum, checksum_sql
from ladder_bench.spark.family import ROLES, Family, Watch
from ladder_bench.spark.storage import Storage

ENDED = "ended"  # key of the last line, whose process came to its end
REACHED = "reached"  # key of a line that says how far an evaluation has come
COUNTS = ("first", "count")
ROWS_OF_A_PART = 1000  # on average, among the parts by which the skew of rows is measured, …
MOST_PARTS = 1600  # … which are at most the cores of a large cluster


@dataclass(frozen=True)
class Side:
    """Where a program is evaluated.

    `master` of Spark: "" is the local engine, "cluster" a standalone one. `memory`: of a JVM.
    """

    name: str
    master: str = ""
    memory: str = "4g"

    @property
    def is_spark(self) -> bool:
        return bool(self.master)

    @property
    def conf(self) -> dict[str, str]:
        if self.master == CLUSTER:
            return {"spark.driver.memory": "1g", "spark.executor.memory": self.memory, "spark.executor.cores": "1"}
        return {"spark.driver.memory": self.memory}


CLUSTER = "cluster"
LOCAL = Side("local engine")
ONE, TWO = Side("Spark local[1]", "local[1]"), Side("Spark local[2]", "local[2]")
WORKERS = Side("Spark, two workers", CLUSTER, "2g")


def evaluate_local(program: str, facts: str) -> Iterator[dict[str, Any]]:
    """Read facts, evaluate, keep the state; then rows and checksums of what the program tells the size of."""
    loading = live.Clock()
    live.warmed()
    start, checked = loading.lap()["wall"], live.program_of(program)
    with Watch([os.getpid()]) as family:
        began, clock = live.peak_bytes(), live.Clock()
        database = live.loaded(checked, facts)
        reading = clock.lap()
        database.bootstrap({})
        spent = clock.lap()
        engine = database._ready()
        peak = live.peak_bytes()
        found = {
            "seconds": spent["wall"],
            "reading": reading["wall"],
            "cpu": reading["cpu"] + spent["cpu"],
            "whole": start + reading["wall"] + spent["wall"],
            "stored": stored_rows(engine),
            "bytes": peak - began,
            "iterations": iterations_of(engine),
        }
        yield found
    yield {**found, **_memory(family), **_results(checked.core, lambda name: _local_rows(engine, name)), ENDED: True}


def stored_rows(engine: LocalEngine) -> int:
    """Rows of all relations, given ones included."""
    return sum(engine.store.row_count(engine.numbers[relation]) for relation in engine.program.relations)


def iterations_of(engine: LocalEngine) -> int:
    """Return the number of iterations of all components together; those of one end with the last that
    brought it a row."""
    last = 0
    for component in engine.expanded.components:
        firsts = [engine.store.present(engine.numbers[relation.name])[1] for relation in component.relations]
        last += max((int(first.max()) for first in firsts if len(first)), default=0)
    return last


def evaluate_spark(
    program: str, facts: str, master: str | None, conf: Mapping[str, str], daemons: Sequence[int] = ()
) -> Iterator[dict[str, Any]]:
    """Open a session (None: that of the process), read facts, evaluate; then rows and checksums.

    `daemons`: of the cluster, watched too.
    """
    from ladder.engine.spark.engine import Options, SparkEngine
    from ladder.engine.spark.facts.sources import Facts
    from ladder.spark.session import open_session

    checked = live.program_of(program)
    with Watch([os.getpid(), *daemons]) as family:
        clock = live.Clock()
        with open_session(master=master, conf=dict(conf)) as spark:
            start = clock.lap()["wall"]
            given = Facts(checked.core, spark)
            given.read(Path(facts))
            cells = given.cells()
            reading = clock.lap()["wall"]
            family.look([os.getpid(), *daemons])
            before = family.cpu
            with Storage(spark, family) as storage:
                state = SparkEngine(checked.core, spark, Options(progress=_tell)).bootstrap(cells)
            seconds = clock.lap()["wall"]
            family.look([os.getpid(), *daemons])
            found = {
                "seconds": seconds,
                "start": start,
                "reading": reading,
                "cpu": family.cpu,
                "evaluating": family.cpu - before,
                "whole": start + reading + seconds,
                "iterations": sum(len(stage.iterations) for stage in state.report.stages),
                "series": _series(state.report),
                "samples": storage.samples,
                **_memory(family),
            }
            yield found
            found |= _results(checked.core, lambda name: _spark_rows(state, name))
            found |= {"stored": sum(found["rows"].values()), "skew": _skew(spark, state, found["rows"])}
            yield found
    yield {**found, ENDED: True}


def _tell(relations: str, stage: int, stages: int, iteration: int, rows: int) -> None:
    """A line of its own for each iteration, so that an evaluation that is cut off leaves how far it came."""
    print(json.dumps({REACHED: f"stage {stage} of {stages}, iteration {iteration}"}), flush=True)


def _series(report: Any) -> list[dict[str, Any]]:
    """A line per iteration of each stage."""
    return [
        {
            "stage": number,
            "number": iteration.number,
            "rows": sum(iteration.rows.values()),
            **asdict(iteration.figures),
            "seconds": iteration.seconds,
            "planning": max(iteration.seconds - iteration.figures.seconds, 0.0),
        }
        for number, stage in enumerate(report.stages)
        for iteration in stage.iterations
    ]


def _results(program: Program, rows_of: Any) -> dict[str, Any]:
    """Rows and checksum by relation, of those that the program tells the size of."""
    names = dict.fromkeys(d.relation for d in program.directives if d.kind == "printsize")
    found = {name: rows_of(name) for name in names}
    return {
        "rows": {name: rows for name, (rows, _) in found.items()},
        "sums": {name: total for name, (_, total) in found.items()},
    }


def _local_rows(engine: LocalEngine, name: str) -> tuple[int, int]:
    """Rows and checksum of a relation; of an aggregated one, without first iterations and counts, which are those of
    its aggregate inputs."""
    cells, first, counts = engine.store.present(engine.numbers[name])
    columns = [
        _as_on_spark(engine, cells[:, number], column.type.written)
        for number, column in enumerate(engine.relations[name].columns)
    ]
    if name not in engine.expanded.aggregates:
        columns += [first.astype(np.int64), counts.astype(np.int64)]
    return len(cells), checksum(columns)


def _as_on_spark(engine: LocalEngine, cells: Any, kind: Kind) -> Any:
    """Cells of a column as they are on Spark, where symbols are hashes of their texts."""
    if kind is not Kind.SYMBOL:
        return cells.astype(np.int64)
    from ladder.engine.spark.values.dictionary import symbol_id

    known, places = np.unique(cells, return_inverse=True)
    return np.array([symbol_id(text) for text in engine.values.symbols.texts_of(known.tolist())], np.int64)[places]


def _spark_rows(state: Any, name: str) -> tuple[int, int]:
    frame = state.frame(name)
    columns = [column for column in frame.columns if column not in COUNTS or name not in state.expanded.aggregates]
    rows, total = frame.selectExpr("count(*)", checksum_sql(columns)).first()
    return int(rows), int(total or 0)


def _skew(spark: Any, state: Any, rows: Mapping[str, int]) -> float:
    """Rows in the fullest of many parts over the mean, of the largest relation spread as the engine spreads it: of its
    worst replica."""
    largest = max(rows, key=lambda name: rows[name])
    parts, store = min(MOST_PARTS, rows[largest] // ROWS_OF_A_PART), state.stores[largest]
    if parts < 2:
        return 1.0
    fullest = []
    for replica in store.layout.replicas_of(largest):
        view = store.view(largest, columns=replica.key)
        counted = spark.sql(f"SELECT pmod(hash(k), {parts}) AS part, count(*) AS n FROM {view.sql} GROUP BY 1")
        fullest.append(counted.selectExpr("max(n)").first()[0])
    return float(max(fullest) * parts / rows[largest])


def _memory(family: Family) -> dict[str, Any]:
    return {"peaks": {role: family.peaks(role) for role in ROLES}, "held": family.held}
