"""Findings of projects of which nobody has said what is wrong in them: how many there are per 1,000 lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ladder_bench.findings.analysed import report_of
from ladder_bench.report import Section

ANALYSES = ("taint", "nullness", "resources", "ranges", "conditions", "dead", "effects", "dependencies")
COLUMNS = ("project", "lines", "rule", "level", "findings", "per 1,000 lines")
WARNINGS = "warnings and errors"


def tabulate(section: Section, projects: Iterable[Path]) -> None:
    """Add a line for each project and rule, and one for the warnings and errors of all rules."""
    table = section.table(*COLUMNS)
    for project in projects:
        report = report_of(project, ANALYSES)
        lines = report["lines"]
        for (rule, level), count in sorted(counted(report).items()):
            table.add(project.name, f"{lines:,}", rule, level, count, f"{1000 * count / lines:.2f}" if lines else "-")


def counted(report: Mapping[str, Any]) -> Counter[tuple[str, str]]:
    """How many findings there are of each rule and level, and of all that are more than notes."""
    found = Counter((each["rule"], each["level"]) for each in report["findings"])
    found["all", WARNINGS] = sum(count for (_, level), count in found.items() if level != "note")
    return found
