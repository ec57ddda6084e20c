"""The shipped rows of models, compared with the flows of references that the bytecode of a JDK has.

    python benchmarks/models.py                                        # the JDK of the `javac` on the path
    python benchmarks/models.py path/to/jmods/java.base.jmod --package java.util --list

Of each row of the kind `value`: *confirmed*, a method that it names has its flow; *adds only*, all methods that it
names are seen whole, and none has it; *not checkable*, and why. Of the methods that rows name, neutral ones and those
of other kinds among them: seen *whole* or not, and the flows that no row has, which would make the models unsound.

A flow that no row has and a row that only adds is an error (exit code 1), unless models_exceptions.toml, beside this
file, says why it is right: the flow is none, which only the analysis takes for one, or the row says what the analysis
does not see. An exception that is of nothing is an error, too.
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
from pathlib import Path

import click

from ladder.analyses import java_library
from ladder.errors import LadderError
from ladder.frontends.bytecode import FRONT_END
from ladder.project.files import Project
from ladder.session import workspace
from ladder.session.models import Request, summarised
from ladder.support.console import Console
from measure import BenchmarkError, save, table

PROGRAM = Path("java/summaries/check.dl")
EXCEPTIONS = Path(__file__).parent / "models_exceptions.toml"
LENGTH = 2  # of access paths; with 3, the flows of java.util alone need more than 7 GB
GROUPS = {
    ("java.util", "java.lang.ref", "java.security"): (
        "java.lang.ref",
        "java.security",
        "java.util",
        "java.util.concurrent",
        "java.util.concurrent.atomic",
        "java.util.function",
        "java.util.stream",
    ),
    ("java.lang", "java.io"): ("java.io", "java.lang", "java.lang.invoke", "java.lang.reflect"),
}
"""Prefixes of packages that are followed together → those of them whose methods are compared. Each in a process of its
own, which needs no memory of the others'."""
VERSION = re.compile(rb'JAVA_VERSION="([^"]+)"')
PACKAGE = re.compile(r"(?:[a-z_0-9]+\.)*")
Row = tuple[str, ...]


