"""One stage: iteration by iteration, one job each, until no row is new.

plans of the iteration, each on the delta   → rows of heads (t, k, c…, n, f)
REPARTITION by k                            the only shuffle of results
GROUP BY row                                n: derivations at this iteration
LEFT JOIN with the total, keep what is new
totals of aggregated relations that change
replicas for other keys, where there are any  → REPARTITION by k
observe the rows per relation, materialise  → the delta of the next iteration
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ladder.engine.spark.layout import Layout
from ladder.engine.spark.lowering.context import Context
from ladder.engine.spark.lowering.lower import Derived, lower
from ladder.engine.spark.materialised import Materialiser, Run, Store, replicated
from ladder.engine.spark.report import IterationReport, StageReport
from ladder.engine.spark.stages import Stage
from ladder.engine.spark.values.collisions import content_sql, new_content_sql
from ladder.errors import LadderError
from ladder.plan.steps import Plan, Role
from ladder.spark import internals

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ladder.engine.spark.aggregation.totals import Aggregation


@dataclass
class Loop:
    """What the loop of a stage works with; `store`: of the stage; its facts are iteration 0.

    `context`: makes the context of an iteration's lowering. `after`: called after each iteration, with its number.
    `replan`: new plans where relations have outgrown those at hand. `finer`: smaller tasks, given an error
    of one that had too little memory; whether there may be any. `most_branches`: of a union, that are evaluated in the
    same tasks. `done`: iterations that are in the store already. `vary`: see `collisions.may_vary`.
    """

    materialiser: Materialiser
    stage: Stage
    store: Store
    plans: Sequence[Plan]
    aggregation: Aggregation | None
    context: Callable[[], Context]
    report: StageReport
    after: Callable[[int], None]
    replan: Callable[[], Sequence[Plan] | None]
    finer: Callable[[Exception, str], bool]
    most_branches: Callable[[], int]
    tag: str
    most_iterations: int = 1_000_000
    done: int = 0
    vary: bool = False
    _views: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Evaluate to the end."""
        iteration = self.done + 1
        while True:
            role = Role.ONCE if iteration == 1 else Role.ITERATED
            self.plans = self.replan() or self.plans if iteration > 1 and self.store.delta is not None else self.plans
            plans = [plan for plan in self.plans if plan.role is role]
            if not plans or iteration > 1 and self.store.delta is None:
                break
            if iteration > self.most_iterations:
                raise LadderError(f"{self.stage.title}: new rows after {self.most_iterations} iterations.")
            self._iterated(iteration, plans)
            self.after(iteration)
            iteration += 1

    def _iterated(self, iteration: int, plans: Sequence[Plan]) -> None:
        """One iteration, with smaller tasks where it takes more memory than they have: what the iterations before have
        left stands."""
        while True:
            try:
                self.store.merge()
                self.iterate(iteration, plans)
                return
            except Exception as error:
                self._forget()
                if not self.finer(error, f"iteration {iteration}"):
                    raise

    def iterate(self, iteration: int, plans: Iterable[Plan]) -> None:
        """One iteration: its rows are the new delta."""
        began = time.perf_counter()
        context = self.context()
        query = self.query(plans, context)
        if query is None:
            self.store.advance(None)
            return
        tag = f"{self.tag}-{iteration}"
        with internals.tagged(self.materialiser.spark, tag):
            frame, counted = self.materialiser.frame(query, self.store.layout.metrics())
            planned = time.perf_counter()
            run = self.materialiser.materialise(frame, lambda: self.store.layout.counted(counted()))
        self._forget()
        self.store.advance(run)
        self.note(iteration, run, tag, time.perf_counter() - began, planned - began)

    def _forget(self) -> None:
        """Drop what an iteration has made for itself."""
        with suppress(Exception):  # a session that has ended with the iteration has nothing left to drop
            for view in self._views:
                self.materialiser.spark.catalog.dropTempView(view)
            if self.aggregation is not None:
                self.aggregation.forget(self.materialiser.spark)
        self._views.clear()

    def query(self, plans: Iterable[Plan], context: Context) -> str | None:
        """The rows that are new at this iteration, all replicas, from what plans derive; None where no plan can derive
        any."""
        lowered = [select for plan in plans for select in lower(plan, context, self.store.layout)]
        inputs = {a.inputs for component in self.stage.components for a in component.aggregates}
        plain = [select for select in lowered if not select.relations & inputs]
        aggregated = [select for select in lowered if select.relations & inputs]
        parts: list[str] = []
        if aggregated:
            assert self.aggregation is not None
            candidates = self._shared(aggregated)
            totals = self.aggregation.totals(
                self.materialiser.spark,
                f"({candidates})",
                self.store.total(self.aggregation.reads),
                frozenset().union(*(select.relations for select in aggregated)),
            )
            parts.append(self._new(candidates, Distinct.of(self.store.layout, aggregated)))
            if totals.settled is not None:
                columns = ", ".join(self.store.layout.columns[2:])
                parts.append(f"SELECT t, k AS part, {columns} FROM ({totals.settled})")
            plain += [Derived(frozenset(self.store.layout.arities), select, 0, False) for select in totals.derived]
        if plain:
            distinct = Distinct.of(self.store.layout, plain)
            parts.insert(0, self._new(self._spread(plain, distinct.items), distinct))
        return replicated(self._beside(parts), self.store.layout, self.materialiser.partitions) if parts else None

    def _spread(self, selects: Sequence[Derived], items: str) -> str:
        """SELECT text of these columns of what plans derive, spread by k."""
        return self.materialiser.spread(self._united(selects, items))

    def _shared(self, selects: Sequence[Derived]) -> str:
        """SELECT text of wide rows that plans derive, spread by k, for several readers in one query."""
        rest = ", ".join(self.store.layout.columns[2:])
        rows = self.materialiser.spread(self._united(selects, f"t, k AS part, {rest}"), internals.PART)
        frame = internals.shared(self.materialiser.spark.sql(rows), self.materialiser.partitions)
        return f"SELECT t, part AS k, {rest} FROM {self._view_of(frame)}"

    def _united(self, selects: Sequence[Derived], items: str) -> str:
        """SELECT text of these columns of what plans derive."""
        rows = f"SELECT {items} FROM ({' UNION ALL '.join(select.sql for select in selects)})"
        frame = internals.gathered(
            self.materialiser.spark.sql(rows),
            self.materialiser.partitions,
            lambda branches: _together(
                [select.rows for select in selects],
                branches,
                self.most_branches(),
                self.materialiser.tuning.rows_together,
            ),
        )
        return f"SELECT * FROM {self._view_of(frame)}"

    def _beside(self, parts: Sequence[str]) -> str:
        """SELECT text of the rows of several, each spread by `part`."""
        if len(parts) == 1:
            return parts[0]
        frames = [self.materialiser.spark.sql(part) for part in parts]
        return (
            f"SELECT * FROM {self._view_of(internals.together(frames, internals.PART, self.materialiser.partitions))}"
        )

    def _view_of(self, frame: DataFrame) -> str:
        """The name of a frame until the iteration is over."""
        name = f"ladder_derived_{len(self._views)}"
        frame.createOrReplaceTempView(name)
        self._views.append(name)
        return name

    def _new(self, spread: str, distinct: Distinct) -> str:
        """Rows, many times and perhaps known → wide rows that are new, once, with the number of derivations."""
        row, texts = ", ".join(distinct.columns), bool(self.store.layout.texts)
        text, by = content_sql(self.vary) if texts else ("", "")
        once = (
            f"SELECT {row}, {distinct.count} AS n, max(f) AS f{text and f', {text} AS x'} FROM ({spread}) GROUP BY "
            f"{row}{by}"
        )
        known = self.store.total(distinct.relations, earlier=True)
        if known is None:
            return f"SELECT {distinct.wide('q.x')} FROM ({once}) q"
        same = " AND ".join(f"q.{name} = x.{name}" for name in distinct.columns)
        content, differs = new_content_sql("q.x", "x.x") if texts else ("q.x", "false")
        kept = f"x.k IS NULL OR {differs}" if texts else "x.k IS NULL"
        return (
            f"SELECT /*+ SHUFFLE_HASH(q) */ {distinct.wide(content)} FROM ({once}) q LEFT JOIN {known} x ON {same} "
            f"WHERE {kept}"
        )

    def note(self, iteration: int, run: Run, tag: str, seconds: float, planning: float) -> None:
        """Report an iteration."""
        layout = self.store.layout
        rows = {name: number for name in layout.arities if (number := run.rows.get(layout.tag(name), 0))}
        figures = internals.figures(self.materialiser.spark, tag)
        self.report.iterations.append(IterationReport(iteration, rows, seconds, planning, figures))


