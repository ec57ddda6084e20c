"""The log of a save: what changed since the previous save, as arrays (see `parts`) that are checked before they are
applied."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.aggregation import change_saved_aggregand
from ladder.engine.local.saved.cells import CellChecker
from ladder.engine.local.saved.parts import Laid, Named, Parts, damaged, laid_out
from ladder.engine.local.saved.values import intern_next, parts_of_objects, parts_of_texts, values_of

Array = npt.NDArray[Any]


def laid_log(engine: LocalEngine) -> Laid | None:
    """The changes since the last save, laid out as a file; None if there are none."""
    store, unsaved = engine.store, engine.unsaved
    assert unsaved.by_row is not None
    arrays: list[Named] = []
    for number, rows in unsaved.by_row.items():
        numbers = np.unique(np.concatenate(rows))
        arrays += [
            (f"relation.{number}.rows", store.cells(number)[numbers], 0),
            (f"relation.{number}.first_iteration", store.first(number)[numbers], 0),
            (f"relation.{number}.derivation_count", store.counts(number, numbers), 0),
        ]
    records = [table for table, saved in unsaved.records.items() if store.row_count(table) > saved]
    arrays += [(f"records.{table}", store.cells(table)[unsaved.records[table] :], 0) for table in records]
    asserted_too = engine.asserted_program_facts.stored() if engine.asserted_program_facts.changed else None
    if not arrays and asserted_too is None:
        return None
    header = {
        "relations": [*unsaved.by_row],
        "records": records,
        "first_symbol": unsaved.symbols,
        "first_object": unsaved.objects,
        "given too": asserted_too,
    }
    return laid_out(
        header,
        [
            *arrays,
            *parts_of_texts(engine.values.symbols, unsaved.symbols),
            *parts_of_objects(engine.values.objects.values[unsaved.objects :]),
        ],
        engine.tuning.saving,
    )


def apply_log(engine: LocalEngine, log: Parts) -> None:
    """Bring an engine to the state after a log; malformed headers raise ValueError and the like."""
    header, store, values = log.header, engine.store, engine.values
    if len(values.symbols) != header["first_symbol"] or len(values.objects) != header["first_object"]:
        damaged(log.folder, "its logs do not follow each other")
    intern_next(values.symbols, log, len(values.symbols))
    for value in values_of(log, engine.program):
        if values.objects.number(value) != len(values.objects) - 1:
            damaged(log.folder, "it has a value of a lattice twice")
    if header["given too"] is not None:
        engine.asserted_program_facts.restore(header["given too"], engine.relations)
    for number in header["records"]:
        _expect_relation(engine, log, number, records=True)
        _apply_rows(engine, number, _cells(log, f"records.{number}", int(store.relations[number].arity)), None, None)
    checker = CellChecker(engine, log.folder)
    for number in header["relations"]:
        _expect_relation(engine, log, number, records=False)
        cells = _cells(log, f"relation.{number}.rows", int(store.relations[number].arity))
        first, counts = (
            log.used(f"relation.{number}.{field}", np.int32) for field in ("first_iteration", "derivation_count")
        )
        if not len(cells) == len(first) == len(counts) or (
            len(first) and not 0 <= int(first.min()) <= int(first.max()) <= L.ABSENT
        ):
            damaged(log.folder, f"the columns of relation {number} do not fit")
        checker.check(engine.names[number], cells)
        _apply_rows(engine, number, cells, first, counts)


def _expect_relation(engine: LocalEngine, log: Parts, number: Any, records: bool) -> None:
    if type(number) is not int or number not in engine.names or (engine.names[number] in engine.tables) != records:
        damaged(log.folder, f"it has no relation of number {number!r}")


def _cells(log: Parts, name: str, arity: int) -> Array:
    return log.used(name, np.int32, arity).reshape(-1, arity).copy()


def _apply_rows(engine: LocalEngine, number: int, cells: Array, first: Array | None, counts: Array | None) -> None:
    store = engine.store
    numbers = store.add(number, cells)
    first = np.zeros(len(cells), np.int32) if first is None else first.copy()
    counts = np.ones(len(cells), np.int32) if counts is None else counts.copy()
    aggregate = int(store.relations[number].aggregate)
    if aggregate != L.NONE:
        old = store.first(number)[numbers]
        for row, before, after in zip(numbers.tolist(), old.tolist(), first.tolist(), strict=True):
            while not change_saved_aggregand(
                store.aggregates[aggregate], store.relations, store.update[0], row, before, after
            ):
                store.grant_capacity()
    store.set_states(number, numbers, first, counts)
    store.list_rows(number)
