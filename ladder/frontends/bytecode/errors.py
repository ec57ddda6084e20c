"""What is wrong with a class file, and where."""

from __future__ import annotations


class Malformed(Exception):
    """Raised for bytes that are no class file, or no code of one; `offset` is that of the byte in the file."""

    def __init__(self, description: str, offset: int) -> None:
        super().__init__(description)
        self.description = description
        self.offset = offset


def place(offset: int, line: int = 1) -> tuple[int, int]:
    """The position that stands for a byte of a class file: a line of its source, and the offset plus one as column."""
    return line, offset + 1
