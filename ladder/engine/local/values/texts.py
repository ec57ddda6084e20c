"""Conversion of lines of text to cells and back, in compiled code: without a Python object per row or per value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels import texts as K
from ladder.engine.local.mapped import address_of, arbitrary
from ladder.engine.local.values.symbols import SymbolTable
from ladder.language.core import Kind

Cells = npt.NDArray[np.int32]
KINDS = {Kind.SYMBOL: K.SYMBOL, Kind.NUMBER: K.NUMBER, Kind.UNSIGNED: K.UNSIGNED}
SLACK = 16  # bytes after a block that a kernel may look at
GUESS = 1.05  # more rows than those read so far let one expect


def cells_of_lines(
    symbols: SymbolTable,
    stream: BinaryIO,
    size: int,
    delimiter: bytes,
    columns: Sequence[tuple[Kind | None, int]],
    spare: bool,
    headers: bool,
    forbidden: bytes,
) -> Cells | None:
    """The rows of a text, as cells, read block by block; None if a line is not of the plain form that compiled code
    reads.

    `size`: the size of the whole text in bytes, or an estimate. `columns`: for each position in a line, the kind of its
    value (None: not read) and its column in the result; `spare`: lines may have more values; `headers`: the first line
    is a header; `forbidden`: characters that a plain text does not contain.
    """
    width, size_of_block = sum(kind is not None for kind, _ in columns), symbols.tuning.text_block
    codes = np.array([(K.SKIP if kind is None else KINDS[kind], target) for kind, target in columns], np.int64)
    cells = arbitrary((size_of_block // (2 * width) + 1, width), np.int32)
    state, consumed = np.zeros(3, np.int64), 0
    for memory, end, last in _blocks(stream, state, size_of_block):
        if any(memory.find(character, 0, end) >= 0 for character in forbidden):
            return None
        state[K.AT] = 0
        if headers:
            state[K.AT] = memory.find(b"\n", 0, end) + 1
            if not state[K.AT] and not last:
                continue
            state[K.AT], headers = state[K.AT] or end, False
        block = np.frombuffer(memory, np.uint8)
        while (
            status := K.read_rows(
                symbols.record(), address_of(block), end, last, delimiter[0], codes, spare, cells, state
            )
        ) != K.DONE:
            if status == K.IRREGULAR:
                return None
            if status == K.NEEDS_TEXT:
                symbols.reserve(int(state[K.SIZE]))
            else:
                cells = _enlarged(cells, consumed + int(state[K.AT]), size)
        consumed += int(state[K.AT])
    return cells[: int(state[K.ROWS])]


def _blocks(stream: BinaryIO, state: npt.NDArray[np.int64], size: int) -> Iterator[tuple[bytearray, int, bool]]:
    """For each block (memory, length of the text in it, whether it is the last); the text from state[AT] on is repeated
    at the beginning of the next block."""
    memory, end = bytearray(size + SLACK), 0
    while True:
        kept = end - int(state[K.AT]) if end else 0
        memory[:kept] = memory[end - kept : end]
        if kept == len(memory) - SLACK:  # a line that fills the memory
            memory = memory + bytearray(len(memory))
        with memoryview(memory) as view:
            read = stream.readinto(view[kept : len(memory) - SLACK])  # type: ignore[attr-defined]
        end = kept + read
        memory[end : end + SLACK] = b"\n" * SLACK
        yield memory, end, not read
        if not read:
            return


def _enlarged(cells: Cells, consumed: int, size: int) -> Cells:
    """All rows so far, with capacity for the estimated rows in the rest of the text."""
    capacity = max(len(cells) * 3 // 2, int(len(cells) / max(1, consumed) * size * GUESS))
    larger = arbitrary((capacity, cells.shape[1]), np.int32)
    larger[: len(cells)] = cells
    return larger


def lines_of_cells(symbols: SymbolTable, cells: Cells, kinds: Sequence[Kind], delimiter: bytes) -> Iterator[memoryview]:
    """Iterate over rows as lines of text, block by block; a block is valid until the next one is made."""
    codes, state = np.array([KINDS[kind] for kind in kinds], np.int64), np.zeros(3, np.int64)
    out = arbitrary((symbols.tuning.text_block,), np.uint8)
    while state[K.ROWS] < len(cells):
        written = K.write_rows(symbols.record(), cells, codes, delimiter[0], out, state)
        if written:
            yield out.data[:written]
        else:
            out = arbitrary((int(state[K.SIZE]),), np.uint8)
