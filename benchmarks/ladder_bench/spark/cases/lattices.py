"""Shortest paths, a lattice in recursion: the supplied least number, and the same joined by a user's Python."""

from __future__ import annotations

from ladder_bench.report import Section
from ladder_bench.spark.run import SparkBench, add_table
from ladder_bench.spark.sides import LOCAL, ONE, TWO, WORKERS
from ladder_bench.workloads import Workload

TITLE = "Lattices: shortest paths"


def run(bench: SparkBench, section: Section) -> None:
    section.notes.append(
        "Lengths of shortest paths from some places to all others in a random graph; "
        "aggregate inputs keep (first, count) and totals their time."
    )
    places, sources = 10_000, bench.size(10, 50)
    supplied, own = roads("shortest", places, sources), roads("shortest_user", places, bench.size(1, 10))
    add_table(
        section,
        f"**{supplied.title}**",
        bench.evaluate(section, supplied, (LOCAL, ONE, TWO, WORKERS) if bench.full else (LOCAL, TWO)),
    )
    add_table(section, f"**{own.title}**", bench.evaluate(section, own, (LOCAL, TWO)))


def roads(program: str, places: int, sources: int) -> Workload:
    title = "shortest paths" if program == "shortest" else "shortest paths, lattice in Python"
    return Workload(
        f"{program}-{places}-{sources}",
        f"{title}: {places:,} places, {sources} sources",
        program,
        "roads",
        (places, sources),
    )
