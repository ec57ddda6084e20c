"""The original places of the pieces of a text that the preprocessor, or the removal of annotations, has changed."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from ladder.language.core import Place


@dataclass
class Origins:
    """The pieces of each line in order: the first column of each, its original place, and whether later columns of the
    piece count on from that place."""

    lines: list[list[tuple[int, Place, bool]]] = field(default_factory=lambda: [[]])

    def add(self, column: int, place: Place, exact: bool) -> None:
        """Add a piece of the last line; one that continues the piece before it is merged with that."""
        line = self.lines[-1]
        if line and exact and line[-1][2]:
            start, before, _ = line[-1]
            if (before.file, before.line) == (
                place.file,
                place.line,
            ) and place.column - before.column == column - start:
                return
        if not line or exact or line[-1][2] or line[-1][1] != place:
            line.append((column, place, exact))

    def new_line(self) -> None:
        self.lines.append([])

    def place(self, line: int, column: int) -> Place:
        """The original place of a line and column, both counted from 1."""
        while line > 1 and not self.lines[line - 1]:
            line, column = line - 1, 1 << 30
        pieces = self.lines[line - 1]
        if not pieces:
            return Place("", 1, 1)
        start, place, exact = pieces[max(bisect_right(pieces, column, key=lambda piece: piece[0]) - 1, 0)]
        if exact and start <= column < 1 << 30:
            return Place(place.file, place.line, place.column + column - start)
        return place
