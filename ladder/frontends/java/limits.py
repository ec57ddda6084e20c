"""What a file may hold. These limits are far above what people and generators write; a file that reaches one gives one
diagnostic, with its place, instead of facts.

    BYTES       of a file
    TOKENS      of a file
    NESTING     levels of anything in itself: brackets, statements, types, prefix operators, annotations, patterns; also
                parts of a dotted name
    LINKS       in a chain of selectors (`a.b().c[0]…`) or assignments (`a = b = …`)
    BODIES      types and lambdas inside one another, each of which is named after those around it
    DIMENSIONS  of an array type, as in Java
    ROWS        facts of a file, and not more than ROWS_AT_FIRST and ROWS_PER_BYTE for each byte
    NAMES       characters of the names of all variables, instructions and types in these facts, and not more than
                NAMES_AT_FIRST and NAMES_PER_BYTE for each byte
    SECONDS     of processor time

The first eight are properties of the bytes: the same file ends in the same way on every machine. They keep the time and
memory for a file in proportion to its size, so that only a very slow machine reaches SECONDS. The number of operators,
`else if` and `? :` in a row, and the lengths of lists, are limited by TOKENS alone.
"""

from __future__ import annotations

import time

from ladder.frontends.java.tree import Position

BYTES = 32 << 20
TOKENS = 5_000_000
NESTING = 1_000
LINKS = 10_000
BODIES = 100
DIMENSIONS = 255
ROWS = 5_000_000
ROWS_AT_FIRST = 100_000
ROWS_PER_BYTE = 10
NAMES = 200_000_000
NAMES_AT_FIRST = 1_000_000
NAMES_PER_BYTE = 80
SECONDS = 120

LOOK_EVERY = 4096
"""Tokens, nodes or rows between two looks at the clock."""


class LimitReached(Exception):
    """Raised when a file holds more than it may; `description` says of what, `at` where this was found."""

    def __init__(self, description: str, at: Position) -> None:
        super().__init__(description)
        self.description = description
        self.at = at


class OutOfTime(LimitReached):
    """Raised when SECONDS have passed; on another machine, or at another time, the same file may be read in time."""


class Budget:
    """What may still be spent on the facts of one file: `rows`, characters of `names`, and time; `at` is the position
    of the code that is being processed."""

    __slots__ = ("at", "look_at", "most_names", "most_rows", "names", "rows", "until")

    def __init__(self, size: int = BYTES) -> None:
        """Make the budget of a file of `size` bytes."""
        self.rows = self.most_rows = min(ROWS, ROWS_AT_FIRST + ROWS_PER_BYTE * size)
        self.names = self.most_names = min(NAMES, NAMES_AT_FIRST + NAMES_PER_BYTE * size)
        self.look_at = max(self.rows - LOOK_EVERY, 0)
        self.until = time.thread_time() + SECONDS
        self.at: Position = (1, 1)

    def spend(self, rows: int, names: int = 0) -> None:
        """Subtract rows and characters of names; raise LimitReached if nothing is left."""
        self.names -= names
        self.rows -= rows
        if self.names < 0 or self.rows < self.look_at:
            self.look()

    def look(self) -> None:
        """Raise LimitReached at the current position if rows, names or time have run out."""
        if self.rows < 0:
            raise LimitReached(f"The file makes more than {self.most_rows:,} facts", self.at)
        if self.names < 0:
            raise LimitReached(f"The names of the file's facts take more than {self.most_names:,} characters", self.at)
        self.look_at = max(self.rows - LOOK_EVERY, 0)
        self.check_time()

    def is_late(self) -> bool:
        """Return whether the time is over."""
        return time.thread_time() > self.until

    def check_time(self) -> None:
        """Raise LimitReached at the current position if the time is over."""
        if self.is_late():
            raise OutOfTime(f"The file takes more than {SECONDS} seconds", self.at)
