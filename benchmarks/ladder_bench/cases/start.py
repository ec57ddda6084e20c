"""A program of ten facts: process start to result, warm and on first use after installation."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from ladder.support.children import PACKAGE, python_of, safe_environment
from ladder_bench.bench import Bench
from ladder_bench.processes import Outcome, run_process
from ladder_bench.report import Check, Section

TITLE = "Start: a program of ten facts"
PROGRAM = (
    """.decl edge(x: number, y: number)
.decl path(x: number, y: number)
.output path
"""
    + "".join(f"edge({i}, {i + 1}).\n" for i in range(10))
    + """path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z).
"""
)
ROWS = 55
WARM_RUNS = 7


def run(bench: Bench, section: Section) -> None:
    section.notes.append(
        "`ladder run` of a program with ten facts, from the start of the process to its end, wall-clock seconds. "
        "First use: with empty caches, "
        "so that all kernels are compiled; the progress line is what it writes to standard error."
    )
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "ten.dl"
        program.write_text(PROGRAM)
        bench.tell("start: first use")
        first = _run(program, Path(folder) / "cache")
        bench.tell("start: warm")
        _run(program, None)
        warm = [_run(program, None) for _ in range(WARM_RUNS)]
    table = section.table("", "wall s", "CPU s", "MB", "progress")
    table.add(
        "first use", first.wall, first.cpu, first.peak >> 20, (first.errors.strip().splitlines() or ["none"])[0][:120]
    )
    table.add(
        f"warm, median of {WARM_RUNS}",
        statistics.median(o.wall for o in warm),
        statistics.median(o.cpu for o in warm),
        warm[-1].peak >> 20,
        "",
    )
    wrong = next((o.failure or f"{o.output.count(chr(10))} lines" for o in (first, *warm) if _rows(o) != ROWS), "")
    if wrong:
        section.notes.append(f"**WRONG ROWS**: {wrong}")
    section.checks += [
        Check("ten facts, process start to end, warm", statistics.median(o.wall for o in warm), 0.35, " s"),
        Check(
            "ten facts, first use after installation",
            first.wall,
            30.0,
            " s",
            note="with a progress line" if first.errors.strip() else "NO progress line",
        ),
    ]


def _run(program: Path, cache: Path | None) -> Outcome:
    environment = safe_environment()
    if cache is not None:
        environment.pop("LADDER_CACHE_DIR", None)
        environment["XDG_CACHE_HOME"] = str(cache)
    return run_process(python_of("ladder", "run", str(program), "-D", "-"), 300, environment, PACKAGE)


def _rows(outcome: Outcome) -> int:
    """Lines of the result that are rows of two numbers."""
    return sum(
        len(cells := line.split()) == 2 and all(cell.isdigit() for cell in cells)
        for line in outcome.output.splitlines()
    )
