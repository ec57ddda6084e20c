"""From scratch, beside compiled Soufflé, on the same fact files; and the same with the state kept that updates need."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ladder_bench import live
from ladder_bench.bench import LONG, Bench, Measured
from ladder_bench.processes import Outcome
from ladder_bench.report import Check, Section, number
from ladder_bench.souffle import Binary, sizes
from ladder_bench.workloads import Workload, closures, facts_of, modules, points_to, published, texts

TITLE = "From scratch, beside compiled Soufflé; with sparse state; memory"
LONG_PEERS = ("crdt",)
COLUMNS = (
    "work",
    "result rows",
    "Soufflé CPU s",
    "C++ compile s",
    "Ladder CPU s",
    "whole process",
    "ratio",
    "with state",
    "state ÷ recompute",
    "Soufflé MB",
    "Ladder MB",
    "with state MB",
    "memory ratio",
)
# Average memory in MB of (Soufflé-counting, DDlog): "Towards Elastic Incrementalization for Datalog" (PPDP 2021), table
# 3.
REPORTED = {"doop": (9449, 23_352), "crdt": (337, 829), "galen": (17_974, 20_862)}
SOUFFLE_LIMIT, OUR_LIMIT, LITERAL_LIMIT = 1200.0, 600.0, 30.0
MB = 1 << 20


@dataclass
class Pair:
    """One workload on both sides: Ladder by recomputation, with the state kept, and its compiled peer once that has
    run."""

    workload: Workload
    remark: str
    ours: Measured
    kept: Measured
    peer: Outcome | None = None
    binary: Binary | None = None

    @property
    def title(self) -> str:
        return self.workload.title.partition(":")[0] + self.remark

    @property
    def ratio(self) -> float | None:
        """CPU time by recomputation over the peer's, where both came to an end."""
        cpu = self.ours.last.get("cpu")
        return cpu / self.peer.cpu if cpu and self.peer and not self.peer.failure else None

    @property
    def state_share(self) -> float | None:
        cpu, state = self.ours.last.get("cpu"), self.kept.last.get("cpu")
        return state / cpu if cpu and state else None

    @property
    def memory(self) -> float | None:
        """Peak memory with the state kept over the peer's."""
        return self.kept.process.peak / self.peer.peak if self.ratio and self.peer and not self.kept.failure else None


def run(bench: Bench, section: Section) -> None:
    section.notes.append(
        "CPU seconds, user and system. Soufflé: the compiled program with one thread, reading facts included. "
        "Ladder: reading the "
        "same files and evaluating, in a process of its own whose kernels are loaded; "
        "beside it the whole process, start of Python "
        "and loading of kernels included. Neither writes results; both tell sizes, which must be equal. "
        "*With state*: the same with "
        "(first, count) of each row, plans and indexes for updates, divided by Ladder's own recomputation. "
        "Memory is peak resident memory. "
        "The geometric mean is over the programs that both sides evaluate as written; "
        "split rules and the figure's rule of five atoms stand apart. "
        'What Soufflé-counting and DDlog take is reported in "Towards Elastic Incrementalization for Datalog" '
        "(PPDP 2021), table 3, averages."
    )
    section.table(*COLUMNS)
    _compile(bench)
    pairs: list[Pair] = []
    for workload, remark, limit in _plan(bench):
        facts = facts_of(bench, workload)
        if facts is None:
            section.notes.append(
                f"{workload.title}: skipped, {workload.archive}-facts.tar.xz is not in the folder of --data."
            )
            continue
        ours, kept = (
            bench.median(evaluate, "cpu", OUR_LIMIT, program=str(workload.path), facts=str(facts), strategy=strategy)
            for strategy in ("recompute", "elastic")
        )
        pairs.append(Pair(workload, remark, ours, kept))
        _compare_rows(section, workload, ours.last.get("rows"), kept.last.get("rows"))
        peer = partial(_run_peer, bench, section, pairs, pairs[-1], facts, limit)
        if workload.name in LONG_PEERS and bench.full:
            section.notes.append(f"Soufflé on {workload.title} takes minutes: it runs beside other measurements.")
            bench.deferred.append(peer)
            _fill(section, pairs)
        else:
            peer()


def _plan(bench: Bench) -> Iterator[tuple[Workload, str, float]]:
    """(workload, what is particular about it, seconds that the peer may take)."""
    for workload in _workloads(bench):
        yield workload, "", SOUFFLE_LIMIT
    for facts in _points_to_sizes(bench):
        yield points_to(facts, "pointsto_split"), " (both)", SOUFFLE_LIMIT
    yield points_to(_points_to_sizes(bench)[0], "pointsto"), " (both)", LITERAL_LIMIT


def _compile(bench: Bench) -> None:
    """Compile all peers, two at a time where there are two processors."""
    peer = bench.souffle
    if peer is not None:
        bench.tell("souffle: compile all programs")
        programs = sorted({workload.path for workload, _, _ in _plan(bench) if facts_of(bench, workload)})
        with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            list(pool.map(peer.compile, programs))


