"""`Database`: facts in every form, updates, deltas, rules that come and go, what is refused."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.errors import LadderError, Unsupported
from ladder.language.errors import ProgramError

from .roads import EDGES, LATTICES, ROADS, database


def rows(db: Database, relation: str) -> set[tuple[Any, ...]]:
    listed = list(db[relation])
    assert len(listed) == len(set(listed)) == len(db[relation])
    return set(listed)


def state(db: Database) -> dict[str, set[tuple[Any, ...]]]:
    return {name: set(zip(*db.state(name).to_pydict().values(), strict=True)) for name in db.stored_relations}


def closure(edges: set[tuple[str, str]]) -> set[tuple[str, str]]:
    paths = set(edges)
    while more := {(a, d) for a, b in paths for c, d in edges if b == c} - paths:
        paths |= more
    return paths


# ---- loading


def test_facts_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "edge.facts").write_text("a\tb\nb\tc\n")
    (tmp_path / "weight.facts").write_text("a\t-1\t4294967295\t0.5\n")
    db = Database(Program.parse(ROADS))
    db.load(tmp_path)
    assert rows(db, "path") == {("a", "b"), ("b", "c"), ("a", "c")}
    assert rows(db, "weight") == {("a", -1, 4294967295, 0.5)}


def test_a_missing_file_of_facts_is_named(tmp_path: Path) -> None:
    with pytest.raises(LadderError, match=r"edge\.facts"):
        Database(Program.parse(ROADS)).load(tmp_path)


WEIGHTS = [("a", -5, 7, 0.5), ("ü€😀", 2**31 - 1, 2**32 - 1, -2.25), ("", -(2**31), 0, 0.0)]


def test_facts_of_several_relations_are_let_go_of_one_by_one() -> None:
    class Few(list[tuple[str, int, int, float]]):
        pass

    tables = {"weight": Few(WEIGHTS), "edge": Few()}
    first = weakref.ref(tables["weight"])

    def handed_over() -> Iterator[tuple[str, Any]]:
        yield "weight", tables.pop("weight")
        assert first() is None
        yield "edge", tables.pop("edge")

    db = Database(Program.parse(ROADS))
    db.bootstrap(handed_over())
    assert rows(db, "weight") == set(WEIGHTS)


@pytest.mark.parametrize(
    "form", ["tuples", "generator", "arrow", "chunked", "dictionary", "wide", "pandas", "one by one"]
)
def test_facts_in_every_form(form: str) -> None:
    columns = dict(zip("anux", zip(*WEIGHTS, strict=True), strict=True))
    table = pa.table(
        {
            "a": list(columns["a"]),
            "n": pa.array(columns["n"], pa.int32()),
            "u": pa.array(columns["u"], pa.uint32()),
            "x": pa.array(columns["x"], pa.float32()),
        }
    )
    db = Database(Program.parse(ROADS))
    match form:
        case "tuples":
            db.load_rows("weight", WEIGHTS)
        case "generator":
            db.load_rows("weight", (row for row in WEIGHTS))
        case "arrow":
            db.load_rows("weight", table)
        case "chunked":
            db.load_rows("weight", pa.concat_tables([table.slice(2), table.slice(0, 2), table.slice(1, 1)]))
        case "dictionary":
            coded = table.set_column(0, "a", table["a"].dictionary_encode())
            db.load_rows("weight", pa.concat_tables([coded.slice(1), coded.slice(0, 2)]))
        case "wide":
            db.load_rows(
                "weight",
                pa.table(
                    {
                        "a": pa.array(columns["a"], pa.large_string()),
                        "n": pa.array(columns["n"], pa.int64()),
                        "u": pa.array(columns["u"], pa.int64()),
                        "x": pa.array(columns["x"], pa.float64()),
                    }
                ),
            )
        case "pandas":
            db.load_rows("weight", pd.DataFrame(columns))
        case "one by one":
            assert len(db["weight"]) == 0
            for row in WEIGHTS:
                db.load_rows("weight", [row])
    assert rows(db, "weight") == set(WEIGHTS)


def test_results_as_arrow_and_pandas() -> None:
    db = database(weight=WEIGHTS, edge=EDGES)
    table = db["weight"].to_arrow()
    assert table.column_names == ["a", "n", "u", "x"] and table.num_rows == 3
    assert [str(t) for t in table.schema.types[1:]] == ["int32", "uint32", "float"]
    assert set(zip(*table.to_pydict().values(), strict=True)) == set(WEIGHTS)
    frame = db["path"].to_pandas()
    assert set(frame.itertuples(index=False, name=None)) == closure(set(EDGES))
    again = database(edge=db["edge"].to_arrow(), weight=db["weight"].to_pandas())
    assert state(again) == state(db)
    assert ("a", "d") in db["path"] and ("d", "a") not in db["path"]


def test_relations_without_columns() -> None:
    db = database(
        ".decl on()\n.input on\n.decl yes()\n.decl no()\n.decl any(a: number)\nany(1).\nyes() :- on().\nno() :- "
        "any(_), !on()."
    )
    assert (rows(db, "yes"), rows(db, "no")) == (set(), {()})
    assert set(db.update(insert={"on": [()]}).inserted) == {"on", "yes"}
    assert (rows(db, "yes"), rows(db, "no"), db["yes"].to_arrow().num_columns) == ({()}, set(), 0)


# ---- updates


def test_one_transaction_and_its_delta() -> None:
    db = database(edge=EDGES)
    delta = db.update(insert={"edge": [("d", "e")]}, delete={"edge": [("a", "b")]})
    assert delta.mode == "update" and delta
    before, after = closure(set(EDGES)), closure({("b", "c"), ("c", "d"), ("d", "e")})
    assert set(delta.inserted["path"]) == after - before and set(delta.deleted["path"]) == before - after
    assert set(delta.deleted["steps"]) == {("a", 0), ("b", 1), ("c", 2), ("d", 3)} and len(delta.inserted["steps"]) == 0
    assert delta.impact == sum(len(side) for sides in (delta.inserted, delta.deleted) for side in sides.values())
    assert set(delta.inserted) == {"edge", "path"}
    assert rows(db, "path") == after
    with pytest.raises(KeyError):
        delta.inserted["nothing"]
    with pytest.raises(KeyError):
        db["nothing"]


def test_a_fact_deleted_and_inserted_is_there() -> None:
    db = database(edge=EDGES)
    before = state(db)
    delta = db.update(insert={"edge": [("b", "c")]}, delete={"edge": [("b", "c")]})
    assert not delta and state(db) == before
    db.update(insert={"edge": [("x", "y")]}, delete={"edge": [("x", "y")]})
    assert ("x", "y") in db["edge"]


def test_what_is_there_or_not_there_already_changes_nothing() -> None:
    db = database(edge=[*EDGES, *EDGES])
    before = state(db)
    assert not db.update(insert={"edge": EDGES[:1] * 3})
    assert not db.update(delete={"edge": [("p", "q"), ("p", "q")]})
    assert not db.update()
    assert state(db) == before == state(database(edge=EDGES))


def test_facts_that_the_program_states_hold_whatever_is_deleted() -> None:
    db = database(edge=[("a", "x")])
    assert rows(db, "closed") == {("x",)} and rows(db, "open") == set()
    assert not db.update(delete={"closed": [("x",)]})
    db.update(insert={"closed": [("x",), ("b",)]})
    db.update(delete={"closed": [("x",), ("b",)]})
    assert rows(db, "closed") == {("x",)} and rows(db, "open") == set()


def test_an_asserted_fact_that_is_also_derived_stays() -> None:
    db = database(edge=EDGES, path=[("a", "c")])
    assert not db.update(delete={"path": [("a", "c")]}).deleted["path"]
    assert state(db) == state(database(edge=EDGES))


def test_lattices() -> None:
    db = database(LATTICES, fact=[("v", "h1"), ("w", "h2")], flow=[("v", "w")])
    assert rows(db, "points") == {("v", frozenset({"h1"})), ("w", frozenset({"h1", "h2"}))}
    delta = db.update(insert={"fact": [("w", "h3")]})
    assert [str(value) for _, value in delta.inserted["points"]] == ["Extreme.TOP"]
    assert db["points"].to_arrow()["s"].to_pylist() == ["{h1}", "Top"]
    db.update(delete={"fact": [("w", "h3"), ("v", "h1")]})
    assert rows(db, "points") == {("w", frozenset({"h2"}))}
    db.update(insert={"points": [("z", frozenset({"h9"})), ("w", frozenset({"h8"}))]})
    assert rows(db, "points") == {("w", frozenset({"h2", "h8"})), ("z", frozenset({"h9"}))}


# ---- refusals


@pytest.mark.parametrize(
    ("relation", "given"),
    [
        ("edge", [("a",)]),
        ("edge", [("a", "b", "c")]),
        ("edge", [("a", 1)]),
        ("edge", [(None, "b")]),
        ("nothing", [("a", "b")]),
        ("weight", [("a", 2**31, 0, 0.0)]),
        ("weight", [("a", 0, -1, 0.0)]),
        ("weight", [("a", "1", 0, 0.0)]),
        ("weight", [("a", True, 0, 0.0)]),
        ("weight", [("a", 0, 0, "x")]),
        ("weight", [("a", 1.5, 0, 0.0)]),
        ("edge", pa.table({"a": ["x"]})),
        ("edge", pa.table({"a": ["x"], "b": [1]})),
        ("edge", pa.table({"a": ["x", None], "b": ["y", "z"]})),
        ("weight", pa.table({"a": ["x"], "n": [2**40], "u": [0], "x": [0.0]})),
        ("weight", pa.table({"a": ["x"], "n": [0], "u": [-1], "x": [0.0]})),
        ("weight", pd.DataFrame({"a": ["x"], "n": ["y"], "u": [0], "x": [0.0]})),
    ],
    ids=str,
)
def test_rows_that_do_not_fit(relation: str, given: Any) -> None:
    with pytest.raises(LadderError):
        Database(Program.parse(ROADS)).load_rows(relation, given)
    db = database(edge=EDGES)
    before = state(db)
    with pytest.raises(LadderError):
        db.update(insert={"edge": [("q", "r")], relation: given} if relation != "edge" else {relation: given})
    assert state(db) == before


@pytest.mark.parametrize("given", [5, "ab", [5], ["ab"], [["a", "b"]], {"a": "b"}], ids=str)
def test_what_is_no_rows(given: Any) -> None:
    """Lists do for tuples; a text is no row even where it has as many characters as there are columns."""
    db = Database(Program.parse(ROADS))
    if given == [["a", "b"]]:
        db.load_rows("edge", given)
        assert rows(db, "edge") == {("a", "b")}
    else:
        with pytest.raises(LadderError):
            db.load_rows("edge", given)


def test_strategies_that_are_not_there_are_refused_by_name() -> None:
    with pytest.raises(Unsupported, match="magic"):
        Database(Program.parse(ROADS), strategy="magic")
    with pytest.raises(Unsupported, match="The spark engine has no strategy dred"):
        Database(Program.parse(ROADS), "dred", engine="spark")


def test_engines_and_keywords_that_are_not_there_are_refused_by_name() -> None:
    with pytest.raises(Unsupported, match="flink"):
        Database(Program.parse(ROADS), engine="flink")
    with pytest.raises(LadderError, match="no use for master"):
        Database(Program.parse(ROADS), master="local[2]")
    with pytest.raises(TypeError, match="wrong"):
        Database(Program.parse(ROADS), wrong=1)


# ---- strategies


def test_recompute_equals_elastic() -> None:
    steps: list[dict[str, Any]] = [
        {"insert": {"edge": [("d", "a"), ("x", "y")]}},
        {"delete": {"edge": [("b", "c")]}},
        {"insert": {"closed": [("b",)]}, "delete": {"edge": [("x", "y"), ("p", "q")]}},
        {"insert": {"edge": [("b", "c")]}, "delete": {"edge": [("b", "c")], "closed": [("x",), ("b",)]}},
    ]
    elastic, recompute = Database(Program.parse(ROADS)), Database(Program.parse(ROADS), strategy="recompute")
    for db in (elastic, recompute):
        db.load_rows("edge", EDGES)
    for step in steps:
        one, other = elastic.update(**step), recompute.update(**step)
        assert (one.mode, other.mode) == ("update", "bootstrap")
        for side in ("inserted", "deleted"):
            assert {n: set(r) for n, r in getattr(one, side).items()} == {
                n: set(r) for n, r in getattr(other, side).items()
            }
        assert state(elastic) == state(recompute)


# ---- rules


def test_rules_come_and_go() -> None:
    db = database(edge=EDGES)
    before = state(db)
    delta = db.add_rules(
        ".decl back(a: symbol, b: symbol)\nback(b, a) :- path(a, b).\npath(a, b) :- back(a, b), closed(a)."
    )
    assert set(delta.inserted["back"]) == {(b, a) for a, b in closure(set(EDGES))} and set(delta.inserted) == {"back"}
    db.update(insert={"edge": [("d", "e")]})
    assert ("e", "a") in db["back"]
    db.update(delete={"edge": [("d", "e")]})
    gone = db.remove_rules("back(b,a) :- path(a,b).   path(a, b) :- back(a, b), closed(a).")
    assert set(gone.deleted) == {"back"}
    assert {n: r for n, r in state(db).items() if n != "back"} == before


def test_a_rule_removed_and_added_again_counts_once() -> None:
    db = database(edge=EDGES)
    before, rule = state(db), "path(a, c) :- path(a, b), edge(b, c)."
    assert set(db.remove_rules(rule).deleted["path"]) == closure(set(EDGES)) - set(EDGES)
    assert set(db.add_rules(rule).inserted["path"]) == closure(set(EDGES)) - set(EDGES)
    assert state(db) == before
    db.remove_rules(rule)
    assert rows(db, "path") == set(EDGES)
    with pytest.raises(LadderError):
        db.remove_rules(rule)


def test_rules_that_are_refused_change_nothing() -> None:
    db = database(edge=EDGES)
    before = state(db)
    with pytest.raises(ProgramError):
        db.add_rules("path(a, b) :- nowhere(a, b).")
    with pytest.raises(LadderError, match="no rule"):
        db.remove_rules("path(b, a) :- edge(a, b).")
    assert state(db) == before and not db.update()


def test_rules_of_a_program_with_a_python_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def twice(n: int) -> int:\n    return 2 * n\n")
    (tmp_path / "program.dl").write_text(
        '.functor twice(n: number): number = "mine.py:twice"\n.decl n(x: number)\n.input n\n'
        ".decl m(x: number)\nm(@twice(x)) :- n(x).\n"
    )
    db = Database(Program.load(tmp_path / "program.dl"))
    db.load_rows("n", [(1,), (5,)])
    db.add_rules("m(@twice(y)) :- n(x), y = @twice(x).")
    assert rows(db, "m") == {(2,), (10,), (4,), (20,)}


def test_which_relations_there_are_is_asked_by_name() -> None:
    db = Database(Program.parse(".decl r(x: number)\nr(1)."))
    assert "r" in db and "s" not in db
    with pytest.raises(TypeError, match="not iterable"):
        list(db)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: Program.parse("", domain=16), "Numbers have 32 or 64 bits, not 16."),
        (lambda: Program.load("nope.dl"), "There is no program nope.dl. Name a .dl file."),
        (lambda: Program.load("."), "The program . cannot be read: Is a directory."),
        (lambda: Database(".decl a(x: number)"), "A database is made of a Program, not of '.decl a(x: number)'. "),  # type: ignore[arg-type]
        (lambda: database().update(insert="edge"), "Facts are given by relation, not as 'edge'. Say which: "),  # type: ignore[arg-type]
        (lambda: database().update(delete=["edge"]), "Facts are given by relation, not as ['edge']. Say which: "),  # type: ignore[arg-type]
        (lambda: database().bootstrap("edge"), "Facts are given by relation, not as 'edge'. Say which: "),  # type: ignore[arg-type]
        (lambda: database().replace_facts("edge"), "Facts are given by relation, not as 'edge'. Say which: "),  # type: ignore[arg-type]
        (lambda: database(edge=EDGES).explain("path", "ab"), "'ab' is not a row of path. A row is a tuple, "),
    ],
)
def test_what_is_given_in_another_form_is_refused_in_one_sentence(use: Callable[[], Any], message: str) -> None:
    with pytest.raises(LadderError) as refused:
        use()
    assert str(refused.value).startswith(message)
