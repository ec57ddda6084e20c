"""From scratch, beside compiled Soufflé, on the same fact files; and the same with the state kept that updates need."""
from __future__ import annotations

import math
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ladder.bench import live
from ladder.bench.bench import LONG, Bench, Measured
from ladder.bench.report import Check, Section, Table, number
from ladder.bench.souffle import Binary, sizes
from ladder.bench.workloads import Workload, closures, facts_of, points_to, published

TITLE = "From scratch, beside compiled Soufflé; with sparse state; memory"
COUNTING = {"doop": (9449, 23_352), "crdt": (337, 829), "galen": (17_974, 20_862)}
SOURCE = "Towards Elastic Incrementalization for Datalog (PPDP 2021), table 3, averages"
SOUFFLE_LIMIT, OUR_LIMIT, LITERAL_LIMIT = 1200.0, 600.0, 30.0
MB = 1 << 20


def run(bench: Bench, section: Section) -> None:
    section.notes.append(
        "CPU seconds, user and system. Soufflé: the compiled program with one thread, reading facts included. Ladder: reading the "
        "same files and evaluating, in a process of its own whose kernels are loaded; beside it the whole process, start of Python "
        "and loading of kernels included. Neither writes results; both tell sizes, which must be equal. *State*: the same with "
        "(first, count) of each row, plans and indexes for updates, divided by Ladder's own recomputation. Memory is peak resident memory.")
    table = section.table("work", "result rows", "Soufflé CPU s", "C++ compile s", "Ladder CPU s", "whole process", "ratio", "with state",
                          "state ÷ recompute", "Soufflé MB", "Ladder MB", "with state MB", "memory ratio")
    _compile(bench)
    measured = [_row(bench, section, table, workload) for workload in _workloads(bench)]
    ratios = [ratio for ratio in measured if ratio is not None]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None
    section.checks.insert(0, Check(f"from scratch ÷ Soufflé, geometric mean of {len(ratios)}", mean, 0.6, "x"))
    for facts in _points_to_sizes(bench):
        _row(bench, section, table, points_to(facts, "pointsto_split"), " (both split)")
    _row(bench, section, table, points_to(_points_to_sizes(bench)[0], "pointsto"), " (r3 of the figure)", LITERAL_LIMIT)


def _compile(bench: Bench) -> None:
    """Compile all peers, two at a time where there are two processors."""
    peer = bench.souffle
    if peer is not None:
        bench.tell("souffle: compile all programs")
        programs = sorted({workload.path for workload in (*_workloads(bench), points_to(1, "pointsto_split"), points_to(1, "pointsto"))})
        with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            list(pool.map(peer.compile, reversed(programs)))


def _points_to_sizes(bench: Bench) -> tuple[int, ...]:
    return (100_000, 1_000_000) if bench.full else (20_000, 100_000)


def _workloads(bench: Bench) -> tuple[Workload, ...]:
    return (*closures(bench), *map(points_to, _points_to_sizes(bench)), *published(bench))


