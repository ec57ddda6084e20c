"""Thousands of updates: no growth of stored rows, of pools, of symbols; and at the end the state of a run
from scratch."""

from __future__ import annotations

import random

import pytest

from ladder import Database, Program
from ladder.engine.reference import evaluate as naive

from ..marks import seeds
from .comparison import check_structure, difference, state_of

PROGRAM = """
.lattice Few = "ladder.lattices:k_set(2)"
.type Pair = [x: symbol, n: number]
.decl edge(x: symbol, y: symbol, n: number)
.input edge
.decl path(x: symbol, y: symbol)
.decl near(x: symbol, n: number)
.decl names(x: symbol, s: Few<>)
.decl apart(x: symbol, y: symbol)
.decl degree(x: symbol, n: number)
.decl noted(p: Pair)
path(x, y) :- edge(x, y, _).
path(x, z) :- path(x, y), edge(y, z, _).
near("0", 0).
near(y, min(n + w)) :- near(x, n), edge(x, y, w), n < 50.
names(y, lub(x)) :- edge(x, y, _).
names(z, lub(s)) :- names(y, s), edge(y, z, _).
apart(x, y) :- edge(x, _, _), edge(_, y, _), !path(x, y).
degree(x, n) :- edge(x, _, _), n = count : { edge(x, _, _) }.
noted([x, n]) :- near(x, n).
"""
NODES = 9


def sizes(db: Database) -> dict[str, int]:
    """What is stored, in rows, entries, words and names."""
    engine = db._ready()
    store = engine.store
    return {
        "rows": sum(store.row_count(number) for number in engine.numbers.values()),
        "entries": int(store.indexes["entry_count"].sum()),
        "words": int(store.aggregates["word_count"].sum()),
        "states": int(store.aggregates["state_count"].sum()),
        "symbols": len(engine.values.symbols),
        "objects": len(engine.values.objects),
        "bytes": sum(array.nbytes for array in store.bulk.values()),
    }


def soak(updates: int, seed: int) -> None:
    source = random.Random(seed)
    every = [(str(x), str(y), n) for x in range(NODES) for y in range(NODES) for n in (1, 5)]
    present = set(source.sample(every, 14))
    program = Program.parse(PROGRAM)
    db = Database(program, switch=None)
    db.bootstrap({"edge": sorted(present)})
    halves: list[dict[str, int]] = [{}, {}]
    for number in range(updates):
        gone = set(source.sample(sorted(present), source.choice((1, 1, 2, 6))))
        come = set(source.sample(every, len(gone))) - present
        if number % 50 == 7:
            engine = db._ready()
            engine.update(
                {"edge": engine.encode_facts("edge", sorted(gone))}, {"edge": engine.encode_facts("edge", sorted(come))}
            )
            engine.abandon()
            continue
        db.update(insert={"edge": sorted(come)}, delete={"edge": sorted(gone)})
        present = present - gone | come
        if len(present) < 12:
            present.add(missing := source.choice([row for row in every if row not in present]))
            db.update(insert={"edge": [missing]})
        half = halves[2 * number // updates]
        for name, size in sizes(db).items():
            half[name] = max(half.get(name, 0), size)
    assert difference(state_of(db._ready()), naive.evaluate(program.core, {"edge": sorted(present)})) == ""
    check_structure(db._ready())
    assert halves[1] == {name: pytest.approx(size, rel=0.2) for name, size in halves[0].items()}
    assert halves[1]["symbols"] == halves[0]["symbols"] and halves[1]["objects"] == halves[0]["objects"]


def test_some_hundred_updates() -> None:
    soak(1_000, 1)


@pytest.mark.nightly
def test_thousands_of_updates() -> None:
    for seed in seeds(range(2, 6)):
        soak(20_000, seed)
