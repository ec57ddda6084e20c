"""Rows in SQLite databases: a table of cells per relation, one of symbols, a view per relation that joins them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from ladder.errors import LadderError
from ladder.facts.files.channels import ANYWHERE, Channel, Written
from ladder.facts.files.reading import INTEGERS, Unreadable, read_value
from ladder.language.core import Kind
from ladder.language.values.show import show_value
from ladder.support.by_name import order_of_header

SYMBOLS = "__SymbolTable"
FAULTS = (sqlite3.Error, UnicodeDecodeError)  # the latter of names and of messages about them that are not UTF-8


def read(channel: Channel) -> list[tuple[Any, ...]]:
    """The rows of the table or view with the relation's name; raises FileNotFoundError."""
    place = address(channel, channel.input_file)
    if not place.startswith(("file:", ":memory:")) and not Path(place).is_file():
        raise FileNotFoundError(place)
    try:
        with closing(_connected(place)) as database:
            there = database.execute(
                "SELECT count(*) FROM sqlite_master WHERE type IN ('table', 'view') AND name = ?", (channel.name,)
            ).fetchone()[0]
            if not there:
                raise LadderError(f"{place} has no table or view {channel.name}.", "Say which one it is with name=….")
            found = database.execute(f"SELECT * FROM {_quoted(channel.name)}")
            names, wanted = (
                [name for name, *_ in found.description],
                [column.name for column in channel.relation.columns],
            )
            order = order_of_header(
                names, wanted, f"{place}: {channel.name}", "Rename them, or read a view that does (name=…)."
            )
            rows = found if order is None else (tuple(row[i] for i in order) for row in found)
            return [
                _row(channel, row, f"{place}: row {number} of {channel.name}") for number, row in enumerate(rows, 1)
            ]
    except FAULTS as error:
        raise LadderError(f"{place} cannot be read as an SQLite database: {error}.") from None


def write(channel: Channel, rows: Written, _out: IO[str]) -> None:
    """Write rows into a table, replacing those that were there."""
    place = address(channel, channel.output_file)
    try:
        with closing(_connected(place)) as database, database:
            _create(channel, database)
            symbols: dict[str, int] = {}
            marks = ", ".join("?" * len(channel.types))
            if channel.types:
                cells = ([_cell(channel, value, i, database, symbols) for i, value in enumerate(row)] for row in rows)
                database.executemany(f"INSERT INTO {_quoted('_' + channel.name)} VALUES ({marks})", cells)
    except FAULTS as error:
        raise LadderError(f"{place} cannot be written as an SQLite database: {error}.") from None


def address(channel: Channel, file: Callable[[], Path]) -> str:
    """The path of a database, or the SQLite URI that the directive has in its place."""
    given = channel.directive.parameters.get("filename", channel.directive.parameters.get("dbname", ""))
    if not given.startswith(("file:", ":memory:")):
        return str(file())
    if channel.directive.kind != "input" and not channel.anywhere and given != ":memory:":
        raise LadderError(
            f"The results of {channel.relation.name} would be written to {given}, which may be anywhere.", ANYWHERE
        )
    return given


def check_output(channel: Channel) -> None:
    """Raise `LadderError` where results may not be written to a database."""
    address(channel, channel.output_path)


def _connected(address: str) -> sqlite3.Connection:
    return sqlite3.connect(address, uri=address.startswith("file:"))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _row(channel: Channel, row: Iterable[Any], place: str) -> tuple[Any, ...]:
    cells = tuple(row)
    if len(cells) < len(channel.types):
        raise LadderError(f"{place} has {len(cells)} columns instead of {len(channel.types)}.")
    values = []
    for cell, type_ in zip(cells, channel.types, strict=False):
        try:
            values.append(read_value("" if cell is None else str(cell), type_, channel.program.types))
        except Unreadable as error:
            raise LadderError(f"{place}: {error.message}.") from None
    return tuple(values)


def _cell(channel: Channel, value: Any, column: int, database: sqlite3.Connection, symbols: dict[str, int]) -> Any:
    """A value as it is stored in a table: a symbol as its number in the table of symbols, numbers as they are, others
    as text."""
    type_ = channel.types[column]
    if type_.kind is not Kind.SYMBOL:
        if type_.written in INTEGERS and value < 1 << 63:
            return int(value)
        if type_.written is Kind.FLOAT:
            return float(value)
        return show_value(value, type_, channel.program.types, channel.program.lattices)
    if value not in symbols:
        database.execute(f"INSERT OR IGNORE INTO {_quoted(SYMBOLS)} VALUES (null, ?)", (value,))
        symbols[value] = database.execute(f"SELECT id FROM {_quoted(SYMBOLS)} WHERE symbol = ?", (value,)).fetchone()[0]
    return symbols[value]


def _create(channel: Channel, database: sqlite3.Connection) -> None:
    cells, columns = _quoted("_" + channel.name), channel.relation.columns
    declared = (
        ", ".join(
            f'"{i}" {"REAL" if column.type.written is Kind.FLOAT else "INTEGER"}' for i, column in enumerate(columns)
        )
        or '"0" INTEGER'
    )
    database.execute(f"CREATE TABLE IF NOT EXISTS {cells} ({declared})")
    database.execute(f"DELETE FROM {cells}")
    database.execute(f"CREATE TABLE IF NOT EXISTS {_quoted(SYMBOLS)} (id INTEGER PRIMARY KEY, symbol TEXT UNIQUE)")
    symbolic = [i for i, column in enumerate(columns) if column.type.kind is Kind.SYMBOL]
    shown = [
        (f"s{i}.symbol" if i in symbolic else f'{cells}."{i}"') + f" AS {_quoted(column.name)}"
        for i, column in enumerate(columns)
    ]
    sources = [cells, *(f"{_quoted(SYMBOLS)} AS s{i}" for i in symbolic)]
    joined = " AND ".join(f's{i}.id = {cells}."{i}"' for i in symbolic)
    if database.execute("SELECT type FROM sqlite_master WHERE name = ?", (channel.name,)).fetchone() == ("view",):
        database.execute(f"DROP VIEW {_quoted(channel.name)}")  # its columns may have other names, or another order
    database.execute(
        f"CREATE VIEW IF NOT EXISTS {_quoted(channel.name)} AS "
        f"SELECT {', '.join(shown) or '*'} FROM {', '.join(sources)}" + (f" WHERE {joined}" if joined else "")
    )
