"""Transitive closure of growing graphs: shallow (dense random graphs) and deep (long chains)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ladder_bench.plots import plot
from ladder_bench.report import Section
from ladder_bench.spark.run import SparkBench, add_table
from ladder_bench.spark.sides import LOCAL, ONE, TWO, WORKERS, Side
from ladder_bench.workloads import Workload

TITLE = "Transitive closure: shallow and deep graphs"
ALL = (LOCAL, ONE, TWO, WORKERS)


def run(bench: SparkBench, section: Section) -> None:
    section.notes.append(
        "Shallow: five random edges for each vertex, so that nearly every vertex reaches every other within a dozen "
        "iterations. Deep: chains of "
        "edges, as many iterations as a chain is long. "
        "Both sides leave the same state: rows with first iteration and number of derivations."
    )
    series: dict[str, list[tuple[float, float]]] = {}
    for workload, sides in workloads(bench):
        evaluations = bench.evaluate(section, workload, sides)
        add_table(section, f"**{workload.title}**", evaluations)
        for e in evaluations:
            if e.found and e.rows and workload.generator == "dense_graph":
                series.setdefault(e.side.name, []).append((e.rows, e.found["seconds"]))
        bench.written()
    plot(section, bench.output, "spark_closure", "Transitive closure, shallow", ("result rows", "seconds"), series)


def workloads(bench: SparkBench) -> Iterator[tuple[Workload, Sequence[Side]]]:
    """(graph, sides): all sides where they take less than some minutes together."""
    yield shallow(316), ALL if bench.full else (LOCAL, TWO)
    yield shallow(1000), ALL
    if bench.full:
        yield shallow(3162), (LOCAL, TWO, WORKERS)
    yield deep(20, 100), (LOCAL, TWO)
    if bench.full:
        yield deep(50, 200), (LOCAL, TWO)


def shallow(vertices: int) -> Workload:
    return Workload(
        f"closure-shallow-{vertices}",
        f"closure, shallow: {vertices:,} vertices, {5 * vertices:,} edges drawn",
        "closure",
        "dense_graph",
        (vertices,),
    )


def deep(count: int, length: int) -> Workload:
    return Workload(
        f"closure-deep-{count}-{length}",
        f"closure, deep: {count} chains of {length} edges",
        "closure",
        "chains",
        (count, length),
        rows={"path": count * length * (length + 1) // 2},
    )
