"""Several threads on bulk work: wall-clock time with one, and with two, four … up to as many as there are cores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ladder_bench import live
from ladder_bench.bench import Bench, Measured
from ladder_bench.report import Check, Section
from ladder_bench.robustness.families import FULL, case_of, chosen
from ladder_bench.workloads import closures, facts_of, points_to, published

TITLE = "Several threads"
LIMIT = 300.0
# of those whose data is drawn at random: with one seed, so that the same work is measured everywhere
FAMILIES, SEED = ("taint", "tree", "grid", "dense", "power_law", "liveness", "owl"), 5
TWICE, CASES_TWICE = 1.8, 6  # how much faster two threads are to be, and in how many cases


@dataclass(frozen=True)
class Work:
    """A program and its facts."""

    title: str
    program: Path
    facts: Path


def run(bench: Bench, section: Section) -> None:
    numbers = _numbers()
    section.notes.append(
        f"Wall-clock seconds of the evaluation alone, on {os.cpu_count()} processors, at full size also in a small "
        "run: little work is not shared out. They mean something only where nothing else runs."
    )
    others = [f"{number} threads" for number in numbers[1:]]
    table = section.table("work", "one thread s", *others, f"CPU s with {numbers[-1]}", "result rows")
    ratios: list[list[float]] = []
    for work in _works(bench):
        measured = [
            bench.median(evaluate, "wall", LIMIT, program=str(work.program), facts=str(work.facts), jobs=jobs)
            for jobs in numbers
        ]
        faster = [_ratio(measured[0], each) for each in measured[1:]]
        told = [
            each.failure or (f"{ratio:.2f}x" if ratio else "") for each, ratio in zip(measured[1:], faster, strict=True)
        ]
        one, most = measured[0], measured[-1]
        table.add(work.title, one.failure or one.last.get("wall"), *told, most.last.get("cpu"), _rows(one))
        if len({_rows(each) for each in measured if each.last}) > 1:
            section.notes.append(f"**WRONG ROWS** in {work.title}: they depend on the number of threads")
        if all(faster):
            ratios.append([ratio for ratio in faster if ratio])
    section.checks += _checks(ratios, numbers)


def _numbers() -> list[int]:
    """One, two and further powers of two, up to the number of cores."""
    numbers = [1, 2]
    while 2 * numbers[-1] <= (os.cpu_count() or 1):
        numbers.append(2 * numbers[-1])
    return numbers


def _works(bench: Bench) -> Iterator[Work]:
    galen = [workload for workload in published(bench) if workload.name == "galen" and bench.full]
    for workload in (*closures(True), points_to(1_000_000), *galen):
        facts = facts_of(bench, workload)
        if facts is not None:
            yield Work(workload.title, workload.path, facts)
    for family in chosen(FAMILIES):
        case = case_of(bench, family, SEED, FULL)
        yield Work(family.title, case.program, case.facts)


def _ratio(one: Measured, several: Measured) -> float | None:
    return one.last["wall"] / several.last["wall"] if one.last and several.last else None


def _rows(measured: Measured) -> str:
    return str(measured.last.get("rows", ""))


def _checks(ratios: Sequence[Sequence[float]], numbers: Sequence[int]) -> Iterator[Check]:
    """Two threads, and as many as there are cores."""
    twice = sum(each[0] >= TWICE for each in ratios)
    yield Check(
        f"cases of {len(ratios)} in which two threads are {TWICE:g}x as fast as one",
        twice if ratios else None,
        CASES_TWICE,
        "",
        at_least=True,
    )
    worst = min((each[-1] for each in ratios), default=None)
    yield Check(f"one thread ÷ {numbers[-1]}, wall, worst case", worst, 1.0, "x", at_least=True)


def evaluate(program: str, facts: str, jobs: int) -> Iterator[dict[str, Any]]:
    """Wall-clock and CPU seconds of a bootstrap with so many threads."""
    live.warmed()
    database = live.loaded(live.program_of(program), facts, jobs=jobs)
    clock = live.Clock()
    database.bootstrap({})
    yield {**clock.lap(), "rows": live.row_counts(database)}
