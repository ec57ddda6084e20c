"""Counts, sums and least values over many rows: in many groups and in one, from scratch, then single rows changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ladder.api.program import Program
from ladder.engine.local.engine import LocalEngine
from ladder_bench import live
from ladder_bench.bench import Bench
from ladder_bench.report import Section

TITLE = "Aggregates over many rows"
LIMIT = 120.0
DECLARATIONS = """
.decl group(g: number)
.decl e(g: number, key: number, x: number)
.decl t(g: number, n: number)
.decl all(n: number)
"""
FORMS = {
    "count of each group": "t(g, n) :- group(g), n = count : { e(g, _, _) }.",
    "sum of each group": "t(g, n) :- group(g), n = sum x : { e(g, _, x) }.",
    "min of each group": "t(g, n) :- group(g), n = min x : { e(g, _, x) }.",
    "count of all": "all(n) :- n = count : { e(_, _, _) }.",
    "sum of all": "all(n) :- n = sum x : { e(_, _, x) }.",
    "max of all": "all(n) :- n = max x : { e(_, _, x) }.",
}
GROUPS = 10  # one in so many rows has a group of its own


def run(bench: Bench, section: Section) -> None:
    rows = bench.size(100_000, 1_000_000)
    section.notes.append(
        f"{rows:,} rows in {rows // GROUPS:,} groups, values below a thousand. CPU time of the engine, facts in memory."
    )
    table = section.table("aggregate", "from scratch s", "µs per row", "one row changed, p50 ms", "p99 ms", "MB")
    for name, rule in FORMS.items():
        measured = bench.measure(evaluate, LIMIT, rule=rule, rows=rows)
        found = measured.last
        table.add(
            name,
            measured.failure or found["cpu"],
            found and 1e6 * found["cpu"] / rows,
            found.get("p50"),
            found.get("p99"),
            measured.process.peak >> 20,
        )


def evaluate(rule: str, rows: int) -> Iterator[dict[str, Any]]:
    """From scratch, then single rows deleted and inserted again."""
    live.warmed()
    source = np.random.default_rng(3)
    e = np.stack([source.integers(0, rows // GROUPS, rows), np.arange(rows), source.integers(0, 1000, rows)], 1).astype(
        np.int32
    )
    facts = {"e": e, "group": np.arange(rows // GROUPS, dtype=np.int32)[:, None]}
    engine = LocalEngine(Program.parse(DECLARATIONS + rule).core)
    clock = live.Clock()
    engine.bootstrap(facts)
    found = clock.lap()
    yield found
    yield {**found, **live.single_changes(engine, facts, ("e",), 300)}
