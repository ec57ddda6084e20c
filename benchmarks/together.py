"""What all analyses that look for findings cost together after each of many edits of long methods, and whether they
then find what a run from scratch finds.

    python benchmarks/together.py                             # ant, 200 edits, compared after every 20th
    python benchmarks/together.py commons-lang3 --edits 20 --compare 1

Each edit is made, the project is analysed with its state, and the edit is left in place. Printed: CPU seconds of the
first run, and the median and the most of the later ones; with --apart, of the same analyses each on its own. A
difference between fingerprints ends it with 1.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import click

from edits import KINDS, chosen
from ladder.frontends.java import FRONT_END
from ladder.project.files import Project
from ladder.report.summary import Report
from ladder.session import workspace
from ladder.session.run import Request, run
from ladder.support.console import Console
from measure import BenchmarkError, code_base


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("name", default="ant")
@click.option("--edits", type=click.IntRange(min=len(KINDS)), default=200, show_default=True)
@click.option(
    "--compare", type=click.IntRange(min=1), default=20, show_default=True, help="Compare after so many edits."
)
@click.option("--under", default="src/main", show_default=True, help="The folder of the code base that is edited.")
@click.option("--seed", default=0, show_default=True)
@click.option("--apart", is_flag=True, help="Run each analysis on its own.")
def main(name: str, edits: int, compare: int, under: str, seed: int, apart: bool) -> None:
    try:
        folder = code_base(name) / under
    except BenchmarkError as error:
        raise click.ClickException(str(error)) from error
    analyses = [[each] for each in FRONT_END.findings] if apart else [list(FRONT_END.findings)]
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "project"
        shutil.copytree(folder, root)
        measure(root, Path(scratch) / "state", analyses, edits, compare, seed)


def measure(root: Path, state: Path, analyses: Sequence[Sequence[str]], edits: int, compare: int, seed: int) -> None:
    """Edit the project again and again; print what that cost."""
    files = {str(path.relative_to(root)): path.read_text("utf-8", "replace") for path in sorted(root.rglob("*.java"))}
    seconds, _ = analysed(root, state, analyses)
    click.echo(f"first run: {seconds:.1f} s of CPU")
    spent: list[float] = []
    for number, edit in enumerate(chosen(files, edits, Random(seed)), start=1):
        (root / edit.path).write_text(edit.after, "utf-8")
        seconds, found = analysed(root, state, analyses)
        spent.append(seconds)
        if number % compare == 0 and found != analysed(root, None, analyses)[1]:
            raise click.ClickException(f"After {number} edits, the last {edit}, other findings than from scratch.")
    click.echo(f"later runs: median {statistics.median(spent):.2f} s of CPU, at most {max(spent):.2f} s")
    click.echo(f"equal to runs from scratch after every {compare} of {edits} edits")


def analysed(root: Path, state: Path | None, analyses: Sequence[Sequence[str]]) -> tuple[float, set[tuple[str, str]]]:
    """(CPU seconds, fingerprints by rule) of a run with the state that is kept in a folder, or with none."""
    seconds = 0.0
    found: set[tuple[str, str]] = set()
    for names in analyses:
        project, began = Project(root), time.process_time()
        request = Request(names, keep=state is not None, extraction="local")
        with workspace.opened(project, state, print) if state else workspace.temporary() as kept:
            report: Report = run(project, request, kept, Console(quiet=True))
        seconds += time.process_time() - began
        found |= {(f.rule, f.fingerprint) for f in report.findings.present}
    return seconds, found


if __name__ == "__main__":
    main()
