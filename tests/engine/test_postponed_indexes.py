"""Indexes of large relations that nothing reads for a while: dropped in a bootstrap, made for a file alone when a state
is saved, and there when an update, an explanation or other rules need them."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.local.backend import LocalBackend
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.store import AtWork, Store
from ladder.errors import StateError
from ladder.language import parse

from ..database.failing import Count, failing
from .tuned import tuned

ROWS = 40
TEXT = """
.decl e(x: number, y: number)
.input e
.decl p(x: number, y: number)
.output p
p(x, y) :- e(x, y).
p(x, z) :- p(x, y), e(y, z).
.decl q(x: number, y: number)
.output q
q(x, z) :- p(x, y), p(z, y), x != z.
"""
FACTS = {"e": [(n, n + 1) for n in range(ROWS)]}
EARLY = tuned(dropped_from=1, drops_indexes=True, unneeded=0)


def bootstrapped() -> Database:
    db = Database(Program.parse(TEXT), tuning=EARLY)
    db.bootstrap(FACTS)
    return db


def engine_of(db: Database) -> LocalEngine:
    assert isinstance(db._backend, LocalBackend)
    return db._backend.engine


def secondary(store: Store) -> list[int]:
    return np.flatnonzero((store.indexes["relation"] != L.NONE) & (store.indexes["kind"] == L.LISTED)).tolist()


def complete(store: Store) -> bool:
    """Whether each index has the rows of its relation."""
    return all(
        int(store.indexes["row_count"][number]) == store.row_count(int(store.indexes["relation"][number]))
        for number in secondary(store)
    )


def expected(facts: dict[str, list[tuple[int, int]]]) -> dict[str, set[tuple[int, ...]]]:
    db = Database(Program.parse(TEXT))
    db.bootstrap(facts)
    return {name: set(db[name]) for name in ("p", "q")}


def test_a_bootstrap_leaves_no_index_that_only_it_needs() -> None:
    store = engine_of(bootstrapped()).store
    assert secondary(store) == [] and not store.without_rows
    updated_soon, of_few_rows = tuned(dropped_from=1), tuned(drops_indexes=True)
    for tuning in (updated_soon, of_few_rows):
        usual = Database(Program.parse(TEXT), tuning=tuning)
        usual.bootstrap(FACTS)
        assert secondary(engine_of(usual).store)


def test_a_saved_state_has_all_indexes_and_memory_has_none(tmp_path: Path) -> None:
    db = bootstrapped()
    db.save(tmp_path)
    store = engine_of(db).store
    assert store.without_rows == set(secondary(store)) != set()
    assert not store.indexes["row_count"][sorted(store.without_rows)].any()
    opened = Database.open(tmp_path, Program.parse(TEXT), tuning=EARLY)
    there = engine_of(opened).store
    assert secondary(there) == secondary(store) and not there.without_rows and complete(there)
    changed = {"e": [*FACTS["e"][1:], (ROWS, 3)]}
    for one in (db, opened):  # the one in memory makes them now
        one.update(insert={"e": [(ROWS, 3)]}, delete={"e": [FACTS["e"][0]]})
        assert {name: set(one[name]) for name in ("p", "q")} == expected(changed)
        assert not engine_of(one).store.without_rows and complete(engine_of(one).store)
    db.save(tmp_path)
    again = Database.open(tmp_path, Program.parse(TEXT), tuning=EARLY)
    assert {name: set(again[name]) for name in ("p", "q")} == expected(changed)


def test_what_needs_an_index_makes_it(tmp_path: Path) -> None:
    db = bootstrapped()
    db.save(tmp_path)
    store = engine_of(db).store
    assert store.without_rows and "p(0, " in str(db.explain("q", (0, 1)))
    db.add_rules("q(x, x) :- p(x, _).")
    assert set(db["q"]) == expected(FACTS)["q"] | {(n, n) for n in range(ROWS)}
    assert complete(store) and not store.without_rows


def changed_and_saved_again(db: Database, folder: Path) -> None:
    """Update, save, and open the state: all of it is as it should be."""
    changed = {"e": [*FACTS["e"][1:], (ROWS, 3)]}
    db.update(insert={"e": [(ROWS, 3)]}, delete={"e": [FACTS["e"][0]]})
    assert complete(engine_of(db).store) and not engine_of(db).store.without_rows
    db.save(folder)
    for one in (db, Database.open(folder, Program.parse(TEXT), tuning=EARLY)):
        assert {name: set(one[name]) for name in ("p", "q")} == expected(changed)
        assert complete(engine_of(one).store)


@pytest.mark.parametrize("places", [range(1, 80, 7), pytest.param(range(1, 80), marks=pytest.mark.nightly)])
def test_a_save_that_fails_takes_no_rows_from_an_index_later(places: range, tmp_path: Path) -> None:
    """Not even where somebody keeps the error, and with it all that was under way, until rows were entered again."""
    failed = 0
    for at in places:
        db, folder = bootstrapped(), tmp_path / str(at)
        with failing(Count(at), None, folder) as count:
            try:
                db.save(folder)
            except StateError as error:
                kept: list[BaseException] = [error]
            else:
                continue
        failed += count.failed
        changed_and_saved_again(db, folder)
        kept.clear()
        gc.collect()
        assert complete(engine_of(db).store), at
    assert failed > len(places) // 2


@pytest.mark.parametrize("at", range(1, 12))
def test_a_save_that_is_interrupted_while_an_index_gives_its_rows_back(
    at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (
        TEXT
        + """
