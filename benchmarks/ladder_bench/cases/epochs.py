"""Workloads of thirteen epochs (elastic paper, section 5.2), for every strategy; updates by their size
(section 5.1)."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any

from ladder.support.limits import Limits
from ladder_bench import live
from ladder_bench.bench import Bench, Measured
from ladder_bench.plots import plot
from ladder_bench.report import Check, Section, Table, number
from ladder_bench.workloads import Workload, facts_of, published

TITLE = "Elastic workload of 13 epochs; updates by their size"
SMALL = 10
OTHERS = ("recompute", "counting", "dred", "dredc", "bf", "bfc")
SIZES = {"doop": (10, 100, 400, 700, 1000), "crdt": (10, 40, 70, 100), "galen": (10, 10_000, 40_000, 70_000, 100_000)}
# seconds for elastic; for starting a process and reading facts; CPU seconds of another strategy
LIMIT, START, CAP = 500.0, 15.0, 30
MEMORY = 9 << 30  # bytes that another strategy may use: two run at a time


@dataclass
class Race:
    """One data set and what each strategy took."""

    workload: Workload
    facts: str
    table: Table
    found: dict[str, Measured] = field(default_factory=dict)

    @property
    def arguments(self) -> dict[str, Any]:
        return {"program": str(self.workload.path), "facts": self.facts, "large": self.workload.large}


def run(bench: Bench, section: Section) -> None:
    section.notes.append(
        f"Epoch 0 is the initial evaluation; epochs 1 to 6 and 8 to 11 delete {SMALL} random facts and insert them "
        "again, in turn; epoch 7 deletes many "
        "(1,000 of Doop, 100 of CRDT, 100,000 of Galen), epoch 12 inserts them again. "
        "CPU seconds of `Database.update`, which tells what came and went; "
        "*evaluation alone* leaves that out of recompute. "
        "A strategy is stopped once it has taken longer than elastic took for everything, or "
        f"{bench.size(15, CAP)} CPU seconds, or {MEMORY >> 30} GiB; "
        "it is then compared over the epochs up to the one in which it was stopped "
        "(recompute over all: each epoch costs it the same). "
        "What it refuses is told. Where there are two processors, two measurements run at a time."
    )
    races: list[Race] = []
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        deferred = [pool.submit(bench.deferred.pop()) for _ in tuple(bench.deferred)]
        for workload in reversed(published(bench)[: bench.size(2, 3)]):
            facts = facts_of(bench, workload)
            if facts is None:
                section.notes.append(f"{workload.title}: skipped, its archive is not there.")
                continue
            table = section.table(
                "strategy",
                *map(str, range(13)),
                "all",
                "MB",
                caption=f"{workload.title}: CPU seconds of each epoch (b: by a bootstrap)",
            )
            races.append(Race(workload, str(facts), table))
            races[-1].found["elastic"] = bench.measure(epochs, LIMIT, strategy="elastic", **races[-1].arguments)
            _fill(bench, section, races)
        jobs = [pool.submit(_other, bench, race, strategy) for race in races for strategy in OTHERS]
        for job in as_completed(deferred + jobs):
            job.result()
            _fill(bench, section, races)
        list(pool.map(lambda race: _by_size(bench, section, race.workload, race.facts), races))


def _other(bench: Bench, race: Race, strategy: str) -> None:
    """Another strategy than elastic, until it has taken longer."""
    elastic = race.found["elastic"]
    stop_after = min(1.02 * _total(elastic), bench.size(15, CAP))
    limit = START + 1.5 * stop_after + 0.2 * elastic.process.wall
    race.found[strategy] = bench.measure(
        epochs, limit, strategy=strategy, stop_after=stop_after, memory=MEMORY, **race.arguments
    )


def _fill(bench: Bench, section: Section, races: Sequence[Race]) -> None:
    """Rows, checks and plots of all that has been measured so far."""
    section.checks[:] = []
    for race in races:
        workload, elastic = race.workload, race.found["elastic"]
        race.table.rows[:] = []
        measured = {strategy: race.found[strategy] for strategy in ("elastic", *OTHERS) if strategy in race.found}
        for strategy, one in measured.items():
            race.table.add(strategy, *_cells(one, "cpu"), _total_text(one), one.process.peak >> 20)
            _same_rows(section, workload, strategy, elastic, one)
            if strategy != "elastic":
                section.checks.append(_faster(workload, elastic, strategy, one, "cpu"))
            if strategy == "recompute":
                race.table.add("recompute, evaluation alone", *_cells(one, "alone"), "", "")
                section.checks.append(_faster(workload, elastic, "recompute, evaluation alone", one, "alone"))
        series = {
            strategy: [(line["epoch"], line["cpu"]) for line in one.lines]
            for strategy, one in measured.items()
            if one.lines
        }
        plot(
            section,
            bench.output,
            f"epochs-{workload.name}",
            f"{workload.title}: 13 epochs",
            ("epoch", "CPU seconds"),
            series,
            linear=True,
        )


def _faster(workload: Workload, elastic: Measured, strategy: str, other: Measured, key: str) -> Check:
    """Elastic's time over that of another strategy: for everything, or up to the epoch in which the other
    was stopped."""
    what = f"13 epochs, elastic ÷ {strategy}: {workload.title}"
    if not other.lines or not elastic.lines or other.failure.startswith("failed"):
        return Check(what, None, 1.0, "x", note=_refusal(other.failure or elastic.failure))
    taken = _total(other) if key == "cpu" else sum(line[key] for line in other.lines)
    upto = len(other.lines) + (other.failure != "")
    own = sum(line["cpu"] for line in elastic.lines[:upto])
    if _complete(other) and _complete(elastic):
        return Check(what, own / taken, 1.0, "x", note=f"{number(own)} / {number(taken)} s")
    if strategy.startswith("recompute") and len(other.lines) > 1 and _complete(elastic):
        each = [line[key] for line in other.lines[1:]]
        taken = other.lines[0][key] + 12 * sum(each) / len(each)
        return Check(
            what,
            _total(elastic) / taken,
            1.0,
            "x",
            note=f"{number(_total(elastic))} / {number(taken)} s, of {len(each)} epochs instead of 12",
        )
    note = f"{number(own)} / {'> ' if other.failure else ''}{number(taken)} s in epochs 0 to {upto - 1}"
    undecided = other.failure != "" and own > taken
    return Check(what, None if undecided else own / taken, 1.0, "x", note=note)


def _refusal(failure: str) -> str:
    """The sentence of an error that says what is not supported."""
    return "refused: " + failure.partition("Unsupported: ")[2] if "Unsupported: " in failure else failure


def _complete(measured: Measured) -> bool:
    return len(measured.lines) == 13


def _total(measured: Measured) -> float:
    """CPU seconds of all epochs; of a process that was ended in one of them, all since the first began."""
    if measured.failure.startswith(">") and measured.lines:
        return measured.process.cpu - float(
            measured.lines[0]["before"] + sum(line.get("between", 0.0) for line in measured.lines)
        )
    return float(sum(line["cpu"] for line in measured.lines))


def _total_text(measured: Measured) -> str:
    if measured.failure.startswith("failed"):
        return _refusal(measured.failure)
    return ("" if _complete(measured) else "> ") + number(_total(measured)) if measured.lines else measured.failure


def _cells(measured: Measured, key: str) -> list[str]:
    cells = [
        number(line[key]) + (" b" if line["mode"] == "bootstrap" and line["epoch"] else "") for line in measured.lines
    ]
    return cells + [""] * (13 - len(cells))


def _same_rows(section: Section, workload: Workload, strategy: str, elastic: Measured, other: Measured) -> None:
    for one, two in zip(elastic.lines, other.lines, strict=False):
        if one.get("rows") != two.get("rows") or one["epoch"] == 12 and one["rows"] != elastic.lines[0]["rows"]:
            note = (
                f"**WRONG ROWS** in {workload.title}, epoch {one['epoch']}: elastic {one['rows']}, {strategy} "
                f"{two['rows']}"
            )
            if note not in section.notes:
                section.notes.append(note)


def epochs(
    program: str, facts: str, strategy: str, large: int, stop_after: float = float("inf"), memory: int | None = None
) -> Iterator[dict[str, Any]]:
    """A line for each epoch, until the CPU seconds of all are more than `stop_after`; `memory`: bytes that
    may be used."""
    live.warmed()
    database = live.loaded(live.program_of(program), facts, strategy=strategy, limits=Limits(memory))
    before, clock = time.process_time(), live.Clock()
    database.bootstrap({})
    alone = clock.lap()["cpu"]
    if strategy != "recompute":
        database._ready().rehearse()
    spent = alone + clock.lap()["cpu"]
    yield {
        "epoch": 0,
        "cpu": spent,
        "alone": alone,
        "mode": "bootstrap",
        "impact": 0,
        "rows": live.row_counts(database),
        "before": before,
    }
    asserted = live.AssertedFacts(database)
    changes = [asserted.draw(size) for size in (SMALL, SMALL, SMALL, large, SMALL, SMALL)]
    gone: set[int] = set()
    for epoch, which in enumerate((0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 5, 3), 1):
        change, inserting = changes[which], which in gone
        gone ^= {which}
        between = clock.lap()["cpu"]
        line = live.timed(
            lambda change=change, inserting=inserting: (  # type: ignore[misc]
                database.update(insert=change) if inserting else database.update(delete=change)
            )
        )
        clock.lap()
        alone = line["timings"].get("bootstrap", line["cpu"])  # CPU seconds, too, of one thread
        spent += line["cpu"]
        yield {
            "epoch": epoch,
            **line,
            "alone": alone,
            "between": between,
            "rows": live.row_counts(database) if epoch in (7, 12) else None,
        }
        if spent > stop_after:
            return


def _by_size(bench: Bench, section: Section, workload: Workload, facts: str) -> None:
    """Figure 5: what a cycle of deletion and reinsertion takes, for growing sets of facts."""
    sizes = [size for size in SIZES[workload.name] if size <= workload.large]
    series: dict[str, list[tuple[float, float]]] = {}
    bootstrap = 0.0
    table = section.table(
        "facts",
        "rows that went and came",
        "with switch",
        "bootstraps",
        "without switch",
        caption=f"{workload.title}: CPU seconds of a cycle (deletion and reinsertion)",
    )
    found: dict[str, Sequence[dict[str, Any]]] = {}
    for name, switch in (("with switch", True), ("without switch", False)):
        measured = bench.measure(
            sized, bench.size(30, 75), program=str(workload.path), facts=facts, sizes=sizes, switch=switch
        )
        found[name] = measured.lines[1:]
        bootstrap = measured.lines[0]["cpu"] if measured.lines else bootstrap
        series[name] = [(line["size"], line["cpu"]) for line in found[name]]
    for size in sizes:
        with_switch, without = (next((line for line in found[name] if line["size"] == size), {}) for name in found)
        table.add(
            size,
            (with_switch or without).get("impact"),
            with_switch.get("cpu", "> limit"),
            with_switch.get("bootstraps"),
            without.get("cpu", "> limit"),
        )
    plot(
        section,
        bench.output,
        f"sizes-{workload.name}",
        f"{workload.title}: a cycle of deletion and reinsertion",
        ("changed facts", "CPU seconds"),
        series,
        {"two bootstraps": 2 * bootstrap} if bootstrap else None,
        scatter=True,
    )


def sized(program: str, facts: str, sizes: list[int], switch: bool) -> Iterator[dict[str, Any]]:
    """The bootstrap, then a line for each cycle."""
    live.warmed()
    database = live.loaded(live.program_of(program), facts)
    if not switch:
        database.switch = None
    clock = live.Clock()
    database.bootstrap({})
    yield clock.lap()
    asserted = live.AssertedFacts(database)
    database._ready().prepare_updates()
    for size in sizes:
        change = asserted.draw(size)
        gone = live.timed(lambda change=change: database.update(delete=change))  # type: ignore[misc]
        came = live.timed(lambda change=change: database.update(insert=change))  # type: ignore[misc]
        yield {
            "size": size,
            "cpu": gone["cpu"] + came["cpu"],
            "impact": gone["impact"],
            "bootstraps": (gone["mode"] == "bootstrap") + (came["mode"] == "bootstrap"),
        }
