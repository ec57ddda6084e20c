"""Two threads on bulk work: wall-clock time with one and with two."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from ladder_bench import live
from ladder_bench.bench import Bench
from ladder_bench.report import Check, Section
from ladder_bench.workloads import closures, facts_of, points_to, published

TITLE = "Two threads"
LIMIT = 300.0


def run(bench: Bench, section: Section) -> None:
    section.notes.append(
        f"Wall-clock seconds of the evaluation alone, with one thread and with two, on {os.cpu_count()} processors, "
        "at full size also in a small run: little work is not shared out. "
        "They mean something only where nothing else runs."
    )
    table = section.table("work", "one thread s", "two threads s", "one ÷ two", "CPU s with two", "result rows")
    galen = [workload for workload in published(bench) if workload.name == "galen" and bench.full]
    for workload in (*closures(True), points_to(1_000_000), *galen):
        facts = facts_of(bench, workload)
        if facts is None:
            continue
        one, two = (
            bench.median(evaluate, "wall", LIMIT, program=str(workload.path), facts=str(facts), jobs=jobs)
            for jobs in (1, 2)
        )
        ratio = one.last["wall"] / two.last["wall"] if one.last and two.last else None
        table.add(
            workload.title,
            one.failure or one.last.get("wall"),
            two.failure or two.last.get("wall"),
            ratio and f"{ratio:.2f}x",
            two.last.get("cpu"),
            str(two.last.get("rows", "")),
        )
        if one.last and two.last and one.last["rows"] != two.last["rows"]:
            section.notes.append(
                f"**WRONG ROWS** in {workload.title}: {one.last['rows']} with one thread, {two.last['rows']} with two"
            )
        section.checks.append(
            Check(
                f"one thread ÷ two, wall: {workload.title}",
                ratio,
                1.7,
                "x",
                at_least=True,
                note=two.failure or one.failure,
            )
        )


def evaluate(program: str, facts: str, jobs: int) -> Iterator[dict[str, Any]]:
    """Wall-clock and CPU seconds of a bootstrap with so many threads."""
    live.warmed()
    database = live.loaded(live.program_of(program), facts, jobs=jobs)
    clock = live.Clock()
    database.bootstrap({})
    yield {**clock.lap(), "rows": live.row_counts(database)}
