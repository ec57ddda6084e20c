"""Bulk arrays that grow without being copied: a large one lies in mapped memory of its own, whose pages the system
moves.

A page that was never touched takes no memory, so that spare capacity costs nothing. If another view of an array is
alive, the array is copied instead and the view keeps the old contents; arrays that lie elsewhere (small ones, files)
are always copied. Nobody may read a cell of arbitrary content before it is written: tests fill such cells (`granting`).
"""

from __future__ import annotations

import math
import mmap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, pairwise
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
    """Mapped memory, all zero at first; it lives as long as an array over it does. `alive`: how many there are."""

    alive = 0

    def __init__(self, size: int, huge_pages: int, sparse: bool = False) -> None:
        """`huge_pages`: the size in bytes from which huge pages are used; `sparse`: most pages are never written, so
        that they must be small."""
        self._huge_pages = huge_pages
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
        self.memory = mmap.mmap(ANONYMOUS, self._rounded(size), flags)
        self._advised = sparse
        Mapping.alive += 1
        self.advise()

    def __del__(self) -> None:
        if hasattr(self, "_advised"):  # else there was no memory for it
            type(self).alive -= 1

    def _rounded(self, size: int) -> int:
        unit = HUGE_PAGE if size >= self._huge_pages else mmap.PAGESIZE
        return -(-size // unit) * unit

    def advise(self) -> None:
        """Ask for huge pages: fewer faults, and probes at random places miss fewer address translations."""
        if len(self.memory) >= self._huge_pages and not self._advised and hasattr(mmap, "MADV_HUGEPAGE"):
            try:
                self.memory.madvise(mmap.MADV_HUGEPAGE)
            except OSError:  # a system without them
                pass
            self._advised = True

    def resize(self, size: int) -> bool:
        """Give the memory this size in bytes, keeping its contents; False if an array over it is alive or it cannot be
        moved. `advise` is to be called afterwards."""
        try:
            self.memory.resize(self._rounded(size))
        except (BufferError, OSError, SystemError, ValueError):
            return False
        return True

    def array(self, shape: tuple[int, ...], item: Any) -> Array:
        """An array at the beginning of the memory."""
        length = math.prod(shape)
        return np.frombuffer(self.memory, item, length).reshape(shape)


Fill = Callable[[Array], None]  # writes something into all cells
Place = Callable[[int], Any]  # memory of so many bytes, all zero; None: as usual
_fill: Fill | None = None
_place: Place | None = None


@contextmanager
def granting(fill: Fill, place: Place) -> Iterator[None]:
    """For tests: inside the block, `place` decides where new arrays lie, and `fill` writes cells whose content is
    arbitrary."""
    global _fill, _place
    before, (_fill, _place) = (_fill, _place), (fill, place)
    try:
        yield
    finally:
        _fill, _place = before


def grown(array: Array, kept: int) -> Array:
    """Return the array, whose cells from `kept` on have arbitrary content."""
    if _fill is not None and len(array) > kept:
        _fill(array[kept:])
    return array


def zeros(shape: tuple[int, ...], item: Any) -> Array:
    """A new array of zeros, which never grows."""
    placed = _placed(shape, item)
    return np.zeros(shape, item) if placed is None else placed


def arbitrary(shape: tuple[int, ...], item: Any) -> Array:
    """A new array with arbitrary content, which never grows."""
    placed = _placed(shape, item)
    return grown(np.empty(shape, item) if placed is None else placed, 0)


def make(
    shape: tuple[int, ...],
    item: Any,
    zero: bool = False,
    sparse: bool = False,
    tuning: Evaluating = DEFAULT.evaluating,
) -> tuple[Array, Mapping | None]:
    """(a new array, its memory or None if it has none of its own); the content is arbitrary unless `zero`.

    Nobody may rely on arbitrary content, but outside of tests it is zero: unused capacity is saved with the rest of an
    array, and memory that the heap hands out again could disclose other data of the process to readers of the file.
    """
    size = math.prod(shape) * np.dtype(item).itemsize
    placed, mapping = _placed(shape, item), None
    if placed is None and size >= _own_from(sparse, tuning) and MOVABLE:
        try:
            mapping = Mapping(size, tuning.huge_pages, sparse)
        except OSError:  # the process has as many as it may have; where there is no memory, numpy says so
            pass
        else:
            placed = mapping.array(shape, item)
    if placed is None:
        placed = np.zeros(shape, item)
    return placed if zero else grown(placed, 0), mapping


def make_many(
    shapes: Sequence[tuple[int, ...]],
    item: Any,
    zero: bool = False,
    sparse: bool = False,
    tuning: Evaluating = DEFAULT.evaluating,
) -> list[tuple[Array, Mapping | None]]:
    """What `make` returns for each of these shapes; small arrays lie beside one another, which takes a tenth of the
    time, unless `granting` decides where they lie."""
    lengths = [math.prod(shape) for shape in shapes]
    least = _own_from(sparse, tuning)
    apart = [_place is not None or length * np.dtype(item).itemsize >= least for length in lengths]
    ends = list(accumulate((0 if alone else n for n, alone in zip(lengths, apart, strict=True)), initial=0))
    together = np.zeros((ends[-1],), item)
    if not zero:
        grown(together, 0)
    return [
        make(shape, item, zero, sparse, tuning) if alone else (together[start:end].reshape(shape), None)
        for shape, alone, (start, end) in zip(shapes, apart, pairwise(ends), strict=True)
    ]


def _own_from(sparse: bool, tuning: Evaluating) -> int:
    """The bytes from which an array gets memory of its own: large ones alone once there are many, since a system allows
    a process some ten thousands, which files and threads need, too."""
    small = sparse and Mapping.alive < tuning.most_small
    return min(tuning.own_memory, tuning.own_sparse_memory) if small else tuning.own_memory


def _placed(shape: tuple[int, ...], item: Any) -> Array | None:
    if _place is None:
        return None
    size = math.prod(shape) * np.dtype(item).itemsize
    memory = _place(size) if size else None
    return None if memory is None else np.frombuffer(memory, item).reshape(shape)


def address_of(array: Array) -> int:
    """The address of an array, for records: the array must live as long as the address is kept.

    A build that checks addresses notes it.
    """
    if CHECKED:
        note(array)
    plain = array if array.dtype.names is None else array.view(np.uint8)  # else numpy describes all fields first
    address: int = plain.__array_interface__["data"][0]
    return address


def copied(records: Array) -> Array:
    """A copy of an array of records, as bytes: numpy copies records a field at a time, some twenty times slower."""
    return records.view(np.uint8).copy().view(records.dtype)


def picked(records: Array, numbers: Sequence[int]) -> Array:
    """Copies of the records with these numbers, of a list or of each row of a table of records, as bytes."""
    chosen = np.ascontiguousarray(_by_record(records)[..., numbers, :])
    return chosen.view(records.dtype).reshape(chosen.shape[:-1])


def put(records: Array, numbers: Sequence[int], values: Array) -> None:
    """Write `values` over the records with these numbers, of a list or of each row of a table, as bytes; `values` are
    one row of a table, or one for each."""
    _by_record(records)[..., numbers, :] = _by_record(values)


def repeated(records: Array, times: int) -> Array:
    """So many copies of an array of records, one after the other, as bytes: [times, len(records)]."""
    return np.tile(_by_record(records), (times, 1)).view(records.dtype).reshape(times, len(records))


def _by_record(records: Array) -> Array:
    return records.view(np.uint8).reshape(*records.shape, records.dtype.itemsize)


def copy_beginning(old: Array, new: Array) -> None:
    """Copy an array to the beginning of another of the same items, as bytes: numpy is many times slower with
    records."""
    raw = next(
        np.dtype(raw) for raw in (np.int64, np.int32, np.uint8) if new.dtype.itemsize % np.dtype(raw).itemsize == 0
    )
    source, target = old.reshape(-1).view(raw), new.reshape(-1).view(raw)
    common = min(len(source), len(target))
    target[:common] = source[:common]