.decl f(x: number)
.input f
.decl r(x: number, y: number)
.output r
r(x, y) :- f(x), p(x, y).
r(y, x) :- f(x), p(y, x).
"""
    )
    db, calls = Database(Program.parse(text), tuning=EARLY), Count(at)
    db.bootstrap(FACTS)
    engine_of(db).plan_updates()
    replace: Callable[..., None] = Store.replace

    def interrupted(self: Store, kind: str, number: int, field: str, *arrays: Any) -> None:
        replace(self, kind, number, field, *arrays)
        if len(arrays) == 1 and field in ("directory", "entries", "retired") and calls.due():
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Store, "replace", interrupted)
    try:
        db.save(tmp_path)
    except KeyboardInterrupt:
        pass
    monkeypatch.undo()
    assert calls.failed or calls.steps < at
    db.update(insert={"f": [(3,)]})  # nothing changes in the relation whose rows it looks up
    assert set(db["r"]) == {(3, n) for n in range(4, ROWS + 1)} | {(n, 3) for n in range(3)}
    assert complete(engine_of(db).store)


def test_an_index_has_all_rows_though_entering_them_was_interrupted() -> None:
    class Stop(Exception):
        pass

    for at in range(1, 4):
        engine, looks = engine_of(bootstrapped()), Count(at)

        def look(looks: Count = looks) -> None:
            if looks.due():
                raise Stop

        store, number = engine.store, engine.numbers["q"]
        store.look = look
        try:
            index = store.index_on(number, (1,))
        except Stop:
            index = store.index_on(number, (1,))
        assert store.indexes["row_count"][index] == store.row_count(number), at
        assert not store.without_rows
        assert looks.failed or at > 1


def test_a_relation_that_is_evaluated_anew_drops_no_index_that_updates_use(tmp_path: Path) -> None:
    """The rule that is gone looks up rows of a relation that no component after the new one reads."""
    text = """
.decl e(x: number)
.input e
.decl p(x: number, y: number) eqrel
{rule}
.decl {name}(x: number)
{name}(2) :- e(_).
"""
    db = Database(Program.parse(text.format(rule="p(x, x) :- e(x).", name="q")), switch=None, tuning=EARLY)
    db.bootstrap({"e": [(n,) for n in range(ROWS)]})
    assert len(db["p"]) == ROWS
    db.save(tmp_path)
    opened = Database.open(tmp_path, Program.parse(text.format(rule="", name="r")), switch=None, tuning=EARLY)
    assert list(opened["p"]) == [] and set(opened["r"]) == {(2,)}


def test_capacity_that_complete_relations_do_not_need_is_given_back() -> None:
    engine = LocalEngine(parse(".decl r(x: number, y: number) .input r"), tuning=tuned(unneeded=8))
    engine.bootstrap({"r": np.arange(2000, dtype=np.int32).reshape(-1, 2)})
    store, number = engine.store, engine.numbers["r"]
    index = int(store.relations["primary_index"][number])
    store.reserve_rows(number, 1 << 14)
    store.reserve_entries(index, 1 << 14)
    before = {tuple(row) for row in store.cells(number).tolist()}
    store.fit_arrays(AtWork(range(number, number + 1)))
    assert 1000 < store.relations["row_capacity"][number] < 1100
    assert store.indexes["entry_capacity"][index] < 1 << 14
    assert {tuple(row) for row in store.cells(number).tolist()} == before
    assert (store.find(number, np.array([[0, 1], [1, 2]], np.int32)) >= 0).tolist() == [True, False]
    store.add(number, np.arange(4000, 9000, dtype=np.int32).reshape(-1, 2))  # they grow again
    assert store.row_count(number) == 3500
