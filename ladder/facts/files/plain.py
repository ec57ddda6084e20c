"""Files of plain lines, which compiled code reads; other files are read by the general reader of `delimited`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from ladder.facts.files.channels import Channel
from ladder.language.core import Kind

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

PLAIN = (Kind.SYMBOL, Kind.NUMBER, Kind.UNSIGNED)
Rows: TypeAlias = "pa.Table | list[tuple[Any, ...]] | PlainText"
ReadLines: TypeAlias = (
    "Callable[[BinaryIO, int, bytes, list[tuple[Kind | None, int]], bool, bool, bytes], npt.NDArray[np.int32] | None]"
)


@dataclass(frozen=True)
class PlainText:
    """The rows of a text that seems to have plain lines. `open` opens the text, `exactly` reads it with the general
    reader; `size`: in bytes."""

    channel: Channel
    open: Callable[[], BinaryIO]
    size: int
    exactly: Callable[[], pa.Table | list[tuple[Any, ...]]]

    def cells(self, read: ReadLines) -> npt.NDArray[np.int32] | None:
        """The rows as cells, which `read` makes of the lines of a stream; None where some line is not plain or has an
        error."""
        channel, positions = self.channel, self.channel.positions()
        columns: list[tuple[Kind | None, int]] = [(None, 0)] * (max(positions) + 1)
        for column, position in enumerate(positions):
            columns[position] = (channel.types[column].written, column)
        delimiter = channel.delimiter.encode()
        forbidden = b'"' if channel.rfc4180 else b"[]" if delimiter == b"," else b""
        spare = "columns" in channel.directive.parameters
        with self.open() as stream:
            return read(stream, self.size, delimiter, columns, spare, channel.headers, forbidden)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        rows = self.exactly()
        return iter(rows if isinstance(rows, list) else zip(*(c.to_pylist() for c in rows.columns), strict=True))


def looks_plain(channel: Channel) -> bool:
    """Whether the lines of a channel may be plain: it reads every column of the file once."""
    positions = channel.positions()
    return has_plain_columns(channel) and len(positions) == len(set(positions)) and channel.delimiter not in "\r\n"


def has_plain_columns(channel: Channel) -> bool:
    """Whether a channel's columns are symbols and integers of 32 bits, with a delimiter of one character."""
    return (
        len(channel.types) > 0
        and len(channel.delimiter) == 1
        and channel.delimiter.isascii()
        and all(
            type_.written in PLAIN and type_.kind is type_.written and type_.wide is None for type_ in channel.types
        )
    )
