"""What groups of aggregated relations take: one aggregate input no state, more of them one, and what is not needed is
given back."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels.layout import NONE
from ladder.language import parse

from .comparison import check_structure, state_of
from .tuned import tuned

PROGRAM = (
    '.lattice L = "ladder.lattices:{}"\n.decl e(g: number, x: number)\n.input e\n.decl '
    "t(g: number, s: L<>)\nt(g, lub(x)) :- e(g, x)."
)
Row = tuple[int, int]


def engine_of(lattice: str, rows: set[Row]) -> LocalEngine:
    engine = LocalEngine(parse(PROGRAM.format(lattice)), tuning=tuned(capacity=2))
    engine.bootstrap({"e": engine.encode_facts("e", sorted(rows))})
    return engine


def change(engine: LocalEngine, deleted: set[Row], inserted: set[Row], keep: bool = True) -> None:
    def encoded(rows: set[Row]) -> dict[str, Any]:
        return {"e": engine.encode_facts("e", sorted(rows))} if rows else {}

    engine.update(encoded(deleted), encoded(inserted))
    engine.finish() if keep else engine.abandon()


def states_in_use(engine: LocalEngine) -> int:
    aggregate = engine.store.aggregates[0]
    return int(
        np.count_nonzero(engine.store.bulk["aggregate", 0, "group_states"]["row"][: int(aggregate.state_count)] != NONE)
    )


def groups(engine: LocalEngine) -> int:
    return int(engine.store.aggregates[0].used_slots)


def test_a_group_of_one_aggregate_input_is_a_row_without_a_state() -> None:
    engine = engine_of("flat", {(g, g % 7) for g in range(500)})
    assert (groups(engine), states_in_use(engine)) == (500, 0)
    number = engine.numbers
    assert (
        engine.store.row_count(number["t$in"])
        == engine.store.row_count(number["t$all"])
        == engine.store.row_count(number["t"])
        == 500
    )
    for keep in (False, True):
        change(engine, set(), {(3, 100), (1000, 1)}, keep)
        assert (groups(engine), states_in_use(engine)) == ((501, 1) if keep else (500, 0))
        check_structure(engine)
    change(engine, {(3, 100), (1000, 1)}, set())
    assert (groups(engine), states_in_use(engine)) == (500, 0)


def test_states_and_blocks_are_given_back() -> None:
    """Hundreds of changes of groups of 0 to 12 aggregate inputs: as many states as groups need, and a pool that
    stays."""
    source, rows = random.Random(4), {(g, x) for g in range(20) for x in range(g % 12)}
    engine, words = engine_of("interval(None)", rows), 0
    for step in range(300):
        gone = set(source.sample(sorted(rows), min(len(rows), source.randrange(30))))
        come = {(source.randrange(20), source.randrange(12)) for _ in range(source.randrange(30))} - gone
        keep = source.random() < 0.8
        change(engine, gone, come, keep)
        rows = rows - gone | come if keep else rows
        sizes = Counter(g for g, _ in rows)
        assert groups(engine) == len(sizes)
        assert sum(n > 1 for n in sizes.values()) <= states_in_use(engine) <= len(sizes)
        if step == 150:
            words = int(engine.store.aggregates[0].word_count)
    assert int(engine.store.aggregates[0].word_count) <= 2 * words
    assert state_of(engine).finals["t"] == {
        (g, (min(x for h, x in rows if h == g), max(x for h, x in rows if h == g))) for g in sizes
    }
    change(engine, rows, set())
    assert (groups(engine), states_in_use(engine)) == (0, 0)
    engine.compact(engine.numbers["t"])
    check_structure(engine)
    assert engine.store.row_count(engine.numbers["t$in"]) == 0


def test_rows_that_are_in_none_of_the_relations_are_removed() -> None:
    rows = {(g, x) for g in range(3000) for x in range(2)}
    engine = engine_of("flat", rows)
    before = state_of(engine)
    change(engine, set(), {(g, x) for g in range(3000) for x in range(10, 14)})
    change(engine, {(g, x) for g in range(3000) for x in range(10, 14)}, set())
    assert engine.store.row_count(engine.numbers["t"]) < 12_000  # of 24,000 that were there once
    assert state_of(engine) == before
    check_structure(engine)
    change(engine, {(0, 1), (1, 0)}, {(5000, 1)})
    assert state_of(engine).finals["t"] == before.finals["t"] - {r for r in before.finals["t"] if r[0] < 2} | {
        (0, 0),
        (1, 1),
        (5000, 1),
    }
