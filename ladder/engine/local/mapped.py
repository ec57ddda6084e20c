"""Bulk arrays that grow without being copied: large ones lie in memory of their own, which the system moves by pages.

A page that was never touched takes no memory, so that room to grow costs nothing. Where some other view of an array is
alive it is copied instead, and the view keeps what it saw; so it is with arrays that lie elsewhere (small ones, files).
"""
from __future__ import annotations

import mmap
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
LARGE = 1 << 20            # bytes from which an array gets memory of its own
HUGE_PAGE = 1 << 21
HUGE_FROM = 1 << 23        # bytes from which huge pages waste little
ANONYMOUS = -1
MOVABLE = hasattr(mmap.mmap, "resize") and hasattr(mmap, "MAP_ANONYMOUS")


class Mapping:
    """Memory of its own, all zero at first; it lives as long as an array over it does."""

    def __init__(self, size: int, sparse: bool = False) -> None:
        """`sparse`: most pages are never written, so that they must be small."""
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
        self._memory = mmap.mmap(ANONYMOUS, self._rounded(size), flags)
        self._advised = sparse
        self._advise()

    @staticmethod
    def _rounded(size: int) -> int:
        unit = HUGE_PAGE if size >= HUGE_FROM else mmap.PAGESIZE
        return -(-size // unit) * unit

    def _advise(self) -> None:
        """Ask for huge pages: fewer faults, and probes at random places miss fewer address translations."""
        if len(self._memory) >= HUGE_FROM and not self._advised and hasattr(mmap, "MADV_HUGEPAGE"):
            try:
                self._memory.madvise(mmap.MADV_HUGEPAGE)
            except OSError:   # a system without them
                pass
            self._advised = True

    def resize(self, size: int) -> bool:
        """Make the memory so large, keeping what it holds; False where an array is still over it or it cannot be moved."""
        try:
            self._memory.resize(self._rounded(size))
        except (BufferError, OSError, SystemError, ValueError):
            return False
        self._advise()
        return True

    def array(self, shape: tuple[int, ...], item: Any) -> Array:
        """An array over the memory's beginning."""
        length = int(np.prod(shape))
        return np.frombuffer(self._memory, item, length).reshape(shape)


def make(shape: tuple[int, ...], item: Any, zero: bool = False, sparse: bool = False) -> tuple[Array, Mapping | None]:
    """A new array, and its memory where it has one of its own; its cells are arbitrary unless `zero`."""
    size = int(np.prod(shape)) * np.dtype(item).itemsize
    if size < LARGE or not MOVABLE:
        return (np.zeros if zero else np.empty)(shape, item), None
    mapping = Mapping(size, sparse)
    return mapping.array(shape, item), mapping


def copy_beginning(old: Array, new: Array) -> None:
    """Copy an array over the beginning of another of the same items; record by record, numpy is many times slower."""
    raw = np.dtype(np.int64 if new.dtype.itemsize % 8 == 0 else np.int32)
    source, target = old.reshape(-1).view(raw), new.reshape(-1).view(raw)
    common = min(len(source), len(target))
    target[:common] = source[:common]
