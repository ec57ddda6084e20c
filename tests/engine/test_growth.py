"""Bulk arrays keep what they hold however they grow, whoever looks at them, and whatever interrupts."""

from __future__ import annotations

import errno
import gc
import mmap
import signal
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from ladder.engine.local.dropping import drop_relation
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.blocks import HEADER
from ladder.engine.local.mapped import Mapping
from ladder.engine.local.store import AtWork, Store
from ladder.engine.local.values.symbols import SymbolTable
from ladder.engine.reference import evaluate as naive
from ladder.language import parse
from ladder.support.signals import Undisturbed
from ladder.support.tuning import DEFAULT

from ..database.failing import Count, out_of_memory
from .comparison import check_structure, difference, state_of
from .programs import random_case, states
from .tuned import tuned

ROWS = DEFAULT.evaluating.own_memory // 4


def grown(store: Store, rows: int) -> None:
    store.relations[0].rows_wanted = rows
    store.grant_capacity()


def filled() -> Store:
    """A relation of two columns whose arrays are large enough to have memory of their own."""
    store = Store([2], [0])
    grown(store, ROWS)
    store.bulk["relation", 0, "rows"][:, 0] = np.arange(ROWS)
    store.bulk["relation", 0, "derivation_count"][:] = np.arange(ROWS) + 7
    return store


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("rows", [3, ROWS], ids=["copied", "moved"])
def test_records_have_the_addresses_of_arrays_wherever_growing_is_cut_off(rows: int) -> None:
    store, at, failed = Store([2, 2], [0, 0], owners=[-1, 0]), 1, 1
    while failed:
        grown(store, rows)
        wanted, count = 2 * int(store.relations["row_capacity"][0]), Count(at)
        with suppress(MemoryError), out_of_memory(count):
            grown(store, wanted)
        for (kind, number, field), array in store.bulk.items():
            assert store.records(kind)[field][number] == address(array), (at, kind, field)
        assert store.relations["rows"][1] == address(store.bulk["relation", 0, "rows"])
        at, failed = at + 1, count.failed
        if store.relations["row_capacity"][0] > 64 * rows:
            store = Store([2, 2], [0, 0], owners=[-1, 0])
    assert at > 20


def test_texts_are_found_wherever_growing_is_cut_off() -> None:
    for at in range(1, 40):
        table = SymbolTable()
        with suppress(MemoryError), out_of_memory(Count(at)):
            table.reserve(1 << 20)
        texts = [f"text {n}" for n in range(2000)]
        assert table.texts_of(table.numbers(texts)) == texts, at


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


def test_records_at_work_are_granted_first() -> None:
    """Others are looked at only where none of those asks."""
    store, work = Store([2, 2, 2], [0, 0, 0]), AtWork(range(1, 2))
    index = int(store.relations["primary_index"][1])
    store.relations["rows_wanted"][:] = 1000
    store.grant_capacity(work)
    has = store.relations["row_capacity"].tolist()
    assert has[1] >= 1000 and has[0] == has[2] < 1000
    store.indexes["slots_wanted"][index] = 1000
    store.grant_capacity(work)
    assert store.indexes["slot_count"][index] >= 128
    assert store.relations["row_capacity"].tolist() == has
    store.grant_capacity(work)
    assert min(store.relations["row_capacity"].tolist()) >= 1000


def test_what_views_share_grows_once() -> None:
    several, alone = Store([2, 2, 2], [0, 0, 0], owners=[-1, 0, 0]), Store([2], [0])
    for store, relations in ((several, range(3)), (alone, range(1))):
        store.indexes["slots_wanted"][0] = 1 + store.indexes["slot_count"][0]
        store.grant_capacity(AtWork(relations))
    assert several.indexes["slot_count"][0] == alone.indexes["slot_count"][0] > L.LEAST_SLOTS


