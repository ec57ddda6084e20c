"""Reading big-endian numbers from a class file, never past the end of what is being read."""

from __future__ import annotations

from ladder.frontends.bytecode.errors import Malformed


class Reader:
    """A cursor in the bytes of a file; `end` is the end of the structure that is being read."""

    __slots__ = ("at", "data", "end")

    def __init__(self, data: bytes, at: int = 0, end: int | None = None) -> None:
        self.data = data
        self.at = at
        self.end = len(data) if end is None else end

    def take(self, count: int, what: str) -> int:
        """Return the offset of the next `count` bytes and move behind them; Malformed if there are fewer."""
        start = self.at
        if count > self.end - start:
            raise Malformed(
                f"{what} needs {count} bytes, and there are {max(self.end - start, 0)} left",
                start,
            )
        self.at = start + count
        return start

    def u1(self, what: str) -> int:
        """Return an unsigned byte."""
        return self.data[self.take(1, what)]

    def u2(self, what: str) -> int:
        """Return an unsigned number of two bytes."""
        start = self.take(2, what)
        return self.data[start] << 8 | self.data[start + 1]

    def u4(self, what: str) -> int:
        """Return an unsigned number of four bytes."""
        start = self.take(4, what)
        return int.from_bytes(self.data[start : start + 4], "big")

    def part(self, count: int, what: str) -> Reader:
        """Return a reader of the next `count` bytes, and move behind them."""
        start = self.take(count, what)
        return Reader(self.data, start, start + count)

    def finished(self, what: str) -> None:
        """Raise Malformed unless everything has been read."""
        if self.at != self.end:
            raise Malformed(f"{what} is followed by {self.end - self.at} bytes that belong to nothing", self.at)
