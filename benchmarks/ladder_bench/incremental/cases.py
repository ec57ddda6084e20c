"""The cases of `ladder bench incremental`: an analysis each, over random changes of projects, and all over commits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ladder_bench.bench import Bench, Measured
from ladder_bench.incremental import tables
from ladder_bench.incremental.projects import folder_of
from ladder_bench.incremental.published import CONSTANTS, INTERVALS, POINTS_TO, Figures
from ladder_bench.incremental.sessions import commits, random_changes
from ladder_bench.plots import plot
from ladder_bench.report import Section

LIMIT = 7200.0  # seconds of one session


@dataclass(frozen=True)
class Analysis:
    """An analysis with contexts ("": the program's): `relation`, whose rows are the impact; `kind` of random changes;
    `bar`: milliseconds below which 99 % of updates shall stay."""

    name: str
    title: str
    program: str
    relation: str
    kind: str
    bar: float
    published: Figures
    context: str = ""


ANALYSES = {
    analysis.name: analysis
    for analysis in (
        Analysis("pointsto", "Points-to", "pointsto", "VarPointsTo", "allocations", 20.0, POINTS_TO),
        Analysis(
            "selective",
            "Points-to with selective contexts",
            "pointsto",
            "VarPointsTo",
            "allocations",
            50.0,
            POINTS_TO,
            "selective",
        ),
        Analysis("kupdate1", "k-update points-to, k = 1", "kupdate1", "VarPointsTo_K", "allocations", 20.0, POINTS_TO),
        Analysis("kupdate5", "k-update points-to, k = 5", "kupdate5", "VarPointsTo_K", "allocations", 20.0, POINTS_TO),
        Analysis("constprop", "Constants", "constprop", "ConstantAfter", "zeros", 5.0, CONSTANTS),
        Analysis("interval", "Intervals", "interval", "IntervalAfter", "zeros", 5.0, INTERVALS),
    )
}
WHAT = {
    "allocations": "Allocations of objects go.",
    "zeros": "Literals of integral types, and reads of fields of these types, become 0.",
}
COMMITS = "commits"
COMMITTED = ("pointsto", "kupdate5", "constprop", "interval")  # without --full, unless others are named


@dataclass
class IncrementalBench(Bench):
    """A run over projects and histories. `changes`: random changes per project; `commits`: newest versions per
    history; `chosen`: the analyses that the user has named; `verify`: every update is compared with a run from
    scratch, not a sample alone."""

    projects: Sequence[Path] = ()
    histories: Sequence[Path] = ()
    changes: int = 100
    commits: int = 10
    entry: str = "public"
    seed: int = 0
    verify: bool = False
    chosen: Sequence[str] = ()


def of_analysis(bench: IncrementalBench, section: Section, analysis: Analysis) -> None:
    """Random changes of every project."""
    section.notes.append(
        f"`{analysis.program}`{f' --context {analysis.context}' if analysis.context else ''}, entry points "
        f"`{bench.entry}`. {WHAT[analysis.kind]} {bench.changes:,} changes of each project, drawn with seed "
        f"{bench.seed}, each made and undone. Impact: how many rows of `{analysis.relation}` come or go."
    )
    found = {
        project.name: bench.measure(
            random_changes,
            LIMIT,
            project=str(project),
            kept=str(folder_of(bench.work, project)),
            **_arguments(bench, analysis),
            kind=analysis.kind,
            count=bench.changes,
            seed=bench.seed,
        )
        for project in bench.projects
    }
    sessions = _told(bench, section, found, analysis.name)
    for one in sessions:
        tables.bar_of_percentile(section, one, analysis.title, analysis.bar)
        tables.bar_of_share(section, one, analysis.title)
    tables.beside(section, sessions, analysis.published)


def of_commits(bench: IncrementalBench, section: Section) -> None:
    """Versions one after the other, with every analysis."""
    section.notes.append(
        f"Up to {bench.commits:,} steps from one version to the next: commits of a git repository along first parents, "
        f"or folders of versions; entry points `{bench.entry}`. Steps that change no facts are left out. An update is "
        "`Database.update` with the facts that came and went; reading and comparing files is not in it."
    )
    analyses = [ANALYSES[name] for name in bench.chosen or (ANALYSES if bench.full else COMMITTED)]
    found = {
        f"{history.name}, {analysis.name}": bench.measure(
            commits,
            LIMIT,
            history=str(history),
            kept=str(folder_of(bench.work, history)),
            **_arguments(bench, analysis),
            count=bench.commits,
        )
        for history in bench.histories
        for analysis in analyses
    }
    _told(bench, section, found, COMMITS)


def _arguments(bench: IncrementalBench, analysis: Analysis) -> dict[str, Any]:
    """What all sessions are told of an analysis."""
    named = {"analysis": analysis.program, "context": analysis.context, "relation": analysis.relation}
    return {**named, "entry": bench.entry, "verified": bench.verify}


def _told(bench: IncrementalBench, section: Section, found: Mapping[str, Measured], name: str) -> list[tables.Session]:
    """Fill a section with what sessions found."""
    sessions = [tables.Session(of, measured.lines) for of, measured in found.items()]
    section.notes += [f"**{of}**: {measured.failure}" for of, measured in found.items() if measured.failure]
    tables.first_runs(section, sessions)
    tables.updates(section, sessions)
    tables.impacts(section, sessions)
    tables.growth(section, sessions)
    tables.slowest(section, sessions)
    section.notes += map(tables.verified, sessions)
    series = {one.name: [(1 + line["impact"], line["cpu"]) for line in one.updates] for one in sessions if one.updates}
    if series:
        axes = "1 + rows that came or went", "CPU seconds"
        plot(section, bench.output, f"incremental-{name}", section.title, axes, series, scatter=True)
    return sessions


TITLES = {**{name: analysis.title for name, analysis in ANALYSES.items()}, COMMITS: "Real commits"}
