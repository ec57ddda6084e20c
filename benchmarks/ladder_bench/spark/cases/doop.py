"""The published Doop program: many relations, rules of many atoms, symbols, several components."""

from __future__ import annotations

from ladder_bench.report import Section
from ladder_bench.spark.run import SparkBench, add_table
from ladder_bench.spark.sides import LOCAL, TWO
from ladder_bench.workloads import published

TITLE = "Doop"


def run(bench: SparkBench, section: Section) -> None:
    section.notes.append(
        "Facts of symbols, dozens of relations, stages of components that do not depend on each other; "
        "first iterations and counts are compared, too."
    )
    if not bench.chosen:
        section.notes.append("With --only doop: it takes a quarter of an hour.")
        return
    doop = next(workload for workload in published(bench) if workload.name == "doop")
    evaluations = bench.evaluate(section, doop, (LOCAL, TWO))
    if evaluations:
        add_table(section, f"**{doop.title}**", evaluations)
