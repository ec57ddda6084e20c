"""Beside DuckDB's recursive queries in the same run, and what was published of other systems."""

from __future__ import annotations

from ladder_bench.bench import Measured
from ladder_bench.report import Section
from ladder_bench.spark.cases import closure, lattices
from ladder_bench.spark.family import PYTHON
from ladder_bench.spark.peers import MISSING, QUERIES, evaluate_duckdb, installed
from ladder_bench.spark.published import FIGURES, NOTE
from ladder_bench.spark.run import MB, SparkBench
from ladder_bench.spark.sides import LOCAL, TWO
from ladder_bench.workloads import Workload, facts_of, points_to

TITLE = "Peers"
LIMIT = 180.0  # seconds for a query
THREADS = 2


def run(bench: SparkBench, section: Section) -> None:
    section.notes.append(
        f"DuckDB with {THREADS} threads on the same facts: closure by `WITH RECURSIVE … UNION`; "
        "points-to, whose two relations depend on each other, as one table with a "
        "tag and `USING KEY`, whose `recurring` table holds all rows so far "
        "(plain recursive queries see the last iteration alone, so that rules of two recursive "
        "atoms cannot be said); shortest paths with `USING KEY`. "
        "DuckDB keeps rows only, Ladder's sides keep (first, count) too. Seconds without reading facts."
    )
    if not installed():
        section.notes.append(MISSING)
    table = section.table(
        "work",
        "rows",
        "local engine s",
        "DuckDB s",
        "Spark local[2] s",
        "local engine MB",
        "DuckDB MB",
        "DuckDB ÷ local engine",
    )
    for workload in workloads(bench):
        facts = facts_of(bench, workload)
        ours = {e.side: e for e in bench.evaluate(section, workload, (LOCAL,))}[LOCAL]
        spark = bench.known(workload, TWO)
        theirs = (
            bench.measure(evaluate_duckdb, LIMIT, program=workload.program, facts=str(facts), threads=THREADS)
            if installed()
            else None
        )
        seconds = theirs.last.get("seconds") if theirs else None
        table.add(
            workload.title,
            ours.rows,
            ours.failure or ours.found["seconds"],
            theirs.failure or seconds if theirs else None,
            spark.found["seconds"] if spark else None,
            ours.peak(PYTHON),
            _peak(theirs),
            seconds and ours.found and f"{seconds / ours.found['seconds']:.1f}x",
        )
        if theirs and theirs.last and ours.found.get("rows") != theirs.last["rows"]:
            section.notes.append(
                f"**WRONG ROWS** in {workload.title}: {ours.found.get('rows')} of the local engine, "
                f"{theirs.last['rows']} of DuckDB"
            )
        bench.written()
    published(section)


def workloads(bench: SparkBench) -> list[Workload]:
    """What both can say, of the sizes measured elsewhere in the run."""
    made = [workload for workload, _ in closure.workloads(bench)]
    made += [points_to(facts) for facts in ((20_000, 100_000, 1_000_000) if bench.full else (100_000,))]
    made.append(lattices.roads("shortest", 10_000, bench.size(10, 50)))
    return [workload for workload in made if workload.program in QUERIES]


def published(section: Section) -> None:
    """Figures of other systems, which were not measured here."""
    table = section.table(
        "system", "work", "data", "machines", "seconds", "source", caption="**Published, not measured here**"
    )
    for figure in FIGURES:
        table.add(figure.system, figure.work, figure.data, figure.machines, figure.seconds, figure.source)
    section.notes.append(NOTE)


def _peak(measured: Measured | None) -> int | None:
    peaks = measured.last.get("peaks", {}).get(PYTHON) if measured else None
    return peaks[0] // MB if peaks else None
