"""Blocks of code that no signal may interrupt."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

try:
    # What `signal` calls, without looking up handlers in an enumeration: 1 µs of an update instead of 19
    import _signal as raw  # type: ignore[import-not-found]
except ImportError:  # another Python than CPython
    raw = signal

LIMIT_REACHED = getattr(signal, "SIGUSR1", signal.SIGTERM)  # what `ladder.support.limits` sends
DEFERRED = {signal.SIGINT, signal.SIGTERM, LIMIT_REACHED}


class Undisturbed:
    """A block in which signals do not raise exceptions; a signal that arrives is handled at its end, or at that of the
    outermost of several blocks, one in another.

    Only the main thread needs it, because only that one handles signals.
    """

    _within = False  # whether the main thread is in such a block

    def __enter__(self) -> None:
        self._came: list[int] = []
        self._handlers: dict[int, Any] = {}
        if not Undisturbed._within and threading.current_thread() is threading.main_thread():
            for number in DEFERRED:
                handler = raw.getsignal(number)
                if callable(handler):
                    self._handlers[number] = handler
                    raw.signal(number, self._note)
            Undisturbed._within = bool(self._handlers)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self._came.append(number)

    def __exit__(self, *_: object) -> None:
        if not self._handlers:
            return
        Undisturbed._within = False
        for number, handler in self._handlers.items():
            raw.signal(number, handler)
        for number in self._came:
            signal.raise_signal(number)
