"""The log of a save: what changed since the one before, as a sealed pickle of plain values; each names the seal of what it follows."""
from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_intdigest as checksum

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.aggregation import change_saved_aggregand
from ladder.engine.local.saved_base import MAGIC, MEND
from ladder.engine.local.saved_values import values_of
from ladder.errors import StateError

Array = npt.NDArray[Any]


def pack_log(engine: LocalEngine, follows: int) -> bytes:
    """What changed since the last save, whose seal is `follows`; empty where nothing did."""
    store, unsaved, symbols = engine.store, engine.unsaved, engine.values.symbols
    assert unsaved.by_row is not None
    relations = {}
    for number, rows in unsaved.by_row.items():
        numbers = np.unique(np.concatenate(rows))
        relations[number] = (store.cells(number)[numbers].tobytes(), store.first(number)[numbers].tobytes(),
                             store.counts(number, numbers).tobytes())
    records = {}
    for table, saved in unsaved.records.items():
        if store.row_count(table) > saved:
            records[table] = store.cells(table)[saved:].tobytes()
    texts = [symbols.text_of(n) for n in range(unsaved.symbols, len(symbols))]
    objects = engine.values.objects.values[unsaved.objects:]
    given_too = {name: cells.tolist() for name, cells in engine.given_too.rows.items()} if engine.given_too.changed else None
    if not (relations or records or given_too is not None):
        return b""
    body = pickle.dumps({"follows": follows, "relations": relations, "records": records, "symbols": texts, "first_symbol": unsaved.symbols, "objects": objects,
                         "first_object": unsaved.objects, "given_too": given_too}, protocol=5)
    return MAGIC + checksum(body).to_bytes(8, "little") + body


def seal_of(data: bytes) -> int:
    """The checksum that a log begins with."""
    return int.from_bytes(data[len(MAGIC):len(MAGIC) + 8], "little")


def apply_log(engine: LocalEngine, data: bytes, follows: int) -> None:
    """Bring an engine to the state after a log; it must follow what has the seal `follows`."""
    head = len(MAGIC) + 8
    if data[:len(MAGIC)] != MAGIC or checksum(data[head:]) != seal_of(data):
        raise StateError("A log of the saved state is damaged.", MEND)
    log = values_of(data[head:], engine.program)
    store, values = engine.store, engine.values
    if log["follows"] != follows or len(values.symbols) != log["first_symbol"] or len(values.objects) != log["first_object"]:
        raise StateError("The logs of the saved state do not follow each other.", MEND)
    values.symbols.numbers(log["symbols"])
    for value in log["objects"]:
        values.objects.number(value)
    if log["given_too"] is not None:
        engine.given_too.rows = {name: np.array(rows, np.int32).reshape(-1, engine.relations[name].arity) for name, rows in log["given_too"].items()}
    for number, raw in log["records"].items():
        _apply_rows(engine, number, _cells(store, number, raw), None, None)
    for number, (raw, first, counts) in log["relations"].items():
        _apply_rows(engine, number, _cells(store, number, raw), np.frombuffer(first, np.int32), np.frombuffer(counts, np.int32))


def _cells(store: Any, number: int, raw: bytes) -> Array:
    return np.frombuffer(raw, np.int32).reshape(-1, int(store.relations[number].arity)).copy()


def _apply_rows(engine: LocalEngine, number: int, cells: Array, first: Array | None, counts: Array | None) -> None:
    store = engine.store
    numbers = store.add(number, cells)
    first = np.zeros(len(cells), np.int32) if first is None else first.copy()
    counts = np.ones(len(cells), np.int32) if counts is None else counts.copy()
    aggregate = int(store.relations[number].aggregate)
    if aggregate != L.NONE:
        old = store.first(number)[numbers]
        for row, before, after in zip(numbers.tolist(), old.tolist(), first.tolist(), strict=True):
            while not change_saved_aggregand(store.aggregates[aggregate], store.relations, store.update[0], row, before, after):
                store.make_room()
    store.set_states(number, numbers, first, counts)
    store.list_rows(number)
