"""What constants and intervals find in code bases, and what updates cost when literals change.

python benchmarks/values.py                            # what corpora/fetch.py fetched
python benchmarks/values.py ant ~/src/mine --changes 500 --json values.json

Every code base is analysed in a process of its own. Then numeric literals, drawn at random, are set to 0 one after the
other, and back: each is an update of the database in memory, timed from the call to its return.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from measure import FETCHED, ROOT, BenchmarkError, save, table

NAMES = ("antlr", "jsoup", "commons-lang3", "ant")
ANALYSES = {"constprop": "ConstantAfter", "interval": "IntervalAfter"}  # analysis → the relation of its values
LITERALS = {"AssignNumConstant": 1, "AssignOperFromConstant": 2, "IfConstant": 2}  # relation → column of the literal
TYPES = {"byte", "short", "char", "int", "long"}


@click.command(help=(__doc__ or "").replace("\n\n", "\n\n\b\n", 1))
@click.argument("projects", nargs=-1)
@click.option("--analysis", "analyses", multiple=True, type=click.Choice([*ANALYSES]), default=[*ANALYSES])
@click.option("--entry", type=click.Choice(["main", "public", "all"]), default="public", show_default=True)
@click.option("--changes", type=click.IntRange(min=1), default=300, show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Threads of the engine.")
@click.option("--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for the figures.")
def main(
    projects: tuple[str, ...],
    analyses: tuple[str, ...],
    entry: str,
    changes: int,
    seed: int,
    jobs: int,
    output: Path | None,
) -> None:
    measured: list[dict[str, Any]] = []
    try:
        for name in projects or [name for name in NAMES if (FETCHED / name).is_dir()]:
            for analysis in analyses:
                measured.append(measure(name, analysis, entry, changes, seed, jobs))
                save(output, measured)
    except BenchmarkError as error:
        raise click.ClickException(str(error)) from error
    click.echo(results(measured))
    click.echo()
    click.echo(costs(measured))


def measure(name: str, analysis: str, entry: str, changes: int, seed: int, jobs: int) -> dict[str, Any]:
    """What a process of its own measured."""
    project = FETCHED / name if (FETCHED / name).is_dir() else Path(name)
    program = (
        f"import sys; sys.path[:0] = {[str(ROOT), str(ROOT / 'benchmarks')]!r}; "
        "import values; values.child(*sys.argv[1:])"
    )
    arguments = [str(project.resolve()), analysis, entry, str(changes), str(seed), str(jobs)]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-P", "-c", program, folder, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchmarkError(f"{analysis} of {name} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    return {"project": project.name, **json.loads(done.stdout)}


def child(folder: str, project: str, analysis: str, entry: str, changes: str, seed: str, jobs: str) -> None:
    """One process: an analysis, then updates; what it found and took as a line of JSON."""
    from ladder.project.files import Project
    from ladder.session.analyze import Options, bootstrapped, load
    from ladder.session.facts import Facts
    from ladder.session.workspace import Workspace
    from ladder.support.console import Console

    state = Path(folder) / "state"
    state.mkdir(mode=0o700)
    console = Console(quiet=True)
    facts = Facts(Project(Path(project)), Workspace(state), console, "local", int(jobs))
    options = Options(entry, facts.front_end.models(()), database={"jobs": int(jobs)})
    db = bootstrapped(analysis, load(analysis, facts.front_end), options, facts, facts.of(facts.now()), console).db
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    seconds, processor, modes = [], [], set()
    for relation, old, new in edits(db, int(changes) + 1, random.Random(int(seed))):
        for gone, come in ((old, new), (new, old)):
            began, began_cpu = time.perf_counter(), time.process_time()
            delta = db.update(insert={relation: [come]}, delete={relation: [gone]})
            seconds.append(time.perf_counter() - began)
            processor.append(time.process_time() - began_cpu)
            modes.add(delta.mode)
    del seconds[:2], processor[:2]  # the first change loads the kernels of updates
    counted = {name: len(db[name]) for name in (*ANALYSES.values(), "DecidedBranch", "If") if name in db.relations}
    found = {"analysis": analysis, "bootstrap": db.bootstrap_seconds, "peak": peak, "rows": counted}
    print(
        json.dumps(
            {**found, "unreachable": unreachable(db), "updates": seconds, "cpu": processor, "modes": sorted(modes)}
        )
    )


def unreachable(db: Any) -> int | None:
    return len(db["UnreachableInstruction"]) if "UnreachableInstruction" in db.relations else None


def edits(db: Any, count: int, source: random.Random) -> Iterator[tuple[str, tuple[Any, ...], tuple[Any, ...]]]:
    """(relation, fact, the fact with 0 as its literal) for literals drawn at random."""
    candidates = [
        (relation, tuple(row), column)
        for relation, column in LITERALS.items()
        for row in sorted(db[relation])
        if row[column] != "0" and row[column + 1] in TYPES
    ]
    for relation, row, column in source.sample(candidates, min(count, len(candidates))):
        yield relation, row, (*row[:column], "0", *row[column + 1 :])


def results(measured: Sequence[dict[str, Any]]) -> str:
    header = ("code base", "analysis", "rows with values", "branches", "decided", "unreachable instructions")
    return table(header, [_found(one) for one in measured])


def _found(one: dict[str, Any]) -> list[object]:
    rows = one["rows"]
    told = rows[ANALYSES[one["analysis"]]], rows["If"], rows.get("DecidedBranch", "?"), one["unreachable"]
    return [one["project"], one["analysis"], *("?" if value is None else value for value in told)]


def costs(measured: Sequence[dict[str, Any]]) -> str:
    header = (
        "code base",
        "analysis",
        "bootstrap, s",
        "peak, MB",
        "updates",
        "p50, ms",
        "p99, ms",
        "most, ms",
        "CPU p99, ms",
    )
    rows: list[list[object]] = []
    for one in measured:
        times = [quantile(one["updates"], share) for share in (0.5, 0.99, 1.0)] + [quantile(one["cpu"], 0.99)]
        size = one["bootstrap"], one["peak"] // 2**20, len(one["updates"])
        rows.append([one["project"], one["analysis"], *size, *(1000 * seconds for seconds in times)])
    return table(header, rows)


def quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


if __name__ == "__main__":
    main()
