"""The schema of the facts of a Java file: typed relations, checks, and their declarations.

What the relations and their columns mean is written in `relations`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ladder.frontends.java import relations

SYMBOL = "symbol"
NUMBER = "number"


@dataclass(frozen=True)
class Column:
    """A column: its name and its type, `symbol` or `number`."""

    name: str
    type: str


@dataclass(frozen=True)
class Relation:
    """A relation of facts: its name, its columns in order, and one sentence on what a row says."""

    name: str
    columns: tuple[Column, ...]
    doc: str

    @property
    def arity(self) -> int:
        return len(self.columns)


def _relation(name: str, columns: str, doc: str) -> Relation:
    """Build a relation from `"a b n:number"`; a column without a type holds symbols."""
    parts = (column.partition(":") for column in columns.split())
    return Relation(name, tuple(Column(column, kind or SYMBOL) for column, _, kind in parts), doc)


GROUPS = {title: tuple(_relation(*entry) for entry in entries) for title, entries in relations.GROUPS.items()}
RELATIONS: dict[str, Relation] = {relation.name: relation for group in GROUPS.values() for relation in group}


def declarations(names: Iterable[str] | None = None) -> str:
    """Return Soufflé `.decl` and `.input` lines for the named relations (all by default)."""
    return "".join(_declaration(RELATIONS[name]) for name in (RELATIONS if names is None else names))


def markdown() -> str:
    """Return the schema as a Markdown page: one table per group."""
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
    return ", ".join(f"{column.name}: {column.type}" for column in relation.columns)


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
