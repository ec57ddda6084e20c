"""Ordered components on Spark: rows come to the driver as Python values, `ladder.engine.ordered.components` evaluates,
rows go back as facts.

Which row comes first is determined by values alone, so the rows are those that the local engine finds. All that such a
component reads must fit into the driver's memory: there is a limit, beyond which it is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from ladder.engine.classes import classes_of
from ladder.engine.ordered.components import check_ordered, draws, evaluate_ordered, facts_in_order
from ladder.engine.ordered.depth import refused_if_too_deep, require_shallow
from ladder.engine.spark.facts.decoding import collected, decoder_of
from ladder.engine.spark.layout import TEXTS
from ladder.engine.spark.lowering.functions import tuple_types
from ladder.engine.spark.lowering.values import Decoder, Encoder
from ladder.errors import Unsupported
from ladder.language.core import Program, Type
from ladder.plan.components import (
    Component,
    Expanded,
    fact_relation,
    facts_of,
    is_record_table,
    needs_filler,
    shown_cells,
    shown_columns,
)
from ladder.support.tuning import DEFAULT, Distributing

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Row = tuple[Any, ...]


class OrderedComponents:
    """Evaluates a program's ordered components, in their order.

    `frame(relation)`: its rows as stored, columns c0… and others; `count(relation)`: how many; of the dictionary c0, x.
    """

    def __init__(
        self,
        program: Program,
        expanded: Expanded,
        spark: SparkSession,
        seed: int,
        frame: Callable[[str], DataFrame],
        count: Callable[[str], int],
        tuning: Distributing = DEFAULT.distributing,
    ) -> None:
        self.program, self.expanded, self.spark, self.seed = program, expanded, spark, seed
        self.most_rows = tuning.ordered_rows
        self.frame, self.count = frame, count
        self.tables = [r.name for r in expanded.relations.values() if is_record_table(r)]
        self.drawing = drawing_components(program, expanded)
        self.drawn: dict[tuple[str, ...], int] = {}
        for component in expanded.components:
            check_ordered(program, component.ordered)

    def evaluate(self, component: Component) -> dict[str, DataFrame]:
        """Relation → its rows, columns c0… BIGINT as stored; and what they need that was not there, of texts (c0, x)
        and records."""
        self._refuse_too_many(component)
        rows = self._rows({*component.inputs, *map(facts_of, component.ordered)})
        start = sum(self.drawn[other.ordered] for other in self.drawing if other.ordered in self.drawn)
        with refused_if_too_deep(component.ordered[0]):
            require_shallow(value for some in rows.values() for row in some for value in row)
            facts = {
                name: facts_in_order(self.program, name, rows[facts_of(name)], self._as_decoded(name))
                for name in component.ordered
            }
            outcome = evaluate_ordered(self.program, component.ordered, lambda name: rows[name], facts, start)
        self.drawn[component.ordered] = outcome.drawn
        encoder = Encoder(self.program.types, self.seed, tuple_types(self.program))
        frames = {}
        for name in component.ordered:
            cells = encoder.rows(list(outcome.rows[name]), self._types(name)).reshape(
                len(outcome.rows[name]), len(self._types(name))
            )
            if needs_filler(self.program.relations[name]):
                cells = np.concatenate([np.zeros((len(cells), 1), np.int64), cells], axis=1)
            frames[name] = self._frame(cells)
        return frames | self._new_values(encoder)

    def _refuse_too_many(self, component: Component) -> None:
        read = sorted({*component.inputs, *map(facts_of, component.ordered)})
        total = sum(map(self.count, (*read, *self.tables)))
        if total > self.most_rows:
            place = self.program.relations[component.ordered[0]].place
            raise Unsupported(
                f"{component.ordered[0]} depends on the order in which rows are derived, so its rows are found in one "
                f"process, which reads at most {self.most_rows:,} rows; here it would read {total:,}"
                f"{f' ({place.file}:{place.line})' if place else ''}.",
                "Evaluate the program with the local engine.",
            )

    # ---- rows as values

    def _types(self, name: str) -> list[Type]:
        return [column.type for column in self.program.relations[name].columns]

    def _rows(self, names: Iterable[str]) -> dict[str, list[Row]]:
        """Rows of stored relations as Python values, without filler columns."""
        cells = {name: collected(self.frame(name), self.expanded.relations[name].arity) for name in sorted(names)}
        records = {
            table: collected(self.frame(table), self.expanded.relations[table].arity + 1) for table in self.tables
        }
        decoder = decoder_of(self.program, self.frame(TEXTS), records, cells.values())
        decoder.in_order = True
        return {name: self._decoded(name, found, decoder) for name, found in cells.items()}

    def _decoded(self, name: str, cells: Any, decoder: Decoder) -> list[Row]:
        columns = shown_columns(self.expanded.relations[name])
        cells = shown_cells(self.expanded.relations[name], cells)
        if not columns:
            return [()] * len(cells)
        return list(
            zip(*(decoder.column(cells[:, i].tolist(), column.type) for i, column in enumerate(columns)), strict=True)
        )

    def _as_decoded(self, name: str) -> list[Row]:
        """Facts in the program's text, as they are once they have been cells: floats in single precision, say."""
        types, encoder = self._types(name), Encoder(self.program.types, self.seed)
        cells = [
            encoder.rows(self.program.facts[other], types)
            for other in self.program.relations
            if other in self.program.facts and fact_relation(other, self.program, self.expanded) == facts_of(name)
        ]
        decoder = Decoder(
            self.program.types,
            encoder.texts.__getitem__,
            lambda table, id_: encoder.records[table].get(id_),
            classes_of(self.program),
            in_order=True,
        )
        return (
            [
                row
                for part in cells
                for row in zip(
                    *(decoder.column(part[:, i].tolist(), type_) for i, type_ in enumerate(types)), strict=True
                )
            ]
            if types
            else [()] * sum(map(len, cells))
        )

    # ---- values as rows

    def _new_values(self, encoder: Encoder) -> dict[str, DataFrame]:
        """Texts and records that were not there before."""
        frames = {}
        if encoder.texts:
            entries = self.spark.createDataFrame(
                pa.table(
                    {
                        "c0": pa.array(list(encoder.texts), pa.int64()),
                        "x": pa.array(list(encoder.texts.values()), pa.binary()),
                    }
                )
            )
            frames[TEXTS] = entries.join(self.frame(TEXTS).select("c0"), "c0", "left_anti")
        for table, records in encoder.records.items():
            cells = self._frame(np.array([(id_, *row) for id_, row in records.items()], np.int64))
            frames[table] = cells.join(self.frame(table).select("c0"), "c0", "left_anti")
        return frames

    def _frame(self, cells: Any) -> DataFrame:
        return self.spark.createDataFrame(
            pa.table({f"c{i}": pa.array(cells[:, i], pa.int64()) for i in range(cells.shape[1])})
        )


def drawing_components(program: Program, expanded: Expanded) -> list[Component]:
    """Components whose rules draw numbers of the counter, in the order in which they draw."""
    return [component for component in expanded.components if component.ordered and draws(program, component.ordered)]
