"""Removal of what a store no longer needs when a program has changed: relations, aggregates, indexes, operations."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from ladder.engine.local.kernels import layout as L
from ladder.engine.local.store import Store


def drop_relation(store: Store, number: int) -> None:
    """Remove a relation with its indexes, and those that share its rows; its number becomes free."""
    for view in store.views(number):
        drop_relation(store, view)
    for index in np.flatnonzero(store.indexes["relation"] == number).tolist():
        store.drop_index(index)
    for key in [key for key in store.index_numbers if key[0] == number]:
        del store.index_numbers[key]
    store.set_owner(number, L.NONE)
    store.forget("relation", number)
    store.relations["owner"][number] = L.NONE


def drop_aggregates(store: Store, numbers: Collection[int]) -> dict[int, int]:
    """Remove aggregates → old number → new number of the others, which keep their order."""
    kept = [number for number in range(len(store.aggregates)) if number not in numbers]
    for number in numbers:
        store.forget("aggregate", number)
    store.aggregates = store.aggregates[kept].copy()
    for new, old in enumerate(kept):
        if new != old:
            store.renumber_aggregate(old, new)
        store.relations[int(store.aggregates[new].aggregands)].aggregate = new
    return {old: new for new, old in enumerate(kept)}


def keep_indexes(store: Store, wanted: Collection[int]) -> None:
    """Remove all indexes except for these and the primary ones."""
    for number in range(len(store.relations)):
        for index in store.secondary_indexes(number):
            if index not in wanted:
                store.drop_index(index)


def drop_long_indexes(store: Store, relations: Iterable[int]) -> None:
    """Remove the indexes of relations with many rows, except for the primary ones; those of others take less memory
    than it takes time to make them again."""
    for number in relations:
        if store.row_count(number) >= store.tuning.dropped_from:
            for index in store.secondary_indexes(number):
                store.drop_index(index)


def drop_operations(store: Store, count: int) -> None:
    """Remove the operations that were made last, so that `count` are left."""
    for number in range(count, len(store.operations)):
        store.forget("operation", number)
    store.operations = store.operations[:count].copy()
