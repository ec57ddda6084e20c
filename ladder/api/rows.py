"""The results of a database, alike on every engine: the `Rows` of a relation, and the `Delta` of a transaction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ladder.engine.rows import HeldRows, Row, Source, exact, in_one_table
from ladder.errors import Unsupported
from ladder.language import core
from ladder.support.by_name import row_in_order

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


class Rows:
    """The rows of a relation, in the local engine or on Spark; they are decoded, or read from Spark part by part, when
    they are iterated over.

    Rows compare equal to other rows, of any engine, and to sets of tuples that hold the same rows, whatever their
    order.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, source: Source) -> None:
        self.source = source

    @property
    def relation(self) -> str:
        """The relation's name."""
        return self.source.relation

    @property
    def columns(self) -> tuple[core.Column, ...]:
        """The relation's columns, with their types."""
        return tuple(self.source.columns)

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names of the relation's columns."""
        return tuple(column.name for column in self.source.columns)

    def __len__(self) -> int:
        return len(self.source)

    def __iter__(self) -> Iterator[Row]:
        return self.source.values()

    def __contains__(self, row: object) -> bool:
        """Whether a row is among them; `TypeError` for a value that cannot be hashed, and so cannot be a row."""
        wanted = row_in_order(row, self.column_names, self.relation)
        hash(wanted)
        return any(found == wanted for found in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rows | AbstractSet):
            return NotImplemented
        return len(self) == len(other) and set(map(exact, self)) == set(map(exact, other))

    def __repr__(self) -> str:
        return f"<{len(self)} rows of {self.relation}{self.source.place}>"

    def to_arrow(self) -> pa.Table:
        """The rows as an Arrow table in this process. Symbols are dictionary-encoded; so are records, branches and
        values of lattices, which are texts."""
        return in_one_table(self.source)

    def tables(self) -> Iterator[pa.Table]:
        """The rows as a sequence of Arrow tables, each in the form of `to_arrow`."""
        return self.source.tables()

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a pandas DataFrame in this process."""
        return self.to_arrow().to_pandas()

    def write_parquet(self, path: Path) -> None:
        """Write the rows to a Parquet file; rows on Spark to a directory of such files, which its workers write."""
        self.source.write_parquet(path)

    def lines(self, delimiter: bytes) -> Iterator[memoryview]:
        """The rows as lines of text, block by block; columns must be symbols or integers. A block is valid until the
        next one is requested."""
        return self.source.lines(delimiter)

    def frame(self) -> Any:
        """The rows as a Spark DataFrame with the relation's columns; `Unsupported` for rows that are not on Spark."""
        if not hasattr(self.source, "frame"):
            raise Unsupported(
                f"The rows of {self.relation} are not on Spark.",
                "Ask the database for them (frame), or read them here (to_arrow).",
            )
        return self.source.frame()


class Side(Mapping[str, Rows]):
    """A mapping from relations to the rows that came, or to those that went; a relation that did not change has no
    rows."""

    def __init__(self, program: core.Program, changed: Mapping[str, Source]) -> None:
        self._program, self._changed = program, changed

    def __getitem__(self, relation: str) -> Rows:
        if (changed := self._changed.get(relation)) is not None:
            return Rows(changed)
        if not self._program.declares(relation):
            raise KeyError(relation)
        return Rows(HeldRows(self._program, relation))

    def __iter__(self) -> Iterator[str]:
        return iter(self._changed)

    def __len__(self) -> int:
        return len(self._changed)


@dataclass
class Work:
    """How a change was made: `mode`, with its reason; seconds in all and by part; the number of rows whose (first,
    count) differs; the number of rows that came or went; and by which `engine` ("local", "spark", …)."""

    mode: str
    reason: str
    seconds: float
    timings: Mapping[str, float]
    changed_states: int = 0
    impact: int = 0
    engine: str = "local"


class Delta:
    """What a transaction changed, and how.

    `inserted`, `deleted`: relation → rows that came, or went; `impact`: how many did in all relations; `mode`: "update"
    or "bootstrap", with the `reason` as a sentence; `engine`: "local" or "spark"; `seconds`: how long it took, of which
    `timings` gives parts: "prepare" (plans and indexes of updates, made once), "update" (an abandoned one as well),
    "bootstrap"; `changed_states`: the number of rows whose (first, count) differs; `program`: the program that has
    these relations.
    """

    def __init__(
        self, program: core.Program, came: Mapping[str, Source], went: Mapping[str, Source], work: Work
    ) -> None:
        self.program = program
        came, went = ({name: rows for name, rows in side.items() if len(rows)} for side in (came, went))
        self.inserted: Mapping[str, Rows] = Side(program, came)
        self.deleted: Mapping[str, Rows] = Side(program, went)
        self.impact = work.impact = sum(map(len, (*came.values(), *went.values())))
        self.work = work
        self.mode, self.reason, self.seconds, self.timings = work.mode, work.reason, work.seconds, work.timings
        self.changed_states, self.engine = work.changed_states, work.engine

    def __bool__(self) -> bool:
        return self.impact > 0

    def __repr__(self) -> str:
        return f"<{self.mode} in {self.seconds:.3f} s, {self.impact} rows came or went>"
