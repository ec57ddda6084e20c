"""counting: derivations of every row in every iteration (Zhao, Subotić, Scholz: Soufflé-counting; McSherry et al.:
differential dataflow; Szabó, Erdweg, Bergmann: LADDDER, timelines).

State: for each row and each iteration in which it is derived, also after its first one, the number of its derivations.
No rule is evaluated backward: a row that loses its first iteration goes on in the next one of its timeline. In return
every instantiation is counted and, when its time changes, moved. Lattices in recursion are maintained as in `elastic`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels.counting import change_counted_facts, count
from ladder.engine.local.kernels.tallies import COUNTING, tally
from ladder.engine.local.kernels.timelines import ENTRY, HEADS, NOTE, TIMELINES, read_later, take_back
from ladder.engine.local.mapped import address_of, arbitrary, zeros
from ladder.engine.local.strategies.base import Rows, Strategy
from ladder.plan.steps import Plan, Role

if TYPE_CHECKING:
    from ladder.engine.local.planning import EncodedPlans
    from ladder.engine.local.runner import Runner
    from ladder.plan.components import Component

Cells = npt.NDArray[np.int32]
SMALLEST_CAPACITY = 64


class Counting(Strategy):
    """Counts per iteration; `timelines`: the pool of what comes after first iterations, `heads`: each relation's lists
    in it."""

    name = state = "counting"
    timed = True
    intermediates = False

    def __init__(self, engine: Runner) -> None:
        super().__init__(engine)
        self.timelines, self.heads = np.zeros(1, TIMELINES), np.zeros(len(engine.relations), HEADS)
        self._arrays: dict[str, npt.NDArray[Any]] = {}
        self._heads: dict[int, Cells] = {}
        self.timelines[0]["entry_count"] = 1
        self._grow("entries", "entry_capacity", ENTRY, SMALLEST_CAPACITY)
        self._grow("notes", "note_capacity", NOTE, SMALLEST_CAPACITY)

    # ---- capacity

    def _grow(self, field: str, capacity: str, item: Any, size: int) -> None:
        array = arbitrary((size,), item)
        if field in self._arrays:
            old = self._arrays[field].view(np.int32)
            array.view(np.int32)[: len(old)] = old
        self._arrays[field] = array
        self.timelines[0][field], self.timelines[0][capacity] = address_of(array), size

    def capacity_granted(self) -> None:
        """Make lists for as many rows as relations have capacity for, and grant the entries and notes that were
        requested."""
        record = self.timelines[0]
        for field, capacity, wanted, item in (
            ("entries", "entry_capacity", "entries_wanted", ENTRY),
            ("notes", "note_capacity", "notes_wanted", NOTE),
        ):
            if int(record[wanted]) > int(record[capacity]):
                self._grow(field, capacity, item, max(int(record[wanted]), 2 * int(record[capacity])))
        capacities = self.engine.store.relations["row_capacity"]
        for number in np.flatnonzero(capacities > self.heads["capacity"]).tolist():
            self._set_heads(number, zeros((int(capacities[number]),), np.int32))

    def _set_heads(self, number: int, heads: Cells) -> None:
        old = self._heads.get(number)
        if old is not None:
            heads[: len(old)] = old
        self._heads[number] = heads
        self.heads[number]["heads"], self.heads[number]["capacity"] = address_of(heads), len(heads)

    def compacted(self, number: int, kept: npt.NDArray[np.bool_]) -> None:
        """Renumber the lists after a compaction."""
        heads = self._heads.get(number)
        if heads is not None:
            rows = heads[: len(kept)][kept]
            heads[: len(kept)] = 0
            heads[: len(rows)] = rows

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """The pool and the lists of all stored rows, one relation after the other."""
        self.capacity_granted()
        used = int(self.timelines[0]["entry_count"])
        heads = [self._heads[number][: self.engine.store.row_count(number)] for number in range(len(self.heads))]
        return {"entries": self._arrays["entries"][:used], "heads": np.concatenate(heads)}

    def restore(self, arrays: dict[str, npt.NDArray[np.uint8]]) -> None:
        """Restore saved timelines; ValueError if their lists are broken."""
        entries, heads = arrays["entries"].view(ENTRY), arrays["heads"].view(np.int32)
        _check_lists(
            entries, heads, [self.engine.store.row_count(number) for number in range(len(self.engine.store.relations))]
        )
        self._grow("entries", "entry_capacity", ENTRY, max(SMALLEST_CAPACITY, len(entries)))
        self._arrays["entries"][: len(entries)] = entries
        self.timelines[0]["entry_count"], self.timelines[0]["free_entry"] = (
            len(entries),
            _free_list(self._arrays["entries"][: len(entries)], heads),
        )
        self.heads, self._heads = np.zeros(len(self.engine.store.relations), HEADS), {}
        self.capacity_granted()
        at = 0
        for number in range(len(self.heads)):
            count = self.engine.store.row_count(number)
            self._heads[number][:count] = heads[at : at + count]
            at += count

    # ---- evaluation

    def run_bootstrap(self, fixpoint: Any, plans: EncodedPlans) -> int:
        """Semi-naive evaluation that counts every instantiation in its iteration."""
        self.capacity_granted()
        store = self.engine.store
        return self.engine.run_measured(
            lambda: tally(
                COUNTING,
                fixpoint,
                plans.components,
                plans.plans,
                plans.steps,
                store.relations,
                store.indexes,
                store.aggregates,
                store.operations,
                store.workspace[0],
                store.update[0],
                self.timelines[0],
                self.heads,
            ),
            plans,
            fixpoint,
        )

    def chosen(self, plan: Plan, component: Component) -> Plan | None:
        """Forward plans, which see all rows."""
        return plan if plan.role is Role.FORWARD else None

    def change_facts(self, number: int, rows: Rows, present: bool, done: int) -> int:
        """Insert or delete facts, which are at iteration 0."""
        self.capacity_granted()
        store = self.engine.store
        return int(
            change_counted_facts(
                store.update[0],
                store.relations[number],
                number,
                rows,
                present,
                done,
                self.timelines[0],
                self.heads[number],
            )
        )

    def update(self, plans: EncodedPlans) -> int:
        """Update the components iteration by iteration, event by event."""
        self.capacity_granted()
        store = self.engine.store
        return self.engine.run_measured(
            lambda: count(
                store.update[0],
                plans.components,
                plans.inputs,
                plans.plans,
                plans.steps,
                store.relations,
                store.indexes,
                store.aggregates,
                store.operations,
                store.workspace[0],
                self.timelines[0],
                self.heads,
            ),
            plans,
        )

    def committed(self) -> None:
        """Keep what was noted; no log contains it, so that the next save writes everything."""
        if self.timelines[0]["note_count"]:
            self.engine.unsaved.by_row = None
        self.timelines[0]["note_count"] = 0

    def abandoned(self) -> None:
        """Undo what was noted."""
        while not take_back(self.timelines[0], self.heads):
            self.capacity_granted()

    def later(self, name: str) -> tuple[Cells, Cells, Cells]:
        """(row number, iteration, count) of every derivation of a relation's rows after their first iterations."""
        number, none = self.engine.numbers[name], np.zeros(0, np.int32)
        found = read_later(self.timelines[0], self.heads[number], none, none, none)
        rows, iterations, counts = (arbitrary((found,), np.int32) for _ in range(3))
        read_later(self.timelines[0], self.heads[number], rows, iterations, counts)
        return rows, iterations, counts


