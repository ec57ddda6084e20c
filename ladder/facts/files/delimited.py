"""Rows as lines of cells between delimiters. `_Lines` defines their meaning and reports errors with their place; two
faster readers are used for plain files.

Why there are two of them (measured on two cores, seconds of processor time and peak of memory; in the first three lines
of the table the times of the first two include imports):

                                    compiled (`plain`)     Arrow (`_read_plain`)     `_Lines`
    10 rows                         0.01 s, 112 MB         0.28 s, 184 MB
    a million of two numbers        0.04 s, 119 MB         0.35 s, 230 MB            9.2 s
    a million of two texts          0.52 s, 181 MB         0.87 s, 353 MB            5.9 s
    a million of number and float   (reads none)           0.06 s                    10.5 s

Without the compiled reader, each small `ladder run` would import Arrow, which takes a third of its time, and large
files would need twice the memory. Without Arrow's reader, floats and numbers of 64 bits would take a hundred times as
long, and so would tasks of Spark, whose workers have no kernels.
"""

from __future__ import annotations

import gzip
import mmap
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np

from ladder.errors import LadderError, LadderWarning
from ladder.facts.files.channels import Channel, Written
from ladder.facts.files.plain import PlainText, Rows, has_plain_columns, looks_plain
from ladder.facts.files.reading import Unreadable, read_value
from ladder.language.core import Kind, Type
from ladder.language.values.arithmetic import NARROW
from ladder.language.values.show import show_value
from ladder.support.arrow_memory import copied
from ladder.support.by_name import order_of_header
from ladder.support.counts import counted
from ladder.support.files import FOR_OTHERS, replacing
from ladder.support.tuning import DEFAULT, Reading

if TYPE_CHECKING:
    import pyarrow as pa

ARROW = {Kind.NUMBER: "int32", Kind.UNSIGNED: "uint32", Kind.FLOAT: "float32", Kind.SYMBOL: "string"}
WIDE = {Kind.NUMBER: "int64", Kind.UNSIGNED: "uint64", Kind.FLOAT: "float64"}
GZIP = b"\x1f\x8b"


def read_file(channel: Channel) -> Rows:
    """The rows of a file; raises FileNotFoundError."""
    file = channel.input_file()
    channel = channel_by_header(channel)
    if not (file.is_file() and looks_plain(channel)):
        return _read_carefully(channel, file)
    with file.open("rb") as stream:
        compressed = stream.read(len(GZIP)) == GZIP

    def opened() -> BinaryIO:
        return cast(BinaryIO, _Decompressed(file) if compressed else file.open("rb", buffering=0))

    return PlainText(channel, opened, file.stat().st_size, partial(_read_carefully, channel, file))


def channel_by_header(channel: Channel) -> Channel:
    """The channel of a file; if the file's header has the relation's names in another order, one that reads the columns
    in the order of the relation."""
    file = channel.input_file()
    if not channel.headers or not file.is_file():
        return channel
    with file.open("rb") as stream:
        compressed = stream.read(len(GZIP)) == GZIP
    try:
        with gzip.open(file) if compressed else file.open("rb") as lines:
            line = lines.readline()
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise _damaged(file, error) from None
    return _by_header(channel, line, str(file))


def _by_header(channel: Channel, line: bytes, source: str) -> Channel:
    """The channel for a file with this header line; columns that the directive names by position are not reordered."""
    if not channel.headers or "columns" in channel.directive.parameters:
        return channel
    text = line.decode("utf-8", "replace").removeprefix("\ufeff").rstrip("\r\n")
    delimiter = channel.delimiter if channel.delimiter in text else "\t"  # of headers, which Soufflé writes with tabs
    names = [name.strip(' "') for name in text.split(delimiter)]
    wanted = [column.name for column in channel.relation.columns]
    order = order_of_header(
        names,
        wanted,
        f"{source}:1: {channel.relation.name}",
        'Correct the header, or say which columns are read: columns="0:1".',
    )
    return channel if order is None else channel.reading(order)


