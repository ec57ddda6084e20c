"""What measurements do in a process of their own: open a database on fact files, draw random facts, tell times and
memory."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.api.rows import Delta
from ladder.engine.backend import Capability
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.warm import compile_kernels
from ladder.language.normalise.needed import needed
from ladder_bench.bench import PROGRAMS
from ladder_bench.processes import peak_of

Row = tuple[Any, ...]
Change = Mapping[str, Sequence[Row]]


class Clock:
    """CPU and wall-clock seconds of this process since the last look."""

    def __init__(self) -> None:
        self.cpu, self.wall = time.process_time(), time.perf_counter()

    def lap(self) -> dict[str, float]:
        cpu, wall = time.process_time(), time.perf_counter()
        spent = {"cpu": cpu - self.cpu, "wall": wall - self.wall}
        self.cpu, self.wall = cpu, wall
        return spent


def timed(update: Callable[[], Delta]) -> dict[str, Any]:
    """What one transaction took and did: CPU and wall seconds, rows that came and went, update or bootstrap."""
    clock = Clock()
    delta = update()
    return {**clock.lap(), "impact": delta.impact, "mode": delta.mode, "timings": dict(delta.timings)}


def program_of(path: str) -> Program:
    """A program, with what its results need alone, as `ladder run` evaluates it."""
    program = Program.load(path)
    return replace(program, core=needed(program.core))


def warmed() -> float:
    """Load the kernels and what reads facts; the CPU seconds since the process began."""
    compile_kernels()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "edge.facts").write_text("1\t2\n2\t3\n")
        database = Database(program_of(str(PROGRAMS / "closure.dl")))
        database.load(folder)
        row_counts(database)
    return time.process_time()


def peak_bytes() -> int:
    return peak_of("self")


def row_counts(database: Database) -> dict[str, int]:
    """Rows of the relations that the program tells the size of."""
    names = dict.fromkeys(d.relation for d in database.program.core.directives if d.kind == "printsize")
    return {name: len(database[name]) for name in names}


def loaded(program: Program, facts: str, **options: Any) -> Database:
    """A database with the facts of a folder, not evaluated yet."""
    database = Database(program, **options)
    database.load(facts)
    return database


class AssertedFacts:
    """The asserted facts of a database, from which random ones are drawn."""

    def __init__(self, database: Database, seed: int = 5) -> None:
        self.source = np.random.default_rng(seed)
        names = dict.fromkeys(d.relation for d in database.program.core.directives if d.kind == "input")
        self.rows: dict[str, Any] = dict(database._able(Capability.FACTS).facts(names))
        self.cells = {name: rows.cells for name, rows in self.rows.items()}
        self.ends = np.cumsum([len(cells) for cells in self.cells.values()])

    def __len__(self) -> int:
        return int(self.ends[-1])

    def draw(self, count: int) -> Change:
        """Different facts at random, all equally likely, as rows of Python values by relation."""
        chosen = np.sort(self.source.choice(len(self), count, replace=False))
        change, begin = {}, 0
        for (name, cells), end in zip(self.cells.items(), self.ends, strict=True):
            picked = chosen[(begin <= chosen) & (chosen < end)] - begin
            if len(picked):
                change[name] = list(self.rows[name].of(cells[picked]).values())
            begin = int(end)
        return change


def changeable(program: str, facts: str) -> tuple[Database, AssertedFacts, dict[str, Any]]:
    """(a database that has its rows and, from a first change, its plans of updates; the facts to change; what the
    bootstrap took)."""
    warmed()
    database = loaded(program_of(program), facts)
    clock = Clock()
    database.bootstrap({})
    took = clock.lap()
    asserted = AssertedFacts(database)
    change = asserted.draw(1)
    database.update(delete=change), database.update(insert=change)  # plans of updates, and their indexes
    return database, asserted, took


def single_changes(
    engine: LocalEngine, facts: Mapping[str, npt.NDArray[np.int32]], names: Sequence[str], count: int
) -> dict[str, float]:
    """Percentiles, in CPU milliseconds, of deleting or inserting again one random fact of these relations, by the
    engine alone."""
    source, sizes = np.random.default_rng(5), np.array([len(facts[name]) for name in names])
    engine.rehearse()
    clock, spent = Clock(), []
    for turn in range(-3, count):
        name = names[source.choice(len(names), p=sizes / sizes.sum())]
        change = {name: facts[name][source.integers(len(facts[name]))][None]}
        for deleted, inserted in ((change, {}), ({}, change)):
            clock.lap()
            engine.update(deleted, inserted)
            engine.finish()
            if turn >= 0:
                spent.append(1e3 * clock.lap()["cpu"])
    return dict(zip(("p50", "p99"), np.percentile(spent, [50, 99]).tolist(), strict=True))
