"""A program without its components, and what is told about them."""

from __future__ import annotations

from pathlib import Path

from ladder.language.errors import Errors
from ladder.language.sources import read_program


def expanded(text: str) -> list[str]:
    errors = Errors()
    sources = read_program(text, "p.dl", Path("."), errors)
    errors.raise_if_any(sources.texts)
    return [str(item) for item in sources.items]


def errors_of(text: str) -> list[tuple[int, str]]:
    errors = Errors()
    read_program(text, "p.dl", Path("."), errors)
    return sorted((error.place.line, error.message) for error in errors.found)
