"""Reading of a state in tables (see `tables`) into the local engine's arrays, in bulk: no Python object per row or
symbol.

    SYMBOLS, OBJECTS    get the numbers by which the tables' rows refer to them
    RECORDS, RELATIONS  rows with (first, count), batch by batch
    AGGREGATES          aggregate inputs are added in the iterations in which they came first; totals and final totals
                        follow from them

The number of these totals and their iterations are compared with the manifest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from ladder.engine.canonical import value_of
from ladder.engine.classes import classes_of
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.fixpoint import COLLECT, ROTATE
from ladder.engine.local.planning import EncodedPlans
from ladder.engine.local.saved.cells import CellChecker
from ladder.engine.local.saved.format import HINT
from ladder.engine.local.saved.parts import damaged
from ladder.engine.local.saved.program import Opener
from ladder.engine.local.saved.tables import Manifest, Table, opened_tables
from ladder.engine.local.strategies import strategy_of
from ladder.engine.local.values.encoding import Objects
from ladder.engine.local.values.symbols import SymbolTable
from ladder.errors import StateError
from ladder.plan.components import Component, is_record_table
from ladder.support.limits import Watch
from ladder.support.tuning import DEFAULT, Tuning

Array = npt.NDArray[Any]
MOST_ROWS_PER_BYTE = 64  # of a table's files; in others nothing is reserved


def read_tables(
    folder: Path,
    current: Mapping[str, Any],
    ours: bool,
    program_of: Opener,
    watch: Watch | None = None,
    strategy: str = "elastic",
    tuning: Tuning = DEFAULT,
) -> LocalEngine:
    """The engine with the state in the tables that a folder's CURRENT names; `StateError` if they are damaged or of
    another program."""
    files, manifest, saved = opened_tables(folder, current, ours)
    if manifest.strategy != strategy_of(strategy).state:
        raise StateError(f"The state in {folder} is one of the strategy {manifest.strategy}, not of {strategy}.", HINT)
    engine = LocalEngine(program_of(saved), watch=watch, strategy=strategy, tuning=tuning)
    if missing := manifest.relations.keys() - engine.relations.keys():
        raise StateError(f"The state in {folder} has a relation {min(missing)} that its program does not have.", HINT)
    reader = _Reader(engine, folder, files, manifest)
    try:
        reader.read()
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise StateError(f"The state in {folder} is damaged ({str(error).splitlines()[0]}).", HINT) from error
    return engine


class _Reader:
    """Reads tables into a new engine."""

    def __init__(self, engine: LocalEngine, folder: Path, files: Mapping[str, Array], manifest: Manifest) -> None:
        self.engine, self.folder, self.files, self.manifest = engine, folder, files, manifest

    def read(self) -> None:
        """Read everything; what rows refer to comes first."""
        engine, manifest = self.engine, self.manifest
        self._check_manifest()
        self._symbols()
        self._objects()
        for name, table in manifest.records.items():
            self._records(name, table)
        engine.functions.renew()
        self.checker = CellChecker(engine, self.folder)
        followers = {name for a in engine.expanded.aggregates.values() for name in (a.name, a.totals, a.inputs)}
        for name, table in manifest.relations.items():
            if name not in followers and table.rows:
                self._rows(name, table)
        for position, component in enumerate(engine.expanded.components):
            if component.aggregates:
                self._aggregates(position, component)
        engine.statistics.due(engine.relations)
        engine.asserted_program_facts.restore(manifest.given_too, engine.relations)

    def _check_manifest(self) -> None:
        """Raise an error if the relations of the manifest are not those of the program, or have other columns."""
        relations, manifest = self.engine.relations, self.manifest
        for tables, records in ((manifest.relations, False), (manifest.records, True)):
            for name, table in tables.items():
                if (
                    name not in relations
                    or is_record_table(relations[name]) != records
                    or table.width != relations[name].arity
                ):
                    self._damaged(f"it has a table {name} that its program does not have")
        if missing := {a.inputs for a in self.engine.expanded.aggregates.values()}.difference(manifest.relations):
            self._damaged(f"it has no {min(missing)}")

    def _reserve(self, number: int, table: Table) -> None:
        """Reserve capacity for the rows of a table, unless it claims more rows than its files are likely to hold."""
        size = sum(len(data) for name, data in self.files.items() if name.startswith(f"{table.folder}/"))
        if 0 <= table.rows <= MOST_ROWS_PER_BYTE * size:
            self.engine.store.reserve_rows(number, self.engine.store.row_count(number) + table.rows)
            self.engine.store.reserve_entries(int(self.engine.store.relations[number].primary_index), 2 * table.rows)

    def _symbols(self) -> None:
        symbols, count = SymbolTable(self.engine.tuning.evaluating), 0
        for batch in self._batches("symbols", ["x"]):
            numbers = symbols.intern_array(batch.column(0).cast(pa.large_binary()).view(pa.large_string()))
            if not np.array_equal(numbers, np.arange(count, count + len(numbers), dtype=np.int32)):
                self._damaged("its symbols are not in order")
            count += len(numbers)
        if count != self.manifest.symbols:
            self._damaged(f"it has {count:,} symbols instead of {self.manifest.symbols:,}")
        self.engine.values.symbols = symbols  # instead of those that the joins of its lattices have entered

    def _objects(self) -> None:
        classes = classes_of(self.engine.program)
        values = [
            value_of(data, classes) for batch in self._batches("objects", ["x"]) for data in batch.column(0).to_pylist()
        ]
        self.engine.values.objects = Objects(values)
        if not len(self.engine.values.objects.numbers) == len(values) == self.manifest.objects:
            self._damaged("its values of lattices are not as many as were written")

    def _records(self, name: str, table: Table) -> None:
        """Read a table of records; rows whose numbers no record has are filled with cells that no record consists
        of."""
        parts = [*self._cells(table, ("n",))] if table.rows else []
        numbers = np.concatenate([np.zeros(0, np.int32), *(part[1] for part in parts)])
        last = int(numbers[-1]) if len(numbers) else 0
        if len(numbers) != table.rows or (len(numbers) and (numbers[0] < 1 or (np.diff(numbers) < 1).any())):
            self._damaged(f"the records of {name} are not in order")
        self.engine.store.grant(4 * last * table.width)
        rows = np.zeros((last, table.width), np.int32)
        for cells, some, _ in parts:
            rows[some - 1] = cells
        left_out = np.setdiff1d(np.arange(last), numbers - 1, assume_unique=True)
        rows[left_out, 0] = _unused(rows[:, 0], len(left_out))
        self._add(name, rows)
        if self.engine.store.row_count(self.engine.numbers[name]) != last:
            self._damaged(f"{name} has a record twice")

    def _add(self, name: str, rows: Array) -> None:
        store, number = self.engine.store, self.engine.numbers[name]
        store.reserve_rows(number, len(rows))
        store.set_states(number, store.add(number, rows), np.zeros(len(rows), np.int32), np.ones(len(rows), np.int32))

    def _rows(self, name: str, table: Table) -> None:
        store, number = self.engine.store, self.engine.numbers[name]
        self._reserve(number, table)
        for cells, first, counts in self._cells(table, ("first", "count"), name):
            store.set_states(number, store.add(number, cells), first, counts)
        self._expect(name, store.row_count(number) - int(store.relations[number].absent_rows), table.rows)

    # ---- aggregates

    def _aggregates(self, position: int, component: Component) -> None:
        """Add the aggregate inputs of a component iteration by iteration, as its bootstrap did; no rule is
        evaluated."""
        engine = self.engine
        fixpoint, plans = np.zeros(1, L.FIXPOINT)[0], EncodedPlans.none()
        plans.components = np.zeros(1, L.COMPONENT)
        plans.components[0] = engine.component_record(position, component)
        engine.store.relations["settled_rows"][list(map(engine.numbers.__getitem__, component.names))] = 0
        arrivals = [_Arrivals(engine, a.inputs, self._whole(a.inputs)) for a in component.aggregates]
        # The kernel stops after every iteration to ask for plans, which are not needed.
        fixpoint.active, fixpoint.rows_planned_for = 1, L.NONE
        for iteration in np.unique(np.concatenate([[0], *(arrival.iterations for arrival in arrivals)])).tolist():
            for arrival in arrivals:
                arrival.arrive(iteration)
            if iteration:
                fixpoint.phase, fixpoint.iteration, fixpoint.cursor = (
                    COLLECT,
                    iteration,
                    plans.components[0]["first_aggregate"],
                )
            engine.evaluate(fixpoint, plans)
        fixpoint.phase, fixpoint.rows_planned_for = ROTATE, L.UNBOUNDED
        engine.evaluate(fixpoint, plans)
        for a in component.aggregates:
            for name in (a.inputs, a.totals, a.name):
                self._check(name)

    def _whole(self, name: str) -> tuple[Array, Array, Array]:
        """All rows of a relation."""
        table = self.manifest.relations[name]
        parts = [*self._cells(table, ("first", "count"), name)] if table.rows else []
        width = self.engine.relations[name].arity
        cells, first, counts = zip((np.zeros((0, width), np.int32), *[np.zeros(0, np.int32)] * 2), *parts, strict=True)
        return np.concatenate(cells), np.concatenate(first), np.concatenate(counts)

    def _check(self, name: str) -> None:
        """Check that the totals that followed have the number and the iterations that the manifest says."""
        first = self.engine.store.first(self.engine.numbers[name])
        first, table = first[first != L.ABSENT], self.manifest.relations[name]
        self._expect(name, len(first), table.rows)
        if int(first.sum(dtype=np.int64)) != table.firsts:
            self._damaged(f"totals of {name} follow from its aggregate inputs at other iterations than were written")

    # ---- files

    def _cells(self, table: Table, others: tuple[str, ...], relation: str = "") -> Iterator[tuple[Array, Array, Array]]:
        """Iterate over batches of a table: (cells, first other column, last other column); cells of a relation's rows
        are checked."""
        names = [f"c{i}" for i in range(table.width)]
        for batch in self._batches(table.folder, [*names, *others]):
            columns = [np.asarray(batch.column(name)) for name in (*names, *others)]
            if any(column.dtype != np.int32 for column in columns):
                self._damaged(f"{table.folder} has columns that are not of 32 bits")
            cells, first = np.stack(columns[: table.width], axis=1), columns[table.width]
            if relation:
                self.checker.check(relation, cells)
                if len(first) and not 0 <= int(first.min()) <= int(first.max()) < L.ABSENT:
                    self._damaged(f"{relation} has a row of an iteration that was none")
            yield cells, first, columns[-1]

    def _batches(self, folder: str, columns: list[str]) -> Iterator[pa.RecordBatch]:
        for name in sorted(name for name in self.files if name.startswith(f"{folder}/")):
            with pq.ParquetFile(
                pa.BufferReader(pa.py_buffer(self.files[name])), page_checksum_verification=True
            ) as file:
                yield from file.iter_batches(self.engine.tuning.saving.rows_read, columns=columns)

    def _expect(self, name: str, found: int, expected: int) -> None:
        if found != expected:
            self._damaged(f"{name} has {found:,} rows instead of {expected:,}")

    def _damaged(self, reason: str) -> NoReturn:
        damaged(self.folder, reason)


def _unused(cells: Array, count: int) -> Array:
    """Return `count` distinct numbers that are not among the cells."""
    candidates = np.arange(np.iinfo(np.int32).min, np.iinfo(np.int32).min + count + len(cells), dtype=np.int32)
    return np.setdiff1d(candidates, cells)[:count] if count else candidates[:0]


class _Arrivals:
    """The aggregate inputs of a relation by the iterations in which they came."""

    def __init__(self, engine: LocalEngine, name: str, rows: tuple[Array, Array, Array]) -> None:
        self.store, self.number = engine.store, engine.numbers[name]
        cells, first, counts = rows
        order = np.argsort(first, kind="stable")
        self.cells, self.first, self.counts = cells[order], first[order], counts[order]
        self.iterations = np.unique(first)
        self.store.reserve_rows(self.number, len(cells))

    def arrive(self, iteration: int) -> None:
        """Store the rows of an iteration; rows that were totals before they were aggregate inputs are listed as late
        ones."""
        start, end = np.searchsorted(self.first, (iteration, iteration + 1)).tolist()
        if start == end:
            return
        store, record = self.store, self.store.relations[self.number]
        numbers = store.add(self.number, self.cells[start:end])
        store.set_states(self.number, numbers, self.first[start:end], self.counts[start:end])
        late = numbers[numbers < record.settled_rows]
        if len(late):
            links = store.bulk["relation", self.number, "change_number"]
            links[late] = np.append(late[1:] + 1, L.END)
            record.late = late[0] + 1
