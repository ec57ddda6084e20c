"""What all analyses that look for findings cost together after each of many edits of long methods, and whether they
then find what a run from scratch finds.

    python benchmarks/together.py                             # ant, 200 edits, compared after every 20th
    python benchmarks/together.py commons-lang3 --edits 20 --compare 1
    python benchmarks/together.py path/to/project --under . --statements 3 --live

Each edit is made, the project is analysed with its state, and the edit is left in place. Printed: CPU seconds of the
first run, and the median and the most of the later ones; with --apart, of the same analyses each on its own; with
--live, of one process that stays and keeps everything in memory. Findings are compared whole: messages, places, flows,
fingerprints. A difference ends it with 1.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import click

from edits import KINDS, STATEMENTS, chosen
from ladder.frontends.java import FRONT_END
from ladder.project.files import Project
from ladder.report.findings import Findings
from ladder.report.summary import Report
from ladder.session import workspace
from ladder.session.live import Live
from ladder.session.run import Request, run
from ladder.support.collection import collect_rarely
from ladder.support.console import Console
from measure import BenchmarkError, code_base


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("name", default="ant")
@click.option("--edits", type=click.IntRange(min=len(KINDS)), default=200, show_default=True)
@click.option(
    "--compare", type=click.IntRange(min=1), default=20, show_default=True, help="Compare after so many edits."
)
@click.option("--under", default="src/main", show_default=True, help="The folder of the code base that is edited.")
@click.option(
    "--statements",
    type=click.IntRange(min=1),
    default=STATEMENTS,
    show_default=True,
    help="Edit methods with so many statements.",
)
@click.option("--seed", default=0, show_default=True)
@click.option("--apart", is_flag=True, help="Run each analysis on its own.")
@click.option("--live", is_flag=True, help="Keep everything in memory between edits.")
def main(name: str, edits: int, compare: int, under: str, statements: int, seed: int, apart: bool, live: bool) -> None:
    try:
        folder = code_base(name) / under
    except BenchmarkError as error:
        raise click.ClickException(str(error)) from error
    if not live:
        collect_rarely()  # as the command does, which ends after a run
    analyses = [[each] for each in FRONT_END.findings] if apart else [list(FRONT_END.findings)]
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "project"
        shutil.copytree(folder, root)
        with living(root) if live else opening(root, Path(scratch) / "state", analyses) as look:
            measure(root, look, analyses, edits, compare, statements, seed)


Seen = set[tuple[object, ...]]
Look = Callable[[], Seen]


def measure(
    root: Path, look: Look, analyses: Sequence[Sequence[str]], edits: int, compare: int, statements: int, seed: int
) -> None:
    """Edit the project again and again, look at its findings, and print what that cost."""
    files = {str(path.relative_to(root)): path.read_text("utf-8", "replace") for path in sorted(root.rglob("*.java"))}
    seconds, _ = timed(look)
    click.echo(f"first run: {seconds:.1f} s of CPU")
    spent: list[float] = []
    for number, edit in enumerate(chosen(files, edits, Random(seed), statements), start=1):
        (root / edit.path).write_text(edit.after, "utf-8")
        seconds, found = timed(look)
        spent.append(seconds)
        if number % compare == 0 and found != (scratch := analysed(root, None, analyses)):
            differing = sorted(map(repr, found ^ scratch))[:5]
            raise click.ClickException(
                "\n".join([f"After {number} edits, the last {edit}, other findings than from scratch:", *differing])
            )
    click.echo(f"later runs: median {statistics.median(spent):.3f} s of CPU, at most {max(spent):.2f} s")
    click.echo(f"equal to runs from scratch after every {compare} of {edits} edits")


def timed(look: Look) -> tuple[float, Seen]:
    """(CPU seconds, what is found)."""
    began = time.process_time()
    found = look()
    return time.process_time() - began, found


@contextmanager
def living(root: Path) -> Iterator[Look]:
    """Findings of analyses that stay in memory."""
    with workspace.temporary() as kept:
        sessions: list[Live] = []

        def look() -> Seen:
            if not sessions:
                sessions.append(Live(Project(root), FRONT_END.findings, kept))
                return seen(sessions[0].found)
            return seen(sessions[0].now())

        yield look


@contextmanager
def opening(root: Path, state: Path, analyses: Sequence[Sequence[str]]) -> Iterator[Look]:
    """Findings of runs that open the state of the run before, and save it."""
    yield lambda: analysed(root, state, analyses)


def seen(found: Findings) -> Seen:
    """The findings that are there, with all that is said of them but what became of them."""
    return {
        (f.rule, f.fingerprint, f.by_line, f.message, str(f.spot), f.row, f.flow, f.related, f.suppressed, f.source)
        for f in found.present
    }


def analysed(root: Path, state: Path | None, analyses: Sequence[Sequence[str]]) -> Seen:
    """The findings of a run with the state that is kept in a folder, or with none."""
    found: Seen = set()
    for names in analyses:
        project = Project(root)
        request = Request(names, keep=state is not None, extraction="local")
        with workspace.opened(project, state, print) if state else workspace.temporary() as kept:
            report: Report = run(project, request, kept, Console(quiet=True))
        found |= seen(report.findings)
    return found


if __name__ == "__main__":
    main()
