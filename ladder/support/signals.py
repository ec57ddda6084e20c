"""Marks passages of the program that no signal may interrupt."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

LIMIT_REACHED = getattr(signal, "SIGUSR1", signal.SIGTERM)  # what `ladder.support.limits` sends
DEFERRED = {signal.SIGINT, signal.SIGTERM, LIMIT_REACHED}


class Undisturbed:
    """A passage in which no signal raises: one that comes is handled at its end.

    Nothing but the main thread needs it.
    """

    def __enter__(self) -> None:
        self._came: list[int] = []
        self._handlers: dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for number in DEFERRED:
                handler = signal.getsignal(number)
                if callable(handler):
                    self._handlers[number] = handler
                    signal.signal(number, self._note)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        self._came.append(number)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        for number in self._came:
            signal.raise_signal(number)
