"""Comparison of tables as sets of rows, without Python objects for rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from ladder.facts.packs import layout
from ladder.support.codes import distinct_codes

LARGEST_KEY = 1 << 62  # keys of rows beyond it are numbered anew, so that they fit 64 bits


@dataclass(frozen=True)
class TextRows:
    """Rows of texts: for each column its distinct texts and the number of each row's; and which rows are meant, all
    without an end. A row is made a tuple of Python when it is iterated over."""

    texts: Sequence[Sequence[str]]
    numbers: Sequence[npt.NDArray[np.int32]]
    start: int = 0
    stop: int | None = None

    @classmethod
    def of_columns(cls, columns: Sequence[pa.DictionaryArray]) -> TextRows:
        """The rows of dictionary-encoded columns."""
        return cls([c.dictionary.to_pylist() for c in columns], [c.indices.to_numpy() for c in columns])

    def part(self, start: int, stop: int) -> TextRows:
        """The rows at these positions of the columns."""
        return replace(self, start=start, stop=stop)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        columns = (
            map(texts.__getitem__, numbers[self.start : self.stop].tolist())
            for texts, numbers in zip(self.texts, self.numbers, strict=True)
        )
        return zip(*columns, strict=True)


def difference(left: pa.Table, right: pa.Table) -> pa.Table:
    """The distinct rows of `left` that `right` does not have; columns correspond by position."""
    if not len(left):
        return left
    keys = _keys(left, right)
    mine, other = keys[: len(left)], keys[len(left) :]
    _, first = np.unique(mine, return_index=True)
    kept = np.sort(first)
    return _taken(left, kept[~np.isin(mine[kept], other)])


def same_rows(left: pa.Table, right: pa.Table) -> bool:
    """Whether two tables of distinct rows have the same rows, in any order."""
    return len(left) == len(right) and not len(difference(left, right))


def plain(table: pa.Table) -> pa.Table:
    """The table with strings in place of dictionary-encoded columns."""
    return pa.Table.from_arrays([_plain(column) for column in table.columns], names=table.column_names)


def compact(column: pa.ChunkedArray) -> tuple[pa.Array, pa.Array]:
    """(distinct strings, int32 index into them per row); a dictionary may hold far more than its column uses."""
    array = _in_one(column)
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    used, indices = distinct_codes(array.indices.to_numpy(), len(array.dictionary))
    return fitting(array.dictionary.take(pa.array(used))), pa.array(indices, pa.int32())


def fitting(texts: pa.Array) -> pa.Array:
    """Texts as `string`, or as `large_string` if they exceed what an array of strings can hold."""
    return texts.cast(pa.string() if texts.nbytes <= layout.MOST_TEXT else pa.large_string())


def _taken(table: pa.Table, rows: np.ndarray) -> pa.Table:
    """The rows of a table at these ascending positions; texts stay in as many arrays as they were in."""
    batches, start = [], 0
    for batch in table.to_batches():
        first, last = np.searchsorted(rows, (start, start + len(batch)))
        batches.append(batch.take(pa.array(rows[first:last] - start)))
        start += len(batch)
    return pa.Table.from_batches(batches, table.schema)


def _in_one(column: pa.ChunkedArray) -> pa.Array:
    """A column as one array; of `large_string` if it has many texts, because an array of `string` holds less than 2
    GiB."""
    if not column.num_chunks:
        return pa.array([], column.type)
    if pa.types.is_dictionary(column.type):
        dictionaries = {_place(chunk.dictionary): chunk.dictionary for chunk in column.chunks}
        if sum(texts.nbytes for texts in dictionaries.values()) > layout.MOST_TEXT:
            wide = {place: _wide(texts) for place, texts in dictionaries.items()}
            return pa.concat_arrays(
                [
                    pa.DictionaryArray.from_arrays(chunk.indices, wide[_place(chunk.dictionary)])
                    for chunk in column.chunks
                ]
            )
    return pa.concat_arrays((_wide(column) if column.nbytes > layout.MOST_TEXT else column).chunks)


def _place(array: pa.Array) -> tuple[int, int, int]:
    """An identification of an array by its buffers."""
    return array.buffers()[-1].address if array.buffers()[-1] else 0, array.offset, len(array)


def _wide(texts: Any) -> Any:
    """Texts as `large_string`; other values stay as they are."""
    return texts.cast(pa.large_string()) if pa.types.is_string(texts.type) else texts


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if not pa.types.is_dictionary(column.type):
        return column
    distinct, indices = compact(column)
    lengths = pc.binary_length(distinct).to_numpy(zero_copy_only=False)
    texts = distinct if lengths[indices.to_numpy()].sum(dtype=np.int64) <= layout.MOST_TEXT else _wide(distinct)
    return pa.chunked_array([texts.take(indices)])


def _keys(left: pa.Table, right: pa.Table) -> np.ndarray:
    """One integer for each row of both tables, equal for equal rows."""
    keys = np.zeros(len(left) + len(right), np.int64)
    size = 1
    for mine, other in zip(left.columns, right.columns, strict=True):
        codes, distinct = _codes(mine, other)
        if size > LARGEST_KEY // distinct:
            values, keys = np.unique(keys, return_inverse=True)
            size = len(values)
        keys = keys * distinct + codes
        size *= distinct
    return keys


def _codes(mine: pa.ChunkedArray, other: pa.ChunkedArray) -> tuple[np.ndarray, int]:
    """(one number per value of two columns, equal for equal values; how many there may be at most)."""
    if mine.type != other.type:
        mine, other = _wide(_plain(mine)), _wide(_plain(other))
    both = pa.chunked_array([*mine.chunks, *other.chunks], mine.type)
    if not pa.types.is_dictionary(both.type):
        encoded = _in_one(both).dictionary_encode()
        return np.asarray(encoded.indices, np.int64), max(len(encoded.dictionary), 1)
    distinct, indices = compact(both)
    encoded = distinct.dictionary_encode()
    return np.asarray(encoded.indices, np.int64)[indices.to_numpy()], max(len(encoded.dictionary), 1)
