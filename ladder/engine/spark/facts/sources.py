"""Facts into Spark: rows, tables, DataFrames and fact files → relations of cells with the dictionary and the records
they need.

    facts = Facts(program, spark)
    facts.read(folder); facts.add("edge", rows)
    engine.bootstrap(facts.cells())

Small files, and rows that are in this process already, are encoded on the driver. Large files are read by Spark's
tasks, in parts where their rows are lines, with the readers of `ladder.facts.files`: values, errors and their places
are the same. Tasks get paths, not contents. One job makes the cells of everything that was added, and a text is sent to
Spark once per task that met it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow as pa

from ladder.engine.backend import require_assertable
from ladder.engine.spark.facts.cells import Cells, rows_of
from ladder.engine.spark.facts.encode import SURPLUS, TROUBLE, Mixed, encoded, without_code
from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.lowering.functions import tuple_types
from ladder.engine.spark.lowering.values import Encoder, constants
from ladder.engine.spark.values.dictionary import SEED, Ids, record_tables
from ladder.errors import LadderError
from ladder.facts.files import input_channel, read_input
from ladder.facts.files.channels import Channel
from ladder.facts.files.delimited import channel_by_header, is_split, read_part, warn_of_surplus
from ladder.facts.files.plain import PlainText
from ladder.language.core import Program, Relation, Type
from ladder.support.by_name import order_of
from ladder.support.tuning import DEFAULT, Tuning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Task = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]


class Source(Protocol):
    """Facts of several relations that Spark's tasks read part by part; the source itself is pickled and sent to them.

    `sizes`: the approximate number of facts of each part; `read(number)`: (relation, table) for the tables of a part.
    """

    @property
    def sizes(self) -> Sequence[int]: ...

    @property
    def relations(self) -> Collection[str]: ...

    def read(self, number: int) -> Iterator[tuple[str, pa.Table]]: ...


@dataclass(frozen=True)
class Part:
    """What one task reads: the lines that begin at the bytes [start, end) of a file, or the whole file where `end` is
    0; `of`: the number of the file's first part."""

    channel: Channel
    of: int
    start: int = 0
    end: int = 0


