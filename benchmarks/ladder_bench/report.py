"""The report: checks against bars, tables, plots, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

MET, MISSED, UNKNOWN = "met", "**missed**", "not measured"


@dataclass(frozen=True)
class Check:
    """One figure and its bar; `at_least`: the figure must reach the bar, not stay below it.

    `value` None: not measured.
    """

    what: str
    value: float | None
    bar: float
    unit: str = ""
    at_least: bool = False
    note: str = ""

    @property
    def verdict(self) -> str:
        if self.value is None:
            return UNKNOWN
        return MET if (self.value >= self.bar if self.at_least else self.value <= self.bar) else MISSED

    @property
    def row(self) -> tuple[str, ...]:
        sign = "≥" if self.at_least else "≤"
        return (
            self.what,
            self.note
            if self.value is None
            else f"{number(self.value)}{self.unit}" + (f" ({self.note})" if self.note else ""),
            f"{sign} {number(self.bar)}{self.unit}",
            self.verdict,
        )


@dataclass
class Table:
    """Rows of text under a heading."""

    columns: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)
    caption: str = ""

    def add(self, *cells: object) -> None:
        self.rows.append([text(cell) for cell in cells])

    def markdown(self) -> str:
        lines = [self.caption, ""] if self.caption else []
        lines += [_line(self.columns), "|" + "---|" * len(self.columns), *map(_line, self.rows)]
        return "\n".join(lines)


@dataclass
class Section:
    """What one case found; filled while the case runs."""

    title: str
    checks: list[Check] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    plots: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def table(self, *columns: str, caption: str = "") -> Table:
        """A new table at the end of the section."""
        self.tables.append(Table(columns, caption=caption))
        return self.tables[-1]

    def markdown(self) -> str:
        parts = [f"## {self.title}"]
        parts += [table.markdown() for table in self.tables if table.rows]
        parts += [f"![{Path(plot).stem}]({plot})" for plot in self.plots]
        parts += self.notes
        return "\n\n".join(parts)


def report(heading: str, introduction: str, sections: Sequence[Section]) -> str:
    """The whole report: first every figure with its bar, then the sections."""
    checks = [check for section in sections for check in section.checks]
    parts = [f"# {heading}", introduction]
    if checks:
        met = sum(check.verdict == MET for check in checks)
        measured = sum(check.verdict != UNKNOWN for check in checks)
        parts += [f"{met} of {measured} bars met, {len(checks) - measured} not measured.", _checks(checks)]
    return "\n\n".join([*parts, *(section.markdown() for section in sections)]) + "\n"


def number(value: float) -> str:
    """A figure with three digits that count."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    digits = 0 if value == int(value) else 1 if abs(value) >= 100 else 2 if abs(value) >= 1 else 3
    return f"{value:.{digits}f}"


def text(cell: object) -> str:
    """What stands in a table's cell: – for None."""
    if cell is None:
        return "–"
    return number(cell) if isinstance(cell, float) else f"{cell:,}" if isinstance(cell, int) else str(cell)


def _checks(checks: Sequence[Check]) -> str:
    return Table(("figure", "measured", "bar", ""), [check.row for check in checks]).markdown()


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
