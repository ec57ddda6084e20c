"""A state left in tables is opened by the local engine, maintained, and saved as a state of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ladder import Database, Program
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.saved.parts import digest_of
from ladder.engine.local.saved.program import Origin
from ladder.errors import StateError

from ..marks import slow_after
from .comparison import check_structure, difference, state_of
from .forging import point
from .kinds_of_rows import AGGREGATES, RECORDS, edges
from .programs import Case, random_case
from .tables import write_tables


def origin(program: Program) -> Origin:
    return Origin(program.fingerprint, {"added": [], "removed": []})


def left(folder: Path, program: Program, facts: dict, seed: int = 0) -> Database:
    """A database whose state was written as tables."""
    db = Database(program, switch=None)
    db.bootstrap(facts)
    write_tables(folder, db._ready(), origin(program), seed, "a note")
    return db


def same(one: Database, other: Database) -> None:
    assert difference(state_of(one._ready()), state_of(other._ready())) == ""
    check_structure(one._ready())


@pytest.mark.parametrize(
    "text, facts, more",
    [
        (AGGREGATES, {"edge": edges(1, 200)}, {"edge": edges(2, 20)}),
        (RECORDS, {"item": [("a",), ("b",), ("",)]}, {"item": [("c",)]}),
    ],
)
def test_it_is_opened_maintained_and_saved(text: str, facts: dict, more: dict, tmp_path: Path) -> None:
    program = Program.parse(text)
    expected = left(tmp_path / "s", program, facts)
    db = Database.open(tmp_path / "s", program, switch=None)
    assert db.note == "a note"
    same(db, expected)
    some = {name: rows[::3] for name, rows in facts.items()}
    assert db.update(insert=more, delete=some).mode == "update"
    db.save(tmp_path / "s")
    assert not list((tmp_path / "s").glob("tables-*"))
    scratch = Database(program)
    scratch.bootstrap(
        {name: [*(row for row in rows if row not in some[name]), *more[name]] for name, rows in facts.items()}
    )
    same(db, scratch)
    same(Database.open(tmp_path / "s", program), scratch)


@pytest.mark.parametrize("seed", slow_after(4, range(70_000, 70_012)))
def test_random_programs(seed: int, tmp_path: Path) -> None:
    case: Case = random_case(seed)
    program = Program.parse(case.text)
    expected = left(tmp_path / "s", program, case.facts, seed)
    db = Database.open(tmp_path / "s", program, switch=None)
    same(db, expected)
    for change in case.changes:
        for some in (db, expected):
            some.update(insert=change["insert"], delete=change["delete"])
        same(db, expected)


def test_a_program_fact_that_was_asserted_stays_when_its_line_goes(tmp_path: Path) -> None:
    program = Program.parse(".decl a(x: number)\n.input a\na(1). a(2).\n")
    left(tmp_path / "s", program, {"a": [(1,), (3,)]})
    db = Database.open(tmp_path / "s", program)
    db.remove_rules("a(1). a(2).")
    assert set(db["a"]) == {(1,), (3,)}


def test_damage_is_told(tmp_path: Path) -> None:
    program = Program.parse(AGGREGATES)

    def broken(how: str) -> str:
        folder = tmp_path / how
        db = left(folder, program, {"edge": edges(1, 100)})
        tables = folder / "tables-1"
        part = next(p for p in sorted(tables.rglob("*.parquet")) if p.parent.name == f"t={db._ready().numbers['edge']}")
        if how == "missing":
            part.unlink()
        elif how == "short":
            part.write_bytes(part.read_bytes()[:-1])
        elif how == "flipped":
            data = bytearray(part.read_bytes())
            data[len(data) // 3] ^= 0xFF
            part.write_bytes(data)
        elif how == "manifest":
            (tables / "MANIFEST").write_text((tables / "MANIFEST").read_text().replace('"symbols": ', '"symbols":  '))
        elif how == "current":
            (folder / "CURRENT").write_text((folder / "CURRENT").read_text()[:-3])
        with pytest.raises(StateError) as error:
            Database.open(folder, program)
        return str(error.value)

    assert "part-00000.parquet is missing" in broken("missing")
    assert "not the file that was written" in broken("short")
    assert "damaged" in broken("flipped")
    assert "MANIFEST" in broken("manifest")
    assert "damaged" in broken("current")


def test_a_foreign_program_and_another_strategy_are_told(tmp_path: Path) -> None:
    left(tmp_path / "s", Program.parse(AGGREGATES), {"edge": edges(1, 10)})
    with pytest.raises(StateError, match="another program"):
        Database.open(tmp_path / "s", Program.parse(".decl other(x: number)\n.input other\n"))
    with pytest.raises(StateError, match="strategy"):
        Database.open(tmp_path / "s", Program.parse(AGGREGATES), strategy="dred")


def test_totals_that_do_not_follow_are_told(tmp_path: Path) -> None:
    program = Program.parse(AGGREGATES)
    db = Database(program)
    db.bootstrap({"edge": edges(1, 50)})
    tables = write_tables(tmp_path / "s", db._ready(), origin(program))
    manifest = json.loads((tables / "MANIFEST").read_text())
    manifest["relations"]["near"]["rows"] += 1
    text = json.dumps(manifest)
    (tables / "MANIFEST").write_text(text)
    point(tmp_path / "s", manifest=digest_of(text.encode()).hex())
    with pytest.raises(StateError, match="near has"):
        Database.open(tmp_path / "s", program)


def test_an_edited_program_is_followed(tmp_path: Path) -> None:
    left(tmp_path / "s", Program.parse(AGGREGATES), {"edge": edges(1, 100)})
    edited = Program.parse(AGGREGATES + ".decl far(a: symbol)\nfar(a) :- near(a, _, w), w > 10.\n.output far\n")
    db = Database.open(tmp_path / "s", edited, switch=None)
    scratch = Database(edited)
    scratch.bootstrap({"edge": edges(1, 100)})
    assert set(db["far"]) == set(scratch["far"]) and set(db["near"]) == set(scratch["near"])


LATTICES = """\
.lattice Sign = "ladder.lattices:sign"
.lattice Const = "ladder.lattices:flat"
.decl edge(a: symbol, b: symbol)
.decl given(a: symbol, n: number)
.input edge, given
.decl sign(a: symbol, s: Sign<>)
.decl const(a: symbol, c: Const<>)
sign(a, lub(n)) :- given(a, n).
sign(b, s) :- sign(a, s), edge(a, b).
const(a, lub(n)) :- given(a, n).
const(b, c) :- const(a, c), edge(a, b).
.output sign
.output const
"""


def test_joins_of_lattices_follow_the_values_of_the_state(tmp_path: Path) -> None:
    """A new engine numbers what its joins need before it reads a state, in which other values came first."""
    program = Program.parse(LATTICES)
    before = LocalEngine(Program.parse(".decl r(x: symbol)").core)
    before.values.symbols.numbers(["a", "b", "c", "d"])
    before.values.encode_many([7, 3, 5], program.core.types["Const"])
    db = Database(program, switch=None)
    db._backend._engine = before.successor(program.core)
    facts = {"edge": [("a", "b"), ("c", "b")], "given": [("a", 3), ("c", 3)]}
    db.bootstrap(facts)
    write_tables(tmp_path / "s", db._ready(), origin(program))
    opened = Database.open(tmp_path / "s", program, switch=None)
    same(opened, db)
    assert opened.update(insert={"given": [("c", -5), ("d", 7)], "edge": [("b", "d")]}).mode == "update"
    scratch = Database(program)
    scratch.bootstrap({"edge": [*facts["edge"], ("b", "d")], "given": [*facts["given"], ("c", -5), ("d", 7)]})
    same(opened, scratch)
