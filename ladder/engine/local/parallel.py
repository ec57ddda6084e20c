"""Work of a bootstrap that threads share: an iteration's joins, the storing of derived rows, the listing of new rows.

The kernel that runs a bootstrap asks for threads (NEEDS_THREADS) where an iteration starts from many rows; see
`kernels.parallel` for what each of them does. This module gives threads copies of the records that they write to, and
merges these copies afterwards. Storing and listing use at most as many threads as an index has parts; all use no more
than the work at hand keeps busy, and small deltas are left to one.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.blocks import abandon_range
from ladder.engine.local.kernels.evaluation import run_bootstrap
from ladder.engine.local.kernels.parallel import ENTER, JOIN, LIST
from ladder.engine.local.kernels.partitioning import RUN_OF_NUMBERS, close_numbers, count_partitioned
from ladder.engine.local.mapped import address_of, arbitrary, copied, make, picked, put, repeated
from ladder.engine.local.planning import EncodedPlans, among_kinds
from ladder.engine.local.store import Store, slots_for
from ladder.engine.local.team import Team
from ladder.support.limits import Watch
from ladder.support.tuning import Evaluating, Tuning

Array = npt.NDArray[Any]
LIST_PHASE = 1  # of `kernels.fixpoint`
ALONE = (L.CALL, L.GENERATE, L.PACK, L.MAKE_TEXT)  # steps that write to what all threads read


class Host(Protocol):
    """The owner of the work that threads share: `runner.Runner`."""

    store: Store
    watch: Watch
    tuning: Tuning
    budget: int

    def grant_capacity(self) -> None:
        """Grant kernels the capacity that they asked for."""


def _new_rows(store: Store, p: EncodedPlans) -> int:
    """How many rows of a component are new in the iteration at hand."""
    component = p.components[0]
    first = int(component.first_relation)
    relations = store.relations[first : first + int(component.relation_count)]
    return int((relations["settled_rows"] - relations["before_rows"]).sum())


def mark_shared(engine: Host, p: EncodedPlans) -> None:
    """Mark the plans of a bootstrap that threads may run side by side: those that scan, join and insert plain rows."""
    if len(p.plans) == 0:
        return
    kinds, starts, roles = p.steps["kind"], p.plans["first_step"], p.plans["role"]
    alone = np.logical_or.reduceat(among_kinds(kinds, ALONE), starts)
    ends = kinds[starts + p.plans["step_count"] - 1] == L.INSERT
    in_iterations = (roles == L.ONCE) | (roles == L.ITERATED)
    shared = (kinds[starts] == L.SCAN) & ends & in_iterations & ~alone
    if shared.any():
        owners, heads = engine.store.relations["owner"], p.plans["head"]
        plain = (owners == L.NONE) & (engine.store.relations["aggregate"] == L.NONE)
        plain[owners[owners != L.NONE]] = False
        shared &= plain[heads]
    p.plans["shared"] = shared


class Threads:
    """At most `jobs` threads, including the calling one, each with its own buffers and copies of records.

    `active`: how many share the work at hand; `consumers`: how many of these enter and list rows.
    """

    def __init__(
        self,
        engine: Host,
        jobs: int,
        tuning: Evaluating | None = None,
    ) -> None:
        """`tuning` takes the place of the engine's thresholds."""
        tuning = tuning or engine.tuning.evaluating
        self.engine, self.jobs, self.tuning = engine, jobs, tuning
        self.active, self.consumers = jobs, min(jobs, L.PARTS)
        self._size = max(
            tuning.partitioned_cells // self.consumers,
            (L.MAX_COLUMNS + 1) * int(engine.store.workspace[0].batch_size) + 2,
        )
        self._workspaces = np.zeros(jobs, L.WORKSPACE)
        self._reluctance = 1  # times the usual number of rows that work must start from to be shared
        self._in_kernels = np.zeros(jobs)  # processor seconds of each thread, in the work at hand
        self._seconds_per_row = dict[bool, float]()  # lately, of all threads together: of listing, of joining
        # of the plans that a bootstrap runs by: each thread's own, the steps by which heads are stored, and the steps
        # that all are copies of
        self._plans: list[EncodedPlans] = []
        self._entering = self._plans_of = np.zeros(0, L.STEP)
        # copies of the records of all relations and indexes, by thread; most of their memory is never looked at
        self._own = np.zeros((0, 0), L.RELATION), np.zeros((0, 0), L.INDEX)
        self._arrays: list[Array] = []
        self._team: Team | None = None
        self._lock = threading.Lock()
        self._stopping = False
        engine.store.in_parts = self._in_threads

    def rows_to_share(self, p: EncodedPlans) -> int:
        """The number of rows to start from with which the iterations of a component's bootstrap are shared, at
        first."""
        tuning, recursive = self.tuning, bool((p.plans["role"] == L.ITERATED).any())
        rows = tuning.shared_rows * (1 if recursive else tuning.shared_once)
        return self._reluctance * rows * (1 + len(p.steps) // tuning.shared_steps)

    def help(self, fixpoint: Any, p: EncodedPlans) -> None:
        """Do what a bootstrap asked for: list new rows, or run the shared plans of an iteration and store the rows that
        they derive."""
        if self._team is None:
            self._start()
        self._in_kernels[:] = 0
        rows = _new_rows(self.engine.store, p)
        self._use(self._worth_while(fixpoint, rows))
        began = time.thread_time()
        if fixpoint.phase == LIST_PHASE:
            self._list(fixpoint, p)
            fixpoint.listed_by_threads = fixpoint.iteration
        else:
            self._join(fixpoint, p)
            fixpoint.joined_by_threads = fixpoint.iteration
        self._learn(fixpoint, time.thread_time() - began)
        if rows:
            self._seconds_per_row[fixpoint.phase == LIST_PHASE] = float(self._in_kernels.sum()) / rows

    def _worth_while(self, fixpoint: Any, rows: int) -> int:
        """How many threads are to share the work of an iteration that starts from so many new rows, by what the last
        one took: a thread with less to do than it takes to wake it makes all slower."""
        seconds = rows * self._seconds_per_row.get(fixpoint.phase == LIST_PHASE, math.inf)
        wanted = seconds / self.tuning.thread_seconds if rows and self.tuning.thread_seconds else math.inf
        return int(min(self.jobs, max(2, wanted)))

    def _use(self, active: int) -> None:
        """Share the work at hand among so many threads."""
        self.active, self.consumers = active, min(active, L.PARTS)
        self._workspaces["consumers"] = self.consumers

    def _learn(self, fixpoint: Any, seconds: float) -> None:
        """Ask for twice as many rows from now on where sharing some work has kept the calling thread busier than doing
        it alone, and for half as many where it was worth it; `seconds`: its processor time. Other components ask for
        more, too, until it is worth it again."""
        if seconds > self.tuning.shared_gain * self._in_kernels.sum():
            fixpoint.share_from *= 2
            self._reluctance = min(2 * self._reluctance, self.tuning.shared_caution)
        else:
            self._reluctance = max(1, self._reluctance // 2)
            fixpoint.share_from = max(fixpoint.share_from // 2, fixpoint.share_at_first)

    def close(self) -> None:
        """Release the threads and buffers; they are created anew when they are needed."""
        if self._team is not None:
            self._team.close()
            self._team, self._arrays, self._plans = None, [], []
            self._entering = self._plans_of = np.zeros(0, L.STEP)

    def _start(self) -> None:
        self._use(self.jobs)
        size = int(self.engine.store.workspace[0].batch_size)
        for number in range(self.jobs):
            workspace = self._workspaces[number]
            arrays = [
                arbitrary((L.MAX_LEVELS, L.MAX_REGISTERS, size), np.int32),
                arbitrary((4, size), np.int32),
                *(make((self._size,), np.int32, tuning=self.tuning)[0] for _ in range(self.consumers)),
            ]
            workspace["batch_size"], workspace["consumers"], workspace["partitioned_capacity"] = (
                size,
                self.consumers,
                self._size,
            )
            workspace["batches"], workspace["scratch"], *partitioned = (address_of(a) for a in arrays)
            workspace["partitioned"][: self.consumers] = partitioned
            self._arrays += arrays
        self._team = Team(self.jobs - 1)

    # ---- running

    def _each(self, count: int, work: Callable[[int], int]) -> list[int]:
        """Call work(0) in this thread and work(1), … in the others; returns the results. Whatever is raised, no thread
        is left running."""
        assert self._team is not None
        self._stopping = False
        self._workspaces["texts"] = self.engine.store.workspace[0].texts
        try:
            self._team.begin(count - 1, work)
            first = work(0)
            while not self._team.wait(self.tuning.look_after):
                self.engine.watch.look()
        except BaseException:
            self._team.finish(self._stop)
            raise
        return [first, *self._team.results(count - 1)]

    def _in_threads(self, work: Callable[[int], Any]) -> None:
        """Do some short work, which raises nothing, for each part of an index."""
        if self._team is None:
            self._start()
        assert self._team is not None

        def share(number: int) -> None:
            for part in self._parts_of(number):
                work(part)

        try:
            self._team.begin(self.consumers - 1, share)
            share(0)
        finally:
            self._team.finish()

    def _parts_of(self, number: int) -> list[int]:
        """The parts of an index that belong to a thread (see `consumer_of_key`)."""
        return [part for part in range(L.PARTS) if part * self.consumers // L.PARTS == number]

    def _stop(self) -> None:
        self._stopping = True
        self._workspaces["budget"] = 0

    def _run(self, number: int, fixpoint: Any, p: EncodedPlans, relations: Array, indexes: Array) -> int:
        """Run a thread's share until it is finished or needs something."""
        store, workspace = self.engine.store, self._workspaces[number]
        while not self._stopping:
            workspace["budget"], began = self.engine.budget, time.thread_time()
            status = run_bootstrap(
                fixpoint,
                store.update[0],
                p.components,
                p.plans,
                p.steps,
                relations,
                indexes,
                store.aggregates,
                store.operations,
                workspace,
            )
            self._in_kernels[number] += time.thread_time() - began
            if status != L.NEEDS_PAUSE:
                return int(status)
            self._between(number)
        return L.NEEDS_PAUSE

    def _between(self, number: int) -> None:
        """What a thread does between two calls of a kernel."""
        if number == 0:
            self.engine.watch.look()

    @staticmethod
    def _fixpoints(fixpoint: Any, count: int, active: int) -> Array:
        """A copy of the bootstrap's record for each share of some work."""
        copies = np.zeros(count, L.FIXPOINT)
        copies[:] = fixpoint
        copies["active"], copies["share"], copies["share_count"] = active, np.arange(count), count
        copies["chunk"] = copies["cursor"] = 0
        return copies

    # ---- joins

    def _join(self, fixpoint: Any, p: EncodedPlans) -> None:
        store, copies = self.engine.store, self._fixpoints(fixpoint, self.active, JOIN)
        copies["plan"] = p.components[0].first_plan
        if self._plans_of is not p.steps:
            self._plans_of, self._plans = p.steps, [self._joining(p) for _ in range(self.jobs)]
            self._entering = copied(p.steps)
            self._entering["arguments"][p.steps["kind"] == L.INSERT] = np.arange(L.MAX_COLUMNS)
        own, entering = self._plans, EncodedPlans(p.components, p.inputs, p.plans, self._entering)
        finished = np.zeros(self.active, bool)

        def work(number: int) -> int:
            return (
                L.FINISHED
                if finished[number]
                else self._run(number, copies[number], own[number], store.relations, store.indexes)
            )

        while not finished.all():
            self._workspaces["partitioned_count"] = 0
            finished |= np.array(self._each(self.active, work)) == L.FINISHED
            self._enter(fixpoint, entering, not finished.all())
        for field in ("derivations", "matches", "batches"):
            p.plans[field] += sum(plans.plans[field] for plans in own)
            for plans in own:
                plans.plans[field] = 0

    @staticmethod
    def _joining(p: EncodedPlans) -> EncodedPlans:
        """A copy of the plans for a thread, in which the rows of heads are partitioned: it serves all iterations until
        plans are made anew."""
        plans, steps = copied(p.plans), copied(p.steps)
        plans["derivations"] = plans["matches"] = plans["batches"] = 0
        plans["level"] = plans["pending_step"] = L.NONE
        steps["kind"][steps["kind"] == L.INSERT] = L.PARTITION
        return EncodedPlans(p.components, p.inputs, plans, steps)

    # ---- entering and listing

    def _enter(self, fixpoint: Any, p: EncodedPlans, still_read: bool) -> None:
        """Store the partitioned rows of heads; each thread stores those of its partition. `still_read`: plans have
        stopped half way."""
        store, copies = self.engine.store, self._fixpoints(fixpoint, self.consumers, ENTER)
        sent = np.zeros((self.consumers, len(store.relations)), np.int64)  # rows, by consumer and relation
        count_partitioned(self._workspaces[: self.active], p.steps, sent)
        heads = np.flatnonzero(sent.any(axis=0)).tolist()
        if not heads:
            return
        copies["workspaces"], copies["workspace_count"] = address_of(self._workspaces), self.active
        copies["workspace"] = copies["position"] = 0
        numbers, of, sent = np.array(heads), store.relations, sent[:, heads]
        of["fresh_from"][numbers] = of["row_count"][numbers]
        rows = of["row_count"][numbers] + self.consumers * (sent.max(axis=0) + (1 << RUN_OF_NUMBERS))
        for at in np.flatnonzero(rows > of["row_capacity"][numbers]).tolist():
            store.reserve_rows(heads[at], int(rows[at]), more_follow=True)
        primary = of["primary_index"][numbers].tolist()
        self._reserve(primary, sent.sum(axis=0))

        def work(consumer: int, relations: Array, indexes: Array) -> int:
            indexes["still_read"][primary] = still_read
            while True:
                status = self._run(consumer, copies[consumer], p, relations, indexes)
                if (
                    status == L.NEEDS_CAPACITY
                    and self._grant(indexes, primary)
                    and (relations["rows_wanted"][heads] <= relations["row_capacity"][heads]).all()
                ):
                    continue
                if status != L.FINISHED:
                    self._stop()
                return status

        self._in_parts(work, heads, primary)
        for number, index in zip(heads, primary, strict=True):
            close_numbers(store.relations[number], store.indexes[index], self.consumers)

    def _list(self, fixpoint: Any, p: EncodedPlans) -> None:
        """List the new rows of a component; each thread lists those of its parts."""
        store, copies = self.engine.store, self._fixpoints(fixpoint, self.consumers, LIST)
        component = p.components[0]
        first, below = int(component.first_relation), int(component.first_relation + component.relation_count)
        some = store.relations[first:below]
        there = np.arange(some["indexes"].shape[1]) < some["index_count"][:, None]
        listed = some["indexes"][there].tolist()
        rows = np.repeat(some["row_count"], some["index_count"]) - store.indexes["row_count"][listed]
        new = np.flatnonzero(rows)
        self._reserve([listed[at] for at in new.tolist()], rows[new])
        done = [store.indexes["row_count"][listed].copy() for _ in range(self.consumers)]

        def work(consumer: int, relations: Array, indexes: Array) -> int:
            indexes["row_count"][listed] = done[consumer]
            while True:
                status = self._run(consumer, copies[consumer], p, relations, indexes)
                done[consumer] = indexes["row_count"][listed]
                if status == L.NEEDS_CAPACITY and self._grant(indexes, listed):
                    self._between(consumer)
                    continue
                if status != L.FINISHED:
                    self._stop()
                return status

        self._in_parts(work, range(first, below), listed)
        store.indexes["row_count"][listed] = done[0]

    def _reserve(self, numbers: Sequence[int], rows: Array) -> None:
        """Give each of these indexes room for so many more rows, and for the entries that each thread puts aside at
        once."""
        store, indexes = self.engine.store, self.engine.store.indexes
        entries = indexes["entry_count"][numbers]
        aside = np.maximum(self.consumers * self.tuning.least_range, entries // self.tuning.range_share)
        more = np.maximum(self.tuning.entries_per_row * rows, aside)
        for at in np.flatnonzero(entries + more > indexes["entry_capacity"][numbers]).tolist():
            store.reserve_entries(numbers[at], int(more[at]))
        used = indexes["used_slots"][numbers].sum(axis=1)
        wanted = slots_for(used + np.minimum(rows, np.maximum(used, self.tuning.small)))
        for at in np.flatnonzero(wanted > indexes["slot_count"][numbers]).tolist():
            store.reserve_slots(numbers[at], int(wanted[at]))

    def _in_parts(
        self, work: Callable[[int, Array, Array], int], relations: Sequence[int], indexes: Sequence[int]
    ) -> None:
        """Do some work on each thread's parts of these indexes, of these relations, until all of it is finished,
        granting capacity in between."""
        finished = [False] * self.consumers
        while not all(finished):
            self._deal(relations, indexes)

            def unfinished(consumer: int, finished: Sequence[bool] = finished) -> int:
                own_relations, own_indexes = self._own
                if finished[consumer]:
                    return L.FINISHED
                return work(consumer, own_relations[consumer], own_indexes[consumer])

            try:
                statuses = self._each(self.consumers, unfinished)
            finally:
                self._put_back(relations, indexes)
            finished = [status == L.FINISHED for status in statuses]
            if not all(finished):
                self.engine.grant_capacity()
            self.engine.watch.look()

    def _deal(self, relations: Sequence[int], indexes: Sequence[int]) -> None:
        """Write copies of the records of these relations and indexes for each thread, which has the entries that are
        put aside for it and the free lists with its number."""
        store, count = self.engine.store, self.consumers
        if self._own[0].shape != (count, len(store.relations)) or self._own[1].shape != (count, len(store.indexes)):
            self._own = (
                np.zeros((count, len(store.relations)), L.RELATION),
                np.zeros((count, len(store.indexes)), L.INDEX),
            )
        put(self._own[0], relations, picked(store.relations, relations))
        self._own[0]["repeated"][:, relations] = 0
        chosen = picked(store.indexes, indexes)
        own = repeated(chosen, count)
        own["share"], own["free_entries"], own["entries_wanted"] = np.arange(1, count + 1)[:, None], 0, 0
        own["entry_count"], own["entry_limit"] = chosen["range_from"][:, :count].T, chosen["range_to"][:, :count].T
        lists = _free_lists(own)
        lists *= (self._owners() == np.arange(count)[:, None])[:, None, None, :]
        put(self._own[1], indexes, own)

    def _put_back(self, relations: Sequence[int], indexes: Sequence[int]) -> None:
        """Merge what threads have changed in their copies of the records of relations and indexes into the records."""
        store, count, parts = self.engine.store, self.consumers, np.arange(L.PARTS)
        changed = picked(self._own[0], relations)
        store.relations["fresh"][relations, :count] = changed["fresh"][np.arange(count), :, np.arange(count)].T
        store.relations["rows_wanted"][relations] = np.maximum(
            store.relations["rows_wanted"][relations], changed["rows_wanted"].max(axis=0)
        )
        store.relations["repeated"][relations] += changed["repeated"].sum(axis=0)
        merged, own = picked(store.indexes, indexes), picked(self._own[1], indexes)
        merged["range_from"][:, :count], merged["range_to"][:, :count] = own["entry_count"].T, own["entry_limit"].T
        merged["used_slots"] = own["used_slots"][parts * count // L.PARTS, :, parts].T
        _free_lists(merged)[:] = _free_lists(own)[self._owners(), :, :, parts].transpose(1, 2, 0)
        merged["free_entries"] += own["free_entries"].sum(axis=0)
        merged["slots_wanted"] = np.maximum(merged["slots_wanted"], own["slots_wanted"].max(axis=0))
        for consumer, at in np.argwhere(own["entries_wanted"] > own["entry_limit"]).tolist():
            index = merged[at]
            index["entries_wanted"] = index["entry_capacity"] + count * self._range(index, own[consumer, at])
        put(store.indexes, indexes, merged)

    def _owners(self) -> Array:
        """Which thread each free list of one size belongs to: the one with the thread's number, and some others."""
        return np.arange(L.PARTS) % self.consumers

    def _range(self, index: Any, copy: Any) -> int:
        """The number of entries to reserve for a thread that wants more."""
        return max(
            int(copy.entries_wanted - copy.entry_count),
            self.tuning.least_range,
            int(index.entry_count) // (self.tuning.range_share * self.consumers),
        )

    def _grant(self, copies: Array, numbers: Sequence[int]) -> bool:
        """Reserve entries for the thread of these copies; False where a pool or a directory must grow first."""
        own = picked(copies, numbers)
        if (own["slots_wanted"] > own["slot_count"]).any():
            return False
        with self._lock:
            for at in np.flatnonzero(own["entries_wanted"] > own["entry_limit"]).tolist():
                index, copy = self.engine.store.indexes[numbers[at]], copies[numbers[at]]
                size = self._range(index, copy)
                if index.entry_count + size > index.entry_capacity:
                    return False
                abandon_range(copy)
                copy.entry_count, copy.entry_limit, copy.entries_wanted = (
                    index.entry_count,
                    index.entry_count + size,
                    0,
                )
                index.entry_count += size
                index.free_entries += size
        return True


def _free_lists(indexes: Array) -> Array:
    """The heads of the free lists of indexes, by size and part, as the last two dimensions."""
    return indexes["free_block"].reshape(*indexes.shape, L.MAX_CLASSES, L.PARTS)