def test_directories_fit_their_keys_once_they_are_complete() -> None:
    """Rows are found after it, directories of few slots stay as they are, and none asks for what it had before."""
    store, count = Store([2, 2], [0, 0]), 100_000
    cells = np.arange(2 * count, dtype=np.int32).reshape(-1, 2)
    for start in range(0, count, 1000):  # not at one go, for which there would be a directory that fits
        store.add(0, cells[start : start + 1000])
    index, few = (int(number) for number in store.relations["primary_index"])
    secondary = store.index_on(0, (1,))
    store.add(1, cells[:10])
    store.reserve_slots(index, 1 << 19)
    before = int(store.indexes["slot_count"][few])
    store.fit_directories()
    for number in (index, secondary):
        slots = int(store.indexes["slot_count"][number])
        assert 5 * slots >= 8 * count > 5 * slots // 2
        assert store.bulk["index", number, "directory"].nbytes < 10 * slots
    assert store.indexes["slot_count"][few] == before
    assert store.find(0, cells).tolist() == list(range(count))
    store.grant_capacity()
    assert 5 * int(store.indexes["slot_count"][index]) // 2 < 8 * count
    more = cells + 2 * count
    store.add(0, more)
    assert store.find(0, more).tolist() == list(range(count, 2 * count))


def test_views_are_known_by_their_owner() -> None:
    store = Store([2, 2, 2, 2], [0, 0, 0, 0], owners=[-1, 0, 0, -1])
    assert [store.views(number) for number in range(4)] == [[1, 2], [], [], []]
    drop_relation(store, 1)
    assert store.views(0) == [2] and store.owner(1) == 1
    drop_relation(store, 0)
    assert store.views(0) == [] and store.relations["owner"].tolist() == [-1, -1, -1, -1]


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


def test_few_small_arrays_have_memory_of_their_own() -> None:
    """A process may have some ten thousand mappings, which files and threads need, too."""
    gc.collect()
    many, before = 100, Mapping.alive
    store = Store([1] * many, [0] * many, tuning=tuned(most_small=before + 30, own_sparse_memory=1).evaluating)
    assert Mapping.alive == before + 30
    for number in range(many):
        store.reserve_rows(number, 1 << 13)
    assert Mapping.alive == before + 30  # those that there are grow where they are
    store.reserve_rows(0, ROWS)
    store.reserve_rows(many - 1, ROWS)
    assert before + 30 < Mapping.alive <= before + 38  # large arrays always have some
    del store
    gc.collect()
    assert Mapping.alive == before


def test_arrays_lie_elsewhere_where_no_memory_of_their_own_is_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> None:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    store = filled()
    monkeypatch.setattr(mmap, "mmap", refused)
    monkeypatch.setattr(Mapping, "resize", lambda *_: False)
    grown(store, 2 * ROWS)
    assert (store.bulk["relation", 0, "rows"][:ROWS, 0] == np.arange(ROWS)).all()
    assert (store.bulk["relation", 0, "derivation_count"][:ROWS] == np.arange(ROWS) + 7).all()
    assert len(store.bulk["relation", 0, "change_number"]) == store.relations["row_capacity"][0] >= 2 * ROWS


