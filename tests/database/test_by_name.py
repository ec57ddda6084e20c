"""What has names is read by them, whatever its order: tables, rows, records, files with headers; names that do not fit
are an error."""

from __future__ import annotations

import gzip
import io
import sqlite3
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from ladder import Database, LadderError, Program
from ladder.support.by_name import are_numbers, order_of_header

PROGRAM = Program.parse("""
.type Point = [x: number, y: number]
.type Tree = Leaf {n: number} | Node {left: Tree, right: Tree}
.decl e(src: symbol, dst: symbol)
.input e
.decl at(a: number, p: Point)
.input at
.decl tree(t: Tree)
.input tree
.decl path(src: symbol, dst: symbol)
.output path
path(x, y) :- e(x, y).
path(x, z) :- path(x, y), e(y, z).
""")


class Edge(NamedTuple):
    dst: str
    src: str


@dataclass
class EdgeData:
    dst: str
    src: str


class Point(NamedTuple):
    y: int
    x: int


Node = namedtuple("Node", "branch right left")
COLUMNS = {"dst": ["B"], "src": ["A"]}


def sqlite_rows() -> list[sqlite3.Row]:
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    return database.execute("SELECT 'B' AS dst, 'A' AS src").fetchall()


class Stream:
    """What hands out Arrow's memory, as polars does."""

    def __arrow_c_stream__(self, schema: object = None) -> object:
        return pa.table(COLUMNS).__arrow_c_stream__(schema)


NAMED: dict[str, Callable[[], Any]] = {
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "pandas with an index": lambda: pd.DataFrame(COLUMNS).set_index("src"),
    "pandas with an index of both": lambda: (
        pd.DataFrame({**COLUMNS, "n": [1]}).set_index(["dst", "src"]).drop(columns="n")
    ),
    "table": lambda: pa.table(COLUMNS),
    "batch": lambda: pa.record_batch(COLUMNS),
    "reader": lambda: pa.table(COLUMNS).to_reader(),
    "stream": Stream,
    "duckdb": lambda: duckdb.sql("SELECT 'B' AS dst, 'A' AS src"),
    "dicts": lambda: [{"dst": "B", "src": "A"}],
    "named tuples": lambda: iter([Edge("B", "A")]),
    "data classes": lambda: [EdgeData("B", "A")],
    "sqlite": sqlite_rows,
    "structured array": lambda: np.array([("B", "A")], dtype=[("dst", "U4"), ("src", "U4")]),
    "records": lambda: np.rec.array([("B", "A")], dtype=[("dst", "U4"), ("src", "U4")]),
    "itertuples": lambda: pd.DataFrame(COLUMNS).itertuples(index=False),
    "some of them": lambda: [("A", "B"), Edge("B", "A")],
}
NUMBERED: dict[str, Callable[[], Any]] = {
    "pandas": lambda: pd.DataFrame([("A", "B")]),
    "empty names": lambda: pa.table([["A"], ["B"]], names=["", ""]),
    "names of pyarrow": lambda: pa.table([["A"], ["B"]], names=["f0", "f1"]),
    "names of Spark": lambda: pa.table([["A"], ["B"]], names=["_1", "_2"]),
    "array": lambda: np.array([["A", "B"]]),
    "lists": lambda: [["A", "B"]],
}
MISFITS: dict[str, tuple[Callable[[], Any], str]] = {
    "unknown": (
        lambda: pd.DataFrame({"dst": ["B"], "source": ["A"]}),
        "e has the columns src, dst, but is given dst, source: src is missing, source is unknown",
    ),
    "other case": (lambda: pa.table({"Src": ["A"], "dst": ["B"]}), "src is missing, Src is unknown"),
    "too many": (lambda: pa.table({"src": ["A"], "dst": ["B"], "n": [1]}), "n is unknown"),
    "an index, too": (lambda: pd.DataFrame(COLUMNS, index=pd.Index([7], name="n")), "n is unknown"),
    "twice": (lambda: pa.table([["A"], ["B"], ["C"]], names=["src", "dst", "dst"]), "dst is there twice"),
    "twice in pandas": (lambda: pd.DataFrame([("A", "B")], columns=["src", "src"]), "the name src twice"),
    "numbers in another order": (lambda: pd.DataFrame([("A", "B")], columns=[1, 0]), "is given '1', '0'"),
    "a dict": (lambda: [{"dst": "B"}], "is given dst: src is missing"),
    "itertuples": (lambda: pd.DataFrame(COLUMNS).itertuples(), "Index is unknown"),
    "a dict of columns": (lambda: COLUMNS, "is not a collection of rows of e. Give a list of tuples, or a table"),
    "another relation": (
        lambda: with_facts("at", [(1, (2, 3))])["at"],
        "e has the columns src, dst, but is given a, p",
    ),
}


def with_facts(relation: str, rows: Any) -> Database:
    db = Database(PROGRAM)
    db.load_rows(relation, rows)
    return db


