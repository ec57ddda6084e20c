"""What a bootstrap on Spark took, for people: by stage and iteration, as a table of text and as a page."""
from __future__ import annotations

import html
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ladder.report.profiles import PAGE, SCRIPT, STYLE
from ladder.support.exceeded import size_text
from ladder.support.files import FOR_OTHERS, write_atomically

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
    text += notes(report)
    longest = sorted(report.stages, key=lambda stage: -stage.seconds)
    for stage in longest[:SHOWN_STAGES]:
        text.append(f"{shortened(stage.relations)}: {stage.seconds:.3f} s")
        rows = [HEADS, *(_cells(iteration) for iteration in stage.iterations)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        text += ["  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows if len(rows) > 1]
    if rest := longest[SHOWN_STAGES:]:
        text.append(f"… and {len(rest):,} more stages, {sum(stage.seconds for stage in rest):.3f} s")
    return "\n".join(text)


def notes(report: RunReport) -> list[str]:
    """What went otherwise than usual, and what that cost: a sentence each."""
    found = [f"Started again, with all such joins in Python: {report.unusual}"] if report.unusual else []
    found += [f"Tasks had too little memory ({place}): {partitions:,} partitions from then on." for place, partitions in report.finer]
    return [*found, report.losses[0].upper() + report.losses[1:]] if report.losses else found


def shortened(relations: str) -> str:
    """The first few of the relations of a stage, and how many more."""
    names = relations.split(", ")
    return relations if len(names) <= SHOWN_NAMES + 1 else f"{', '.join(names[:SHOWN_NAMES])} and {len(names) - SHOWN_NAMES} more"


def write_page(file: Path, parts: Iterable[tuple[str, RunReport]]) -> None:
    """One page for (title, report) each."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, PAGE.format(style=STYLE, script=SCRIPT, body="".join(_section(title, report) for title, report in parts)), mode=FOR_OTHERS)


def _section(title: str, report: RunReport) -> str:
    rows = "".join(f"<tr><td>{html.escape(stage.relations)}</td>{_row(iteration)}</tr>" for stage in report.stages for iteration in stage.iterations)
    heads = "".join(f"<th>{head}</th>" for head in ("stage", *HEADS))
    told = "".join(f"<p>{html.escape(note)}</p>" for note in notes(report))
    return f"<h2>{html.escape(title)}: {report.seconds:.3f} s on Spark</h2>{told}<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


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
