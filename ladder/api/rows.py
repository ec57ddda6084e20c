"""What a database hands out: `Rows` of a relation, and the `Delta` of a transaction."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ladder.language import core
from ladder.support.by_name import row_in_order

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from ladder.api.database import Database

Cells = npt.NDArray[np.int32]
Row = tuple[Any, ...]


class Rows:
    """Rows of a relation, decoded as they are asked for."""

    def __init__(self, database: Database, relation: str, cells: Cells) -> None:
        self._database, self.relation, self._cells = database, relation, cells

    @property
    def cells(self) -> Cells:
        """As they are stored."""
        return self._cells

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Row]:
        columns = self._database._types(self.relation)
        values = self._database._ready().values
        if not columns:
            return iter([()] * len(self._cells))
        offset = self._cells.shape[1] - len(columns)
        decoded = [values.decode_column(self._cells[:, offset + i], type_) for i, (_, type_) in enumerate(columns)]
        return iter(zip(*decoded, strict=True))

    def __contains__(self, row: object) -> bool:
        return row_in_order(row, self.column_names, self.relation) in set(self)

    def __repr__(self) -> str:
        return f"<{len(self)} rows of {self.relation}>"

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names of the relation's columns."""
        return tuple(name for name, _ in self._database._types(self.relation))

    def to_arrow(self) -> pa.Table:
        """An Arrow table; symbols are dictionary-encoded, and so are the texts of records, branches and values of lattices."""
        return self._database._table(self.relation, self._cells)

    def tables(self) -> Iterator[pa.Table]:
        """The rows as Arrow tables that follow each other."""
        yield self.to_arrow()

    def write_parquet(self, path: Path) -> None:
        """Write them as a Parquet file."""
        import pyarrow.parquet as pq

        from ladder.support.files import FOR_OTHERS, replacing
        with replacing(path, mode=FOR_OTHERS) as temporary:
            pq.write_table(self.to_arrow(), temporary)

    def lines(self, delimiter: bytes) -> Iterator[memoryview]:
        """Lines of text, block by block, for columns of symbols and integers; a block is to be used before the next is asked for."""
        from ladder.engine.local.values.texts import lines_of_cells
        types = [type_ for _, type_ in self._database._types(self.relation)]
        cells = np.ascontiguousarray(self._cells[:, self._cells.shape[1] - len(types):])
        return lines_of_cells(self._database._ready().values.symbols, cells, [type_.kind for type_ in types], delimiter)

    def to_pandas(self) -> pd.DataFrame:
        """A pandas DataFrame."""
        return self.to_arrow().to_pandas()


class Side(Mapping[str, Any]):
    """Relation → rows that came, or rows that went; empty for a relation that did not change."""

    def __init__(self, database: Database, changed: Mapping[str, Any]) -> None:
        self._database, self._changed = database, changed

    def __getitem__(self, relation: str) -> Any:
        if relation in self._changed:
            return self._rows(relation, self._changed[relation])
        if relation not in self._database.relations:
            raise KeyError(relation)
        return self._nothing(relation)

    def _rows(self, relation: str, cells: Any) -> Any:
        return Rows(self._database, relation, cells)

    def _nothing(self, relation: str) -> Any:
        return Rows(self._database, relation, np.zeros((0, max(1, len(self._database._types(relation)))), np.int32))

    def __iter__(self) -> Iterator[str]:
        return iter(self._changed)

    def __len__(self) -> int:
        return len(self._changed)


@dataclass
class Work:
    """How a change was brought about: `mode`, why so, seconds in all and by part, rows whose (first, count) differs, and that came or went.

    `engine`: where ("local", "spark").
    """

    mode: str
    reason: str
    seconds: float
    timings: Mapping[str, float]
    changed_states: int = 0
    impact: int = 0
    engine: str = "local"


class Delta:
    """What a transaction changed, and how.

    `inserted`, `deleted`: relation → rows that came and went; `impact`: how many in all relations; `mode`: "update" or "bootstrap", with the `reason` in a
    sentence; `engine`: "local" or "spark"; `seconds`, of which `timings` tells parts: "prepare" (plans and indexes of updates, made once), "update" (also one
    that was abandoned), "bootstrap"; `changed_states`: rows whose (first, count) differs.
    """

    has_cells = True      # whether its rows are those of a local state

    def __init__(self, database: Database, changes: Mapping[str, tuple[Cells, Cells]], work: Work) -> None:
        self.database = database
        self.inserted: Mapping[str, Rows] = Side(database, {n: came for n, (came, _) in changes.items() if len(came)})
        self.deleted: Mapping[str, Rows] = Side(database, {n: went for n, (_, went) in changes.items() if len(went)})
        self.impact = work.impact = sum(len(came) + len(went) for came, went in changes.values())
        self.work = work
        self.mode, self.reason, self.seconds, self.timings = work.mode, work.reason, work.seconds, work.timings
        self.changed_states, self.engine = work.changed_states, work.engine

    def __bool__(self) -> bool:
        return self.impact > 0

    def __repr__(self) -> str:
        return f"<{self.mode} in {self.seconds:.3f} s, {self.impact} rows came or went>"


def joined(first: Delta, second: Delta) -> Delta:
    """What two transactions of a database, one after the other, changed together."""
    timings = {name: first.timings.get(name, 0.0) + second.timings.get(name, 0.0) for name in {**first.timings, **second.timings}}
    mode = first.mode if first.mode == second.mode else "bootstrap"
    work = Work(mode, f"{first.reason} {second.reason}", first.seconds + second.seconds, timings, first.changed_states + second.changed_states,
                engine=second.engine if second.engine != "local" else first.engine)
    if not (first.has_cells and second.has_cells):
        from ladder.api.spark_rows import joined_rows

        return joined_rows(first, second, work)
    changes = {}
    for name in {*first.inserted, *first.deleted, *second.inserted, *second.deleted}:
        (came, went), (came_then, went_then) = ((side.inserted[name].cells, side.deleted[name].cells) for side in (first, second))
        changes[name] = (np.concatenate([_without(came, went_then), _without(came_then, went)]),
                         np.concatenate([_without(went, came_then), _without(went_then, came)]))
    return Delta(second.database, changes, work)


def _without(rows: Cells, others: Cells) -> Cells:
    if not len(rows) or not len(others):
        return rows
    items = [np.ascontiguousarray(cells).view([("", cells.dtype)] * cells.shape[1]).ravel() for cells in (rows, others)]
    return rows[~np.isin(items[0], items[1])]


def visible(program: core.Program) -> tuple[str, ...]:
    """The relations that a program declares, without those that stand for parts of its rules."""
    return tuple(name for name in program.relations if program.declares(name))