@dataclass(frozen=True)
class Distinct:
    """Says by which columns rows of these relations differ: not by those that all of them have the same way.

    `columns`: these, k among them; `values`: SQL of the others, of rows `q`. `once`: each row is one derivation.
    """

    layout: Layout
    relations: frozenset[str]
    columns: tuple[str, ...]
    values: Mapping[str, str]
    once: bool

    @staticmethod
    def of(layout: Layout, selects: Sequence[Derived]) -> Distinct:
        """Return how the rows that these selects yield are made distinct."""
        relations = frozenset[str]().union(*(select.relations for select in selects))
        copies = [layout.replicas_of(name)[0] for name in relations]
        arity, keys = max(layout.arities[name] for name in relations), {replica.key for replica in copies}
        values = {"t": str(copies[0].tag)} if len(copies) == 1 else {}
        values |= {f"c{column}": "0L" for column in range(arity, layout.width)}
        values |= {f"c{key[0]}": "q.k" for key in keys if len(keys) == len(key) == 1}
        columns = tuple(name for name in ("t", "k", *layout.cells(layout.width)) if name not in values)
        return Distinct(layout, relations, columns, values, all(select.once for select in selects))

    @property
    def items(self) -> str:
        """SELECT list of what is needed of derived rows."""
        return ", ".join((*self.columns, *(() if self.once else ("n",)), "f", *(("x",) if self.layout.texts else ())))

    @property
    def count(self) -> str:
        """SQL of the number of derivations of rows that are the same."""
        return "count(*)" if self.once else "sum(n)"

    def wide(self, content: str) -> str:
        """SELECT list of the whole row, of rows `q`; `content`: SQL of x."""
        values = {**self.values, "x": content}
        return ", ".join(
            f"{values.get(name, f'q.{name}')} AS {'part' if name == 'k' else name}" for name in self.layout.columns
        )


def _together(rows: Sequence[int], branches: int, most: int, most_rows: int) -> list[list[int]]:
    """Branches that are evaluated in the same tasks: as many as start from `most_rows` rows together, and `most`, since
    tasks keep all their tables."""
    if len(rows) != branches:
        return [[branch] for branch in range(branches)]
    groups: list[list[int]] = []
    size = 0
    for branch in sorted(range(branches), key=lambda branch: rows[branch]):
        size += rows[branch]
        if not groups or size > most_rows or len(groups[-1]) >= most:
            groups.append([])
            size = rows[branch]
        groups[-1].append(branch)
    return groups
