"""Names in result tables."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import cast

import pyarrow as pa
import pytest

from ladder.errors import Unsupported
from ladder.facts.tables import write_table
from ladder.frontends.java import DISPLAY
from ladder.lattices import TOP
from ladder.report.results import Naming, Places, about_temporaries, with_sets
from ladder.report.summary import AnalysisReport, Report, Scope, as_json, as_text
from ladder.session.tables import in_order
from ladder.support.tuning import Keeping
from tests.session.projects import analyse, changes, tables, write

NOTHING = (pa.array([], pa.string()), pa.array([], pa.string()))


def places(*rows: tuple[str, str, int, int]) -> Places:
    identity, path, line, column = zip(*rows, strict=True)
    return Places.of(
        pa.table(
            {
                "id": pa.array(identity),
                "path": pa.array(path),
                "line": pa.array(line, pa.int32()),
                "column": pa.array(column, pa.int32()),
            }
        ),
        DISPLAY,
    )


def named(naming: Naming, type_: str, *ids: str) -> list[str]:
    plain = pa.chunked_array([pa.array(ids, pa.string())])
    encoded = pa.chunked_array([pa.array(["unused", *ids], pa.large_string()).dictionary_encode().slice(1)])
    table = naming.rename(pa.table({"plain": plain, "encoded": encoded}), [type_, type_])
    assert table["encoded"].to_pylist() == table["plain"].to_pylist()
    return cast(list[str], table["plain"].to_pylist())


NAMING = Naming(
    places(
        ("a.B.m(int)/call f: a.f(x)", "x/B.java", 3, 5),
        ("a.B.m(int)/call f: a.f(x)#10", "x/B.java", 3, 5),
        ('a.B.m(int)/call f: b.f(": #1")', "x/B.java", 3, 5),
        ("a.B.m(int)/call g: g()", "x/B.java", 3, 5),
        ("a.B.m(int)/new T[]: a = new T[2]", "x/B.java", 4, 1),
        ('a.B.m(int)/assign: x = y["#3"]#2', "x/B.java", 9, 2),
        ("a.B.m(int)/lambda: use(x)", "x/B.java", 5, 1),
        ("a.B.m(int)/lambda: use(x)/return: end", "x/B.java", 5, 8),
    ),
    {
        "method": (
            pa.array(["a.B.m(int)", "a.B.m(int)/lambda: use(x)"]),
            pa.array(["<a.B: void m(int)>", "<a.B: void m(int)>/lambda: use(x)"]),
        ),
        "field": (pa.array(["a.B.f:field"]), pa.array(["<a.B: int f>"])),
    },
    DISPLAY,
)


def test_sites() -> None:
    assert named(
        NAMING,
        "Invocation",
        "a.B.m(int)/call f: a.f(x)",
        'a.B.m(int)/call f: b.f(": #1")',
        "a.B.m(int)/call f: a.f(x)#10",
        "a.B.m(int)/call g: g()",
    ) == ["x/B.java:3:5/f", "x/B.java:3:5/f#2", "x/B.java:3:5/f#3", "x/B.java:3:5/g"]
    assert named(
        NAMING,
        "Heap",
        "a.B.m(int)/new T[]: a = new T[2]",
        "a.B.m(int)/lambda: use(x)",
        '"text/with#1"',
        "opaque java.io.File",
    ) == ["x/B.java:4:1/new T[]", "x/B.java:5:1/lambda", '"text/with#1"', "opaque java.io.File"]
    assert named(
        NAMING,
        "Instruction",
        'a.B.m(int)/assign: x = y["#3"]#2',
        "a.B.m(int)/lambda: use(x)/return: end",
        'a.B.m(int)/call f: b.f(": #1")/varargs',
    ) == ["x/B.java:9:2/assign", "x/B.java:5:8/return", "x/B.java:3:5/varargs#2"]


def test_variables_methods_fields_and_the_rest() -> None:
    assert named(NAMING, "Var", "a.B.m(int)/x", "a.B.m(int)/lambda: use(x)/@this", "z.Q.m()/$(f(x))", "odd") == [
        "<a.B: void m(int)>/x",
        "<a.B: void m(int)>/lambda: use(x)/@this",
        "z.Q.m()/$(f(x))",
        "odd",
    ]
    assert named(NAMING, "method", "a.B.m(int)", "other") == ["<a.B: void m(int)>", "other"]
    assert named(NAMING, "Field", "a.B.f:field", "other") == ["<a.B: int f>", "other"]
    assert named(NAMING, "Type", "a.B$C") == ["a.B$C"]


@pytest.mark.parametrize("at_once", [1, 1 << 20], ids=["table by table", "at once"])
def test_many_tables_are_named_as_each_alone(at_once: int) -> None:
    ids = ["a.B.m(int)", "a.B.m(int)/call g: g()", "a.B.m(int)/lambda: use(x)", "", "a.B.f:field", "other"]
    types = ["Method", "Heap", "Field", "Var", "Invocation", "number", "Type"]
    tables = [
        pa.table({type_: column * (type_ != "number") or [*range(6)] for type_ in types})
        for column in (ids, ids[::-1], ids[:1] * 6)
    ]
    empty = tables[0].slice(0, 0)
    renamed = NAMING.rename_all([(table, types) for table in (*tables, empty)], Keeping(named_at_once=at_once))
    assert [table.to_pydict() for table in renamed] == [
        NAMING.rename(table, types).to_pydict() for table in (*tables, empty)
    ]
    assert renamed[0].to_pylist()[1]["Heap"] == "x/B.java:3:5/g" and renamed[0]["Method"][3].as_py() == ""


def test_sets_become_text_of_names() -> None:
    column = [frozenset(("a.B.m(int)/new T[]: a = new T[2]", "a.B.m(int)/lambda: use(x)")), TOP, frozenset()]
    table = with_sets(pa.table({"v": ["x", "y", "z"], "s": ["", "", ""]}), {1: column})
    assert NAMING.rename(table, ["symbol", "Objects"])["s"].to_pylist() == [
        "{x/B.java:4:1/new T[], x/B.java:5:1/lambda}",
        "Top",
        "{}",
    ]
    assert with_sets(pa.table({"s": ["(1, 2)"]}), {0: [(1, 2)]})["s"].to_pylist() == ["(1, 2)"]


def test_empty_tables_keep_their_columns(tmp_path: Path) -> None:
    empty = pa.table({"var": pa.array([], pa.dictionary(pa.int32(), pa.large_string())), "n": pa.array([], pa.int32())})
    found = NAMING.rename(empty, ["Var", "number"])
    for form in ("csv", "json", "parquet"):
        write_table(found, tmp_path / form, form)
    assert (tmp_path / "csv").read_text() == '"var","n"\n' and (tmp_path / "json").read_text() == "[]\n"
    assert not len(NAMING.rename(pa.table({"s": pa.array([], pa.list_(pa.string()))}), ["Objects"]))
    with pytest.raises(Unsupported, match="written as xml"):
        write_table(found, tmp_path / "xml", "xml")


def test_a_lattice_of_sets_is_updated_and_named(tmp_path: Path) -> None:
    root, program = tmp_path / "project", tmp_path / "sets.dl"
    program.write_text("""
