"""Dense numbers for the ids of symbols, objects and records, assigned by Spark: they do not depend on the partitioning,
and no data is collected on the driver.

    SORT     entries by content, records by id, in as many ranges as their number asks for; each range is written as one
             Parquet file
    NUMBER   a row's number is the number of rows in the files before its own (from their footers) plus its index in its
             file (`_metadata.row_index`)
    MERGE    records with the same 32-bit cells, though with different ids, become one: the one with the least number

Symbols are numbered from 0, the empty text; objects from 0; records of a table from 1 on. Merged records leave gaps in
the numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from ladder.engine.canonical import KEY, RECORD
from ladder.engine.spark.values.dictionary import LEAST, MOST, bytes_id
from ladder.support.tuning import DEFAULT, Distributing

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SYMBOLS, OBJECTS, IDS = "symbols", "objects", "ids-"


class Interned:
    """The dense numbers of all ids; `folder`: where files may be written."""

    def __init__(
        self, spark: SparkSession, folder: Path, seed: int, tuning: Distributing = DEFAULT.distributing
    ) -> None:
        self.spark, self.folder, self.seed, self.tuning = spark, folder, seed, tuning
        self.counts: dict[str, int] = {}
        self._numbers: list[DataFrame] = []

    def contents(self, dictionary: DataFrame, entries: int, objects: bool) -> None:
        """Number symbols and, if there are any, objects, and leave their contents in the folders `symbols` and
        `objects`.

        `dictionary`: columns c0 (id) and x (content), one row per id; `entries`: the number of rows.
        """
        own = dictionary.where(f"length(x) > 0 AND substring(x, 1, 1) <> X'{RECORD.hex()}'").toDF("id", "x")
        empty = self.spark.sql(f"SELECT {bytes_id(b'', self.seed)}L AS id, X'' AS x")
        self.counts[OBJECTS] = 0
        self._sorted(own.where(f"x < X'{KEY.hex()}'").unionAll(empty), SYMBOLS, "x", entries, 0)
        if objects:
            self._sorted(own.where(f"x >= X'{KEY.hex()}'"), OBJECTS, "x", entries, 0)

    def _sorted(self, rows: DataFrame, name: str, column: str, count: int, start: int) -> DataFrame:
        """Write rows in the order of a column, and return them with their numbers n, from `start` on."""
        in_order(rows, column, count, self.tuning.rows_per_file).write.parquet(address(self.folder / name))
        files = self._files(name)
        offsets, before = [], start
        for file in files:
            offsets.append(before)
            before += _rows_of(file)
        self.counts[name] = before - start
        numbered = self._numbered(name, dict(zip((file.name for file in files), offsets, strict=True)))
        self._numbers.append(numbered.select("id", "n"))
        return numbered

    def _files(self, name: str) -> list[Path]:
        return sorted((self.folder / name).glob("*.parquet"))

    def _numbered(self, name: str, offsets: Mapping[str, int]) -> DataFrame:
        frame = self.spark.read.option("__globPaths__", "false").parquet(address(self.folder / name))
        places = ", ".join(f"'{file}', {offset}L" for file, offset in offsets.items())
        return frame.selectExpr(
            "*", f"CAST(element_at(map({places}), _metadata.file_name) + _metadata.row_index AS INT) AS n"
        )

    # ---- records

    def records(self, tables: Mapping[str, tuple[DataFrame, int, int]]) -> dict[str, DataFrame]:
        """Number the records of tables: name → (frame of c0, the id, and c1…; cells of a record; rows). Returns name →
        rows (n, c0…) in 32 bits, each number once."""
        own = {
            name: self._sorted(frame.toDF("id", *(f"c{i}" for i in range(width))), f"{IDS}{number}", "id", rows, 1)
            for number, (name, (frame, width, rows)) in enumerate(tables.items())
        }
        if not own:
            return {}
        others = self._numbers[: -len(own)]
        numbers = [frame.select("id", "n") for frame in own.values()]
        while True:
            self._numbers = [*others, *numbers]
            dense = {
                name: self.dense(frame, [f"c{i}" for i in range(tables[name][1])], "id", "n")
                for name, frame in own.items()
            }
            merged = {name: self._merged(frame, tables[name][1]) for name, frame in dense.items()}
            if all(frame is None for frame in merged.values()):
                return {name: frame.drop("id") for name, frame in dense.items()}
            for position, (name, gone) in enumerate(merged.items()):
                if gone is not None:
                    numbers[position] = _renumbered(numbers[position], gone)
                    own[name] = own[name].join(gone.select("id"), "id", "left_anti")

    def _merged(self, dense: DataFrame, width: int) -> DataFrame | None:
        """Records with the same cells as one with a smaller number, as rows (id, old, n), where n is the smaller
        number; None where there are none."""
        from pyspark.sql import functions as f
        from pyspark.sql.window import Window

        alike = Window.partitionBy(*(f"c{i}" for i in range(width)))
        gone = (
            dense.withColumn("least", f.min("n").over(alike))
            .where("n > least")
            .selectExpr("id", "n AS old", "least AS n")
            .persist()
        )
        if gone.isEmpty():
            gone.unpersist()
            return None
        return gone

    # ---- cells

    @property
    def numbers(self) -> DataFrame:
        """Rows (id, n) of everything that has been numbered."""
        return reduce(lambda one, other: one.unionAll(other), self._numbers)

    def dense(self, rows: DataFrame, cells: Sequence[str], *kept: str, plain: Collection[str] = ()) -> DataFrame:
        """The rows with these cells in 32 bits, ids as their numbers and other cells as signed integers, and with the
        columns `kept`.

        `plain`: cells that hold no ids; each of the others takes a shuffle.
        """
        if not self._numbers or len(plain) == len(cells):
            return rows.selectExpr(*(f"{_signed(cell)} AS {cell}" for cell in cells), *kept)
        hint = "BROADCAST" if sum(self.counts.values()) <= self.tuning.broadcast_ids else "SHUFFLE_HASH"
        numbers = self.numbers.hint(hint)
        hashed = ", ".join(dict.fromkeys((*cells, *kept)))
        for cell in (cell for cell in cells if cell not in plain):
            # Numbers, which look nothing up, are spread over all tasks.
            key = f"CASE WHEN {cell} BETWEEN {LEAST}L AND {MOST}L THEN xxhash64({hashed}) ELSE {cell} END"
            others = [name for name in rows.columns if name != cell]
            joined = rows.selectExpr("*", f"{key} AS looked_up").join(
                numbers.toDF("looked_up", "found"), "looked_up", "left"
            )
            found = f"coalesce(found, CAST(raise_error(concat('no entry for the id ', {cell})) AS INT))"
            is_number = f"{cell} BETWEEN {LEAST}L AND {MOST}L"
            rows = joined.selectExpr(*others, f"CASE WHEN {is_number} THEN {_signed(cell)} ELSE {found} END AS {cell}")
        return rows.selectExpr(*(f"{_signed(cell)} AS {cell}" if cell in plain else cell for cell in cells), *kept)

    def numbers_of(self, ids: Sequence[int]) -> dict[int, int]:
        """id → number, for a few ids."""
        if not ids:
            return {}
        return dict(self.numbers.where(f"id IN ({', '.join(f'{id_}L' for id_ in ids)})").collect())


def in_order(rows: DataFrame, column: str, count: int, per_file: int) -> DataFrame:
    """Rows in the order of a column, in so many ranges that each has about `per_file` of the `count` rows."""
    ranges = 1 + count // per_file
    spread = rows.repartitionByRange(ranges, column) if ranges > 1 else rows.repartition(1)
    return spread.sortWithinPartitions(column)


def address(path: Path) -> str:
    """The URI by which Spark finds a folder that all machines see; special characters are not escaped."""
    return f"file://{path.resolve()}"


def _renumbered(numbers: DataFrame, gone: DataFrame) -> DataFrame:
    """Numbers (id, n) in which merged records have the number of the one that was kept."""
    changed = gone.selectExpr("id AS gone", "n AS instead")
    return numbers.join(changed, numbers["id"] == changed["gone"], "left").selectExpr("id", "coalesce(instead, n) AS n")


def _signed(cell: str) -> str:
    """SQL of a number or unsigned number as a signed INT with the same 32 bits."""
    return f"CAST(CASE WHEN {cell} > 2147483647L THEN {cell} - 4294967296L ELSE {cell} END AS INT)"


def _rows_of(file: Path) -> int:
    """The number of rows of a Parquet file, from its footer."""
    import pyarrow.parquet as pq

    return int(pq.read_metadata(file).num_rows)
