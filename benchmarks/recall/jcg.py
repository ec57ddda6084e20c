"""Runs the cases of JCG, the public suite of features that call graphs of Java must have, through `pointsto`.

    python benchmarks/recall/jcg.py FOLDER                  # a checkout of the repository opalj/JCG
    python benchmarks/recall/jcg.py FOLDER TR1 SPM5 --reflection strings

The cases are Markdown with Java files, in which annotations say what calls must reach (Reif, Kübler, Eichberg, Helm and
Mezini: Judge, ISSTA 2019). A case passes if every annotated call is there and no forbidden one. Libraries (LIB…) are
analysed with `--entry all`, all others with `--entry main`; JVMC4 is read with the line of the call that it means.
Cases that come as jars without Java files are left out.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parent))

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.frontends.protocol import Row
from ladder.frontends.registry import front_end

CASE = re.compile(r"(?m)^## (\w+)\n(.*?)(?=^## |\Z)", re.DOTALL)
MAIN = re.compile(r"\[//\]: # \(MAIN: (\S+)\)|\[//\]: # \((LIBRARY)\)")
SOURCE = re.compile(r"```java\n// (\S+\.java)\n(.*?)```", re.DOTALL)
LINES = {"JVMC4": (12, 11)}  # where an annotation names another line than that of the call that it means: `t.start()`
ANNOTATION = re.compile(r"@(Direct|Indirect)Call\(")


@dataclass(frozen=True)
class Wanted:
    """What a call must reach: the annotated method, the line, methods that must and must not be called."""

    direct: bool
    file: str
    caller: str
    line: int
    name: str
    parameters: tuple[str, ...]
    targets: tuple[str, ...]
    forbidden: tuple[str, ...]

    def is_of(self, method: str, class_: str) -> bool:
        """Whether the method, as results name it, is the one wanted of the class."""
        found = re.fullmatch(r"<(\S+): (\S+) (\S+)\((.*)\)>", method)
        if found is None or found[1] != class_ or found[3] != self.name:
            return False
        parameters = found[4].split(",") if found[4] else []
        return "?" in parameters or (
            len(parameters) == len(self.parameters)
            and all(_simple(a) == _simple(b) for a, b in zip(parameters, self.parameters, strict=True))
        )


@dataclass(frozen=True)
class Case:
    category: str
    name: str
    library: bool
    sources: Mapping[str, str] = field(repr=False)


class Graph:
    """The call graph of a case."""

    def __init__(self, case: Case, program: Program, reflection: str) -> None:
        facts: dict[str, list[Row]] = defaultdict(list)
        self.places: dict[str, tuple[str, int]] = {}
        for path, text in case.sources.items():
            found = front_end().facts_of(text.encode())
            if found.diagnostics:
                raise click.ClickException(f"{case.name}: {path} is not read: {found.diagnostics[0][3]}")
            for relation, rows in found.relations.items():
                facts[relation] += rows
            self.places |= {str(identity): (path, int(line)) for identity, line, _ in found.relations["Position"]}
        self.facts = facts
        models = front_end().models(()).read()[0]
        options = {"EntryPolicy": [("all" if case.library else "main",)], "ReflectionPolicy": [(reflection,)]}
        self.db = Database(program)
        given = {**facts, **models, **options}
        self.db.bootstrap({name: given[name] for name in program.inputs if name in given})

    @cached_property
    def names(self) -> Mapping[str, str]:
        return dict(self.db["MethodName"])

    @cached_property
    def edges(self) -> Mapping[str, set[str]]:
        """Invocation → ids of methods."""
        found: dict[str, set[str]] = defaultdict(set)
        for invocation, method in self.db["CallGraphEdge"]:
            found[invocation].add(method)
        return found

    @cached_property
    def calls_of(self) -> Mapping[str, set[str]]:
        """Method → the invocations in it, and in lambdas in it."""
        methods = {method for method, *_ in self.facts["Method"]} | {m for m, *_ in self.facts["LambdaMethod"]}
        found: dict[str, set[str]] = defaultdict(set)
        for invocation in self.edges:
            owner = invocation
            while owner not in methods and "/" in owner:
                owner = owner.rpartition("/")[0]
            found[owner].add(invocation)
        return found

    def called_at(self, wanted: Wanted) -> set[str]:
        """Ids of the methods that calls on the line reach; all that these reach in turn, unless the call is direct."""
        methods = {str(method) for method, *_ in (*self.facts["Method"], *self.facts["LambdaMethod"])}
        callers = {method for method in methods if _is_method(method, wanted.caller)}
        sites = {
            site
            for caller in callers
            for site in self.calls_of.get(caller, ())
            if self.places.get(site) == (wanted.file, wanted.line) or (wanted.line < 0 and wanted.direct)
        }
        found: set[str] = set().union(*(self.edges[site] for site in sites))
        pending = [] if wanted.direct else list(found)
        while pending:
            for site in self.calls_of.get(pending.pop(), ()):
                new = self.edges[site] - found
                found |= new
                pending += new
        return found

    def wrong(self, wanted: Wanted) -> str:
        """What is wrong with the calls, or nothing."""
        called = {self.names.get(method, method) for method in self.called_at(wanted)}
        what = f"{wanted.file}:{wanted.line}"
        for class_ in wanted.targets:
            if not any(wanted.is_of(method, class_) for method in called):
                return f"{what} does not reach {class_}.{wanted.name}"
        for class_ in wanted.forbidden:
            if any(wanted.is_of(method, class_) for method in called):
                return f"{what} reaches {class_}.{wanted.name}, which it must not"
        return ""


def cases(folder: Path) -> Iterator[Case]:
    """The cases that have Java files and say how to start."""
    files = sorted(folder.glob("jcg_testcases/src/main/resources/java/*.md"))
    if not files:
        raise click.ClickException(f"{folder} holds no cases of JCG; name a checkout of github.com/opalj/JCG.")
    for file in files:
        for name, body in CASE.findall(file.read_text(encoding="utf-8")):
            start, sources = MAIN.search(body), dict(SOURCE.findall(body))
            if start is not None and sources:
                yield Case(file.stem, name, start[2] is not None, sources)


def wanted(case: Case) -> Iterator[Wanted]:
    """What the annotations in a case say."""
    for file, text in case.sources.items():
        for found in ANNOTATION.finditer(text):
            end = _closing(text, found.end())
            said = text[found.end() : end]
            caller = re.search(
                r"(\w+)\s*\([^()]*\)\s*(?:throws [\w.,\s]+)?\{",
                re.sub(r"@\w+\((?:[^()\"]|\"[^\"]*\")*\)", "", text[end + 1 :]),
            )
            assert caller is not None, (case.name, file)
            line = re.search(r"\bline\s*=\s*(\d+)", said)
            number = int(line[1]) if line else -1
            said_wrong, right = LINES.get(case.name, (number, number))
            yield Wanted(
                found[1] == "Direct",
                file,
                caller[1],
                right if number == said_wrong else number,
                (re.search(r'\bname\s*=\s*"([^"]+)"', said) or [""] * 2)[1],
                tuple(re.findall(r"([\w.\[\]]+)\.class", _value(said, "parameterTypes"))),
                tuple(_class(text) for text in re.findall(r'"([^"]+)"', _value(said, "resolvedTargets"))),
                tuple(_class(text) for text in re.findall(r'"([^"]+)"', _value(said, "prohibitedTargets"))),
            )


def _closing(text: str, at: int) -> int:
    depth = 1
    while depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at - 1


def _value(said: str, name: str) -> str:
    found = re.search(rf"\b{name}\s*=\s*(\{{[^}}]*\}}|\"[^\"]*\"|[\w.\[\]]+)", said)
    return found[1] if found else ""


def _class(descriptor: str) -> str:
    return descriptor.removeprefix("L").removesuffix(";").replace("/", ".")


def _simple(type_: str) -> str:
    return re.split(r"[.$]", type_)[-1]


def _is_method(identity: str, name: str) -> bool:
    head = identity.partition("(")[0]
    own = head.rpartition(".")[2]
    return own == name or (own == "<init>" and re.split(r"[.$]", head.rpartition(".")[0])[-1] == name)


@click.command(help=(__doc__ or "").replace("\n\n    ", "\n\n\b\n    "))
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("names", nargs=-1)
@click.option("--reflection", default="casts", show_default=True)
def main(folder: Path, names: Sequence[str], reflection: str) -> None:
    program = Program.load(Path(str(front_end().analyses)) / "pointsto.dl")
    passed: dict[str, list[str]] = defaultdict(list)
    failed: dict[str, list[str]] = defaultdict(list)
    for case in cases(folder):
        if names and case.name not in names:
            continue
        graph, said = Graph(case, program, reflection), list(wanted(case))
        wrong = [reason for one in said if (reason := graph.wrong(one))]
        if not said:
            wrong = ["it has no annotation"]
        (failed if wrong else passed)[case.category].append(case.name)
        for reason in wrong:
            click.echo(f"{case.name}: {reason}")
    click.echo("\n| category | passed | failed |\n|---|---:|---|")
    for category in sorted(passed.keys() | failed.keys()):
        fails = failed[category]
        click.echo(f"| {category} | {len(passed[category])} | {len(fails)} {' '.join(fails)} |")
    click.echo(f"\n{sum(map(len, passed.values()))} of {sum(map(len, (*passed.values(), *failed.values())))} pass")


if __name__ == "__main__":
    main()