def _points_to_sizes(bench: Bench) -> tuple[int, ...]:
    return (100_000, 1_000_000) if bench.full else (20_000, 100_000)


def _workloads(bench: Bench) -> tuple[Workload, ...]:
    triangles = modules(bench.size(50_000, 400_000))
    names = texts(bench.size(100_000, 1_000_000))
    return (*closures(bench.full), *map(points_to, _points_to_sizes(bench)), triangles, names, *published(bench))


def _run_peer(bench: Bench, section: Section, pairs: list[Pair], pair: Pair, facts: Path, limit: float) -> None:
    """Run the compiled peer, the median of the runs if it is quick, and put what it cost into the section."""
    if bench.souffle is not None:
        pair.binary = bench.souffle.compile(pair.workload.path)
        bench.tell(f"souffle: {pair.workload.title}")
        outcomes = [] if pair.binary.failure else [bench.souffle.run(pair.binary, facts, limit)]
        while outcomes and len(outcomes) < bench.runs and outcomes[0].cpu < LONG and not outcomes[0].failure:
            outcomes.append(bench.souffle.run(pair.binary, facts, limit))
        if outcomes:
            pair.peer = sorted(outcomes, key=lambda o: o.cpu)[len(outcomes) // 2]
            _compare_rows(
                section,
                pair.workload,
                pair.ours.last.get("rows"),
                None if pair.peer.failure else sizes(pair.peer.output),
            )
    _fill(section, pairs)
    bench.tell(f"    {pair.workload.title}: {_cells(pair)[2:]}")


def _fill(section: Section, pairs: list[Pair]) -> None:
    """Rows and checks of all that has been measured so far."""
    section.tables[0].rows[:] = []
    for pair in pairs:
        section.tables[0].add(*_cells(pair))
    ratios = [pair.ratio for pair in pairs if pair.ratio and not pair.remark]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None
    section.checks[:] = [Check(f"from scratch ÷ Soufflé, geometric mean of {len(ratios)}", mean, 0.6, "x")]
    for pair in pairs:
        section.checks += _checks(pair)


def _cells(pair: Pair) -> tuple[object, ...]:
    ours, kept, peer, memory = pair.ours, pair.kept, pair.peer, pair.memory
    failed = pair.binary.failure if pair.binary else ""
    return (
        pair.workload.title,
        _sizes(ours.last.get("rows", {})),
        peer and (peer.failure or peer.cpu) or failed or None,
        pair.binary.seconds if pair.binary else None,
        ours.failure or ours.last.get("cpu"),
        ours.process.cpu,
        pair.ratio and f"{pair.ratio:.2f}x",
        kept.failure or kept.last.get("cpu"),
        pair.state_share and f"{pair.state_share:.2f}x",
        peer.peak // MB if peer else None,
        ours.process.peak // MB,
        kept.process.peak // MB,
        memory and f"{memory:.1f}x",
    )


def _checks(pair: Pair) -> Iterator[Check]:
    cpu, peer, kept = pair.ours.last.get("cpu"), pair.peer, pair.kept
    note = f"{number(cpu)} / {number(peer.cpu)} s" if pair.ratio and peer and cpu else "no Soufflé"
    if peer and peer.failure.startswith(">") and cpu:  # stopped: the ratio is at most this
        yield Check(
            f"from scratch ÷ Soufflé: {pair.title}", cpu / peer.cpu, 1.0, "x", note=f"{number(cpu)} / {peer.failure}"
        )
    else:
        yield Check(
            f"from scratch ÷ Soufflé: {pair.title}",
            pair.ratio,
            1.0,
            "x",
            note=pair.ours.failure or (peer.failure if peer else "") or note,
        )
    if pair.remark:
        return
    yield Check(f"state kept ÷ recompute: {pair.title}", pair.state_share, 1.15, "x", note=kept.failure)
    yield Check(
        f"memory, state included ÷ Soufflé: {pair.title}",
        pair.memory,
        2.5,
        "x",
        note=f"{kept.process.peak // MB:,} / {peer.peak // MB:,} MB" if peer else "no Soufflé",
    )
    if pair.workload.name in REPORTED and pair.workload.rows and not kept.failure:
        for engine, reported in zip(("Soufflé-counting", "DDlog"), REPORTED[pair.workload.name], strict=True):
            yield Check(
                f"memory, state included, half of {engine}'s: {pair.title}",
                kept.process.peak / MB,
                reported / 2,
                " MB",
                note=f"reported {reported:,} MB" + ("; for a larger Doop" if pair.workload.name == "doop" else ""),
            )


def _compare_rows(
    section: Section, workload: Workload, found: dict[str, int] | None, other: dict[str, int] | None
) -> None:
    """A note for sizes that are not what they should be."""
    for what, expected in (("expected", workload.rows), ("found by the other", other)):
        if found and expected is not None and any(found.get(name) != rows for name, rows in expected.items()):
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
    yield {
        "rows": live.row_counts(database),
        "start": started,
        "reading": reading,
        "bootstrap": bootstrap,
        "preparing": preparing,
        "cpu": reading + bootstrap + preparing,
        "peak": live.peak_bytes(),
    }
