"""Malformed facts are refused with their file and line, whatever they are."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.api.program import Program
from ladder.engine.local.values.symbols import SymbolTable
from ladder.engine.local.values.texts import cells_of_lines
from ladder.errors import LadderError
from ladder.facts.files import read_facts
from ladder.facts.files.plain import PlainText
from ladder.language import parse

PROGRAM = """.decl e(x: number, y: number)
.input e
"""
TYPES = (
    ".type P = [x: number, s: symbol]\n.type T = A {} | B {x: number, t: T} | C {s: symbol, p: P}\n.type L = [h: "
    "float, t: L]\n"
)
FRAGMENTS = [
    "1",
    "-1",
    "0x1f",
    "4294967295",
    "1.5",
    "1e400",
    "nan",
    "abc",
    '"',
    '""',
    "\t",
    ",",
    "\n",
    "\r\n",
    "\r",
    "[",
    "]",
    "(",
    ")",
    "$",
    "$A",
    "$B(1,$A)",
    "$C(a,[1,b])",
    "[1,a]",
    "nil",
    "[1.5,[2,nil]]",
    " ",
    "é",
    "\x00",
    "\\",
    "{",
    "}",
    ":",
    "null",
    "[[1]]",
    '[{"x":1}]',
    "\u2028",
    "\x0b",
    "9" * 5000,
    '"a\nb"',
    "0b",
    "+",
    "\x1f\udc8b",
]
PARAMETERS = [
    "",
    'delimiter=","',
    'delimiter=";;"',
    "rfc4180=true",
    "headers=true",
    'columns="1:0"',
    'columns="9"',
    "IO=jsonfile",
    "IO=sqlite",
    "rfc4180=true, headers=true",
    'delimiter="["',
    "IO=stdin",
]


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ("1\t2\n2\tx\n", "e.facts:2:3: 'x' is not a value of type number"),
        ("1\t2\n\n2\n", "e.facts:3:2: the row has 1 column instead of 2"),
    ],
)
def test_the_place_is_told(tmp_path: Path, facts: str, said: str) -> None:
    (tmp_path / "e.facts").write_text(facts)
    with pytest.raises(LadderError) as error:
        [*map(_materialised, (rows for _, rows in read_facts(parse(PROGRAM), tmp_path)))]
    assert said in str(error.value)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(["number", "unsigned", "float", "symbol", "P", "T", "L"]), max_size=3),
    st.sampled_from(PARAMETERS),
    st.lists(st.sampled_from(FRAGMENTS), max_size=12),
    st.sampled_from([32, 64]),
)
@pytest.mark.filterwarnings("ignore::ladder.errors.LadderWarning")
def test_whatever_stands_in_a_file_is_read_or_refused(
    types: list[str], parameters: str, fragments: list[str], domain: int
) -> None:
    columns = ", ".join(f"c{i}: {type_}" for i, type_ in enumerate(types))
    more = f"{parameters}, " if parameters else ""
    program = Program.parse(f'{TYPES}.decl r({columns})\n.input r({more}filename="f")\n', domain=domain)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        file = Path(folder) / "f"
        file.write_bytes("".join(fragments).encode("utf-8", "surrogateescape"))
        with file.open() as given_input:
            patch.setattr("sys.stdin", given_input)
            try:
                rows = _materialised(dict(read_facts(program.core, Path(folder)))["r"])
            except LadderError as error:
                assert error.message
                return
    assert all(len(row) == len(types) for row in rows)


def _materialised(rows: Any) -> list[tuple[Any, ...]]:
    """All rows; of plain text as many as the compiled reader finds, if it finds any."""
    if isinstance(rows, PlainText):
        cells = rows.cells(partial(cells_of_lines, SymbolTable()))
        read = [*rows]
        assert cells is None or len(cells) == len(read)
        return read
    return rows if isinstance(rows, list) else list(zip(*(column.to_pylist() for column in rows.columns), strict=True))
