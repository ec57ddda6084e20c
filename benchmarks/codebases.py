"""Analyses whole code bases from an empty cache and reports their sizes, and the time and memory that it took.

python benchmarks/codebases.py                         # the sample and what corpora/fetch.py fetched
python benchmarks/codebases.py ant antlr --runs 5      # medians over whole runs
python benchmarks/codebases.py ant --analysis constprop --extract local --json ant.json
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import click

from measure import FETCHED, BenchmarkError, Run, analyze, code_base, median, save, table

NAMES = ("bookshop", "antlr", "commons-lang3", "ant", "cordova-android")
LIBRARIES = (
    "commons-lang3",
    "cordova-android",
    "java.base",
    "guava",
    "antlr3",
)  # no main method: all public ones may be called
STAGES = ("discover", "extract", "load", "evaluate", "save", "report")


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("names", nargs=-1)
@click.option("--analysis", default="pointsto", show_default=True)
@click.option("--runs", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--extract", type=click.Choice(["auto", "spark", "local"]), default="auto", show_default=True)
@click.option(
    "--entry", type=click.Choice(["main", "public", "all"]), help="By default public for libraries, main otherwise."
)
@click.option(
    "--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for the single measurements."
)
def main(
    names: tuple[str, ...], analysis: str, runs: int, extract: str, entry: str | None, output: Path | None
) -> None:
    measured: dict[str, list[Run]] = {}
    try:
        for name in names or [name for name in NAMES if name == "bookshop" or (FETCHED / name).is_dir()]:
            measured[name] = []
            for number in range(runs):
                click.echo(f"{name}: run {number + 1} of {runs}", err=True)
                policy = entry or ("public" if name in LIBRARIES else "main")
                measured[name].append(from_nothing(code_base(name), analysis, extract, policy))
    except BenchmarkError as error:
        raise click.ClickException(str(error)) from error
    click.echo(sizes(measured))
    click.echo()
    click.echo(costs(measured))
    save(output, {name: [vars_of(run) for run in group] for name, group in measured.items()})


def from_nothing(project: Path, analysis: str, extract: str, entry: str) -> Run:
    """One run with an empty cache; nothing is left behind."""
    with tempfile.TemporaryDirectory() as state:
        return analyze(project, analysis, "--state", f"{state}/state", "--extract", extract, "--entry", entry)


def sizes(measured: dict[str, list[Run]]) -> str:
    """What was analysed and what came out; the same in every run of a code base, or `BenchmarkError`."""
    rows = []
    for name, group in measured.items():
        counted = {tuple(_sizes(run.summary)) for run in group}
        if len(counted) > 1:
            raise BenchmarkError(f"two runs on {name} gave different results: {sorted(counted)}")
        rows.append((name, *counted.pop()))
    return table(
        (
            "code base",
            "files",
            "lines",
            "parse failures",
            "facts",
            "reachable methods",
            "call edges",
            "points-to rows",
            "phantom classes",
        ),
        rows,
    )


def _sizes(summary: Any) -> list[int]:
    relations = summary["relations"]
    return [
        summary["files"],
        summary["lines"],
        summary["parse_failures"],
        summary["facts"],
        relations.get("Reachable", 0),
        relations.get("CallGraphEdge", 0),
        relations.get("VarPointsTo", relations.get("VarPointsTo_K", 0)),
        summary["phantom_classes"],
    ]


def costs(measured: dict[str, list[Run]]) -> str:
    """Medians of seconds per stage, of the whole run seen from outside, and of peak memory."""
    rows = [
        (
            name,
            *(median(run.summary["seconds"].get(stage, 0.0) for run in group) for stage in STAGES),
            median(run.seconds for run in group),
            round(median(run.peak / 2**20 for run in group)),
        )
        for name, group in measured.items()
    ]
    return table(("code base", *(f"{stage} s" for stage in STAGES), "whole run s", "peak MiB"), rows)


def vars_of(run: Run) -> dict[str, Any]:
    return {"seconds": run.seconds, "peak": run.peak, "commands": sorted(run.commands), "summary": dict(run.summary)}


if __name__ == "__main__":
    main()
