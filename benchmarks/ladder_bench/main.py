"""What `ladder bench engine` and `ladder bench spark` call: every table in one run, as a Markdown report with plots."""

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

from ladder_bench.bench import Bench
from ladder_bench.processes import end_with_children
from ladder_bench.report import Section, report
from ladder_bench.souffle import Souffle

REPORT, SPARK_REPORT = "engine.md", "spark.md"


def measure_engine(
    output: Path,
    full: bool,
    cases: Sequence[str],
    data: Path | None,
    souffle: Path | None,
    runs: int,
    seconds: float,
) -> None:
    """Measure the engine by these cases, in `cases`, beside Soufflé if there is one."""
    output.mkdir(parents=True, exist_ok=True)
    peer = Souffle.find(souffle, output / "work" / "souffle")
    shared = Bench(output, full, runs, peer, data, seconds)
    peer_text = f"Soufflé {peer.version}" if peer else "Soufflé is not installed"
    if peer is None:
        shared.tell("Soufflé was not found: its columns stay empty. Name it with --souffle.")
    _run_all(shared, "ladder_bench.cases", cases, output / REPORT, "The engine, measured", peer_text)


def measure_spark(
    output: Path, full: bool, cases: Sequence[str], data: Path | None, runs: int, seconds: float, chosen: bool
) -> None:
    """Measure evaluation on Spark by these cases, in `spark/cases`; `chosen`: whether the user has named them."""
    from ladder_bench.spark.run import SparkBench

    output.mkdir(parents=True, exist_ok=True)
    shared = SparkBench(output, full, runs, None, data, seconds, chosen=chosen)
    _run_all(
        shared, "ladder_bench.spark.cases", cases, output / SPARK_REPORT, "Evaluation on Spark, measured", _versions()
    )


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


def _run_all(shared: Bench, package: str, cases: Sequence[str], file: Path, heading: str, peers: str) -> None:
    """Run cases, modules of a package, one after the other, the report being written as they proceed, and print it."""
    end_with_children()
    sections: list[Section] = []

    def written() -> None:
        file.write_text(report(heading, _introduction(shared, file.stem, peers), sections), encoding="utf-8")

    shared.written = written
    shared.measure(kernels, 900)
    for case in cases:
        _run(shared, importlib.import_module(f"{package}.{case}"), sections)
    while shared.deferred:
        shared.deferred.pop()()
    written()
    print(file.read_text(encoding="utf-8"))


def kernels() -> Iterator[dict[str, Any]]:
    """Compile the kernels, or load them: what is measured afterwards finds them compiled."""
    from ladder_bench.live import warmed

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
