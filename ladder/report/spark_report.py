"""Time and rows of a bootstrap on Spark by stage and iteration, for people: as a text table and as an HTML page."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ladder.report import pages
from ladder.support.columns import aligned
from ladder.support.counts import counted
from ladder.support.exceeded import size_text

if TYPE_CHECKING:
    from ladder.engine.spark.report import IterationReport, RunReport

HEADS = ("iteration", "seconds", "planning", "rows", "jobs", "stages", "shuffled", "spilled", "tried again")
SHOWN_STAGES, SHOWN_NAMES = 20, 3


def as_text(report: RunReport) -> str:
    """The stages that took longest, each with its iterations, as text."""
    iterations = [iteration for stage in report.stages for iteration in stage.iterations]
    shuffled = sum(iteration.figures.shuffle_written for iteration in iterations)
    jobs = sum(iteration.figures.jobs for iteration in iterations)
    text = [
        (
            f"on Spark: {report.seconds:.3f} s, {counted(len(report.stages), 'stage')}, "
            f"{counted(len(iterations), 'iteration')}, {counted(jobs, 'job')} in them, {size_text(shuffled)} shuffled"
        )
    ]
    text += notes(report)
    longest = sorted(report.stages, key=lambda stage: -stage.seconds)
    for stage in longest[:SHOWN_STAGES]:
        text.append(f"{shortened(stage.relations)}: {stage.seconds:.3f} s")
        rows = [HEADS, *(_cells(iteration) for iteration in stage.iterations)]
        text += aligned(rows, range(len(HEADS)), "  ") if len(rows) > 1 else []
    if rest := longest[SHOWN_STAGES:]:
        text.append(f"… and {len(rest):,} more stages, {sum(stage.seconds for stage in rest):.3f} s")
    return "\n".join(text)


def notes(report: RunReport) -> list[str]:
    """A sentence for each unusual event of the run, with its cost."""
    found = [f"Started again, with all such joins in Python: {report.unusual}"] if report.unusual else []
    found += [
        f"Tasks had too little memory ({place}): {partitions:,} partitions from then on."
        for place, partitions in report.finer
    ]
    return [*found, report.losses[0].upper() + report.losses[1:]] if report.losses else found


def shortened(relations: str) -> str:
    """The first relations of a stage, and the number of others, as text."""
    names = relations.split(", ")
    return (
        relations
        if len(names) <= SHOWN_NAMES + 1
        else f"{', '.join(names[:SHOWN_NAMES])} and {len(names) - SHOWN_NAMES} more"
    )


def write_page(file: Path, parts: Iterable[tuple[str, RunReport]]) -> None:
    """Write a page with a section for each (title, report)."""
    pages.write_page(file, "spark.html", heads=HEADS, sections=[_section(title, report) for title, report in parts])


def _section(title: str, report: RunReport) -> dict[str, Any]:
    rows = [
        (stage.relations, list(zip(_values(iteration), _cells(iteration), strict=True)))
        for stage in report.stages
        for iteration in stage.iterations
    ]
    return {"title": title, "report": report, "notes": notes(report), "rows": rows}


def _values(iteration: IterationReport) -> tuple[float, ...]:
    f = iteration.figures
    return (
        iteration.number,
        iteration.seconds,
        iteration.planning,
        sum(iteration.rows.values()),
        f.jobs,
        f.stages,
        f.shuffle_written,
        f.spilled,
        f.tasks_failed,
    )


def _cells(iteration: IterationReport) -> tuple[str, ...]:
    number, seconds, planning, rows, jobs, stages, shuffled, spilled, failed = _values(iteration)
    return (
        f"{number:,}",
        f"{seconds:.3f}",
        f"{planning:.3f}",
        f"{rows:,}",
        f"{jobs:,}",
        f"{stages:,}",
        size_text(int(shuffled)),
        size_text(int(spilled)),
        f"{failed:,}",
    )
