"""Facts into Spark: rows, tables, DataFrames and fact files → relations of cells with the dictionary and the records they need.

    facts = Facts(program, spark)
    facts.read(folder); facts.add("edge", rows)
    engine.bootstrap(*facts.cells())

What is small, or in this process already, is encoded here. Large files are read by Spark's tasks, in parts where their rows are lines,
with the readers of `ladder.factfiles`: values, errors and their places are the same. Paths are shipped, not contents.
"""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from ladder.engine.spark.collisions import may_vary
from ladder.engine.spark.dictionary import SEED, Ids, record_tables
from ladder.engine.spark.encode import SURPLUS, TROUBLE, Mixed, encoded, without_code
from ladder.engine.spark.functions import spelled_types
from ladder.engine.spark.interning import distinct
from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.values import Encoder, constants
from ladder.errors import LadderError
from ladder.factfiles import input_channel, read_input
from ladder.factfiles.channels import Channel
from ladder.factfiles.delimited import is_split, read_part, warn_of_surplus
from ladder.factfiles.plain import PlainText
from ladder.language.core import Program, Type

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SMALL = 4 << 20            # bytes of a file that is read here
PART = 16 << 20            # bytes of a file that one task reads
Task = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]
Given = tuple[dict[str, "DataFrame"], "DataFrame", dict[str, "DataFrame"]]


@dataclass(frozen=True)
class Part:
    """What one task reads: lines that begin in [start, end) of a file, or (end 0) a whole file; `of`: the file's first part."""

    channel: Channel
    of: int
    start: int = 0
    end: int = 0


