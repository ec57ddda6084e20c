"""`ladder bench`: what is measured, and where the report is written; the package `ladder_bench` does the measuring."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import click

from ladder.cli.paths import NamedPath
from ladder.cli.reals import Real

PATH = NamedPath(resolve_path=True)  # children run elsewhere
FOLDER = NamedPath(resolve_path=True, exists=True, file_okay=False)
CASES = (
    "scratch",
    "small_changes",
    "impact",
    "start",
    "threads",
    "lattices",
    "rules",
    "saved_state",
    "scaling",
    "aggregates",
    "epochs",
)
INCREMENTAL_CASES = ("pointsto", "selective", "kupdate1", "kupdate5", "constprop", "interval", "commits")
SPARK_CASES = ("pointsto", "memory", "closure", "doop", "lattices", "folds", "peers", "projection")
ROBUSTNESS_PARTS = ("scratch", "updates", "plans", "rows")
MEASUREMENTS = "ladder_bench"
OUTPUT = click.option(
    "--output",
    type=PATH,
    default=Path("bench"),
    show_default=True,
    metavar="DIR",
    help="Directory of the report; facts and compiled programs are kept in its folder `work`.",
)
RUNS = click.option(
    "--runs",
    type=click.IntRange(1),
    metavar="N",
    help="Runs of which the median counts, where they are short (1, with --full 3).",
)


Command = TypeVar("Command", bound=Callable[..., Any])


def _only(cases: Sequence[str]) -> Callable[[Command], Command]:
    return click.option(
        "--only",
        multiple=True,
        type=click.Choice(cases),
        metavar="CASE",
        help=f"Only these: {', '.join(cases)}. Repeatable.",
    )


def _minutes(most: float) -> Callable[[Command], Command]:
    return click.option(
        "--minutes",
        type=Real(0),
        default=most,
        show_default=True,
        metavar="N",
        help="After which nothing more is measured.",
    )


@click.group()
def bench() -> None:
    """Measure Ladder on this machine."""


@bench.command()
@OUTPUT
@click.option("--full", is_flag=True, help="Full sizes: up to forty minutes. Without it, a few minutes.")
@_only(CASES)
@click.option(
    "--data", type=PATH, metavar="DIR", help="Folder with crdt-facts.tar.xz, galen-facts.tar.xz and doop-facts.tar.xz."
)
@click.option("--souffle", type=PATH, metavar="FILE", help="Soufflé, if not the one on PATH.")
@RUNS
@_minutes(40.0)
def engine(
    output: Path,
    full: bool,
    only: tuple[str, ...],
    data: Path | None,
    souffle: Path | None,
    runs: int | None,
    minutes: float,
) -> None:
    """Measure the engine: from scratch, updates, lattices, start; print a Markdown report.

    Cases that need Soufflé or the published fact sets are skipped, with a note, where these are missing.
    """
    main = _measurements()
    main.measure_engine(output, full, only or CASES, data, souffle, runs or (3 if full else 1), 60 * minutes)


@bench.command()
@OUTPUT
@click.option(
    "--full",
    is_flag=True,
    help="All projects, analyses and versions, and 1,000 changes: hours. Without it, some minutes.",
)
@_only(INCREMENTAL_CASES)
@click.option(
    "--projects",
    multiple=True,
    type=FOLDER,
    metavar="DIR",
    help="A Java project. Repeatable. By default the smallest that is fetched into a checkout's `corpora`; or all.",
)
@click.option(
    "--history",
    "histories",
    multiple=True,
    type=FOLDER,
    metavar="DIR",
    help="A git repository, or a folder of versions, for `commits`. Repeatable. By default those of `corpora`.",
)
@click.option("--changes", type=click.IntRange(1), metavar="N", help="Random changes per project (100, or 1,000).")
@click.option("--commits", type=click.IntRange(1), metavar="N", help="Newest versions per history (10, or 1,000).")
@click.option(
    "--entry",
    type=click.Choice(["main", "public", "all"]),
    default="public",
    show_default=True,
    help="Entry points, as for `analyze`.",
)
@click.option("--seed", default=0, show_default=True, help="By which the random changes are drawn.")
@click.option(
    "--verify",
    is_flag=True,
    help="Compare every update with a run from scratch. Without it, each session's last state.",
)
@_minutes(600.0)
def incremental(output: Path, full: bool, only: tuple[str, ...], minutes: float, **options: Any) -> None:
    """Measure what changes of Java projects change in the results of analyses, and what updates take; print a Markdown
    report.

    The experiment of LADDDER (PLDI 2021, sections 3 and 7), beside its figures: allocations that go and come back,
    literals and reads of fields that become 0. Then the same over real commits.
    """
    for name, few, many in (("changes", 100, 1000), ("commits", 10, 1000)):
        options[name] = options[name] or (many if full else few)
    cases = tuple(name for name in INCREMENTAL_CASES if not only or name in only)
    _measurements().measure_incremental(output, full, cases, bool(only), 60 * minutes, **options)


@bench.command()
@OUTPUT
@click.option("--securibench", type=FOLDER, metavar="DIR", help="A checkout of Securibench Micro.")
@click.option(
    "--owasp", type=FOLDER, metavar="DIR", help="A checkout of the OWASP Benchmark 1.2, with its score cards."
)
@click.option(
    "--juliet", type=FOLDER, metavar="DIR", help="The folder `src/testcases` in a checkout of Juliet for Java."
)
@click.option(
    "--parts",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    metavar="N",
    help="Of the folders of each weakness of Juliet so many; 0: all, which takes hours.",
)
@click.option(
    "--weakness",
    "weaknesses",
    multiple=True,
    metavar="CWE",
    help="Only these weaknesses of Juliet, such as CWE369. Repeatable.",
)
@click.option(
    "--projects",
    multiple=True,
    type=FOLDER,
    metavar="DIR",
    help="A Java project of which nothing is marked: findings per 1,000 lines. Repeatable.",
)
@click.option("--cases", is_flag=True, help="Also name what is missed, and what else is found.")
def findings(
    output: Path,
    securibench: Path | None,
    owasp: Path | None,
    juliet: Path | None,
    projects: tuple[Path, ...],
    parts: int,
    weaknesses: tuple[str, ...],
    cases: bool,
) -> None:
    """Grade the analyses that look for findings by public suites of flawed programs: recall and precision by weakness;
    print a Markdown report.

    Each suite is graded whose folder is named. Figures of other tools are those that the suites bring.
    """
    suites = {"securibench": securibench, "owasp": owasp, "juliet": juliet}
    if not any(suites.values()) and not projects:
        raise click.UsageError("Name a suite or a project: --securibench, --owasp, --juliet or --projects.")
    _measurements().measure_findings(output, suites, projects, parts=parts, weaknesses=weaknesses, cases=cases)


@bench.command()
@OUTPUT
@click.option("--full", is_flag=True, help="Full sizes: an hour. Without it, some minutes, and Soufflé's compiler.")
@_only(ROBUSTNESS_PARTS)
@click.option("--case", "cases", multiple=True, metavar="NAME", help="Only this kind of program. Repeatable.")
@click.option("--seed", type=click.IntRange(0), metavar="N", help="The first seed. By default, a new one for each run.")
@click.option("--seeds", type=click.IntRange(1), default=1, show_default=True, metavar="N", help="Cases of each kind.")
@click.option("--souffle", type=PATH, metavar="FILE", help="Soufflé, if not the one on PATH.")
@RUNS
@_minutes(120.0)
def robustness(
    output: Path,
    full: bool,
    only: tuple[str, ...],
    cases: tuple[str, ...],
    seed: int | None,
    seeds: int,
    souffle: Path | None,
    runs: int | None,
    minutes: float,
) -> None:
    """Measure kinds of programs on data whose shape is drawn at random: beside compiled Soufflé, single changed facts,
    the plans that are chosen beside the best of all; print a Markdown report.

    Nothing is tuned for such data: its seed, which the report tells, is a new one in each run. Rows that differ from
    those of Soufflé are an error.
    """
    main = _measurements()
    known = main.robustness_cases()
    if unknown := [name for name in cases if name not in known]:
        raise click.BadParameter(f"{', '.join(unknown)}: there are {', '.join(known)}.", param_hint="--case")
    first = secrets.randbelow(1_000_000) if seed is None else seed
    parts = tuple(part for part in ROBUSTNESS_PARTS if not only or part in only)
    numbers = range(first, first + seeds)
    wrong = main.measure_robustness(
        output, full, cases, parts, numbers, souffle, runs or (3 if full else 1), 60 * minutes
    )
    if wrong:
        raise click.ClickException("Rows differ from those of Soufflé:\n" + "\n".join(wrong))


@bench.command()
@OUTPUT
@click.option("--full", is_flag=True, help="Full sizes: up to half an hour on two cores. Without it, a few minutes.")
@_only(SPARK_CASES)
@click.option("--data", type=PATH, metavar="DIR", help="Folder with doop-facts.tar.xz.")
@RUNS
@_minutes(30.0)
def spark(output: Path, full: bool, only: tuple[str, ...], data: Path | None, runs: int | None, minutes: float) -> None:
    """Measure evaluation on Spark beside the local engine: on one core, on two, on a cluster of two workers; print a
    Markdown report.

    DuckDB is a peer where it is installed; Doop is measured where its published facts are.
    """
    from ladder.spark.java import lacking

    main = _measurements()
    missing = lacking()
    if missing:
        raise click.ClickException(f"Spark cannot run here: {missing}")
    cases = tuple(name for name in SPARK_CASES if not only or name in only)
    main.measure_spark(output, full, cases, data, runs or (3 if full else 1), 60 * minutes, chosen=bool(only))


def _measurements() -> ModuleType:
    """The module of the measurements, which is next to Ladder in its wheel, and in `benchmarks` of a checkout."""
    try:
        return import_module(f"{MEASUREMENTS}.main")
    except ModuleNotFoundError as error:
        if error.name != MEASUREMENTS:
            raise
        raise click.ClickException(
            f"The measurements, the package {MEASUREMENTS}, are not installed here. They come with Ladder's wheel; "
            "`pip install .` in a checkout of Ladder installs them, too."
        ) from None