def test_an_interrupt_leaves_no_stale_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever in the growth it comes, the records name the arrays that are there."""
    store, usual = filled(), Mapping.resize

    def interrupted(self: Mapping, size: int) -> bool:
        moved = usual(self, size)
        signal.raise_signal(signal.SIGINT)
        return moved

    monkeypatch.setattr(Mapping, "resize", interrupted)
    with pytest.raises(KeyboardInterrupt):
        grown(store, 4 * ROWS)
    monkeypatch.setattr(Mapping, "array", usual)
    for (kind, number, field), bulk in store.bulk.items():
        assert store.records(kind)[number][field] == address(bulk), (kind, number, field)
    assert (store.bulk["relation", 0, "rows"][:ROWS, 0] == np.arange(ROWS)).all()
    assert store.relations[0].row_capacity <= len(store.bulk["relation", 0, "change_number"])


def test_programs_whose_arrays_all_move() -> None:
    for seed in range(40_000, 40_008):
        case = random_case(seed)
        program, facts = parse(case.text), list(states(case))
        engine = LocalEngine(program, tuning=tuned(batch_size=3, capacity=2, own_memory=1))
        engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts[0].items() if rows})
        for change, after in zip(case.changes, facts[1:], strict=True):
            engine.update(
                *(
                    {name: engine.encode_facts(name, rows) for name, rows in change[way].items() if rows}
                    for way in ("delete", "insert")
                )
            )
            engine.finish()
            assert difference(state_of(engine), naive.evaluate(program, after)) == ""
        check_structure(engine)
        assert all(
            engine.store.records(kind)[number][field] == address(array)
            for (kind, number, field), array in engine.store.bulk.items()
            if kind in ("relation", "index")
        )


@pytest.mark.slow
def test_what_a_transaction_took_for_its_notes_is_given_back() -> None:
    """Committed or abandoned; the next one asks for capacity again."""
    shrunk = 0
    for seed in range(41_000, 41_008):
        case = random_case(seed)
        program, facts = parse(case.text), list(states(case))
        engine = LocalEngine(program, tuning=tuned(kept_notes=2))
        engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts[0].items() if rows})
        for change, after in zip(case.changes, facts[1:], strict=True):
            changed = [
                {name: engine.encode_facts(name, rows) for name, rows in change[way].items() if rows}
                for way in ("delete", "insert")
            ]
            for end in (engine.abandon, engine.finish):
                engine.update(*changed)
                large = engine.store.update[0].change_capacity > 2
                end()
                shrunk += large
                assert engine.store.update[0].change_capacity <= 2 and engine.store.update[0].event_capacity <= 2
            assert difference(state_of(engine), naive.evaluate(program, after)) == ""
    assert shrunk > 10


def test_rows_are_compared_block_by_block() -> None:
    old = [(x, x % 3) for x in range(20)]
    engine = LocalEngine(
        parse(".decl e(x: number, y: number)\n.input e\n.decl p(x: number)\n.output p\np(x) :- e(x, _).\n"),
        tuning=tuned(compared_rows=3),
    )
    engine.bootstrap({"e": engine.encode_facts("e", old)})
    engine.update({"e": engine.encode_facts("e", [(4, 1)])}, {})
    engine.finish()
    for new in (old, old[:4], old[5:], [*old[:4], (50, 1), *old[5:], (51, 2)], [], [(4, 1)]):
        came, went = engine.store.compared(engine.numbers["e"], engine.encode_facts("e", new))
        there = set(old) - {(4, 1)}
        assert set(map(tuple, came.tolist())) == set(new) - there and set(map(tuple, went.tolist())) == there - set(new)


# ---- many facts at one go


def many_facts(count: int = 20_000) -> np.ndarray:
    """Rows of two columns, of which some come twice: keys of one row, of some, and of very many."""
    numbers = np.random.default_rng(7)
    keys = np.concatenate([np.arange(count // 2), (numbers.random(count // 2) ** 4 * 50).astype(np.int64)])
    cells = np.stack([keys, numbers.integers(0, count // 4, count)], 1).astype(np.int32)
    return cells[numbers.permutation(count)]


def blocks_of(store: Store) -> dict[int, tuple[int, int]]:
    """(rows, slots) of each key of the primary index of relation 0."""
    slots, entries = store.slots(0), store.bulk["index", 0, "entries"]
    used = slots[["key", "block"]][slots["block"] != 0].tolist()
    return {key: tuple(entries[block].tolist()) if block > 0 else (1, 0) for key, block in used}


def test_an_index_is_laid_out_for_many_facts_as_it_would_grow() -> None:
    cells, one, other = many_facts(), Store([2], [0]), Store([2], [0])
    one.reserve_for(0, cells)
    laid_out = int(one.indexes[0].entry_count)
    numbers = np.concatenate([one.add(0, part) for part in np.array_split(cells, 7)])
    grew = np.concatenate([other.add(0, part) for part in np.array_split(cells, 1000)])
    assert (numbers == grew).all() and (one.cells(0) == other.cells(0)).all()
    assert (one.find(0, cells) == numbers).all() and one.find(0, cells + [[0, len(cells)]]).max() < 0
    once, several = blocks_of(one), blocks_of(other)
    assert once.keys() == several.keys() and all(once[key][0] == several[key][0] for key in once)
    assert int(one.indexes[0].entry_count) == laid_out == 1 + sum(HEADER + slots for _, slots in once.values() if slots)
    distinct = Store([2], [0])
    distinct.reserve_for(0, one.cells(0))
    distinct.add(0, one.cells(0))
    assert blocks_of(distinct) == several
    more = cells + np.array([[3, 1]], np.int32)
    one.reserve_for(0, more)  # which has rows by now
    assert (one.add(0, more) == other.add(0, more)).all()


def test_facts_are_stored_wherever_laying_out_is_cut_off() -> None:
    cells, at, failed = many_facts(6000), 1, 1
    expected = Store([2], [0]).add(0, cells)
    while failed:
        store, count = Store([2], [0]), Count(at)
        with suppress(MemoryError), out_of_memory(count):
            store.reserve_for(0, cells)
        assert (store.add(0, cells) == expected).all() and (store.find(0, cells) == expected).all(), at
        at, failed = at + 1, count.failed
    assert at > 10
