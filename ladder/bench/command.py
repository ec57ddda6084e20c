"""`ladder bench engine`, `ladder bench spark`: every table in one run, as a Markdown report with plots."""

from __future__ import annotations

import importlib
import platform
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from ladder.bench.bench import Bench
from ladder.bench.processes import end_with_children
from ladder.bench.report import Section, report
from ladder.bench.souffle import Souffle

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
REPORT, SPARK_REPORT = "engine.md", "spark.md"
OUTPUT = click.option(
    "--output",
    type=PATH,
    default=Path("bench"),
    show_default=True,
    metavar="DIR",
    help="Directory of the report; facts and compiled programs are kept in its folder `work`.",
)


@click.group()
def bench() -> None:
    """Measure Ladder on this machine."""


@bench.command()
@OUTPUT
@click.option("--full", is_flag=True, help="Full sizes: up to forty minutes. Without it, a few minutes.")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice(CASES),
    metavar="CASE",
    help=f"Only these: {', '.join(CASES)}. Repeatable.",
)
@click.option(
    "--data", type=PATH, metavar="DIR", help="Folder with crdt-facts.tar.xz, galen-facts.tar.xz and doop-facts.tar.xz."
)
@click.option("--souffle", type=PATH, metavar="FILE", help="Soufflé, if not the one on PATH.")
@click.option(
    "--runs",
    type=click.IntRange(1),
    metavar="N",
    help="Runs of which the median counts, where they are short (1, with --full 3).",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0),
    default=40.0,
    show_default=True,
    metavar="N",
    help="After which nothing more is measured.",
)
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
    output.mkdir(parents=True, exist_ok=True)
    peer = Souffle.find(souffle, output / "work" / "souffle")
    shared = Bench(output, full, runs or (3 if full else 1), peer, data, 60 * minutes)
    told = f"Soufflé {peer.version}" if peer else "Soufflé is not installed"
    if peer is None:
        shared.tell("Soufflé was not found: its columns stay empty. Name it with --souffle.")
    _run_all(
        shared,
        [importlib.import_module(f"ladder.bench.cases.{name}") for name in only or CASES],
        output / REPORT,
        "The engine, measured",
        told,
    )


@bench.command()
@OUTPUT
@click.option("--full", is_flag=True, help="Full sizes: up to half an hour on two cores. Without it, a few minutes.")
@click.option(
    "--only",
    multiple=True,
    type=click.Choice(SPARK_CASES),
    metavar="CASE",
    help=f"Only these: {', '.join(SPARK_CASES)}. Repeatable.",
)
@click.option("--data", type=PATH, metavar="DIR", help="Folder with doop-facts.tar.xz.")
@click.option(
    "--runs",
    type=click.IntRange(1),
    metavar="N",
    help="Runs of which the median counts, where they are short (1, with --full 3).",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0),
    default=30.0,
    show_default=True,
    metavar="N",
    help="After which nothing more is measured.",
)
def spark(output: Path, full: bool, only: tuple[str, ...], data: Path | None, runs: int | None, minutes: float) -> None:
    """Measure evaluation on Spark beside the local engine: on one core, on two, on a cluster of two workers; print a
    Markdown report.

    DuckDB is a peer where it is installed; Doop is measured where its published facts are.
    """
    from ladder.bench.spark.run import SparkBench
    from ladder.spark.java import lacking

    missing = lacking()
    if missing:
        raise click.ClickException(f"Spark cannot run here: {missing}")
    output.mkdir(parents=True, exist_ok=True)
    shared = SparkBench(output, full, runs or (3 if full else 1), None, data, 60 * minutes, chosen=bool(only))
    modules = [
        importlib.import_module(f"ladder.bench.spark.cases.{name}") for name in SPARK_CASES if not only or name in only
    ]
    _run_all(shared, modules, output / SPARK_REPORT, "Evaluation on Spark, measured", _versions())


def _versions() -> str:
    """Return the versions of Spark and of the peer."""
    names = {"pyspark": "Spark", "duckdb": "DuckDB"}
    found = []
    for package, name in names.items():
        try:
            found.append(f"{name} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            found.append(f"{name} is not installed")
    return ", ".join(found)


def _run_all(shared: Bench, cases: Sequence[ModuleType], file: Path, heading: str, peers: str) -> None:
    """Run cases one after the other, the report being written as they proceed, and print it."""
    end_with_children()
    sections: list[Section] = []

    def written() -> None:
        file.write_text(report(heading, _introduction(shared, file.stem, peers), sections), encoding="utf-8")

    shared.written = written
    shared.measure(kernels, 900)
    for case in cases:
        _run(shared, case, sections)
    while shared.deferred:
        shared.deferred.pop()()
    written()
    print(file.read_text(encoding="utf-8"))


def kernels() -> Iterator[dict[str, Any]]:
    """Compile the kernels, or load them: what is measured afterwards finds them compiled."""
    from ladder.bench.live import warmed

    yield {"cpu": warmed()}


def _run(shared: Bench, case: ModuleType, sections: list[Section]) -> None:
    """Run one case; one that fails is told in its section."""
    sections.append(Section(case.TITLE))
    began = time.perf_counter()
    try:
        case.run(shared, sections[-1])
    except Exception as error:  # noqa: BLE001 - the other cases are still worth measuring
        traceback.print_exc(file=sys.stderr)
        sections[-1].notes.append(f"**Failed**: {type(error).__name__}: {error}")
    sections[-1].seconds = time.perf_counter() - began
    shared.tell(f"{case.__name__.rpartition('.')[2]}: done in {sections[-1].seconds:.0f} s")


def _introduction(shared: Bench, command: str, peers: str) -> str:
    size = "full" if shared.full else "small"
    return (
        f"`ladder bench {command}{' --full' if shared.full else ''}`, {time.strftime('%Y-%m-%d %H:%M')}, {size} size, "
        f"medians of {shared.runs} "
        f"runs. Python {platform.python_version()}, {_processor()}. {peers}. "
        f"{time.perf_counter() - shared.began:.0f} s in all."
    )


def _processor() -> str:
    import os

    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        name = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
        memory = int(Path("/proc/meminfo").read_text().split()[1]) >> 20
        return f"{os.cpu_count()} × {name}, {memory} GiB"
    except (OSError, StopIteration, ValueError):
        return f"{os.cpu_count()} processors"
