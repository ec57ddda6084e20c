"""Relations as leaves: cut pieces of the wide table, of which the newest holds the rows of the last iteration.

    leaf      rows of one or several copies, spread by `part`, with their number per tag
    store     the leaves of a component; views of a copy are unions over the leaves that have rows of it

Small leaves are merged like those of a log-structured merge tree; copies that have grown large get leaves of their own, so that
reading one does not read the others.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from ladder.engine.plan.steps import Window
from ladder.engine.spark import internals
from ladder.engine.spark.layout import Copy, Key, Layout

if TYPE_CHECKING:
    from pyspark import StorageLevel
    from pyspark.sql import DataFrame, SparkSession

MOST_LEAVES = 4          # that a view is a union of
COMPARABLE = 2           # a leaf is merged with newer ones that have a share of its rows: one half
LARGE = 100_000          # rows of a copy from which it gets leaves of its own

_numbers = count(1)


@dataclass(frozen=True, eq=False)
class Leaf:
    """A cut piece: `name` of its view in SQL; `rows`: per tag, none that has no rows."""

    name: str
    frame: DataFrame
    rows: Mapping[int, int]

    @property
    def size(self) -> int:
        return sum(self.rows.values())

    @property
    def only(self) -> bool:
        """Whether all rows are of one copy."""
        return len(self.rows) == 1


@dataclass(frozen=True)
class View:
    """Rows of a copy of a relation.

    `sql`: "(SELECT k, c0, c1, f FROM …)", without alias (and x, of the dictionary); spread by k, which is
    `layout.key_sql(copy.key, cells)`. Rows are distinct; `rows`: how many.
    """

    sql: str
    copy: Copy
    rows: int


class Cutter:
    """Cuts queries into leaves, all spread over the same number of partitions; `partitions`, `level`: of storage."""

    def __init__(self, spark: SparkSession, partitions: int, level: StorageLevel) -> None:
        self.spark, self.partitions, self.level = spark, partitions, level

    def frame(self, sql: str, metrics: Mapping[str, str]) -> tuple[DataFrame, Callable[[], dict[str, int]]]:
        """A query as a frame, and what its `metrics` (name → aggregate in SQL) are once it has been evaluated."""
        from pyspark.sql import Observation
        from pyspark.sql import functions as F

        observation = Observation()
        frame = self.spark.sql(sql)
        if not metrics:
            return frame, dict
        fields = (f"'{name}', {aggregate}" for name, aggregate in metrics.items())
        together = F.expr(f"named_struct({', '.join(fields)})").alias("metrics")
        return frame.observe(observation, together), lambda: observation.get["metrics"].asDict()

    def leaf(self, frame: DataFrame, rows: Mapping[int, int] | Callable[[], Mapping[int, int]]) -> Leaf:
        """Evaluate a frame whose rows are spread by its column k, in one job."""
        cut = internals.cut(frame, "k", self.partitions, self.level)
        return self.named(cut, rows() if callable(rows) else rows)

    def named(self, frame: DataFrame, rows: Mapping[int, int]) -> Leaf:
        """A leaf of rows that are cut."""
        name = f"ladder_leaf_{next(_numbers)}"
        frame.createOrReplaceTempView(name)
        return Leaf(name, frame, {tag: number for tag, number in rows.items() if number})

    def drop(self, leaf: Leaf) -> None:
        """Give a leaf's rows back."""
        self.spark.catalog.dropTempView(leaf.name)
        internals.release(leaf.frame)


