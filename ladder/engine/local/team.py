"""`Team`: threads that do shares of some work beside the thread that calls, again and again.

An iteration begins and ends two or three such works, and thousands of iterations may follow each other. Each thread
waits for a lock of its own: to hand work to a pool of `concurrent.futures` and to wait for its end takes all threads a
multiple of the time in which they hold Python's global lock, and on sixteen cores more than the work of most
iterations.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

from ladder.support.signals import Undisturbed

FOR_EVER = -1  # of `Lock.acquire`


class _Shared:
    """What the threads look at; it does not name the team, so that a team that is forgotten ends."""

    def __init__(self, size: int) -> None:
        self.starts = [_held() for _ in range(size)]  # thread n waits for lock n - 1
        self.work: Callable[[int], Any] | None = None  # None, when a thread is woken: it is to end
        self.results: list[Any] = [None] * (size + 1)
        self.raised: list[Exception] = []
        self.lock, self.left, self.done = threading.Lock(), 0, threading.Lock()


class Team:
    """So many threads, with the numbers 1, 2, …; number 0 is the one that calls these methods.

    Raises RuntimeError where the system starts no more threads.
    """

    def __init__(self, size: int) -> None:
        self._shared = shared = _Shared(size)
        self.close = weakref.finalize(self, _end, shared)
        try:
            for number in range(1, size + 1):
                threading.Thread(target=_serve, args=(shared, number), name=f"ladder_{number}", daemon=True).start()
        except BaseException:
            self.close()
            raise

    def begin(self, count: int, work: Callable[[int], Any]) -> None:
        """Let the threads 1 to `count` call work(their number); `wait` or `finish` is to be called before more work is
        begun."""
        shared = self._shared
        assert shared.left == 0
        with Undisturbed():
            shared.work, shared.left, shared.done = work, count, _held()
            shared.raised.clear()
            for start in shared.starts[:count]:
                start.release()

    def wait(self, seconds: float = FOR_EVER) -> bool:
        """Return whether all threads are done, after so many seconds at most."""
        if self._shared.left:
            self._shared.done.acquire(timeout=seconds)
        return self._shared.left == 0

    def finish(self, stop: Callable[[], None] = lambda: None) -> None:
        """Wait until all threads are done, even if the wait is interrupted, and call `stop` before; the interrupt is
        raised afterwards."""
        interrupt: KeyboardInterrupt | None = None
        while True:
            try:
                stop()
                while not self.wait():
                    pass
                break
            except KeyboardInterrupt as came:
                interrupt = came
        self._shared.work = None
        if interrupt is not None:
            raise interrupt

    def results(self, count: int) -> list[Any]:
        """What the threads 1 to `count` have returned, once they are done; raises what one of them has raised."""
        self._shared.work = None
        if self._shared.raised:
            raise self._shared.raised[0]
        return self._shared.results[1 : count + 1]


def _serve(shared: _Shared, number: int) -> None:
    """Call the work that is there each time this thread is woken, until there is none."""
    start = shared.starts[number - 1]
    while True:
        start.acquire()
        work = shared.work
        if work is None:
            return
        try:
            shared.results[number] = work(number)
        except Exception as error:  # noqa: BLE001 (raised by `results`)
            shared.raised.append(error)
        finally:
            del work  # what it names may be freed
            with shared.lock:
                shared.left -= 1
                last, done = shared.left == 0, shared.done
            if last:
                done.release()


def _end(shared: _Shared) -> None:
    """End all threads, which must be waiting for work."""
    shared.work = None
    for start in shared.starts:
        if start.locked():
            start.release()


def _held() -> threading.Lock:
    lock = threading.Lock()
    lock.acquire()
    return lock
