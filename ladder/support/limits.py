"""Limits of time and memory: looked at while the engine works, and by a thread while a command does anything else.

Whoever runs into one gets `TimedOut` or `OutOfMemory`; a transaction that was open is dropped, what was saved before
stands.
"""

from __future__ import annotations

import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from ladder.errors import LadderError
from ladder.support import supervision
from ladder.support.exceeded import UNITS, out_of_memory, timed_out
from ladder.support.signals import LIMIT_REACHED

TICK = 0.05  # seconds between two looks while a command runs, …
AGAIN = 5.0  # … and until it is told once more, should it go on regardless
STATUS = Path("/proc/self/status")


@dataclass(frozen=True)
class Limits:
    """`memory`: bytes that the process may hold, files that are mapped not counted; `seconds`: of one evaluation or
    update."""

    memory: int | None = None
    seconds: float | None = None


NO_LIMITS = Limits()
counted_too = set[int]()  # children whose memory counts like the process's own


class Watch:
    """Looks at clocks and memory whenever kernels pause.

    `clock` tells the time, `work` the processor's (of all threads), so that whatever else the machine does makes no
    update look expensive; `switch_at` is the `work` from which an update is not worth going on.
    """

    def __init__(self, limits: Limits = NO_LIMITS) -> None:
        self.limits = limits
        self.clock: Callable[[], float] = time.perf_counter
        self.work: Callable[[], float] = time.process_time
        self.memory: Callable[[], int] = memory_in_use
        self.switch_at: float | None = None
        self.began = self.clock()
        self._resting = False

    def begin(self, at: float | None = None) -> None:
        """An evaluation or an update begins, or began at a time of the clock."""
        self.began = self.clock() if at is None else at

    @contextmanager
    def resting(self) -> Iterator[None]:
        """No limit applies: what is going on must come to its end."""
        usual, self._resting = self._resting, True
        try:
            yield
        finally:
            self._resting = usual

    @contextmanager
    def unhurried(self) -> Iterator[None]:
        """What is going on is part of a bootstrap, too: its time is no reason for one."""
        began, at, self.switch_at = self.work(), self.switch_at, None
        try:
            yield
        finally:
            self.switch_at = None if at is None else at + self.work() - began

    def look(self) -> None:
        """Raise what a limit asks for: `TimedOut`, `OutOfMemory` or `NotWorthIt`."""
        if self._resting:
            return
        if self.limits.seconds is not None and self.clock() - self.began > self.limits.seconds:
            supervision.ending()
            raise timed_out(self.limits.seconds)
        self.grant(0)
        if self.switch_at is not None and self.work() > self.switch_at:
            raise NotWorthIt

    def grant(self, size: int) -> None:
        """`OutOfMemory` if `size` more bytes are more than allowed."""
        if self.limits.memory is not None and not self._resting and (used := self.memory()) + size > self.limits.memory:
            supervision.ending()
            raise out_of_memory(self.limits.memory, used, size)


class NotWorthIt(Exception):
    """An update takes so long that a bootstrap is the better way."""


def memory_in_use() -> int:
    """Bytes of memory that are the process's own (mapped files can be dropped at any time) and of children that count;
    elsewhere than on Linux, the most that the process ever held."""
    try:
        return sum(map(memory_of, (STATUS, *(Path(f"/proc/{pid}/status") for pid in tuple(counted_too)))))
    except OSError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak << 10


def memory_of(status: Path) -> int:
    """Bytes of memory that are a process's own, as Linux tells; 0 for a child that has ended, `OSError` where this
    process's are not told."""
    try:
        told = status.read_bytes()
    except OSError:
        if status == STATUS:
            raise
        return 0
    return sum(int(kilobytes) for kilobytes in re.findall(rb"^Rss(?:Anon|Shmem):\s*(\d+) kB", told, re.MULTILINE)) << 10


def size_of(text: str) -> int:
    """`4G`, `1.5 GiB`, `512m`, `1000000` → bytes; `LadderError` for what is no size."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", text, re.IGNORECASE)
    if not match:
        raise LadderError(f"{text!r} is not an amount of memory.", "Write it like 512M or 4G.")
    return int(float(match[1]) * UNITS[match[2].upper()])


class Reached(BaseException):
    """A limit was reached; not an `Exception`, so that nobody mistakes it for a failure of what happens to run."""

    def __init__(self, error: LadderError) -> None:
        super().__init__(str(error))
        self.error = error


@contextmanager
def guarded(limits: Limits, began: float | None = None) -> Iterator[None]:
    """Whatever the main thread does is ended when a limit is reached; `began`: clock (`time.perf_counter`) of the
    start.

    It is told by a signal, whose handler raises between two instructions of Python, as Ctrl-C does. A look at the watch
    at the places where work pauses, as kernels have it, would be gentler and does not suffice: a functor or a join of a
    lattice may never return, libraries read a file, sort a table or wait for a lock at one go, and a place without a
    look would be a limit that is not kept. What must not be broken says so (`signals.Undisturbed`), and is told at its
    end; what a limit may leave half done is a transaction, or a file that has no name yet. Code that does not come back
    to Python at all is left to `supervision`.
    """
    if (
        limits == NO_LIMITS
        or not hasattr(signal, "pthread_kill")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    watch, ended, reached = Watch(limits), threading.Event(), list[LadderError]()
    watch.begin(began)
    main = threading.get_ident()

    def look() -> None:
        while not ended.wait(AGAIN if reached else TICK):
            try:
                watch.look()
            except LadderError as error:
                reached.append(error)
                signal.pthread_kill(main, LIMIT_REACHED)

    def stop(_number: int, _frame: FrameType | None) -> None:
        if reached and not ended.is_set():
            raise Reached(reached[0])

    usual = signal.signal(LIMIT_REACHED, stop)
    looking = threading.Thread(target=look, name="limits", daemon=True)
    looking.start()
    try:
        try:
            with supervision.limited(limits.seconds, limits.memory, watch.began):
                yield
        finally:
            ended.set()  # a limit that is reached from here on comes too late to be one
    except Reached as stopped:
        raise stopped.error from None
    finally:
        ended.set()
        looking.join()
        signal.signal(LIMIT_REACHED, usual)