class _Decompressed(gzip.GzipFile):
    """A compressed file that is read; `LadderError` where it is damaged."""

    def readinto(self, buffer: Any) -> int:
        try:
            return super().readinto(buffer)
        except (OSError, EOFError, zlib.error) as error:
            raise _damaged(self.name, error) from None


def _read_carefully(channel: Channel, file: Path) -> Rows:

    content = _mapped(file) if file.is_file() and file.stat().st_size else copied(file.read_bytes())
    if content.slice(0, min(len(GZIP), content.size)).to_pybytes() == GZIP:
        content = _decompressed(content, file)
    return _read(channel, content, str(file))


def read_standard_input(channel: Channel) -> Rows:
    """The rows on standard input."""
    content = sys.stdin.buffer.read()
    channel = _by_header(channel, content[: content.find(b"\n") + 1] or content, "standard input")

    def carefully() -> Rows:

        return _read(channel, copied(content), "standard input")

    return (
        PlainText(channel, lambda: BytesIO(content), len(content), carefully) if looks_plain(channel) else carefully()
    )


def write_file(channel: Channel, rows: Written, _out: IO[str]) -> None:
    """Write rows to a file, compressed if the directive says so."""
    with (
        replacing(channel.output_file(), mode=FOR_OTHERS) as temporary,
        gzip.open(temporary, "wb", 6) if channel.compress else temporary.open("wb") as out,
    ):
        if channel.headers:
            out.write(f"{channel.header}\n".encode())
        for part in _lines(channel, rows):
            out.write(part)


def write_standard_output(channel: Channel, rows: Written, out: IO[str]) -> None:
    """Write rows to standard output, between lines that name the relation."""
    write_table(channel, rows, out, channel.headers)


def write_size(channel: Channel, rows: Written, out: IO[str]) -> None:
    """Write a line with the number of rows."""
    out.write(f"{channel.name}\t{len(rows)}\n")


def write_table(channel: Channel, rows: Written, out: IO[str], headers: bool) -> None:
    """Write rows between lines that name the relation, with or without a header of column names."""
    out.write(f"---------------\n{channel.name}\n")
    if headers:
        out.write(f"{channel.header}\n")
    out.write("===============\n")
    for part in _lines(channel, rows):
        out.write(bytes(part).decode("utf-8", "surrogateescape"))
    out.write("===============\n")


def _decompressed(content: pa.Buffer, file: Path) -> pa.Buffer:

    try:
        return copied(gzip.decompress(content))
    except (OSError, EOFError, zlib.error) as error:
        raise _damaged(file, error) from None


def _damaged(file: object, error: Exception) -> LadderError:
    return LadderError(f"{file} is compressed and damaged: {error}.")


def _mapped(file: Path) -> pa.Buffer:
    """The bytes of a file that has some; mapped by Python, since Arrow opens no file whose name is not UTF-8."""
    import pyarrow as pa

    with file.open("rb") as opened:
        return pa.py_buffer(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ))


def read_part(channel: Channel, file: Path, start: int, end: int, note_surplus: Callable[[int], None]) -> Rows:
    """The rows of the lines that begin in this range of bytes of a file whose rows are lines; errors are those of
    `read_file`.

    `note_surplus` is called with the number of rows that have more columns than the relation.
    """

    with file.open("rb") as stream:
        first = _next_line(stream, start)
        size = _next_line(stream, end) - first if first < end else 0
        stream.seek(first)
        content = stream.read(size)
    if start:
        parameters = {**channel.directive.parameters, "headers": "false"}
        channel = replace(channel, directive=replace(channel.directive, parameters=parameters))
    return _read(channel, copied(content), str(file), lambda: _count_lines(channel, file, first), note_surplus)


def is_split(channel: Channel, file: Path) -> bool:
    """Whether the rows of a file are lines, so that its parts can be read separately."""
    if channel.io != "file" or channel.rfc4180 or not channel.types or "\n" in channel.delimiter or not file.is_file():
        return False
    with file.open("rb") as stream:
        return stream.read(len(GZIP)) != GZIP


