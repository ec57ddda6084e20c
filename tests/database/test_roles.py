"""What a relation is for is told by its part, never by its name."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ladder
from ladder.api.database import Database
from ladder.api.program import Program
from ladder.language.core import Column, Invalid, Kind, Relation, Type, declared_name, helper, verify
from ladder.language.core import Program as Core
from ladder.language.roles import Part, Role, unused
from ladder.report.profiles import lines_of

PACKAGE = Path(ladder.__file__).parent
NUMBER = Column("x", Type("number", Kind.NUMBER))
TEXT = """.lattice Few = "ladder.lattices:k_set(2)"
.decl e(a: number, b: number) .input e
.decl d(a: number, v: Few<>, w: Few<>) .input d
d(b, v, w) :- d(a, v, w), e(a, b).
.decl near(a: number, v: number) .input near
near(a, min(1)) :- e(a, _).
near(b, min(v + 1)) :- near(a, v), e(a, b).
.decl same(a: number, b: number) eqrel .input same
same(a, b) :- e(a, b), a < b.
.decl n(a: number, c: number, s: number)
n(a, c, s) :- e(a, _), c = count : { same(a, _) }, s = sum b : { e(a, b), b > 1 }.
.decl first(a: number, b: number) choice-domain a .input first
first(a, b) :- e(a, b).
.decl alone(a: number)
alone(a) :- e(a, _), !e(_, a), e(x, y), e(y, x).
.type Pair = [a: number, b: number]
.decl pairs(p: Pair)
pairs([a, b]) :- e(a, b), first(a, b).
"""
MORE = "n(a, c, 0) :- first(a, _), c = count : { near(a, v), v < 5 }."
FACTS = {
    "e": [(1, 2), (2, 3), (3, 2), (3, 4), (7, 1)],
    "d": [(1, "{9}", "{8}")],
    "near": [(5, 5)],
    "same": [(9, 8)],
    "first": [(7, 7)],
}


def opaque(part: Part) -> str:
    """A name that nothing can be read from; relations that belong to none are constants of the plans."""
    if not part.of and part.role is not Role.RECORDS:
        return USUAL(part)
    return "h" + hashlib.sha256(repr(part).encode()).hexdigest()[:12]


def USUAL(part: Part) -> str:
    getter = USUAL_NAME.fget
    assert getter is not None
    name: str = getter(part)
    return name


USUAL_NAME: property = vars(Part)["name"]


def reported(folder: Path) -> list[str]:
    """All that a database of the text says, from bootstrap to a state that is opened again after rules came."""
    # programs with functors of their own are not kept on disk; an update may take any time
    db = Database(Program.parse(TEXT, functors={"unused": len}), profile=True, switch=None)
    db.bootstrap(FACTS)
    found = [str(db.explain(name, row)) for name in db.relations for row in sorted(db[name], key=repr)[:3]]
    delta = db.update(insert={"e": [(4, 1)], "near": [(5, 4)]}, delete={"e": [(1, 2)], "same": [(9, 8)]})
    found += [f"{name} {sorted(delta.inserted[name])} {sorted(delta.deleted[name])}" for name in db.relations]
    db.add_rules(MORE)
    db.save(folder)
    scratch = Database(Program.parse(TEXT + MORE, functors={"unused": len}))
    scratch.bootstrap({**FACTS, "e": [*FACTS["e"][1:], (4, 1)], "near": [(5, 4), (5, 5)], "same": []})
    for name, there in db.names_in(scratch).items():
        found.append(f"{name} {sorted(map(repr, zip(*db.state(name).to_pydict().values(), strict=True)))}")
        assert set(map(repr, db.state(name).to_pylist())) == set(map(repr, scratch.state(there).to_pylist()))
    again = Database.open(folder, Program.parse(TEXT, functors={"unused": len}), switch=None)
    again.remove_rules(MORE)
    found += [f"{name} {sorted(map(repr, again[name]))}" for name in again.relations]
    assert db.profile is not None
    return [*found, *sorted({f"{line.work} {line.what}" for line in lines_of(db.profile, db.program, least=0.0)})]


def test_nothing_is_read_from_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With names that say nothing all is as before, but for these names themselves."""
    expected = reported(tmp_path / "usual")
    names: dict[str, str] = {}

    def hidden(part: Part) -> str:
        name = opaque(part)
        names[name] = USUAL(part)
        return name

    monkeypatch.setattr(Part, "name", property(hidden))
    found = reported(tmp_path / "opaque")
    for _ in range(3):  # parts of parts
        found = [re.sub(r"h[0-9a-f]{12}", lambda match: names[match[0]], line) for line in found]
    assert sorted(found) == sorted(expected)
    assert any("$" in line for line in expected)


