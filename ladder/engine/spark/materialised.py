"""Relations as leaves: cut pieces of the wide table, of which the newest holds the rows of the last iteration.

    leaf      rows of one or several copies, spread by `part`, with their number per tag
    store     the leaves of a stage; views of a copy are unions over the leaves that have rows of it

Small leaves are merged like those of a log-structured merge tree; copies that have grown large get leaves of their own,
so that reading one does not read the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from ladder.engine.spark.layout import NO_TEXT, Copy, Key, Layout
from ladder.plan.steps import Window
from ladder.spark import internals

if TYPE_CHECKING:
    from pyspark import StorageLevel
    from pyspark.sql import DataFrame, SparkSession

MOST_LEAVES = 4  # of the same columns, beside the delta
COMPARABLE = 2  # a leaf is merged with newer ones that have a share of its rows: one half
LARGE = 100_000  # rows of a copy from which it gets leaves of its own

_numbers = count(1)


@dataclass(frozen=True, eq=False)
class Leaf:
    """A cut piece: `name` of its view in SQL; `rows`: per tag, none that has no rows.

    `only`: the copy that all rows are of, where the leaf has no columns but those of that copy (no t). `hidden`: tags
    of further rows, which another leaf has instead.
    """

    name: str
    frame: DataFrame
    rows: Mapping[int, int]
    only: Copy | None = None
    hidden: frozenset[int] = frozenset()

    @property
    def size(self) -> int:
        return sum(self.rows.values())

    def having(self, tags: Iterable[int]) -> str:
        """The condition for rows with these tags, as a WHERE clause; none where there are no others."""
        wanted = self.rows.keys() & set(tags)
        return (
            ""
            if len(wanted) == len(self.rows) and not self.hidden
            else f" WHERE t IN ({', '.join(map(str, sorted(wanted)))})"
        )


@dataclass(frozen=True)
class View:
    """Rows of a copy of a relation.

    `sql`: "(SELECT k, c0, c1, n, f FROM …)", without alias (and x, of relations with texts); spread by k, which is
    `layout.key_sql(copy.key, cells)`. Rows are distinct; `rows`: how many. `text`: the column whose bytes x is, if any.
    """

    sql: str
    copy: Copy
    rows: int
    text: int | None = None


def added(rows: Iterable[Mapping[int, int]]) -> dict[int, int]:
    """Numbers of rows per tag, summed."""
    total: dict[int, int] = {}
    for of in rows:
        for tag, number in of.items():
            total[tag] = total.get(tag, 0) + number
    return total


class Cutter:
    """Cuts queries into leaves, all spread over the same number of partitions; `level`: of storage."""

    def __init__(self, spark: SparkSession, partitions: int, level: StorageLevel) -> None:
        self.spark, self.partitions, self.level = spark, partitions, level

    def spread(self, rows: str, column: str = "k") -> str:
        """SELECT text of rows (SELECT text) spread by a column."""
        return f"SELECT /*+ REPARTITION({self.partitions}, {column}) */ * FROM ({rows})"

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

    def leaf(
        self, frame: DataFrame, rows: Mapping[int, int] | Callable[[], Mapping[int, int]], only: Copy | None = None
    ) -> Leaf:
        """Evaluate a frame whose rows are spread by its column `part`, in one job."""
        cut = internals.cut(frame, self.partitions, self.level)
        name = f"ladder_leaf_{next(_numbers)}"
        cut.createOrReplaceTempView(name)
        return Leaf(
            name, cut, {tag: number for tag, number in (rows() if callable(rows) else rows).items() if number}, only
        )

    def again(self, leaf: Leaf) -> Leaf:
        """Return a leaf with the same rows, cut as finely as is wanted now."""
        new = self.leaf(self.spark.sql(self.spread(f"SELECT * FROM {leaf.name}", internals.PART)), leaf.rows, leaf.only)
        self.drop(leaf)
        return replace(new, hidden=leaf.hidden)

    def united(self, leaves: Sequence[Leaf]) -> Leaf:
        """Leaves with the same columns as one, whose rows are theirs."""
        frame, name = (
            internals.united([leaf.frame for leaf in leaves], self.partitions),
            f"ladder_leaves_{next(_numbers)}",
        )
        frame.createOrReplaceTempView(name)
        return Leaf(
            name,
            frame,
            added(leaf.rows for leaf in leaves),
            leaves[0].only,
            frozenset().union(*(leaf.hidden for leaf in leaves)),
        )

    def forget(self, leaf: Leaf) -> None:
        """A united leaf is not needed any more."""
        self.spark.catalog.dropTempView(leaf.name)

    def drop(self, leaf: Leaf) -> None:
        """Give a leaf's rows back."""
        self.spark.catalog.dropTempView(leaf.name)
        internals.release(leaf.frame)