def _row(bench: Bench, section: Section, table: Table, workload: Workload, remark: str = "", limit: float = SOUFFLE_LIMIT) -> float | None:
    """Measure one workload, add its row and its checks; the ratio to Soufflé, where both were measured."""
    facts = facts_of(bench, workload)
    if facts is None:
        section.notes.append(f"{workload.title}: skipped, {workload.archive}-facts.tar.xz is not in the folder of --data.")
        return None
    ours = bench.median(evaluate, "cpu", OUR_LIMIT, program=str(workload.path), facts=str(facts), strategy="recompute")
    kept = bench.median(evaluate, "cpu", OUR_LIMIT, program=str(workload.path), facts=str(facts), strategy="elastic")
    peer, binary = _souffle(bench, workload, facts, limit)
    rows = ours.last.get("rows", {})
    _compare_rows(section, workload, rows, peer.get("rows"))
    _compare_rows(section, workload, rows, kept.last.get("rows"))
    cpu, state = ours.last.get("cpu"), kept.last.get("cpu")
    ratio = cpu / peer["cpu"] if cpu and not peer.get("failure") and "cpu" in peer else None
    memory = kept.process.peak / peer["peak"] if ratio and not kept.failure else None
    table.add(workload.title, _sizes(rows), peer.get("failure") or peer.get("cpu"), binary.seconds if binary else None,
              ours.failure or cpu, ours.process.cpu, ratio and f"{ratio:.2f}x", kept.failure or state, state and cpu and f"{state / cpu:.2f}x",
              peer.get("peak", 0) // MB or None, ours.process.peak // MB, kept.process.peak // MB, memory and f"{memory:.1f}x")
    title = workload.title.partition(":")[0] + (remark if "facts" not in workload.title else "")
    note = f"{number(cpu)} / {number(peer['cpu'])} s" if cpu and ratio else (peer.get("failure") or "no Soufflé")
    section.checks += [Check(f"from scratch ÷ Soufflé: {title}", ratio, 1.0, "x", note=note)] if not remark or ratio else []
    if not remark:
        section.checks += _own_checks(workload, title, ours, kept, memory)
    bench.tell(f"    {workload.title}: {table.rows[-1][2:]}")
    return ratio


def _own_checks(workload: Workload, title: str, ours: Measured, kept: Measured, memory: float | None) -> list[Check]:
    cpu, state = ours.last.get("cpu"), kept.last.get("cpu")
    checks = [Check(f"state kept ÷ recompute: {title}", state / cpu if state and cpu else None, 1.15, "x"),
              Check(f"memory, state included ÷ Soufflé: {title}", memory, 2.5, "x")]
    if workload.name in COUNTING and workload.rows and not kept.failure:
        for engine, reported in zip(("Soufflé-counting", "DDlog"), COUNTING[workload.name], strict=True):
            checks.append(Check(f"memory, state included, half of {engine}'s: {title}", kept.process.peak / MB, reported / 2, " MB",
                                note=f"reported {reported:,} MB in {SOURCE}" + ("; on a larger Doop" if workload.name == "doop" else "")))
    return checks


def _souffle(bench: Bench, workload: Workload, facts: Path, limit: float) -> tuple[dict[str, Any], Binary | None]:
    """What the compiled peer cost, the median of the runs if it is quick."""
    if bench.souffle is None:
        return {}, None
    binary = bench.souffle.compile(workload.path)
    if binary.failure:
        return {"failure": binary.failure}, binary
    bench.tell(f"souffle: {workload.title}")
    outcomes = [bench.souffle.run(binary, facts, limit)]
    while len(outcomes) < bench.runs and outcomes[0].cpu < LONG and not outcomes[0].failure:
        outcomes.append(bench.souffle.run(binary, facts, limit))
    middle = sorted(outcomes, key=lambda o: o.cpu)[len(outcomes) // 2]
    return {"cpu": middle.cpu, "peak": middle.peak, "failure": middle.failure, "rows": None if middle.failure else sizes(middle.output)}, binary


def _compare_rows(section: Section, workload: Workload, found: dict[str, int], peer: dict[str, int] | None) -> None:
    """A note for every size that is not what it should be."""
    for what, expected in (("expected", workload.rows), ("found by the other", peer)):
        if expected is not None and found and any(found.get(name) != rows for name, rows in expected.items()):
            section.notes.append(f"**WRONG ROWS** in {workload.title}: {found}, {what}: {dict(expected)}")


def _sizes(rows: dict[str, int]) -> str:
    largest = sorted(rows.items(), key=lambda item: -item[1])[:2]
    return ", ".join(f"{name} {size:,}" for name, size in largest)


def evaluate(program: str, facts: str, strategy: str) -> Iterator[dict[str, Any]]:
    """CPU seconds for reading facts and evaluating them; with "elastic", preparing updates too."""
    started, checked = live.warmed(), live.program_of(program)
    clock = live.Clock()
    database = live.loaded(checked, facts, strategy=strategy)
    reading = clock.lap()["cpu"]
    database.bootstrap({})
    bootstrap = clock.lap()["cpu"]
    if strategy == "elastic":
        database._ready().prepare_updates()
    preparing = clock.lap()["cpu"]
    yield {"rows": live.row_counts(database), "start": started, "reading": reading, "bootstrap": bootstrap, "preparing": preparing,
           "cpu": reading + bootstrap + preparing, "peak": live.peak_bytes()}
