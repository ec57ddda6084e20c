"""Limits of time and memory: looked at while the engine works, and by a thread while a command does anything else.

Whoever runs into one gets `TimedOut` or `OutOfMemory`; a transaction that was open is dropped, what was saved before stands.
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

from ladder.errors import LadderError, OutOfMemory, TimedOut
from ladder.signals import LIMIT_REACHED

TICK = 0.05                # seconds between two looks while a command runs, …
AGAIN = 5.0                # … and until it is told once more, should it go on regardless
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
STATUS = Path("/proc/self/status")


@dataclass(frozen=True)
class Limits:
    """`memory`: bytes that the process may hold, files that are mapped not counted; `seconds`: of one evaluation or update."""

    memory: int | None = None
    seconds: float | None = None


NO_LIMITS = Limits()


class Watch:
    """Looks at clocks and memory whenever kernels pause.

    `clock` tells the time, `work` the processor's (of all threads), so that whatever else the machine does makes no update look expensive;
    `switch_at` is the `work` from which an update is not worth going on.
    """

    def __init__(self, limits: Limits = NO_LIMITS) -> None:
        self.limits = limits
        self.clock: Callable[[], float] = time.perf_counter
        self.work: Callable[[], float] = time.process_time
        self.memory: Callable[[], int] = memory_in_use
        self.switch_at: float | None = None
        self._began = self.clock()
        self._resting = False

    def begin(self, at: float | None = None) -> None:
        """An evaluation or an update begins, or began at a time of the clock."""
        self._began = self.clock() if at is None else at

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
        if self.limits.seconds is not None and self.clock() - self._began > self.limits.seconds:
            raise timed_out(self.limits.seconds)
        self.grant(0)
        if self.switch_at is not None and self.work() > self.switch_at:
            raise NotWorthIt

    def grant(self, size: int) -> None:
        """`OutOfMemory` if `size` more bytes are more than allowed."""
        if self.limits.memory is not None and not self._resting and (used := self.memory()) + size > self.limits.memory:
            raise out_of_memory(self.limits.memory, used, size)


class NotWorthIt(Exception):
    """An update takes so long that a bootstrap is the better way."""


def timed_out(seconds: float) -> TimedOut:
    """The time allowed ran out."""
    return TimedOut(f"Not finished within the time limit of {seconds:g} s.", "What was saved before is as it was. Allow more with --time-limit.")


def out_of_memory(limit: int, used: int, more: int = 0) -> OutOfMemory:
    """The memory allowed ran out."""
    wanted = f" and {size_text(more)} more are needed" if more else ""
    return OutOfMemory(f"The memory limit of {size_text(limit)} does not suffice: {size_text(used)} are in use{wanted}.",
                       "What was saved before is as it was. Allow more with --memory-limit.")


def memory_in_use() -> int:
    """Bytes of memory that are the process's own (mapped files can be dropped at any time); elsewhere than on Linux, the most it ever held."""
    try:
        status = STATUS.read_bytes()
    except OSError:
        import resource
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak << 10
    return sum(int(kilobytes) for kilobytes in re.findall(rb"^Rss(?:Anon|Shmem):\s*(\d+) kB", status, re.MULTILINE)) << 10


def size_of(text: str) -> int:
    """`4G`, `1.5 GiB`, `512m`, `1000000` → bytes; `LadderError` for what is no size."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", text, re.IGNORECASE)
    if not match:
        raise LadderError(f"{text!r} is not an amount of memory.", "Write it like 512M or 4G.")
    return int(float(match[1]) * UNITS[match[2].upper()])


def size_text(size: int) -> str:
    """Bytes → `3.7G`."""
    unit, scale = next((item for item in reversed(UNITS.items()) if size >= item[1]), ("", 1))
    return f"{size / scale:.3g}{unit}" if size < 1000 * scale else f"{size // scale}{unit}"


class _Reached(BaseException):
    """A limit was reached; not an `Exception`, so that nobody mistakes it for a failure of what happens to run."""

    def __init__(self, error: LadderError) -> None:
        super().__init__(str(error))
        self.error = error


@contextmanager
def guarded(limits: Limits, began: float | None = None) -> Iterator[None]:
    """Whatever the main thread does is ended when a limit is reached; `began`: clock (`time.perf_counter`) of the start."""
    if limits == NO_LIMITS or not hasattr(signal, "pthread_kill") or threading.current_thread() is not threading.main_thread():
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
        if reached:
            raise _Reached(reached[0])

    usual = signal.signal(LIMIT_REACHED, stop)
    looking = threading.Thread(target=look, name="limits", daemon=True)
    looking.start()
    try:
        yield
    except _Reached as stopped:
        raise stopped.error from None
    finally:
        ended.set()
        looking.join()
        signal.signal(LIMIT_REACHED, usual)