@pytest.mark.parametrize("form", NAMED)
def test_names_decide(form: str) -> None:
    db = with_facts("e", NAMED[form]())
    assert list(db["e"]) == [("A", "B")]
    db.update(delete={"e": NAMED[form]()})
    assert not len(db["e"])
    db.update(insert={"e": NAMED[form]()})
    db.replace_facts({"e": NAMED[form]()})
    assert list(db["path"]) == [("A", "B")]


@pytest.mark.parametrize("form", NUMBERED)
def test_what_has_no_names_is_read_by_position(form: str) -> None:
    assert list(with_facts("e", NUMBERED[form]())["e"]) == [("A", "B")]


@pytest.mark.parametrize("form", MISFITS)
def test_names_that_do_not_fit_are_refused(form: str) -> None:
    db = with_facts("e", [("x", "y")])
    make, said = MISFITS[form]
    with pytest.raises(LadderError) as refused:
        db.update(insert={"e": make()})
    assert said in str(refused.value) and refused.value.hint
    assert list(db["e"]) == [("x", "y")]


@pytest.mark.parametrize("point", [Point(y=4, x=3), {"y": 4, "x": 3}, (3, 4)])
def test_fields_of_records_are_told_by_their_names(point: Any) -> None:
    assert list(with_facts("at", [(1, point)])["at"]) == [(1, (3, 4))]
    table = pa.table({"p": pa.array([{"y": 4, "x": 3}]), "a": [1]})
    assert list(with_facts("at", table)["at"]) == [(1, (3, 4))]


def test_fields_of_records_in_other_tables() -> None:
    nested = np.array([(1, (4, 3))], dtype=[("a", "i4"), ("p", [("y", "i4"), ("x", "i4")])])
    assert list(with_facts("at", nested)["at"]) == [(1, (3, 4))]
    tree = Node("Node", ("Leaf", 2), {"branch": "Leaf", "n": 1})
    assert list(with_facts("tree", [(tree,)])["tree"]) == [(("Node", ("Leaf", 1), ("Leaf", 2)),)]
    for wrong in ({"y": 4}, Edge("a", "b"), {"x": 1, "y": 2, "z": 3}):
        with pytest.raises(LadderError, match="Point has the columns x, y, but is given"):
            with_facts("at", [(1, wrong)])


def test_rows_of_a_database_have_names_too() -> None:
    db = with_facts("e", [("A", "B")])
    other = Database(Program.parse(".decl back(dst: symbol, src: symbol)\n.input back\n.output back"))
    other.load_rows("back", db["path"])
    assert list(other["back"]) == [("B", "A")]
    assert Edge(dst="B", src="A") in db["e"] and {"dst": "B", "src": "A"} in db["e"] and Edge("A", "B") not in db["e"]
    assert db.explain("path", {"dst": "B", "src": "A"}).row == db.explain("path", Edge("B", "A")).row == ("A", "B")


@pytest.mark.parametrize(
    "names, numbers",
    [
        ("0 1 2", True),
        ("1 2", True),
        ("f0 f1", True),
        ("_c0 _c1", True),
        ("column0 column1", True),
        ("column_1 column_2", True),
        ("1 0", False),
        ("0 2", False),
        ("f0 g1", False),
        ("2 3", False),
        ("x", False),
        ("0 x", False),
        ("", True),
    ],
)
def test_numbers_are_no_names(names: str, numbers: bool) -> None:
    assert are_numbers(names.split(" ")) is numbers


@pytest.mark.parametrize(
    "header, order",
    [
        ("src dst", None),
        ("dst src", [1, 0]),
        ("DST Src", [1, 0]),
        ("from to", None),
        ("n dst src", [2, 1]),
        ("src to", None),
        ("src dst n", None),
        ("", None),
    ],
)
def test_names_in_a_header(header: str, order: list[int] | None) -> None:
    assert order_of_header(header.split(" "), ["src", "dst"], "e", "") == order


@pytest.mark.parametrize("header", ["dst from", "n src", "dst src src", "to src"])
def test_headers_that_contradict(header: str) -> None:
    with pytest.raises(LadderError, match="stand elsewhere"):
        order_of_header(header.split(" "), ["src", "dst"], "e", "")


def read(folder: Path, parameters: str) -> list[tuple[Any, ...]]:
    program = Program.parse(f".decl e(src: symbol, dst: symbol)\n.input e({parameters})\n.output e")
    db = Database(program)
    db.load(folder)
    return list(db["e"])


@pytest.mark.parametrize(
    "parameters, content",
    [
        ("headers=true", b"dst\tsrc\nB\tA\n"),
        ("headers=true", b"\xef\xbb\xbfdst\tsrc\r\nB\tA\r\n"),
        ("headers=true", gzip.compress(b"dst\tsrc\nB\tA\n", mtime=0)),
        ('headers=true, delimiter=","', b"n,dst,src\n1,B,A\n"),
        ("headers=true, rfc4180=true", b'"dst","src"\n"B",A\n'),
        ("headers=true, rfc4180=true", b"dst\tsrc\nB,A\n"),
        ('headers=true, columns="0:1"', b"dst\tsrc\nA\tB\n"),
        ("headers=true", b"from\tto\nA\tB\n"),
    ],
)
def test_files_with_headers(parameters: str, content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "e.facts").write_bytes(content)
    assert read(tmp_path, parameters) == [("A", "B")]
    if content[:2] != b"\x1f\x8b":
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert read(tmp_path, f"IO=stdin, {parameters}") == [("A", "B")]


