"""A saved state of many rows: saved, opened by another process, changed a little, saved again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ladder.api.database import Database
from ladder.support.limits import memory_in_use
from ladder_bench import live
from ladder_bench.bench import PROGRAMS, Bench
from ladder_bench.report import Check, Section
from ladder_bench.workloads import Workload, facts_of

TITLE = "A saved state of 10 M rows"
LIMIT = 200.0
OPENED = 0.3


def run(bench: Bench, section: Section) -> None:
    vertices = bench.size(1000, 3175)
    workload = Workload("state", f"closure, dense: {vertices:,} vertices", "closure", "dense_graph", (vertices,))
    facts, folder = facts_of(bench, workload), bench.work / "state"
    shutil.rmtree(folder, ignore_errors=True)
    saved = bench.measure(save, LIMIT, facts=str(facts), folder=str(folder))
    opened = bench.measure(reopen, LIMIT, folder=str(folder), vertices=vertices)
    again = bench.measure(reopen, LIMIT, folder=str(folder), vertices=vertices)
    table = section.table("step", "wall s", "CPU s", "rows", "bytes on disk or written", "MB held")
    for step, measured in (
        ("saved after the bootstrap", saved),
        ("opened by another process", opened),
        ("… a fact inserted", opened),
        ("… saved", opened),
        ("opened with that change", again),
    ):
        line = next((line for line in measured.lines if line["step"] == step.removeprefix("… ")), {})
        if step == "opened with that change":
            line = next(iter(measured.lines), {})
        table.add(
            step,
            line.get("wall", measured.failure),
            line.get("cpu"),
            line.get("rows"),
            line.get("written"),
            line.get("held", 0) >> 20 or None,
        )
    rows = (saved.last.get("rows", 0), [m.lines[0]["rows"] for m in (opened, again) if m.lines])
    section.notes.append(
        "Opening maps files: rows are read when they are needed. "
        "Wall-clock seconds of `Database.open`, the program read before."
    )
    first = opened.lines[0]["wall"] if opened.lines else None
    section.checks.append(
        Check(f"a state of {rows[0]:,} rows opened", first, OPENED, " s", note=opened.failure or saved.failure)
    )
    if rows[1] != [rows[0], rows[0] + 1]:
        section.notes.append(
            f"**WRONG ROWS**: {rows[0]:,} saved, then {rows[1]} opened; one more is expected the second time"
        )
    shutil.rmtree(folder, ignore_errors=True)


def save(facts: str, folder: str) -> Iterator[dict[str, Any]]:
    """Evaluate and save."""
    live.warmed()
    database = live.loaded(live.program_of(str(PROGRAMS / "closure.dl")), facts)
    database.bootstrap({})
    database._ready().prepare_updates()
    clock = live.Clock()
    database.save(folder)
    yield {
        "step": "saved after the bootstrap",
        **clock.lap(),
        "rows": len(database["path"]),
        "written": _size(folder),
        "held": memory_in_use(),
    }


def reopen(folder: str, vertices: int) -> Iterator[dict[str, Any]]:
    """Open, insert an edge that leads nowhere, save."""
    live.warmed()
    program = live.program_of(str(PROGRAMS / "closure.dl"))
    clock = live.Clock()
    database = Database.open(folder, program)
    spent, held = clock.lap(), memory_in_use()
    yield {"step": "opened by another process", **spent, "rows": len(database["path"]), "held": held}
    line = live.timed(lambda: database.update(insert={"edge": [(vertices + 1, vertices + 2)]}))
    yield {
        "step": "a fact inserted",
        "wall": line["wall"],
        "cpu": line["cpu"],
        "rows": len(database["path"]),
        "held": memory_in_use(),
    }
    before, clock = _size(folder), live.Clock()
    database.save(folder)
    yield {
        "step": "saved",
        **clock.lap(),
        "rows": len(database["path"]),
        "written": _size(folder) - before,
        "held": memory_in_use(),
    }


def _size(folder: str) -> int:
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
