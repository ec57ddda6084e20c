"""The local engine's state in the naive evaluator's form, for comparison."""

from __future__ import annotations

from typing import Any

import numpy as np

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels.blocks import ALONE, HEADER
from ladder.engine.local.kernels.layout import ABSENT, HASHED
from ladder.engine.local.store import Store
from ladder.engine.reference.evaluate import State


def state_of(engine: LocalEngine) -> State:
    """Rows with (first, count), aggregate inputs, totals and finals of an engine, as Python values."""
    state = State()
    for name in engine.program.relations:
        aggregate = engine.expanded.aggregates.get(name)
        if aggregate is None:
            state.rows[name] = _rows(engine, name, name)
            continue
        state.aggregate_inputs[name] = {
            row: (first - 1, count) for row, (first, count) in _rows(engine, aggregate.inputs, name).items()
        }
        state.totals[name] = {row: first for row, (first, _) in _rows(engine, aggregate.totals, name).items()}
        state.finals[name] = set(_rows(engine, name, name))
    return state


def _rows(engine: LocalEngine, stored: str, name: str) -> dict[tuple[Any, ...], tuple[int, int]]:
    cells, first, counts = engine.store.present(engine.numbers[stored])
    types = [column.type for column in engine.relations[stored].columns]
    if engine.has_filler(name):
        cells, types = cells[:, 1:], types[1:]
    return {
        tuple(engine.values.decode(c, t) for c, t in zip(row, types, strict=True)): (f, c)
        for row, f, c in zip(cells.tolist(), first.tolist(), counts.tolist(), strict=True)
    }


def keys_of(store: Store, number: int) -> dict[int, list[int]]:
    """The rows of each key of an index, in the order of its entries."""
    entries, slots = store.bulk["index", number, "entries"], store.slots(number)
    rows: dict[int, list[int]] = {}
    for key, block in slots[["key", "block"]][slots["block"] != 0].tolist():
        length, capacity = entries[block].tolist() if block > 0 else (1, 0)
        size = capacity if store.indexes[number].kind == HASHED else length
        found = entries["row"][block + HEADER : block + HEADER + size] if block > 0 else np.array([ALONE - block])
        assert key not in rows
        rows[key] = found[found >= 0].tolist()
        assert len(rows[key]) == length
    return rows


def check_structure(engine: LocalEngine) -> None:
    """Every stored row is in each index of its relation, once; nothing of a transaction is left."""
    store = engine.store
    for name, number in engine.numbers.items():
        relation = store.relations[number]
        rows, first, _ = store.columns(number)
        assert relation.absent_rows == (first == ABSENT).sum(), name
        assert not store.bulk["relation", number, "change_number"][: len(rows)].any(), name
        for index_number in (int(relation.primary_index), *relation["indexes"][: int(relation.index_count)].tolist()):
            index = store.indexes[index_number]
            listed = [row for rows_of_key in keys_of(store, index_number).values() for row in rows_of_key]
            complete = len(rows) if index.kind == 0 else int(index.row_count)
            assert sorted(listed) == list(range(complete)), (name, index_number)
            lacks_rows = index_number in store.without_rows  # until something needs it
            assert (first[complete:] == ABSENT).all() or (lacks_rows and not complete), (name, index_number)
    for number in range(len(store.aggregates)):
        for totals in (int(store.aggregates[number].totals), int(store.aggregates[number].finals)):
            assert (store.present(totals)[2] == 1).all(), totals
        assert store.aggregates[number].note_count == store.aggregates[number].touched_count == 0
    assert not np.any(store.relations["lost"])


def difference(found: State, expected: State) -> str:
    """What two states disagree on, or an empty string."""
    lines = []
    for part in ("rows", "aggregate_inputs", "totals", "finals"):
        ours, theirs = getattr(found, part), getattr(expected, part)
        assert ours.keys() == theirs.keys()
        for name in ours:
            x, y = ours[name], theirs[name]
            if isinstance(x, set):
                lines += [f"{part} {name}{row}: {'found' if row in x else 'missing'}" for row in x ^ y]
            else:
                lines += [
                    f"{part} {name}{row}: {x.get(row)}, expected {y.get(row)}"
                    for row in x.keys() | y.keys()
                    if x.get(row) != y.get(row)
                ]
    return "\n".join(lines)
