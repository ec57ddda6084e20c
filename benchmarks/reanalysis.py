"""Changes one method body of a code base and measures the run that reports it, process start to printed delta.

    python benchmarks/reanalysis.py                        # ant, five changes
    python benchmarks/reanalysis.py antlr --changes 9 --verify
    python benchmarks/reanalysis.py path/to/ant --analysis findings   # all that look for findings, together

Also checks that a change of whitespace alone gives an empty delta, and that a few changed files start no Java machine.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from measure import BenchmarkError, Run, analyze, code_base, median, save, table

if TYPE_CHECKING:
    from mutate import Edit

PRODUCT = {"ant": "src/main", "commons-lang3": "src/main", "antlr": "antlr"}  # folders of what is no test
BODY = ("insert-allocation", "insert-assignment", "insert-call", "delete-statement", "negate-condition")


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("name", default="ant")
@click.option("--analysis", default="pointsto", show_default=True)
@click.option("--entry", type=click.Choice(["auto", "main", "public", "all"]), default="main", show_default=True)
@click.option("--changes", type=click.IntRange(min=1), default=5, show_default=True)
@click.option(
    "--verify", is_flag=True, help="Have every result compared with one from scratch; the times then mean nothing."
)
@click.option(
    "--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for the single measurements."
)
def main(name: str, analysis: str, entry: str, changes: int, verify: bool, output: Path | None) -> None:
    options = ["--entry", entry, *(["--verify"] if verify else [])]
    try:
        with tempfile.TemporaryDirectory() as folder:
            full, runs, blank = measure(
                code_base(name),
                Path(folder) / "project",
                "" if analysis == "findings" else analysis,
                options,
                changes,
                PRODUCT.get(Path(name).name, ""),
            )
    except BenchmarkError as error:
        raise click.ClickException(str(error)) from error
    click.echo(
        table(
            ("change", "seconds", "CPU seconds", "rows came", "rows went", "mode"),
            [(str(edit), run.seconds, run.cpu, *came_and_went(run), str(run.summary["mode"])) for edit, run in runs],
        )
    )
    middle = median(run.seconds for _, run in runs)
    click.echo(
        f"\nfull run {full.seconds:.2f} s ({full.cpu:.2f} s of CPU, {full.peak >> 20} MB); one changed body "
        f"{middle:.2f} s ({median(run.cpu for _, run in runs):.2f} s of CPU; medians of {len(runs)}), "
        f"1/{full.seconds / middle:.0f} "
        f"of it; whitespace {blank.seconds:.2f} s, delta {dict(blank.delta) or 'empty'}"
    )
    save(
        output,
        {
            "full": full.seconds,
            "changes": [(str(edit), run.seconds, dict(run.delta)) for edit, run in runs],
            "whitespace": blank.seconds,
        },
    )
    if blank.delta:
        raise click.ClickException("a change of whitespace changed derived rows")
    if started := [str(edit) for edit, run in runs if "java" in run.commands]:
        raise click.ClickException(f"a Java machine was started for {started[0]}")


def measure(
    source: Path, project: Path, analysis: str, options: list[str], changes: int, under: str
) -> tuple[Run, list[tuple[Edit, Run]], Run]:
    """The full run, the runs after commits that change one body each, and the one after blanks changed."""
    from mutate import mutate  # in the folder of code bases, which `measure` makes known

    shutil.copytree(source, project, symlinks=True, ignore=shutil.ignore_patterns(".git", ".ladder"))
    git(project, "init", "--quiet")
    commit(project, "all")
    full = analyze(project, analysis, *options)
    runs = []
    for seed in range(changes):
        [edit] = mutate(project, seed=seed, kinds=BODY, under=under)
        commit(project, str(edit))
        click.echo(str(edit), err=True)
        runs.append((edit, analyze(project, analysis, *options)))
    [edit] = mutate(project, seed=0, kinds=["change-whitespace"])
    commit(project, str(edit))
    return full, runs, analyze(project, analysis, *options)


def came_and_went(run: Run) -> tuple[int, int]:
    return sum(c["inserted"] for c in run.delta.values()), sum(c["deleted"] for c in run.delta.values())


def commit(project: Path, message: str) -> None:
    git(project, "add", "--all", "--force", ".", ":!.ladder")
    git(
        project,
        "-c",
        "user.name=bench",
        "-c",
        "user.email=bench@example.org",
        "commit",
        "--quiet",
        "--allow-empty",
        "-m",
        message,
    )


def git(project: Path, *arguments: str) -> None:
    result = subprocess.run(
        ["git", "-c", "core.autocrlf=false", *arguments], cwd=project, text=True, capture_output=True, check=False
    )
    if result.returncode != 0:
        raise BenchmarkError(f"git {' '.join(arguments)} failed: {result.stderr.strip()}")


if __name__ == "__main__":
    main()
