"""Cost against size: points-to and transitive closure from ten thousand facts or rows up, from scratch and for single
changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ladder.api.program import Program
from ladder.engine.local.engine import LocalEngine
from ladder_bench import live
from ladder_bench.bench import PROGRAMS, Bench
from ladder_bench.plots import plot
from ladder_bench.report import Section
from ladder_bench.workloads import Facts, dense_graph, points_to_facts

TITLE = "Cost against size"
LIMIT = 200.0
PROGRAMS_OF = {"points-to": "pointsto_split", "closure": "closure"}


def run(bench: Bench, section: Section) -> None:
    section.notes.append(
        "Points-to (rules split) by facts, transitive closure of dense graphs by paths. "
        "CPU time of the engine, facts in memory."
    )
    table = section.table(
        "work", "size", "rows", "from scratch s", "µs per row", "one fact changed, p50 ms", "p99 ms", "MB"
    )
    series: dict[str, list[tuple[float, float]]] = {}
    for name in PROGRAMS_OF:
        for size in (10_000, 100_000, *((1_000_000, 10_000_000)[: 1 + (name == "closure")] if bench.full else ())):
            measured = bench.measure(evaluate, LIMIT, name=name, size=size)
            found = measured.last
            table.add(
                name,
                size,
                measured.failure or found["rows"],
                found.get("cpu"),
                found and 1e6 * found["cpu"] / found["rows"],
                found.get("p50"),
                found.get("p99"),
                measured.process.peak >> 20,
            )
            if found:
                series.setdefault(f"{name}, from scratch", []).append((found["rows"], found["cpu"]))
                if "p50" in found:
                    series.setdefault(f"{name}, one fact", []).append((found["rows"], found["p50"] / 1e3))
    plot(section, bench.output, "scaling", "Cost against size", ("rows", "CPU seconds"), series)


def evaluate(name: str, size: int) -> Iterator[dict[str, Any]]:
    """From scratch, then single facts deleted and inserted again."""
    live.warmed()
    made: Facts = points_to_facts(size) if name == "points-to" else dense_graph(int(size**0.5))
    facts = {relation: rows.astype(np.int32) for relation, rows in made.items()}
    engine = LocalEngine(Program.load(PROGRAMS / f"{PROGRAMS_OF[name]}.dl").core)
    clock = live.Clock()
    engine.bootstrap(facts)
    found = {
        **clock.lap(),
        "rows": sum(engine.store.row_count(engine.numbers[relation]) for relation in engine.program.relations),
    }
    yield found
    if name == "points-to":
        yield {**found, **live.single_changes(engine, facts, tuple(facts), 300)}
