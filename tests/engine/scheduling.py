"""Threads that take turns: one of them runs at a time, and at each step that they share chance says which goes on.

Steps are: the beginning of a share, each return of a kernel (with a budget of one batch that is after each batch),
before and after entries are put aside for a thread, and the end of a share. Capacity is refused at random, so that
threads stop and are begun again.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from typing import Any

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.parallel import Array, Threads
from ladder.support.tuning import Evaluating

from .tuned import sharing

WAITED = 60  # seconds until a thread that waits for its turn is taken for stuck
MOST_REFUSED = 8  # each time a pool doubles
REFUSED = 1 / 4  # of what threads ask for while they run


class Turns:
    """Whose turn it is."""

    def __init__(self, source: random.Random) -> None:
        self._source, self._changed = source, threading.Condition()
        self._waiting: set[int] = set()
        self._running, self._turn, self.steps = 0, -1, 0

    def begin(self, count: int) -> None:
        """So many threads will `take_part`; none goes on before all have come."""
        assert not self._waiting and self._running == 0
        self._running = count

    def wait(self, number: int) -> None:
        """Let whoever is drawn go on, this thread as well as another."""
        with self._changed:
            self._waiting.add(number)
            self._running -= 1
            self._next()
            if not self._changed.wait_for(lambda: self._turn == number, WAITED):
                raise TimeoutError(
                    f"thread {number} waits for its turn; waiting: {self._waiting}, running: {self._running}"
                )
            self._turn = -1

    def leave(self) -> None:
        """A thread has done its share."""
        with self._changed:
            self._running -= 1
            self._next()

    def _next(self) -> None:
        if self._running == 0 and self._waiting:
            self._turn = self._source.choice(sorted(self._waiting))
            self._waiting.remove(self._turn)
            self._running, self.steps = 1, self.steps + 1
            self._changed.notify_all()


class ScheduledThreads(Threads):
    """Threads of an engine that take turns."""

    def __init__(self, engine: LocalEngine, jobs: int, source: random.Random, tuning: Evaluating) -> None:
        super().__init__(engine, jobs, tuning)
        self.turns, self._source = Turns(source), source
        self.granted = self.refused = self.rounds = 0

    def _each(self, count: int, work: Callable[[int], int]) -> list[int]:
        def in_turn(number: int) -> int:
            try:
                self.turns.wait(number)
                return work(number)
            finally:
                self.turns.leave()

        self.turns.begin(count)
        self.rounds += 1
        return super()._each(count, in_turn)

    def _between(self, number: int) -> None:
        self.turns.wait(number)
        super()._between(number)

    def _grant(self, copies: Array, numbers: Sequence[int]) -> bool:
        part = int(copies["share"][numbers[0]]) - 1
        self.turns.wait(part)
        refused = self.refused < MOST_REFUSED and self._source.random() < REFUSED
        granted = not refused and super()._grant(copies, numbers)
        self.granted, self.refused = self.granted + granted, self.refused + (not granted)
        self.turns.wait(part)
        return granted


def schedule(engine: LocalEngine, jobs: int, seed: int, in_turns: bool = True) -> LocalEngine:
    """Let an engine share all there is with so many threads, stop after each batch, squeeze small pools and be refused
    room."""
    source = random.Random(seed)
    workspace, store = engine.store.workspace[0], engine.store
    workspace.large_pool, workspace.waste = source.choice([2, 30, 1000]), source.choice([2, 6, 1 << 30])
    tuning = sharing(least_range=source.choice([1, 5, 64]))
    engine.threads = ScheduledThreads(engine, jobs, source, tuning) if in_turns else Threads(engine, jobs, tuning)
    engine.budget = 1
    engine._adjust_budget = lambda seconds: None  # type: ignore[method-assign]
    store.reserve_rows, store.reserve_entries = (
        _at_random(reserve, source) for reserve in (store.reserve_rows, store.reserve_entries)
    )  # type: ignore[method-assign]
    return engine


def _at_random(reserve: Callable[..., None], source: random.Random) -> Callable[..., None]:
    def perhaps(number: int, more: int, **options: bool) -> None:
        if source.random() < 0.5:
            reserve(number, more, **options)

    return perhaps


def work_of(engine: LocalEngine) -> tuple[Any, ...]:
    """How often threads waited, were granted entries, were refused them."""
    threads = engine.threads
    assert isinstance(threads, ScheduledThreads)
    return threads.rounds, threads.turns.steps, threads.granted, threads.refused
