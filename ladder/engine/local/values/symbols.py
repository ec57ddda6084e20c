"""Symbols: strings interned to dense numbers, in arrays that can be mapped from disk.

Number 0 is the empty string. Arrow string arrays and fact files are interned in compiled code; Python strings are made
on demand.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels.texts import FREE, HASH_OF_NOTHING, TEXTS, intern, rehash
from ladder.engine.local.mapped import Mapping, address_of, arbitrary, copy_beginning, grown, make
from ladder.support.tuning import DEFAULT, Evaluating

if TYPE_CHECKING:
    import pyarrow as pa


class SymbolTable:
    """Maps strings to numbers and back. `tuning`: thresholds of its memory, and of texts that are read into it."""

    def __init__(self, tuning: Evaluating = DEFAULT.evaluating) -> None:
        self.tuning = tuning
        self.text = np.zeros(1 << 12, np.uint8)
        self.offsets = np.zeros(1 << 8, np.int64)
        self.slots = np.full(1 << 9, FREE, np.int64)
        self.counts = np.array([1, 0], np.int64)  # the empty string is there
        self.slots[HASH_OF_NOTHING & (len(self.slots) - 1)] = HASH_OF_NOTHING << 32
        self._memory: dict[str, Mapping | None] = {}
        self._record = np.zeros(1, TEXTS)
        self._note_addresses()

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
        return [
            text[a:b].tobytes().decode("utf-8", "surrogatepass")
            for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
        ]

    def bytes_of(self, numbers: npt.NDArray[np.int32]) -> pa.LargeBinaryArray:
        """The strings of numbers in UTF-8, as an Arrow array."""
        import pyarrow as pa

        parts = [None, pa.py_buffer(self.offsets[: len(self) + 1]), pa.py_buffer(self.text)]
        texts = pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(self), parts)
        # `pa.array` would import pandas to see whether it is given one of its arrays.
        wanted = pa.py_buffer(np.ascontiguousarray(numbers, np.int32))
        return texts.take(pa.Int32Array.from_buffers(pa.int32(), len(numbers), [None, wanted]))

    def intern_array(self, array: pa.Array) -> npt.NDArray[np.int32]:
        """Numbers of an Arrow string array (nulls count as empty strings)."""
        import pyarrow as pa

        if len(array) == 0:
            return np.zeros(0, np.int32)
        large = array.cast(pa.large_string())
        _, offsets, data = large.buffers()
        starts = np.frombuffer(offsets, np.int64)[large.offset : large.offset + len(large) + 1]
        text = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(1, np.uint8)
        return self._intern(text, starts, len(large), add=True)

    def intern_texts(self, text: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """Numbers of texts in UTF-8, the n-th from `offsets[n]` to `offsets[n + 1]`, interned if they are new."""
        return self._intern(text if len(text) else np.zeros(1, np.uint8), offsets, len(offsets) - 1, add=True)

    def to_dictionary(self) -> pa.Array:
        """All strings as an Arrow array, by number, without copying."""
        import pyarrow as pa

        count = len(self)
        return pa.LargeStringArray.from_buffers(count, pa.py_buffer(self.offsets[: count + 1]), pa.py_buffer(self.text))

    def _numbers_of(self, encoded: Sequence[bytes], add: bool) -> npt.NDArray[np.int32]:
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        return self._intern(np.frombuffer(b"".join(encoded) or b"\0", np.uint8), offsets, len(encoded), add)

    def _intern(
        self, text: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64], count: int, add: bool
    ) -> npt.NDArray[np.int32]:
        numbers = arbitrary((count,), np.int32)
        new_offsets, done = _alias(offsets), 0
        while (done := intern(self.record(), address_of(text), new_offsets, done, numbers, add)) < count:
            self.reserve(int(offsets[done + 1] - offsets[done]))
        return numbers

    def record(self) -> Any:
        """The record through which kernels see the table, as it is."""
        if not self._noted:  # growing was cut off
            self._note_addresses()
        return self._record[0]

    def address(self) -> int:
        """The address of that record, which lives as long as the table."""
        self.record()
        return address_of(self._record)

    def adopt(
        self,
        text: npt.NDArray[np.uint8],
        offsets: npt.NDArray[np.int64],
        slots: npt.NDArray[np.int64],
        counts: npt.NDArray[np.int64],
    ) -> None:
        """Hold the symbols of a saved table, whose arrays these are."""
        self._noted = False
        self.text, self.offsets, self.slots, self.counts = text, offsets, slots, counts
        self._memory = {}
        self._note_addresses()

    def _note_addresses(self) -> None:
        text, offsets, slots, counts = (address_of(a) for a in (self.text, self.offsets, self.slots, self.counts))
        # In the order of the record's fields: setting them one by one takes longer.
        self._record[0] = (text, len(self.text), offsets, len(self.offsets), slots, len(self.slots), counts, 0)
        self._noted = True

    def grant(self, allow: Callable[[int], None]) -> None:
        """Grant the capacity that a kernel asked for, if it did; `allow` is asked before a long text is made."""
        size = int(self._record["wanted"][0]) - 1
        if size < 0:
            return
        if size > self.tuning.long_text:
            allow(size)
        self.reserve(size)

    def reserve(self, size: int) -> None:
        """Ensure capacity for one more symbol of this many bytes; if it must grow, it grows for many more."""
        count, used = (int(c) for c in self.counts)
        self._noted = False
        if 2 * (count + 1) > len(self.slots):
            larger = np.full(2 * len(self.slots), FREE, np.int64)
            rehash(self.slots, larger)
            self.slots = larger
        if count + 2 > len(self.offsets):
            self._enlarge("offsets", 2 * len(self.offsets))
        if used + size > len(self.text):
            self._enlarge("text", max(2 * len(self.text), used + size))
        self._note_addresses()

    def _enlarge(self, name: str, capacity: int) -> None:
        """Give an array more capacity; its memory is moved instead of copied if no other array uses it."""
        memory, item = self._memory.get(name), getattr(self, name).dtype
        if memory is not None:
            old, moved = len(self.__dict__.pop(name)), False
            try:
                moved = memory.resize(capacity * item.itemsize)
            finally:
                setattr(self, name, np.frombuffer(memory.memory, item, capacity if moved else old))
            if moved:
                memory.advise()
                grown(getattr(self, name), old)
                return
        array, memory = make((capacity,), item, tuning=self.tuning)
        copy_beginning(getattr(self, name), array)
        self._memory[name] = memory
        setattr(self, name, array)


def _alias(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the same memory as an array that is not read-only: to compiled code that is another type.

    The caller keeps the original.
    """
    return np.frombuffer(memoryview((ctypes.c_char * array.nbytes).from_address(array.ctypes.data)), array.dtype)
