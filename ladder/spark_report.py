"""What a bootstrap on Spark took, for people: by stage and iteration, as a table of text and as a page."""
from __future__ import annotations

import html
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ladder.files import write_atomically
from ladder.limits import size_text
from ladder.profiles import PAGE, SCRIPT, STYLE

if TYPE_CHECKING:
    from ladder.engine.spark.report import IterationReport, RunReport

HEADS = ("iteration", "seconds", "planning", "rows", "jobs", "stages", "shuffled", "spilled", "tried again")
SHOWN_STAGES, SHOWN_NAMES = 20, 3


def as_text(report: RunReport) -> str:
    """The stages that took longest, each with its iterations."""
    iterations = [iteration for stage in report.stages for iteration in stage.iterations]
    shuffled = sum(iteration.figures.shuffle_written for iteration in iterations)
    jobs = sum(iteration.figures.jobs for iteration in iterations)
    text = [f"on Spark: {report.seconds:.3f} s, {len(report.stages):,} stages, {len(iterations):,} iterations, {jobs:,} jobs in them, {size_text(shuffled)} shuffled"]
    if report.unusual:
        text.append(started_again(report))
    longest = sorted(report.stages, key=lambda stage: -stage.seconds)
    for stage in longest[:SHOWN_STAGES]:
        text.append(f"{shortened(stage.relations)}: {stage.seconds:.3f} s")
        rows = [HEADS, *(_cells(iteration) for iteration in stage.iterations)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        text += ["  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows if len(rows) > 1]
    if rest := longest[SHOWN_STAGES:]:
        text.append(f"… and {len(rest):,} more stages, {sum(stage.seconds for stage in rest):.3f} s")
    return "\n".join(text)


def started_again(report: RunReport) -> str:
    """Why the work was begun a second time."""
    return f"Started again, with all such joins in Python: {report.unusual}"


def shortened(relations: str) -> str:
    """The first few of the relations of a stage, and how many more."""
    names = relations.split(", ")
    return relations if len(names) <= SHOWN_NAMES + 1 else f"{', '.join(names[:SHOWN_NAMES])} and {len(names) - SHOWN_NAMES} more"


def write_page(file: Path, parts: Iterable[tuple[str, RunReport]]) -> None:
    """One page for (title, report) each."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, PAGE.format(style=STYLE, script=SCRIPT, body="".join(_section(title, report) for title, report in parts)))


def _section(title: str, report: RunReport) -> str:
    rows = "".join(f"<tr><td>{html.escape(stage.relations)}</td>{_row(iteration)}</tr>" for stage in report.stages for iteration in stage.iterations)
    heads = "".join(f"<th>{head}</th>" for head in ("stage", *HEADS))
    note = f"<p>{html.escape(started_again(report))}</p>" if report.unusual else ""
    return f"<h2>{html.escape(title)}: {report.seconds:.3f} s on Spark</h2>{note}<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _row(iteration: IterationReport) -> str:
    return "".join(f'<td class="n" data-value="{value}">{text}</td>' for value, text in zip(_values(iteration), _cells(iteration), strict=True))


def _values(iteration: IterationReport) -> tuple[float, ...]:
    f = iteration.figures
    return (iteration.number, iteration.seconds, iteration.planning, sum(iteration.rows.values()), f.jobs, f.stages, f.shuffle_written, f.spilled,
            f.tasks_failed)


def _cells(iteration: IterationReport) -> tuple[str, ...]:
    number, seconds, planning, rows, jobs, stages, shuffled, spilled, failed = _values(iteration)
    return (f"{number:,}", f"{seconds:.3f}", f"{planning:.3f}", f"{rows:,}", f"{jobs:,}", f"{stages:,}", size_text(int(shuffled)), size_text(int(spilled)),
            f"{failed:,}")
