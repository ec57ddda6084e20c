"""Bulk arrays that grow without being copied: large ones lie in memory of their own, which the system moves by pages.

A page that was never touched takes no memory, so that spare capacity costs nothing. Where some other view of an array
is alive it is copied instead, and the view keeps what it saw; so it is with arrays that lie elsewhere (small ones,
files). Nobody may read a cell that was granted as an arbitrary one before it is written: tests fill such cells
(`granting`).
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels.granted import CHECKED, note
from ladder.support.tuning import DEFAULT, Evaluating

Array = npt.NDArray[Any]
HUGE_PAGE = 1 << 21
ANONYMOUS = -1
MOVABLE = hasattr(mmap.mmap, "resize") and hasattr(mmap, "MAP_ANONYMOUS")


class Mapping:
    """Memory of its own, all zero at first; it lives as long as an array over it does."""

    def __init__(self, size: int, huge_pages: int, sparse: bool = False) -> None:
        """`huge_pages`: bytes from which it is made of huge pages; `sparse`: most pages are never written, so that they
        must be small."""
        self._huge_pages = huge_pages
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
        self._memory = mmap.mmap(ANONYMOUS, self._rounded(size), flags)
        self._advised = sparse
        self._advise()

    def _rounded(self, size: int) -> int:
        unit = HUGE_PAGE if size >= self._huge_pages else mmap.PAGESIZE
        return -(-size // unit) * unit

    def _advise(self) -> None:
        """Ask for huge pages: fewer faults, and probes at random places miss fewer address translations."""
        if len(self._memory) >= self._huge_pages and not self._advised and hasattr(mmap, "MADV_HUGEPAGE"):
            try:
                self._memory.madvise(mmap.MADV_HUGEPAGE)
            except OSError:  # a system without them
                pass
            self._advised = True

    def resize(self, size: int) -> bool:
        """Make the memory so large, keeping what it holds; False where an array is still over it or it
        cannot be moved."""
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


Fill = Callable[[Array], None]  # writes something into all cells
Place = Callable[[int], Any]  # memory of so many bytes, all zero; None: as usual
_fill: Fill | None = None
_place: Place | None = None


@contextmanager
def granting(fill: Fill, place: Place) -> Iterator[None]:
    """Have tests decide on arrays: from here on they are granted where `place` says, and what is arbitrary in them is
    what `fill` writes."""
    global _fill, _place
    before, (_fill, _place) = (_fill, _place), (fill, place)
    try:
        yield
    finally:
        _fill, _place = before


def grown(array: Array, kept: int) -> Array:
    """An array whose cells from `kept` on are arbitrary."""
    if _fill is not None and len(array) > kept:
        _fill(array[kept:])
    return array


def zeros(shape: tuple[int, ...], item: Any) -> Array:
    """A new array that is all zero, which never grows."""
    placed = _placed(shape, item)
    return np.zeros(shape, item) if placed is None else placed


def arbitrary(shape: tuple[int, ...], item: Any) -> Array:
    """A new array of arbitrary cells, which never grows."""
    placed = _placed(shape, item)
    return grown(np.empty(shape, item) if placed is None else placed, 0)


def make(
    shape: tuple[int, ...],
    item: Any,
    zero: bool = False,
    sparse: bool = False,
    tuning: Evaluating = DEFAULT.evaluating,
) -> tuple[Array, Mapping | None]:
    """A new array, and its memory where it has one of its own; its cells are arbitrary unless `zero`.

    They are what nobody may rely on, and yet zero outside of tests: what is idle in these arrays is saved with the
    rest, and others' memory, which the heap would hand out again, is none of the business of those who get the file.
    """
    size = int(np.prod(shape)) * np.dtype(item).itemsize
    placed, mapping = _placed(shape, item), None
    if placed is None and size >= tuning.own_memory and MOVABLE:
        mapping = Mapping(size, tuning.huge_pages, sparse)
        placed = mapping.array(shape, item)
    if placed is None:
        placed = np.zeros(shape, item)
    return placed if zero else grown(placed, 0), mapping


def _placed(shape: tuple[int, ...], item: Any) -> Array | None:
    if _place is None:
        return None
    size = int(np.prod(shape)) * np.dtype(item).itemsize
    memory = _place(size) if size else None
    return None if memory is None else np.frombuffer(memory, item).reshape(shape)


def address_of(array: Array) -> int:
    """Where an array lies, for records: it must live as long as that is kept.

    A build that checks addresses takes note.
    """
    if CHECKED:
        note(array)
    address: int = array.__array_interface__["data"][0]
    return address


def copy_beginning(old: Array, new: Array) -> None:
    """Copy an array over the beginning of another of the same items; record by record, numpy is many times slower."""
    raw = next(
        np.dtype(raw) for raw in (np.int64, np.int32, np.uint8) if new.dtype.itemsize % np.dtype(raw).itemsize == 0
    )
    source, target = old.reshape(-1).view(raw), new.reshape(-1).view(raw)
    common = min(len(source), len(target))
    target[:common] = source[:common]
