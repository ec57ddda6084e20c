"""What javac makes of a source means what the source means: executed, linked, and analysed.

Both front ends read the annotated cases of tests/analyses. Where the results differ, the difference is listed with its
reason: the compiler has made implicit code explicit, or replaced it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ladder.frontends.bytecode.facts import facts_of
from tests.analyses.annotated import CASES, Project, Results, analyse, case_project, wrong_objects
from tests.bytecode.compiling import compiled, needs_javac, project_of
from tests.java_lowering.interpreter import Interpreter, Value

pytestmark = [needs_javac, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[2]
RUNS = ROOT / "tests/java_lowering/runs"
EXPECTED = dict(line.split() for line in (RUNS / "Runs.expected").read_text().splitlines())


# ---- execution


class OfClasses(Interpreter):
    """Knows the static fields and the methods of String that compiled code names."""

    def _step(self, at: str, name: str, row: tuple[str | int, ...], v: dict[str, Value]) -> str | None:
        if name == "LoadSimpleName":
            v[str(row[1])] = self.fields.get(str(row[2]), 0)
            return None
        if name == "StoreSimpleName":
            self.fields[str(row[2])] = self._get(v, row[1])
            return None
        return super()._step(at, name, row, v)

    def _call(self, at: str, row: tuple[str | int, ...], v: dict[str, Value]) -> None:
        if row[2] not in ("hashCode", "equals"):
            super()._call(at, row, v)
            return
        base = str(self._get(v, self.details["Invocation_Base", at][0][1]))
        ((_, target),) = self.details["AssignReturnValue", at]
        if row[2] == "equals":
            ((_, _, other),) = self.details["ActualParam", at]
            v[str(target)] = int(base == self._get(v, other))
        else:
            code = 0
            for character in base:
                code = code * 31 + ord(character) & 0xFFFFFFFF
            v[str(target)] = code - (1 << 32) if code >> 31 else code


@pytest.fixture(scope="module", params=["-g", "-g:none"])
def runs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> OfClasses:
    (path,) = compiled([RUNS / "Runs.java"], tmp_path_factory.mktemp("runs"), request.param)
    return OfClasses(facts_of(path.read_bytes()))


@pytest.mark.parametrize("method", EXPECTED)
def test_facts_do_what_java_does(method: str, runs: OfClasses) -> None:
    assert set(map(str, runs.results(f"Runs.{method}()"))) == {EXPECTED[method]}


# ---- annotated cases


def of_cases(folder: str, tmp_path_factory: pytest.TempPathFactory, *without: str) -> Project:
    sources = [path for path in sorted((CASES / folder).glob("*.java")) if path.name not in without]
    return project_of(compiled(sources, tmp_path_factory.mktemp(folder)), sources)


def unread(project: Project, var: str) -> bool:
    """Whether no variable has this name: javac forgets those that nothing reads."""
    return not any(row[0] == var for row in project.facts["Var_DeclaringMethod"])


MADE_BY_THE_COMPILER = {
    # A constructor reference is a lambda whose body calls the constructor, at the place of the reference.
    ("pointsto", "n"): {"Item@96"},
    ("library", "k"): {"A@108"},
    # The array for a variable number of arguments is made by an instruction.
    ("pointsto", "all"): {"Object[]@74"},
}


@pytest.mark.parametrize("folder", ["pointsto", "library"])
def test_objects(folder: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    project = of_cases(folder, tmp_path_factory)
    wrong = {
        var: got
        for (_, var), (got, _) in wrong_objects(analyse("pointsto", project)).items()
        if not unread(project, var)
    }
    assert {(folder, var.rpartition("/")[2]): got for var, got in wrong.items()} == {
        key: objects for key, objects in MADE_BY_THE_COMPILER.items() if key[0] == folder
    }


def test_constants(tmp_path_factory: pytest.TempPathFactory) -> None:
    project = of_cases("values", tmp_path_factory)
    results = analyse("constprop", project)
    assigned, wrong, seen = results.assigned("ConstantAfter"), {}, 0
    for line, found in project.comments(r"(\w+) is (\S+)"):
        got = {value for (value,) in assigned.get((line, found[1]), set())} or {"any"}
        seen += 1
        if got != {found[2]} and not unread(project, f"{results.method_at(line)}/{found[1]}"):
            wrong[found[1]] = got
    assert seen > 30
    assert wrong == {
        "big": {"2147483647"},  # javac computes the constant expression
        "named": {"20"},  # and the labels of a switch
        "seven": {"any"},  # a new array has zeros until each element is stored
        "five": {"any"},
        "joined": {"any"},
        "two": {"any"},  # a switch on a string is one on its hash code
    }


def test_intervals(tmp_path_factory: pytest.TempPathFactory) -> None:
    project = of_cases("values", tmp_path_factory)
    results = analyse("interval", project)
    assigned, wrong, seen = results.assigned("IntervalAfter"), {}, 0
    for line, found in project.comments(r"(\w+) in (any|\[.*\])"):
        got = {f"[{low}, {high}]" for low, high in assigned.get((line, found[1]), set())} or {"any"}
        seen += 1
        unknown = unread(project, f"{results.method_at(line)}/{found[1]}")
        if (found[2] not in got or (len(got) > 1 and found[1] not in ("i", "j"))) and not unknown:
            wrong[found[1]] = got
    assert seen > 20
    # a new array has zeros until each element is stored; class files have branches where sources have the truth values
    # that are passed to methods which check them
    checked = {"bounded": {"any"}, "checked": {"[1, 2147483647]"}, "inside": {"any"}}
    assert wrong == {"letter": {"[0, 99]"}, **checked}


IMPLIED = re.compile(
    r"<java\.lang\.(Object|Enum|Record): void <init>\(.*|.*: void <init>\(\)>"  # super(), written or not
    r"|<java\.util\.(Iterator|List|Set): .* (iterator|hasNext|next)\(\)>"  # for-each
    r"|<java\.lang\.\w+: \S+ (valueOf|\w+Value)\(.*"  # boxing
    r"|.*: \S+ (lambda\$|access\$|\$values).*"  # what javac makes
    r"|<java\.lang\.Object: java\.lang\.Object clone\(\)>|<java\.util\.Objects: .*|<\?: .*"  # members of enums, records
    r"|<java\.lang\.Object: (int hashCode|java\.lang\.String toString)\(\)>"
)


def test_targets_of_calls(tmp_path_factory: pytest.TempPathFactory) -> None:
    """javac's choice among overloaded methods, which linking of source computes, is what its code says."""
    compiled_cases = of_cases(
        "linking", tmp_path_factory, "Phantoms.java", "Access.java", "Imports.java", "Imported.java"
    )
    source, classes = analyse("linking", case_project("linking")), analyse("linking", compiled_cases)
    wanted, got = source.targets(), classes.targets()
    compared = 0
    for line in sorted(set(wanted) & {line for line in wanted if line[0] in compiled_cases.texts}):
        rest = list(got.get(line, []))
        for target in wanted[line]:
            plain = without_enclosing(target, compiled_cases)
            found = next(
                (each for each in rest if each == target or without_enclosing(each, compiled_cases) == plain), ""
            )
            if not found and "Names.super" in compiled_cases.texts[line[0]][line[1] - 1]:
                continue  # a method `access$001` of the enclosing class makes this call
            assert found, (line, target, got.get(line))
            rest.remove(found)
            compared += 1
        assert all(IMPLIED.fullmatch(each) or "<init>" in each or "compareTo" in each for each in rest), (line, rest)
    assert compared > 100