def test_a_header_that_contradicts_the_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "e.facts").write_text("dst\tfrom\nB\tA\n")
    with pytest.raises(
        LadderError, match=r"e.facts:1: e has the columns src, dst, but is given dst, from.*Correct the header"
    ):
        read(tmp_path, "headers=true")


def test_tables_of_sqlite(tmp_path: Path) -> None:
    def rows(create: str) -> list[tuple[Any, ...]]:
        (tmp_path / "e.sqlite").unlink(missing_ok=True)
        with sqlite3.connect(tmp_path / "e.sqlite") as database:
            database.execute(f"CREATE TABLE e ({create})")
            database.execute("INSERT INTO e VALUES ('B', 'A')")
        return read(tmp_path, "IO=sqlite")

    assert rows("dst, src") == rows("DST, Src") == [("A", "B")]
    assert rows('"0", "1"') == [("B", "A")]
    with pytest.raises(LadderError, match="e.sqlite: e has the columns src, dst, but is given dst, other"):
        rows("dst, other")


def test_json_objects_have_each_name_once(tmp_path: Path) -> None:
    (tmp_path / "e.json").write_text('[{"dst": "B", "src": "A"}]')
    assert read(tmp_path, "IO=jsonfile") == [("A", "B")]
    (tmp_path / "e.json").write_text('[{"dst": "B", "src": "A", "src": "C"}]')
    with pytest.raises(LadderError, match='"src" is there twice'):
        read(tmp_path, "IO=jsonfile")


HEAD, OF_SYMBOLS = ".decl e(src: symbol, dst: symbol)\n.input e\n", ".output p\n.decl p(x: symbol)\np(x) :- e(x, _).\n"
POINTS = ".type P = [{}]\n.decl e(p: P, n: number)\n.input e\n.output p\n.decl p(p: P)\np(p) :- e(p, _).\n"


@pytest.mark.parametrize("strategy", ["elastic", "recompute", "counting"])
@pytest.mark.parametrize(
    "before, after, facts, said",
    [
        (
            HEAD + OF_SYMBOLS,
            HEAD.replace("src", "new").replace("dst", "src").replace("new", "dst") + OF_SYMBOLS,
            ("A", "B"),
            "another order than before: dst",
        ),
        (HEAD + OF_SYMBOLS, HEAD.replace("src", "from").replace("dst", "to") + OF_SYMBOLS, ("A", "B"), ""),
        (
            HEAD + OF_SYMBOLS,
            HEAD.replace("dst: symbol", "dst: symbol, n: number") + OF_SYMBOLS.replace("_)", "_, _)"),
            ("A", "B"),
            "are others than before",
        ),
        (
            HEAD.replace("dst: symbol", "dst: number") + OF_SYMBOLS,
            HEAD + OF_SYMBOLS,
            ("A", 0),
            "are others than before",
        ),
        (
            POINTS.format("x: number, y: number"),
            POINTS.format("y: number, x: number"),
            ((1, 2), 3),
            "another order than before: y",
        ),
        (POINTS.format("x: number, y: number"), POINTS.format("a: number, b: number"), ((1, 2), 3), ""),
        (POINTS.format("x: number, next: P"), POINTS.format("x: number, next: P") + ".decl q()\n", ((1, None), 3), ""),
    ],
)
def test_a_state_whose_facts_stand_in_another_order(
    strategy: str, before: str, after: str, facts: Any, said: str, tmp_path: Path
) -> None:
    db = Database(Program.parse(before), strategy=strategy)
    db.load_rows("e", [facts])
    db.save(tmp_path / "state")
    if said:
        with pytest.raises(LadderError, match=said):
            Database.open(tmp_path / "state", Program.parse(after), strategy=strategy)
        return
    opened = Database.open(tmp_path / "state", Program.parse(after), strategy=strategy)
    assert list(opened["e"]) == [facts] and list(opened["p"]) == [facts[:1]]


def test_a_functor_whose_python_function_has_its_parameters_elsewhere_is_refused() -> None:
    def minus(y: int, x: int) -> int:
        return x - y

    text = ".functor minus({}): number\n.decl n(x: number)\nn(@minus(3, 1)).\n.output n"
    with pytest.raises(
        LadderError, match="the parameter x of the functor minus stands elsewhere in its Python function"
    ):
        Program.parse(text.format("x: number, y: number"), functors={"minus": minus})
    assert list(Database(Program.parse(text.format("y: number, x: number"), functors={"minus": minus}))["n"]) == [(-2,)]
    assert list(Database(Program.parse(text.format("a: number, b: number"), functors={"minus": minus}))["n"]) == [(-2,)]
