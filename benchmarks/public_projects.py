"""Runs every analysis under every entry policy with 1, 2, 3 and 7 threads, twice each, over public projects; all rows
must be the same.

python benchmarks/public_projects.py                        # those of corpora/fetch.py that are there
python benchmarks/public_projects.py jsoup ~/src/mine --budget 600
python benchmarks/public_projects.py jsoup --analysis pointsto --entry public

Facts are extracted once. Each analysis then runs in a process of its own for each number of threads, so that a crash is
one line of the report: the process' signal, and in which policy and repetition it came. Ends with 1 if anything crashed
or differs.
"""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from measure import FETCHED, ROOT, save, table

NAMES = (
    "commons-csv",
    "args4j",
    "jcommander",
    "commons-codec",
    "jsoup",
    "junit4",
    "antlr",
    "commons-io",
    "commons-lang3",
    "joda-time",
    "commons-collections4",
    "ant",
    "guava",
)
ANALYSES = ("pointsto", "nulls", "kupdate1", "kupdate5", "constprop", "interval", "linking")
POLICIES = ("public", "all", "main", "tests", "frameworks", "auto")
THREADS = (1, 2, 3, 7)
REPETITIONS = 2
SECONDS = 1800  # of one process, after which it is stopped and counted as failed


@dataclass
class Found:
    """What the runs of one project found: how many there were, relations' rows by (analysis, policy), what
    went wrong."""

    files: int = 0
    runs: int = 0
    seconds: float = 0.0
    rows: dict[tuple[str, str], int] = field(default_factory=dict)
    expected: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


@click.command(help=(__doc__ or "").replace("\n\n", "\n\n\b\n"))
@click.argument("projects", nargs=-1)
@click.option("--analysis", "analyses", multiple=True, default=ANALYSES)
@click.option("--entry", "policies", multiple=True, default=POLICIES)
@click.option("--threads", multiple=True, type=int, default=THREADS)
@click.option("--repetitions", type=click.IntRange(min=1), default=REPETITIONS, show_default=True)
@click.option("--budget", type=float, help="Seconds after which no further process is started.")
@click.option("--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for the figures.")
def main(
    projects: tuple[str, ...],
    analyses: tuple[str, ...],
    policies: tuple[str, ...],
    threads: tuple[int, ...],
    repetitions: int,
    budget: float | None,
    output: Path | None,
) -> None:
    until = time.monotonic() + budget if budget else float("inf")
    found: dict[str, Found] = {}
    for name in projects or [name for name in NAMES if (FETCHED / name).is_dir()]:
        if time.monotonic() < until:
            found[Path(name).name] = compare(project_folder(name), analyses, policies, threads, until, repetitions)
            click.echo(report({Path(name).name: found[Path(name).name]}), err=True)
            save(output, {name: vars_of(one) for name, one in found.items()})
    click.echo(report(found))
    for name, one in found.items():
        for wrong in one.wrong:
            click.echo(f"{name}: {wrong}")
    sys.exit(any(one.wrong for one in found.values()))


def project_folder(name: str) -> Path:
    """A fetched code base, or any folder."""
    return FETCHED / name if (FETCHED / name).is_dir() else Path(name)


def compare(
    project: Path,
    analyses: Sequence[str],
    policies: Sequence[str],
    threads: Sequence[int],
    until: float = float("inf"),
    repetitions: int = REPETITIONS,
) -> Found:
    """All runs of one project; what each said is compared with the first of its analysis and policy."""
    found, began = Found(), time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "state"
        folder.mkdir(mode=0o700)
        for line in _child(project, folder, "extract", (), 2, 1, found):
            found.files = line["files"]
        for analysis in analyses if found.files else ():
            for jobs in threads:
                if time.monotonic() > until:
                    break
                for line in _child(project, folder, analysis, policies, jobs, repetitions, found):
                    _note(found, analysis, jobs, line)
    found.seconds = time.monotonic() - began
    return found


