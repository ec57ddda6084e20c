"""The loop that calls kernels until they are finished, and serves their requests in between: capacity, calls of Python
functions, checks of limits, threads."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ladder.engine.local.intermediates import FILLING
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.aggregation import settle_aggregate
from ladder.engine.local.kernels.building import build_groups, count_of_groups, sort_by_group
from ladder.engine.local.kernels.evaluation import run_bootstrap, run_transaction
from ladder.engine.local.mapped import arbitrary
from ladder.engine.local.parallel import Threads, mark_shared
from ladder.engine.local.planning import EncodedPlans
from ladder.engine.local.profile import BOOTSTRAP, UPDATE, Meter, Profile
from ladder.engine.local.state import State
from ladder.engine.local.store import AtWork, Store, TooLarge
from ladder.errors import LadderError
from ladder.language.core import Program
from ladder.support.limits import Watch
from ladder.support.tuning import DEFAULT, Tuning

JOINED_BY_KERNELS = (  # kinds of operation that kernels make without the host, in any order
    L.MIN,
    L.MAX,
    L.MIN_UNSIGNED,
    L.MAX_UNSIGNED,
    L.MIN_FLOAT,
    L.MAX_FLOAT,
    L.SUM,
    L.FLAT,
    L.COMPILED,
    L.COMPILED_UNSIGNED,
)


class Inconsistent(LadderError):
    """Raised for a state that is inconsistent with its facts, because of a bug or damage."""


def about(component: Any) -> AtWork:
    """What the record of a component is about."""
    relation, aggregate = int(component["first_relation"]), int(component["first_aggregate"])
    return AtWork(
        range(relation, relation + int(component["relation_count"])),
        range(aggregate, aggregate + int(component["aggregate_count"])),
    )


class Runner(State):
    """A state over which kernels are run."""

    def __init__(
        self,
        program: Program,
        saved_order: Sequence[Sequence[str]] | None = None,
        store: Store | None = None,
        watch: Watch | None = None,
        jobs: int = 1,
        tuning: Tuning = DEFAULT,
    ) -> None:
        """Take the parameters of `State`; `jobs`: number of threads for bulk work of a bootstrap."""
        super().__init__(program, saved_order, store, watch, tuning)
        self.budget = tuning.evaluating.first_budget
        self.profile: Profile | None = None
        self.capacity_granted: Callable[[], None] = lambda: None  # called when kernels were granted capacity
        self.jobs, self.threads = jobs, Threads(self, jobs) if jobs > 1 else None

    @property
    def is_profiled(self) -> bool:
        """Whether it is measured what plans cost."""
        return self.profile is not None

    def evaluate(self, fixpoint: Any, p: EncodedPlans) -> int:
        """Run a bootstrap to its end, or until it NEEDS_PLANS; the open update where `fixpoint` is not active."""
        if fixpoint.active:
            return self.run_measured(partial(self._run_bootstrap, fixpoint, p), p, fixpoint)
        return self.run_measured(partial(self._run_transaction, p), p)

    def run_measured(self, kernel: Callable[[], int], p: EncodedPlans, fixpoint: Any = None) -> int:
        """Run a kernel as `run_kernel` does, and measure its plans if there is a profile; `fixpoint`: a bootstrap's
        record."""
        at_work = partial(self._at_work, p, fixpoint)
        if self.profile is None or not len(p.components):
            return self.run_kernel(kernel, at_work=at_work)
        record, work = (self.store.update[0], UPDATE) if fixpoint is None else (fixpoint, BOOTSTRAP)
        meter = Meter(self.profile, self, record, p, work)
        try:
            return self.run_kernel(kernel, meter.stopped, at_work)
        finally:
            meter.end()

    def _at_work(self, p: EncodedPlans, fixpoint: Any) -> AtWork | None:
        """What the component at hand is about; None if there is none."""
        number = 0 if fixpoint is not None else int(self.store.update["component"][0])
        if not 0 <= number < len(p.components):
            return None
        return about(p.components[number])

    def _run_bootstrap(self, fixpoint: Any, p: EncodedPlans) -> int:
        store = self.store
        status = int(
            run_bootstrap(
                fixpoint,
                store.update[0],
                p.components,
                p.plans,
                p.steps,
                store.relations,
                store.indexes,
                store.aggregates,
                store.operations,
                store.workspace[0],
            )
        )
        if status == L.NEEDS_PAUSE and fixpoint.phase in FILLING and p.intermediates.outgrown(self, p):
            return L.NEEDS_PLANS
        return status

    def _run_transaction(self, p: EncodedPlans) -> int:
        store = self.store
        return int(
            run_transaction(
                store.update[0],
                p.components,
                p.inputs,
                p.plans,
                p.steps,
                store.relations,
                store.indexes,
                store.aggregates,
                store.operations,
                store.workspace[0],
            )
        )

    def evaluate_with_threads(self, fixpoint: Any, p: EncodedPlans) -> int:
        """Run a bootstrap as `evaluate` does, with threads where an iteration starts from many rows."""
        if self.threads is None:
            return self.evaluate(fixpoint, p)
        mark_shared(self, p)
        if not fixpoint.share_from:
            fixpoint.share_from = fixpoint.share_at_first = self.threads.rows_to_share(p)
        while (status := self.evaluate(fixpoint, p)) == L.NEEDS_THREADS:
            self.threads.help(fixpoint, p)
        return status

    def run_kernel(
        self,
        kernel: Callable[[], int],
        stopped: Callable[[], None] | None = None,
        at_work: Callable[[], AtWork | None] = lambda: None,
    ) -> int:
        """Call a kernel until it is finished (or NEEDS_PLANS or NEEDS_THREADS), and serve its requests in between;
        `stopped` is called each time; `at_work` says which relations it works on just then."""
        workspace, looked = self.store.workspace[0], time.perf_counter()
        workspace.texts = self.values.symbols.address()
        while True:
            workspace.budget = self.budget
            status = kernel()
            if stopped is not None:
                stopped()
            if status in (L.FINISHED, L.NEEDS_PLANS, L.NEEDS_THREADS):
                return int(status)
            if status == L.NEEDS_CAPACITY:
                self.grant_capacity(at_work())
            elif status == L.NEEDS_ANSWERS:
                self.functions.answer()
            elif status == L.NEEDS_PAUSE:
                now = time.perf_counter()
                self._adjust_budget(now - looked)
                looked = now
            elif status == L.NO_LATTICE:
                raise LadderError(
                    "The values of a group returned to one that they had left: a join is not that of a lattice.",
                    "`ladder check` tells which, with an example.",
                )
            elif status == L.INCONSISTENT:
                raise Inconsistent(
                    "A derivation count became negative: the state was not that of its facts.",
                    "Remove the saved state and run again.",
                )
            self.watch.look()

    def _adjust_budget(self, seconds: float) -> None:
        """Set after how much work the next pause comes, so that it is some hundredths of a second: batches differ in
        cost by orders of magnitude."""
        tuning = self.tuning.evaluating
        if seconds < tuning.soon:
            self.budget = min(tuning.most_budget, 2 * self.budget)
        elif seconds > tuning.late:
            self.budget = max(tuning.least_budget, self.budget // 2)

    def grant_capacity(self, at_work: AtWork | None = None) -> None:
        """Grant the capacity that kernels requested; `at_work`: see `Store.grant_capacity`."""
        try:
            self.store.grant_capacity(at_work)
            self.values.symbols.grant(self.store.grant)
            self.capacity_granted()
        except TooLarge as error:
            raise LadderError(f"A relation has more rows than 32-bit numbers can name ({error}).") from error

    def keep_running_totals(self, number: int) -> None:
        """Let an aggregate's groups hold their running totals alone, where kernels can join values by themselves:
        until `build_groups`, no input may go."""
        aggregate = self.store.aggregates[number]
        kind = int(self.store.operations[int(aggregate.operation)].kind)
        aggregate.running = int(kind in JOINED_BY_KERNELS)

    def build_groups(self, number: int) -> None:
        """Make of rows what updates need of an aggregate's groups that hold running totals alone."""
        store = self.store
        aggregate = store.aggregates[number]
        if not aggregate.running:
            return
        aggregands, count = int(aggregate.aggregands), int(aggregate.state_count)
        rows = store.row_count(aggregands)
        self.watch.grant(2 * rows * np.dtype(np.int32).itemsize)
        states, ends, order = arbitrary((rows,), np.int32), np.zeros(count + 1, np.int64), arbitrary((rows,), np.int32)
        step = self.tuning.evaluating.compared_rows
        for begin in range(0, rows, step):
            count_of_groups(aggregate, store.relations, states, ends, begin, min(rows, begin + step))
            self.watch.look()
        sort_by_group(states, ends, order)
        del states
        done = 0
        while done < count:
            aggregate = store.aggregates[number]
            operation = store.operations[int(aggregate.operation)]
            end = min(count, done + self.tuning.evaluating.shared_rows)
            reached = build_groups(aggregate, operation, store.relations, order, ends, done, end)
            if reached < end:
                self.grant_capacity()
            self.watch.look()
            done = reached
        store.aggregates[number].running = 0

    def settle(self, number: int) -> None:
        """Recompute the joins of an aggregate's groups that were touched outside of any evaluation."""
        store = self.store
        self.run_kernel(
            lambda: settle_aggregate(
                store.aggregates[number], store.operations[int(store.aggregates[number].operation)]
            )
        )