class Facts:
    """The facts of a program: those in its text, and those that are asserted."""

    def __init__(
        self,
        program: Program,
        spark: SparkSession,
        seed: int = SEED,
        tuning: Tuning = DEFAULT,
    ) -> None:
        self.program, self.spark, self.seed, self.tuple_types = program, spark, seed, tuple_types(program)
        self.tuning, self.reading = tuning.distributing, tuning.reading
        self.mixed = Mixed.of(program)
        self.encoder = constants(program, Encoder(program.types, seed, self.tuple_types))
        self._cells: dict[str, list[Ids]] = {}
        self._parts: list[Part] = []
        self._frames: list[tuple[str, DataFrame]] = []
        self._sources: list[Source] = []
        self._far: DataFrame | None = None
        self._shown: dict[str, str] = {}  # folder as tasks know it → as the caller named it
        # asserted facts of each relation, repeated ones included; complete once `cells` was called
        self.counts: Counter[str] = Counter()

    # ---- asserted facts

    def read(self, folder: Path, missing_is_empty: bool = False) -> None:
        """Add the facts of every `.input` directive; raises `LadderError` as `ladder.facts.files.read_facts` does, but
        for large files only when `cells` is called."""
        part = self.tuning.part_of_file
        for directive in self.program.directives:
            if directive.kind != "input":
                continue
            channel = input_channel(self.program, directive, folder.resolve(), self.reading)
            size = _size(channel)
            if size <= self.tuning.small_file:
                here = input_channel(self.program, directive, folder, self.reading)
                self.add(directive.relation, read_input(here, missing_is_empty))
                continue
            self._checked(directive.relation)
            if channel.io == "file":
                channel = channel_by_header(channel)
            slim = input_channel(without_code(self.program), channel.directive, folder.resolve(), self.reading)
            self._shown[str(folder.resolve())] = str(folder)
            of = len(self._parts)
            if is_split(channel, channel.input_file()):
                self._parts += [Part(slim, of, start, min(start + part, size)) for start in range(0, size, part)]
            else:
                self._parts.append(Part(slim, of))

    def add(self, relation: str, rows: Any) -> None:
        """Add facts as `Database.load_rows` does: tuples of Python values, an Arrow table, a pandas or a Spark
        DataFrame."""
        declared = self._checked(relation)
        if isinstance(rows, PlainText):
            rows = rows.exactly()
        if type(rows).__module__.partition(".")[0] == "pyspark" and hasattr(rows, "toArrow"):
            order_of(rows.columns, [column.name for column in declared.columns], relation)  # tasks put them in order
            if len(rows.columns) != len(declared.columns):
                raise LadderError(
                    f"The table has {len(rows.columns)} columns, but {relation} has {len(declared.columns)}."
                )
            self._frames.append((relation, rows))
            return
        cells = encoded(self.encoder, rows, declared)
        self.counts[relation] += len(cells)
        self._cells.setdefault(relation, []).append(cells)

    def add_source(self, source: Source) -> None:
        """Add the facts of a source, which Spark's tasks read."""
        for relation in source.relations:
            self._checked(relation)
        self._sources.append(source)

    def _checked(self, relation: str) -> Relation:
        """A declared relation; `LadderError` where there is none, or facts cannot be asserted for it."""
        if not self.program.declares(relation):
            known = sorted(filter(self.program.declares, self.program.relations))
            raise LadderError(f"The program has no relation {relation}.", f"It has {', '.join(known[:8])}, …")
        declared = self.program.relations[relation]
        require_assertable(declared)
        return declared

    # ---- what becomes of it

    def cells(self) -> Cells:
        """The input of `SparkEngine.bootstrap`. Facts that were added twice occur twice."""
        near, frames = self._near()
        far = self._far_rows()
        mixed = near if far is None else near.unionAll(far)
        there = {
            *self._cells,
            *self.program.facts,
            *(name for name, number in self.counts.items() if number),
        } - frames.keys()
        widths = {name: 1 + width for name, width in record_tables(self.program).items()}
        arities = {name: len(self._types(name)) for name in there} | {TEXTS: 1} | widths
        return Cells(mixed, {name: self.mixed.names.index(name) for name in arities}, arities, frames, self.release)

    def _near(self) -> tuple[DataFrame, dict[str, DataFrame]]:
        """The facts in this process: mixed rows, and for each relation with many rows a frame of its own."""
        facts = {name: list(parts) for name, parts in self._cells.items()}
        for name, rows in self.program.facts.items():
            facts.setdefault(name, []).append(encoded(self.encoder, rows, self.program.relations[name]))
        most = self.tuning.many_facts
        many = {name for name, parts in facts.items() if sum(map(len, parts)) > most and not self._has_far(name)}
        batches = [self.mixed.rows(name, cells) for name, parts in facts.items() if name not in many for cells in parts]
        # As one piece: Spark takes an empty batch for the last one.
        table = pa.Table.from_batches([*batches, *self.mixed.values(self.encoder)]).combine_chunks()
        return self.spark.createDataFrame(table), {name: self._local(np.concatenate(facts[name])) for name in many}

    def frame(self, relation: str) -> DataFrame:
        """The asserted facts of a relation, without program facts: columns c0…."""
        width = len(self._checked(relation).columns)
        near, far = self._cells.get(relation, []), self._far_rows()
        frames = [self._local(np.concatenate(near))] if near else []
        if far is not None and self._has_far(relation):
            frames.append(self._of(far, relation, width))
        return reduce(lambda one, other: one.unionAll(other), frames or [self._local(np.zeros((0, width), np.int64))])

    def asserted_program_facts(self) -> dict[str, list[tuple[Any, ...]]]:
        """Relation → its program facts that were asserted as well."""
        found = {}
        for name, rows in self.program.facts.items():
            of_program = encoded(self.encoder, rows, self.program.relations[name])
            asserted = {
                tuple(row) for cells in self._cells.get(name, ()) for row in cells[_among(cells, of_program)].tolist()
            }
            if self._far is not None and self.counts[name] and of_program.shape[1]:
                far = self._of(self._far, name, of_program.shape[1])
                asserted.update(
                    map(tuple, far.join(self._local(of_program), far.columns, "left_semi").distinct().collect())
                )
            if both := [row for row, cells in zip(rows, of_program.tolist(), strict=True) if tuple(cells) in asserted]:
                found[name] = both
        return found

    def release(self) -> None:
        """Free the rows of facts that Spark has cached."""
        if self._far is not None:
            self._far.unpersist()

    def _types(self, relation: str) -> list[Type]:
        return [column.type for column in self.program.relations[relation].columns]

    def _far_rows(self) -> DataFrame | None:
        """The mixed rows that Spark's tasks have read, cached there; None where there are none.

        The first error of a task is raised.
        """
        if self._far is None and (self._parts or self._frames or self._sources):
            found = [self._spread(relation, frame) for relation, frame in self._frames]
            if len(found) > 1:  # many small relations: every look at one of them would be a task for each part of all
                found = [
                    reduce(lambda one, other: one.unionAll(other), found).coalesce(
                        self.spark.sparkContext.defaultParallelism
                    )
                ]
            if self._parts:
                found.append(
                    self._read_by(reading(self._parts, self._handing_over()), len(self._parts), len(self._parts))
                )
            found += [
                self._read_by(
                    reading_source(source, without_code(self.program), self._handing_over()),
                    len(source.sizes),
                    self._tasks_of(source),
                )
                for source in self._sources
                if source.sizes
            ]
            if not found:
                return None
            self._far = reduce(lambda one, other: one.unionAll(other), found).persist()
            self._look(self._far)
        return self._far

    def _read_by(self, task: Task, parts: int, tasks: int) -> DataFrame:
        return self.spark.range(0, parts, 1, tasks).mapInArrow(task, self.mixed.schema)

    def _tasks_of(self, source: Source) -> int:
        """The number of tasks that read a source: one per core, or more where each would have too many facts. Fewer
        tasks send fewer texts, because a text that parts share is sent once per task."""
        wanted = sum(source.sizes) // self.tuning.facts_per_task
        return min(len(source.sizes), max(self.spark.sparkContext.defaultParallelism, wanted))

    def _spread(self, relation: str, frame: DataFrame) -> DataFrame:
        slim = without_code(self.program)
        return frame.mapInArrow(encoding(relation, slim, self._handing_over()), self.mixed.schema)

    def _handing_over(self) -> HandingOver:
        return HandingOver(self.mixed, self.seed, self.tuple_types, self.tuning.texts_kept)

    def _look(self, far: DataFrame) -> None:
        """Evaluate the rows, count them, and raise the errors and issue the warnings that their tasks reported."""
        from pyspark.sql import functions as f

        summary = (
            far.groupBy("t", f.when(f.col("t") < 0, f.col("c0")).alias("task"))
            .agg(f.count("*"), f.sum(f.when(f.col("t") < 0, f.col("c1"))))
            .collect()
        )
        if any(tag == TROUBLE for tag, *_ in summary):
            _, content = min(map(tuple, far.where(f"t = {TROUBLE}").select("c0", "x").collect()))
            self.release()
            message, hint = json.loads(content)
            raise LadderError(self._as_named(message), hint)
        surplus: Counter[int] = Counter()
        for tag, task, rows, sum_ in summary:
            if tag == SURPLUS:
                surplus[self._parts[task].of] += sum_
            elif tag < len(self.program.relations):
                self.counts[self.mixed.names[tag]] += rows
        for task, rows in sorted(surplus.items()):
            channel = self._parts[task].channel
            warn_of_surplus(channel, self._as_named(str(channel.input_file())), rows)

    def _as_named(self, text: str) -> str:
        """A text in which files are named as the user did."""
        for there, here in self._shown.items():
            text = text.replace(there, here)
        return text

    def _has_far(self, name: str) -> bool:
        return (
            any(part.channel.directive.relation == name for part in self._parts)
            or any(name == relation for relation, _ in self._frames)
            or any(name in source.relations for source in self._sources)
        )

    def _of(self, far: DataFrame, name: str, width: int) -> DataFrame:
        return rows_of(far, self.mixed.names.index(name), width)

    def _local(self, cells: Ids) -> DataFrame:
        """A frame of rows in this process; for relations without columns a frame with as many rows and no columns."""
        columns = {f"c{i}": np.ascontiguousarray(cells[:, i]) for i in range(cells.shape[1])}
        if not columns:
            return self.spark.range(len(cells)).select()
        return self.spark.createDataFrame(pa.table(columns))


