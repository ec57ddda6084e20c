"""Files that were parsed, for the other programs that include them and are compiled in the same block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_parsed: dict[tuple[str, str], list[Any]] | None = None


@contextmanager
def sharing_files() -> Iterator[None]:
    """A block in which a file that several programs include is parsed once."""
    global _parsed
    before, _parsed = _parsed, {}
    try:
        yield
    finally:
        _parsed = before


def parsed_files() -> dict[tuple[str, str], list[Any]]:
    """(text, file as named in messages) → its items, to be read and added to; outside of such a block a new one."""
    return {} if _parsed is None else _parsed
