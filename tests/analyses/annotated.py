"""Java files whose comments say what an analysis must find, and what it finds.

f(1);                       // -> <a.A: void f(int)>; …      the targets of the line's calls, in the order of columns
Object x = g();             // x = {A@12, "text", opaque T}  the objects of a variable: class and line of allocation
int i = j + 1;              // i is 4                        the constant assigned on this line (`any` if none)
String s = "a" + 1;         // s is "a1"
int i = j % 8;              // i in [0, 7]                   the interval assigned on this line (`any` if none)
if (DEBUG) {                // decided false                 the outcome that constants and intervals leave a branch
    f();                    // unreachable                   control does not get to instructions on this line
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import ladder.analyses
from ladder.api.database import Database
from ladder.api.program import Program
from ladder.frontends.java import FRONT_END
from ladder.frontends.java.facts import facts_of
from ladder.session.analyze import load
from ladder.session.entries import entry_of
from ladder.support.tuning import DEFAULT

ANALYSES = Path(ladder.analyses.__file__).parent
CASES = Path(__file__).parent / "cases"
Line = tuple[str, int]
NOT_NAMED = re.compile(r"<(?:cl)?init>|<init-block>")


@dataclass
class Project:
    """The facts of some Java files; `places` are (file, line, column) by id."""

    facts: dict[str, list[tuple]] = field(default_factory=lambda: defaultdict(list))
    places: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    texts: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, sources: Mapping[str, str]) -> Project:
        project = cls()
        for name, text in sources.items():
            found = facts_of(text.encode())
            assert found.parser == "javalang" and not found.diagnostics, (name, found.diagnostics)
            project.texts[name] = text.splitlines()
            for relation, rows in found.relations.items():
                project.facts[relation] += rows
            project.places |= {id_: (name, line, column) for id_, line, column in found.relations.get("Position", ())}
        return project

    def comments(self, pattern: str) -> Iterator[tuple[Line, re.Match[str]]]:
        """Every comment `// pattern` at the end of a line."""
        for name, lines in self.texts.items():
            for number, text in enumerate(lines, 1):
                found = re.search(r"// (?:.*; )?" + pattern + r"$", text) if "//" in text else None
                if found is not None:
                    yield (name, number), found


@dataclass
class Results:
    """An analysis of a project."""

    project: Project
    database: Database

    def rows(self, relation: str) -> list[tuple]:
        """The rows of a relation, without the columns that hold contexts."""
        columns = [column.name for column in self.database.program.core.relations[relation].columns]
        kept = [i for i, column in enumerate(columns) if "context" not in column and column != "callee"]
        if len(kept) == len(columns):
            return list(self.database[relation])
        return list(dict.fromkeys(tuple(row[i] for i in kept) for row in self.database[relation]))

    @property
    def names(self) -> dict[str, str]:
        return dict(self.rows("MethodName"))

    def targets(self) -> dict[Line, list[str]]:
        """The targets of the calls on each line that are written there, in the order of columns."""
        names, synthetic = self.names, {row[0] for row in self.project.facts["SyntheticInvocation"]}
        found: dict[Line, list[tuple[int, str]]] = defaultdict(list)
        for invocation, method in self.rows("MethodInvocation_Method"):
            if invocation not in synthetic:
                name, line, column = self.project.places[invocation]
                found[name, line].append((column, names.get(method, method)))
        return {line: [target for _, target in sorted(targets)] for line, targets in found.items()}

    def callees(self) -> dict[Line, set[str]]:
        """Whom the calls on each line may call."""
        names = self.names
        found: dict[Line, set[str]] = defaultdict(set)
        for invocation, method in self.rows("CallGraphEdge"):
            name, line, _ = self.project.places[invocation]
            found[name, line].add(names.get(method, method))
        return found

    def objects(self) -> dict[str, set[str]]:
        """var → the objects it points to, as `Class@line`, `"text"` or `opaque T`."""
        found: dict[str, set[str]] = defaultdict(set)
        for heap, var in self.rows("VarPointsTo"):
            found[var].add(self.shown(heap))
        return found

    def shown(self, heap: str) -> str:
        if heap not in self.project.places and "/" not in heap:
            return heap
        if heap not in self.project.places:
            return (
                heap
                if heap.startswith(('"', "opaque "))
                else self.shown(heap.rpartition("/")[0]) + "/" + heap.rpartition("/")[2]
            )
        what = heap.rpartition("/")[2].partition(": ")[0].partition("#")[0]
        return f"{what.removeprefix('new ')}@{self.project.places[heap][1]}"

    def method_at(self, line: Line) -> str:
        """The method whose instructions stand on a line (the first of those with most of them)."""
        methods = [
            method
            for instruction, _, method in self.project.facts["Instruction"]
            if self.project.places[instruction][:2] == line
        ]
        return max(sorted(set(methods)), key=methods.count)

    def assigned(self, relation: str) -> dict[tuple[Line, str], set[tuple]]:
        """(line, variable's name) → what the relation (instruction, var, value…) says of assignments there."""
        found: dict[tuple[Line, str], set[tuple]] = defaultdict(set)
        parts = dict(self.project.facts["Var_PartOf"])
        for instruction, var, *value in self.rows(relation):
            name, line, _ = self.project.places[instruction]
            found[(name, line), parts.get(var, var).rpartition("/")[2]].add(tuple(value))
        return found


@cache
def program(name: str, context: str = "ci") -> Program:
    return load(name, FRONT_END, context)


@cache
def models(*folders: Path) -> Mapping[str, list[tuple]]:
    """The rows about libraries: those of the JDK, and those of the folders."""
    rows, left_out = FRONT_END.models(folders).read()
    assert not left_out
    return rows


def analyse(
    name: str,
    project: Project,
    policy: str = "main",
    *folders: Path,
    reflection: str = "strings",
    context: str = "ci",
    exceptions: str = "near",
    switch: float | None = DEFAULT.rebuilding.share,
) -> Results:
    """Run an analysis of the library over a project; `policy`: as --entry takes it; `folders`: of models of
    libraries; `switch`: as `Database` takes it, None where a change must be made by an update however long it takes."""
    database = Database(program(name, context), switch=switch)
    entry = entry_of(policy)
    facts = {
        **project.facts,
        **models(*folders),
        "EntryPolicy": [(word,) for word in entry.policies],
        "EntryPattern": list(entry.patterns),
        "ReflectionPolicy": [(reflection,)],
        "ExceptionPolicy": [(exceptions,)],
    }
    database.bootstrap({relation: facts[relation] for relation in database.program.inputs if relation in facts})
    return Results(project, database)


def case_project(folder: str) -> Project:
    """All Java files of a folder of cases as one project."""
    paths: Iterable[Path] = sorted((CASES / folder).glob("*.java"))
    return Project.of({path.name: path.read_text(encoding="utf-8") for path in paths})


def short(name: str) -> str:
    """`<a.B$C: int f(int)>` as `C.f`, a lambda of it as `C.f/lambda: call(x)`."""
    found = re.fullmatch(r"<(?:[\w.]*[.$])?([\w]+): \S+ (\S+)\(.*?\)>(/.*)?", name)
    assert found is not None, name
    return f"{found[1]}.{found[2]}{found[3] or ''}"


def wrong_objects(results: Results) -> dict[tuple[int, str], tuple[set[str], set[str]]]:
    """(line, variable) → (what it points to, what the comment `// x = {…}` on its line says), where these differ."""
    project, objects, wrong, seen = results.project, results.objects(), {}, 0
    for line, found in project.comments(r"(\w+) = \{(.*)\}"):
        want = set(filter(None, re.split(r", (?=[^,]*)", found[2])))
        var = f"{results.method_at(line)}/{found[1]}"
        seen += 1
        if objects.get(var, set()) != want:
            wrong[line[1], var] = objects.get(var, set()), want
    assert seen
    return wrong


def unsound(results: Results) -> set[tuple[int, str]]:
    """The (line, kind) of what was not understood."""
    return {(results.project.places[place][1], kind) for place, kind in results.rows("Unsound")}


def assert_calls(
    source: str | Mapping[str, str],
    policy: str = "main",
    reflection: str = "strings",
    resources: Iterable[str] = (),
    context: str = "ci",
    providers: Iterable[tuple[str, str]] = (),
) -> Results:
    """Compare the calls of points-to with comments of the source: `// calls A.f, B.g` or `// calls nothing` at the end
    of a line says whom of the project the calls on it reach, constructors apart. `source`: a file's text, or those of
    several, by name. `resources`: names in other files; `providers`: (service, provider) in META-INF/services."""
    project = Project.of({"M.java": source} if isinstance(source, str) else source)
    project.facts["ResourceName"] = [(name,) for name in resources]
    project.facts["ServiceProvider"] = list(providers)
    results = analyse("pointsto", project, policy, reflection=reflection, context=context)
    callees = results.callees()
    wanted = {
        line: set(found[1].split(", ")) - {"nothing"} for line, found in project.comments(r"calls ([\w.$/#:(), ]+)")
    }
    assert wanted
    own = {name for _, name in results.rows("MethodName")}
    got = {
        line: {short(name) for name in callees.get(line, set()) & own if not NOT_NAMED.search(name)} for line in wanted
    }
    assert got == wanted
    return results
