"""Few changed facts in a live session: percentiles over random deletions and reinsertions; a large transaction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ladder_bench import live
from ladder_bench.bench import Bench
from ladder_bench.report import Check, Section
from ladder_bench.workloads import Workload, facts_of, points_to, published

TITLE = "1 to 10 changed facts in a live session; 10,000 in one transaction"
LIMIT = 300.0
MOST, CYCLES = 10, 200


def run(bench: Bench, section: Section) -> None:
    section.notes.append(
        f"{CYCLES} cycles: 1 to {MOST} facts drawn at random from all asserted facts are deleted, then inserted again, "
        "each in a transaction of "
        "`Database.update`. CPU milliseconds; *engine alone*: without turning values into numbers and back. "
        "The large transaction is measured "
        "as users meet it (with the switch to bootstrap) and without the switch."
    )
    times = section.table(
        "work",
        "",
        "p50 ms",
        "p90 ms",
        "p99 ms",
        "most ms",
        "p50 wall ms",
        "p99 wall ms",
        "rows changed p50 / most",
        "bootstraps instead",
    )
    large = section.table(
        "work",
        "bootstrap s",
        "facts",
        "deleted s",
        "inserted s",
        "mode",
        "rows came and went",
        caption="One large transaction",
    )
    doop = next(w for w in published(bench) if w.name == "doop")
    for workload in (points_to(bench.size(100_000, 1_000_000)), doop):
        _workload(bench, section, times, large, workload)


def _workload(bench: Bench, section: Section, times: Any, large: Any, workload: Workload) -> None:
    facts = facts_of(bench, workload)
    if facts is None:
        section.notes.append(f"{workload.title}: skipped, its archive is not there.")
        return
    size = bench.size(1000, 10_000)
    measured = bench.measure(cycles, LIMIT, program=str(workload.path), facts=str(facts), count=CYCLES, size=size)
    singles = [line for line in measured.lines if line["what"] in ("delete", "insert")]
    both: dict[str, float] = {}
    for what in ("delete", "insert", "engine alone"):
        lines = [line for line in measured.lines if line["what"] == what]
        if lines:
            times.add(workload.title, what, *_columns(lines))
    if singles:
        both = dict(
            zip(("p50", "p99"), np.percentile([1e3 * line["cpu"] for line in singles], [50, 99]).tolist(), strict=True)
        )
    for name, bar in (("p50", 0.3), ("p99", 5.0)):
        section.checks.append(
            Check(
                f"1 to {MOST} changed facts, {name}: {workload.title}",
                both.get(name),
                bar,
                " ms",
                note=measured.failure,
            )
        )
    _large(section, large, workload, measured.lines, size, measured.failure)


def _large(
    section: Section, table: Any, workload: Workload, lines: Sequence[dict[str, Any]], size: int, failure: str
) -> None:
    bootstrap = next((line["cpu"] for line in lines if line["what"] == "bootstrap"), None)
    worst = None
    for switch in ("with switch", "without switch"):
        pair = [line for line in lines if line["what"] == switch]
        if bootstrap and len(pair) == 2:
            table.add(
                f"{workload.title}, {switch}",
                bootstrap,
                size,
                *(line["cpu"] for line in pair),
                ", ".join(line["mode"] for line in pair),
                ", ".join(f"{line['impact']:,}" for line in pair),
            )
            worst = max(line["cpu"] for line in pair) / bootstrap if worst is None else worst
    section.checks.append(
        Check(f"{size:,} facts in one transaction ÷ bootstrap: {workload.title}", worst, 0.5, "x", note=failure)
    )


def _columns(lines: Sequence[dict[str, Any]]) -> tuple[object, ...]:
    cpu, wall = (np.array([1e3 * line[key] for line in lines]) for key in ("cpu", "wall"))
    impact = [line["impact"] for line in lines]
    return (
        *np.percentile(cpu, [50, 90, 99, 100]).tolist(),
        *np.percentile(wall, [50, 99]).tolist(),
        f"{np.median(impact):,.0f} / {max(impact):,}",
        sum(line["mode"] == "bootstrap" for line in lines),
    )


def cycles(program: str, facts: str, count: int, size: int) -> Iterator[dict[str, Any]]:
    """A live session: bootstrap, cycles of few facts, a large transaction with and without the switch."""
    database, asserted, took = live.changeable(program, facts)
    yield {"what": "bootstrap", **took}
    for number in asserted.source.integers(1, MOST + 1, count).tolist():
        change = asserted.draw(number)
        yield {"what": "delete", **live.timed(lambda change=change: database.update(delete=change))}  # type: ignore[misc]
        yield {"what": "insert", **live.timed(lambda change=change: database.update(insert=change))}  # type: ignore[misc]
    yield from _engine_alone(database, asserted, count)
    change = asserted.draw(min(size, len(asserted)))
    for what, switch in (("without switch", None), ("with switch", database.switch)):
        database.switch = switch
        yield {"what": what, **live.timed(lambda: database.update(delete=change))}
        yield {"what": what, **live.timed(lambda: database.update(insert=change))}


def _engine_alone(database: Any, asserted: live.AssertedFacts, count: int) -> Iterator[dict[str, Any]]:
    engine = database._ready()
    for number in asserted.source.integers(1, MOST + 1, count).tolist():
        change = {name: engine.encode_facts(name, rows) for name, rows in asserted.draw(number).items()}
        for deleted, inserted in ((change, {}), ({}, change)):
            clock = live.Clock()
            engine.update(deleted, inserted)
            changed = engine.finish().changed_rows
            yield {"what": "engine alone", **clock.lap(), "impact": changed, "mode": "update"}
