"""Export of a state on Spark to disk, as tables that the local engine opens (see `ladder.engine.local.saved.tables`).

    INTERN      symbols, objects and records get dense numbers
    RELATIONS   rows in 32-bit cells, all in one job
    PUBLISH     manifest and CURRENT, which make it the state of the folder

The folder must be seen under the same path by all machines of the cluster.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ladder.engine.local.saved.program import Origin
from ladder.engine.local.saved.state import SavedState
from ladder.engine.local.saved.tables import Table, begun, published
from ladder.engine.spark.facts.encode import encoded
from ladder.engine.spark.facts.interning import IDS, OBJECTS, SYMBOLS, Interned, address, in_order
from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.lowering.values import Encoder
from ladder.engine.spark.values.dictionary import record_tables
from ladder.errors import StateError
from ladder.language.core import Kind
from ladder.plan.components import is_record_table, needs_filler
from ladder.policy.rebuild import Costs

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ladder.engine.spark.engine import SparkState

MOST_COUNT = (1 << 31) - 1
IDENTIFIED = (Kind.SYMBOL, Kind.OBJECT, Kind.RECORD)  # values that have ids


class FactSummary(Protocol):
    """What is known of the facts that a state was made from: how many were asserted for each relation, and which
    program facts were asserted as well."""

    @property
    def counts(self) -> Mapping[str, int]: ...

    def asserted_program_facts(self) -> dict[str, list[tuple[Any, ...]]]: ...


def write_state(
    state: SparkState,
    folder: Path,
    origin: Origin,
    note: str = "",
    facts: FactSummary | None = None,
    saved: SavedState | None = None,
) -> None:
    """Write a state to a folder, replacing the one that is there; `StateError` if it cannot be written, or somebody
    else has saved.

    `facts`: the facts that the state was made from; they tell which program facts were asserted as well. `saved`: what
    is known of the folder, which is updated.
    """
    folder = Path(folder)
    saved = saved or SavedState(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with saved.locked(state.tuning.saving.patience):
            saved.checked(state.program, origin)
            tables = begun(folder)
            try:
                _Writer(state, tables).write(origin, note, facts, saved)
            except BaseException:
                shutil.rmtree(tables, ignore_errors=True)
                raise
            saved.current = saved.tried
    except OSError as error:
        raise StateError(
            f"The state in {folder} cannot be written: {error.strerror or error}.", "The old one stands."
        ) from error


class _Writer:
    """Writes the tables of a state."""

    def __init__(self, state: SparkState, tables: Path) -> None:
        self.state, self.tables = state, tables
        tuning = state.tuning.distributing
        self.per_file = tuning.rows_per_file
        self.interned = Interned(state._spark, tables, state.seed, tuning)
        aggregates = state.expanded.aggregates.values()
        self.derived = {name for a in aggregates for name in (a.totals, a.name)}
        self.aggregated = {*self.derived, *(a.inputs for a in aggregates)}

    def write(self, origin: Origin, note: str, facts: FactSummary | None, saved: SavedState) -> None:
        """Write the whole state."""
        state, program = self.state, self.state.program
        kinds = {column.type.kind for relation in state.expanded.relations.values() for column in relation.columns}
        has_objects = Kind.OBJECT in kinds or any(t.kind is Kind.OBJECT for t in program.types.values())
        self.interned.contents(state.dictionary, state.rows(TEXTS), has_objects)
        records = self._records()
        relations = self._relations()
        costs = Costs(state.report.seconds, sum(facts.counts.values()) if facts is not None else 0)
        asserted_too = self._encoded_program_facts(facts.asserted_program_facts()) if facts is not None else {}
        for folder in self.tables.glob(f"{IDS}*"):
            shutil.rmtree(folder)
        published(
            self.tables,
            program,
            origin,
            note,
            costs.stored(),
            relations,
            records,
            self.interned.counts[SYMBOLS],
            self.interned.counts[OBJECTS],
            asserted_too,
            saved.about_to_write,
        )

    def _records(self) -> dict[str, Table]:
        """Write the tables of records."""
        state = self.state
        widths = {name: width for name, width in record_tables(state.program).items() if state.rows(name)}
        tables = {
            name: (state.frame(name).drop("first", "count"), width, state.rows(name)) for name, width in widths.items()
        }
        written = {}
        for number, (name, rows) in enumerate(self.interned.records(tables).items()):
            folder = f"records/{number}"
            in_order(rows, "n", state.rows(name), self.per_file).write.parquet(address(self.tables / folder))
            written[name] = Table(folder, widths[name], _rows_in(self.tables / folder))
        return written

    def _relations(self) -> dict[str, Table]:
        """Write all relations, except for those that follow from others."""
        state = self.state
        wide, tags = state.wide()
        names = [name for name in tags if not is_record_table(state.expanded.relations[name])]
        rows = {name: state.rows(name) for name in names}
        written = [name for name in names if rows[name] and name not in self.derived]
        if wide is not None and written:
            width = max(state.expanded.relations[name].arity for name in written)
            cells = [f"c{i}" for i in range(width)]
            chosen = wide.where(f"t IN ({', '.join(str(tags[name]) for name in written)})")
            too_many = "CAST(raise_error('a row has more derivations than 32 bits count') AS INT)"
            count = f"CASE WHEN count > {MOST_COUNT}L THEN {too_many} ELSE CAST(count AS INT) END"
            with_ids = {
                i
                for name in written
                for i, column in enumerate(state.expanded.relations[name].columns)
                if column.type.kind in IDENTIFIED
            }
            dense = self.interned.dense(
                chosen.selectExpr("t", *cells, "first", f"{count} AS count"),
                cells,
                "t",
                "first",
                "count",
                plain=[cell for i, cell in enumerate(cells) if i not in with_ids],
            )
            _bundled(dense, {tags[name]: rows[name] for name in written}, self.per_file).write.partitionBy("t").parquet(
                address(self.tables / "relations")
            )
        firsts = self._firsts(wide, {tags[name]: name for name in names if rows[name] and name in self.aggregated})
        arities = {name: relation.arity for name, relation in state.expanded.relations.items()}
        return {
            name: Table(
                f"relations/t={tags[name]}" if name in written else "", arities[name], rows[name], firsts.get(name, 0)
            )
            for name in names
        }

    def _firsts(self, wide: DataFrame | None, names: Mapping[int, str]) -> dict[str, int]:
        """Relation → the sum of the first iterations of its rows."""
        if wide is None or not names:
            return {}
        chosen = wide.where(f"t IN ({', '.join(map(str, names))})")
        return {names[tag]: total for tag, total in chosen.groupBy("t").agg({"first": "sum"}).collect()}

    def _encoded_program_facts(self, rows_of: Mapping[str, Sequence[tuple[Any, ...]]]) -> dict[str, list[list[int]]]:
        """Program facts that were asserted as well, as the local engine's cells, by EDB relation."""
        state, found = self.state, dict[str, list[list[int]]]()
        for name, rows in rows_of.items():
            types = [column.type for column in state.program.relations[name].columns]
            cells = encoded(Encoder(state.program.types, state.seed), rows, state.program.relations[name]).tolist()
            ids = [[cell for cell, t in zip(row, types, strict=True) if t.kind in IDENTIFIED] for row in cells]
            numbers = {0: 0, **self.interned.numbers_of(sorted({id_ for some in ids for id_ in some} - {0}))}
            head = [0] if needs_filler(state.program.relations[name]) else []
            edb = state.fact_relation(name)
            found.setdefault(edb, []).extend(
                [
                    *head,
                    *(
                        numbers[c] if t.kind in IDENTIFIED else (c + (1 << 31)) % (1 << 32) - (1 << 31)
                        for c, t in zip(row, types, strict=True)
                    ),
                ]
                for row in cells
            )
        return found


def _bundled(rows: DataFrame, counts: Mapping[int, int], per_file: int) -> DataFrame:
    """The rows partitioned such that those with the same t are in as few tasks as their number requires, so that they
    are written to few files."""
    parts = {tag: 1 + count // per_file for tag, count in counts.items()}
    several = ", ".join(f"{tag}, {number}" for tag, number in parts.items() if number > 1)
    part = f"coalesce(pmod(xxhash64(c0, first), element_at(map({several}), t)), 0)" if several else "0"
    tasks = min(sum(parts.values()), int(str(rows.sparkSession.conf.get("spark.sql.shuffle.partitions"))))
    return rows.selectExpr("*", f"{part} AS part").repartition(tasks, "t", "part").drop("part")


def _rows_in(folder: Path) -> int:
    import pyarrow.parquet as pq

    return sum(int(pq.read_metadata(file).num_rows) for file in folder.glob("*.parquet"))
