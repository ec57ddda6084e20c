"""The input and output rows of a fold, as columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.lowering.values import Encoder

if TYPE_CHECKING:
    import pyarrow as pa

Longs = npt.NDArray[np.int64]


@dataclass
class Rows:
    """The input rows of a fold, by column; `x`: an array of bytes or None."""

    t: npt.NDArray[np.int32]
    k: Longs
    group: list[Longs]
    v: Longs
    x: npt.NDArray[Any]
    f: npt.NDArray[np.int32]
    s: npt.NDArray[np.int32]

    @staticmethod
    def of(batch: pa.RecordBatch, group: int) -> Rows:
        def numbers(name: str) -> npt.NDArray[Any]:
            return np.asarray(batch.column(name).to_numpy(zero_copy_only=False))

        return Rows(
            numbers("t"),
            numbers("k"),
            [numbers(f"c{i}") for i in range(group)],
            numbers("v").copy(),
            objects(batch.column("x").to_pylist()),
            numbers("f"),
            numbers("s"),
        )

    def __len__(self) -> int:
        return len(self.t)

    def columns(self) -> tuple[npt.NDArray[Any], ...]:
        return (self.t, self.k, *self.group, self.v, self.x, self.f, self.s)

    @staticmethod
    def made_of(columns: Sequence[npt.NDArray[Any]]) -> Rows:
        t, k, *group, v, x, f, s = columns
        return Rows(t, k, group, v, x, f, s)

    def part(self, start: int, end: int) -> Rows:
        return self.made_of([column[start:end] for column in self.columns()])

    def take(self, rows: npt.NDArray[np.intp]) -> Rows:
        return self.made_of([column[rows] for column in self.columns()])

    def followed_by(self, others: Rows) -> Rows:
        return self.made_of([np.concatenate(pair) for pair in zip(self.columns(), others.columns(), strict=True)])

    def starts(self) -> Longs:
        """The first row of each group."""
        if not len(self):
            return np.zeros(0, np.int64)
        changed = np.zeros(len(self), bool)
        changed[0] = True
        keys: tuple[npt.NDArray[Any], ...] = (self.t, self.k, *self.group)
        for column in keys:
            changed[1:] |= column[1:] != column[:-1]
        return np.flatnonzero(changed)


class Out:
    """The output rows of a fold."""

    def __init__(self, tags: Mapping[str, int], width: int, iteration: int) -> None:
        """`tags`: of the dictionary and the relations of records; `width`: number of cells."""
        self.tags, self.width, self.iteration = tags, width, iteration
        self.columns: list[list[npt.NDArray[Any]]] = [[] for _ in range(width + 2)]

    def rows(self, rows: Rows, of: Longs, cells: Longs, contents: npt.NDArray[Any], group: int) -> None:
        """Add totals of the groups that have these rows."""
        if not len(of):
            return
        self._add(rows.t[of], [*(column[of] for column in rows.group[:group]), cells], contents)

    def entries(self, encoder: Encoder) -> None:
        """Add the entries that new values need in the dictionary and in the relations of records."""
        if encoder.texts:
            self._new(
                self.tags[TEXTS], [np.array(list(encoder.texts), np.int64)], objects(list(encoder.texts.values()))
            )
        for table, records in encoder.records.items():
            if records:
                cells = np.array([(id_, *row) for id_, row in records.items()], np.int64)
                self._new(self.tags[table], list(cells.T), np.full(len(cells), None, object))

    def _new(self, tag: int, cells: list[Longs], contents: npt.NDArray[Any]) -> None:
        count = len(cells[0])
        self._add(np.full(count, tag, np.int32), cells, contents)

    def _add(self, tags: npt.NDArray[np.int32], cells: list[Longs], contents: npt.NDArray[Any]) -> None:
        padding = [np.zeros(len(tags), np.int64)] * (self.width - len(cells))
        added: list[npt.NDArray[Any]] = [tags, *cells, *padding, contents]
        for column, values in zip(self.columns, added, strict=True):
            column.append(values)

    def batches(self) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        if not self.columns[0]:
            return
        *numbers, contents = (np.concatenate(column) for column in self.columns)
        iterations = np.full(len(contents), self.iteration, np.int32)
        arrays = [*(pa.array(column) for column in numbers), pa.array(contents, pa.binary()), pa.array(iterations)]
        yield pa.RecordBatch.from_arrays(arrays, names=["t", *(f"c{i}" for i in range(self.width)), "x", "f"])


def objects(values: Sequence[Any]) -> npt.NDArray[Any]:
    """An array of Python values."""
    array = np.empty(len(values), object)
    array[:] = values
    return array