class Facts:
    """The facts of a program: what its text states, and what is given."""

    def __init__(self, program: Program, spark: SparkSession, seed: int = SEED) -> None:
        self.program, self.spark, self.seed, self.spelled = program, spark, seed, spelled_types(program)
        self.mixed = Mixed.of(program)
        self.encoder = constants(program, Encoder(program.types, seed, self.spelled))
        self._cells: dict[str, list[Ids]] = {}
        self._parts: list[Part] = []
        self._frames: list[tuple[str, DataFrame]] = []
        self._far: DataFrame | None = None
        self._shown: dict[str, str] = {}           # folder as tasks know it → as it was given
        self.counts: Counter[str] = Counter()      # of given facts, repeated ones included; complete once `cells` was called

    # ---- what is given

    def read(self, folder: Path, missing_is_empty: bool = False, small: int = SMALL, part: int = PART) -> None:
        """Add the facts of every `.input` directive; `LadderError` as `ladder.factfiles.read_facts`, of large files later (`cells`).

        `small`: bytes from which files are read by Spark; `part`: bytes for each task.
        """
        for directive in self.program.directives:
            if directive.kind != "input":
                continue
            channel = input_channel(self.program, directive, folder.resolve())
            size = _size(channel)
            if size <= small:
                self.add(directive.relation, read_input(input_channel(self.program, directive, folder), missing_is_empty))
                continue
            self._taker(directive.relation)
            slim = input_channel(without_code(self.program), directive, folder.resolve())
            self._shown[str(folder.resolve())] = str(folder)
            of = len(self._parts)
            if is_split(channel, channel.input_file()):
                self._parts += [Part(slim, of, start, min(start + part, size)) for start in range(0, size, part)]
            else:
                self._parts.append(Part(slim, of))

    def add(self, relation: str, rows: Any) -> None:
        """Add facts: tuples of Python values, an Arrow table, a pandas or a Spark DataFrame; as `Database.load_rows`."""
        types = self._taker(relation)
        if isinstance(rows, PlainText):
            rows = rows.exactly()
        home = type(rows).__module__.partition(".")[0]
        if home == "pyspark":
            if len(rows.columns) != len(types):
                raise LadderError(f"The table has {len(rows.columns)} columns, but {relation} has {len(types)}.")
            self._frames.append((relation, rows))
            return
        if home == "pandas":
            rows = pa.Table.from_pandas(rows, preserve_index=False)
        elif isinstance(rows, pa.RecordBatch):
            rows = pa.Table.from_batches([rows])
        cells = encoded(self.encoder, rows, types, relation)
        self.counts[relation] += len(cells)
        self._cells.setdefault(relation, []).append(cells)

    def _taker(self, relation: str) -> list[Type]:
        """Types of the columns of a relation that takes facts."""
        if not self.program.declares(relation):
            known = sorted(filter(self.program.declares, self.program.relations))
            raise LadderError(f"The program has no relation {relation}.", f"It has {', '.join(known[:8])}, …")
        declared = self.program.relations[relation]
        if declared.keys:
            raise LadderError(f"{relation} has keys: facts cannot be given for it.", "Derive its values by rules.")
        return [column.type for column in declared.columns]

    # ---- what becomes of it

    def cells(self) -> Given:
        """(relation → its facts, c0…; the dictionary, c0 and x; table of records → its rows, c0…): what `SparkEngine.bootstrap` takes.

        Facts that were added twice come twice.
        """
        stated = {name: encoded(self.encoder, rows, self._types(name), name) for name, rows in self.program.facts.items()}
        far = self._far_rows()
        facts = {name: self._frame(name, [*self._cells.get(name, ()), *([stated[name]] if name in stated else [])], far)
                 for name in self.program.relations if name in self._cells or name in stated or (far is not None and self.counts[name])}
        return facts, self._dictionary(far), self._records(far)

    def frame(self, relation: str) -> DataFrame:
        """What was given for a relation, without what the program states: columns c0…."""
        types = self._taker(relation)
        near, far = self._cells.get(relation, []), self._far_rows()
        empty = [np.zeros((0, len(types)), np.int64)] if not near and not self._has_far(relation) else []
        return self._frame(relation, near or empty, far)

    def given_too(self) -> dict[str, list[tuple[Any, ...]]]:
        """The facts that the program states and that were given as well."""
        found = {}
        for name, rows in self.program.facts.items():
            stated = encoded(self.encoder, rows, self._types(name), name)
            given = {tuple(row) for cells in self._cells.get(name, ()) for row in cells[_among(cells, stated)].tolist()}
            if self._far is not None and self.counts[name] and stated.shape[1]:
                far = self._of(self._far, name, stated.shape[1])
                given.update(map(tuple, far.join(self._local(stated), far.columns, "left_semi").distinct().collect()))
            if both := [row for row, cells in zip(rows, stated.tolist(), strict=True) if tuple(cells) in given]:
                found[name] = both
        return found

    def release(self) -> None:
        """Give back what Spark holds of the facts."""
        if self._far is not None:
            self._far.unpersist()

    def _types(self, relation: str) -> list[Type]:
        return [column.type for column in self.program.relations[relation].columns]

    def _far_rows(self) -> DataFrame | None:
        """The mixed rows that Spark's tasks have read, kept there; None where there are none. The first error of a task is raised."""
        if self._far is None and (self._parts or self._frames):
            sources = [self._spread(relation, frame) for relation, frame in self._frames]
            if len(sources) > 1:      # many small relations: every look at one of them would be a task for each part of all
                sources = [reduce(lambda one, other: one.unionAll(other), sources).coalesce(self.spark.sparkContext.defaultParallelism)]
            if self._parts:
                tasks = self.spark.range(0, len(self._parts), 1, len(self._parts))
                sources.append(tasks.mapInArrow(reading(self._parts, self.mixed, self.seed, self.spelled), self.mixed.schema))
            self._far = reduce(lambda one, other: one.unionAll(other), sources).persist()
            self._look(self._far)
        return self._far

    def _spread(self, relation: str, frame: DataFrame) -> DataFrame:
        slim = without_code(self.program)
        return frame.mapInArrow(encoding(relation, slim, self.mixed, self.seed, self.spelled), self.mixed.schema)

    def _look(self, far: DataFrame) -> None:
        """Make the rows, count them, and tell what their tasks have to tell."""
        from pyspark.sql import functions as f

        told = far.groupBy("t", f.when(f.col("t") < 0, f.col("c0")).alias("task")).agg(f.count("*"), f.sum("c1"), f.min("x")).collect()
        problems = sorted((task, content) for tag, task, _, _, content in told if tag == TROUBLE)
        if problems:
            self.release()
            message, mend = json.loads(problems[0][1])
            raise LadderError(self._as_given(message), mend)
        surplus: Counter[int] = Counter()
        for tag, task, rows, sum_, _ in told:
            if tag == SURPLUS:
                surplus[self._parts[task].of] += sum_
            elif tag < len(self.program.relations):
                self.counts[self.mixed.names[tag]] += rows
        for task, rows in sorted(surplus.items()):
            channel = self._parts[task].channel
            warn_of_surplus(channel, self._as_given(str(channel.input_file())), rows)

    def _as_given(self, text: str) -> str:
        """A text in which files are named as the user did."""
        for there, here in self._shown.items():
            text = text.replace(there, here)
        return text

    def _frame(self, name: str, near: Sequence[Ids], far: DataFrame | None) -> DataFrame:
        width = len(self._types(name))
        frames = [self._local(np.concatenate(near) if len(near) > 1 else near[0])] if near else []
        if far is not None and self._has_far(name):
            frames.append(self._of(far, name, width))
        return reduce(lambda one, other: one.unionAll(other), frames)

    def _has_far(self, name: str) -> bool:
        return any(part.channel.directive.relation == name for part in self._parts) or any(name == relation for relation, _ in self._frames)

    def _of(self, far: DataFrame, name: str, width: int, *more: str) -> DataFrame:
        return far.where(f"t = {self.mixed.names.index(name)}").select(*(f"c{i}" for i in range(width)), *more)

    def _local(self, cells: Ids) -> DataFrame:
        """A frame of rows that are here; of relations without columns, of one that says how many there are."""
        columns = {f"c{i}": np.ascontiguousarray(cells[:, i]) for i in range(cells.shape[1])}
        if not columns:
            return self.spark.range(len(cells)).select()
        return self.spark.createDataFrame(pa.table(columns))

    def _dictionary(self, far: DataFrame | None) -> DataFrame:
        batch = self.mixed.entries(self.encoder)
        near = self.spark.createDataFrame(pa.table({"c0": batch["c0"], "x": batch["x"]}))
        if far is None:
            return near
        return distinct(near.unionAll(self._of(far, TEXTS, 1, "x")), self.seed, may_vary(self.program))

    def _records(self, far: DataFrame | None) -> dict[str, DataFrame]:
        frames = {}
        for table, width in record_tables(self.program).items():
            rows = [(id_, *cells) for id_, cells in self.encoder.records.get(table, {}).items()]
            both = [self._local(np.array(rows, np.int64))] if rows else []
            if far is not None:
                both.append(self._of(far, table, 1 + width))
            if both:
                frames[table] = reduce(lambda one, other: one.unionAll(other), both).distinct()
        return frames


