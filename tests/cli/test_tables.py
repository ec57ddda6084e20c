"""`ladder tables`: saved states listed, written and asked, and what others read of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ladder import Database, Program, cli
from ladder.api.views import named_in, register_views, views_of
from tests.session.projects import CALLS, FILES, write

TEXT = """\
.type List = [head: symbol, tail: List]
.decl edge(a: symbol, b: symbol, w: unsigned)
.input edge
.decl Edge(n: number, N: number, x: float)
Edge(n, 1, -0.5) :- edge(_, b, _), n = strlen(b) - strlen(b) + 1.
.output Edge
.decl list(l: List)
list([a, nil]) :- edge(a, _, _).
.output list
.decl any()
any() :- edge(_, _, _).
.output any
.comp C { .decl r(a: symbol) r(a) :- edge(a, _, _). }
.init c = C
.output c.r
"""
EDGES = "a\tä\t1\nb\tc\t4294967295\n"
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    monkeypatch.chdir(tmp_path)

    def called(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as leaving:
            cli.main([*arguments])
        captured = capfd.readouterr()
        return int(leaving.value.code or 0), captured.out, captured.err

    Path("p.dl").write_text(TEXT)
    Path("edge.facts").write_text(EDGES)
    assert called("run", "p.dl", "--state", "s", "-D", "out")[0] == 0
    return called


def test_the_list(call: Call) -> None:
    code, out, _ = call("tables", "s", "--program", "p.dl", "--format", "json")
    assert code == 0
    listed = {row["table"]: (row["rows"], row["columns"]) for row in json.loads(out)}
    assert listed == {
        "edge": (2, "a STRING, b STRING, w BIGINT"),
        "Edge_2": (1, "n INT, N_2 INT, x FLOAT"),
        "list": (2, "l STRING"),
        "any": (1, "holds BOOLEAN"),
        "c_r": (2, "a STRING"),
    }
    assert call("tables", "s", "--program", "p.dl", "--relation", "edge")[1].split() == [
        "table",
        "rows",
        "columns",
        "edge",
        "2",
        "a",
        "STRING,",
        "b",
        "STRING,",
        "w",
        "BIGINT",
    ]


def test_parquet_files_for_any_reader(call: Call) -> None:
    assert call("tables", "s", "--program", "p.dl", "--export", "e")[0] == 0
    found = {path.stem: pq.read_table(path) for path in Path("e").glob("*.parquet")}
    assert sorted(found) == ["Edge_2", "any", "c_r", "edge", "list"]
    assert sorted(map(tuple, (row.values() for row in found["edge"].to_pylist()))) == [
        ("a", "ä", 1),
        ("b", "c", 4294967295),
    ]
    assert sorted(found["list"]["l"].to_pylist()) == ["[a, nil]", "[b, nil]"]
    assert found["Edge_2"].to_pylist() == [{"n": 1, "N_2": 1, "x": -0.5}] and found["any"].to_pylist() == [
        {"holds": True}
    ]


def test_listing_and_writing_start_no_jvm(call: Call) -> None:
    script = (
        "import sys\nfrom ladder import cli\ntry: cli.main(sys.argv[1:])\nexcept SystemExit: pass\n"
        "assert not any(name.split('.')[0] in ('pyspark', 'py4j') for name in sys.modules), 'pyspark'"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "tables", "s", "--program", "p.dl", "--export", "e"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[2])},
    )
    assert done.returncode == 0, done.stderr


def test_what_cannot_be_listed(call: Call) -> None:
    for arguments, said in (
        (("s",), "--program"),
        (("nowhere", "--program", "p.dl"), "no state in nowhere"),
        (("s", "--program", "p.dl", "--relation", "x"), "no relation x"),
        (("out", "--program", "p.dl"), "no state in out"),
        (("s", "--program", "p.dl", "--entry", "all"), "--entry is an option beside --analysis"),
        ((".", "--analysis", "dead", "--functors", "f.py"), "--functors is an option beside --program"),
    ):
        code, _, err = call("tables", *arguments)
        assert code == 2 and said in err


@pytest.mark.slow
def test_queries(call: Call, spark: Any) -> None:
    code, out, err = call(
        "tables",
        "s",
        "--program",
        "p.dl",
        "--format",
        "csv",
        "--sql",
        "SELECT e.a, w, count(*) AS n FROM edge e JOIN c_r USING (a), any WHERE holds GROUP BY e.a, w ORDER BY 1",
    )
    assert (code, out) == (0, '"a","w","n"\n"a",1,1\n"b",4294967295,1\n'), err
    for query, place, said in (
        ("SELECT nothing FROM edge", "1:8", "`nothing` cannot be resolved"),
        ("SELECT a\nFROM edg", "2:6", "table or view `edg` cannot be found"),
        ("SELECT * FORM edge", "1:15", "Syntax error at or near 'edge'"),
        ("SELECT sum(a, w) FROM edge", "1:8", "requires 1 parameters but the actual number is 2"),
        ("SELECT nofunction(a) FROM edge", "1:8", "Cannot resolve routine `nofunction`"),
    ):
        code, out, err = call("tables", "s", "--program", "p.dl", "--sql", query)
        lines = err.splitlines()
        assert (
            (code, out) == (2, "")
            and f"--sql:{place}: error: Spark refuses the query: " in lines[0]
            and said in lines[0]
        ), err
        line, column = map(int, place.split(":"))
        assert lines[1:3] == ["    " + query.splitlines()[line - 1], " " * (column + 3) + "^"] and len(lines) <= 4, (
            "nothing of Java's stack"
        )
    assert "Did you mean edge or Edge_2?" in call("tables", "s", "--program", "p.dl", "--sql", "SELECT a FROM edg")[2]
    assert (
        "are only read, and DROP is no query"
        in call("tables", "s", "--program", "p.dl", "--sql", "-- x\n drop table edge")[2]
    )
    assert "The query is empty" in call("tables", "s", "--program", "p.dl", "--sql", " ;")[2]
    code, out, err = call("tables", "s", "--program", "p.dl", "--sql", "SELECT raise_error('boom') FROM edge")
    assert code == 2 and err.strip() == "ladder: Spark refuses the query: boom."


def test_a_state_that_python_saved_has_relations_without_use(call: Call) -> None:
    text = TEXT + ".decl unused(a: symbol)\n.input unused\n"
    Path("more.dl").write_text(text)
    db = Database(Program.load("more.dl"))
    db.bootstrap({"edge": [("x", "y", 1)], "unused": [("z",)]})
    db.save("saved")
    code, out, err = call("tables", "saved", "--program", "more.dl", "--format", "json")
    assert code == 0 and {"table": "unused", "rows": 1, "columns": "a STRING"} in json.loads(out), err


def test_only_what_a_query_names_is_written_for_it() -> None:
    db = Database(Program.parse(TEXT))
    assert named_in("SELECT * FROM EDGE_2 AS a, list", db) == ["Edge", "list"]
    assert named_in("SELECT holds FROM `any` WHERE edge_of", db) == ["any"]
    assert named_in("SHOW TABLES", db) is None


def test_views_of_a_session(spark: Any, tmp_path: Path) -> None:
    program = Program.parse(TEXT)
    db = Database(program)
    db.bootstrap({"edge": [("x", "y", 1)]})
    db.save(tmp_path / "s")
    for views in (
        db.register(spark),
        register_views(spark, Database.open(tmp_path / "s", program), tmp_path / "views [1]"),
    ):
        assert [*map(str, views)] == [*map(str, views_of(db))]
        assert [tuple(row) for row in spark.sql("SELECT * FROM edge").collect()] == [("x", "y", 1)]
        assert [tuple(row) for row in spark.sql("SELECT n, N_2 FROM Edge_2").collect()] == [(1, 1)]
        assert {name.name for name in spark.catalog.listTables()} >= {view.name.lower() for view in views}


def test_the_result_of_an_analysis(call: Call, tmp_path: Path) -> None:
    project = tmp_path / "project"
    write(project, FILES)
    code, _, err = call("tables", str(project), "--analysis", CALLS)
    assert code == 2 and "Run `analyze` first." in err
    assert call("analyze", str(project), "--analysis", CALLS, "--quiet")[0] == 0
    code, _, _ = call(
        "tables", str(project), "--analysis", CALLS, "--format", "json", "--export", "e", "--relation", "Invocation"
    )
    assert code == 0 and [path.name for path in Path("e").iterdir()] == ["Invocation.parquet"]
    listed = {
        row["table"]: row["rows"]
        for row in json.loads(call("tables", str(project), "--analysis", CALLS, "--format", "json")[1])
    }
    assert listed["Invocation"] == len(pq.read_table("e/Invocation.parquet")) > 0