def _next_line(stream: BinaryIO, at: int) -> int:
    """The position of the first line that begins at or after a position."""
    if at == 0:
        return 0
    stream.seek(at - 1)
    stream.readline()
    return stream.tell()


def _count_lines(channel: Channel, file: Path, end: int) -> int:
    count = 0
    with file.open("rb") as stream:
        while end > 0 and (block := stream.read(min(channel.tuning.block, end))):
            count, end = count + block.count(b"\n"), end - len(block)
    return count


def _read(
    channel: Channel,
    content: pa.Buffer,
    source: str,
    lines_before: Callable[[], int] = lambda: 0,
    note_surplus: Callable[[int], None] | None = None,
) -> Rows:
    """The rows in some content of a source; `lines_before`: how many lines precede it; `note_surplus`: called instead
    of a warning."""
    if not channel.types:
        return [()] if content.size > _length_of_header(channel, content) else []
    if _is_plain(channel, content):
        table = _read_plain(channel, content)
        if table is not None:
            return table
    try:
        text = content.to_pybytes().decode()
    except UnicodeDecodeError as error:
        line = lines_before() + content.to_pybytes().count(b"\n", 0, error.start) + 1
        raise LadderError(f"{source}:{line}: the text is not UTF-8.", "Convert the file.") from None
    lines = _Lines(channel, text, source, lines_before)
    rows = lines.rows()
    if lines.surplus:
        (note_surplus or partial(warn_of_surplus, channel, source))(lines.surplus)
    return rows


def warn_of_surplus(channel: Channel, source: str, surplus: int) -> None:
    """Warn that rows have more columns than their relation."""
    width = max(channel.positions(), default=-1) + 1
    warnings.warn(
        f"{source}: {counted(surplus, 'row')} {'has' if surplus == 1 else 'have'} more than the "
        f"{counted(width, 'column')} of {channel.relation.name}; what is more is left out",
        LadderWarning,
        stacklevel=2,
    )


def _length_of_header(channel: Channel, content: pa.Buffer) -> int:
    return content.to_pybytes().find(b"\n") + 1 if channel.headers else 0


def _is_plain(channel: Channel, content: pa.Buffer) -> bool:
    """Whether the content can be split at delimiters: it has no quotes or records, and all columns are read."""
    if (
        len(channel.delimiter.encode()) != 1
        or channel.delimiter == "\n"
        or not all(type_.written in ARROW for type_ in channel.types)
    ):
        return False
    if "columns" in channel.directive.parameters:
        return False
    characters = b'\r"' if channel.rfc4180 else b"\r[]" if channel.delimiter == "," else b"\r"
    return not _holds(content, characters, channel.tuning.block)


def _holds(content: pa.Buffer, characters: bytes, block: int) -> bool:
    view = memoryview(content)
    blocks = (bytes(view[start : start + block]) for start in range(0, len(view), block))
    return any(character in some for some in blocks for character in characters)


