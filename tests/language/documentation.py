"""The sections and fenced blocks of the documentation, and rows that are written in them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ladder
from ladder.language.core import Kind, Type
from ladder.language.syntax import nodes as s
from ladder.language.syntax.parser import parse_text

DOCS = Path(__file__).parents[2] / "docs"
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KINDS = ("datalog", "facts", "output", "change", "delta", "error", "warning", "python", "text", "console")


@dataclass(frozen=True)
class Block:
    kind: str
    file: str | None
    text: str
    line: int


@dataclass(frozen=True)
class Section:
    """The blocks below one heading."""

    page: str
    title: str
    blocks: tuple[Block, ...]


def sections(path: Path) -> Iterator[Section]:
    """Sections of a page that have examples."""
    text = path.read_text("utf-8")
    starts = [
        0,
        *(m.start() for m in re.finditer(r"^#+ ", text, re.MULTILINE) if text[: m.start()].count("\n```") % 2 == 0),
        len(text),
    ]
    for start, end in itertools.pairwise(starts):
        part = text[start:end]
        blocks = tuple(
            Block(m[1], m[2], m[3], text[: start + m.start()].count("\n") + 1)
            for m in FENCE.finditer(part)
            if m[1] in KINDS
        )
        if blocks:
            yield Section(path.name, part.split("\n", 1)[0].strip("# "), blocks)


ALL = [section for path in sorted(DOCS.glob("*.md")) for section in sections(path)]


def rows_of(text: str) -> Iterator[tuple[str, tuple[s.Expression, ...]]]:
    for item in parse_text(text):
        assert isinstance(item, s.Clause) and item.body is None, text
        for head in item.heads:
            yield head.name, head.arguments


def row_of(db: ladder.Database, relation: str, row: tuple[Any, ...]) -> tuple[Any, ...]:
    columns = db.program.core.relations[relation].columns
    return tuple(value_of(db, cell, column.type) for cell, column in zip(row, columns, strict=True))


def value_of(db: ladder.Database, cell: s.Expression, type_: Type) -> Any:
    """The Python value that a constant of the text stands for."""
    types = db.program.core.types
    match cell:
        case s.Number():
            return float(cell.value) if type_.kind is Kind.FLOAT else cell.value
        case s.String():
            return cell.value
        case s.Nil():
            return None
        case s.Record():
            return tuple(value_of(db, c, types[t]) for c, (_, t) in zip(cell.fields, type_.fields, strict=True))
        case s.Variant():
            fields = dict(type_.branches)[cell.branch]
            return cell.branch, *(value_of(db, c, types[t]) for c, (_, t) in zip(cell.arguments, fields, strict=True))
    raise AssertionError(f"{cell} is no constant")
