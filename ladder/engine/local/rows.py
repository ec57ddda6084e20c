"""Rows of the local engine: cells, which are decoded on demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from ladder.engine.rows import Row, write_file
from ladder.language.core import Column, Relation
from ladder.plan.components import shown_columns

if TYPE_CHECKING:
    import pyarrow as pa

    from ladder.engine.local.values.encoding import Values

Cells = npt.NDArray[np.int32]


class Home(Protocol):
    """Identifies the values that cells stand for: cells with the same home can be compared as long as it exists."""

    @property
    def values(self) -> Values: ...


class CellRows:
    """Rows of a stored relation as cells (rows × columns, including the filler); cells with the same `home` can be
    compared."""

    __slots__ = ("_relation", "cells", "home", "place")

    def __init__(self, home: Home, relation: Relation, cells: Cells) -> None:
        self.home, self.cells, self._relation, self.place = home, cells, relation, ""

    def of(self, cells: Cells) -> CellRows:
        """Other rows of the same relation."""
        return CellRows(self.home, self._relation, cells)

    @property
    def relation(self) -> str:
        """The relation's name."""
        return self._relation.name

    @property
    def columns(self) -> Sequence[Column]:
        """The relation's columns, without the filler."""
        return shown_columns(self._relation)

    def __len__(self) -> int:
        return len(self.cells)

    def values(self) -> Iterator[Row]:
        """The rows as tuples of Python values."""
        columns, values = self.columns, self.home.values
        if not columns:
            return iter([()] * len(self.cells))
        offset = self.cells.shape[1] - len(columns)
        decoded = [values.decode_column(self.cells[:, offset + i], column.type) for i, column in enumerate(columns)]
        return iter(zip(*decoded, strict=True))

    def tables(self) -> Iterator[pa.Table]:
        """All rows as one Arrow table."""
        from ladder.engine.local.values.arrow import table_of_cells

        columns = [(column.name, column.type) for column in self.columns]
        yield table_of_cells(self.home.values, self.cells[:, self.cells.shape[1] - len(columns) :], columns)

    def lines(self, delimiter: bytes) -> Iterator[memoryview]:
        """The rows as lines of text, block by block."""
        from ladder.engine.local.values.texts import lines_of_cells

        kinds = [column.type.kind for column in self.columns]
        cells = np.ascontiguousarray(self.cells[:, self.cells.shape[1] - len(kinds) :])
        return lines_of_cells(self.home.values.symbols, cells, kinds, delimiter)

    def write_parquet(self, path: Path) -> None:
        """Write the rows to a Parquet file."""
        write_file(self, path)
