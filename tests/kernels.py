"""Compiling the kernels of the comparison strategies beside the first tests: `python -m tests.kernels`.

Each process of tests would compile them for itself when it comes to the first test that asks for one. One process
compiles all, since what numba infers of the functions that they share is three tenths of the work.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from ladder import Database, Program

ROOT = Path(__file__).parent.parent
STRATEGIES = "counting", "dred"  # the others are made of the kernels of these two and of the default's
TEXT = """\
.decl edge(x: number, y: number)
.input edge
.decl hidden(x: number)
.input hidden
.decl path(x: number, y: number)
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), edge(y, z), !hidden(x).
.decl reached(x: number, many: number)
reached(x, many) :- edge(x, _), many = count : { path(x, _) }.
"""


def start_compiling() -> subprocess.Popen[bytes]:
    """A process that compiles for all of the strategies."""
    return subprocess.Popen(
        [sys.executable, "-m", __name__], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def compile_strategy(name: str) -> None:
    """Evaluate and change a small program by a strategy."""
    db = Database(Program.parse(TEXT), strategy=name, switch=None)
    db.bootstrap({"edge": [(i, i + 1) for i in range(20)], "hidden": [(3,)]})
    db.update(insert={"edge": [(3, 1)], "hidden": [(5,)]}, delete={"edge": [(4, 5)], "hidden": [(3,)]})


if __name__ == "__main__":
    for strategy in STRATEGIES:
        compile_strategy(strategy)
