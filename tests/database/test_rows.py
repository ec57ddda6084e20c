"""Rows and deltas: whatever holds them, they answer alike."""

from __future__ import annotations

import pytest

from ladder import Database, Program
from ladder.api.rows import Rows
from ladder.engine import rows
from ladder.engine.rows import HeldRows

TEXT = """
.type Pair = [a: symbol, x: float]
.decl e(a: symbol, x: float, p: Pair)
.decl any()
.output any
any() :- e(_, _, _).
"""
ROWS = [("a", 1.5, ("b", 0.5)), ("ä", -0.0, None)]


@pytest.fixture
def db() -> Database:
    made = Database(Program.parse(TEXT))
    made.bootstrap({"e": ROWS})
    return made


def test_rows_are_equal_that_hold_the_same(db: Database) -> None:
    core = db.program.core
    held = Rows(HeldRows(core, "e", ROWS[::-1]))
    assert db["e"] == held == db["e"] and db["e"] == set(ROWS) and held != db["any"] and db["any"] == {()}
    assert db["e"] != Rows(HeldRows(core, "e", [ROWS[0], ("ä", 0.0, None)])), "0 and -0 are two values"
    assert db["e"] != ROWS, "rows have no order"
    assert held.to_arrow().schema == db["e"].to_arrow().schema and held.to_arrow().num_rows == 2


def test_what_did_not_change_has_rows_too(db: Database) -> None:
    delta = db.update(insert={"e": [("c", 2.0, None)]})
    for nothing in (delta.inserted["any"], delta.deleted["e"]):
        assert not nothing and list(nothing) == [] and nothing == set() and ("a",) not in nothing
        assert nothing.to_arrow().schema == db[nothing.relation].to_arrow().schema and nothing.to_pandas().empty
    assert delta.inserted["e"] == {("c", 2.0, None)} and list(delta.inserted) == ["e"]


def test_texts_of_large_tables_are_taken_out_of_dictionaries_in_pieces() -> None:
    """Together they may be more than offsets of 32 bits can tell: that was an error of Arrow."""
    import pyarrow as pa

    texts = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, 2, 0, 1, 0], pa.int32()), pa.array(["abc", "", "de"], pa.large_string())
    )
    table = pa.table({"s": texts, "n": pa.array(range(6), pa.uint32()), "p": pa.array(["x"] * 6)})
    plain = rows.undictionaried(table, 10)
    assert plain.to_pylist() == table.to_pylist() and plain.schema.types == [pa.string(), pa.int64(), pa.string()]
    assert [len(chunk) for chunk in plain.column("s").chunks if len(chunk)] == [3, 3]
    assert rows.undictionaried(table.slice(0, 0)).schema == plain.schema
