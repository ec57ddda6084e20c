"""The form of states has a number, which is raised on purpose: whatever changes the form without it fails here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.local.saved import base as saved_base
from ladder.engine.local.saved import program as saved_program
from ladder.engine.local.saved.core import packed
from ladder.engine.local.saved.format import FORMAT, MAGIC
from ladder.errors import StateError
from ladder.language.core import Const
from ladder.language.normalise.aggregates import _NUMBER, _WHICH, _Helper
from ladder.support.private import CACHE_VARIABLE, KEY_VARIABLE

from ..engine.comparison import difference, state_of
from ..engine.forging import files_of, point
from . import state_format as form

RENEW = f"""The form of saved states is not the one that tests/database/state_format describes. If states that were
saved before would be misread, raise FORMAT in ladder/engine/local/saved/format.py (it is {FORMAT}) and run
`python -m tests.database.state_format`; if they are read rightly all the same, run that with --compatible.
Differences: """


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, form.KEY)


@pytest.fixture
def sample(key: None, tmp_path: Path) -> Path:
    """States that were saved when the form was described."""
    form.unpack_sample(tmp_path)
    return tmp_path


def fresh(facts: dict[str, list[tuple[object, ...]]], strategy: str) -> Database:
    db = Database(Program.parse(form.PROGRAM), strategy=strategy)
    db.bootstrap(facts)
    return db


def test_the_form_is_the_one_of_its_number(key: None, tmp_path: Path) -> None:
    form.save_sample(tmp_path)
    now, then = form.described(tmp_path).splitlines(), form.DESCRIPTION.read_text("utf-8").splitlines()
    assert now == then, RENEW + "\n".join(sorted({*now} ^ {*then}))


@pytest.mark.parametrize("strategy", form.STRATEGIES)
def test_states_that_were_saved_in_this_form_are_read(sample: Path, strategy: str) -> None:
    db = Database.open(sample / strategy, Program.parse(form.PROGRAM), strategy=strategy, switch=None)
    assert not difference(state_of(db._ready()), state_of(fresh(form.facts_after(), strategy)._ready())), (
        RENEW + "states that cannot be read"
    )
    db.update(form.GONE, form.NEW)
    assert not difference(state_of(db._ready()), state_of(fresh(form.FACTS, strategy)._ready())), (
        RENEW + "states that cannot be updated"
    )


def test_a_state_outlives_the_kernels_that_saved_it(key: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A comment in a kernel changes the hash of their sources, not the form: plans are made anew, the arrays are
    checked and used."""
    form.save_sample(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(saved_base, "CACHE", Path("kernels-with-another-comment"))
        db = Database.open(tmp_path / "elastic", Program.parse(form.PROGRAM), switch=None)
        assert db._ready().update_plans is None
        db.update(form.GONE, form.NEW)
        db.save(tmp_path / "elastic")
        assert [file.name for file in files_of(tmp_path / "elastic")] == ["base-2"]
        again = Database.open(tmp_path / "elastic", Program.parse(form.PROGRAM))
        assert again._ready().update_plans is not None
    assert not difference(state_of(again._ready()), state_of(fresh(form.FACTS, "elastic")._ready()))


def test_the_form_of_a_large_program_is_kept_for_other_states(
    key: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged one is made anew."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    rules = "".join(f"q(x) :- p(x), x != {n}.\n" for n in range(saved_program.KEPT_FROM))
    program = Program.parse(f".decl p(x: number)  .input p  .decl q(x: number)  .output q\n{rules}")
    asked: list[bool] = []

    def counted(*given: Any) -> bytes:
        asked.append(True)
        return packed(*given)

    monkeypatch.setattr(saved_program, "packed", counted)
    for number, (folder, made) in enumerate((("a", 1), ("b", 1), ("c", 2))):
        db = Database(program)
        db.bootstrap({"p": [(1,), (number,)]})
        db.save(tmp_path / folder)
        assert len(asked) == made
        again = Database.open(tmp_path / folder, program)
        assert not difference(state_of(again._ready()), state_of(db._ready()))
        if folder == "b":
            for entry in (tmp_path / "cache" / "programs").iterdir():
                entry.write_bytes(entry.read_bytes()[:-1])
    edited = Program.parse(f"{program.text}q(x) :- p(x), x != 0.")
    assert set(Database.open(tmp_path / "a", edited)["q"]) == {(0,), (1,)}


def test_hashes_that_other_kernels_have_made_are_looked_at(
    key: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Should the number have been forgotten, no row is missed: rows that lie elsewhere than they are looked for are an
    error."""
    db = fresh(form.FACTS, "elastic")
    engine = db._ready()
    keys = engine.store.bulk["index", int(engine.store.relations[engine.numbers["p"]].primary_index), "directory"]
    keys[:] = keys[::-1].copy()
    db.save(tmp_path)
    monkeypatch.setattr(saved_base, "CACHE", Path("kernels-with-another-hash"))
    with pytest.raises(StateError, match="damaged"):
        Database.open(tmp_path, Program.parse(form.PROGRAM))


def test_a_state_of_another_number_is_told(sample: Path) -> None:
    folder, program = sample / "elastic", Program.parse(form.PROGRAM)
    point(folder, format=FORMAT + 1)
    with pytest.raises(StateError, match="another version of Ladder"):
        Database.open(folder, program)
    point(folder, format=FORMAT)
    base = files_of(folder)[0]
    base.write_bytes(base.read_bytes().replace(MAGIC, b"LADDERSTATE2\n", 1))
    with pytest.raises(StateError, match="another version of Ladder"):
        Database.open(folder, program)


def test_a_state_of_another_number_is_replaced(sample: Path) -> None:
    folder = sample / "elastic"
    point(folder, format=FORMAT + 1)
    fresh(form.FACTS, "elastic").save(folder)
    assert Database.open(folder, Program.parse(form.PROGRAM)).note == ""


SUMMED = """.decl e(x: number, y: number) .input e
.decl f(x: number) .input f
.decl r(x: number) .output r
r(s) :- s = sum 1 : { e(v, _), f(_) ; e(_, v), f(w), w < 9 }.
.decl q(x: number, y: number)
q(x, y) :- e(x, y). q(x, z) :- q(x, y), e(y, z).
"""


@pytest.mark.parametrize("strategy", ["elastic", "counting"])
@pytest.mark.parametrize("rule", ["", "r(x) :- f(x), x > 5."])
@pytest.mark.parametrize("same_columns", [True, False])
def test_a_state_of_a_core_program_that_the_compiler_made_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strategy: str, rule: str, same_columns: bool
) -> None:
    """The text is the same, but summands of several alternatives had other keys once: the state was taken for that of
    the core program as it is now."""
    facts = {"e": [(1, 5), (5, 1)], "f": [(0,), (7,)]}

    def untold(self: _Helper, found: list[Any], needs_zero: bool) -> None:
        if same_columns:
            for alternative in found:
                alternative.keys[_WHICH] = Const(1, _NUMBER)

    with monkeypatch.context() as patch:
        patch.setattr(_Helper, "_tell_apart", untold)
        patch.setattr("ladder.api.program.language_version", lambda: "the language as it was once")
        # programs with functors are not kept
        old = Database(Program.parse(SUMMED, functors={"unused": len}), strategy=strategy)
        old.bootstrap(facts)
        if rule:
            old.add_rules(rule)
        assert (4,) in set(old["r"])  # of six: w = 0 could not be told from no w
        old.save(tmp_path)
    db = Database.open(tmp_path, Program.parse(SUMMED, functors={"unused": len}), strategy=strategy)
    expected = {(6,), (7,)} if rule else {(6,)}
    assert set(db["r"]) == expected and db.opening is not None
    db.update(insert={"e": [(2, 2)]})
    assert set(db["r"]) == {(n + 3 if n == 6 else n,) for (n,) in expected}
    db.save(tmp_path)
    again = Database.open(tmp_path, Program.parse(SUMMED, functors={"unused": len}), strategy=strategy)
    assert set(again["r"]) == set(db["r"]) and again.opening is None