def without_enclosing(target: str, project: Project) -> str:
    """A constructor of an inner class without the enclosing instance, which compiled code passes as a parameter."""
    found = re.fullmatch(r"<(.*): void <init>\(([\w.$]+)(,.*)?\)>", target)
    if found and found[1].startswith(f"{found[2].partition('$')[0]}$"):
        return f"<{found[1]}: void <init>({(found[3] or '').removeprefix(',')})>"
    return target


# ---- the sample project


MADE = re.compile(
    r"<.*: \S+ \$?values\(\)>|<.*\$1: void <clinit>\(\)>"  # the constants of an enum; which case is which in a switch
    r"|<.*: (boolean equals\(java\.lang\.Object\)|int hashCode\(\)|java\.lang\.String toString\(\))>"  # of records
    r"|<.*: void <clinit>\(\)>"  # for the values of constant fields
)
INITIALISER = re.compile(r"<(.*): void <(?:init|init-block)>\(.*")


@dataclass
class CallGraph:
    """A call graph over names of methods of the project: calls in a lambda are calls of the method around it, those of
    initialisers are calls of the constructor, and methods that javac adds to pass a call on are left out."""

    edges: set[tuple[str, str]]
    reachable: set[str]

    @classmethod
    def of(cls, results: Results) -> CallGraph:
        names = results.names
        facts = results.project.facts
        bodies = {row[0] for row in facts["LambdaMethod"]} if facts["ExactInvocation"] else set()
        passing = {row[0] for row in facts["Method_Modifier"] if row[1] == "bridge"} | bodies
        caller = {row[0]: row[4] for row in facts["Invocation"]} | {row[0]: row[3] for row in facts["MethodReference"]}
        calls: dict[str, set[str]] = defaultdict(set)
        for invocation, callee in results.rows("CallGraphEdge"):
            if callee in names:
                calls[caller[invocation]].add(callee)
        around = {row[0]: row[1] for row in facts["LambdaMethod"]}
        around |= {callee: body for body in bodies for callee in calls[body] if ".lambda$" in callee}

        def named(method: str) -> str:
            while method in around:
                method = around[method]
            initialiser = INITIALISER.fullmatch(names[method])
            return f"<{initialiser[1]}: <init>>" if initialiser else names[method]

        def reached(method: str, seen: frozenset[str] = frozenset()) -> Iterator[str]:
            """What is called behind the methods that pass a call on."""
            for callee in calls[method]:
                if callee not in passing:
                    yield callee
                elif callee not in seen:
                    yield from reached(callee, seen | {callee})

        edges = {
            (named(m), named(callee))
            for m in list(calls)
            if m not in passing or m in bodies
            for callee in reached(m)
            if named(m) != named(callee)
        }
        return cls(edges, {named(row[0]) for row in results.rows("Reachable") if row[0] not in passing})


