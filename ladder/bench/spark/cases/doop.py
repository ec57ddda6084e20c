"""The published Doop program: many relations, rules of many atoms, symbols, several components."""
from __future__ import annotations

from ladder.bench.report import Section
from ladder.bench.spark.run import SparkBench, add_table
from ladder.bench.spark.sides import LOCAL, TWO, WORKERS
from ladder.bench.workloads import published

TITLE = "Doop"


def run(bench: SparkBench, section: Section) -> None:
    doop = next(workload for workload in published(bench) if workload.name == "doop")
    evaluations = bench.evaluate(section, doop, (LOCAL, TWO, WORKERS) if bench.full else (LOCAL, TWO))
    if evaluations:
        add_table(section, f"**{doop.title}**", evaluations)
