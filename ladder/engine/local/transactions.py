"""Transactions of the local engine, by phases: `UPDATE` opens one, `COMMIT` makes its changes the state, `ROLL_BACK`
undoes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.aggregation import anchor_groups, forget_notes, rename_rows, restore_aggregands
from ladder.engine.local.kernels.blocks import clear_index
from ladder.engine.local.kernels.host_calls import hash_rows, squeeze
from ladder.engine.local.kernels.update import begin_update, commit, roll_back
from ladder.support.signals import Undisturbed

if TYPE_CHECKING:
    from ladder.engine.local.maintained import Maintained
    from ladder.language.core import Program

Cells = npt.NDArray[np.int32]
COUNTED = {
    "events": "scheduled",
    "looked_back": "looked_back",
    "active_components": "active_components",
    "active_iterations": "active_iterations",
}


@dataclass
class Report:
    """Figures of one update, for reports."""

    changed_rows: int = 0
    events: int = 0
    looked_back: int = 0
    active_components: int = 0
    active_iterations: int = 0


@dataclass
class Update:
    """What the phases of an update read: the facts to delete and to insert, as cells; `begun`: whether the transaction
    was begun."""

    engine: Maintained
    deleted: Mapping[str, Cells]
    inserted: Mapping[str, Cells]
    begun: bool = False


def open_update(engine: Maintained, deleted: Mapping[str, Cells], inserted: Mapping[str, Cells]) -> None:
    """Delete facts, insert others, and derive what follows; the transaction stays open."""
    update = Update(engine, deleted, inserted)
    try:
        for run in UPDATE.values():
            run(update)
    except BaseException:
        if update.begun:
            abandon(engine)
        raise


def _prepare(update: Update) -> None:
    """Make the plans of updates and their indexes, once for the state."""
    update.engine.prepare_updates()


def _begin(update: Update) -> None:
    """Begin a transaction: from here on, old states of rows that change are recorded."""
    engine = update.engine
    begin_update(engine.store.update[0], engine.store.relations)
    engine.ordered.begin()
    engine.asserted_program_facts.begin()
    update.begun = True


def _change_asserted_facts(update: Update) -> None:
    """Delete the asserted facts that go, then insert those that come."""
    engine = update.engine
    for present, facts in ((False, update.deleted), (True, update.inserted)):
        for name, cells in facts.items():
            edb = engine.edb_relation(name)
            engine.asserted_program_facts.change(edb, cells, engine.program_facts.get(edb), present)
            change_facts(engine, edb, cells, present)


def _update_components(update: Update) -> None:
    """Update all components; the difference of an ordered one is passed to those after it like a change of facts."""
    engine = update.engine
    for position in engine.ordered.components:
        engine.update_plans = engine.update_components(engine.prepare_updates(), position)
        for name, gone, came in engine.ordered.difference(position):
            change_facts(engine, name, gone, present=False)
            change_facts(engine, name, came, present=True)
    engine.ordered.forget()
    engine.update_plans = engine.update_components(engine.prepare_updates())


UPDATE: dict[str, Callable[[Update], None]] = {
    "prepare": _prepare,
    "begin": _begin,
    "change facts": _change_asserted_facts,
    "update components": _update_components,
}
"""Opens a transaction. What is raised after `begin` rolls it back."""


def change_facts(engine: Maintained, name: str, cells: Cells, present: bool) -> None:
    """Insert (`present`) or delete facts of a stored relation; their old states are kept in the transaction."""
    number, store = engine.numbers[name], engine.store
    rows = store.add(number, cells) if present else store.find(number, cells)
    rows = rows[rows >= 0]
    if len(rows) > 1:
        rows = np.unique(rows)
    if not present and (of_program := engine.program_facts.get(name)) is not None:
        rows = np.setdiff1d(rows, store.find(number, of_program))
    set_facts(engine, number, rows, present)


def set_facts(engine: Maintained, number: int, rows: npt.NDArray[np.int64], present: bool) -> None:
    """Make stored rows facts, or facts no longer; their old states are kept in the transaction."""
    done = 0
    while (done := engine.strategy.change_facts(number, rows, present, done)) < len(rows):
        engine.grant_capacity()


def changes(engine: Maintained, of: Program | None = None) -> Iterator[tuple[str, Cells, Cells]]:
    """(relation, rows that came, rows that went) of the open transaction, for every relation that changed.

    `of`: a program, to whose declared relations this is limited.
    """
    numbers, rows, came = engine.moved()
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    changed, ends = numbers[starts], np.append(starts, len(numbers))[1:]
    owners = engine.store.relations["owner"][changed]  # by column: a single record's takes half a microsecond
    holders = np.where(owners == L.NONE, changed, owners)
    for number, holder, start, end in zip(*(a.tolist() for a in (changed, holders, starts, ends)), strict=True):
        if of is None or of.declares(engine.names[number]):
            cells = engine.store.bulk["relation", holder, "rows"]
            some, arrived = rows[start:end], came[start:end] != 0
            yield engine.names[number], cells[some[arrived]], cells[some[~arrived]]


def finish(engine: Maintained) -> Report:
    """Commit the open transaction; interrupts are delayed.

    If memory runs out in the middle, the engine is `half_done`.
    """
    with Undisturbed(), engine.watch.resting():
        engine.half_done = True
        report = Report()
        for run in COMMIT.values():
            run(engine, report)
        engine.half_done = False
        return report


def _note_unsaved(engine: Maintained, report: Report) -> None:
    """Record the rows whose states the next save must write."""
    if engine.unsaved.by_row is not None:
        for number in np.flatnonzero(engine.store.relations["changed"] != L.END).tolist():
            engine.unsaved.add(number, engine.touched(number)[0])


def _count(engine: Maintained, report: Report) -> None:
    """Count what the update did, by whole columns: access to attributes of single records takes microseconds."""
    for name, column in COUNTED.items():
        setattr(report, name, int(engine.store.update[column][0]))


def _commit_rows(engine: Maintained, report: Report) -> None:
    """Make the new states of rows, and what the strategy knows of them, the state."""
    engine.strategy.committed()
    report.changed_rows = commit(engine.store.update[0], engine.store.relations)


def _release(engine: Maintained, report: Report | None = None) -> None:
    """Release what only an open transaction needs."""
    engine.store.release_notes()
    forget_group_notes(engine)


def _compact_relations(engine: Maintained, report: Report) -> None:
    """Remove absent rows from relations with many."""
    absent, least = engine.store.relations["absent_rows"], engine.tuning.evaluating.compacted_from
    for number in np.flatnonzero(absent >= least).tolist():
        if _worth_compacting(engine, number, int(absent[number])):
            compact(engine, number)


COMMIT: dict[str, Callable[[Maintained, Report], None]] = {
    "note unsaved rows": _note_unsaved,
    "count": _count,
    "commit rows": _commit_rows,
    "release": _release,
    "compact": _compact_relations,
}
"""Makes an open transaction the state."""


def _worth_compacting(engine: Maintained, number: int, absent: int) -> bool:
    """Whether many stored rows are absent from a relation, which lacks `absent` of them, and from all that share its
    rows.

    Counting takes a pass over the rows; if there were not enough, it is repeated when as many more rows are absent.
    """
    store, tuning = engine.store, engine.tuning.evaluating
    enough = max(tuning.compacted_from, -(-store.row_count(number) // tuning.compacted_share))
    if store.owner(number) != number or absent - engine.absent_elsewhere.get(number, 0) < enough:
        return False
    gone = int(np.count_nonzero(~_kept(engine, number)))
    engine.absent_elsewhere[number] = absent - gone
    return gone >= enough


def _kept(engine: Maintained, number: int) -> npt.NDArray[np.bool_]:
    """Which rows are in a relation or in one that shares its rows."""
    kept: npt.NDArray[np.bool_] = engine.store.first(number) != L.ABSENT
    for view in engine.store.views(number):
        kept |= engine.store.first(view) != L.ABSENT
    return kept


def abandon(engine: Maintained) -> None:
    """Roll the open transaction back to the old state; interrupts are delayed, and no limit applies."""
    with Undisturbed(), engine.watch.resting():
        for run in ROLL_BACK.values():
            run(engine)


def _withdraw(engine: Maintained) -> None:
    """Take back what the transaction changed in answers of functions, in ordered components, and in which program facts
    were asserted."""
    engine.functions.withdraw()
    engine.ordered.abandon()
    engine.asserted_program_facts.abandon()


def _restore_groups(engine: Maintained) -> None:
    """Restore the inputs of groups of aggregates."""
    store = engine.store
    for number in range(len(store.aggregates)):
        aggregate = store.aggregates[number]
        while restore_aggregands(aggregate, store.relations, store.update[0]) == L.NEEDS_CAPACITY:
            engine.grant_capacity()
            aggregate = store.aggregates[number]
        engine.settle(number)


def _restore_rows(engine: Maintained) -> None:
    """Restore the old states of rows, and what the strategy knew of them."""
    roll_back(engine.store.update[0], engine.store.relations)
    engine.strategy.abandoned()


def _rewind_plans(engine: Maintained) -> None:
    """Reset plans that stopped in the middle of their steps."""
    if engine.update_plans is not None:
        engine.update_plans.plans["level"] = L.NONE
        engine.update_plans.plans["pending_step"] = L.NONE


ROLL_BACK: dict[str, Callable[[Maintained], None]] = {
    "withdraw": _withdraw,
    "restore groups": _restore_groups,
    "restore rows": _restore_rows,
    "release": _release,
    "rewind plans": _rewind_plans,
}
"""Drops an open transaction: the state is what it was before `begin`."""


def forget_group_notes(engine: Maintained) -> None:
    """Clear the record of touched groups of aggregates; groups that no longer need a state release it."""
    store = engine.store
    touched = (store.aggregates["note_count"] != 0) | (store.aggregates["event_cursor"] != 0)
    for number in np.flatnonzero(touched).tolist():
        forget_notes(store.aggregates[number], store.relations, store.indexes)


def compact(engine: Maintained, number: int) -> None:
    """Remove the absent rows of a relation and of those that share its rows, at the cost of one pass for each index."""
    store = engine.store
    number = store.owner(number)
    store.follow(number)
    together = [number, *store.views(number)]
    kept = _kept(engine, number)
    new_numbers = np.cumsum(kept, dtype=np.int32) - np.int32(1)
    relation, aggregate = store.relations[number], int(store.relations[number].aggregate)
    if aggregate != L.NONE:
        anchor_groups(store.aggregates[aggregate], store.relations, store.indexes, kept)
    for view in together[1:]:
        first = store.first(view)
        first[: np.count_nonzero(kept)] = first[kept]
    squeeze(relation, kept)
    engine.strategy.compacted(number, kept)
    store.follow(number)
    for view in together[1:]:
        store.relations[view].absent_rows = np.count_nonzero(store.first(view) == L.ABSENT)
        store.relations[view].listed_rows = 0
    if aggregate != L.NONE:
        _rename_inputs(engine, aggregate, new_numbers)
    engine.unsaved.by_row = None
    primary = int(relation.primary_index)
    clear_index(store.indexes[primary])
    while not hash_rows(store.relations[number], store.indexes[primary]):
        engine.grant_capacity()
    for member in together:
        for index in store.secondary_indexes(member):
            clear_index(store.indexes[index])
        store.list_rows(member)


def _rename_inputs(engine: Maintained, number: int, new_numbers: Cells) -> None:
    """Adapt groups to the new numbers of the rows of their aggregate inputs."""
    aggregates, done = engine.store.aggregates, 0
    while (done := rename_rows(aggregates[number], new_numbers, done)) < int(aggregates[number].state_count):
        engine.grant_capacity()
