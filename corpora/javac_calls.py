"""Asks javac which method every call of a source tree names: the oracle that tests and benchmarks compare linking with.

    python corpora/javac_calls.py PROJECT [--output calls.csv] [--classpath JARS] [--module java.base]
    python corpora/javac_calls.py PROJECT --compare OUT/MethodInvocation_Method.csv

Needs a JDK 17 or newer. Missing dependencies are tolerated: a call whose method javac cannot tell has no `method`.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

PROGRAM = Path(__file__).resolve().parent / "javac_oracle" / "JavacCalls.java"
HEADER = ("path", "line", "column", "kind", "name", "method", "declared")
Place = tuple[str, int, int]  # path from the project's root, line and column from 1
Targets = Mapping[Place, Mapping[str, set[str]]]  # place → what is called there → methods


class OracleError(Exception):
    """javac cannot be asked; the message says why."""


@dataclass(frozen=True)
class Call:
    """A call as javac sees it.

    kind: call, new, anonymous (`new` with a class body), constructor (`this(…)`, `super(…)`), reference (`::`) or
    constant (the constructor call of an enum constant). method: `<a.b.C: ret name(T1,T2)>`, or None where javac cannot
    tell. declared: the project itself declares that method.
    """

    path: str
    line: int
    column: int
    kind: str
    name: str
    method: str | None
    declared: bool

    @property
    def place(self) -> Place:
        return self.path, self.line, self.column


@dataclass(frozen=True)
class Difference:
    """A call for which we and javac name different methods; `ours` is empty where we have no row."""

    call: Call
    ours: tuple[str, ...]
    cause: str


@dataclass(frozen=True)
class Comparison:
    """How far two tables of calls agree; counts are of calls for which javac names a method."""

    calls: int
    same: int
    project_calls: int  # those whose method the project declares
    project_same: int
    unknown: int  # calls for which javac names no method: not compared
    extra: int  # places of ours where javac has no call
    differences: tuple[Difference, ...] = field(repr=False)

    @property
    def share(self) -> float:
        return self.same / self.calls if self.calls else 1.0

    @property
    def project_share(self) -> float:
        return self.project_same / self.project_calls if self.project_calls else 1.0

    def by_cause(self) -> dict[str, list[Difference]]:
        """Differences by cause, most frequent first."""
        groups: dict[str, list[Difference]] = defaultdict(list)
        for difference in self.differences:
            groups[difference.cause].append(difference)
        return dict(sorted(groups.items(), key=lambda group: -len(group[1])))

    def summary(self) -> str:
        return (
            f"same target: {self.share:.2%} of {self.calls:,} calls; "
            f"{self.project_share:.2%} of {self.project_calls:,} whose target the project declares; "
            f"{self.unknown:,} unknown to javac, {self.extra:,} places of ours are no calls of javac's"
        )

    def __str__(self) -> str:
        lines = [self.summary()]
        for cause, group in self.by_cause().items():
            lines.append(f"{len(group):6,}  {cause}")
            lines += [
                f"            {d.call.path}:{d.call.line}:{d.call.column} {d.call.name}\n"
                f"              javac {d.call.method}\n              ours  {' '.join(d.ours) or '-'}"
                for d in group[:3]
            ]
        return "\n".join(lines)


@click.command(help=__doc__.replace("\n\n    ", "\n\n\b\n    "))
@click.argument("project", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), help="CSV to write; standard output otherwise."
)
@click.option("--classpath", default="", help="Jars and class folders, as for javac.")
@click.option("--module", help="The project is the source of this module of the JDK.")
@click.option("--compare", "ours", type=click.Path(exists=True, path_type=Path), help="A MethodInvocation_Method.csv.")
def main(project: Path, output: Path | None, classpath: str, module: str | None, ours: Path | None) -> None:
    try:
        calls = javac_calls(project, classpath=classpath, module=module)
    except OracleError as error:
        raise click.ClickException(str(error)) from error
    if output is not None:
        with output.open("w", newline="", encoding="utf-8") as stream:
            write_calls(calls, stream)
    if ours is not None:
        click.echo(str(compare(read_ours(ours), calls)))
    elif output is None:
        write_calls(calls, sys.stdout)


def javac_calls(
    project: Path,
    *,
    files: Sequence[str] | None = None,
    classpath: str = "",
    module: str | None = None,
    encoding: str = "UTF-8",
    heap: str = "3g",
) -> list[Call]:
    """All calls of a source tree (or of some of its files, paths from its root), in the order of files and places."""
    if shutil.which("java") is None:
        raise OracleError("java is not on this machine; install a JDK 17 or newer")
    project = project.resolve()
    chosen = source_files(project) if files is None else list(files)
    options = ["-encoding", encoding] + (["-classpath", classpath] if classpath else [])
    if module:
        options += ["--patch-module", f"{module}={project}"]
        chosen = [path for path in chosen if path != "module-info.java"]
    with tempfile.TemporaryDirectory() as work:
        listed, found = Path(work) / "files", Path(work) / "calls"
        listed.write_text("".join(f"{path}\n" for path in chosen), encoding="utf-8")
        command = [
            "java",
            f"-Xmx{heap}",
            "-Xss16m",
            "-XX:+UseSerialGC",
            str(PROGRAM),
            f"{project}/",
            str(listed),
            str(found),
            encoding,
            *options,
        ]
        result = subprocess.run(
            command, text=True, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"}
        )
        if result.returncode != 0 or not found.exists():
            raise OracleError(f"javac's tree program failed:\n{result.stderr[-2000:]}")
        rows = [line.split("\t") for line in found.read_text(encoding="utf-8").split("\n")[:-1]]
    return sorted(
        (
            Call(path, int(line), int(column), kind, name, method or None, declared == "1")
            for path, line, column, kind, name, method, declared in rows
        ),
        key=lambda call: call.place,
    )


def source_files(project: Path) -> list[str]:
    """Paths, from the root, of the Java files of a tree, sorted; package-info and module-info files hold no calls."""
    return sorted(
        str(path.relative_to(project))
        for path in project.rglob("*.java")
        if path.is_file() and path.name not in ("package-info.java", "module-info.java")
    )


def write_calls(calls: Iterable[Call], stream: object) -> None:
    """Calls as CSV with the header `HEADER`."""
    writer = csv.writer(stream, lineterminator="\n")  # type: ignore[arg-type]
    writer.writerow(HEADER)
    writer.writerows((c.path, c.line, c.column, c.kind, c.name, c.method or "", int(c.declared)) for c in calls)


def read_calls(path: Path) -> list[Call]:
    """What `write_calls` wrote."""
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))[1:]
    return [
        Call(p, int(line), int(column), kind, name, method or None, declared == "1")
        for p, line, column, kind, name, method, declared in rows
    ]


def read_ours(path: Path) -> Targets:
    """The rows of a MethodInvocation_Method.csv by place."""
    with path.open(newline="", encoding="utf-8") as stream:
        return by_place(tuple(row) for row in list(csv.reader(stream))[1:])  # type: ignore[misc]


def by_place(rows: Iterable[tuple[str, str]]) -> Targets:
    """`(path/File.java:LINE:COLUMN/what, method)` rows by place; a row that names no place is an error."""
    found: dict[Place, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for invocation, method in rows:
        parts = re.match(r"(.*?\.\w+):(\d+):(\d+)/(.*)", invocation)  # a source file, or a page
        if parts is None:
            raise ValueError(f"not path/File.java:LINE:COLUMN/what: {invocation}")
        found[parts[1], int(parts[2]), int(parts[3])][parts[4]].add(method)
    return found


def targets_of(call: Call, ours: Targets) -> set[str]:
    """Our targets for a call: at its place and under its name, so that calls hidden in a loop (`next`) do not count."""
    here = ours.get(call.place, {})
    named = [methods for what, methods in here.items() if what.split("#")[0].split(" ")[0] == call.name.split(" ")[0]]
    return set().union(*(named or here.values()))


def compare_calls(ours: Path, oracle: Path) -> Comparison:
    """Compares our table MethodInvocation_Method (CSV) with the oracle's CSV."""
    return compare(read_ours(ours), read_calls(oracle))


