"""When Spark is the right choice, and what a hundred machines would take for ten billion rows: computed from this run's
figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ladder_bench.report import Section, number
from ladder_bench.spark.projection import (
    GIB,
    USABLE,
    Cost,
    Machines,
    break_even_cores,
    capacity,
    fixed_and_variable,
    machines_for,
    project,
)
from ladder_bench.spark.run import Evaluation, SparkBench
from ladder_bench.spark.sides import LOCAL, TWO
from ladder_bench.workloads import points_to

TITLE = "Crossover, and a projection to a hundred machines"
MEMORIES = (8, 16, 32, 64, 128, 256)  # GiB of a machine
TARGET = 10_000_000_000  # rows
DEPTHS = (100, 1000)  # iterations of the program that is projected
TASKS = 2000  # empty tasks by which the driver's cost of one is measured
LIMIT = 120.0


def run(bench: SparkBench, section: Section) -> None:
    if not costs(bench.evaluations, 0.0):
        bench.evaluate(section, points_to(100_000), (LOCAL, TWO))
    tasks = bench.measure(task_cost, LIMIT, master=TWO.master, conf=TWO.conf)
    found = costs(bench.evaluations, tasks.last.get("per_task", 0.0))
    if not found:
        section.notes.append("Nothing to compute from: no workload was measured on the local engine and on Spark.")
        return
    crossover(section, found)
    projection(section, found, tasks.failure)


def task_cost(master: str, conf: dict[str, str]) -> Iterator[dict[str, Any]]:
    """Seconds of driver and executor for a task that does nothing, beyond those of a job."""
    import time

    from ladder.spark.session import open_session

    with open_session(master=master, conf=conf) as spark:
        seconds = []
        for tasks in (2, TASKS, 2, TASKS):
            began = time.perf_counter()
            spark.range(0, tasks, 1, tasks).selectExpr("sum(id)").collect()
            seconds.append(time.perf_counter() - began)
    yield {"per_task": max(seconds[3] - seconds[2], 0.0) / TASKS, "job": seconds[2]}


def costs(evaluations: list[Evaluation], per_task: float) -> list[Cost]:
    """Return the costs of each program's largest workload that was measured both on the local engine and on
    local[2]."""
    found: dict[str, Cost] = {}
    for spark in evaluations:
        local = next((e for e in evaluations if e.workload == spark.workload and e.side == LOCAL and e.found), None)
        if spark.side != TWO or not spark.series or local is None:
            continue
        cost = cost_of(local, spark, evaluations, per_task)
        key = spark.workload.program + spark.workload.generator
        if key not in found or found[key].rows < cost.rows:
            found[key] = cost
    return list(found.values())


def cost_of(local: Evaluation, spark: Evaluation, evaluations: list[Evaluation], per_task: float) -> Cost:
    """Per stored row; CPU seconds of a further row by the slope over the sizes measured, where there are several."""
    rows = int(local.found["stored"])
    latency, _ = fixed_and_variable([(line["rows"], line["seconds"]) for line in spark.series])
    held = max((sample[1] + sample[2] for sample in spark.found["samples"]), default=0)
    return Cost(
        spark.workload.title,
        rows,
        spark.iterations,
        local.found["seconds"] / rows,
        local.found["bytes"] / rows,
        spark.found["seconds"] / rows,
        _cpu_per_row(spark, evaluations),
        (spark.total("shuffle_written") or 0) / rows,
        held / rows,
        latency,
        spark.mean("planning") or 0.0,
        spark.mean("stages") or 1.0,
        per_task,
        spark.found.get("skew", 1.0),
    )


def _cpu_per_row(spark: Evaluation, evaluations: list[Evaluation]) -> float:
    stored = {e.workload.name: e.found["stored"] for e in evaluations if e.side == LOCAL and e.found}
    same = [
        e
        for e in evaluations
        if e.side == spark.side
        and e.found
        and (e.workload.program, e.workload.generator) == (spark.workload.program, spark.workload.generator)
    ]
    _, slope = fixed_and_variable(
        [(stored[e.workload.name], e.found["evaluating"]) for e in same if e.workload.name in stored]
    )
    return float(slope or spark.found["evaluating"] / stored[spark.workload.name])


def crossover(section: Section, found: list[Cost]) -> None:
    machines = Machines()
    columns = (
        "work",
        "local engine: bytes per row",
        "µs per row",
        "Spark ÷ local engine",
        *(f"rows in {memory} GiB" for memory in MEMORIES),
        f"local engine fills {MEMORIES[3]} GiB in",
        "machines in which Spark holds twice as many",
        "cores for Spark to be as fast",
    )
    table = section.table(
        *columns, caption="**Crossover: what one machine holds; from there on Spark is the right choice**"
    )
    for cost in found:
        rows = capacity(cost, MEMORIES[3] * GIB)
        cores = break_even_cores(cost, machines, rows)
        table.add(
            cost.name,
            cost.local_bytes,
            1e6 * cost.local_seconds,
            f"{cost.factor:.1f}x",
            *(_large(capacity(cost, memory * GIB)) for memory in MEMORIES),
            _time(rows * cost.local_seconds),
            machines_for(cost, 2 * rows, machines),
            cores or "none",
        )
    largest = max(found, key=lambda cost: cost.rows)
    rows = capacity(largest, MEMORIES[3] * GIB)
    section.notes.append(
        "As long as a state fits one machine, the local engine is the right choice: in this run Spark took "
        f"{min(c.factor for c in found):.0f} to "
        f"{max(c.factor for c in found):.0f} times its seconds on the same machine. "
        f"The crossover is a matter of memory first: {largest.name} takes {number(largest.local_bytes)} "
        f"bytes per stored row at the peak of an evaluation, so {MEMORIES[3]} GiB (of which {USABLE:.0%} are filled) "
        f"hold {_large(rows)} rows, which the local engine computes "
        f"in about {_time(rows * largest.local_seconds)}. "
        "Beyond that Spark is the only one that ends: twice as many rows stay in the memory of "
        f"{machines_for(largest, 2 * rows, machines)} machines of this kind, and in fewer with what does not fit on "
        "their disks. Below, a cluster is faster from the number of cores on that the last column "
        f"names (machines of {machines.cores} cores); "
        "*none*: what an iteration takes at least, whatever its rows, is more than the local engine needs in all."
    )


def projection(section: Section, found: list[Cost], failure: str) -> None:
    machines = Machines()
    table = section.table(
        "work",
        "iterations",
        "computing",
        "network",
        "iterations' latency",
        "starting tasks",
        "skew",
        "total",
        "bottleneck",
        "GiB per machine",
        "fits memory",
        caption=f"**{_large(TARGET)} rows on {machines.count} machines of {machines.cores} cores**",
    )
    for cost in found:
        for depth in (cost.iterations, *(depth for depth in DEPTHS if depth > cost.iterations)):
            p = project(cost, TARGET, machines, depth)
            table.add(
                cost.name,
                depth,
                *map(_time, p.seconds.values()),
                _time(p.total),
                p.bottleneck,
                p.bytes_per_machine / GIB,
                "yes" if p.fits else "spills",
            )
    inputs = section.table(
        "work",
        "CPU µs per row",
        "shuffled bytes per row",
        "stored bytes per row",
        "s of an iteration without rows",
        "of which outside of jobs",
        "stages",
        "ms to start a task",
        "fullest part ÷ mean",
        caption="**Measured in this run, from which it is computed**",
    )
    for cost in found:
        inputs.add(
            cost.name,
            1e6 * cost.cpu_seconds,
            cost.shuffled,
            cost.stored,
            cost.latency,
            cost.planning,
            cost.stages,
            1e3 * cost.per_task,
            cost.skew,
        )
    section.notes.append(
        f"Assumed: {machines.count} machines with {machines.cores} cores and {machines.memory // GIB} GiB each, of "
        f"which {machines.share:.0%} hold data; cores as fast as "
        f"this machine's; {number(machines.network / 1e9)} GB per second and machine of shuffle traffic "
        f"(70 % of 10 Gbit/s); {machines.replicas} replicas of each cut; one partition for each core, "
        "a task for each partition and stage, started one after the other by the driver "
        "(measured with empty tasks, whose execution is in it: an upper bound); "
        "CPU time, shuffled and stored bytes per row as measured here, whatever the size; nothing overlaps. "
        "What a row costs grows with the logarithm of the size at most (hash joins, no sorting); "
        "data with a vertex of very high degree is worse than the skew measured."
        + (f" The cost of starting a task was not measured: {failure}." if failure else "")
    )


def _large(rows: float) -> str:
    return f"{rows / 1e9:.3g} G" if rows >= 1e9 else f"{rows / 1e6:.3g} M"


def _time(seconds: float) -> str:
    return (
        f"{seconds:.3g} s"
        if seconds < 120
        else f"{seconds / 60:.3g} min"
        if seconds < 7200
        else f"{seconds / 3600:.3g} h"
    )
