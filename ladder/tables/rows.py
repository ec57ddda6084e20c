"""Tables compared as sets of rows, without Python objects per row."""
from __future__ import annotations

import numpy as np
import pyarrow as pa

ROOM = 1 << 62


def difference(left: pa.Table, right: pa.Table) -> pa.Table:
    """The distinct rows of `left` that `right` does not have; both have the same columns."""
    if not len(left):
        return left
    keys = _keys(pa.concat_tables([left.select(left.column_names), right.select(left.column_names)]))
    mine, other = keys[:len(left)], keys[len(left):]
    _, first = np.unique(mine, return_index=True)
    kept = np.sort(first)
    return left.take(pa.array(kept[~np.isin(mine[kept], other)]))


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