def test_a_relation_has_the_name_of_its_part() -> None:
    part = Part(Role.GROUPS, "r", number=1)
    verify(Core({part.name: helper(part, (NUMBER,))}, ()))
    for relation in (Relation("r$dom1", (NUMBER,)), Relation("[]1", (NUMBER,)), Relation("s", (NUMBER,), part=part)):
        with pytest.raises(Invalid):
            verify(Core({relation.name: relation}, ()))


def test_parts_of_parts() -> None:
    counted = helper(Part(Role.AGGREGATE, "r", "count", 2), (NUMBER,))
    totals = helper(Part(Role.TOTALS, counted.name), (NUMBER,))
    relations = {relation.name: relation for relation in (Relation("r", ()), counted, totals)}
    assert [declared_name(relation, relations) for relation in relations.values()] == ["r", "r", "r"]
    assert declared_name(helper(Part(Role.UNIT), ()), relations) == ""
    assert unused(Part(Role.JOIN, "r"), {"r$join1", "r$join3"}) == Part(Role.JOIN, "r", number=2)
    assert Part(Role.JOIN, "r", number=2).kind == Part(Role.JOIN, "r", number=7).kind


# Where "$" stands in the sources for something else than parts of relations.
OTHERWISE = {
    "report/results.py": "expressions that match ids",
    "session/analyze.py": "names of Java classes",
    "session/entries.py": "expressions that match names",
    "project/dependencies/maven.py": "properties of poms",
    "checks/monotone.py": "variables",
    "checks/places.py": "marks of words in texts",
    "engine/ordered/components.py": "heads of subsumptions",
    "engine/reference/ordered.py": "heads of subsumptions",
    "engine/local/ordered.py": "a function",
    "engine/spark/layout.py": "the dictionary, which is no relation of plans",
    "engine/spark/failures.py": "names of Java classes",
    "facts/files/delimited.py": "values of algebraic data types",
    "facts/files/reading.py": "values of algebraic data types",
    "language/check/clauses.py": "values of algebraic data types",
    "language/check/lattice_declarations.py": "values of algebraic data types",
    "language/check/scopes.py": "variables",
    "language/check/warnings.py": "an old spelling of a counter",
    "language/core.py": "values of algebraic data types",
    "language/errors.py": "marks of words in texts",
    "language/expressions.py": "variables",
    "language/normalise/aggregates.py": "functions",
    "language/normalise/inline.py": "variables",
    "language/normalise/terms.py": "variables",
    "language/normalise/wide.py": "variables and functions",
    "language/objects/lattice_tables.py": "values of algebraic data types",
    "language/roles.py": "where names of parts are made",
    "language/syntax/branches.py": "variables",
    "language/syntax/nodes.py": "values of algebraic data types",
    "language/syntax/recovery.py": "tokens of the parser",
    "language/values/exact.py": "functions",
    "language/values/show.py": "values of algebraic data types",
    "plan/components.py": "a column",
    "report/sarif.py": "a key of JSON",
    "session/library.py": "names of nested classes",
}
JAVA = ("analyses", "frontends")  # its names have a "$", too, and these know no relations of engines
ANCHOR = re.compile(r"(?<!\\)\$(?=$|\)|\|)")  # the end of a text, in a pattern


def test_only_one_module_makes_names_of_parts() -> None:
    """And none takes them apart: wherever a text of the sources has a "$", it is known what for."""
    found = {
        str(path.relative_to(PACKAGE)): texts
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in JAVA
        and "$" in path.read_text("utf-8")
        and (texts := [text for text in texts_of(path) if "$" in text])
    }
    assert {module: texts for module, texts in found.items() if module not in OTHERWISE} == {}
    assert OTHERWISE.keys() - found.keys() == set()


def texts_of(path: Path) -> Iterator[str]:
    """The texts of a module that are no docstrings; patterns without the marks of a text's end."""
    tree = ast.parse(path.read_text("utf-8"))
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            above = parents[node]
            if isinstance(above, ast.Expr) and isinstance(parents[above], documented):
                continue
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
            yield ANCHOR.sub("", text) if set(text) & set("\\^([") else text