class Store:
    """The leaves of a component's relations; `delta`: the leaf of the last iteration."""

    def __init__(self, cutter: Cutter, layout: Layout, leaves: Iterable[Leaf] = ()) -> None:
        self.cutter, self.layout = cutter, layout
        self.leaves: list[Leaf] = list(leaves)
        self.delta: Leaf | None = None

    def window(self, window: Window) -> list[Leaf]:
        """The leaves in which the rows of a window are."""
        if window is Window.DELTA:
            return [] if self.delta is None else [self.delta]
        return self.leaves if window is Window.BEFORE or self.delta is None else [*self.leaves, self.delta]

    def rows(self, relation: str, window: Window = Window.EVERY) -> int:
        """Number of rows of a relation."""
        tag = self.layout.tag(relation)
        return sum(leaf.rows.get(tag, 0) for leaf in self.window(window))

    def view(self, relation: str, window: Window = Window.EVERY, columns: Sequence[int] | None = None) -> View | None:
        """Rows of a relation in a window, of the copy that suits look-ups by these columns; None where there are none."""
        copy = self.layout.copy(relation, columns)
        leaves = [leaf for leaf in self.window(window) if copy.tag in leaf.rows]
        if not leaves:
            return None
        cells = ", ".join(self.layout.cells(self.layout.arities[relation]))
        extra = ", x" if relation in self.layout.texts else ""
        selects = (f"SELECT part AS k, {cells}, n, f{extra} FROM {leaf.name}{'' if leaf.only else f' WHERE t = {copy.tag}'}"
                   for leaf in leaves)
        return View(f"({' UNION ALL '.join(selects)})", copy, sum(leaf.rows[copy.tag] for leaf in leaves))

    def total(self, tags: Sequence[int], window: Window = Window.EVERY) -> str | None:
        """FROM text of the rows with these tags in the wide form; None where there are none."""
        chosen = set(tags)
        columns = "t, part AS k, " + ", ".join(self.layout.columns[2:])
        selects = [f"SELECT {columns} FROM {leaf.name}" + ("" if leaf.rows.keys() <= chosen else
                                                           f" WHERE t IN ({', '.join(map(str, sorted(chosen & leaf.rows.keys())))})")
                   for leaf in self.window(window) if chosen & leaf.rows.keys()]
        return f"({' UNION ALL '.join(selects)})" if selects else None

    def advance(self, leaf: Leaf | None) -> None:
        """A new delta; the old one joins the others."""
        if self.delta is not None:
            self.leaves.append(self.delta)
        self.delta = leaf if leaf is not None and leaf.rows else None
        if leaf is not None and self.delta is None:
            self.cutter.drop(leaf)

    def merge(self) -> None:
        """Merge leaves of comparable size where there are too many."""
        if len(self.leaves) <= MOST_LEAVES:
            return
        start, size = len(self.leaves) - 1, self.leaves[-1].size
        while start and self.leaves[start - 1].size <= COMPARABLE * size or len(self.leaves) - start < 2:
            start -= 1
            size += self.leaves[start].size
        merged = self._merged(self.leaves[start:])
        self.leaves[start:] = [merged]

    def _merged(self, leaves: Sequence[Leaf]) -> Leaf:
        columns = "t, part AS k, " + ", ".join(self.layout.columns[2:])
        rows: dict[int, int] = {}
        for leaf in leaves:
            for tag, number in leaf.rows.items():
                rows[tag] = rows.get(tag, 0) + number
        frame = self.cutter.spark.sql(" UNION ALL ".join(f"SELECT {columns} FROM {leaf.name}" for leaf in leaves))
        merged = self.cutter.leaf(frame, rows)
        for leaf in leaves:
            self.cutter.drop(leaf)
        return merged

    def add_copy(self, relation: str, key: Key) -> None:
        """Spread all rows of a relation, no delta among them, by another key, too."""
        view = self.view(relation)
        self.layout = self.layout.with_copy(relation, key)
        if view is None:
            return
        copy, cells = self.layout.copies[-1], self.layout.cells(self.layout.arities[relation])
        rows = f"SELECT {self.layout.row(relation, cells, 'n', 'f', copy=copy)} FROM {view.sql}"
        frame = self.cutter.spark.sql(f"SELECT /*+ REPARTITION({self.cutter.partitions}, k) */ * FROM ({rows})")
        self.leaves.append(self.cutter.leaf(frame, {copy.tag: view.rows}))

    def release(self) -> None:
        """Give all rows back."""
        for leaf in self.window(Window.EVERY):
            self.cutter.drop(leaf)
        self.leaves, self.delta = [], None
