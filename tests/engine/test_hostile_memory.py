"""No kernel reads what was never written: with memory that holds the worst it may, states are those of the
definition."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ladder.engine.local import mapped
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels.layout import ENTRY
from ladder.language import parse
from ladder.support.tuning import DEFAULT

from .comparison import check_structure, difference, state_of
from .hostile_memory import Poison, hostile_memory, lower_thresholds
from .tuned import tuned

HUBS = """
.decl e(x: number, y: number)
.decl f(y: number, z: number)
.decl p(x: number, y: number)
p(x, y) :- e(x, y).
p(x, z) :- p(x, y), f(y, z).
"""


def hubs(keys: int, width: int, steps: int) -> dict[str, list[tuple[int, int]]]:
    """Facts from which few keys get many rows, so that their tables are outgrown again and again."""
    return {
        "e": [(key, i) for key in range(keys) for i in range(width)],
        "f": [(i, i + width) for i in range(width * steps)],
    }


def bootstrapped(facts: dict[str, list[tuple[int, int]]], jobs: int, source: random.Random | None) -> LocalEngine:
    engine = LocalEngine(parse(HUBS), jobs=jobs, tuning=DEFAULT if source is None else tuned(batch_size=8, capacity=2))
    if source is not None:
        lower_thresholds(engine, jobs, source)
    engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts.items()})
    return engine


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_squeezed_pools(jobs: int) -> None:
    """Pools are squeezed whatever lies in the entries that threads were given and did not use."""
    facts, squeezed = hubs(4, 30, 10), 0
    expected = state_of(bootstrapped(facts, 1, None))
    for seed in range(12):
        with hostile_memory(seed):
            engine = bootstrapped(facts, jobs, random.Random(seed))
        assert difference(state_of(engine), expected) == ""
        check_structure(engine)
        squeezed += int(engine.store.workspace[0].flag_capacity > 0)
    assert squeezed > 3


def test_squeezed_pools_of_the_usual_size() -> None:
    """As it is outside of tests: pools are squeezed from 128 thousand entries on, threads get four thousand at once."""
    with hostile_memory(1):
        engine = bootstrapped(hubs(10, 2000, 15), 2, None)
    assert engine.store.row_count(engine.numbers["p"]) == 10 * 2000 * 16 and engine.store.workspace[0].flag_capacity > 0
    rows = engine.store.cells(engine.numbers["p"])
    assert len(np.unique(rows.astype(np.int64) @ np.array([1 << 20, 1]))) == len(rows)
    check_structure(engine)


def test_arbitrary_cells_are_filled() -> None:
    """Small arrays and large ones, when they are made and when they grow; what must be zero is not."""
    with hostile_memory(3):
        engine = bootstrapped(hubs(2, 3, 2), 1, None)
        store = engine.store
        number = int(store.relations[engine.numbers["p"]].primary_index)
        for more in (10, 1 << 18, 1 << 20):
            used = int(store.indexes[number].entry_count)
            store.reserve_entries(number, more)
            entries, relation = (
                store.bulk["index", number, "entries"],
                store.bulk["relation", engine.numbers["p"], "change_number"],
            )
            assert (
                entries.dtype == ENTRY
                and entries["row"][used:][:50].any()
                and entries["row"][-50:].any()
                and not relation.any()
            )
        assert not mapped.make((1 << 20,), np.int32, zero=True)[0].any()
        assert mapped.make((1 << 20,), np.int32)[0][-1000:].any() and mapped.arbitrary((50,), np.uint8).any()


@pytest.mark.parametrize("item", [np.uint8, np.int32, np.int64])
def test_what_memory_is_filled_with(item: type) -> None:
    """Marks, row numbers and the extremes are among it."""
    cells = np.zeros(5000, item)
    Poison(0).fill(cells)
    signed = set(cells.view(np.dtype(item).str.replace("u", "i")).tolist())
    assert {-1, -2, -3, 0, 5} <= signed and len(signed) > 50