def copied(rows: str, layout: Layout, partitions: int) -> str:
    """SELECT text of rows of copy 0, spread by `part` → those of all copies, spread by it."""
    if len(layout.copies) == len(layout.arities):
        return rows
    cases = []
    for name, arity in layout.arities.items():
        first, *others = layout.copies_of(name)
        if others:
            copies = ", ".join(layout.place(copy, layout.cells(arity)) for copy in (first, *others))
            cases.append(f"WHEN t = {first.tag} THEN array({copies})")
    places = f"CASE {' '.join(cases)} ELSE array(named_struct('t', t, 'k', part)) END"
    rest = ", ".join(layout.columns[2:])
    return (
        f"SELECT /*+ REPARTITION({partitions}, part) */ place.t AS t, place.k AS part, {rest} "
        f"FROM (SELECT explode({places}) AS place, {rest} FROM ({rows}))"
    )


def _comparable(leaves: Sequence[Leaf]) -> list[Leaf]:
    """The newest leaves, with older ones as long as these have not many more rows: two at least."""
    start, size = len(leaves) - 1, leaves[-1].size
    while start and (leaves[start - 1].size <= COMPARABLE * size or len(leaves) - start < 2):
        start -= 1
        size += leaves[start].size
    return list(leaves[start:])


class Store:
    """The leaves of a stage's relations. `delta`: the leaf of the last iteration.

    `earlier`: of relations that several stages add rows to, the stores of earlier stages that have some; the stores of
    a relation share no row.
    """

    def __init__(self, cutter: Cutter, layout: Layout, earlier: Mapping[str, Sequence[Store]] | None = None) -> None:
        self.cutter, self.layout, self.earlier = cutter, layout, earlier or {}
        self.leaves: list[Leaf] = []
        self.delta: Leaf | None = None
        self._unions: dict[tuple[Leaf, ...], Leaf] = {}
        self._earlier: dict[tuple[str, Key], Leaf] = {}

    # ---- what is there

    def window(self, window: Window = Window.EVERY) -> list[Leaf]:
        """The leaves in which the rows of a window are."""
        if window is Window.DELTA:
            return [] if self.delta is None else [self.delta]
        return self.leaves if window is Window.BEFORE or self.delta is None else [*self.leaves, self.delta]

    def rows(self, relation: str, window: Window = Window.EVERY) -> int:
        """Number of rows of a relation; those of earlier stages among every one."""
        stores = (self, *self.earlier.get(relation, ())) if window is Window.EVERY else (self,)
        return sum(leaf.rows.get(store.layout.tag(relation), 0) for store in stores for leaf in store.window(window))

    def has(self, relation: str) -> bool:
        """Whether rows of a relation were added here."""
        return any(self.layout.tag(relation) in leaf.rows for leaf in self.window())

    def view(self, relation: str, window: Window = Window.EVERY, columns: Sequence[int] | None = None) -> View | None:
        """Rows of a relation in a window, of the copy that suits look-ups by these columns; None where
        there are none."""
        copy = self.layout.copy(relation, columns)
        items = ", ".join(
            (
                *self.layout.cells(self.layout.arities[relation]),
                "n",
                "f",
                *(["x"] if relation in self.layout.texts else []),
            )
        )
        pieces = [(leaf, (copy.tag,)) for leaf in self._united(copy.tag, window)]
        if window is Window.EVERY:
            pieces += self._earlier_pieces(relation, copy.key)
        if not pieces:
            return None
        selects = (f"SELECT part AS k, {items} FROM {leaf.name}{leaf.having(tag)}" for leaf, tag in pieces)
        text = self.layout.arities[relation] - 1 if relation in self.layout.texts else None
        return View(f"({' UNION ALL '.join(selects)})", copy, sum(leaf.rows[tag] for leaf, (tag,) in pieces), text)

    def _earlier_pieces(self, relation: str, key: Key) -> list[tuple[Leaf, tuple[int]]]:
        found: list[tuple[Leaf, tuple[int]]] = []
        apart: list[tuple[Leaf, int]] = []
        for store in self.earlier.get(relation, ()):
            copy = store.layout.copy_by(relation, key)
            for leaf in store._united(copy.tag):
                if leaf.only is None:
                    found.append((leaf, (copy.tag,)))
                else:
                    apart.append((leaf, copy.tag))
        if apart and (relation, key) not in self._earlier:
            # One scan of the leaves of many stages: plans would grow by a branch for each of them, wherever the
            # dictionary is asked.
            whole = self.cutter.united([leaf for leaf, _ in apart])
            self._earlier[relation, key] = replace(
                whole, rows={apart[0][1]: sum(leaf.rows[tag] for leaf, tag in apart)}
            )
        return [*found, (self._earlier[relation, key], (apart[0][1],))] if apart else found

    def _united(self, tag: int, window: Window = Window.EVERY) -> list[Leaf]:
        """The leaves that have rows with a tag, those with the same columns as one."""
        found = [leaf for leaf in self.window(window) if tag in leaf.rows]
        kinds = (
            tuple(leaf for leaf in found if leaf.only is not None),
            tuple(leaf for leaf in found if leaf.only is None),
        )
        return [self._as_one(leaves) for leaves in kinds if leaves]

    def _as_one(self, leaves: tuple[Leaf, ...]) -> Leaf:
        if len(leaves) == 1:
            return leaves[0]
        if leaves not in self._unions:
            self._unions[leaves] = self.cutter.united(leaves)
        return self._unions[leaves]

    def total(
        self, relations: Iterable[str] | None = None, window: Window = Window.EVERY, earlier: bool = False
    ) -> str | None:
        """FROM text of the rows of copy 0 of relations (None: of all) in the wide form, spread by k; None where there
        are none.

        `earlier`: those of earlier stages, too.
        """
        names = [name for name in self.layout.arities if relations is None or name in relations]
        tags = {self.layout.tag(name) for name in names}
        found = [leaf for leaf in self.window(window) if tags & leaf.rows.keys()]
        wide = tuple(leaf for leaf in found if leaf.only is None)
        selects = [
            self._wide(leaf, tags)
            for leaf in (*([self._as_one(wide)] if wide else []), *(leaf for leaf in found if leaf.only))
        ]
        if earlier:
            for name in names:
                copy = self.layout.copies_of(name)[0]
                selects += [
                    f"SELECT {self._padded(copy)} FROM {leaf.name}{leaf.having(tag)}"
                    for leaf, tag in self._earlier_pieces(name, copy.key)
                ]
        return f"({' UNION ALL '.join(selects)})" if selects else None

    def _wide(self, leaf: Leaf, tags: Iterable[int]) -> str:
        if leaf.only is not None:
            return f"SELECT {self._padded(leaf.only)} FROM {leaf.name}"
        return f"SELECT t, part AS k, {', '.join(self.layout.columns[2:])} FROM {leaf.name}{leaf.having(tags)}"

    def _padded(self, copy: Copy) -> str:
        """SELECT list of a wide row made of the columns of one copy."""
        arity, layout = self.layout.arities[copy.relation], self.layout
        cells = [name if place < arity else f"0L AS {name}" for place, name in enumerate(layout.cells(layout.width))]
        text = [] if not layout.texts else ["x"] if copy.relation in layout.texts else [f"{NO_TEXT} AS x"]
        return ", ".join((f"{copy.tag} AS t", "part AS k", *cells, "n", "f", *text))

    # ---- what happens to it

    def advance(self, leaf: Leaf | None) -> None:
        """A new delta; the old one joins the others."""
        self._forget()
        if self.delta is not None:
            self.leaves.append(self.delta)
        self.delta = leaf if leaf is not None and leaf.rows else None
        if leaf is not None and self.delta is None:
            self.cutter.drop(leaf)

    def merge(self) -> None:
        """Merge leaves of comparable size where there are too many of the same columns; large copies come out as leaves
        of their own."""
        wide = [leaf for leaf in self.leaves if leaf.only is None]
        if len(wide) > MOST_LEAVES:
            chosen = _comparable(wide)
            rows = added(leaf.rows for leaf in chosen)
            large = [copy for copy in self.layout.copies if rows.get(copy.tag, 0) >= LARGE] if len(rows) > 1 else []
            self._replace(chosen, self._taken_apart(chosen, large, rows.keys() - {copy.tag for copy in large}))
        for copy in self.layout.copies:
            own = [leaf for leaf in self.leaves if leaf.only == copy]
            if len(own) > MOST_LEAVES:
                chosen = _comparable(own)
                self._replace(chosen, [self._merged(chosen)])

    def _taken_apart(self, leaves: Sequence[Leaf], own: Iterable[Copy], rest: AbstractSet[int]) -> list[Leaf]:
        """Wide leaves → one for each of these copies, and one for the rows with the other tags."""
        new = [self._own(copy, copy, leaves) for copy in own]
        if not new and all(leaf.only is None for leaf in leaves) and rest >= added(leaf.rows for leaf in leaves).keys():
            return [self._merged(leaves)]
        having = [leaf for leaf in leaves if leaf.rows.keys() & rest]
        if having:
            columns = f"t, k AS part, {', '.join(self.layout.columns[2:])}"
            selects = (self._wide(leaf, rest) for leaf in having)
            frame = self.cutter.spark.sql(f"SELECT {columns} FROM ({' UNION ALL '.join(selects)})")
            rows = added(leaf.rows for leaf in having)
            new.append(self.cutter.leaf(frame, {tag: number for tag, number in rows.items() if tag in rest}))
        return new

    def _merged(self, leaves: Sequence[Leaf]) -> Leaf:
        united = self.cutter.united(leaves)
        merged = self.cutter.leaf(united.frame, united.rows, united.only)
        self.cutter.forget(united)
        return merged

    def _replace(self, old: Sequence[Leaf], new: Sequence[Leaf]) -> None:
        """Leaves in the place of others, which are given back."""
        self._forget()
        place = self.leaves.index(old[0])
        self.leaves = [leaf for leaf in self.leaves if leaf not in old]
        self.leaves[place:place] = new
        for leaf in old:
            self.cutter.drop(leaf)

    def _forget(self) -> None:
        for leaf in self._unions.values():
            self.cutter.forget(leaf)
        self._unions = {}

    def settle(self) -> None:
        """All iterations are over: large relations get a leaf of their own, further copies are given back with the rows
        they share.

        So do relations that several stages add to, for later ones to read all of it as one.
        """
        self.advance(None)
        self._give_back()
        for name in self.earlier:
            self._set_apart(self.layout.copies_of(name)[0])

    def _give_back(self) -> None:
        large = [
            copies[0]
            for copies in map(self.layout.copies_of, self.layout.arities)
            if sum(leaf.rows.get(copies[0].tag, 0) for leaf in self.leaves) >= LARGE
        ]
        if not large or len(self.layout.copies) == 1:
            return
        self._replace(
            self.leaves,
            self._taken_apart(
                self.leaves,
                large,
                {self.layout.tag(name) for name in self.layout.arities} - {copy.tag for copy in large},
            ),
        )
        self.layout = self.layout.with_copies(dict.fromkeys(self.layout.arities, ()))

    def _set_apart(self, copy: Copy) -> None:
        """Have a leaf of its own for a copy's rows, which remain hidden where they were."""
        having = [leaf for leaf in self.leaves if leaf.only is None and copy.tag in leaf.rows]
        if not having:
            return
        self._forget()
        self.leaves.append(self._own(copy, copy, having))
        for leaf in having:
            rows = {tag: number for tag, number in leaf.rows.items() if tag != copy.tag}
            place = self.leaves.index(leaf)
            if rows:
                self.leaves[place] = replace(leaf, rows=rows, hidden=leaf.hidden | {copy.tag})
            else:
                self.cutter.drop(self.leaves.pop(place))

    def respread(self, keys: Mapping[str, Iterable[Key]]) -> None:
        """Have just these further copies of the relations named from now on; copy 0 of each stays as it is."""
        old, self.layout = self.layout, self.layout.with_copies(keys)
        new = [copy for copy in self.layout.copies if copy not in old.copies]
        for copy in new:
            first = self.layout.copies_of(copy.relation)[0]
            if leaves := [leaf for leaf in self.leaves if first.tag in leaf.rows]:
                self.leaves.append(self._own(first, copy, leaves))
        if self.delta is not None and any(self.layout.tag(copy.relation) in self.delta.rows for copy in new):
            tags = {self.layout.tag(name) for name in self.layout.arities}
            columns = f"t, k AS part, {', '.join(self.layout.columns[2:])}"
            rows = f"SELECT {columns} FROM ({self._wide(self.delta, tags)})"
            counts = {copy.tag: self.delta.rows.get(self.layout.tag(copy.relation), 0) for copy in self.layout.copies}
            delta = self.cutter.leaf(self.cutter.spark.sql(copied(rows, self.layout, self.cutter.partitions)), counts)
            self.cutter.drop(self.delta)
            self.delta = delta
        self._forget()

    def _own(self, source: Copy, copy: Copy, leaves: Sequence[Leaf]) -> Leaf:
        """A leaf of its own for a copy, of the rows that these leaves have of one of the same relation."""
        leaves = [leaf for leaf in leaves if source.tag in leaf.rows]
        cells = self.layout.cells(self.layout.arities[copy.relation])
        items = ", ".join((*cells, "n", "f", *(["x"] if copy.relation in self.layout.texts else [])))
        rows = " UNION ALL ".join(
            f"SELECT part AS k, {items} FROM {leaf.name}{leaf.having((source.tag,))}" for leaf in leaves
        )
        if copy.key != source.key:
            rows = self.cutter.spread(f"SELECT {self.layout.key(copy, cells)} AS k, {items} FROM ({rows})")
        frame = self.cutter.spark.sql(f"SELECT k AS part, {items} FROM ({rows})")
        return self.cutter.leaf(frame, {copy.tag: sum(leaf.rows[source.tag] for leaf in leaves)}, copy)

    def cut_again(self) -> None:
        """All rows are cut as finely as the cutter does now."""
        self._forget_unions()
        self.leaves = [self.cutter.again(leaf) for leaf in self.leaves]
        self.delta = self.delta and self.cutter.again(self.delta)

    def _forget_unions(self) -> None:
        self._forget()
        for leaf in self._earlier.values():
            self.cutter.forget(leaf)
        self._earlier = {}

    def release(self) -> None:
        """Give all rows back."""
        self._forget_unions()
        for leaf in self.window():
            self.cutter.drop(leaf)
        self.leaves, self.delta = [], None