def compare(ours: Targets, oracle: Iterable[Call]) -> Comparison:
    """Counts agreement call by call; enum constants, whose calls have no place of their own, are left out."""
    calls = [call for call in oracle if call.kind != "constant"]
    known = [call for call in calls if call.method is not None]
    differences = []
    project_calls = project_same = 0
    for call in known:
        mine = targets_of(call, ours)
        same = mine == {call.method}
        project_calls += call.declared
        project_same += call.declared and same
        if not same:
            differences.append(Difference(call, tuple(sorted(mine)), cause_of(call, mine)))
    return Comparison(
        len(known),
        len(known) - len(differences),
        project_calls,
        project_same,
        len(calls) - len(known),
        len(set(ours) - {call.place for call in calls}),
        tuple(differences),
    )


def cause_of(call: Call, ours: set[str]) -> str:
    """Why two targets differ, as far as their names tell: a group heading for people who look into it."""
    scope = "declared in the project" if call.declared else "library"
    if not ours:
        return f"no target of ours: {call.kind}, {scope}"
    if len(ours) > 1:
        return f"several targets named, {scope}"
    assert call.method is not None
    theirs, mine = parts_of(call.method), parts_of(min(ours))
    if theirs is None or mine is None:
        return "unreadable method name"
    if call.kind == "anonymous":
        return f"class body's constructor, {scope}"
    if theirs.name != mine.name:
        return f"another name, {scope}"
    if theirs.parameters != mine.parameters:
        arity = "another number of parameters" if len(theirs.parameters) != len(mine.parameters) else "another overload"
        return f"{arity}, {scope}"
    if theirs.owner != mine.owner:
        return f"another declaring class, {scope}"
    return f"another result type, {scope}"


@dataclass(frozen=True)
class MethodParts:
    owner: str
    result: str
    name: str
    parameters: tuple[str, ...]


def parts_of(method: str) -> MethodParts | None:
    """`<a.b.C: ret name(T1,T2)>` taken apart."""
    found = re.fullmatch(r"<(.+?): (\S+) ([^(]+)\((.*)\)>", method)
    if found is None:
        return None
    return MethodParts(found[1], found[2], found[3], tuple(filter(None, found[4].split(","))))


if __name__ == "__main__":
    main()
