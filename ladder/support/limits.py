"""Limits of time and memory, which are checked while the engine works, and by a thread while a command does anything
else.

An exceeded limit raises `TimedOut` or `OutOfMemory`; an open transaction is rolled back, what was saved before remains.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from ladder.errors import LadderError
from ladder.support import supervision
from ladder.support.exceeded import UNITS, out_of_memory, timed_out
from ladder.support.signals import LIMIT_REACHED

TICK = 0.05  # seconds between two looks while a command runs, …
AGAIN = 5.0  # … and until it is notified again, should it go on regardless
STATUS = Path("/proc/self/status")
MOST = 1 << 62  # bytes, more than any machine has


@dataclass(frozen=True)
class Limits:
    """`memory`: bytes that the process may use, without mapped files; `seconds`: the time of one evaluation or update.
    None: no limit."""

    memory: int | None = None
    seconds: float | None = None


NO_LIMITS = Limits()
counted_too = set[int]()  # children whose memory counts like the process's own, …
families = set[int]()  # … and those of which all that they start counts, too, such as a JVM with its Python workers
_interrupted: float | None = None  # since when the main thread leaves a block because of its limit


class Watch:
    """Checks time and memory whenever kernels pause.

    `clock` returns the time, `work` the processor time of all threads, so that an update does not seem expensive
    because the machine is busy; `switch_at`: the value of `work` at which an update is abandoned.
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
        """Note that an evaluation or update begins, or began at this time of the clock."""
        self.began = self.clock() if at is None else at

    @contextmanager
    def resting(self) -> Iterator[None]:
        """A block in which no limit applies, for work that must be completed."""
        usual, self._resting = self._resting, True
        try:
            yield
        finally:
            self._resting = usual

    @contextmanager
    def unhurried(self) -> Iterator[None]:
        """A block whose time does not count towards abandoning an update, because a bootstrap would need it, too."""
        began, at, self.switch_at = self.work(), self.switch_at, None
        try:
            yield
        finally:
            self.switch_at = None if at is None else at + self.work() - began

    def look(self) -> None:
        """Raise `TimedOut`, `OutOfMemory` or `NotWorthIt` if the limit is exceeded."""
        if self._resting:
            return
        if self.limits.seconds is not None and self.clock() - self.began > self.limits.seconds:
            supervision.ending()
            raise timed_out(self.limits.seconds)
        self.grant(0)
        if self.switch_at is not None and self.work() > self.switch_at:
            raise NotWorthIt

    def grant(self, size: int) -> None:
        """Raise `OutOfMemory` if `size` more bytes would exceed the limit."""
        if self.limits.memory is not None and not self._resting and (used := self.memory()) + size > self.limits.memory:
            supervision.ending()
            raise out_of_memory(self.limits.memory, used, size)


class NotWorthIt(Exception):
    """Raised for an update that takes so long that a bootstrap is better."""


def memory_in_use() -> int:
    """Bytes of memory of the process, without mapped files, which can be dropped at any time, and of children that
    count; on systems other than Linux, the process's peak."""
    try:
        pids = (*tuple(counted_too), *(pid for first in tuple(families) for pid in family(first)))
        return sum(map(memory_of, (STATUS, *(Path(f"/proc/{pid}/status") for pid in pids))))
    except OSError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak << 10


def family(pid: int) -> Iterator[int]:
    """A process and all that it has started, directly or not, but for children that still share its memory, since they
    are about to run another program."""
    yield pid
    program, children = _program(pid), list[int]()
    with suppress(OSError):  # it has ended
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):  # a thread has
                children += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text("ascii").split())
    for child in children:
        if pid not in families or _program(child) != program:
            yield from family(child)


def _program(pid: int) -> str:
    """The file of the program that a process runs; "" where it has ended."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def memory_of(status: Path) -> int:
    """Bytes of memory of a process, without mapped files, from Linux's status file; 0 for a child that has ended,
    `OSError` if they are not in that of this process."""
    try:
        content = status.read_bytes()
    except OSError:
        if status == STATUS:
            raise
        return 0
    return (
        sum(int(kilobytes) for kilobytes in re.findall(rb"^Rss(?:Anon|Shmem):\s*(\d+) kB", content, re.MULTILINE)) << 10
    )


def size_of(text: str) -> int:
    """The bytes of a size such as `4G`, `1.5 GiB`, `512m` or `1000000`; `LadderError` for other texts."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", text, re.IGNORECASE)
    if not match:
        raise LadderError(f"{text!r} is not an amount of memory.", "Write it like 512M or 4G.")
    return int(min(float(match[1]) * UNITS[match[2].upper()], MOST))


class Reached(KeyboardInterrupt):
    """Raised when a limit is exceeded; like Ctrl-C no `Exception`, so that code that is running does not handle it as a
    failure, and libraries release what they hold: py4j closes its connection, on which an answer is still to come."""

    def __init__(self, error: LadderError) -> None:
        super().__init__(str(error))
        self.error = error


@contextmanager
def guarded(limits: Limits, began: float | None = None, again: float = AGAIN) -> Iterator[None]:
    """A block in which the main thread is interrupted when a limit is exceeded; `began`: the time (`time.perf_counter`)
    of the start; `again`: seconds until it is interrupted again, should it go on regardless.

    The main thread gets a signal, whose handler raises between two instructions of Python, as for Ctrl-C. Checks at the
    places where work pauses, as in kernels, would not suffice: a functor or the join of a lattice may never return, and
    libraries read a file, sort a table or wait for a lock without a pause. Code that must not be interrupted is in a
    block of `signals.Undisturbed`, at whose end the signal is handled; what an interrupt may leave incomplete is a
    transaction, or a temporary file. Code that does not return to Python at all is ended by `supervision`. A block
    within another one ends for the limits of both.
    """
    if (
        limits == NO_LIMITS
        or not hasattr(signal, "pthread_kill")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    global _interrupted
    watch, ended, reached, raised = Watch(limits), threading.Event(), list[LadderError](), False
    watch.begin(began)
    main = threading.get_ident()

    def look() -> None:
        while not ended.wait(again if reached else TICK):
            try:
                watch.look()
            except LadderError as error:
                reached.append(error)
                signal.pthread_kill(main, LIMIT_REACHED)

    def stop(number: int, frame: FrameType | None) -> None:
        global _interrupted
        nonlocal raised
        if reached and not ended.is_set():
            now = time.perf_counter()
            if _interrupted is not None and now - _interrupted < again / 2:
                return  # a block in this one, or around it, tidies up
            _interrupted, raised = now, True
            raise Reached(reached[0])
        if callable(usual):  # the limit is that of a block around this one
            usual(number, frame)

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
        if stopped.error not in reached:  # a block around this one
            raise
        raise stopped.error from None
    finally:
        ended.set()
        looking.join()
        signal.signal(LIMIT_REACHED, usual)
        if raised:
            _interrupted = None
