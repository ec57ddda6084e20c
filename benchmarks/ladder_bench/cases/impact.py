"""An update's time against its impact: the rows that come and go, from 1 to a million."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ladder_bench import live
from ladder_bench.bench import Bench
from ladder_bench.plots import plot
from ladder_bench.report import Check, Section
from ladder_bench.workloads import facts_of, points_to

TITLE = "An update's time against its impact"
LIMIT = 400.0
BATCHES = ((1, 300), (3, 60), (10, 60), (100, 20), (1000, 8), (10_000, 3), (100_000, 1))  # (facts, how often)
BEYOND = 3.0  # times the fixed cost from which an update counts for the slope


def run(bench: Bench, section: Section) -> None:
    section.notes.append(
        "Random facts of points-to deleted and inserted again, from one fact to a tenth of all, without the switch to "
        "bootstrap; the slope is that of a line "
        f"through (log impact, log (time − fixed cost)), of updates that take more than {BEYOND:g} times the fixed "
        "cost, which is the median time of "
        "updates that change at most three rows. The worst ratio to a bootstrap is that with the switch, as users "
        "have it."
    )
    workload = points_to(bench.size(100_000, 1_000_000))
    facts = facts_of(bench, workload)
    batches = [batch for batch in BATCHES if batch[0] <= bench.size(10_000, 100_000)]
    found = {}
    for name, switch in (("without switch", False), ("with switch", True)):
        measured = bench.measure(
            changes, LIMIT, program=str(workload.path), facts=str(facts), batches=batches, switch=switch
        )
        found[name] = measured
        if measured.failure:
            section.notes.append(f"{name}: {measured.failure}")
    lines = found["without switch"].lines[1:]
    fixed, slope, points = _slope(lines)
    section.checks.append(
        Check(
            "slope of time against impact beyond the fixed cost",
            slope,
            1.1,
            note=f"{points} updates, fixed cost {1e3 * fixed:.3f} ms"
            if slope is not None
            else found["without switch"].failure or "too few updates beyond the fixed cost",
        )
    )
    bootstrap, rest = (found["with switch"].lines or [{"cpu": 0.0}])[0]["cpu"], found["with switch"].lines[1:]
    worst = max((line["cpu"] for line in rest), default=None)
    section.checks.append(
        Check(
            "slowest update ÷ bootstrap",
            worst / bootstrap if worst and bootstrap else None,
            1.25,
            "x",
            note=found["with switch"].failure,
        )
    )
    _tables(section, lines, bootstrap)
    plot(
        section,
        bench.output,
        "impact",
        workload.title,
        ("rows that came and went", "CPU seconds"),
        {
            name: [(line["impact"], line["cpu"]) for line in measured.lines[1:] if line["impact"]]
            for name, measured in found.items()
        },
        {"bootstrap": bootstrap, "1.25 bootstraps": 1.25 * bootstrap} if bootstrap else None,
        scatter=True,
    )


def _slope(lines: Sequence[dict[str, Any]]) -> tuple[float, float | None, int]:
    """(fixed cost in seconds, slope, points that it is drawn through)."""
    small = [line["cpu"] for line in lines if line["impact"] <= 3]
    fixed = float(np.median(small)) if small else 0.0
    beyond = np.array(
        [(line["impact"], line["cpu"] - fixed) for line in lines if line["impact"] > 3 and line["cpu"] > BEYOND * fixed]
    )
    if len(beyond) < 5:
        return fixed, None, len(beyond)
    return fixed, float(np.polyfit(np.log(beyond[:, 0]), np.log(beyond[:, 1]), 1)[0]), len(beyond)


def _tables(section: Section, lines: Sequence[dict[str, Any]], bootstrap: float) -> None:
    table = section.table(
        "rows that came and went", "updates", "median ms", "most ms", "µs per row, median", "most ÷ bootstrap"
    )
    for power in range(8):
        band = [line for line in lines if 10**power <= line["impact"] < 10 ** (power + 1)]
        if band:
            cpu = [line["cpu"] for line in band]
            table.add(
                f"{10**power:,} … {10 ** (power + 1):,}",
                len(band),
                1e3 * float(np.median(cpu)),
                1e3 * max(cpu),
                float(np.median([1e6 * line["cpu"] / line["impact"] for line in band])),
                max(cpu) / bootstrap if bootstrap else None,
            )


def changes(program: str, facts: str, batches: list[tuple[int, int]], switch: bool) -> Iterator[dict[str, Any]]:
    """The bootstrap, then a line for each deletion and insertion."""
    live.warmed()
    database = live.loaded(live.program_of(program), facts)
    if not switch:
        database.switch = None
    clock = live.Clock()
    database.bootstrap({})
    yield clock.lap()
    asserted = live.AssertedFacts(database)
    change = asserted.draw(1)
    database.update(delete=change), database.update(insert=change)
    for size, often in batches:
        for _ in range(often):
            change = asserted.draw(size)
            yield {"size": size, **live.timed(lambda change=change: database.update(delete=change))}  # type: ignore[misc]
            yield {"size": size, **live.timed(lambda change=change: database.update(insert=change))}  # type: ignore[misc]
