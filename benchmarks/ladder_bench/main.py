"""What `ladder bench engine`, `incremental`, `spark` and `findings` call: all tables of a run, as a Markdown report
with plots."""

from __future__ import annotations

import importlib
import platform
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from ladder_bench.bench import Bench
from ladder_bench.processes import end_with_children
from ladder_bench.report import Section, report
from ladder_bench.souffle import Souffle

REPORT, SPARK_REPORT, INCREMENTAL_REPORT = "engine.md", "spark.md", "incremental.md"
FINDINGS_REPORT, ROBUSTNESS_REPORT = "findings.md", "robustness.md"


@dataclass(frozen=True)
class Case:
    """A case by the name that users give it: `run(bench, section)` measures it and fills its section."""

    name: str
    title: str
    run: Callable[[Any, Section], None]


def modules(package: str, names: Sequence[str]) -> Iterator[Case]:
    """Yield cases that are modules of a package, with `TITLE` and `run`, each imported when its turn comes."""
    for name in names:
        module = importlib.import_module(f"{package}.{name}")
        yield Case(name, module.TITLE, module.run)


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
    _run_all(shared, modules("ladder_bench.cases", cases), output / REPORT, "The engine, measured", peer_text)


def measure_spark(
    output: Path, full: bool, cases: Sequence[str], data: Path | None, runs: int, seconds: float, chosen: bool
) -> None:
    """Measure evaluation on Spark by these cases, in `spark/cases`; `chosen`: whether the user has named them."""
    from ladder_bench.spark.run import SparkBench

    output.mkdir(parents=True, exist_ok=True)
    shared = SparkBench(output, full, runs, None, data, seconds, chosen=chosen)
    found = modules("ladder_bench.spark.cases", cases)
    _run_all(shared, found, output / SPARK_REPORT, "Evaluation on Spark, measured", _versions())


def measure_incremental(
    output: Path, full: bool, cases: Sequence[str], chosen: bool, seconds: float, **options: Any
) -> None:
    """Measure what changes of projects change, and cost, by these cases; `chosen`: whether the user has named them;
    `options`: further ones of `IncrementalBench`."""
    from ladder_bench.incremental import cases as known
    from ladder_bench.incremental import projects

    output.mkdir(parents=True, exist_ok=True)
    options["chosen"] = [name for name in cases if chosen and name != known.COMMITS]
    if known.COMMITS in cases:
        options["histories"] = options["histories"] or projects.known_histories(output / "work")
    if set(cases) - {known.COMMITS}:
        options["projects"] = options["projects"] or projects.known(full)
    shared = known.IncrementalBench(output, full, 1, None, None, seconds, **options)
    run = {name: partial(known.of_analysis, analysis=analysis) for name, analysis in known.ANALYSES.items()}
    found = [Case(name, known.TITLES[name], run.get(name, known.of_commits)) for name in cases]
    places = ", ".join(path.name for path in (*shared.projects, *shared.histories))
    _run_all(shared, found, output / INCREMENTAL_REPORT, "Changes of Java projects, measured", f"Of {places}")


def measure_findings(output: Path, suites: dict[str, Path | None], projects: Sequence[Path], **options: Any) -> None:
    """Grade what is found in these suites, by their names, and count what is found in projects; `options`: further ones
    of `FindingsBench`. `LadderError` if one of the weaknesses is not among those that are graded."""
    from ladder.errors import LadderError
    from ladder_bench.findings.juliet import WEAKNESSES
    from ladder_bench.findings.measure import FindingsBench, cases_of

    if unknown := [weakness for weakness in options["weaknesses"] if weakness not in WEAKNESSES]:
        raise LadderError(f"{unknown[0]} is not graded.", f"Those of Juliet that are: {', '.join(WEAKNESSES)}.")
    output.mkdir(parents=True, exist_ok=True)
    shared = FindingsBench(output, False, 1, None, None, **options)
    found = [Case(*case) for case in cases_of(suites, projects)]
    places = ", ".join(path.name for path in (*filter(None, suites.values()), *projects))
    _run_all(shared, found, output / FINDINGS_REPORT, "Findings, graded", f"Of {places}")


def robustness_cases() -> tuple[str, ...]:
    """The names of the kinds of programs that `measure_robustness` knows."""
    from ladder_bench.robustness.families import FAMILIES

    return tuple(family.name for family in FAMILIES)


def measure_robustness(
    output: Path,
    full: bool,
    names: Sequence[str],
    parts: Sequence[str],
    seeds: Sequence[int],
    souffle: Path | None,
    runs: int,
    seconds: float,
) -> Sequence[str]:
    """Measure programs on data drawn by these seeds, in these parts; return what differs from the rows of Soufflé."""
    from ladder_bench.robustness import cases, families, plans

    output.mkdir(parents=True, exist_ok=True)
    peer = Souffle.find(souffle, output / "work" / "souffle")
    shared = cases.RobustBench(
        output, full, runs, peer, None, seconds, families=tuple(families.chosen(names)), seeds=tuple(seeds)
    )
    known = {
        "scratch": Case("scratch", cases.TITLE, cases.from_scratch),
        "updates": Case("updates", cases.UPDATES, cases.updates),
        "plans": Case("plans", plans.TITLE, plans.run),
        "rows": Case("rows", cases.ROWS, cases.all_rows),
    }
    text = f"Soufflé {peer.version}" if peer else "Soufflé is not installed"
    text += f". Seeds {', '.join(map(str, seeds))}"
    _run_all(
        shared, [known[part] for part in parts], output / ROBUSTNESS_REPORT, "Programs on data drawn at random", text
    )
    return shared.wrong


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


def _run_all(shared: Bench, cases: Iterable[Case], file: Path, heading: str, peers: str) -> None:
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
    from ladder_bench.live import warmed

    yield {"cpu": warmed()}


def _run(shared: Bench, case: Case, sections: list[Section]) -> None:
    """Run one case; one that fails is told in its section."""
    sections.append(Section(case.title))
    began = time.perf_counter()
    try:
        case.run(shared, sections[-1])
    except Exception as error:  # noqa: BLE001 - the other cases are still worth measuring
        traceback.print_exc(file=sys.stderr)
        sections[-1].notes.append(f"**Failed**: {type(error).__name__}: {error}")
    sections[-1].seconds = time.perf_counter() - began
    shared.tell(f"{case.name}: done in {sections[-1].seconds:.0f} s")


def _introduction(shared: Bench, command: str, peers: str) -> str:
    size = f"{'full' if shared.full else 'small'} size"
    runs = f", medians of {shared.runs} runs" if shared.runs > 1 else ""
    return (
        f"`ladder bench {command}{' --full' if shared.full else ''}`, {time.strftime('%Y-%m-%d %H:%M')}, {size}{runs}. "
        f"Python {platform.python_version()}, {_processor()}. {peers}. "
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
