"""Tables compared as sets of rows, without Python objects per row."""
from __future__ import annotations

import numpy as np
import pyarrow as pa

ROOM = 1 << 62


def difference(left: pa.Table, right: pa.Table) -> pa.Table:
    """The distinct rows of `left` that `right` does not have; columns correspond by position."""
    if not len(left):
        return left
    keys = _keys(pa.concat_tables([_numbered(left), _numbered(right)]))
    mine, other = keys[:len(left)], keys[len(left):]
    _, first = np.unique(mine, return_index=True)
    kept = np.sort(first)
    return left.take(pa.array(kept[~np.isin(mine[kept], other)]))


def same_rows(left: pa.Table, right: pa.Table) -> bool:
    """Whether two tables of distinct rows hold the same ones, in whatever order."""
    return len(left) == len(right) and not len(difference(left, right))


def plain(table: pa.Table) -> pa.Table:
    """The same table with strings in place of dictionaries."""
    return pa.Table.from_arrays([_plain(column) for column in table.columns], names=table.column_names)


def compact(column: pa.ChunkedArray) -> tuple[pa.Array, pa.Array]:
    """(distinct strings, int32 index into them per row); a dictionary may hold far more than its column uses."""
    array = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    used, indices = np.unique(array.indices.to_numpy(zero_copy_only=False), return_inverse=True)
    return array.dictionary.take(pa.array(used)).cast(pa.string()), pa.array(indices, pa.int32())


def _numbered(table: pa.Table) -> pa.Table:
    """Plain, with positions as names of the columns, which need not be distinct."""
    return pa.Table.from_arrays([_plain(column) for column in table.columns], names=[str(i) for i in range(table.num_columns)])


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if not pa.types.is_dictionary(column.type):
        return column
    distinct, indices = compact(column)
    return pa.chunked_array([distinct.take(indices)])


def _keys(table: pa.Table) -> np.ndarray:
    """One integer per row, equal for equal rows."""
    keys = np.zeros(len(table), np.int64)
    size = 1
    for column in table.columns:
        encoded = column.combine_chunks().dictionary_encode()
        encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
        distinct = max(len(encoded.dictionary), 1)
        if size > ROOM // distinct:
            values, keys = np.unique(keys, return_inverse=True)
            size = len(values)
        keys = keys * distinct + np.asarray(encoded.indices, np.int64)
        size *= distinct
    return keys
