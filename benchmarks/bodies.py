"""The points-to analysis with bodies of the JDK and of the class path: what it costs, and how much it looks at.

    python benchmarks/bodies.py                                 # a program that prints a line, and antlr
    python benchmarks/bodies.py hello --cold --edit
    python benchmarks/bodies.py path/to/project --entry public
    python benchmarks/bodies.py antlr --entry main              # its debugger, with windows, and its examples, too

State is empty at the beginning. Facts of classes are those that this machine keeps, made in a first run that does not
count; with `--cold` there are none. `--edit` also measures the run after an edit of the project, a method that comes.
Its state is compared with one from scratch (`--verify`), in a run that does not count.
"""

from __future__ import annotations

import os
import resource
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from ladder.support.private import LIBRARIES_VARIABLE
from measure import BenchmarkError, Run, analyze, code_base, save, table

HELLO = "hello"
PROGRAM = """public class Hello {
    public static void main(String[] args) {
        System.out.println("Hello, world");
    }
}
"""
ENTRIES = {"antlr": "antlr.Tool.main"}
"""Entry points other than `main`: what the DaCapo suite runs, which others measure."""
ADDED = "ladder_added_method"
HEADER = ("project", "run", "wall s", "CPU s", "peak MB", "bodies", "reachable methods", "VarPointsTo")


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("names", nargs=-1)
@click.option("--entry", help="As for analyze; by default main, and of antlr antlr.Tool.main, as others measure it.")
@click.option("--library", default="bodies", show_default=True, help="As for analyze.")
@click.option("--cold", is_flag=True, help="Without the facts of classes that this machine keeps.")
@click.option("--edit", is_flag=True, help="Measure the run after an edit, too.")
@click.option(
    "--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for the single measurements."
)
def main(names: tuple[str, ...], entry: str | None, library: str, cold: bool, edit: bool, output: Path | None) -> None:
    measured: list[tuple[object, ...]] = []
    for name in names or (HELLO, "antlr"):
        try:
            options = ("--entry", entry or ENTRIES.get(name, "main"), "--library", library)
            measured += measurements(name, options, cold, edit)
        except BenchmarkError as error:
            raise click.ClickException(str(error)) from error
    click.echo(table(HEADER, measured))
    save(output, [dict(zip(HEADER, row, strict=True)) for row in measured])


def measurements(name: str, options: tuple[str, ...], cold: bool, edit: bool) -> Iterator[tuple[object, ...]]:
    """Yield what is told of each run of a project."""
    with tempfile.TemporaryDirectory() as folder:
        project = copied(name, Path(folder))
        state, kept = Path(folder) / "state", Path(folder) / "libraries"
        given = (*options, "--state", str(state))
        if not cold:
            analyze(project, "pointsto", *given)
            shutil.rmtree(state)
        with libraries_in(kept if cold else None):
            yield name, "from scratch", *told(project, given)
            if edit:
                add_method(project)
                yield name, "edit", *told(project, given)
                analyze(project, "pointsto", *given, "--verify")


def copied(name: str, folder: Path) -> Path:
    """A copy of the project that may be edited."""
    copy = folder / "project"
    if name == HELLO:
        copy.mkdir()
        (copy / "Hello.java").write_text(PROGRAM)
    else:
        shutil.copytree(Path(name) if Path(name).is_dir() else code_base(name), copy)
    return copy


@contextmanager
def libraries_in(folder: Path | None) -> Iterator[None]:
    """Keep the facts of class files in this folder for a while; None: where they always are."""
    before = os.environ.get(LIBRARIES_VARIABLE)
    if folder is not None:
        os.environ[LIBRARIES_VARIABLE] = str(folder)
    try:
        yield
    finally:
        os.environ.pop(LIBRARIES_VARIABLE, None)
        if before is not None:
            os.environ[LIBRARIES_VARIABLE] = before


def add_method(project: Path) -> None:
    """Add a method to the first class with a `main`, which calls it."""
    for file in sorted(project.rglob("*.java")):
        text = file.read_text(errors="surrogateescape")
        head, found, rest = text.partition("public static void main(String")
        opening = rest.find("{") + 1
        if found and opening:
            method = f"static Object {ADDED}() {{ return new java.util.ArrayList<Object>(); }}\n    "
            body = f"{rest[:opening]} Object {ADDED} = {ADDED}();{rest[opening:]}"
            file.write_text(f"{head}{method}{found}{body}", errors="surrogateescape")
            return
    raise BenchmarkError(f"{project} has no main method to edit.")


def told(project: Path, options: tuple[str, ...]) -> tuple[object, ...]:
    """What a run costs, and how many rows it has."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = analyze(project, "pointsto", *options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return run.seconds, seconds, run.peak >> 20, *counts(run)


def counts(run: Run) -> tuple[object, object, object]:
    """Bodies that are looked at, methods reached, rows of VarPointsTo."""
    rows = run.summary["relations"]
    return run.summary["bodies"].partition(" ")[0], rows["Reachable"], rows["VarPointsTo"]


if __name__ == "__main__":
    main()
