"""The Spark engine: a program's components bootstrapped in topological order, each by the loop of `fixpoint`."""
from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from ladder.engine.plan.build import plans_of_bootstrap
from ladder.engine.plan.components import Component, expand, facts_of, needs_filler
from ladder.engine.plan.order import Statistics
from ladder.engine.plan.steps import Plan, Window
from ladder.engine.spark.copies import chosen_keys, look_ups, members, starts, usual_keys
from ladder.engine.spark.fixpoint import Loop, copied
from ladder.engine.spark.layout import Key, Layout
from ladder.engine.spark.leaves import Cutter, Leaf, Store, View
from ladder.engine.spark.lower import Context
from ladder.engine.spark.report import ComponentReport, RunReport
from ladder.errors import Unsupported
from ladder.language.core import Program

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

UNKNOWN_BLOCK = 12.0
_runs = count(1)


@dataclass(frozen=True)
class Options:
    """`partitions`: of every relation (None: spark.sql.shuffle.partitions); `seed`: of the hashes that make ids.

    `progress`: called after each iteration with (component, components, iteration, rows that appeared).
    """

    partitions: int | None = None
    seed: int = 42
    most_iterations: int = 1_000_000
    progress: Callable[[int, int, int, int], None] | None = None


class SparkState:
    """Relations as evaluated, all as stored (`R$in`, `R$all`, `R$facts`, tables of records, filler columns included)."""

    def __init__(self, engine: SparkEngine) -> None:
        self.program, self.expanded, self.report = engine.program, engine.expanded, engine.report
        self._stores, self._spark = engine.stores, engine.spark

    @property
    def dictionary(self) -> DataFrame:
        """Columns c0 (id), x (BINARY: UTF-8 of a symbol, canonical bytes of an object)."""
        raise NotImplementedError

    def frame(self, relation: str) -> DataFrame:
        """Columns c0…, first (INT), count (BIGINT) of a relation as stored."""
        store = self._stores[relation]
        cells = store.layout.cells(store.layout.arities[relation])
        view = store.view(relation)
        if view is None:
            empty = ", ".join((*(f"0L AS {cell}" for cell in cells), "0 AS first", "0L AS count"))
            return self._spark.sql(f"SELECT {empty} WHERE false")
        return self._spark.sql(f"SELECT {', '.join(cells)}, f AS first, n AS count FROM {view.sql}")

    def rows(self, relation: str) -> int:
        """Number of rows of a relation as stored."""
        return self._stores[relation].rows(relation)

    def release(self) -> None:
        """Give back what Spark holds for this state."""
        for store in {id(store): store for store in self._stores.values()}.values():
            store.release()


