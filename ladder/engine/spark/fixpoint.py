"""One component: iteration by iteration, one job each, until no row is new.

    plans of the iteration, each on the delta   → rows of heads (t, k, c…, n, f)
    REPARTITION by k                            the only shuffle of results
    GROUP BY row                                n: derivations at this iteration
    LEFT JOIN with the total, keep what is new
    copies for other keys, where there are any  → REPARTITION by k
    observe the rows per tag, cut               → the delta of the next iteration
"""
from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ladder.engine.plan.components import Component
from ladder.engine.plan.steps import Plan, Role
from ladder.engine.spark import internals
from ladder.engine.spark.layout import Layout
from ladder.engine.spark.leaves import Cutter, Leaf, Store
from ladder.engine.spark.lower import Context, lower
from ladder.engine.spark.report import ComponentReport, IterationReport
from ladder.errors import LadderError


@dataclass(frozen=True)
class Loop:
    """What the loop of a component works with; `store`: of the component, its given facts are iteration 0.

    `context`: makes the context of an iteration's lowering. `after`: called after each cut, with the number of the iteration.
    """

    cutter: Cutter
    component: Component
    store: Store
    plans: Sequence[Plan]
    context: Callable[[], Context]
    report: ComponentReport
    most_iterations: int
    after: Callable[[int], None]
    tag: str

    def run(self) -> None:
        """Evaluate to the end: afterwards the store holds all rows, and no delta is apart."""
        iteration, role = 1, Role.ONCE
        while True:
            appeared = self.iterate(iteration, [plan for plan in self.plans if plan.role is role])
            self.after(iteration)
            role, iteration = Role.ITERATED, iteration + 1
            if not appeared or not any(plan.role is role for plan in self.plans):
                break
            if iteration > self.most_iterations:
                raise LadderError(f"{', '.join(sorted(self.component.names))}: new rows after {self.most_iterations} iterations.")
            self.store.merge()
        self.store.advance(None)

    def iterate(self, iteration: int, plans: Iterable[Plan]) -> bool:
        """One iteration; whether any row appeared."""
        began = time.perf_counter()
        context = self.context()
        selects = [select for plan in plans for select in lower(plan, context, self.store.layout)]
        if not selects:
            self.store.advance(None)
            return False
        tag = f"{self.tag}-{iteration}"
        with internals.tagged(self.cutter.spark, tag):
            frame, counted = self.cutter.frame(self.query(selects), self.store.layout.metrics())
            planned = time.perf_counter()
            leaf = self.cutter.leaf(frame, lambda: self.store.layout.counted(counted()))
        self.store.advance(leaf)
        self.note(iteration, leaf, tag, time.perf_counter() - began, planned - began)
        return self.store.delta is not None

    def query(self, selects: Sequence[str]) -> str:
        """The rows that are new at this iteration, all copies, from what plans derive."""
        layout, partitions = self.store.layout, self.cutter.partitions
        row = ("t", "k", *layout.cells(layout.width), *(["x"] if layout.texts else []))
        spread = f"SELECT /*+ REPARTITION({partitions}, k) */ * FROM ({' UNION ALL '.join(selects)})"
        new = f"SELECT {', '.join(row)}, sum(n) AS n, max(f) AS f FROM ({spread}) GROUP BY {', '.join(row)}"
        total = self.store.total([layout.tag(name) for name in layout.arities])
        if total is not None:
            same = " AND ".join(f"q.{name} = x.{name}" for name in row if name != "x")
            other = " OR q.x <> x.x" if layout.texts else ""
            columns = ", ".join(f"q.{name}" for name in layout.columns)
            new = (f"SELECT /*+ SHUFFLE_HASH(q) */ {columns} FROM ({new}) q LEFT JOIN {total} x ON {same} "
                   f"WHERE x.t IS NULL{other}")
        else:
            new = f"SELECT {', '.join(layout.columns)} FROM ({new})"
        return self.copied(new)

    def copied(self, rows: str) -> str:
        """Rows of copy 0 → those of all copies, spread by their keys."""
        return copied(rows, self.store.layout, self.cutter.partitions)

    def note(self, iteration: int, leaf: Leaf, tag: str, seconds: float, planning: float) -> None:
        """Report an iteration."""
        layout = self.store.layout
        rows = {name: number for name in layout.arities if (number := leaf.rows.get(layout.tag(name), 0))}
        self.report.iterations.append(IterationReport(iteration, rows, seconds, planning, internals.figures(self.cutter.spark, tag)))


def copied(rows: str, layout: Layout, partitions: int) -> str:
    """SELECT of rows of copy 0 → those of all copies, spread by their keys; as they are where there is one copy of each."""
    if len(layout.copies) == len(layout.arities):
        return rows
    cases = []
    for name, arity in layout.arities.items():
        first, *others = layout.copies_of(name)
        if others:
            copies = ", ".join(layout.place(copy, layout.cells(arity)) for copy in (first, *others))
            cases.append(f"WHEN t = {first.tag} THEN array({copies})")
    places = f"CASE {' '.join(cases)} ELSE array(named_struct('t', t, 'k', k)) END"
    rest = ", ".join(layout.columns[2:])
    return (f"SELECT /*+ REPARTITION({partitions}, k) */ place.t AS t, place.k AS k, {rest} "
            f"FROM (SELECT explode({places}) AS place, {rest} FROM ({rows}))")
