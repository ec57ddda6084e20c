"""Measures Soufflé beside Ladder: programs are compiled once to C++ and a binary, then run on fact files."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from ladder_bench.processes import Outcome, run_process

COMPILE_LIMIT = 600.0


@dataclass(frozen=True)
class Binary:
    """A compiled program; `seconds`: CPU time that its compilation took."""

    path: Path
    seconds: float
    failure: str = ""


@dataclass(frozen=True)
class Souffle:
    """An installed Soufflé; binaries are kept below `folder`, by content of the program."""

    path: Path
    version: str
    folder: Path

    @staticmethod
    def find(given: Path | None, folder: Path) -> Souffle | None:
        """The one that is named, or on PATH; None where there is none."""
        path = shutil.which(str(given) if given else "souffle")
        if path is None:
            return None
        version = run_process([path, "--version"], 60).output
        found = re.search(r"Version: *(\S+)", version)
        return Souffle(Path(path).resolve(), found[1] if found else "of unknown version", folder)

    def compile(self, program: Path) -> Binary:
        """The binary of a program, compiled unless that has been done."""
        key = hashlib.sha256(program.read_bytes() + self.version.encode()).hexdigest()[:12]
        binary = self.folder / f"{program.stem}-{key}"
        costs = binary.with_suffix(".json")
        if not costs.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            outcome = run_process([str(self.path), "-w", "-o", str(binary), str(program)], COMPILE_LIMIT)
            if outcome.failure or not binary.exists():
                return Binary(binary, outcome.cpu, outcome.failure or "failed: no binary was made")
            costs.write_text(json.dumps({"seconds": outcome.cpu}))
        return Binary(binary, json.loads(costs.read_text())["seconds"])

    @staticmethod
    def run(binary: Binary, facts: Path, limit: float) -> Outcome:
        """Run with one thread; only sizes of relations are written."""
        return run_process([str(binary.path), "-j1", "-F", str(facts)], limit, {**os.environ, "OMP_NUM_THREADS": "1"})


def sizes(output: str) -> dict[str, int]:
    """relation TAB rows, a line each → rows by relation."""
    pairs = (line.split("\t") for line in output.splitlines() if line.count("\t") == 1)
    return {name: int(rows) for name, rows in pairs}
