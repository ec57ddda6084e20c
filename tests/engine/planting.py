"""Defects of the engine that are planted: addresses and indices that lead elsewhere."""

from __future__ import annotations

import gc

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels.blocks import list_relation
from ladder.engine.local.kernels.layout import LISTED
from ladder.language import parse

from .hostile_memory import hostile_memory
from .tuned import tuned

CLOSURE = """
.decl e(x: number, y: number)
.decl p(x: number, y: number)
p(x, y) :- e(x, y).
p(x, z) :- p(x, y), e(y, z).
"""


def plant(bug: str) -> None:
    """A closure under way, with a bug: this ends in a crash or an error, but for "nothing"."""
    with hostile_memory(1):
        engine = LocalEngine(parse(CLOSURE), tuning=tuned(capacity=2))
        engine.bootstrap({"e": engine.encode_facts("e", [(i, i + 1) for i in range(300)])})
        store, number = engine.store, engine.numbers["e"]
        # one of them is the primary one, made before
        index_number = max(store.index_on(number, (column,)) for column in (0, 1))
        assert store.relations[number].index_count and store.indexes[index_number].kind == LISTED
        index = store.indexes[index_number]
        index.row_count = 0  # all rows are to be listed again
        if bug == "one too many":
            index.entry_count = index.entry_capacity  # … at the end of the pool, which is said to be larger than it is
            index.entry_capacity += 4096
        elif bug == "stale":
            before = int(index.entries)
            store.reserve_entries(index_number, 10 * int(index.entry_capacity))
            gc.collect()
            store.indexes[index_number].entries = before  # … where the pool was before it grew
        elif bug == "forgotten":
            entries = int(index.entries)
            store.forget("index", index_number)
            gc.collect()
            store.indexes[index_number].entries = entries  # … in an index that was dropped
            store.indexes[index_number].slot_count = 4
            store.indexes[index_number].directory = entries
        elif bug == "unwritten":
            directory = store.slots(int(store.relations[number].primary_index))
            directory["block"][directory["block"] > 0] += int(store.indexes["entry_count"].max())  # … never written
            engine.update({}, {"e": engine.encode_facts("e", [(i, i + 2) for i in range(300)])})
        list_relation(store.relations[number], store.indexes)
    print("nothing was found")