def _note(found: Found, analysis: str, jobs: int, line: dict[str, Any]) -> None:
    key = analysis, line["entry"]
    found.runs += 1
    found.rows[key] = sum(rows for rows, _ in line["relations"].values())
    expected = found.expected.setdefault(key, line["relations"])
    differing = sorted(
        name for name in expected.keys() | line["relations"].keys() if expected.get(name) != line["relations"].get(name)
    )
    if differing:
        found.wrong.append(
            f"{analysis} --entry {line['entry']} -j {jobs}, run {line['run']}: {', '.join(differing[:5])} differ from "
            "the first run"
        )


def _child(
    project: Path, folder: Path, analysis: str, policies: Sequence[str], jobs: int, repetitions: int, found: Found
) -> Iterator[dict[str, Any]]:
    """The lines that one process wrote; if it did not end well, that is noted."""
    arguments = [str(project.resolve()), str(folder), analysis, ",".join(policies), str(jobs), str(repetitions)]
    program = (
        f"import sys; sys.path[:0] = {[str(ROOT), str(ROOT / 'benchmarks')]!r}; "
        "import public_projects; public_projects.child(*sys.argv[1:])"
    )
    command = [sys.executable, "-P", "-c", program, *arguments]
    try:
        done = subprocess.run(command, cwd=folder.parent, capture_output=True, text=True, check=False, timeout=SECONDS)
        code, out, complaints = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired as late:
        code, out, complaints = -signal.SIGKILL, (late.stdout or b"").decode(), f"more than {SECONDS} s"
    lines = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    if code:
        how = signal.Signals(-code).name if code < 0 else f"exit {code}"
        found.wrong.append(f"{analysis} -j {jobs}: {how} after {len(lines)} runs: {complaints.strip()[-400:]}")
    yield from lines


def child(project: str, folder: str, analysis: str, policies: str, jobs: str, repetitions: str) -> None:
    """One process: the facts, or an analysis under each policy, repeatedly; a line of JSON for each run."""
    import faulthandler

    from ladder.frontends.registry import libraries_of
    from ladder.project.files import Project
    from ladder.session.analyze import Options, bootstrapped, load, with_resources
    from ladder.session.class_path import no_rows
    from ladder.session.facts import Facts
    from ladder.session.workspace import Workspace
    from ladder.support.console import Console

    faulthandler.enable()
    console = Console(quiet=True)
    facts = Facts(Project(Path(project)), Workspace(Path(folder)), console, "local", int(jobs))
    files = facts.of(facts.now())
    if analysis == "extract":
        print(json.dumps({"files": len(files.active)}), flush=True)
        return
    program = load(analysis, facts.front_end)
    models = with_resources(facts.front_end.models(()), facts.project, "strings")
    class_path = no_rows(libraries_of(facts.front_end))
    for entry in policies.split(","):
        for run in range(1, int(repetitions) + 1):
            options = Options(entry, models, class_path=class_path, database={"jobs": int(jobs)})
            outcome = bootstrapped(analysis, program, options, facts, files, console)
            relations = {name: digest(outcome.db[name]) for name in sorted(program.outputs)}
            print(json.dumps({"entry": entry, "run": run, "relations": relations}), flush=True)


def digest(rows: Any) -> tuple[int, str]:
    """How many rows a relation has, and a hash of them that does not depend on their order."""
    total = sum(
        int.from_bytes(
            hashlib.blake2b(repr([in_order(value) for value in row]).encode(), digest_size=16).digest(), "big"
        )
        for row in rows
    )
    return len(rows), f"{total & (1 << 128) - 1:032x}"


def in_order(value: Any) -> Any:
    """A value whose text is the same in all processes: that of a set is not."""
    if isinstance(value, frozenset):
        return sorted(repr(in_order(part)) for part in value)
    return tuple(map(in_order, value)) if isinstance(value, tuple) else value


def report(found: dict[str, Found]) -> str:
    rows = [
        [name, one.files, one.runs, max(one.rows.values(), default=0), round(one.seconds), len(one.wrong)]
        for name, one in found.items()
    ]
    return table(["project", "Java files", "runs", "most rows of a run", "seconds", "wrong"], rows)


def vars_of(one: Found) -> dict[str, Any]:
    return {
        "files": one.files,
        "runs": one.runs,
        "seconds": one.seconds,
        "wrong": one.wrong,
        "rows": {f"{analysis} {entry}": rows for (analysis, entry), rows in one.rows.items()},
    }


if __name__ == "__main__":
    main()
