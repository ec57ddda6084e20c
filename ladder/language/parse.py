"""Text → syntax tree: one file's text, with every syntax error of it; inclusion is `sources`' matter."""
from __future__ import annotations

import threading
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedInput

from ladder.language.cachedir import cache_directory
from ladder.language.errors import Error, ProgramError
from ladder.language.recovery import describe, without_faulty_part
from ladder.language.syntax import Item
from ladder.language.tree import TreeBuilder

_GRAMMAR = Path(__file__).with_name("grammar.lark")
_MOST_ERRORS = 20
_lock = threading.Lock()


def parse_text(text: str, file: str = "<text>") -> list[Item]:
    """Items of a program's text, in order; raises `ProgramError` with all its syntax errors."""
    items, errors = parse_partly(text, file)
    if errors:
        raise ProgramError(errors, {file: text})
    return items


def parse_partly(text: str, file: str) -> tuple[list[Item], list[Error]]:
    """The items that could be read, and all syntax errors: the clause or declaration that holds one is left out."""
    errors: list[Error] = []
    items: list[Item] = []
    remaining: str | None = text
    with _lock:
        parser, builder = _parser()
        while remaining is not None and len(errors) < _MOST_ERRORS:
            builder.begin(file)
            try:
                items = parser.parse(remaining)  # type: ignore[assignment]
                break
            except UnexpectedInput as problem:
                errors.append(describe(problem, remaining, file))
                remaining = without_faulty_part(remaining, problem)
        errors.extend(builder.errors)
    return items, errors


@cache
def _parser() -> tuple[Lark, TreeBuilder]:
    """The parser and the builder that its reductions call; the parser's tables are cached on disk."""
    builder = TreeBuilder()
    options: dict[str, Any] = {"parser": "lalr", "maybe_placeholders": True, "transformer": builder}
    grammar = _GRAMMAR.read_text(encoding="utf-8")
    directory = cache_directory()
    if directory is not None:
        return Lark(grammar, cache=str(directory / "grammar.tables"), **options), builder
    return Lark(grammar, **options), builder
