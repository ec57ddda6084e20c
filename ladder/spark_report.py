"""What a bootstrap on Spark took, for people: by component and iteration, as a table of text and as a page."""
from __future__ import annotations

import html
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ladder.files import write_atomically
from ladder.limits import size_text
from ladder.profiles import PAGE, SCRIPT, STYLE, readable

if TYPE_CHECKING:
    from ladder.engine.spark.report import ComponentReport, IterationReport, RunReport

HEADS = ("iteration", "seconds", "planning", "rows", "jobs", "stages", "shuffled", "spilled", "tried again")
SHOWN_NAMES = 3
SHOWN_COMPONENTS = 20


def as_text(report: RunReport) -> str:
    """The components that took longest, each with its iterations."""
    iterations = [iteration for component in report.components for iteration in component.iterations]
    shuffled = sum(iteration.figures.shuffle_written for iteration in iterations)
    jobs = sum(iteration.figures.jobs for iteration in iterations)
    text = [f"on Spark: {report.seconds:.3f} s, {len(report.components):,} components, {len(iterations):,} iterations, {jobs:,} jobs in them, {size_text(shuffled)} shuffled"]
    longest = sorted(report.components, key=lambda component: -component.seconds)
    for component in longest[:SHOWN_COMPONENTS]:
        text.append(f"{names(component)}: {component.seconds:.3f} s")
        rows = [HEADS, *(_cells(iteration) for iteration in component.iterations)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        text += ["  " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows if len(rows) > 1]
    if rest := longest[SHOWN_COMPONENTS:]:
        text.append(f"… and {len(rest):,} more components, {sum(component.seconds for component in rest):.3f} s")
    return "\n".join(text)


def names(component: ComponentReport) -> str:
    """What a component computes."""
    shown = list(dict.fromkeys(readable(name) for name in component.relations if not name.endswith(("$in", "$all"))))
    return ", ".join(shown[:SHOWN_NAMES]) + (f" and {len(shown) - SHOWN_NAMES:,} more" if len(shown) > SHOWN_NAMES else "")


def write_page(file: Path, parts: Iterable[tuple[str, RunReport]]) -> None:
    """One page for (title, report) each."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, PAGE.format(style=STYLE, script=SCRIPT, body="".join(_section(title, report) for title, report in parts)))


def _section(title: str, report: RunReport) -> str:
    rows = "".join(f"<tr><td>{html.escape(names(component))}</td>{_row(iteration)}</tr>"
                   for component in report.components for iteration in component.iterations)
    heads = "".join(f"<th>{head}</th>" for head in ("component", *HEADS))
    return f"<h2>{html.escape(title)}: {report.seconds:.3f} s on Spark</h2><table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


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
