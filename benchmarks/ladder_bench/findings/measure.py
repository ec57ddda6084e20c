"""All suites that were given, and projects, as cases of one report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ladder_bench.bench import Bench
from ladder_bench.findings import density, juliet, owasp, securibench
from ladder_bench.findings.analysed import report_of
from ladder_bench.findings.score import Score, name_cases, tabulate
from ladder_bench.report import Section

RECALL = "The columns of other tools are recall / precision, counted from the score cards in the suite."


@dataclass
class FindingsBench(Bench):
    """`parts`: of the folders of each weakness of Juliet so many, 0: all; `weaknesses`: only these; `cases`: whether to
    name what is missed, and what else is found."""

    parts: int = 1
    weaknesses: Sequence[str] = ()
    cases: bool = False


def of_securibench(bench: FindingsBench, section: Section, folder: Path) -> None:
    """Lines of Securibench Micro."""
    scores = securibench.graded(folder, report_of(folder, ["taint"])["findings"])
    _show(bench, section, scores)


def of_owasp(bench: FindingsBench, section: Section, folder: Path) -> None:
    """Tests of the OWASP Benchmark, beside other tools."""
    published = owasp.published(folder)
    scores = owasp.graded(folder, report_of(folder, ["taint"])["findings"])
    tabulate(section, scores, published)
    section.notes.append(RECALL if published else "The suite has no score cards of other tools.")
    if bench.cases:
        name_cases(section, scores)


def of_juliet(bench: FindingsBench, section: Section, folder: Path) -> None:
    """Tests of the Juliet suite, weakness by weakness."""
    scores: dict[str, Score] = {}
    for weakness in bench.weaknesses or juliet.WEAKNESSES:
        folders = juliet.folders_of(folder, weakness)
        chosen = folders[: bench.parts or None]
        scores[weakness] = juliet.graded(chosen, folder.parent / juliet.SUPPORT, weakness)
        if len(chosen) < len(folders):
            section.notes.append(f"{weakness}: {len(chosen)} of {len(folders)} folders.")
        bench.tell(f"{weakness}: {scores[weakness].found} of {scores[weakness].marked}")
    _show(bench, section, scores)


def of_projects(_: FindingsBench, section: Section, projects: Sequence[Path]) -> None:
    """Projects of which nothing is marked."""
    density.tabulate(section, projects)


def _show(bench: FindingsBench, section: Section, scores: dict[str, Score]) -> None:
    tabulate(section, scores, {})
    if bench.cases:
        name_cases(section, scores)


SUITES = {
    "securibench": ("Securibench Micro: lines", of_securibench),
    "owasp": ("OWASP Benchmark: tests", of_owasp),
    "juliet": ("Juliet: tests, and good methods that are reported", of_juliet),
}
"""The suites by the options that name their folders."""


def cases_of(suites: dict[str, Path | None], projects: Sequence[Path]) -> Iterator[tuple[str, str, partial[None]]]:
    """(name, title, what measures it) of each suite that was given, and of projects."""
    for name, (title, run) in SUITES.items():
        if folder := suites.get(name):
            yield name, title, partial(run, folder=folder)
    if projects:
        yield "projects", "Findings of projects", partial(of_projects, projects=projects)
