"""The table of granted memory: in a build that checks addresses, kernels look up each address there before they use it.

With NUMBA_BOUNDSCHECK=1, every array that a kernel makes from an address must lie within one array that the host has
noted here and that is still alive; the same holds in plain Python (NUMBA_DISABLE_JIT=1). Indices are checked against
the array's length (see `memory`). This finds the address of an array that has been reallocated since, an address that
is not in an array, and a wrong length, each where it is used.
"""

import threading
import weakref
from bisect import bisect_left, bisect_right
from collections import deque
from typing import Any

import numpy as np

from . import settings

CHECKED = settings.CHECKED or settings.PLAIN
SYMBOL = "ladder_is_granted"
KEPT_TABLES = 64  # what another thread may be reading at this moment

_lock = threading.Lock()
_pending: deque[tuple[bool, int, int, int]] = deque()  # whether it came, the array's id, from where to where
_noted: dict[int, tuple[int, int]] = {}
_starts: list[int] = []
_ends: list[int] = []
ADDRESS = np.zeros(1, np.int64)  # of the table that holds: count, starts, and the furthest end of all up to each
_tables: list[Any] = []


def note(array: Any) -> None:
    """Grant the memory of a numpy array for as long as the array lives."""
    start, key = array.__array_interface__["data"][0], id(array)
    end = start + array.nbytes
    with _lock:
        _catch_up()
        if start == end or _noted.get(key) == (start, end):
            return
        _pending.append((True, key, start, end))
        _catch_up()
    weakref.finalize(array, _forget, key, start, end).atexit = False


def _forget(key: int, start: int, end: int) -> None:
    """Remove an array that has been freed. Arrays may be freed at any point, also while this module updates its table;
    then that update includes it."""
    _pending.append((False, key, start, end))
    if _lock.acquire(blocking=False):
        try:
            _catch_up()
        finally:
            _lock.release()


def _catch_up() -> None:
    while _pending:
        came, key, start, end = _pending.popleft()
        place = bisect_left(_starts, start)
        if came:
            _noted[key] = (start, end)
            _starts.insert(place, start)
            _ends.insert(place, end)
        else:
            del _noted[key]
            while _ends[place] != end:
                place += 1
            del _starts[place], _ends[place]
        if not _pending:
            _publish()


def _publish() -> None:
    """Replace the table; other threads see either this one or the one before."""
    table = np.concatenate([[len(_starts)], _starts, np.maximum.accumulate(np.array(_ends, np.int64))]).astype(np.int64)
    _tables.append(table)
    ADDRESS[0] = table.__array_interface__["data"][0]
    del _tables[:-KEPT_TABLES]


def is_granted(address: int, size: int) -> bool:
    """Return whether `size` bytes from an address on lie within one granted array; 0 bytes may have any address."""
    if size <= 0:
        return size == 0
    with _lock:
        place = bisect_right(_starts, address)
        return any(
            start <= address and end >= address + size
            for start, end in zip(_starts[:place], _ends[:place], strict=True)
        )
