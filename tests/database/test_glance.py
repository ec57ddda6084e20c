"""Rows of a saved state that are looked up without an engine are those that an engine finds there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.api.saved_rows import SavedRows
from ladder.api.together import Together
from ladder.engine.local.saved.glance import hash_of
from ladder.engine.local.values.symbols import SymbolTable
from ladder.errors import LadderError

from ..random_programs.whole_language import affordable_cases
from .all_kinds import ALL, FACTS, MORE, TEXT


def glance(folder: Path, program: Program) -> SavedRows | None:
    return SavedRows.at(folder, program, {}, program.fingerprint, "a note")


def check(found: SavedRows | None, db: Database, names: dict[str, str] | None = None) -> None:
    """All rows are the same, and the reasons of some of them."""
    assert found is not None
    for relation in found.program.core.declared:
        there = db[(names or {}).get(relation, relation)]
        assert set(found[relation]) == set(there) and len(found[relation]) == len(there)
        assert found[relation].to_arrow().num_rows == len(there)
        for row in sorted(there, key=repr)[:6]:
            told = found.explain(relation, row)
            assert names or str(told) == str(db.explain(relation, row))


def test_every_kind_of_relation_and_value(tmp_path: Path) -> None:
    program = Program.parse(TEXT)
    db = Database(program)
    db.bootstrap(FACTS)
    db.save(tmp_path, note="a note")
    check(glance(tmp_path, program), db)
    db.update(insert=MORE, delete={"e": FACTS["e"][:3]})
    db.save(tmp_path, note="a note")
    db.update(insert={"e": [("a new text", "another", 4)]})
    db.save(tmp_path, note="a note")
    assert len([*tmp_path.glob("log-*")]) == 2
    check(glance(tmp_path, program), db)
    with pytest.raises(LadderError, match="is not a row"):
        glance(tmp_path, program).explain("p", ("a text that is", "nowhere"))  # type: ignore[union-attr]


def test_random_programs_after_changes(tmp_path: Path) -> None:
    looked_at = 0
    for seed, case in affordable_cases(range(20_040, 20_052)):
        program, folder = Program.parse(case.text), tmp_path / str(seed)
        db = Database(program)
        db.bootstrap(case.facts)
        db.save(folder, note="a note")
        db.update(delete={name: rows[::2] for name, rows in case.facts.items()})
        db.save(folder, note="a note")
        found = glance(folder, program)
        if found is None:
            assert db._ready().expanded.ordered
            continue
        check(found, db)
        looked_at += 1
    assert looked_at > 5


def test_one_of_several_programs(tmp_path: Path) -> None:
    other = TEXT.replace("w = 0", "w = 1").replace(".decl named(a: symbol)\nnamed(cat(a, b)) :- e(a, b, 2).", "")
    other += ".decl q(a: symbol)\nq(a) :- total(a, w), w > 3.\nq(b) :- q(a), p(a, b).\n"
    near = TEXT.replace("near(a, b, max(w)) :- e(a, b, w).", "near(a, b, max(w)) :- e(a, b, w), w > 1.")
    programs = {"one": Program.parse(other), "two": Program.parse(near)}
    together = Together.of(programs)
    db = Database(together.whole)
    db.bootstrap(ALL)
    db.save(tmp_path, note="a note")
    for program, names in zip(together.parts, together.names, strict=True):
        found = SavedRows.at(tmp_path, program, dict(names), together.whole.fingerprint, "a note")
        check(found, db, dict(names))
        for row in list(db[names["near"]]):
            assert found is not None and found.explain("near", row).because


@pytest.mark.parametrize(
    "other", ["another note", "another program", "rules", "another strategy", "tables of nobody", "another language"]
)
def test_where_an_engine_is_needed(tmp_path: Path, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program.parse(TEXT)
    db = Database(program, strategy="counting" if other == "another strategy" else "elastic")
    db.bootstrap(FACTS)
    if other == "rules":
        db.add_rules("named(a) :- e(a, _, 4).")
    db.save(tmp_path, note="" if other == "another note" else "a note")
    if other == "tables of nobody":
        (tmp_path / "CURRENT").unlink()
    if other == "another language":
        monkeypatch.setattr("ladder.engine.local.saved.glance.language_version", lambda: "another one")
    whole = "0" * 64 if other == "another program" else program.fingerprint
    assert SavedRows.at(tmp_path, program, {}, whole, "a note") is None


def test_texts_are_hashed_as_kernels_do() -> None:
    texts = ["", "a", "ü", "12345678", "123456789", "x" * 100, *(chr(n) * n for n in range(1, 40)), "\ud800"]
    table = SymbolTable()
    numbers = table.numbers(texts)
    for text, number in zip(texts, numbers.tolist(), strict=True):
        hashed, last = hash_of(text.encode("utf-8", "surrogatepass")), len(table.slots) - 1
        slot = hashed & last
        while int(table.slots[slot]) & 0xFFFFFFFF != number:
            assert table.slots[slot] != -1
            slot = (slot + 1) & last
        assert int(table.slots[slot]) >> 32 == hashed


def test_no_kernel_is_loaded() -> None:
    """Looking at a few rows takes less time than importing what compiles kernels."""
    code = "import sys, ladder.session.why, ladder.engine.local.saved.glance; print('numba' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "False"


def test_states_of_whole_programs_and_of_what_outputs_need_are_told_apart(tmp_path: Path) -> None:
    whole = Program.parse(
        ".decl e(a: number)\n.input e\n.decl r(a: number)\n.output r\nr(a) :- e(a).\n"
        ".decl s(a: number)\ns(a) :- r(a).\n"
    )
    narrow = whole.needed()
    assert "s" not in narrow.core.relations
    for number, (made, other) in enumerate([(whole, narrow), (narrow, whole), (narrow, narrow), (whole, whole)]):
        db = Database(made)
        db.bootstrap({"e": [(1,), (2,)]})
        db.save(tmp_path / f"{number}")
        opened = Database.open(tmp_path / f"{number}", other)
        assert (opened.opening is None) == (made is other) and sorted(opened["r"]) == [(1,), (2,)]
