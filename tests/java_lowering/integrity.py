"""What must hold between the rows of one file, whatever the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ladder.frontends.java import schema
from ladder.frontends.protocol import FileFacts

PRIMITIVES = frozenset(("boolean", "byte", "short", "char", "int", "long", "float", "double", "void"))
EXPLAINING = (
    "SimpleTypeUse", "QualifiedTypeUse", "KnownTypeUse", "BinaryTypeUse", "ArrayTypeUse", "ParameterizedTypeUse",
)  # fmt: skip
USES = frozenset(("use", "component", "erasure", "argument"))
INSTRUCTIONS = frozenset(("instruction", "invocation", "successor", "handler"))
VARIABLES = frozenset(("var", "base", "like"))
# Relations whose columns of these names are something else.
OTHER = {"Type": ("name",), "CapturedVar": ("source",)}


def problems(facts: FileFacts) -> Iterator[str]:
    """Describe each violation: dangling uses, variables and instructions, ids that are not unique, unreachable code."""
    rows = facts.relations
    for name, found in rows.items():
        schema.check(name, found)
    uses = Counter(row[0] for name in EXPLAINING for row in rows.get(name, ()))
    yield from (f"use {use} is explained {count} times" for use, count in uses.items() if count > 1)
    instructions = {row[0] for row in rows.get("Instruction", ())}
    variables = Counter(row[0] for row in rows.get("Var_DeclaringMethod", ()))
    yield from (f"{var} has {count} methods" for var, count in variables.items() if count > 1)
    for name, found in rows.items():
        for index, column in enumerate(schema.RELATIONS[name].columns):
            values = {row[index] for row in found}
            if column.name in USES:
                values -= PRIMITIVES
                yield from (f"{name}: unexplained use {v}" for v in values if v not in uses)
            elif column.name in INSTRUCTIONS:
                yield from (f"{name}: unknown instruction {v}" for v in values if v not in instructions)
            elif column.name in VARIABLES:
                yield from (f"{name}: undeclared variable {v}" for v in values if v not in variables)
    yield from _annotation_problems(facts, uses)
    yield from _assigned_problems(facts, variables)
    yield from _position_problems(facts)
    yield from unreachable(facts)


def _annotation_problems(facts: FileFacts, uses: Counter[str | int]) -> Iterator[str]:
    rows = facts.relations
    ids = Counter(row[0] for row in rows.get("Annotation", ()))
    declared = {row[0] for name in ("Type", "Field", "Method", "Var_DeclaringMethod") for row in rows.get(name, ())}
    types = {id for id, kind, *_ in rows.get("Type", ()) if kind == "annotation"}
    yield from (f"{id} is {count} annotations" for id, count in ids.items() if count > 1)
    for id, declaration, _ in rows.get("Annotation", ()):
        if declaration not in declared and declaration not in ids:
            yield f"{id}: unknown declaration {declaration}"
    for id, _, _, kind, value in rows.get("AnnotationElement", ()):
        if id not in ids and id not in types:
            yield f"unknown annotation {id}"
        if kind == "annotation" and value not in ids or kind == "class" and value not in {*uses, *PRIMITIVES}:
            yield f"{id}: unknown {kind} {value}"


def _assigned_problems(facts: FileFacts, variables: Counter[str | int]) -> Iterator[str]:
    for name, found in facts.relations.items():
        names = [column.name for column in schema.RELATIONS[name].columns]
        if "method" in names and "instruction" in names:
            for column in ("source", "target"):
                if column in names:
                    at = names.index(column)
                    yield from (f"{name}: undeclared variable {row[at]}" for row in found if row[at] not in variables)


def _position_problems(facts: FileFacts) -> Iterator[str]:
    positions = Counter(row[0] for row in facts.relations.get("Position", ()))
    yield from (f"{id} has {count} positions" for id, count in positions.items() if count > 1)
    for name, column in (("Instruction", 0), ("Method", 0), ("Type", 0), ("Field", 0), ("LambdaMethod", 0)):
        for row in facts.relations.get(name, ()):
            if row[column] not in positions and not str(row[column]).endswith(".this$0:field"):
                yield f"{row[column]} has no position"


def unreachable(facts: FileFacts) -> Iterator[str]:
    """Describe instructions that no path from an entry or a handler reaches."""
    rows = facts.relations
    successors: dict[object, list[object]] = {}
    for name in ("Next", "ExceptionEdge"):
        for row in rows.get(name, ()):
            successors.setdefault(row[0], []).append(row[1])
    work = [row[0] for row in rows.get("Entry", ())] + [row[0] for row in rows.get("ExceptionHandler", ())]
    reached = set(work)
    while work:
        for successor in successors.get(work.pop(), ()):
            if successor not in reached:
                reached.add(successor)
                work.append(successor)
    yield from (f"{row[0]} is unreachable" for row in rows.get("Instruction", ()) if row[0] not in reached)