def test_the_call_graph_of_the_sample_project(tmp_path_factory: pytest.TempPathFactory) -> None:
    sources = sorted((ROOT / "corpora/bookshop").rglob("*.java"))
    classes = project_of(compiled(sources, tmp_path_factory.mktemp("bookshop")), sources)
    source = Project.of({str(path): path.read_text("utf-8") for path in sources})
    wanted, got = (CallGraph.of(analyse("pointsto", project)) for project in (source, classes))
    assert len(wanted.edges) > 1000
    found = {spoken(name) for name in got.reachable - wanted.reachable if not MADE.fullmatch(name)}
    assert found <= {callee for _, callee in MORE}
    more = {edge for edge in got.edges - wanted.edges if not any(map(MADE.fullmatch, edge))}
    assert {(spoken(caller), spoken(callee)) for caller, callee in more} == MORE
    fewer = {(caller, callee) for caller, callee in wanted.edges - got.edges if "valueOf" not in caller}
    assert {name.rpartition(": ")[0] for name in wanted.reachable - got.reachable} <= {
        callee.rpartition(": ")[0] for _, callee in fewer
    }
    unexplained = {
        (caller, callee)
        for caller, callee in fewer
        if not OPAQUE_IN_SOURCE.search(f"{caller} {callee}") and spoken(caller) not in GIVEN_BY_TYPE
    }
    assert len(fewer) < 80 and not unexplained


def spoken(name: str) -> str:
    """`<a.B$C: int f(int)>` as `C.f`, the initialiser `<a.B: <init>>` as `B.<init>`."""
    return f"{re.split(r'[.$]', name.partition(':')[0])[-1]}.{name.partition('(')[0].split()[-1].rstrip('>')}"


MORE = {
    # `String[]::new` is a method `lambda$visitors$0`.
    ("Sequence.toArray", "Script.visitors"),
}
# Methods with functions whose parameters have a type in compiled code alone: in source, `event -> event.order()` is
# given objects of which `order()` is called by its name, events of other types too.
GIVEN_BY_TYPE = {
    "Basket.total",
    "Bestsellers.install",
    "Loyalty.summary",
    "Parcels.<init",
    "SalesReport.takings",
    "Script.search",
    "Sequence.map",
    "StockReport.body",
    "Week.quietSpans",
}
# What a method reference to a method of the library returns is opaque in source, and known in compiled code, where it
# is the result of an ordinary call. In this project such objects are elements of sequences, on which calls are
# dispatched to whatever escaped.
OPAQUE_IN_SOURCE = re.compile(
    r"\b(Author: (\S+ (titles|sortName|name)\(\)|int compareTo\(\S+)|LinkedSequence: int size\(\)"
    r"|Formula\$\w+: (boolean equals|int hashCode|int value|\S+ name)\(\S*|OutOfStockException: \S+ title\(\)"
    r"|(Title|OrderLine): \S+ (name|title|price|copies)\(\)|Warehouse\$Place: (int free\(\)|void add\(int\)))>$"
)
