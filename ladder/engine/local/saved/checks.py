"""Checks of a state that somebody else has written, before it is used; they cover everything that kernels rely on.

    iterations   not negative, and not later than the last one that their component can have had
    indexes      every row is found, blocks do not overlap, every search ends
    cells        existing symbols, records and values of lattices; no record contains itself
    aggregates   groups, their waves and trees, as a transaction leaves them

Each check is a pass over the arrays, and several run side by side; free lists in the state are not read at all.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels import checking
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.checking import SOUND, check_groups, check_index
from ladder.engine.local.saved.cells import CellChecker
from ladder.engine.local.saved.parts import damaged
from ladder.language.core import Kind
from ladder.support.machine import cores

LEAST_CELL, CELLS = -(1 << 31), 1 << 31
WORDS = {
    checking.NO_VACANCY: "a directory is full",
    checking.BLOCK_OUT: "a block lies outside",
    checking.BLOCKS_MEET: "two blocks meet",
    checking.NO_TABLE: "a table is none",
    checking.UNREACHABLE: "an entry cannot be found",
    checking.ROW_OUT: "it names a row that is not there",
    checking.ROW_ELSEWHERE: "a row is entered where it does not belong",
    checking.ROW_TWICE: "a row is entered twice",
    checking.ROWS_MISSING: "a row is not entered",
    checking.UNSETTLED_GROUP: "a group is not settled",
    checking.GROUP_OUT: "a group is not there",
    checking.VALUE_OUT: "a value is not there",
    checking.STAMP_OUT: "a timestamp is none",
    checking.KEY_OUT: "an aggregate input is not there",
    checking.TREE_OUT: "a tree is none",
    checking.LEAF_OUT: "a leaf is none",
}


def check_base(engine: LocalEngine, folder: Path) -> None:
    """Raise `StateError` unless the arrays of an engine are as an engine leaves them; free lists are made anew."""
    check_iterations(engine, folder)
    store, checker = engine.store, CellChecker(engine, folder)
    numbers: list[int] = np.flatnonzero(store.indexes["relation"] != L.NONE).tolist()
    with ThreadPoolExecutor(min(engine.tuning.saving.threads, cores())) as pool:
        longest_first = sorted(numbers, key=lambda number: -int(store.indexes["entry_count"][number]))
        results = [pool.submit(_index, engine, number) for number in longest_first]
        for name, number in engine.numbers.items():
            if store.relations[number].owner == L.NONE and name not in engine.tables:
                checker.check(name, store.cells(number))
        wrong = next(filter(None, (result.result() for result in results)), "")
    if wrong:
        damaged(folder, wrong)
    bounds = _bounds(engine)
    for name, number in engine.aggregate_numbers.items():
        _aggregate(
            engine, checker, name, number, bounds[engine.numbers[engine.expanded.aggregates[name].inputs]], folder
        )


def check_iterations(engine: LocalEngine, folder: Path) -> None:
    """Raise `StateError` if a row appears later than it can: each iteration of a component except the first brings a
    row."""
    for number, bound in _bounds(engine).items():
        first = engine.store.first(number)
        if not len(first):
            continue
        late = first > bound
        if int(first.min()) < 0 or (late.any() and (first[late] != L.ABSENT).any()):
            damaged(folder, f"{engine.names[number]} has a row of an iteration that was none")


def _bounds(engine: LocalEngine) -> dict[int, int]:
    """For each relation, an iteration that no row of its component is later than."""
    found = {}
    for component in engine.expanded.components:
        numbers = [engine.numbers[name] for name in component.names]
        bound = 1 + sum(engine.store.row_count(number) for number in numbers)
        found.update(dict.fromkeys(numbers, bound))
    return found


def _index(engine: LocalEngine, number: int) -> str:
    store, index = engine.store, engine.store.indexes[number]
    relation = store.relations[int(index.relation)]
    flags, seen = np.zeros(int(index.entry_count), np.uint8), np.zeros(max(1, int(relation.row_count)), np.uint8)
    problem = int(check_index(relation, index, flags, seen))
    return f"an index of {engine.names[int(index.relation)]}: {WORDS[problem]}" if problem != SOUND else ""


def _aggregate(engine: LocalEngine, checker: CellChecker, name: str, number: int, latest: int, folder: Path) -> None:
    store, aggregate = engine.store, engine.store.aggregates[number]
    type_ = engine.relations[name].columns[-1].type
    least, below = (
        (LEAST_CELL, CELLS) if type_.kind in (Kind.NUMBER, Kind.UNSIGNED, Kind.FLOAT) else (0, checker.limit(type_))
    )
    flags, seen = np.zeros(int(aggregate.word_count), np.uint8), np.zeros(max(1, int(aggregate.state_count)), np.uint8)
    problem = int(check_groups(aggregate, store.relations, flags, seen, least, below, latest))
    if problem != SOUND:
        damaged(folder, f"groups of {name}: {WORDS[problem]}")