def reading(parts: Sequence[Part], mixed: Mixed, seed: int, spelled: Collection[str]) -> Task:
    """What a task does that reads the parts whose numbers it gets."""
    def read(numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in numbers:
            for number in batch.column(0).to_pylist():
                yield from _read_part(number, parts[number], mixed, Encoder(parts[number].channel.program.types, seed, spelled))

    return read


def encoding(relation: str, program: Program, mixed: Mixed, seed: int, spelled: Collection[str]) -> Task:
    """What a task does that gets batches of a DataFrame of values."""
    types = [column.type for column in program.relations[relation].columns]

    def encode(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            encoder = Encoder(program.types, seed, spelled)
            try:
                cells = encoded(encoder, pa.Table.from_batches([batch]), types, relation)
            except LadderError as error:
                yield mixed.trouble(-1, error)
                return
            yield from mixed.batches(relation, cells, encoder)

    return encode


def _read_part(number: int, part: Part, mixed: Mixed, encoder: Encoder) -> Iterator[pa.RecordBatch]:
    channel, surplus = part.channel, list[int]()
    try:
        rows = read_part(channel, channel.input_file(), part.start, part.end, surplus.append) if part.end else read_input(channel)
        if isinstance(rows, PlainText):
            rows = rows.exactly()
        cells = encoded(encoder, rows, channel.types, channel.relation.name)
    except LadderError as error:
        yield mixed.trouble(number, error)
        return
    except FileNotFoundError as error:
        yield mixed.trouble(number, LadderError(f"There is no file {error.filename} on a machine of the cluster.",
                                                "All machines must see the facts under the same path."))
        return
    yield from mixed.batches(channel.relation.name, cells, encoder)
    if surplus:
        yield mixed.surplus(number, sum(surplus))


def _size(channel: Channel) -> int:
    """Bytes of a channel's file; 0 where it has none."""
    if channel.io not in ("file", "jsonfile"):
        return 0
    file = channel.input_file()
    return file.stat().st_size if file.is_file() else 0


def _among(cells: Ids, others: Ids) -> Any:
    """Which rows are among a few others."""
    few = set(map(tuple, others.tolist()))
    if not cells.shape[1]:
        return np.ones(len(cells), bool) if few else np.zeros(len(cells), bool)
    candidates = np.isin(cells[:, 0], others[:, 0])
    candidates[candidates] = [tuple(row) in few for row in cells[candidates].tolist()]
    return candidates


