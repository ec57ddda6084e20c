"""Text → syntax tree, for the text of one file, with all its syntax errors; included files are read by
`ladder.language.sources`."""

from __future__ import annotations

import os
import re
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedInput

from ladder.errors import StateError
from ladder.language.errors import Errors
from ladder.language.syntax.nodes import Item
from ladder.language.syntax.origins import Origins
from ladder.language.syntax.recovery import describe, without_faulty_part
from ladder.language.syntax.tree import TreeBuilder
from ladder.support.caches import folder_if_any
from ladder.support.private import open_own

_GRAMMAR = Path(__file__).with_name("grammar.lark")
_MOST_ERRORS = 20
_ANNOTATION_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|@!?\[|[\[\](){}]')
_lock = threading.Lock()


def parse_text(text: str, file: str = "<text>") -> list[Item]:
    """Items of a program's text, in order; raises `ProgramError` with all its syntax errors."""
    errors = Errors()
    items = parse_partly(text, file, errors)
    errors.raise_if_any({file: text})
    return items


def parse_partly(text: str, file: str, errors: Errors, origins: Origins | None = None) -> list[Item]:
    """The items that could be parsed; a clause or declaration with a syntax error is added to `errors` and left out.

    `origins`: the original places of the pieces of the text; None where they are those in the text.
    """
    remaining, lost, reported = without_annotations(text), "", 0
    with _lock:
        parser, builder = _parser()
        while reported < _MOST_ERRORS:
            builder.begin(file, origins)
            try:
                items: list[Item] = parser.parse(remaining)  # type: ignore[assignment]
            except UnexpectedInput as problem:
                reported += 1
                error = describe(problem, remaining, file)
                place = error.place if origins is None else origins.place(error.place.line, error.place.column)
                errors.add(place, error.message, error.hint)
                remaining, faulty = without_faulty_part(remaining, problem)
                if not faulty.strip():
                    break
                lost += faulty
                continue
            except RecursionError:
                errors.add(builder.last, "this is nested too deeply")
                break
            errors.found.extend(builder.errors)
            errors.lost.update(re.findall(r"[?\w]+", lost))
            return items
    errors.incomplete = True
    return []


def without_annotations(text: str) -> str:
    """The text with spaces in place of the annotations `@[…]` and `@![…]`, which may contain any tokens with balanced
    brackets."""
    if "@[" not in text and "@![" not in text:
        return text
    kept, position, depth = [], 0, 0
    for match in _ANNOTATION_TOKEN.finditer(text):
        token = match.group()
        if depth == 0 and token[0] == "@":
            kept.append(text[position : match.start()])
            position, depth = match.start(), 1
        elif depth and token in ("[", "(", "{", "@[", "@!["):
            depth += 1
        elif depth and token in ("]", ")", "}"):
            depth -= 1
            if not depth:
                kept.append(re.sub(r"[^\n]", " ", text[position : match.end()]))
                position = match.end()
    return "".join(kept) + text[position:]


@cache
def _parser() -> tuple[Lark, TreeBuilder]:
    """The parser and the builder that its reductions call; the parser's tables are cached on disk."""
    builder = TreeBuilder()
    options: dict[str, Any] = {"parser": "lalr", "maybe_placeholders": True, "transformer": builder}
    grammar = _GRAMMAR.read_text(encoding="utf-8")
    directory = folder_if_any()
    if directory is None:
        return Lark(grammar, **options), builder
    tables = directory / "grammar.tables"
    with suppress(OSError):
        try:
            os.close(open_own(tables))
        except StateError:
            tables.unlink()
    parser = Lark(grammar, cache=str(tables), **options)
    with suppress(OSError):
        os.chmod(tables, 0o600)  # whatever the umask lets others do
    return parser, builder