def _read_plain(channel: Channel, content: pa.Buffer) -> pa.Table | None:
    """The rows as read by Arrow; None where some do not fit the types."""
    import pyarrow as pa
    import pyarrow.csv

    types = channel.types
    names = [f"{i}" for i in range(len(types))]
    if content.size <= _length_of_header(channel, content):
        return pa.schema(
            [pa.field(name, _arrow(type_)) for name, type_ in zip(names, types, strict=True)]
        ).empty_table()
    try:
        return pyarrow.csv.read_csv(
            pa.BufferReader(content),
            pyarrow.csv.ReadOptions(
                column_names=names, block_size=channel.tuning.block, skip_rows=int(channel.headers)
            ),
            pyarrow.csv.ParseOptions(
                delimiter=channel.delimiter, quote_char=False, double_quote=False, ignore_empty_lines=len(types) > 1
            ),
            pyarrow.csv.ConvertOptions(
                column_types={n: _arrow(t) for n, t in zip(names, types, strict=True)},
                null_values=[],
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
        return None


def _arrow(type_: Type) -> pa.DataType:
    import pyarrow as pa

    return getattr(pa, (ARROW if type_.wide is None else WIDE)[type_.written])()


class _Lines:
    """Reads a text line by line; every error has its place."""

    def __init__(self, channel: Channel, text: str, source: str, lines_before: Callable[[], int]) -> None:
        self.channel, self.source, self.lines_before = channel, source, lines_before
        self.delimiter, self.types, self.positions = channel.delimiter, channel.types, channel.positions()
        self.width = max(self.positions, default=-1) + 1
        self.lines = text.split("\n")
        if not self.lines[-1]:
            self.lines.pop()
        self.number = 0
        self.surplus = 0

    def rows(self) -> list[tuple[Any, ...]]:
        """All rows; `LadderError` for one that does not fit."""
        if self.channel.headers:
            self.number = 1
        rows = []
        while self.number < len(self.lines):
            start = self.number + 1
            cells = self._cells(self._next())
            if len(cells) == 1 < self.width and not cells[0][1]:
                continue
            rows.append(self._row(cells, start))
        return rows

    def _next(self) -> str:
        line = self.lines[self.number]
        self.number += 1
        return line.removesuffix("\r")

    def _row(self, cells: list[tuple[int, str]], line: int) -> tuple[Any, ...]:
        if len(cells) < self.width:
            at, text = cells[-1]
            columns = counted(len(cells), "column")
            raise self._error(line, at + len(text), f"the row has {columns} instead of {self.width}")
        self.surplus += len(cells) > self.width and "columns" not in self.channel.directive.parameters
        row = []
        for type_, position in zip(self.types, self.positions, strict=True):
            at, text = cells[position]
            try:
                row.append(read_value(text, type_, self.channel.program.types))
            except Unreadable as error:
                raise self._error(line, at + error.at, error.message) from None
        return tuple(row)

    def _error(self, line: int, at: int, message: str) -> LadderError:
        return LadderError(f"{self.source}:{self.lines_before() + line}:{at + 1}: {message}.")

    def _cells(self, line: str) -> list[tuple[int, str]]:
        """For each cell of a line (its start, its text); a quoted cell may continue in the following lines."""
        cells: list[tuple[int, str]] = []
        start = 0
        while True:
            if self.channel.rfc4180 and line.startswith('"', start):
                text, line, end = self._quoted(line, start)
            else:
                end = self._end_of_cell(line, start)
                text = line[start:end]
            cells.append((start, text))
            if end >= len(line):
                return cells
            if not line.startswith(self.delimiter, end):
                raise self._error(self.number, end, "a quoted cell goes on after its quotation mark")
            start = end + len(self.delimiter)

    def _quoted(self, line: str, start: int) -> tuple[str, str, int]:
        """(the text of a quoted cell, the line in which it ends, the position of its end in that line)."""
        parts: list[str] = []
        first, at = self.number, start + 1
        while True:
            end = line.find('"', at)
            if end < 0:
                parts += (line[at:], "\n")
                if self.number == len(self.lines):
                    raise self._error(first, start, "a quotation mark is not closed")
                if self.lines[self.number - 1].endswith("\r"):
                    parts.insert(-1, "\r")
                line, at = self._next(), 0
            elif line.startswith('""', end):
                parts.append(line[at : end + 1])
                at = end + 2
            else:
                parts.append(line[at:end])
                return "".join(parts), line, end + 1

    def _end_of_cell(self, line: str, start: int) -> int:
        """The end of a cell; delimiters inside the brackets of a record do not count if they contain a comma."""
        if "," not in self.delimiter or self.channel.rfc4180:
            end = line.find(self.delimiter, start)
            return len(line) if end < 0 else end
        depth = 0
        brackets = "[]()" if line.startswith("$", start) else "[]"
        for at in range(start, len(line)):
            if depth == 0 and line.startswith(self.delimiter, at):
                return at
            if line[at] in brackets:
                depth += 1 if line[at] in "[(" else -1
        if depth:
            raise self._error(self.number, start, "the brackets of a record are unbalanced")
        return len(line)


def _lines(channel: Channel, rows: Written) -> Iterator[pa.Buffer | memoryview | bytes]:
    """The rows as encoded lines, in blocks of many."""
    if not channel.types:
        if len(rows):
            yield b"()\n"
        return
    if channel.rfc4180:
        yield from _quoted_lines(channel, rows)
        return
    if len(rows) <= channel.tuning.few_rows:
        yield from _lines_of_few(channel, rows)
        return
    if has_plain_columns(channel):
        yield from rows.lines(channel.delimiter.encode())
        return
    for table in rows.tables():
        yield from lines_of_table(table, channel.delimiter, channel.tuning)


def lines_of_table(table: pa.Table, delimiter: str, tuning: Reading = DEFAULT.reading) -> Iterator[pa.Buffer]:
    """The rows of a table as encoded lines, in blocks of many."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = pa.table(
        [_texts(table.column(i)) for i in range(table.num_columns)], names=[str(i) for i in range(table.num_columns)]
    )
    end, nothing, between = _scalar("\n"), _scalar(""), _scalar(delimiter)
    for batch in texts.to_batches(max_chunksize=tuning.rows_joined):
        columns = [pc.cast(column, pa.large_string()) for column in batch.columns]
        joined = pc.binary_join_element_wise(*columns, between) if len(columns) > 1 else columns[0]
        lines = pc.binary_join_element_wise(joined, nothing, end)
        if len(lines):
            offsets = np.frombuffer(lines.buffers()[1], np.int64, len(lines) + 1, 8 * lines.offset)
            yield lines.buffers()[2].slice(int(offsets[0]), int(offsets[-1] - offsets[0]))


def _lines_of_few(channel: Channel, rows: Written) -> Iterator[bytes]:
    types, known, lattices = channel.types, channel.program.types, channel.program.lattices
    for row in rows:
        shown = (show_value(value, type_, known, lattices) for value, type_ in zip(row, types, strict=True))
        yield (channel.delimiter.join(shown) + "\n").encode("utf-8", "surrogatepass")


def _scalar(text: str) -> pa.LargeStringScalar:
    """A text as an Arrow scalar. (`pa.scalar` would import pandas to see whether the text is one of its values.)"""
    import pyarrow as pa

    data = text.encode("utf-8", "surrogateescape")
    offsets = np.array([0, len(data)], np.int64)
    return pa.Array.from_buffers(pa.large_string(), 1, [None, pa.py_buffer(offsets), pa.py_buffer(data)])[0]


def _texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A column as texts; symbols stay dictionary-encoded."""
    import pyarrow as pa

    if not pa.types.is_floating(column.type):
        return column
    distinct, inverse = np.unique(column.to_numpy().view(np.int32), return_inverse=True)
    shown = pa.array([NARROW.show(value) for value in distinct.view(np.float32).tolist()], pa.large_string())
    return pa.chunked_array([pa.DictionaryArray.from_arrays(pa.array(inverse.astype(np.int32)), shown)])


def _quoted_lines(channel: Channel, rows: Written) -> Iterator[bytes]:
    """The rows as lines of CSV. As in Soufflé, texts, records and branches are quoted, other cells where they have a
    delimiter, a quotation mark or a line break. Symbols inside records are quoted as programs quote them."""
    types, known, lattices = channel.types, channel.program.types, channel.program.lattices
    special = frozenset(channel.delimiter) | {'"', "\n", "\r"}
    for row in rows:
        cells = []
        for value, type_ in zip(row, types, strict=True):
            symbol = _in_record if type_.kind is Kind.RECORD else str
            cell = show_value(value, type_, known, lattices, symbol)
            plain = type_.kind not in (Kind.SYMBOL, Kind.RECORD) and cell and special.isdisjoint(cell)
            cells.append(cell if plain else _quoted(cell))
        yield (channel.delimiter.join(cells) + "\n").encode("utf-8", "surrogatepass")


def _quoted(cell: str) -> str:
    doubled = cell.replace('"', '""')
    return f'"{doubled}"'


def _in_record(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
