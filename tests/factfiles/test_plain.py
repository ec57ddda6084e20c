"""The compiled reader and writer of plain lines against the careful ones."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder import Database, LadderError, Program
from ladder.engine.local.values.symbols import SymbolTable
from ladder.engine.local.values.texts import cells_of_lines, lines_of_cells
from ladder.facts.files import read_facts
from ladder.facts.files.plain import PlainText
from ladder.language.core import Kind
from ladder.support.tuning import DEFAULT, Evaluating

COLUMNS = st.lists(st.sampled_from(["symbol", "number", "unsigned"]), min_size=1, max_size=4)
NUMBERS = [
    "0",
    "7",
    "-7",
    "2147483647",
    "-2147483648",
    "2147483648",
    "4294967295",
    "4294967296",
    "0x1F",
    "0b11",
    "+5",
    " 6",
    "",
    "-",
    "99999999999",
]
TEXTS = [
    "",
    "a",
    "tab-less",
    "x" * 40,
    "ä€😀",
    "e\u0301",
    "12",
    "\r",
    'say "no"',
    "[1]",
    "a\0b",
    "seven b",
    "eight by",
    "nine byte",
]


def program_of(types: list[str], parameters: str) -> Program:
    columns = ", ".join(f"c{i}: {type_}" for i, type_ in enumerate(types))
    return Program.parse(
        f".decl r({columns})\n.input r(IO=file{parameters})\n.decl s({columns})\n"
        f"s({', '.join(f'c{i}' for i in range(len(types)))}) :- "
        f"r({', '.join(f'c{i}' for i in range(len(types)))}).\n.output s\n"
    )


def rows_by(program: Program, folder: Path, carefully: bool) -> list[tuple[Any, ...]] | str:
    """The rows of r, or the message of what was wrong."""
    db = Database(program)
    try:
        for name, rows in read_facts(program.core, folder):
            assert isinstance(rows, PlainText)
            db.load_rows(name, rows.exactly() if carefully else rows)
    except LadderError as error:
        return str(error)
    return sorted(db["s"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("facts")


@st.composite
def files(draw: st.DrawFn) -> tuple[list[str], str, str, bytes]:
    """(types of columns, parameters, delimiter, content): mostly what fits, and sometimes what does not."""
    types = draw(COLUMNS)
    delimiter = draw(st.sampled_from(["\t", ",", ";", " "]))
    parameters = f', delimiter="{delimiter}"' if delimiter != "\t" else ""
    parameters += draw(st.sampled_from(["", ", headers=true", ", rfc4180=true"]))
    wild = draw(st.booleans())
    lines = []
    for _ in range(draw(st.integers(0, 12))):
        good = [draw(st.sampled_from(TEXTS[:8] if type_ == "symbol" else NUMBERS[:3])) for type_ in types]
        if wild and draw(st.integers(0, 5)) == 0:
            good = draw(st.lists(st.sampled_from(TEXTS + NUMBERS), max_size=len(types) + 1))
        lines.append(delimiter.join(good))
    content = draw(st.sampled_from(["\n", "\n", "\r\n"])).join(lines) + draw(st.sampled_from(["", "\n"]))
    return (
        types,
        parameters,
        delimiter,
        content.encode()
        + (draw(st.sampled_from([b"", b"", b"\xff"])) if wild and "headers" not in parameters else b""),
    )


@settings(max_examples=100, deadline=None)
@given(file=files(), compressed=st.booleans())
def test_both_readers_agree(folder: Path, file: tuple[list[str], str, str, bytes], compressed: bool) -> None:
    types, parameters, _, content = file
    program = program_of(types, parameters)
    (folder / "r.facts").write_bytes(gzip.compress(content) if compressed else content)
    assert rows_by(program, folder, carefully=False) == rows_by(program, folder, carefully=True)


@pytest.mark.parametrize(
    "parameters, content",
    [
        ("", b"a\t-1\n"),
        (', headers=true, delimiter=","', b"c0,c1\r\na,-1\r\n"),
        (", rfc4180=true", b"a,-1"),
        (', columns="2:0"', b"-1\t\xff\ta\tb\n"),
    ],
)
def test_plain_files_need_no_care(tmp_path: Path, parameters: str, content: bytes) -> None:
    (tmp_path / "r.facts").write_bytes(content)
    [(_, rows)] = read_facts(program_of(["symbol", "number"], parameters).core, tmp_path)
    assert isinstance(rows, PlainText)
    symbols = SymbolTable()
    cells = rows.cells(partial(cells_of_lines, symbols))
    assert cells is not None and cells.tolist() == [[1, -1]] and symbols.text_of(1) == "a"


def test_blocks_end_anywhere() -> None:
    content = "".join(f"symbol {i * i}\t{i}\t{'long ' * (i % 9)}\n" for i in range(60)).encode()
    kinds: list[tuple[Kind | None, int]] = [(Kind.SYMBOL, 0), (Kind.NUMBER, 1), (Kind.SYMBOL, 2)]

    def read(size: int) -> tuple[list[list[int]], list[str]]:
        symbols = SymbolTable(Evaluating(text_block=size))
        cells = cells_of_lines(symbols, io.BytesIO(content), len(content), b"\t", kinds, False, True, b"")
        assert cells is not None
        return cells.tolist(), symbols.texts_of(range(len(symbols)))

    expected = read(DEFAULT.evaluating.text_block)
    assert len(expected[0]) == 59 and expected[0][5][1] == 6
    for size in (1, 7, 8, 50, 333, 4096):
        assert read(size) == expected


def test_columns_that_are_not_read() -> None:
    symbols = SymbolTable()
    cells = cells_of_lines(
        symbols,
        io.BytesIO(b"a\tb\t3\n\xff\tc\t4\tmore\n"),
        0,
        b"\t",
        [(None, 0), (Kind.SYMBOL, 1), (Kind.NUMBER, 0)],
        True,
        False,
        b"",
    )
    assert cells is not None and cells.tolist() == [[3, 1], [4, 2]] and symbols.texts_of([1, 2]) == ["b", "c"]


@pytest.mark.parametrize("size", [1, 10, 1 << 20])
def test_lines_are_written_as_they_were_read(size: int) -> None:
    content = b"".join(
        b"%s\t%d\t%d\n" % (text.encode(), -i * 7919, i * 71582788) for i, text in enumerate(TEXTS[:5] * 12)
    )
    symbols, kinds = SymbolTable(Evaluating(text_block=size)), [Kind.SYMBOL, Kind.NUMBER, Kind.UNSIGNED]
    cells = cells_of_lines(
        symbols,
        io.BytesIO(content),
        len(content),
        b"\t",
        [(kind, i) for i, kind in enumerate(kinds)],
        False,
        False,
        b"",
    )
    assert cells is not None and len(cells) == 60
    assert b"".join(map(bytes, lines_of_cells(symbols, cells, kinds, b"\t"))) == content


def test_a_damaged_compressed_file(tmp_path: Path) -> None:
    program = program_of(["symbol"], "")
    (tmp_path / "r.facts").write_bytes(gzip.compress(b"a\n" * 100_000)[:-20])
    message = rows_by(program, tmp_path, carefully=False)
    assert "compressed and damaged" in message and message == rows_by(program, tmp_path, carefully=True)


@pytest.fixture(autouse=True)
def _no_warnings() -> Iterator[None]:
    """Surplus columns are told of; here they only have to be treated alike."""
    import warnings

    from ladder.errors import LadderWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LadderWarning)
        yield