.lattice Objects = "ladder.lattices:k_set(2)"
.type Heap <: symbol
.decl NormalHeap(heap: symbol, use: symbol)
.input NormalHeap
.decl TypeUseText(use: symbol, text: symbol)
.input TypeUseText
.decl Made(type: symbol, heaps: Objects<>)
.output Made
Made(t, lub(h)) :- NormalHeap(h, u), TypeUseText(u, t).
""")
    write(root, {"A.java": "class A { Object a = new A(), b = new A(); Object c = new B(); }", "B.java": "class B { }"})
    analyse(root, analyses=[str(program)])
    lines = tables(root, tmp_path / "out", analyses=[str(program)])["Made"]
    assert '"A","{A.java:1:22/new A, A.java:1:35/new A}"' in lines and '"B","{A.java:1:55/new B}"' in lines
    write(root, {"B.java": "class B { Object a = new A(); Object b = new B(); }"})
    found = changes(analyse(root, analyses=[str(program)]))["Made"]
    assert {
        ("+", "A", "Top"),
        ("-", "B", "{A.java:1:55/new B}"),
        ("+", "B", "{A.java:1:55/new B, B.java:1:42/new B}"),
    } <= found


def test_which_rows_are_about_temporaries() -> None:
    ids = ["a.B.m(int)/$(f(x))", "a.B.m(int)/$(f(x))#2", "a.B.m(int)/$x", "a.B.m(int)/lambda: f($)/y", '"/$("']
    table = pa.table({"heap": ids, "var": pa.array([*ids[:-1], "odd"]).dictionary_encode()})
    assert about_temporaries(table, ["Heap", "Var"], DISPLAY).to_pylist() == [True, True, False, False, False]
    assert about_temporaries(table, ["Heap", "Type"], DISPLAY).to_pylist() == [False] * 5
    assert about_temporaries(table.slice(0, 0), ["Heap", "Var"], DISPLAY).to_pylist() == []


def summary(temporaries: bool) -> Report:
    """What came and went: two rows about temporaries, two under the same names, one more."""
    changes = {
        "Points": pa.table({"change": ["-", "+", "-", "+", "+"], "var": ["$(a)", "$(b)", "x", "x", "y"]}),
        "Calls": pa.table({"change": ["+"], "at": ["x"]}),
    }
    owners = {"Points": ["A.java"] * 5, "Calls": ["B.java"]}
    temporary = {"Points": [True, True, False, False, False]}
    analysis = AnalysisReport("p", "update", {}, Scope(), changes, owners, temporary, "the last run")
    return Report("p", "c", 1, 1, 1, 1, "process", 1, {}, [], {}, (1, 1), [analysis], temporaries=temporaries)


def test_rows_about_temporaries_are_listed_if_asked_for() -> None:
    lines = as_text(summary(False)).split("\n")
    assert lines[5:-2] == [
        "  since the last run: Points +3 -2, Calls +1 -0",
        "  A.java: +1 -0",
        "    + Points  y",
        "  B.java: +1 -0",
        "    + Calls  x",
        "  1 row went and 1 row came under the same names",
        "  2 rows (+1 -1) about temporaries are left out; --temporaries lists them",
    ]
    lines = as_text(summary(True)).split("\n")
    assert "    - Points  $(a)" in lines and "    + Points  $(b)" in lines and "  A.java: +2 -1" in lines
    assert not any("left out" in line for line in lines)
    assert '"inserted": 3' in as_json(summary(False))  # what is left out is counted, as in the tables


@pytest.mark.parametrize("seed", range(4))
def test_rows_are_sorted_by_their_texts(seed: int) -> None:
    """Also where a dictionary has texts twice, or numbers and missing values stand beside texts."""
    random = Random(seed)
    texts = [pa.array([f"{random.choice('aäz')}{random.randrange(9)}" for _ in range(20)]) for _ in range(2)]
    codes = [pa.array([random.randrange(20) for _ in range(100)], pa.int32()) for _ in range(2)]
    columns = [pa.DictionaryArray.from_arrays(*pair) for pair in zip(codes, texts, strict=True)]
    numbers = pa.array([random.randrange(3) for _ in range(100)])
    for table in (pa.table(columns, names=["a", "b"]), pa.table([numbers, *columns], names=["n", "a", "b"])):
        rows = [tuple(row.values()) for row in table.to_pylist()]
        assert [tuple(row.values()) for row in in_order(table).to_pylist()] == sorted(rows)
    missing = pa.table({"a": columns[0].take(pa.array([1, None, 0]))})
    first, second, last = in_order(missing)["a"].to_pylist()
    assert [first, second] == sorted(columns[0].take(pa.array([0, 1])).to_pylist()) and last is None
