"""Bulk arrays keep what they hold however they grow, whoever looks at them, and whatever interrupts."""
from __future__ import annotations

import signal

import numpy as np
import pytest

from ladder.engine import naive
from ladder.engine.local import mapped
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.mapped import LARGE, Mapping
from ladder.engine.local.store import Store
from ladder.language import parse
from ladder.signals import Undisturbed

from .comparison import check_structure, difference, state_of
from .programs import random_case, states

ROWS = LARGE // 4


def grown(store: Store, rows: int) -> None:
    store.relations[0].rows_wanted = rows
    store.make_room()


def filled() -> Store:
    """A relation of two columns whose arrays are large enough to have memory of their own."""
    store = Store([2], [0])
    grown(store, ROWS)
    store.bulk["relation", 0, "rows"][:, 0] = np.arange(ROWS)
    store.bulk["relation", 0, "derivation_count"][:] = np.arange(ROWS) + 7
    return store


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def test_large_arrays_move_and_keep_their_cells() -> None:
    store = filled()
    for factor in (2, 8, 64):
        grown(store, factor * ROWS)
        rows, counts = store.bulk["relation", 0, "rows"], store.bulk["relation", 0, "derivation_count"]
        assert len(rows) == len(counts) == store.relations[0].row_capacity >= factor * ROWS
        assert (rows[:ROWS, 0] == np.arange(ROWS)).all() and (counts[:ROWS] == np.arange(ROWS) + 7).all()
        for field in ("rows", "first_iteration", "derivation_count", "change_number"):
            assert store.relations[0][field] == address(store.bulk["relation", 0, field])


def test_views_keep_what_they_saw() -> None:
    store = filled()
    view = store.bulk["relation", 0, "rows"][5:ROWS, 0]
    grown(store, 16 * ROWS)
    store.bulk["relation", 0, "rows"][:, 0] = -1
    assert (view == np.arange(5, ROWS)).all()
    assert store.relations[0].rows == address(store.bulk["relation", 0, "rows"])


def test_foreign_memory_is_copied() -> None:
    store = filled()
    for field in ("rows", "derivation_count"):
        store.replace("relation", 0, field, store.bulk["relation", 0, field].copy())
    grown(store, 4 * ROWS)
    assert (store.bulk["relation", 0, "rows"][:ROWS, 0] == np.arange(ROWS)).all()
    grown(store, 16 * ROWS)
    assert (store.bulk["relation", 0, "derivation_count"][:ROWS] == np.arange(ROWS) + 7).all()


def test_memory_that_does_not_move_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled()
    monkeypatch.setattr(Mapping, "resize", lambda *_: False)
    grown(store, 4 * ROWS)
    assert (store.bulk["relation", 0, "rows"][:ROWS, 0] == np.arange(ROWS)).all()
    assert store.relations[0].rows == address(store.bulk["relation", 0, "rows"])


def test_signals_wait_for_the_end() -> None:
    came: list[str] = []
    usual = signal.signal(signal.SIGINT, lambda *_: came.append("handled"))
    try:
        with Undisturbed(), Undisturbed():
            signal.raise_signal(signal.SIGINT)
            came.append("inside")
        assert came == ["inside", "handled"]
        signal.raise_signal(signal.SIGINT)
        assert came == ["inside", "handled", "handled"]
    finally:
        signal.signal(signal.SIGINT, usual)


def test_an_interrupt_leaves_no_stale_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever in the growth it comes, the records name the arrays that are there."""
    store, usual = filled(), Mapping.array

    def interrupted(self: Mapping, shape: tuple[int, ...], item: object) -> np.ndarray:
        signal.raise_signal(signal.SIGINT)
        return usual(self, shape, item)

    monkeypatch.setattr(Mapping, "array", interrupted)
    with pytest.raises(KeyboardInterrupt):
        grown(store, 4 * ROWS)
    monkeypatch.setattr(Mapping, "array", usual)
    for (kind, number, field), bulk in store.bulk.items():
        assert store.records(kind)[number][field] == address(bulk), (kind, number, field)
    assert (store.bulk["relation", 0, "rows"][:ROWS, 0] == np.arange(ROWS)).all()
    assert store.relations[0].row_capacity <= len(store.bulk["relation", 0, "change_number"])


def test_programs_whose_arrays_all_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped, "LARGE", 1)
    for seed in range(40_000, 40_008):
        case = random_case(seed)
        program, facts = parse(case.text), list(states(case))
        engine = LocalEngine(program, batch_size=3, room=2)
        engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts[0].items() if rows})
        for change, after in zip(case.changes, facts[1:], strict=True):
            engine.update(*({name: engine.encode_facts(name, rows) for name, rows in change[way].items() if rows}
                            for way in ("delete", "insert")))
            engine.finish()
            assert difference(state_of(engine), naive.evaluate(program, after)) == ""
        check_structure(engine)
        assert all(engine.store.records(kind)[number][field] == address(array)
                   for (kind, number, field), array in engine.store.bulk.items() if kind in ("relation", "index"))
