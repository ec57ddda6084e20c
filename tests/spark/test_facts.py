"""Facts into Spark: the same rows, and the same errors, as the local engine reads, however the files are cut."""

from __future__ import annotations

import gzip
import json
import sqlite3
import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ladder.engine.spark.facts.cells import Cells
from ladder.engine.spark.facts.sources import Facts
from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.lowering.values import Decoder
from ladder.engine.spark.values.dictionary import record_tables
from ladder.errors import LadderError
from ladder.facts.files import read_facts
from ladder.language import core, parse
from ladder.support.tuning import Distributing, Tuning

KINDS = """\
.type List = [head: symbol, tail: List]
.type Tree = Leaf { x: number } | Node { l: Tree, r: List }
.decl plain(a: symbol, n: number, u: unsigned)
.decl real(x: float, a: symbol)
.decl list(l: List, n: unsigned)
.decl tree(t: Tree)
.decl nothing()
"""


def program_of(text: str) -> core.Program:
    return parse(text)


def decoded(program: core.Program, given: Cells) -> dict[str, set[tuple[Any, ...]]]:
    """Relation → its facts as Python values."""
    texts = {row["c0"]: bytes(row["x"]) for row in given.frame(TEXTS).collect()}
    tables = {name: {row[0]: tuple(row[1:]) for row in given.frame(name).collect()} for name in record_tables(program)}
    decoder = Decoder(program.types, texts.__getitem__, lambda table, id_: tables.get(table, {}).get(id_), {})
    found = {}
    for name in (name for name in given.names if name in program.relations):
        types = [column.type for column in program.relations[name].columns]
        found[name] = {
            tuple(decoder.value(cell, t) for cell, t in zip(row, types, strict=True))
            for row in given.frame(name).collect()
        }
    return found


def as_local(program: core.Program, folder: Path) -> dict[str, set[tuple[Any, ...]]]:
    found: dict[str, set[tuple[Any, ...]]] = {}
    for name, rows in read_facts(program, folder):
        values = (
            rows
            if isinstance(rows, list)
            else zip(*(c.to_pylist() for c in rows.columns), strict=True)
            if isinstance(rows, pa.Table)
            else rows
        )
        found.setdefault(name, set()).update(values)
    return found


