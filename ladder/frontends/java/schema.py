"""The schema of the facts of a Java file: typed relations, checks, and declarations.

`relations` says what the relations and their columns mean.
"""

from collections.abc import Iterable, Iterator

from ladder.frontends.java import relations
from ladder.frontends.protocol import NUMBER, SYMBOL, Column, Relation
from ladder.frontends.protocol import relation as relation_of

ID_TYPES = {
    "method": "Method",
    "field": "Field",
    "heap": "Heap",
    "invocation": "Invocation",
    **dict.fromkeys(("instruction", "successor", "handler"), "Instruction"),
    **dict.fromkeys(("var", "source", "target", "base", "left", "right", "like"), "Var"),
}
"""Name of a column → what its symbols stand for, the type that analyses declare it with."""
OTHERWISE = {
    ("FunctionalTarget", "target"): SYMBOL,
    ("LambdaMethod", "enclosing"): "Method",
    ("AssignStringConstant", "value"): "Heap",
}
"""Columns of which their names tell something else, or nothing."""
GROUPS = {title: tuple(relation_of(*entry) for entry in entries) for title, entries in relations.GROUPS.items()}
RELATIONS: dict[str, Relation] = {entry.name: entry for group in GROUPS.values() for entry in group}


def type_of(relation: str, column: Column) -> str:
    """The type that analyses declare a column with: a number, a symbol, or what the symbol stands for."""
    if column.type != SYMBOL:
        return column.type
    return OTHERWISE.get((relation, column.name), ID_TYPES.get(column.name, SYMBOL))


def declarations(names: Iterable[str] | None = None) -> str:
    """Return Soufflé's `.decl` and `.input` lines for the named relations, by default for all, below those of the types
    of their columns."""
    types = "".join(f".type {name} = symbol\n" for name in dict.fromkeys(ID_TYPES.values()))
    return types + "".join(_declaration(RELATIONS[name]) for name in (RELATIONS if names is None else names))


def markdown() -> str:
    """Return the schema as a Markdown page with one table per group."""
    return "\n".join(_markdown_lines())


def check(relation: str, rows: Iterable[tuple[object, ...]]) -> None:
    """Raise ValueError if a row does not have the relation's columns and types."""
    if relation not in RELATIONS:
        raise ValueError(f"unknown relation {relation}")
    kinds = tuple(int if column.type == NUMBER else str for column in RELATIONS[relation].columns)
    for row in rows:
        if tuple(map(type, row)) != kinds:
            raise ValueError(f"{relation}: {row!r} does not have the columns {_columns(RELATIONS[relation])}")


def _columns(relation: Relation) -> str:
    return ", ".join(f"{column.name}: {type_of(relation.name, column)}" for column in relation.columns)


def _declaration(relation: Relation) -> str:
    return f"// {relation.doc}\n.decl {relation.name}({_columns(relation)})\n.input {relation.name}\n"


def _markdown_lines() -> Iterator[str]:
    for title, group in GROUPS.items():
        yield f"## {title}\n"
        yield "| relation | a row says |\n|---|---|"
        for relation in group:
            columns = ", ".join(c.name if c.type == SYMBOL else f"{c.name}: {c.type}" for c in relation.columns)
            yield f"| `{relation.name}({columns})` | {relation.doc.replace('|', chr(92) + '|')} |"
        yield ""