@dataclass
class Found:
    """What a comparison found. `named`: (package, type, subtypes, name, signature) of rows → methods; `confirmed`:
    those columns, input and output; `partly`: method → why not all of it is seen; `missing`, `private`: (method, input,
    output)."""

    named: dict[Row, set[str]] = field(default_factory=lambda: defaultdict(set))
    confirmed: set[Row] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)
    partly: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    missing: set[Row] = field(default_factory=set)
    private: set[Row] = field(default_factory=set)
    seconds: float = 0.0
    peak: int = 0

    def add(self, other: Found) -> None:
        """Add what another comparison found, of other methods."""
        for row, methods in other.named.items():
            self.named[row] |= methods
        self.confirmed |= other.confirmed
        self.whole |= other.whole
        self.partly.update(other.partly)
        self.missing |= other.missing
        self.private |= other.private
        self.seconds += other.seconds
        self.peak = max(self.peak, other.peak)


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("library", required=False, type=click.Path(path_type=Path))
@click.option("--package", "packages", multiple=True, help="Compare methods of this package alone. Repeatable.")
@click.option("--list", "listed", is_flag=True, help="Name rows that only add and flows that no row has, with causes.")
@click.option("--state", type=click.Path(path_type=Path), help="Keep the facts of the classes here.")
@click.option("--json", "output", type=click.Path(path_type=Path, dir_okay=False), help="File for the single findings.")
def main(
    library: Path | None, packages: tuple[str, ...], listed: bool, state: Path | None, output: Path | None
) -> None:
    try:
        library = library or java_base()
        rows = shipped()
        found = compared(library, groups(packages or packages_of(rows)), state)
        report = Report(rows, found, Exceptions.of(EXCEPTIONS), packages)
    except (BenchmarkError, LadderError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{library.name} of JDK {release(library)}: ", nl=False)
    click.echo(f"{found.seconds:,.0f} processor seconds, {found.peak / 1e9:.1f} GB\n")
    click.echo("\n".join(report.text(listed)))
    save(output, report.findings())
    if report.errors:
        click.echo("\n".join(["", "Not as it must be:", *report.errors]), err=True)
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
    """The shipped rows about methods of the JDK, by relation."""
    rows, _ = FRONT_END.models(()).read()
    return {
        relation: [tuple(map(str, row)) for row in rows[relation] if java_library.is_package(str(row[0]))]
        for relation in ("SummaryModel", "NeutralModel")
    }


def packages_of(rows: Mapping[str, Sequence[Row]]) -> list[str]:
    return sorted({row[0] for each in rows.values() for row in each})


def groups(packages: Iterable[str]) -> dict[tuple[str, ...], list[str]]:
    """The groups of packages, each with what of it is asked for; `BenchmarkError` for a package of none."""
    wanted: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for package in packages:
        followed = next((each for each, members in GROUPS.items() if package in members), None)
        if followed is None:
            raise BenchmarkError(f"The package {package} is in no group of benchmarks/models.py. Add it to one.")
        wanted[followed].append(package)
    return wanted


def compared(library: Path, wanted: Mapping[tuple[str, ...], list[str]], state: Path | None) -> Found:
    """The comparison of all groups."""
    found = Found()
    with tempfile.TemporaryDirectory() as folder:
        for followed, packages in wanted.items():
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                found.add(pool.apply(of_group, (library, followed, packages, state or Path(folder) / "state")))
    return found


def of_group(library: Path, followed: Sequence[str], packages: Sequence[str], state: Path) -> Found:
    """The comparison of some packages; those that are followed stand for themselves and those below."""
    project, console = Project(library, FRONT_END), Console()
    more = {"Compared": [(package,) for package in packages]}
    with workspace.opened(project, state, console.warn) as used:
        db = summarised(project, Request(followed, length=LENGTH), used, console, PROGRAM, more)
    found = Found(whole={method for (method,) in db["Whole"]})
    for method, *row in db["NamedBy"]:
        found.named[tuple(row)].add(method)
    for method, reason in db["Partly"]:
        found.partly[method].add(reason)
    found.confirmed, found.missing, found.private = (
        set(map(tuple, db[name])) for name in ("Confirmed", "Missing", "Private")
    )
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        found.seconds += usage.ru_utime + usage.ru_stime
        found.peak = max(found.peak, usage.ru_maxrss << 10)
    found.named, found.partly = dict(found.named), dict(found.partly)
    return found


# ---- what is right


@dataclass
class Exceptions:
    """Patterns, in which `*` stands for any text, → the cause; `rows`: of `type.name(parameters): input -> output`, as
    the row has them; `flows`: the same of methods, with whole names of types; `causes`: what they mean."""

    causes: Mapping[str, str]
    rows: Mapping[str, str]
    flows: Mapping[str, str]
    used: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, path: Path) -> Exceptions:
        told = tomllib.loads(path.read_text("utf-8"))
        rows, flows = (
            {pattern: each["cause"] for each in told[kind] for pattern in each["patterns"]}
            for kind in ("rows", "flows")
        )
        unknown = {*rows.values(), *flows.values()} - set(told["causes"])
        if unknown:
            raise BenchmarkError(f"{path.name} does not say what the causes {', '.join(sorted(unknown))} are.")
        return cls(told["causes"], rows, flows)

    def cause(self, patterns: Mapping[str, str], text: str) -> str:
        """Why this is right; "" if nothing says so."""
        found = [pattern for pattern in patterns if fits(pattern, text)]
        self.used.update(found)
        return patterns[found[0]] if found else ""

    @property
    def unused(self) -> list[str]:
        return [pattern for pattern in (*self.rows, *self.flows) if pattern not in self.used]


def fits(pattern: str, text: str) -> bool:
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*"), text) is not None


# ---- the report


