"""Every analysis compiles, says what it is, and declares the facts as the front end makes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.analyses.library_models import COLUMNS
from ladder.frontends.java.schema import RELATIONS, type_of
from ladder.frontends.libraries.schema import COLUMNS as COLUMNS_OF_LIBRARIES
from ladder.frontends.protocol import relation as relation_of
from tests.analyses.annotated import ANALYSES, program
from tests.marks import slow_but

COLUMNS_OF_MODELS = dict(COLUMNS.values())
NAMES = sorted(path.stem for path in ANALYSES.glob("*.dl"))
TABLES = {
    "linking": set(),
    "pointsto": {
        "EntryPoint",
        "EntryKind",
        "CallGraphEdge",
        "Reachable",
        "VarPointsTo",
        "InstanceFieldPointsTo",
        "StaticFieldPointsTo",
        "ArrayIndexPointsTo",
        "ContentPointsTo",
        "Unsound",
    },
    "kupdate": {"EntryPoint", "EntryKind", "CallGraphEdge", "Reachable", "VarPointsTo_K"},
    "constprop": {"EntryPoint", "EntryKind", "ConstantAfter", "DecidedBranch", "UnreachableInstruction"},
    "interval": {"EntryPoint", "EntryKind", "IntervalAfter", "DecidedBranch", "UnreachableInstruction"},
}


def test_the_library() -> None:
    assert set(TABLES) <= set(NAMES)


@pytest.mark.parametrize("name", slow_but(["pointsto"], NAMES))
def test_facts_are_declared_as_the_front_end_makes_them(name: str) -> None:
    relations = program(name).core.relations
    options = {
        "EntryPolicy",
        "EntryPattern",
        "ReflectionPolicy",
        "ExceptionPolicy",
        "ResourceName",
        "LibraryVersion",
        "AlgorithmInFile",
        "MappedStatement",
        "NamedInFile",
        "BeanInFile",
        "ServiceProvider",
        "TestUnit",
        "ClassPathCode",
        "TaintModel",
    }
    facts = set(program(name).inputs) - options - set(COLUMNS_OF_MODELS) - set(COLUMNS_OF_LIBRARIES)
    assert facts
    for fact in facts:
        assert [(c.name, c.type.name) for c in relations[fact].columns] == [
            (c.name, type_of(fact, c)) for c in RELATIONS[fact].columns
        ]
    assert "Position" not in relations


def test_models_are_declared_as_they_are_read() -> None:
    relations = program("pointsto").core.relations
    for relation in set(program("pointsto").inputs) & set(COLUMNS_OF_MODELS):
        columns = tuple(column.name for column in relations[relation].columns)
        assert columns == COLUMNS_OF_MODELS[relation]
        assert {column.type.name for column in relations[relation].columns} == {"symbol"}


def test_the_class_path_is_declared_as_its_rows_are_made() -> None:
    relations = program("pointsto").core.relations
    declared = set(program("pointsto").inputs) & set(COLUMNS_OF_LIBRARIES)
    assert declared == set(COLUMNS_OF_LIBRARIES) - {"ClassPathException", "ClassPathOrigin"}
    for name in declared:
        expected = [(column.name, column.type) for column in relation_of(name, COLUMNS_OF_LIBRARIES[name], "").columns]
        assert [(column.name, column.type.name) for column in relations[name].columns] == expected


@pytest.mark.parametrize("name", slow_but(["linking", "pointsto"], sorted(TABLES)))
def test_outputs(name: str) -> None:
    assert TABLES[name] | {
        "MethodName",
        "FieldName",
        "MethodInvocation_Method",
        "PhantomClass",
        "PhantomMethod",
        "UnknownModule",
    } == set(program(name).outputs)


@pytest.mark.parametrize("path", sorted(ANALYSES.rglob("*.dl")), ids=lambda path: path.stem)
def test_first_lines_document(path: Path) -> None:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("// ") and first.rstrip().endswith((".", ":", "dl")) or len(first) > 60