def write_files(folder: Path, many: int = 9) -> None:
    """Files of all kinds of rows; `many`: how often some of them come."""
    (folder / "plain.facts").write_text(
        "".join(f"s{i % 7}ä\t{i - many}\t{i * 900_000_000 % (1 << 32)}\n" for i in range(4 * many)) + "hex\t0x1F\t0b11"
    )
    (folder / "real.facts").write_text("1.5\tx\n-0\t\n1e-3\ty\nnan\tz\n" + "2.25\tmore\n" * many)
    (folder / "list.facts").write_text("[a, [b, nil]]\t1\nnil\t4294967295\n" * max(many // 3, 1))
    (folder / "tree.facts").write_text("$Leaf(1)\n$Node($Leaf(2), [x, nil])\n")
    (folder / "nothing.facts").write_text("()\n")


def in_parts(size: int) -> Tuning:
    """All files are read by tasks, in parts of so many bytes."""
    return Tuning(distributing=Distributing(small_file=-1, part_of_file=size))


ALL = KINDS + "".join(f".input {name}\n" for name in ("plain", "real", "list", "tree", "nothing"))


@pytest.mark.parametrize(("part", "many"), [(1, 1), (37, 9), (1 << 20, 9)])
def test_large_files_are_read_by_tasks_in_parts(part: int, many: int, spark: Any, tmp_path: Path) -> None:
    """In parts of one byte, too: each of them is a task of its own."""
    program = program_of(ALL)
    write_files(tmp_path, many)
    facts = Facts(program, spark, tuning=in_parts(part))
    facts.read(tmp_path)
    given = facts.cells()
    found, expected = decoded(program, given), as_local(program, tmp_path)
    # nan is not itself
    assert repr(sorted(found.pop("real"), key=repr)) == repr(sorted(expected.pop("real"), key=repr))
    assert found == expected
    assert facts.counts["plain"] == 4 * many + 1
    facts.release()


def test_small_files_are_read_here(spark: Any, tmp_path: Path) -> None:
    program = program_of(ALL)
    write_files(tmp_path)
    facts = Facts(program, spark)
    facts.read(tmp_path)
    found, expected = decoded(program, facts.cells()), as_local(program, tmp_path)
    assert {name: rows for name, rows in found.items() if name != "real"} == {
        name: rows for name, rows in expected.items() if name != "real"
    }


def test_other_forms_of_files(spark: Any, tmp_path: Path) -> None:
    program = program_of("""\
.decl zipped(a: symbol, n: number)
.input zipped
.decl quoted(a: symbol, n: number)
.input quoted(rfc4180=true, headers=true)
.decl data(a: symbol, n: number)
.input data(IO=jsonfile)
.decl table(a: symbol, n: number)
.input table(IO=sqlite)
.decl picked(a: symbol, n: number)
.input picked(columns="2:0", delimiter="||", headers=true)
""")
    (tmp_path / "zipped.facts").write_bytes(gzip.compress(b"a\t1\nb\t2\n"))
    (tmp_path / "quoted.facts").write_text('a,n\n"x, ""y""\nz",1\nplain,2\n')
    (tmp_path / "data.json").write_text(json.dumps([["a", 1], {"a": "b", "n": 2}]))
    with sqlite3.connect(tmp_path / "table.sqlite") as database:
        database.execute("CREATE TABLE 'table' (a TEXT, n INTEGER)")
        database.execute("INSERT INTO 'table' VALUES ('q', 5)")
    (tmp_path / "picked.facts").write_text("h||h||h\n" + "".join(f"{i}||no||t{i}\n" for i in range(30)))
    facts = Facts(program, spark, tuning=in_parts(16))
    facts.read(tmp_path)
    assert decoded(program, facts.cells()) == as_local(program, tmp_path)
    facts.release()


def test_a_header_in_another_order_counts_for_all_parts_of_a_file(spark: Any, tmp_path: Path) -> None:
    program = program_of(
        ".decl e(a: symbol, n: number)\n.input e(headers=true)\n.decl f(a: symbol, n: number)\n.input "
        "f(headers=true, rfc4180=true)"
    )
    (tmp_path / "e.facts").write_text("n\ta\n" + "".join(f"{i}\tt{i}\n" for i in range(30)))
    (tmp_path / "f.facts").write_text("n,a\n" + "".join(f'{i},"t{i}"\n' for i in range(30)))
    facts = Facts(program, spark, tuning=in_parts(16))
    facts.read(tmp_path)
    found = decoded(program, facts.cells())
    assert found == as_local(program, tmp_path) and ("t7", 7) in found["e"] and ("t7", 7) in found["f"]
    facts.release()


@pytest.mark.parametrize(
    "name, line, part",
    [
        ("plain", b"x\t1\n", 9),
        ("plain", b"x\tone\t2\n", 9),
        ("plain", b"x\t1\t-2\n", 1 << 20),
        ("plain", b"\xff\t1\t1\n", 20),
        ("list", b"[a, [b\t1\n", 8),
    ],
)
def test_the_first_malformed_line_is_told_as_the_local_reader_tells_it(
    name: str, line: bytes, part: int, spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = program_of(KINDS + f".input {name}\n")
    good = b"y\t1\t1\n" if name == "plain" else b"nil\t3\n"
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / f"{name}.facts").write_bytes(good * 20 + line + good * 5 + line)
    with pytest.raises(LadderError) as expected:
        for _, rows in read_facts(program, Path("f")):
            rows.exactly() if hasattr(rows, "exactly") else list(rows)
    facts = Facts(program, spark, tuning=in_parts(part))
    facts.read(Path("f"))
    with pytest.raises(LadderError) as found:
        facts.cells()
    assert (found.value.message, found.value.hint) == (expected.value.message, expected.value.hint)


def test_columns_too_many_are_told_once_per_file(spark: Any, tmp_path: Path) -> None:
    program = program_of(KINDS + ".input plain\n")
    (tmp_path / "plain.facts").write_text("a\t1\t2\t3\n" * 25 + "b\t1\t2\n")
    facts = Facts(program, spark, tuning=in_parts(30))
    facts.read(tmp_path)
    with warnings.catch_warnings(record=True) as issued:
        warnings.simplefilter("always")
        facts.cells()
    assert [str(w.message) for w in issued if "left out" in str(w.message)] == [
        f"{tmp_path}/plain.facts: 25 rows have more than the 3 columns of plain; what is more is left out"
    ]
    facts.release()


def test_rows_tables_and_frames(spark: Any) -> None:
    program = program_of(KINDS + 'plain("stated", 1, 2).\nplain("both", 1, 2).\n')
    rows = [("a", -1, 4294967295), ("both", 1, 2)]
    columns = dict(zip("anu", map(list, zip(*rows, strict=True)), strict=True))
    forms: list[Any] = [
        rows,
        pa.table(columns),
        pa.table(columns).to_pandas(),
        spark.createDataFrame(rows, "a STRING, n INT, u BIGINT"),
    ]
    for form in forms:
        facts = Facts(program, spark)
        facts.add("plain", form)
        assert decoded(program, facts.cells()) == {"plain": {*rows, ("stated", 1, 2)}}
        assert facts.asserted_program_facts() == {"plain": [("both", 1, 2)]}
        assert facts.counts["plain"] == 2
        facts.release()
    facts = Facts(program, spark)
    facts.add("list", spark.createDataFrame([("[a, nil]", 1)], "l STRING, n INT"))
    assert decoded(program, facts.cells())["list"] == {(("a", None), 1)}
    facts.release()


def test_no_rows_of_a_relation_end_those_of_others_or_its_own(spark: Any) -> None:
    program = program_of(KINDS + 'plain("stated", 1, 2).\n')
    facts = Facts(program, spark)
    facts.add("list", [])
    facts.add("plain", [])
    facts.add("plain", [("a", 1, 1)])
    facts.add("tree", [])
    assert decoded(program, facts.cells()) == {"list": set(), "tree": set(), "plain": {("stated", 1, 2), ("a", 1, 1)}}


def test_rows_that_do_not_fit(spark: Any) -> None:
    program = program_of(KINDS)
    facts = Facts(program, spark)
    for rows, said in (
        ([("a", 1)], "has 2 columns, but plain has 3"),
        ([("a", "b", 3)], "'b' is not a value of type number"),
        ("no", "not a collection"),
    ):
        with pytest.raises(LadderError, match=said):
            facts.add("plain", rows)
    with pytest.raises(LadderError, match="no relation other"):
        facts.add("other", [])
    facts.add("plain", spark.createDataFrame([("a", 1 << 40, 1)], "a STRING, n BIGINT, u INT"))
    with pytest.raises(LadderError, match="plain.n holds numbers that do not fit into 32 bits"):
        facts.cells()
