"""Compares what ran with a call graph: which calls and methods of a run the analysis has, why others are missing."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from recorded import Method, Records, Site

FUNCTIONS = re.compile(
    r"java\.util\.function\..*|java\.lang\.Runnable|java\.util\.concurrent\.Callable|java\.util\.Comparator"
)
AROUND = 6
NEAR = 40  # lines: javac tells of a call of several lines where its statement begins, or its last argument
PLACE = re.compile(r"(.*):(\d+):(\d+)/.*")
LAMBDA = re.compile(r"<?(\S+?)(?:: \S+ |\.)([^\s.(]+)\(([^()]*)\)>?(/lambda: .*)")
Key = tuple[str, str, int, str]


@dataclass(frozen=True)
class Graph:
    """A call graph as `analyze --output` writes it, with the methods that it reaches.

    `calls`: (path, line) → the methods called there; `resolved`: the places of calls whose method is known; `heaps`:
    the places of objects that something points to. `lambdas`: class → the lambdas in it with their lines, in the order
    of lines. `initialisers`: the classes that have static initialisers in their source.
    """

    calls: Mapping[tuple[str, int], frozenset[str]]
    resolved: frozenset[tuple[str, int]]
    reachable: frozenset[str]
    heaps: frozenset[tuple[str, int]]
    lambdas: Mapping[str, Sequence[tuple[int, str]]]
    paths: frozenset[str]
    initialisers: frozenset[str] = frozenset()

    @cached_property
    def by_class(self) -> Mapping[tuple[str, str], Sequence[str]]:
        """(class, name) → the reachable methods, and those called."""
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for method in self.reachable.union(*self.calls.values()):
            parts = re.fullmatch(r"<(\S+): \S+ (\S+)\(.*\)>", method)
            if parts is not None:
                found[parts[1], parts[2]].add(method)
        return {key: sorted(methods) for key, methods in found.items()}

    @cached_property
    def lambda_names(self) -> Mapping[Key, Sequence[str]]:
        """What the lambdas that are called or reached are called in results."""
        found: dict[Key, set[str]] = defaultdict(set)
        for method in self.reachable.union(*self.calls.values()):
            if "/lambda: " in method:
                found[_key(method)].add(method)
        return {key: sorted(methods) for key, methods in found.items()}

    def path(self, file: str) -> str:
        """The path in the project of a file that is known by its package's folder."""
        return self._path_of.get(file, "")

    @cached_property
    def _path_of(self) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for path in sorted(self.paths, key=len, reverse=True):
            parts = path.split("/")
            for start in range(len(parts)):
                found["/".join(parts[start:])] = path
        return found


def graph(output: Path, lambdas: Mapping[str, Sequence[tuple[int, str]]], paths: frozenset[str]) -> Graph:
    """Read the tables of a run of `analyze --format csv`."""
    calls: dict[tuple[str, int], set[str]] = defaultdict(set)
    for place, method in _rows(output / "CallGraphEdge.csv"):
        if (found := PLACE.fullmatch(place)) is not None:
            calls[found[1], int(found[2])].add(method)
    heaps = (PLACE.fullmatch(heap) for heap, _ in _rows(output / "VarPointsTo.csv"))
    resolved = (PLACE.fullmatch(place) for place, _ in _rows(output / "MethodInvocation_Method.csv"))
    return Graph(
        {place: frozenset(methods) for place, methods in calls.items()},
        frozenset((found[1], int(found[2])) for found in resolved if found is not None),
        frozenset(method for (method,) in _rows(output / "Reachable.csv")),
        frozenset({(found[1], int(found[2])) for found in heaps if found is not None}),
        lambdas,
        paths,
    )


def _rows(file: Path) -> Iterator[list[str]]:
    with file.open(encoding="utf-8", newline="") as stream:
        rows = csv.reader(stream)
        next(rows)
        yield from rows


@dataclass
class Recall:
    """How much of a run the graph has.

    `edges`: calls in the project of methods of the project; `methods`: methods entered; each as (seen, all). `missed`:
    cause → examples, for calls whose caller is reached, and for methods not reached though what enters them is.
    """

    edges: tuple[int, int]
    methods: tuple[int, int]
    allocations: tuple[int, int]
    missed: dict[str, list[str]] = field(default_factory=dict)