class SparkEngine:
    """Evaluates a program from scratch on a session; refuses with `Unsupported` what it cannot."""

    def __init__(self, program: Program, spark: SparkSession, options: Options | None = None) -> None:
        from pyspark import StorageLevel

        self.program, self.spark, self.options = program, spark, options or Options()
        self.expanded = expand(program)
        for name in sorted(self.expanded.ordered):
            place = program.relations[name].place
            raise Unsupported(f"{name} depends on the order in which rows are derived, which Spark does not keep"
                              f"{f' ({place.file}:{place.line})' if place else ''}.", "Evaluate the program with the local engine.")
        self.relations = self.expanded.relations
        partitions = self.options.partitions or int(str(spark.conf.get("spark.sql.shuffle.partitions")))
        self.cutter = Cutter(spark, partitions, StorageLevel(True, True, False, True, 2))
        self.stores: dict[str, Store] = {}
        self.statistics: dict[str, Statistics] = {}
        self.usual = usual_keys(self.expanded)
        self.report = RunReport()
        self.name = f"ladder-{next(_runs)}"

    def fact_relation(self, name: str) -> str:
        """The relation as stored that holds the given facts of a relation of the program."""
        taker = self.program.relations[name].facts
        if taker is not None:
            return self.fact_relation(taker)
        aggregate = self.expanded.aggregates.get(name)
        if name in self.expanded.ordered:
            return facts_of(name)
        return name if aggregate is None else aggregate.aggregands if aggregate.keyed else aggregate.facts

    def bootstrap(self, facts: Mapping[str, DataFrame], dictionary: DataFrame | None = None,
                  records: Mapping[str, DataFrame] | None = None) -> SparkState:
        """`facts`: relation of the program → its given facts, those of the program's text included, columns c0… BIGINT cells as
        users see them (no filler column); duplicates may be there. `dictionary`: c0 (id), x (BINARY) of their symbols and objects
        and of the program's constants. `records`: table of records ("[]2") → c0 (id), c1… (cells) of the facts' records."""
        began = time.perf_counter()
        given = self._given(facts)
        for position, component in enumerate(self.expanded.components):
            started = time.perf_counter()
            report = ComponentReport(tuple(r.name for r in component.relations))
            self.report.components.append(report)
            if component.rules:
                self._evaluate(position, component, given, report)
            else:
                for relation in component.relations:
                    self._load(relation.name, given.get(relation.name))
            report.seconds = time.perf_counter() - started
        self.report.seconds = time.perf_counter() - began
        return SparkState(self)

    def _given(self, facts: Mapping[str, DataFrame]) -> dict[str, DataFrame]:
        """Given facts by the relation that stores them, with its filler column."""
        given: dict[str, DataFrame] = {}
        for name, frame in facts.items():
            if needs_filler(self.program.relations[name]):
                frame = frame.selectExpr("0L AS c0", *(f"c{i} AS c{i + 1}" for i in range(len(frame.columns))))
            taker = self.fact_relation(name)
            given[taker] = given[taker].unionByName(frame) if taker in given else frame
        return given

    def _load(self, name: str, frame: DataFrame | None) -> None:
        """A relation of given facts alone."""
        arity = self.relations[name].arity
        layout = Layout.of({name: arity}, {name: [self.usual[name]]})
        store = Store(self.cutter, layout)
        if frame is not None:
            distinct = {f"d{i}": f"approx_count_distinct(c{i})" for i in range(arity)}
            leaf, found = self._cut_facts({name: frame}, layout, distinct)
            store.advance(leaf)
            store.advance(None)
            rows = store.rows(name)
            self.statistics[name] = Statistics(rows, tuple(max(1.0, rows / max(1, found[f"d{i}"])) for i in range(arity)))
        else:
            self.statistics[name] = Statistics(0, (0.0,) * arity)
        self.stores[name] = store

    def _cut_facts(self, frames: Mapping[str, DataFrame], layout: Layout, metrics: Mapping[str, str]) -> tuple[Leaf, dict[str, int]]:
        """Given facts as rows of iteration 0, each once."""
        selects: list[str] = []
        for name, frame in frames.items():
            view = f"ladder_facts_{self.name.replace('-', '_')}_{len(selects)}"
            frame.createOrReplaceTempView(view)
            selects.append(f"SELECT {layout.row(name, layout.cells(layout.arities[name]))} FROM {view}")
        row = ", ".join(layout.columns)
        spread = f"SELECT /*+ REPARTITION({self.cutter.partitions}, k) */ * FROM ({' UNION ALL '.join(selects)})"
        sql = copied(f"SELECT {row} FROM ({spread}) GROUP BY {row}", layout, self.cutter.partitions)
        frame, found = self.cutter.frame(sql, {**layout.metrics(), **metrics})
        leaf = self.cutter.leaf(frame, lambda: layout.counted(found()))
        return leaf, found()

    def _evaluate(self, position: int, component: Component, given: Mapping[str, DataFrame], report: ComponentReport) -> None:
        """One component with rules."""
        plans = self._plans(component)
        layout = self._layout(component, plans)
        store = Store(self.cutter, layout)
        frames = {name: given[name] for name in component.names if name in given}
        if frames:
            leaf, _ = self._cut_facts(frames, layout, {})
            store.advance(leaf)
            store.advance(None)
        self._prepare_inputs(component, plans)
        self.stores |= dict.fromkeys(component.names, store)

        def view(relation: str, window: Window, columns: Sequence[int] | None) -> View | None:
            return self.stores[relation].view(relation, window, columns)

        def after(iteration: int) -> None:
            if self.options.progress is not None:
                rows = sum(report.iterations[-1].rows.values()) if report.iterations else 0
                self.options.progress(position, len(self.expanded.components), iteration, rows)

        Loop(self.cutter, component, store, plans, lambda: Context(self.program, self.relations, view, None, self.options.seed),
             report, self.options.most_iterations, after, f"{self.name}-{position}").run()
        for name in component.names:
            rows = store.rows(name)
            self.statistics[name] = Statistics(rows, (min(float(rows), UNKNOWN_BLOCK),) * self.relations[name].arity)

    def _plans(self, component: Component) -> list[Plan]:
        def statistics(name: str) -> Statistics:
            return self.statistics.get(name) or Statistics.unknown(self.relations[name].arity)

        given: dict[str, Statistics] = {}
        return [plan for rule in component.rules
                for plan in plans_of_bootstrap(rule, component.names, given, statistics, component.names)]

    def _layout(self, component: Component, plans: Sequence[Plan]) -> Layout:
        """The copies of a component's relations."""
        wanted, whole, first = look_ups(plans), members(plans), starts(plans)
        keys: dict[str, list[Key]] = {}
        for relation in component.relations:
            name = relation.name
            keys[name] = chosen_keys(wanted.get(name, [])) or [first.get(name) or next(iter(whole.get(name, [])), self.usual[name])]
        return Layout.of({r.name: r.arity for r in component.relations}, keys)

    def _prepare_inputs(self, component: Component, plans: Sequence[Plan]) -> None:
        """Copies of the relations of earlier components that plans look up again and again."""
        wanted = look_ups(plans)
        for name in component.inputs:
            store = self.stores[name]
            for key in chosen_keys(wanted.get(name, []), [copy.key for copy in store.layout.copies_of(name)]):
                store.add_copy(name, key)
