"""The shipped rows of models, compared with the flows of references that the bytecode of a JDK has.

    python benchmarks/models.py                                        # the JDK of the `javac` on the path
    python benchmarks/models.py path/to/jmods/java.base.jmod --package java.util --list

Of each row of the kind `value`: *confirmed*, a method that it names has its flow; *adds only*, all methods that it names
are seen whole, and none has it: the row is too much; *not checkable*, and why. Of each neutral row and each one of
another kind: *confirmed*, methods that it names are seen whole, and no flow is missing. Of the methods that rows name:
*whole* or *partly* seen, and the flows that no row has, which would make the models unsound.

What is found and must not be so is an error (exit code 1), unless models_exceptions.toml, beside this file, says why it
is right: that the flow is none, which only the analysis takes for one, or that the row is of more than bytecode says. An
exception that nothing needs is an error, too.
"""

from __future__ import annotations

import multiprocessing
import re
import resource
import shutil
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click

from ladder.errors import LadderError
from ladder.frontends.bytecode import FRONT_END
from ladder.project.files import Project
from ladder.session import workspace
from ladder.session.models import Request, summarised
from ladder.support.console import Console
from measure import BenchmarkError, save, table

PROGRAM = Path("java/summaries/check.dl")
EXCEPTIONS = Path(__file__).parent / "models_exceptions.toml"
GROUPS = (
    ("java.io", "java.lang", "java.lang.ref", "java.lang.reflect", "java.security"),
    ("java.util", "java.util.function"),
    ("java.util.concurrent", "java.util.concurrent.atomic"),
    ("java.util.stream",),
)
"""The packages that shipped rows name methods of, as they are compared together: each group in a process of its own."""
FOLLOWED = ("java.lang", "java.io", "java.security", "java.util", "jdk.internal.util", "jdk.internal.access")
VERSION = re.compile(rb'JAVA_VERSION="([^"]+)"')
Row = tuple[str, ...]


@dataclass
class Found:
    """What a comparison found, of some packages or all; rows are (package, type, subtypes, name, signature, …)."""

    confirmed: set[Row] = field(default_factory=set)
    named: dict[Row, set[str]] = field(default_factory=lambda: defaultdict(set))
    whole: set[str] = field(default_factory=set)
    partly: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    missing: set[Row] = field(default_factory=set)
    private: set[Row] = field(default_factory=set)
    seconds: float = 0.0
    peak: int = 0

    def add(self, other: Found) -> None:
        self.confirmed |= other.confirmed
        for row, methods in other.named.items():
            self.named[row] |= methods
        self.whole |= other.whole
        for method, reasons in other.partly.items():
            self.partly[method] |= reasons
        self.missing |= other.missing
        self.private |= other.private
        self.seconds += other.seconds
        self.peak = max(self.peak, other.peak)


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("library", required=False, type=click.Path(path_type=Path))
@click.option("--package", "packages", multiple=True, help="Compare methods of this package alone. Repeatable.")
@click.option("--list", "listed", is_flag=True, help="Name the rows that only add, the flows and the methods.")
@click.option("--state", type=click.Path(path_type=Path), help="Keep the facts of the classes here.")
@click.option("--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for the single findings.")
def main(
    library: Path | None, packages: tuple[str, ...], listed: bool, state: Path | None, output: Path | None
) -> None:
    try:
        library = library or java_base()
        rows = shipped()
        found = compared(library, packages or sorted({row[0] for each in rows.values() for row in each}), state)
        exceptions = Exceptions.read(EXCEPTIONS)
    except (BenchmarkError, LadderError) as error:
        raise click.ClickException(str(error)) from error
    report = Report(rows, found, exceptions, packages)
    click.echo(f"{library.name} of JDK {release(library)}, {found.seconds:,.0f} processor seconds, ", nl=False)
    click.echo(f"{found.peak / 1e9:.1f} GB\n")
    click.echo("\n".join(report.text(listed)))
    save(output, report.findings())
    if report.errors:
        click.echo("\n".join(["", "Neither right nor excepted:", *report.errors]), err=True)
        sys.exit(1)


# ---- what is compared


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


def shipped() -> Mapping[str, Sequence[Row]]:
    """The shipped rows of summaries, by relation."""
    rows, _ = FRONT_END.models(()).read()
    return {relation: rows[relation] for relation in ("SummaryModel", "NeutralModel")}


def compared(library: Path, packages: Iterable[str], state: Path | None) -> Found:
    """The comparison of all packages, each in a process of its own, so that memory is that of one."""
    found = Found()
    with tempfile.TemporaryDirectory() as folder:
        for package in packages:
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                found.add(pool.apply(of_package, (library, package, state or Path(folder) / "state")))
    return found


def of_package(library: Path, package: str, state: Path) -> Found:
    """The comparison of one package."""
    project, console = Project(library, FRONT_END), Console()
    more = {"Compared": [(package,)]}
    with workspace.opened(project, state, console.warn) as used:
        db = summarised(project, Request(FOLLOWED, length=LENGTH), used, console, PROGRAM, more)
    found = Found(set(map(tuple, db["Confirmed"])))
    for method, *row in db["NamedBy"]:
        found.named[tuple(row)].add(method)
    found.whole = {method for (method,) in db["Whole"]}
    for method, reason in db["Partly"]:
        found.partly[method].add(reason)
    found.missing, found.private = set(map(tuple, db["Missing"])), set(map(tuple, db["Private"]))
    used_now = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    found.seconds = sum(each.ru_utime + each.ru_stime for each in (used_now, children))
    found.peak = max(used_now.ru_maxrss, children.ru_maxrss) << 10
    return found
