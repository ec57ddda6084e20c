"""The Spark engine: a program's stages bootstrapped one after the other, each by the loop of `fixpoint`."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from ladder.engine.spark.aggregation.totals import Aggregation, carries_bytes
from ladder.engine.spark.checkpoints.checkpointing import (
    NOTHING,
    Checkpointing,
    Checkpoints,
    Restored,
    level_of_runs,
    surviving,
)
from ladder.engine.spark.facts.cells import Cells
from ladder.engine.spark.facts.fact_rows import FactRows
from ladder.engine.spark.failures import explained, tasks_lack_memory, watched
from ladder.engine.spark.fingerprints import fingerprint_of, identity_of
from ladder.engine.spark.fixpoint import Loop
from ladder.engine.spark.layout import TEXTS, Layout, Replica
from ladder.engine.spark.lowering.context import Context
from ladder.engine.spark.lowering.functions import Functions
from ladder.engine.spark.lowering.lower import lower
from ladder.engine.spark.materialised import Materialiser, Store, View, replicated
from ladder.engine.spark.ordered import OrderedComponents, drawing_components
from ladder.engine.spark.planning import Planner
from ladder.engine.spark.refusals import refusals
from ladder.engine.spark.replicas import further_keys, keys_of_inputs, keys_of_stage
from ladder.engine.spark.report import StageReport
from ladder.engine.spark.stages import Stage, stages_of, value_relations
from ladder.engine.spark.values.collisions import check_ids, content_sql, may_vary
from ladder.engine.spark.values.shipping import UnusualValue
from ladder.errors import LadderWarning
from ladder.language.core import Program
from ladder.plan.components import expand, fact_relation, needs_filler
from ladder.plan.steps import Plan, Window
from ladder.spark.session import memory_per_task
from ladder.spark.settings import PARTITIONS
from ladder.support.tuning import DEFAULT, Tuning

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_runs = count(1)


@dataclass(frozen=True)
class Options:
    """`partitions`: of every relation (None: spark.sql.shuffle.partitions); `seed`: of the hashes that make ids.

    `progress`: called after each iteration with (relations of the stage, stage, number of stages, iteration, rows that
    appeared).
    """

    partitions: int | None = None
    seed: int = 42
    most_iterations: int = 1_000_000
    progress: Callable[[str, int, int, int, int], None] | None = None
    checkpoints: Checkpointing | None = None
    tuning: Tuning = DEFAULT


class SparkState:
    """The evaluated relations as they are stored (including `R$in`, `R$all`, `R$facts` and filler columns); tables of
    records have the id first.

    `released`: whether Spark no longer holds anything for the state.
    """

    def __init__(self, engine: SparkEngine) -> None:
        self.program, self.expanded, self.report = engine.program, engine.expanded, engine.report
        self.seed, self.checkpoints = engine.options.seed, engine.checkpoints
        self.tuning = engine.options.tuning
        self.stores, self._spark, self.fact_relation = engine.stores, engine.spark, engine.fact_relation
        self.released = False

    @property
    def dictionary(self) -> DataFrame:
        """Columns c0 (id), x (BINARY: UTF-8 of a symbol, canonical bytes of an object)."""
        return self._select(TEXTS, "c0, x", "0L AS c0, CAST(NULL AS BINARY) AS x")

    def frame(self, relation: str) -> DataFrame:
        """Columns c0…, first (INT), count (BIGINT) of a relation as stored; of a table of records the id
        comes first."""
        cells = Layout.cells(self.stores[relation].layout.arities[relation])
        empty = ", ".join((*(f"0L AS {cell}" for cell in cells), "0 AS first", "0L AS count"))
        return self._select(relation, f"{', '.join(cells)}, f AS first, n AS count", empty)

    def _select(self, relation: str, items: str, empty: str) -> DataFrame:
        view = self.stores[relation].view(relation)
        return self._spark.sql(f"SELECT {empty} WHERE false" if view is None else f"SELECT {items} FROM {view.sql}")

    def rows(self, relation: str) -> int:
        """The number of rows of a relation as stored."""
        return self.stores[relation].rows(relation)

    def wide(self) -> tuple[DataFrame | None, dict[str, int]]:
        """(all rows except for the dictionary, with columns t, c0…, first, count; relation → its t).

        The rows are None if there are none.
        """
        tags = {name: tag for tag, name in enumerate(self.stores) if name != TEXTS}
        width = max(self.stores[name].layout.arities[name] for name in tags)
        selects = []
        for name, tag in tags.items():
            store = self.stores[name]
            if (view := store.view(name)) is not None:
                arity = store.layout.arities[name]
                cells = ", ".join(f"c{i}" if i < arity else f"0L AS c{i}" for i in range(width))
                selects.append(f"SELECT {tag} AS t, {cells}, f AS first, n AS count FROM {view.sql}")
        return self._spark.sql(" UNION ALL ".join(selects)) if selects else None, tags

    def release(self) -> None:
        """Release what Spark holds for this state, and the folder of its checkpoints."""
        self.released = True
        release(self.stores)
        self.checkpoints.release()


class SparkEngine:
    """Evaluates a program from scratch on a session; refuses with `Unsupported` what it cannot."""

    def __init__(self, program: Program, spark: SparkSession, options: Options | None = None) -> None:
        self.program, self.spark, self.options = program, spark, options or Options()
        self.tuning = self.options.tuning.distributing
        self.expanded = expand(program)
        for refusal in refusals(program):
            raise refusal
        self.relations = self.expanded.relations
        self.stages = stages_of(self.expanded, drawing_components(program, self.expanded))
        self.values = value_relations(self.relations)
        partitions = self.options.partitions or int(str(spark.conf.get(PARTITIONS)))
        self.materialiser = Materialiser(spark, partitions, level_of_runs(spark), self.tuning)
        self.most_branches = max(1, memory_per_task(spark) // self.tuning.memory_per_branch)
        self.stores: dict[str, Store] = {}
        self.vary = may_vary(program)
        self.functions = Functions(program, spark, self.options.seed, self.tuning)
        self.planner = Planner(self.expanded, program, self.options.tuning)
        self.ordered = OrderedComponents(
            program, self.expanded, spark, self.options.seed, self._frame, self._count, self.tuning
        )
        self.checkpoints = Checkpoints(spark, None, {}, ())
        self.report = self.checkpoints.figures
        self.unusual = ""
        self.name = ""

    def fact_relation(self, name: str) -> str:
        """The stored EDB relation that holds the facts of a relation of the program."""
        return fact_relation(name, self.program, self.expanded)

    def bootstrap(self, cells: Cells) -> SparkState:
        """Evaluate over these facts, those of the program's text included; their dictionary and records hold the
        program's constants, too."""
        try:
            state = self._bootstrapped(cells)
        except UnusualValue as error:
            self.unusual = error.message
            state = self._bootstrapped(cells)
        if self.report.losses:
            warnings.warn(self.report.losses.removesuffix("."), LadderWarning, stacklevel=2)
        return state

    def _bootstrapped(self, cells: Cells) -> SparkState:
        with explained(), watched(self.spark, self.tuning):
            identity = identity_of(self.program, self.options.seed)
            if self.options.checkpoints is not None:
                identity["facts"] = fingerprint_of(
                    self.spark, cells, [name for name in cells.names if name in self.program.relations]
                )
            self.checkpoints = Checkpoints(
                self.spark, self.options.checkpoints, identity, (*self.relations, TEXTS), self.tuning
            )
            return surviving(
                self.checkpoints,
                lambda restored: self._bootstrap(cells, restored),
                lambda error: self._finer(error, "the start"),
            )

    def _bootstrap(self, cells: Cells, restored: Restored | None) -> SparkState:
        """Evaluate all stages in order, except for what is restored."""
        began = time.perf_counter()
        self._begin_anew()
        edb_relations = {self._edb_relation(name) for name in cells.names}
        of_facts = None
        last = max((stage.number for stage in self.stages if edb_relations & stage.relations.keys()), default=0)
        for stage in self.stages:
            report = StageReport(stage.title)
            self.report.stages.append(report)
            started = time.perf_counter()
            if stage.number == 0:
                self._load(stage, cells)
                of_facts = self.stores[TEXTS]
            elif stage.ordered:
                self._evaluate_ordered(stage)
            else:
                self._evaluate(stage, cells, report, restored)
            report.seconds = time.perf_counter() - started
            if stage.number == last:
                cells.release()
        if self.stores[TEXTS] is not of_facts:
            self._check_ids()
        self.report.seconds = time.perf_counter() - began
        return SparkState(self)

    def _check_ids(self) -> None:
        """Raise `LadderError` if two contents, or two records, have the same id."""
        views = {name: self.stores[name].view(name) for name in self.values}
        check_ids(self.spark, {name: view.sql for name, view in views.items() if view is not None})

    def _begin_anew(self) -> None:
        """Release what is left of an evaluation that has lost rows."""
        release(self.stores)
        self.name = f"ladder-{next(_runs)}"  # jobs are found again by it, not those that failed before
        self.planner = Planner(self.expanded, self.program, self.options.tuning)
        self.stores, self.report = {}, self.checkpoints.figures
        self.report.unusual = self.unusual
        self.report.stages.clear()
        self.ordered.drawn.clear()

    # ---- stages

    def _load(self, stage: Stage, cells: Cells) -> None:
        """Load the first stage: facts of relations that no rule derives, and the dictionary and records of all
        facts."""
        arities = {name: relation.arity for name, relation in stage.relations.items()} | self.values
        layout = Layout.of(arities, {name: [self.planner.usual[name]] for name in stage.relations}, [TEXTS])
        store = Store(self.materialiser, layout, dict.fromkeys(self.values, ()))
        self._materialise_facts(store, cells, arities)
        self._complete(stage, store)
        self._check_ids()

    def _materialise_facts(self, store: Store, cells: Cells, among: Collection[str]) -> None:
        """Materialise the facts and values of the stored relations `among` as rows of iteration 0."""
        rows = FactRows(
            store.layout,
            {name: relation for name in cells.names if (relation := self._edb_relation(name)) in among},
            {
                name
                for name in cells.names
                if name in self.program.relations and needs_filler(self.program.relations[name])
            },
        )
        if rows.edb_relations:
            self._materialise_rows(store, *rows.of(cells))

    def _edb_relation(self, name: str) -> str:
        return self.fact_relation(name) if name in self.program.relations else name

    def _materialise_rows(self, store: Store, frames: Sequence[DataFrame], selects: Sequence[str]) -> None:
        """Rows of iteration 0, each once; `selects`: of wide rows, with {} in the place of the name of a view of each
        frame."""
        layout = store.layout
        views = [f"{self.name.replace('-', '_')}_facts_{number}" for number in range(len(frames))]
        for view, frame in zip(views, frames, strict=True):
            frame.createOrReplaceTempView(view)
        all_ = " UNION ALL ".join(select.format(view) for view, select in zip(views, selects, strict=True))
        row = ", ".join(("t", "k", *layout.cells(layout.width)))
        text, by = content_sql(self.vary) if layout.texts else ("", "")
        once = (
            f"SELECT {row}, 1L AS n, 0 AS f{text and f', {text} AS x'} FROM ({self.materialiser.spread(all_)}) "
            f"GROUP BY {row}{by}"
        )
        rows = f"SELECT t, k AS part, {', '.join(layout.columns[2:])} FROM ({once})"
        frame, found = self.materialiser.frame(replicated(rows, layout, self.materialiser.partitions), layout.metrics())
        store.advance(self.materialiser.materialise(frame, lambda: layout.counted(found())))
        store.advance(None)
        for view in views:
            self.spark.catalog.dropTempView(view)

    def queries(self) -> Iterator[tuple[Plan, list[str]]]:
        """Each plan of the bootstrap with what it selects, made without facts: a relation is read by its name and
        window."""
        for stage in self.stages:
            if stage.number == 0 or stage.ordered:
                continue
            plans = self.planner.plans(stage)
            layout = self._layout(stage, plans)

            def view(relation: str, window: Window, _columns: Sequence[int] | None, layout: Layout = layout) -> View:
                arity = self.values.get(relation) or self.relations[relation].arity
                text = ", x" if relation in layout.texts or relation == TEXTS else ""
                cells = ", ".join(Layout.cells(arity))
                return View(
                    f"(SELECT k, {cells}, n, f{text} FROM `{relation}` /* {window.name.lower()} */)",
                    Replica(relation, (0,), 0),
                    1,
                )

            context = self._context(stage, view)
            for plan in plans:
                yield plan, [derived.sql for derived in lower(plan, context, layout)]

    def _evaluate(self, stage: Stage, cells: Cells, report: StageReport, restored: Restored | None) -> None:
        """Evaluate a stage with rules."""
        plans = self.planner.plans(stage)
        layout = self._layout(stage, plans)
        store = Store(
            self.materialiser, layout, {name: self._stores_of(name) for name in self.values if name in layout.arities}
        )
        done = NOTHING if restored is None else restored.fill(stage.number, store)
        if done == NOTHING:
            self._materialise_facts(store, cells, stage.relations)
        if done is None:
            self._complete(stage, store)
            return
        self._spread_inputs(stage, plans)
        stores = {**self.stores, **dict.fromkeys(layout.arities, store)}
        aggregation = self._aggregation(stage, layout)

        def view(relation: str, window: Window, columns: Sequence[int] | None) -> View | None:
            return stores[relation].view(relation, window, columns)

        def context() -> Context:
            return self._context(stage, view)

        def after(iteration: int) -> None:
            if self.options.progress is not None:
                rows = sum(report.iterations[-1].rows.values()) if report.iterations else 0
                self.options.progress(report.relations, stage.number, len(self.stages), iteration, rows)
            self.checkpoints.after_iteration(stage.number, iteration, store)

        planned = 0

        def replan() -> Sequence[Plan] | None:
            nonlocal planned
            plans = self.planner.again(stage, store, planned)
            if plans is not None:
                planned = sum(map(store.rows, stage.relations))
                store.respread(further_keys(plans, store.layout))
                self._spread_inputs(stage, plans)
            return plans

        def finer(error: Exception, place: str) -> bool:
            if not self._finer(error, f"{report.relations}, {place}"):
                return False
            warnings.warn(
                f"tasks of Spark had too little memory: {report.relations} goes on from {place} with "
                f"{self.materialiser.partitions} partitions",
                LadderWarning,
                stacklevel=2,
            )
            for one in {id(one): one for one in stores.values()}.values():
                one.materialise_again()
            if aggregation is not None:
                aggregation.partitions = self.materialiser.partitions
            return True

        Loop(
            self.materialiser,
            stage,
            store,
            plans,
            aggregation,
            context,
            report,
            after,
            replan,
            finer,
            lambda: self.most_branches,
            f"{self.name}-{stage.number}",
            self.options.most_iterations,
            done,
            self.vary,
        ).run()
        store.advance(None)
        if aggregation is not None:
            self._add_finals(stage, store, aggregation)
        self._complete(stage, store)
        self.checkpoints.finished(
            stage.number, store, [a.name for component in stage.components for a in component.aggregates]
        )

    def _finer(self, error: Exception, place: str) -> bool:
        """If tasks had too little memory, use more partitions and fewer branches of a union in a task from now on;
        whether that was possible."""
        if not tasks_lack_memory(error):
            return False
        cores, times = max(1, int(self.spark.sparkContext.defaultParallelism)), self.tuning.finer
        if self.materialiser.partitions * times > self.tuning.most_partitions * cores:
            return False
        self.materialiser.partitions *= times
        self.most_branches = max(1, self.most_branches // times)
        self.spark.conf.set(PARTITIONS, str(self.materialiser.partitions))
        self.report.finer += ((place, self.materialiser.partitions),)
        return True

    def _evaluate_ordered(self, stage: Stage) -> None:
        """Evaluate a stage of one ordered component, whose rows are stored at iteration 0."""
        arities = {name: relation.arity for name, relation in stage.relations.items()} | self.values
        layout = Layout.of(arities, {name: [self.planner.usual[name]] for name in stage.relations}, [TEXTS])
        store = Store(self.materialiser, layout, {name: self._stores_of(name) for name in self.values})
        found = self.ordered.evaluate(stage.components[0])
        if found:
            rows = FactRows(layout, {name: name for name in found})
            self._materialise_rows(store, *rows.of(Cells(None, {}, {}, found)))
        self._complete(stage, store)

    def _frame(self, name: str) -> DataFrame:
        state = SparkState(self)
        return state.dictionary if name == TEXTS else state.frame(name)

    def _count(self, name: str) -> int:
        return self.stores[name].rows(name)

    def _spread_inputs(self, stage: Stage, plans: Sequence[Plan]) -> None:
        """Make the replicas of earlier relations that plans look up repeatedly."""
        for name, keys in keys_of_inputs(plans, {name: self.stores[name].layout for name in stage.inputs}).items():
            self.stores[name].respread({name: keys})

    def _context(self, stage: Stage, view: Callable[[str, Window, Sequence[int] | None], View | None]) -> Context:
        """The context for lowering a stage's plans in one iteration."""
        inputs = frozenset(a.inputs for component in stage.components for a in component.aggregates)
        return Context(
            self.program, self.relations, view, self.functions, self.options.seed, inputs, tuning=self.tuning
        )

    def _stores_of(self, name: str) -> list[Store]:
        """The stores with rows of a relation to which several stages add."""
        newest = self.stores[name]
        return [store for store in (*newest.earlier.get(name, ()), newest) if store.runs and store.has(name)]

    def _layout(self, stage: Stage, plans: Sequence[Plan]) -> Layout:
        """The layout of a stage: the replicas of its relations, and the dictionary and records if its rules may make
        some."""
        arities = {name: relation.arity for name, relation in stage.relations.items()}
        keys = keys_of_stage(plans, arities, self.planner.usual)
        texts = []
        for component in stage.components:
            for a in component.aggregates:
                group = tuple(range(self.relations[a.name].arity - 1))
                for name in (a.inputs, a.totals, a.name):
                    keys[name] = [group, *(key for key in keys.get(name, []) if key != group)]
                    if carries_bytes(component, name, self.relations, self.program):
                        texts.append(name)
        if texts or self.planner.makes_values(stage):
            arities |= self.values
            texts.append(TEXTS)
        return Layout.of(arities, keys, texts)

    def _aggregation(self, stage: Stage, layout: Layout) -> Aggregation | None:
        if not any(component.aggregates for component in stage.components):
            return None
        return Aggregation(
            stage.components,
            self.relations,
            self.program,
            layout,
            self.options.seed,
            self.materialiser.partitions,
            bytes_in_sql=not self.unusual,
            tuning=self.tuning,
        )

    def _add_finals(self, stage: Stage, store: Store, aggregation: Aggregation) -> None:
        """Add the final totals of aggregated relations."""
        total = store.total()
        if total is None:
            return
        layout = store.layout
        rows = f"SELECT t, k AS part, {', '.join(layout.columns[2:])} FROM ({aggregation.finals(self.spark, total)})"
        frame, found = self.materialiser.frame(replicated(rows, layout, self.materialiser.partitions), layout.metrics())
        store.advance(self.materialiser.materialise(frame, lambda: layout.counted(found())))
        aggregation.forget(self.spark)

    def _complete(self, stage: Stage, store: Store) -> None:
        """Complete a stage, all rows of which are evaluated."""
        store.settle()
        self.stores |= dict.fromkeys(store.layout.arities, store)
        self.planner.measure(store, stage)


def release(stores: Mapping[str, Store]) -> None:
    """Release the rows of all relations; several relations may share a store."""
    for store in {id(store): store for store in stores.values()}.values():
        store.release()
