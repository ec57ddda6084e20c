"""Memory: flat over two hundred iterations, and a state larger than what its workers may hold."""

from __future__ import annotations

from itertools import accumulate

from ladder_bench.plots import plot
from ladder_bench.report import Check, Section
from ladder_bench.spark.cases.closure import shallow
from ladder_bench.spark.family import EXECUTOR
from ladder_bench.spark.run import MB, Evaluation, SparkBench, add_table
from ladder_bench.spark.sides import CLUSTER, LOCAL, Side
from ladder_bench.spark.storage import growth
from ladder_bench.workloads import Workload

TITLE = "Memory: two hundred iterations, and spilling"
CHAIN, SETTLED = 200, 20  # iterations; after so many, memory should not grow
CHAINS, STARTED = 1000, 20
SMALL = Side("Spark local[2], heap of 1 GB", "local[2]", "1g")
TIGHT = Side("Spark, two workers of 512 MB", CLUSTER, "512m")
FIGURES = {"resident memory of the JVM": 4, "cached data": 1, "cached data sets": 3}
# cached data sets: runs come and go by merging; one that is never given back would make CHAIN of them
MOST_SETS = 16


def run(bench: SparkBench, section: Section) -> None:
    _flat(bench, section)
    _spilling(bench, section)


def _flat(bench: SparkBench, section: Section) -> None:
    workload = Workload(
        f"reach-{CHAIN}",
        f"reachability from {STARTED} ends of {CHAINS:,} chains of {CHAIN} edges",
        "reach",
        "chains",
        (CHAINS, CHAIN, STARTED),
        rows={"reach": STARTED * (CHAIN + 1)},
    )
    section.notes.append(
        f"A program whose state hardly grows: {STARTED} rows in each of {CHAIN} iterations, beside {CHAINS * CHAIN:,} "
        "edges. Growth is the slope by "
        f"least squares over all looks after iteration {SETTLED}, as a share of the mean."
    )
    e = bench.evaluate(section, workload, (SMALL,))[0]
    add_table(section, f"**{workload.title}**", [e])
    samples = settled(e)
    table = section.table("figure", "at first", "at last", "growth")
    for name, place in FIGURES.items():
        points = [(sample[0], float(sample[place])) for sample in samples]
        share = growth(points) if points else None
        counted = place == FIGURES["cached data sets"]
        scale = 1 if counted else MB
        if points:
            table.add(
                name + (" MB" if scale == MB else ""), points[0][1] / scale, points[-1][1] / scale, f"{share:+.1%}"
            )
        if counted:
            most = max((value for _, value in points), default=None)
            section.checks.append(
                Check(f"{name} at most, from iteration {SETTLED} to {CHAIN}", most, MOST_SETS, note=e.failure)
            )
            continue
        section.checks.append(
            Check(
                f"{name}, growth from iteration {SETTLED} to {CHAIN}",
                None if share is None else 100 * share,
                10.0,
                " %",
                note=e.failure,
            )
        )
    series = {
        "JVM, resident": [(s[0], s[4] / MB) for s in e.found.get("samples", ())],
        "cached data": [(s[0], max(s[1] / MB, 0.01)) for s in e.found.get("samples", ())],
    }
    plot(
        section, bench.output, "spark_memory", f"Memory over {CHAIN} iterations", ("seconds", "MB"), series, linear=True
    )


def settled(e: Evaluation) -> list[list[float]]:
    """What was seen after the first iterations."""
    ends = list(accumulate(line["seconds"] for line in e.series))
    begin = ends[SETTLED - 1] if len(ends) > SETTLED else float("inf")
    return [sample for sample in e.found.get("samples", ()) if sample[0] > begin]


def _spilling(bench: SparkBench, section: Section) -> None:
    workload = shallow(2000)
    section.notes.append(
        "A state that exceeds what its workers may hold: Spark keeps less than a third of each 512 MB for data, the "
        "rest goes to disk, where "
        "shuffles and cuts spill. It must end in the local engine's rows."
    )
    evaluations = bench.evaluate(section, workload, (LOCAL, TIGHT))
    add_table(section, f"**{workload.title}**, little memory", evaluations)
    if not evaluations:
        return
    local, tight = evaluations
    disk = max((sample[2] for sample in tight.found.get("samples", ())), default=0)
    held = max((sample[1] for sample in tight.found.get("samples", ())), default=0)
    spilled = tight.total("spilled")
    table = section.table(
        "cached in memory at most MB", "cached on disk at most MB", "spilled by shuffles MB", "executor MB at most"
    )
    table.add(held / MB, disk / MB, spilled and spilled / MB, tight.peak(EXECUTOR))
    equal = bool(tight.found.get("sums")) and tight.found.get("sums") == local.found.get("sums")
    section.checks.append(
        Check(
            "a state larger than its workers' memory: rows as the local engine's, and data on disk",
            float(equal and disk + (spilled or 0) > 0),
            1.0,
            at_least=True,
            note=tight.failure or tight.measured.failure,
        )
    )
