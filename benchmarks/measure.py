"""Runs `analyze` as its users do, in a process of its own, and measures time and memory from outside."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
CORPORA = ROOT / "corpora"
FETCHED = CORPORA / "fetched"
SAMPLING = 0.05  # seconds between two looks at the processes' memory
COMMAND = (sys.executable, "-c", "import sys; from ladder.cli import analyze_main; sys.exit(analyze_main())")

sys.path.insert(0, str(CORPORA))


class BenchmarkError(Exception):
    """A measurement cannot be made; the message says why."""


@dataclass(frozen=True)
class Run:
    """One finished run.

    seconds: from the start of the process to its end. cpu: seconds of processor time of all its processes. peak: most
    bytes that the process and its descendants held together at a time (proportional share of shared pages, sampled).
    commands: names of the programs that ran.
    """

    seconds: float
    cpu: float
    peak: int
    commands: frozenset[str]
    summary: Mapping[str, Any]

    @property
    def delta(self) -> Mapping[str, Mapping[str, int]]:
        """Table → how many rows came and went; tables without a change are left out."""
        return {name: counts for name, counts in self.summary.get("delta", {}).items() if any(counts.values())}


def analyze(project: Path, analysis: str, *options: str) -> Run:
    """Runs `analyze project --analysis …`, or without `--analysis` where none is named; its summary is read as JSON."""
    chosen = ["--analysis", analysis] if analysis else []
    return _run([str(project), *chosen, "--format", "json", "--quiet", *options], _summary)


def analyze_tables(project: Path, analysis: str, output: Path, *options: str) -> Run:
    """Runs `analyze` once, with nothing kept, and has all result tables written as CSV."""
    arguments = ["--no-state", "--format", "csv", "--output", str(output), "--quiet", *options]
    return _run([str(project), "--analysis", analysis, *arguments], lambda text: {"text": text})


def _summary(text: str) -> dict[str, Any]:
    """What `analyze` of one analysis prints as JSON, with what it says of the analysis beside the rest."""
    summary = json.loads(text)
    return {**summary, **summary["analyses"][0]}


def _run(arguments: Sequence[str], read: Callable[[str], Mapping[str, Any]]) -> Run:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))}
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as complaints:
        started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen([*COMMAND, *arguments], stdout=out, stderr=complaints, env=environment)
        watch = Watch(process.pid)
        code = process.wait()
        seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        peak, commands = watch.stop()
        out.seek(0)
        complaints.seek(0)
        if code != 0:
            raise BenchmarkError(f"analyze {' '.join(arguments)} ended with {code}:\n{complaints.read()[-3000:]}")
        return Run(seconds, cpu, peak, commands, read(out.read()))


class Watch:
    """Looks at a process and its descendants until it is stopped (Linux only; elsewhere it sees nothing)."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._peak = 0
        self._commands: set[str] = set()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> tuple[int, frozenset[str]]:
        """Most bytes held at a time, and the names of the programs seen."""
        self._done.set()
        self._thread.join()
        return self._peak, frozenset(self._commands)

    def _watch(self) -> None:
        while not self._done.wait(SAMPLING):
            family = list(descendants(self._pid))
            self._commands.update(filter(None, (_read(f"/proc/{pid}/comm").strip() for pid in family)))
            self._peak = max(self._peak, sum(map(proportional_size, family)))


def descendants(pid: int) -> Iterable[int]:
    """A process and all that it started, directly or not."""
    yield pid
    for child in _read(f"/proc/{pid}/task/{pid}/children").split():
        yield from descendants(int(child))


def proportional_size(pid: int) -> int:
    """Bytes of memory of a process, pages that several share divided among them; 0 when it is gone."""
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:  # the process ended meanwhile
        return ""


def code_base(name: str) -> Path:
    """The folder of the sample or of a fetched code base, or one that is named by its path; `cordova-android` is its
    newest version."""
    if os.sep in name and Path(name).is_dir():
        return Path(name)
    if name == "bookshop":
        return CORPORA / "bookshop"
    folder = FETCHED / name
    if not folder.is_dir():
        raise BenchmarkError(f"{name} is not there; run: python corpora/fetch.py {name}")
    if name == "cordova-android":
        from fetch import version_folders

        return version_folders(folder)[-1]
    return folder


def median(values: Iterable[float]) -> float:
    return statistics.median(list(values))


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown; numbers to the right."""
    cells = [
        [
            f"{cell:,.2f}" if isinstance(cell, float) else f"{cell:,}" if isinstance(cell, int) else str(cell)
            for cell in row
        ]
        for row in rows
    ]
    lines = [
        "| " + " | ".join(header) + " |",
        "|" + "|".join("---" if i == 0 else "---:" for i in range(len(header))) + "|",
    ]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in cells])


def save(path: Path | None, measured: object) -> None:
    """Writes what was measured as JSON, if a path is given."""
    if path is not None:
        path.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
