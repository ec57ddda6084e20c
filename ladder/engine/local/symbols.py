"""Symbols: strings interned to dense numbers, in arrays that can be mapped from disk.

Number n's UTF-8 text is `text[offsets[n]:offsets[n + 1]]`; `slots` is a hash table of numbers (open addressing, -1 free).
Number 0 is the empty string. Whole Arrow string arrays are interned in compiled code.
"""
from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels.texts import FREE, HASH_OF_NOTHING, intern, rehash

if TYPE_CHECKING:
    import pyarrow as pa


class SymbolTable:
    """Strings ↔ numbers."""

    def __init__(self) -> None:
        self.text = np.zeros(1 << 12, np.uint8)
        self.offsets = np.zeros(1 << 8, np.int64)
        self.slots = np.full(1 << 9, FREE, np.int32)
        self.counts = np.array([1, 0], np.int64)    # the empty string is there
        self.slots[HASH_OF_NOTHING & (len(self.slots) - 1)] = 0

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
        import pyarrow as pa
        if len(array) == 0:
            return np.zeros(0, np.int32)
        large = array.cast(pa.large_string())
        _, offsets, data = large.buffers()
        starts = np.frombuffer(offsets, np.int64)[large.offset:large.offset + len(large) + 1]
        text = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(1, np.uint8)
        return self._intern(text, starts, len(large), add=True)

    def to_dictionary(self) -> pa.Array:
        """All strings as an Arrow array, by number, without copying."""
        import pyarrow as pa
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
        while (done := intern(new_text, new_offsets, done, self.text, self.offsets, self.slots, self.counts, numbers, add)) < count:
            self._make_room(int(offsets[done + 1] - offsets[done]))
        return numbers

    def _make_room(self, size: int) -> None:
        count, used = (int(c) for c in self.counts)
        if 2 * (count + 1) > len(self.slots):
            self.slots = np.full(2 * len(self.slots), FREE, np.int32)
            rehash(self.text, self.offsets, count, self.slots)
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
