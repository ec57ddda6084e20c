"""`ladder bench`: what is measured, and where the report is written; the package `ladder_bench` does the measuring."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import click

PATH = click.Path(path_type=Path, resolve_path=True)  # children run elsewhere
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
SPARK_CASES = ("pointsto", "memory", "closure", "doop", "lattices", "folds", "peers", "projection")
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
        type=click.FloatRange(0),
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
