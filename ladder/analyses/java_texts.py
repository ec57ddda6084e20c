"""Texts of programs that name classes, fields and methods: functors of `java/name_parts.dl`."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32


def inside(literal: str) -> str:
    """A string constant without its quotes."""
    return literal[1:-1]


def begins(name: str, begin: str) -> int:
    """1 if a name begins like this, 0 otherwise."""
    return int(name.startswith(begin))


def ends(name: str, end: str) -> int:
    """1 if a name ends like this, 0 otherwise."""
    return int(name.endswith(end))


def code(text: str) -> int:
    """A number that equal texts have in common, and few others."""
    return _signed(crc32(_bytes(text)))


def code_backward(text: str) -> int:
    """The same of the text read backward."""
    return code(text[::-1])


def codes_of_beginnings(name: str) -> Iterator[int]:
    """The codes of all beginnings of a name that are not empty."""
    value = 0
    for character in name:
        value = crc32(_bytes(character), value)
        yield _signed(value)


def codes_of_ends(name: str) -> Iterator[int]:
    """The codes, read backward, of all ends of a name that are not empty."""
    return codes_of_beginnings(name[::-1])


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _signed(value: int) -> int:
    """32 bits as a number of the language."""
    return value - (1 << 32) if value >> 31 else value