@dataclass(frozen=True)
class HandingOver:
    """How tasks return what they read. `mixed`: the form of rows; `seed`, `tuple_types`: see `Encoder`; `texts_kept`:
    how many texts a task remembers at most in order to return each only once."""

    mixed: Mixed
    seed: int
    tuple_types: Collection[str]
    texts_kept: int


class _Handover:
    """Makes the batches that a task returns: rows of cells and the contents of their ids, each value once unless there
    are very many."""

    def __init__(self, how: HandingOver, program: Program) -> None:
        self.mixed, self._texts_kept, self._form = how.mixed, how.texts_kept, (program.types, how.seed, how.tuple_types)
        self.encoder = Encoder(*self._form)

    def rows(self, relation: Relation, rows: Any) -> Iterator[pa.RecordBatch]:
        """Rows of a relation, encoded; `LadderError` where they do not fit."""
        yield self.mixed.rows(relation.name, encoded(self.encoder, rows, relation))
        if len(self.encoder.texts) > self._texts_kept:
            yield from self.values()

    def values(self) -> Iterator[pa.RecordBatch]:
        """Batches with the contents and records met since the last call."""
        yield from self.mixed.values(self.encoder)
        self.encoder = Encoder(*self._form)


def reading(parts: Sequence[Part], how: HandingOver) -> Task:
    """The function by which a task reads parts of files, whose numbers are its input."""

    def read(numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in numbers:
            for number in batch.column(0).to_pylist():
                yield from _read_part(number, parts[number], _Handover(how, parts[number].channel.program))

    return read


def reading_source(source: Source, program: Program, how: HandingOver) -> Task:
    """The function by which a task reads parts of a source, whose numbers are its input."""
    relations = {name: program.relations[name] for name in source.relations}

    def read(numbers: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        handover = _Handover(how, program)
        for batch in numbers:
            for number in batch.column(0).to_pylist():
                try:
                    for relation, table in source.read(number):
                        yield from handover.rows(relations[relation], table)
                except LadderError as error:
                    yield how.mixed.trouble(number, error)
                    return
        yield from handover.values()

    return read


def encoding(relation: str, program: Program, how: HandingOver) -> Task:
    """The function by which a task encodes batches of a DataFrame of values."""
    declared = program.relations[relation]

    def encode(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        handover = _Handover(how, program)
        for batch in batches:
            try:
                yield from handover.rows(declared, pa.Table.from_batches([batch]))
            except LadderError as error:
                yield how.mixed.trouble(-1, error)
                return
        yield from handover.values()

    return encode


def _read_part(number: int, part: Part, handover: _Handover) -> Iterator[pa.RecordBatch]:
    channel, surplus, mixed = part.channel, list[int](), handover.mixed
    try:
        rows = (
            read_part(channel, channel.input_file(), part.start, part.end, surplus.append)
            if part.end
            else read_input(channel)
        )
        if isinstance(rows, PlainText):
            rows = rows.exactly()
        yield from handover.rows(channel.relation, rows)
    except LadderError as error:
        yield mixed.trouble(number, error)
        return
    except FileNotFoundError as error:
        yield mixed.trouble(
            number,
            LadderError(
                f"There is no file {error.filename} on a machine of the cluster.",
                "All machines must see the facts under the same path.",
            ),
        )
        return
    yield from handover.values()
    if surplus:
        yield mixed.surplus(number, sum(surplus))


def _size(channel: Channel) -> int:
    """The size of a channel's file in bytes; 0 where it has none, or tasks cannot read its format."""
    if channel.format is None or not channel.format.in_tasks:
        return 0
    file = channel.input_file()
    return file.stat().st_size if file.is_file() else 0


def _among(cells: Ids, others: Ids) -> Any:
    """The mask of the rows that are among a few others."""
    few = set(map(tuple, others.tolist()))
    if not cells.shape[1]:
        return np.ones(len(cells), bool) if few else np.zeros(len(cells), bool)
    candidates = np.isin(cells[:, 0], others[:, 0])
    candidates[candidates] = [tuple(row) in few for row in cells[candidates].tolist()]
    return candidates
