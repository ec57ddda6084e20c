"""Files with `rfc4180=true`: what is written is what Python's reader of CSV reads, and what Ladder reads back."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder import Database, Program
from ladder.facts.files import read_facts, write_outputs

TEXT = """
.type P = [s: symbol, p: P]  .type A = B{{s: symbol, n: number}} | C{{}}
.decl r(s: symbol, n: number, p: P, a: A)
.output r(rfc4180=true, headers=true, filename="r.csv"{parameters})
.input r(rfc4180=true, headers=true, filename="r.csv"{parameters})
"""
ALONE = '.decl r(s: symbol)  .output r(rfc4180=true, filename="r.csv")  .input r(rfc4180=true, filename="r.csv")'
texts = st.text(st.sampled_from('a"\\,;\n\r\t []()$é'), max_size=6)
records = st.recursive(st.none(), lambda inner: st.tuples(texts, inner), max_leaves=3)
branches = st.just(("C",)) | st.tuples(st.just("B"), texts, st.integers(-3, 3))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("csv")


def written(program: Program, rows: list[tuple[object, ...]], folder: Path) -> bytes:
    db = Database(program, engine="reference")
    db.load_rows("r", rows)
    write_outputs(program.core, db, folder, sys.stdout)
    return (folder / "r.csv").read_bytes()


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(texts, st.integers(-3, 3), records, branches), max_size=4, unique=True),
    st.sampled_from(["", ', delimiter=";"', ', delimiter="aa"']),
)
def test_rows_go_round(folder: Path, rows: list[tuple[object, ...]], parameters: str) -> None:
    program = Program.parse(TEXT.format(parameters=parameters))
    content = written(program, rows, folder)
    [(_, again)] = read_facts(program.core, folder)
    assert set(again) == set(rows)
    if not parameters:
        header, *cells = csv.reader(io.StringIO(content.decode(), newline=""))
        assert header == ["s", "n", "p", "a"]
        assert sorted(row[:2] for row in cells) == sorted([s, str(n)] for s, n, _, _ in rows)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("plain", '"plain"'),
        (" with blanks\t", '" with blanks\t"'),
        ("a,b", '"a,b"'),
        ('say "a"', '"say ""a"""'),
        ("two\r\nlines", '"two\r\nlines"'),
        ("back\\slash", '"back\\slash"'),
        ("", '""'),
    ],
)
def test_texts_are_quoted_as_souffle_quotes_them(tmp_path: Path, text: str, line: str) -> None:
    program = Program.parse(ALONE)
    assert written(program, [(text,)], tmp_path).decode() == f"{line}\n"
    [(_, again)] = read_facts(program.core, tmp_path)
    assert set(again) == {(text,)}
