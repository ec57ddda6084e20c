"""The rows of models of the JDK, compared with the flows of references that the bytecode of a JDK has.

    python benchmarks/models.py                                        # the JDK of the `javac` on the path
    python benchmarks/models.py path/to/java.base.jmod --package java.util --package java.lang.ref
    python benchmarks/models.py path/to/lib/modules --list

Of each row: *confirmed*, a method that it names has its flow; *adds only*, all methods that it names are seen, and none
has it (or the analysis, which does not look at the order of statements, would have found it: the row is too much);
*not checkable*, and why. Of the methods that have rows: *missing*, flows that no row covers, which may be an unsound
model; *private*, what they keep in fields that no row speaks of, such as a comparator.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click

from ladder.api.database import Database
from ladder.errors import LadderError
from ladder.frontends.bytecode import FRONT_END
from ladder.project.files import Project
from ladder.session import workspace
from ladder.session.models import Request, summarised
from ladder.support.console import Console
from measure import BenchmarkError, save, table

PROGRAM = Path("java/summaries/check.dl")
PACKAGES = ("java.util", "java.lang.ref", "java.security")
VERSION = re.compile(rb'JAVA_VERSION="([^"]+)"')
Row = tuple[str, ...]


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("library", required=False, type=click.Path(path_type=Path))
@click.option(
    "--package", "packages", multiple=True, help=f"Packages whose code is read: {', '.join(PACKAGES)}. Repeatable."
)
@click.option("--models", "models", multiple=True, type=click.Path(path_type=Path), help="More rows. Repeatable.")
@click.option("--list", "listed", is_flag=True, help="Name the rows that only add, and the flows that are missing.")
@click.option("--state", type=click.Path(path_type=Path), help="Keep the facts of the classes here.")
@click.option("--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for the single findings.")
def main(
    library: Path | None,
    packages: tuple[str, ...],
    models: tuple[Path, ...],
    listed: bool,
    state: Path | None,
    output: Path | None,
) -> None:
    try:
        library = library or java_base()
        db = checked(library, packages or PACKAGES, models, state)
    except (BenchmarkError, LadderError) as error:
        raise click.ClickException(str(error)) from error
    found = findings(db)
    click.echo(f"{library.name} of JDK {release(library)}, packages {', '.join(packages or PACKAGES)}\n")
    click.echo(table(("package", "rows", "confirmed", "adds only", "not checkable"), by_package(found)))
    click.echo("\n" + table(("not checkable, because", "rows"), reasons(found)))
    click.echo(
        f"\n{len(found['Missing']):,} flows of {len({row[0] for row in found['Missing']}):,} methods are missing; "
        f"{len(found['Private']):,} are private"
    )
    if listed:
        for what in ("Adds", "Missing", "Private"):
            click.echo(f"\n{what}\n" + "\n".join(f"  {'  '.join(row)}" for row in found[what]))
    save(output, found)


def java_base() -> Path:
    """The module java.base of the JDK whose compiler is on the path."""
    compiler = shutil.which("javac")
    home = Path(compiler).resolve().parents[1] if compiler else Path("/nowhere")
    for found in (home / "jmods" / "java.base.jmod", home / "lib" / "modules"):
        if found.is_file():
            return found
    raise BenchmarkError("There is no JDK: no javac on the path with jmods/java.base.jmod or lib/modules. Name one.")


def release(library: Path) -> str:
    """The version that the JDK around a module says, or `?`."""
    for folder in library.resolve().parents[:3]:
        note = folder / "release"
        if note.is_file() and (found := VERSION.search(note.read_bytes())):
            return found[1].decode()
    return "?"


def checked(library: Path, packages: Iterable[str], models: tuple[Path, ...], state: Path | None) -> Database:
    """The database of the comparison."""
    project, console = Project(library, FRONT_END), Console()
    with tempfile.TemporaryDirectory() as folder:
        place = state or Path(folder) / "state"
        with workspace.opened(project, place, console.warn) as used:
            return summarised(project, Request(tuple(packages), models), used, console, PROGRAM)


def findings(db: Database) -> Mapping[str, list[Row]]:
    return {name: sorted(map(tuple, db[name])) for name in ("Confirmed", "Adds", "Unchecked", "Missing", "Private")}


def by_package(found: Mapping[str, list[Row]]) -> Iterator[tuple[object, ...]]:
    """(package, rows, confirmed, adding only, not checkable), and the sums."""
    unchecked = {row[:-1] for row in found["Unchecked"]}
    counts = [Counter(row[0] for row in rows) for rows in (found["Confirmed"], found["Adds"], unchecked)]
    for package in sorted(set().union(*counts)):
        each = [count[package] for count in counts]
        yield package, sum(each), *each
    yield "all", sum(map(len, (found["Confirmed"], found["Adds"], unchecked))), *(sum(c.values()) for c in counts)


def reasons(found: Mapping[str, list[Row]]) -> list[tuple[str, int]]:
    """(reason, rows), each row by the first of its reasons."""
    first = {row[:-1]: row[-1] for row in reversed(found["Unchecked"])}
    return Counter(first.values()).most_common()


if __name__ == "__main__":
    main()
