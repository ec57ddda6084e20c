"""Symbols and values of lattices as arrays of a file; reading a value creates only plain values, and instances of data
classes that the program names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ladder.engine.canonical import stored, value_of
from ladder.engine.classes import classes_of
from ladder.engine.local.saved.parts import Named, Parts, damaged
from ladder.engine.local.values.encoding import Objects
from ladder.errors import LadderError
from ladder.language.core import Program
from ladder.support.tuning import Evaluating

if TYPE_CHECKING:
    from ladder.engine.local.values.symbols import SymbolTable

Array = npt.NDArray[Any]
CONTINUES, CONTINUES_MASK = 0x80, 0xC0  # bytes of UTF-8 within a character


# ---- symbols


def parts_of_symbols(symbols: SymbolTable, slack: int) -> list[Named]:
    """The arrays of the whole table, with spare capacity of one part in `slack`."""
    known, size = (int(c) for c in symbols.counts)
    return [
        ("symbols.text", symbols.text[:size], size + size // slack + 64),
        ("symbols.slots", symbols.slots, 0),
        ("symbols.offsets", symbols.offsets[: known + 1], known + known // slack + 64),
    ]


def symbols_of(parts: Parts, ours: bool, tuning: Evaluating) -> SymbolTable:
    """The symbol table of a base; if somebody else has written the file, it is made anew from the texts."""
    from ladder.engine.local.values.symbols import SymbolTable  # what looks at a few rows does without kernels

    symbols = SymbolTable(tuning)
    if not ours:
        return intern_next(symbols, parts, 0)
    offsets = parts.part("symbols.offsets", np.int64)
    symbols.adopt(
        parts.array("symbols.text", np.uint8),
        offsets.raw.view(np.int64),
        parts.array("symbols.slots", np.int64),
        np.array([offsets.items - 1, parts.part("symbols.text", np.uint8).items], np.int64),
    )
    return symbols


def parts_of_texts(symbols: SymbolTable, first: int) -> list[Named]:
    """The arrays of the texts with numbers from `first` on."""
    known, size = (int(c) for c in symbols.counts)
    start = int(symbols.offsets[first])
    return [
        ("symbols.text", symbols.text[start:size], 0),
        ("symbols.offsets", symbols.offsets[first : known + 1] - start, 0),
    ]


def intern_next(symbols: SymbolTable, parts: Parts, first: int) -> SymbolTable:
    """Add the texts of a file, which get the numbers from `first` on."""
    text, offsets = parts.used("symbols.text", np.uint8), parts.used("symbols.offsets", np.int64)
    count = len(offsets) - 1
    if (
        count < 0
        or offsets[0] != 0
        or offsets[-1] != len(text)
        or (np.diff(offsets) < 0).any()
        or not _is_text(text, offsets)
    ):
        damaged(parts.folder, "its symbols are no texts")
    numbers = symbols.intern_texts(text, offsets)
    if not np.array_equal(numbers, np.arange(first, first + count, dtype=np.int32)):
        damaged(parts.folder, "it has a symbol twice")
    return symbols


def _is_text(text: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]) -> bool:
    if not len(text) or int(text.max()) < CONTINUES:
        return True
    starts = text[offsets[offsets < len(text)]]
    try:
        text.tobytes().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return not ((starts & CONTINUES_MASK) == CONTINUES).any()


# ---- values of lattices


def parts_of_objects(values: Sequence[Any]) -> list[Named]:
    """Values as bytes; `LadderError` if one is of a type that cannot be saved."""
    data = [stored(value) for value in values]
    ends = np.cumsum(np.fromiter(map(len, data), np.int64, len(data)), dtype=np.int64)
    return [("objects.bytes", np.frombuffer(b"".join(data), np.uint8), 0), ("objects.ends", ends, 0)]


def values_of(parts: Parts, program: Program, of_others: bool = False) -> list[Any]:
    """The values of a file; `of_others`: those of classes that the program does not name stand for nothing but
    themselves."""
    data, ends = parts.used("objects.bytes", np.uint8).tobytes(), parts.used("objects.ends", np.int64)
    if (len(ends) and (ends[0] < 0 or ends[-1] != len(data) or (np.diff(ends) < 0).any())) or (not len(ends) and data):
        damaged(parts.folder, "its values of lattices are none")
    classes, found, start = classes_of(program), list[Any](), 0
    for end in ends.tolist():
        try:
            value = value_of(data[start:end], classes)
            hash(value)
        except Exception as error:  # whatever forged bytes make a class raise
            if of_others:
                value = object()
            elif isinstance(error, LadderError):
                raise
            else:
                raise ValueError(f"a value of a lattice is none: {type(error).__name__}: {error}") from error
        found.append(value)
        start = end
    return found


def objects_of(parts: Parts, program: Program) -> Objects:
    """The values of a file, with the numbers that they had."""
    values = values_of(parts, program)
    objects = Objects(values)
    if len(objects.numbers) != len(values):
        damaged(parts.folder, "it has a value of a lattice twice")
    return objects
