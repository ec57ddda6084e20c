"""Symbols: strings interned to dense numbers, in arrays that can be mapped from disk.

Number n's UTF-8 text is `text[offsets[n]:offsets[n + 1]]`; `slots` is a hash table of numbers (open addressing, -1 free).
Number 0 is the empty string. Whole Arrow string arrays are interned in compiled code.
"""
from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ladder.engine.local.kernels.compiling import entry_point, helper

FREE = -1


@helper
def _hash(text: Any, start: Any, end: Any) -> Any:
    """A hash of bytes, not negative (FNV-1a, cut to 61 bits so that products stay in range)."""
    value = np.uint64(14695981039346656037)
    for position in range(start, end):
        value = (value ^ np.uint64(text[position])) * np.uint64(1099511628211)
    return np.int64((value ^ (value >> np.uint64(29))) & np.uint64(0x1FFFFFFFFFFFFFFF))


@helper
def _same(text: Any, start: Any, end: Any, other: Any, other_start: Any, other_end: Any) -> Any:
    if end - start != other_end - other_start:
        return False
    for i in range(end - start):
        if text[start + i] != other[other_start + i]:
            return False
    return True


@entry_point
def _intern(new_text: Any, new_offsets: Any, first: Any, text: Any, offsets: Any, slots: Any, counts: Any, numbers: Any, add: Any) -> Any:
    """numbers[i] = number of new string i, added if unknown and `add`; how many are done, short of all for room.

    counts: (symbols, bytes of text); room is needed for at least one more symbol and for its text.
    """
    last_slot = len(slots) - 1
    for i in range(first, len(numbers)):
        start, end = new_offsets[i], new_offsets[i + 1]
        slot = _hash(new_text, start, end) & last_slot
        number = slots[slot]
        while number != FREE and not _same(text, offsets[number], offsets[number + 1], new_text, start, end):
            slot = (slot + 1) & last_slot
            number = slots[slot]
        if number == FREE and add:
            number, size = counts[0], end - start
            if 2 * (number + 1) > len(slots) or number + 2 > len(offsets) or counts[1] + size > len(text):
                return i
            text[counts[1]:counts[1] + size] = new_text[start:end]
            counts[0], counts[1] = number + 1, counts[1] + size
            offsets[number + 1] = counts[1]
            slots[slot] = number
        numbers[i] = number
    return len(numbers)


@entry_point
def _rehash(text: Any, offsets: Any, count: Any, slots: Any) -> None:
    """Enter all symbols into an empty, larger table."""
    last_slot = len(slots) - 1
    for number in range(count):
        slot = _hash(text, offsets[number], offsets[number + 1]) & last_slot
        while slots[slot] != FREE:
            slot = (slot + 1) & last_slot
        slots[slot] = number


class SymbolTable:
    """Strings ↔ numbers."""

    def __init__(self) -> None:
        self.text = np.zeros(1 << 12, np.uint8)
        self.offsets = np.zeros(1 << 8, np.int64)
        self.slots = np.full(1 << 9, FREE, np.int32)
        self.counts = np.zeros(2, np.int64)
        self.number("")

    def __len__(self) -> int:
        return int(self.counts[0])

    def number(self, text: str) -> int:
        """Number of a string, interned if it is new."""
        return int(self._numbers_of([text.encode("utf-8", "surrogatepass")], add=True)[0])

    def known_number(self, text: str) -> int:
        """Number of a string, or -1 where it was never interned."""
        return int(self._numbers_of([text.encode("utf-8", "surrogatepass")], add=False)[0])

    def numbers(self, texts: Iterable[str]) -> npt.NDArray[np.int32]:
        """Numbers of strings, interned if they are new."""
        return self._numbers_of([text.encode("utf-8", "surrogatepass") for text in texts], add=True)

    def text_of(self, number: int) -> str:
        """The string of a number."""
        start, end = self.offsets[number], self.offsets[number + 1]
        return self.text[start:end].tobytes().decode("utf-8", "surrogatepass")

    def texts_of(self, numbers: Sequence[int]) -> list[str]:
        """The strings of numbers."""
        starts, ends = self.offsets[np.asarray(numbers)], self.offsets[np.asarray(numbers) + 1]
        text = self.text
        return [text[a:b].tobytes().decode("utf-8", "surrogatepass") for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]

    def intern_array(self, array: pa.Array) -> npt.NDArray[np.int32]:
        """Numbers of an Arrow string array (nulls count as empty strings)."""
        if len(array) == 0:
            return np.zeros(0, np.int32)
        large = array.cast(pa.large_string())
        _, offsets, data = large.buffers()
        starts = np.frombuffer(offsets, np.int64)[large.offset:large.offset + len(large) + 1]
        text = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(1, np.uint8)
        return self._intern(text, starts, len(large), add=True)

    def to_dictionary(self) -> pa.Array:
        """All strings as an Arrow array, by number, without copying."""
        count = len(self)
        return pa.LargeStringArray.from_buffers(count, pa.py_buffer(self.offsets[:count + 1]), pa.py_buffer(self.text))

    def _numbers_of(self, encoded: Sequence[bytes], add: bool) -> npt.NDArray[np.int32]:
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        return self._intern(np.frombuffer(b"".join(encoded) or b"\0", np.uint8), offsets, len(encoded), add)

    def _intern(self, text: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64], count: int, add: bool) -> npt.NDArray[np.int32]:
        numbers = np.empty(count, np.int32)
        new_text, new_offsets = _alias(text), _alias(offsets)
        done = 0
        while (done := _intern(new_text, new_offsets, done, self.text, self.offsets, self.slots, self.counts, numbers, add)) < count:
            self._make_room(int(offsets[done + 1] - offsets[done]))
        return numbers

    def _make_room(self, size: int) -> None:
        count, used = (int(c) for c in self.counts)
        if 2 * (count + 1) > len(self.slots):
            self.slots = np.full(2 * len(self.slots), FREE, np.int32)
            _rehash(self.text, self.offsets, count, self.slots)
        if count + 2 > len(self.offsets):
            self.offsets = _grown(self.offsets, count + 1, 2 * len(self.offsets))
        if used + size > len(self.text):
            self.text = _grown(self.text, used, max(2 * len(self.text), used + size))


def _grown(array: npt.NDArray[Any], used: int, capacity: int) -> npt.NDArray[Any]:
    result = np.zeros(capacity, array.dtype)
    result[:used] = array[:used]
    return result


def _alias(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same memory as an array that is not read-only: to compiled code that is another type. The caller keeps the original."""
    return np.frombuffer(memoryview((ctypes.c_char * array.nbytes).from_address(array.ctypes.data)), array.dtype)
