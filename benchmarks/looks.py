"""What a look at a saved result costs, from the start of the process to its end: why a finding is there, all that it
rests on, rows of a relation.

    python benchmarks/looks.py                        # ant, nine looks of each kind
    python benchmarks/looks.py path/to/jsoup --under . --looks 3
    python benchmarks/looks.py ant --state DIR        # of a state that is kept, or was by a run before

The result is that of all analyses which look for findings together; looked at are findings of every rule in turn, drawn
at random. Printed: the median and the most of wall and CPU seconds, and the most memory that a look had.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import click

from ladder.api.program import Program
from ladder.frontends.java import FRONT_END
from ladder_bench.processes import Outcome, run_process
from measure import ROOT, BenchmarkError, code_base, median, save, table

RELATIONS = ("PhantomClass", "VarPointsTo")  # a small and a large one
LIMIT = 3600.0  # seconds
Looks = dict[str, list[Outcome]]


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("name", default="ant")
@click.option("--under", default="src/main", show_default=True, help="The folder of the code base that is analysed.")
@click.option("--looks", type=click.IntRange(min=1), default=9, show_default=True, help="So many of each kind.")
@click.option("--seed", default=0, show_default=True)
@click.option("--state", type=click.Path(path_type=Path, file_okay=False), help="Keep the state here, or find it here.")
@click.option("--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for the single looks.")
def main(name: str, under: str, looks: int, seed: int, state: Path | None, output: Path | None) -> None:
    try:
        project = code_base(name) / under
        with tempfile.TemporaryDirectory() as scratch:
            root = project if state else Path(scratch) / "project"
            if not state:
                shutil.copytree(project, root)
            measured = measure(root, state or Path(scratch) / "state", looks, seed)
    except BenchmarkError as error:
        raise click.ClickException(str(error)) from error
    header = ("look", "wall, median", "most", "CPU, median", "most", "MB")
    click.echo(table(header, [_row(kind, of) for kind, of in measured.items()]))
    save(output, {kind: [[look.wall, look.cpu, look.peak] for look in of] for kind, of in measured.items()})


def _row(kind: str, looks: Sequence[Outcome]) -> tuple[object, ...]:
    walls, cpus = [look.wall for look in looks], [look.cpu for look in looks]
    return kind, median(walls), max(walls), median(cpus), max(cpus), max(look.peak for look in looks) >> 20


def measure(root: Path, state: Path, looks: int, seed: int) -> Looks:
    """Analyse a project, or bring its result up to date, and look at what was found."""
    found = json.loads(ladder("analyze", root, state, "--quiet", "--format", "json").output)
    drawn = list(chosen([f for f in found["findings"] if f["line"]], Random(seed), looks))
    if not drawn:
        raise BenchmarkError(f"nothing is found in {root}")
    measured: Looks = {}
    for number in range(looks):
        for kind, (command, *rest) in kinds(drawn[number % len(drawn)]):
            measured.setdefault(kind, []).append(ladder(command, root, state, *rest))
    return measured


def chosen(found: Sequence[dict[str, Any]], random: Random, number: int) -> Iterator[dict[str, Any]]:
    """So many findings, of every rule in turn."""
    rules = sorted({one["rule"] for one in found})
    for turn in range(min(number, len(found))):
        yield random.choice([one for one in found if one["rule"] == rules[turn % len(rules)]])


def kinds(finding: dict[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The looks at a finding, and at relations: what they are called; the command, and its arguments."""
    analysis = next(name for name in FRONT_END.findings if finding["relation"] in _relations(name))
    explain = ("explain", finding["rule"], f"{finding['path']}:{finding['line']}", "--analysis", analysis)
    yield "explain of a finding", explain
    yield "explain --full", (*explain, "--full")
    for relation in RELATIONS:
        yield f"show {relation}", ("show", relation, "--analysis", "dead")


@cache
def _relations(analysis: str) -> frozenset[str]:
    """The relations that an analysis has findings in."""
    program = Program.load(FRONT_END.analyses / f"{analysis}.dl")
    return frozenset(finding.relation for finding in program.core.findings)


def ladder(command: object, root: object, state: object, *rest: object) -> Outcome:
    """Run a command on a project with a state."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))}
    arguments = [sys.executable, "-m", "ladder", *map(str, (command, root, *rest, "--state", state))]
    outcome = run_process(arguments, LIMIT, environment)
    if outcome.failure:
        raise BenchmarkError(f"{' '.join(arguments[1:])} {outcome.failure}\n{outcome.errors[-3000:]}")
    return outcome


if __name__ == "__main__":
    main()
