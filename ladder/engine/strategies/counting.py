"""counting: derivations of every row in every iteration (Zhao, Subotić, Scholz: Soufflé-counting; McSherry et al.: differential
dataflow; Szabó, Erdweg, Bergmann: LADDDER, timelines).

State: for each row and each iteration in which it is derived, also after its first one, the number of its derivations.
No rule is evaluated backward: a row that loses its first iteration goes on in the next one of its timeline. In return
every instantiation is counted and, when its time changes, moved. Lattices in recursion are maintained as in `elastic`.
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels.counting import change_counted_facts, count
from ladder.engine.local.kernels.tallies import COUNTING, tally
from ladder.engine.local.kernels.timelines import ENTRY, HEADS, NOTE, TIMELINES, read_later, take_back
from ladder.engine.local.planning import update_plans_of
from ladder.engine.plan.steps import Role
from ladder.engine.strategies.base import Rows, Strategy

if TYPE_CHECKING:
    from ladder.engine.local.engine import LocalEngine
    from ladder.engine.local.planning import EncodedPlans

Cells = npt.NDArray[np.int32]
ROOM = 64


class Counting(Strategy):
    """Counts per iteration; `timelines`: the pool of what comes after first iterations, `heads`: each relation's lists in it."""

    name = state = "counting"
    timed = True

    def __init__(self, engine: LocalEngine) -> None:
        super().__init__(engine)
        self.timelines, self.heads = np.zeros(1, TIMELINES), np.zeros(len(engine.relations), HEADS)
        self._arrays: dict[str, npt.NDArray[Any]] = {}
        self._heads: dict[int, Cells] = {}
        self.timelines[0]["entry_count"] = 1
        self._grow("entries", "entry_capacity", ENTRY, ROOM)
        self._grow("notes", "note_capacity", NOTE, ROOM)

    # ---- room

    def _grow(self, field: str, capacity: str, item: Any, size: int) -> None:
        array = np.empty(size, item)
        if field in self._arrays:
            old = self._arrays[field].view(np.int32)
            array.view(np.int32)[:len(old)] = old
        self._arrays[field] = array
        self.timelines[0][field], self.timelines[0][capacity] = array.__array_interface__["data"][0], size

    def made_room(self) -> None:
        """Lists for as many rows as relations have room for, and the entries and notes that were asked for."""
        record = self.timelines[0]
        for field, capacity, wanted, item in (("entries", "entry_capacity", "entries_wanted", ENTRY), ("notes", "note_capacity", "notes_wanted", NOTE)):
            if int(record[wanted]) > int(record[capacity]):
                self._grow(field, capacity, item, max(int(record[wanted]), 2 * int(record[capacity])))
        capacities = self.engine.store.relations["row_capacity"]
        for number in np.flatnonzero(capacities > self.heads["capacity"]).tolist():
            self._set_heads(number, np.zeros(int(capacities[number]), np.int32))

    def _set_heads(self, number: int, heads: Cells) -> None:
        old = self._heads.get(number)
        if old is not None:
            heads[:len(old)] = old
        self._heads[number] = heads
        self.heads[number]["heads"], self.heads[number]["capacity"] = heads.__array_interface__["data"][0], len(heads)

    def compacted(self, number: int, kept: npt.NDArray[np.bool_]) -> None:
        """Lists follow their rows."""
        heads = self._heads.get(number)
        if heads is not None:
            rows = heads[:len(kept)][kept]
            heads[:len(kept)] = 0
            heads[:len(rows)] = rows

    def saved(self) -> dict[str, npt.NDArray[Any]]:
        """The pool and the lists of all stored rows, one relation after the other."""
        self.made_room()
        used = int(self.timelines[0]["entry_count"])
        heads = [self._heads[number][:self.engine.store.row_count(number)] for number in range(len(self.heads))]
        return {"timelines": self.timelines, "entries": self._arrays["entries"][:used], "heads": np.concatenate(heads)}

    def restore(self, arrays: dict[str, npt.NDArray[np.uint8]]) -> None:
        """As they were saved."""
        entries, saved = arrays["entries"].view(ENTRY), arrays["timelines"].view(TIMELINES)
        self._grow("entries", "entry_capacity", ENTRY, max(ROOM, len(entries)))
        self._arrays["entries"][:len(entries)] = entries
        self.timelines[0]["entry_count"], self.timelines[0]["free_entry"] = len(entries), saved[0]["free_entry"]
        self.heads, self._heads = np.zeros(len(self.engine.store.relations), HEADS), {}
        self.made_room()
        heads, at = arrays["heads"].view(np.int32), 0
        for number in range(len(self.heads)):
            count = self.engine.store.row_count(number)
            self._heads[number][:count] = heads[at:at + count]
            at += count

    # ---- evaluation

    def run_bootstrap(self, fixpoint: Any, plans: EncodedPlans) -> int:
        """Semi-naive evaluation that counts every instantiation in its iteration."""
        self.made_room()
        store = self.engine.store
        return self.engine.run_measured(lambda: tally(
            COUNTING, fixpoint, plans.components, plans.plans, plans.steps, store.relations, store.indexes, store.aggregates,
            store.operations, store.workspace[0], store.update[0], self.timelines[0], self.heads), plans, fixpoint)

    def plans(self) -> EncodedPlans:
        """Forward plans that see all rows."""
        return update_plans_of(self.engine, lambda plan, _: plan if plan.role is Role.FORWARD else None)

    def change_facts(self, number: int, rows: Rows, present: bool, done: int) -> int:
        """Given facts come and go at iteration 0."""
        self.made_room()
        store = self.engine.store
        return int(change_counted_facts(store.update[0], store.relations[number], number, rows, present, done,
                                        self.timelines[0], self.heads[number]))

    def update(self, plans: EncodedPlans) -> None:
        """Iteration by iteration, event by event."""
        self.made_room()
        store = self.engine.store
        self.engine.run_measured(lambda: count(
            store.update[0], plans.components, plans.inputs, plans.plans, plans.steps, store.relations, store.indexes,
            store.aggregates, store.operations, store.workspace[0], self.timelines[0], self.heads), plans)

    def committed(self) -> None:
        """What was noted stands; no log tells it, so that the next save writes everything."""
        if self.timelines[0]["note_count"]:
            self.engine.unsaved.by_row = None
        self.timelines[0]["note_count"] = 0

    def abandoned(self) -> None:
        """What was noted is taken back."""
        while not take_back(self.timelines[0], self.heads):
            self.made_room()

    def later(self, name: str) -> tuple[Cells, Cells, Cells]:
        """(row number, iteration, count) of every derivation of a relation's rows after their first iterations."""
        number, none = self.engine.numbers[name], np.zeros(0, np.int32)
        found = read_later(self.timelines[0], self.heads[number], none, none, none)
        rows, iterations, counts = (np.empty(found, np.int32) for _ in range(3))
        read_later(self.timelines[0], self.heads[number], rows, iterations, counts)
        return rows, iterations, counts


STRATEGY = Counting