def _check_lists(entries: npt.NDArray[Any], heads: Cells, rows: Sequence[int]) -> None:
    """Raise ValueError unless all lists are within the pool, go from later iterations to earlier ones, and are
    disjoint."""
    if len(heads) != sum(rows) or not len(entries):
        raise ValueError("timelines of other rows")
    latest, live, found = sum(rows) + 1, np.zeros(len(entries), bool), heads[heads != 0]
    before = np.full(len(found), latest + 1)
    while len(found):
        if found.min() < 1 or found.max() >= len(entries) or len(np.unique(found)) != len(found) or live[found].any():
            raise ValueError("a timeline that is none")
        iterations = entries["iteration"][found]
        if iterations.min() < 0 or (iterations >= before).any():
            raise ValueError("a timeline that is not in order")
        live[found] = True
        following = entries["next"][found]
        found, before = following[following != 0], iterations[following != 0]


def _free_list(entries: npt.NDArray[Any], heads: Cells) -> int:
    """Link the entries that are in no list. Returns the first."""
    live = np.zeros(len(entries), bool)
    live[0] = True
    found = heads[heads != 0]
    while len(found):
        live[found] = True
        found = entries["next"][found]
        found = found[found != 0]
    free = np.flatnonzero(~live)
    entries["next"][free] = np.append(free[1:], 0)[: len(free)]
    return int(free[0]) if len(free) else 0


STRATEGY = Counting