class Comparison:
    """A run and a graph of the same program."""

    def __init__(self, records: Records, found: Graph) -> None:
        self.records, self.graph = _of_source(records, found.initialisers), found
        self.names: dict[Method, frozenset[str]] = {method: self._names(method) for method in self._all()}

    def _all(self) -> set[Method]:
        return self.records.methods | {site.caller for site, _ in self.records.edges if site is not None}

    def recall(self) -> Recall:
        """Count, and name causes."""
        classes = {method.class_ for method in self.records.methods}
        direct = [(site, m) for site, m in self.records.edges if site is not None and is_direct(site, m, classes)]
        missing = [(site, m) for site, m in direct if not self._has_edge(site, m)]
        methods = self.records.methods
        unreached = {m for m in methods if not self._reached(m)}
        allocations = self.records.allocations
        made = sum(
            any((self.graph.path(m.file), near) in self.graph.heaps for near in _near(m, line))
            for m, line, _ in allocations
        )
        missed: dict[str, list[str]] = defaultdict(list)
        for site, m in missing:
            if self._reached(site.caller):
                missed[self._cause_of_edge(site, m)].append(f"{site.caller.file}:{site.line} → {m}")
        for m, cause in self._roots(unreached, set(direct)):
            missed[cause].append(str(m))
        return Recall(
            (len(direct) - len(missing), len(direct)),
            (len(methods) - len(unreached), len(methods)),
            (made, len(allocations)),
            dict(sorted(missed.items(), key=lambda item: -len(item[1]))),
        )

    def _roots(self, unreached: set[Method], direct: set[tuple[Site, Method]]) -> Iterator[tuple[Method, str]]:
        """Methods that nothing reaches, though the library enters them from code that is reached, with causes."""
        causes: dict[Method, set[str]] = defaultdict(set)
        for site, method in self.records.edges:
            if method not in unreached or (site is not None and (site, method) in direct):
                continue
            if site is None:
                causes[method].add("")
            elif self._reached(site.caller):
                causes[method].add(f"entered by the library in {site.owner}.{site.name}")
        for method, found in sorted(causes.items(), key=lambda item: str(item[0])):
            named = sorted(filter(None, found))
            kind = "class initialiser" if method.name == "<clinit>" else "entered by the library later"
            yield method, named[0] if named else kind

    def _cause_of_edge(self, site: Site, method: Method) -> str:
        if (self.graph.path(site.caller.file), site.line) not in self.graph.resolved:
            return "call: its method is not resolved"
        if method.of_lambda:
            return "call: of a lambda that its variable does not hold"
        if method.name == "<init>":
            return "call: constructor"
        return "call: its receiver is not known to hold such an object"

    def _has_edge(self, site: Site, method: Method) -> bool:
        """Whether the graph has the edge on the line of the call, or near it in the same method."""
        path, wanted = self.graph.path(site.caller.file), self.names[method]
        near = {*_near(site.caller, site.line), *(_around(site.line) if method.name == "<init>" else ())}
        return any(wanted & self.graph.calls.get((path, line), frozenset()) for line in near)

    def _reached(self, method: Method) -> bool:
        return bool(self.names[method] & self.graph.reachable)

    def _names(self, method: Method) -> frozenset[str]:
        """The names that the method may have in the graph: javac adds parameters to constructors and has its own names
        of lambdas."""
        if method.of_lambda:
            return self._names_of_lambda(method)
        if method.name != "<init>":
            return frozenset((str(method),))
        own = ",".join(method.parameters)
        return frozenset(
            name
            for name in self.graph.by_class.get((method.class_, "<init>"), ())
            if _within(re.sub(r".*\((.*)\)>", r"\1", name), own)
        )

    def _names_of_lambda(self, method: Method) -> frozenset[str]:
        """The lambda of the class that begins last before the method's first line."""
        known = [(line, name) for line, name in self.graph.lambdas.get(method.class_, ()) if line <= method.first]
        last = {_key(name) for line, name in known if line == known[-1][0]}
        return frozenset(name for key in last for name in self.graph.lambda_names.get(key, ()))


def _of_source(records: Records, initialisers: frozenset[str]) -> Records:
    """The records without class initialisers that javac adds, for assertions and for switches over enums."""

    def written(method: Method) -> bool:
        return method.name != "<clinit>" or method.class_ in initialisers

    edges = {(s, m) for s, m in records.edges if written(m) and (s is None or written(s.caller))}
    return Records(edges, records.allocations)


def _near(method: Method, line: int) -> range:
    return range(max(method.first, line - NEAR), min(method.last, line + NEAR) + 1)


def _around(line: int) -> range:
    """The lines on which a constructor may be called: javac tells of `new` in a field's initialiser on the line before,
    and of an implied call on the last line of the parameters, where all that it knows of the method may begin or end.
    """
    return range(line - AROUND, line + AROUND + 1)


def _key(name: str) -> Key:
    """What the name of a lambda in facts (`a.B.f(List<T>)/lambda: g(x)`) and that in results have in common: class,
    method, number of parameters, and which lambda in it."""
    found = LAMBDA.fullmatch(name)
    assert found is not None, name
    parameters = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", found[3])))
    return found[1], found[2], parameters.count(",") + bool(parameters), found[4]


def _within(parameters: str, all_: str) -> bool:
    """Whether parameter types are some in a row of others."""
    return f",{parameters}," in f",{all_}," or not parameters


def is_direct(site: Site, method: Method, classes: set[str]) -> bool:
    """Whether the call itself enters the method, rather than what the library does in it."""
    if site.name == method.name and len(site.parameters) == len(method.parameters):
        return site.name != "<init>" or site.owner == method.class_
    if method.of_lambda:
        return site.of_interface and (bool(FUNCTIONS.fullmatch(site.owner)) or site.owner in classes)
    return False