class Report:
    """The tables, and what is an error; `packages`: those asked for, all without any."""

    def __init__(
        self, rows: Mapping[str, Sequence[Row]], found: Found, exceptions: Exceptions, packages: Sequence[str] = ()
    ) -> None:
        self.found = found
        self.exceptions = exceptions
        values = [row for row in rows["SummaryModel"] if row[8] == "value" and row[6] != row[7]]
        if packages:
            values = [row for row in values if row[:5] in found.named]
        self.status = {(*row[:5], row[6], row[7]): self.of_row((*row[:5], row[6], row[7])) for row in values}
        self.others = len(rows["NeutralModel"]) + len(rows["SummaryModel"]) - len(values)
        adds = [row for row, status in self.status.items() if status == "adds only"]
        self.adds = {text: exceptions.cause(exceptions.rows, text) for text in map(shown_row, adds)}
        self.missing = {text: exceptions.cause(exceptions.flows, text) for text in map(shown_flow, found.missing)}
        self.errors = [f"  a row that only adds: {text}" for text, cause in self.adds.items() if not cause]
        self.errors += [f"  a flow that no row has: {text}" for text, cause in self.missing.items() if not cause]
        if not packages:
            self.errors += [f"  an exception of nothing: {pattern}" for pattern in exceptions.unused]
        self.errors.sort()

    def of_row(self, row: Row) -> str:
        """`confirmed`, `adds only`, or why it cannot be checked."""
        methods = self.found.named.get(row[:5], set())
        if row in self.found.confirmed:
            return "confirmed"
        if row[5].startswith("ReturnValue"):
            return "a view: what is put into the result gets into the argument"
        unseen = [reason for method in methods for reason in self.found.partly.get(method, ())]
        if unseen:
            return min(unseen)
        return "adds only" if methods & self.found.whole else "abstract, without an implementation that is compared"

    def text(self, listed: bool) -> Iterator[str]:
        yield table(("rows of the kind value", "rows", "confirmed", "adds only", "not checkable"), self.by_package())
        reasons = Counter(status for status in self.status.values() if status not in ("confirmed", "adds only"))
        yield "\n" + table(("not checkable, because", "rows"), reasons.most_common())
        yield "\n" + table(
            ("methods that rows name", "methods", "whole", "flows no row has"), self.by_package_of_method()
        )
        for title, what in (("only adds", self.adds), ("no row has it", self.missing)):
            causes = Counter(what.values())
            lines = [(f"{cause}: {self.exceptions.causes[cause]}", causes[cause]) for cause in causes if cause]
            yield "\n" + table((f"{title}, because", "rows" if what is self.adds else "flows"), sorted(lines))
        yield f"\n{self.others:,} rows are neutral, or of another kind, or say only that a result is a new object."
        yield f"{len(self.found.private):,} flows go to fields of which no row speaks, such as that of a comparator."
        for title, what in (("Rows that only add", self.adds), ("Flows that no row has", self.missing)):
            if listed:
                yield f"\n{title}\n" + "\n".join(sorted(f"  {cause or '?'}  {text}" for text, cause in what.items()))

    def by_package(self) -> Iterator[tuple[object, ...]]:
        """(package, rows, confirmed, adding only, not checkable), and the sums."""
        count: dict[str, Counter[str]] = defaultdict(Counter)
        for row, status in self.status.items():
            for package in (row[0], "all"):
                count[package][status if status in ("confirmed", "adds only") else "other"] += 1
        for package in (*sorted(count.keys() - {"all"}), "all"):
            each = count[package]
            yield package, each.total(), each["confirmed"], each["adds only"], each["other"]

    def by_package_of_method(self) -> Iterator[tuple[object, ...]]:
        """(package, methods with code, those seen whole, flows that no row has), and the sums."""
        count: dict[str, Counter[str]] = defaultdict(Counter)
        for what, methods in (
            ("methods", self.found.whole | self.found.partly.keys()),
            ("whole", self.found.whole),
            ("missing", [row[0] for row in self.found.missing]),
        ):
            for method in methods:
                for package in (package_of(method), "all"):
                    count[package][what] += 1
        for package in (*sorted(count.keys() - {"all"}), "all"):
            yield package, *(count[package][what] for what in ("methods", "whole", "missing"))

    def findings(self) -> Mapping[str, object]:
        return {
            "rows": {shown_row(row): status for row, status in self.status.items()},
            "adds only": self.adds,
            "missing": self.missing,
            "partly": {method: sorted(reasons) for method, reasons in self.found.partly.items()},
        }


def shown_row(row: Row) -> str:
    package, type_, _, name, signature, input_, output = row
    return f"{package}.{type_}.{name}{signature}: {input_} -> {output}"


def shown_flow(flow: Row) -> str:
    method, input_, output = flow
    return f"{method}: {input_} -> {output}"


def package_of(method: str) -> str:
    found = PACKAGE.match(method)
    return found[0].rstrip(".") if found else ""


if __name__ == "__main__":
    main()
