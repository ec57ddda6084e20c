"""Rows that are on Spark, read part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ladder.engine.rows import Row, as_local, lines_of, without_columns, write_file
from ladder.errors import LadderError
from ladder.language.core import Column
from ladder.spark.internals import rows_of

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from ladder.engine.spark.engine import SparkState


class SparkRows:
    """Rows of a relation on Spark: all it has in a state, or those with the `cells` of a frame, of which there are
    `count`.

    Reading them holds a part of them at a time; `frame` leaves them on Spark. They are there until the database is
    closed. `session`: what is to be held while Spark works.
    """

    place = " on Spark"

    def __init__(
        self,
        session: Callable[[], AbstractContextManager[Any]],
        relation: str,
        state: SparkState,
        cells: DataFrame | None = None,
        count: int | None = None,
    ) -> None:
        self.relation, self._session, self._state, self._cells = relation, session, state, cells
        self.columns: Sequence[Column] = state.program.relations[relation].columns
        self._count = state.rows(relation) if count is None else count

    @contextmanager
    def _working(self) -> Iterator[None]:
        if self._state.released:
            raise LadderError(
                f"The rows of {self.relation} went when the database was closed.",
                "Read them before, or bring them here (to_arrow).",
            )
        with self._session():
            yield

    def frame(self) -> DataFrame:
        """A Spark DataFrame with the relation's columns."""
        from ladder.engine.spark.results import results

        with self._working():
            frame: DataFrame = results(self._state, self.relation, self._cells)
        return frame

    def __len__(self) -> int:
        return self._count

    def values(self) -> Iterator[Row]:
        """The rows as tuples of Python values."""
        from ladder.engine.spark.results import rows

        if not self.columns:
            yield from [()] * len(self)
            return
        with self._working():
            yield from rows(self._state, self.relation, self._cells)

    def tables(self) -> Iterator[pa.Table]:
        """The rows as Arrow tables of some ten thousand rows each."""
        for table in self._plain():
            yield as_local(table, self.columns)

    def _plain(self) -> Iterator[pa.Table]:
        """Return the rows as Spark has them, with plain strings."""
        if not self.columns:
            yield without_columns(len(self))
            return
        with self._working():
            yield from streamed(self.frame(), self._state.tuning.distributing.rows_at_once)

    def lines(self, delimiter: bytes) -> Iterator[memoryview]:
        """Lines of text, block by block."""
        return lines_of(self._plain(), delimiter)

    def write_parquet(self, path: Path) -> None:
        """Have Spark's workers write them as a directory of Parquet files; as one file without columns, which they
        cannot write."""
        if not self.columns:
            write_file(self, path)
            return
        with self._working():
            self.frame().write.mode("overwrite").parquet(f"file://{path.resolve()}")


def streamed(frame: DataFrame, rows: int) -> Iterator[pa.Table]:
    """The rows of a DataFrame as Arrow tables of so many rows; at any time one partition is in the driver's JVM, and
    one table in this process."""
    import pyarrow as pa

    def packed(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            for start in range(0, batch.num_rows, rows):
                part, sink = batch.slice(start, rows), pa.BufferOutputStream()
                with pa.ipc.new_stream(sink, part.schema) as writer:
                    writer.write_batch(part)
                yield pa.RecordBatch.from_arrays(
                    [pa.array([sink.getvalue().to_pybytes()], pa.binary())], names=["table"]
                )

    for row in rows_of(frame.mapInArrow(packed, "table binary")):
        yield pa.ipc.open_stream(row.table).read_all()
