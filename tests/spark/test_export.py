"""A state that Spark computed is what the local engine opens, maintains and saves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ladder import Database, Program
from ladder.engine.local.saved.program import Origin
from ladder.engine.spark.engine import SparkEngine
from ladder.engine.spark.export import write_state
from ladder.engine.spark.facts.sources import Facts
from ladder.errors import StateError

from ..engine.comparison import check_structure, difference, state_of
from ..engine.kinds_of_rows import AGGREGATES, RECORDS, edges

ALIKE = """\
.type A = [n: number, s: symbol]
.type B = [n: number, m: number]
.type C = [a: A, b: B]
.decl word(s: symbol, n: number)
.input word
.decl a(x: A)
.decl b(x: B)
.decl c(x: C)
a([n, s]) :- word(s, n).
b([n, m]) :- word(_, n), word(_, m).
c([x, y]) :- a(x), b(y).
.output c
"""
STATED = """\
.decl a(x: symbol, n: number)
.input a
a("stated", -1). a("both", 4).
.decl none()
.input none
.decl two()
two() :- none(), a(_, _).
"""


def computed(spark: Any, program: Program, facts: dict[str, Any], folder: Path) -> None:
    given = Facts(program.core, spark)
    for name, rows in facts.items():
        given.add(name, rows)
    state = SparkEngine(program.core, spark).bootstrap(given.cells())
    write_state(state, folder, Origin(program.fingerprint, {"added": [], "removed": []}), "a note", given)
    state.release()
    given.release()


def same(one: Database, other: Database) -> None:
    assert difference(state_of(one._ready()), state_of(other._ready())) == ""
    check_structure(one._ready())


@pytest.mark.parametrize(
    "text, facts, more",
    [
        (AGGREGATES, {"edge": edges(1, 100)}, {"edge": edges(2, 10)}),
        (RECORDS, {"item": [("a",), ("b",), ("",)]}, {"item": [("c",)]}),
        (ALIKE, {"word": [("a", 0), ("b", 1), ("c", 2), ("d", 3), ("e", 1)]}, {"word": [("f", 2)]}),
    ],
)
def test_the_local_engine_goes_on_from_it(
    text: str, facts: dict[str, Any], more: dict[str, Any], spark: Any, tmp_path: Path
) -> None:
    program = Program.parse(text)
    computed(spark, program, facts, tmp_path / "a [b] %20c")
    db, scratch = Database.open(tmp_path / "a [b] %20c", program, switch=None), Database(program)
    scratch.bootstrap(facts)
    assert db.note == "a note"
    same(db, scratch)
    some = {name: rows[::3] for name, rows in facts.items()}
    assert db.update(insert=more, delete=some).mode == "update"
    changed = Database(program)
    changed.bootstrap(
        {name: [*(row for row in rows if row not in some[name]), *more[name]] for name, rows in facts.items()}
    )
    same(db, changed)
    db.save(tmp_path / "a [b] %20c")
    same(Database.open(tmp_path / "a [b] %20c", program), changed)


def test_program_facts_and_asserted_facts_are_told_apart_and_an_old_state_stands_until_the_new_one_is_complete(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, folder = Program.parse(STATED), tmp_path / "a [b] %20c"
    old = Database(program)
    old.bootstrap({"a": [("old", 1)]})
    old.save(folder)
    with monkeypatch.context() as patched:

        def fails(*_: Any) -> None:
            raise OSError(28, "No space left on device")

        patched.setattr("ladder.engine.spark.export.published", fails)
        with pytest.raises(StateError, match="No space left"):
            computed(spark, program, {"a": [("new", 2)]}, folder)
    assert set(Database.open(folder, program)["a"]) == {("old", 1), ("stated", -1), ("both", 4)}
    computed(spark, program, {"a": [("new", 2), ("both", 4)], "none": [()]}, folder)
    db = Database.open(folder, program)
    assert len(db["two"]) == 1
    db.remove_rules('a("stated", -1). a("both", 4).')
    assert set(db["a"]) == {("new", 2), ("both", 4)}
    db.update(delete={"none": [()]})
    assert len(db["two"]) == 0
