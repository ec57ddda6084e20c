"""Plots beside the report, by matplotlib where it is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ladder_bench.report import Section

Points = Sequence[tuple[float, float]]
MISSING = "No plots: matplotlib is not installed (`pip install 'ladder-analysis[bench]'`)."


def plot(
    section: Section,
    folder: Path,
    name: str,
    title: str,
    axes: tuple[str, str],
    series: Mapping[str, Points],
    lines: Mapping[str, float] | None = None,
    scatter: bool = False,
    linear: bool = False,
) -> None:
    """Write NAME.svg into a folder and put it into the section; `lines`: horizontal ones, by name. Scales are
    logarithmic unless `linear` (which concerns the horizontal one)."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        if MISSING not in section.notes:
            section.notes.append(MISSING)
        return
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    drawn = figure.add_subplot()
    for number, (label, points) in enumerate(series.items()):
        columns = [column for column in zip(*points, strict=True)] or [(), ()]
        drawn.plot(*columns, "." if scatter else "o-", label=label, markersize=4, color=f"C{number % 10}")
    for number, (label, height) in enumerate((lines or {}).items()):
        drawn.axhline(height, linestyle="--", label=label, color=f"C{9 - number % 10}", linewidth=1)
    drawn.set(title=title, xlabel=axes[0], ylabel=axes[1], yscale="log", xscale="linear" if linear else "log")
    drawn.grid(True, which="major", alpha=0.3)
    drawn.legend(fontsize="small")
    figure.savefig(folder / f"{name}.svg")
    if f"{name}.svg" not in section.plots:
        section.plots.append(f"{name}.svg")
