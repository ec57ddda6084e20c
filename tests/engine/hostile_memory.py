"""Memory that is as bad as it may be: cells that are granted as arbitrary ones hold the worst, beside each array there
is a page that must not be touched, and so is where an array was. And thresholds so low that small cases reach them.
"""

from __future__ import annotations

import ctypes
import random
import weakref
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, PAGESIZE, PROT_READ, PROT_WRITE
from typing import Any

import numpy as np

from ladder.engine.local import mapped
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.parallel import Threads

from .tuned import sharing

# protection of pages, a flag of `mmap` and what it fails with
NOTHING, FIXED, NOWHERE = 0, 0x10, ctypes.c_void_p(-1).value
GUARDED = 1 / 8  # of all arrays
MOST_KEPT = 1024  # pieces of memory that were given back and stay untouchable
C = ctypes.CDLL(None)
C.mmap.restype, C.mmap.argtypes = (
    ctypes.c_void_p,
    [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long],
)
C.munmap.argtypes, C.mprotect.argtypes = (
    [ctypes.c_void_p, ctypes.c_size_t],
    [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int],
)
PATTERN = 1021  # cells until a pattern is repeated; prime, so that no field of a record sees a part of it only
PIECE = 1 << 12  # patterns that are copied at one go
MOST_FILLED = 1 << 20  # bytes filled at either end of an array; what lies between is rarely reached


class Poison:
    """Numbers that kernels could take for something: none, marks, small and large row numbers, the least and the
    greatest number."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._pieces = {size: np.tile(self._pattern(np.dtype(f"i{size}")), PIECE // size) for size in (8, 4, 1)}

    def _pattern(self, item: np.dtype[Any]) -> np.ndarray[Any, Any]:
        least, most = np.iinfo(item).min, np.iinfo(item).max
        some = [least, least + 1, most, most // 2, most // 3, *range(-40, 60)]
        rest = [
            self._random.choice([self._random.randint(least, most), *self._random.sample(some, 6)])
            for _ in range(PATTERN - len(some))
        ]
        return np.array(self._random.sample(some + rest, PATTERN), item)

    def fill(self, array: np.ndarray[Any, Any]) -> None:
        """Write into all cells of an array, beginning anywhere in the pattern."""
        size = next(size for size in (8, 4, 1) if array.dtype.itemsize % size == 0)
        cells, piece = array.reshape(-1).view(f"i{size}"), self._pieces[size]
        most, shift = MOST_FILLED // size, self._random.randrange(PATTERN)
        for part in (cells,) if len(cells) <= 2 * most else (cells[:most], cells[-most:]):
            for start in range(0, len(part), len(piece) - PATTERN):
                to = part[start : start + len(piece) - PATTERN]
                to[:] = piece[shift : shift + len(to)]


class GuardedPlaces:
    """Memory of its own, which ends where a page begins that must not be touched; memory given back must not be either.

    By chance some of the arrays have it: pages take time, and large arrays that are not guarded may move with theirs.
    """

    def __init__(self, seed: int) -> None:
        self._random, self._given_back = random.Random(seed), deque[tuple[int, int]]()

    def place(self, size: int) -> Any:
        """Memory of so many bytes, all zero; it is given back with the last array over it."""
        if self._random.random() >= GUARDED:
            return None
        pages = -(-size // PAGESIZE) * PAGESIZE
        address = C.mmap(None, pages + PAGESIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        if address == NOWHERE or C.mprotect(address + pages, PAGESIZE, NOTHING):
            raise MemoryError
        memory = (ctypes.c_char * size).from_address(address + pages - size)
        weakref.finalize(memory, self._give_back, address, pages + PAGESIZE).atexit = False
        return memory

    def _give_back(self, address: int, size: int) -> None:
        C.mmap(address, size, NOTHING, MAP_PRIVATE | MAP_ANONYMOUS | FIXED, -1, 0)  # whoever still uses it is found
        self._given_back.append((address, size))
        if len(self._given_back) > MOST_KEPT:
            C.munmap(*self._given_back.popleft())


@contextmanager
def hostile_memory(seed: int) -> Iterator[None]:
    """Memory granted meanwhile is poisoned and guarded."""
    with mapped.granting(Poison(seed).fill, GuardedPlaces(seed).place):
        yield


def lower_thresholds(
    engine: LocalEngine, jobs: int, source: random.Random | None = None, cells: int = 0
) -> LocalEngine:
    """Let an engine squeeze pools of some entries, and share whatever there is to share with `jobs` threads that get
    few entries at once.

    `cells`: of what each thread deals out.
    """
    source = source or random.Random(0)
    workspace = engine.store.workspace[0]
    workspace.large_pool, workspace.waste = source.choice([2, 30, 1000]), source.choice([2, 6, 1 << 30])
    engine.threads = Threads(engine, jobs, sharing(cells, source.choice([1, 5, 64]))) if jobs > 1 else None
    return engine
