"""Relations as materialised runs of the wide table, of which the newest holds the rows of the last iteration.

    run       rows of one or several replicas, spread by `part`, with their number per tag
    store     the runs of a stage; views of a replica are unions over the runs that have rows of it

Small runs are merged like those of a log-structured merge tree; replicas that have grown large get runs of their own,
so that reading one does not read the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING

from ladder.engine.spark.layout import NO_TEXT, Key, Layout, Replica
from ladder.plan.steps import Window
from ladder.spark import internals
from ladder.support.tuning import DEFAULT, Distributing

if TYPE_CHECKING:
    from pyspark import StorageLevel
    from pyspark.sql import DataFrame, SparkSession

_numbers = count(1)


@dataclass(frozen=True, eq=False)
class Run:
    """A materialised run: `name` of its view in SQL; `rows`: per tag, none that has no rows.

    `only`: the replica that all rows are of, where the run has no columns but those of that replica (no t). `hidden`:
    tags of further rows, which another run has instead.
    """

    name: str
    frame: DataFrame
    rows: Mapping[int, int]
    only: Replica | None = None
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
    """Rows of a replica of a relation.

    `sql`: "(SELECT k, c0, c1, n, f FROM …)", without alias (and x, of relations with texts); spread by k, which is
    `layout.key_sql(replica.key, cells)`. Rows are distinct; `rows`: how many. `text`: the column whose bytes x is,
    if any.
    """

    sql: str
    replica: Replica
    rows: int
    text: int | None = None


def added(rows: Iterable[Mapping[int, int]]) -> dict[int, int]:
    """Numbers of rows per tag, summed."""
    total: dict[int, int] = {}
    for of in rows:
        for tag, number in of.items():
            total[tag] = total.get(tag, 0) + number
    return total


class Materialiser:
    """Materialises queries as runs, all spread over the same number of partitions; `level`: of storage."""

    def __init__(
        self,
        spark: SparkSession,
        partitions: int,
        level: StorageLevel,
        tuning: Distributing = DEFAULT.distributing,
    ) -> None:
        self.spark, self.partitions, self.level, self.tuning = spark, partitions, level, tuning

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

    def materialise(
        self, frame: DataFrame, rows: Mapping[int, int] | Callable[[], Mapping[int, int]], only: Replica | None = None
    ) -> Run:
        """Evaluate a frame whose rows are spread by its column `part`, in one job."""
        cut = internals.materialise(frame, self.partitions, self.level)
        name = f"ladder_run_{next(_numbers)}"
        cut.createOrReplaceTempView(name)
        return Run(
            name, cut, {tag: number for tag, number in (rows() if callable(rows) else rows).items() if number}, only
        )

    def again(self, run: Run) -> Run:
        """Return a run with the same rows, in as many partitions as are wanted now."""
        new = self.materialise(
            self.spark.sql(self.spread(f"SELECT * FROM {run.name}", internals.PART)), run.rows, run.only
        )
        self.drop(run)
        return replace(new, hidden=run.hidden)

    def united(self, runs: Sequence[Run]) -> Run:
        """Leaves with the same columns as one, whose rows are theirs."""
        frame, name = (
            internals.united([run.frame for run in runs], self.partitions),
            f"ladder_leaves_{next(_numbers)}",
        )
        frame.createOrReplaceTempView(name)
        return Run(
            name,
            frame,
            added(run.rows for run in runs),
            runs[0].only,
            frozenset().union(*(run.hidden for run in runs)),
        )

    def forget(self, run: Run) -> None:
        """A united run is not needed any more."""
        self.spark.catalog.dropTempView(run.name)

    def drop(self, run: Run) -> None:
        """Give a run's rows back."""
        self.spark.catalog.dropTempView(run.name)
        internals.release(run.frame)


def replicated(rows: str, layout: Layout, partitions: int) -> str:
    """SELECT text of rows of replica 0, spread by `part` → those of all replicas, spread by it."""
    if len(layout.replicas) == len(layout.arities):
        return rows
    cases = []
    for name, arity in layout.arities.items():
        first, *others = layout.replicas_of(name)
        if others:
            replicas = ", ".join(layout.place(replica, layout.cells(arity)) for replica in (first, *others))
            cases.append(f"WHEN t = {first.tag} THEN array({replicas})")
    places = f"CASE {' '.join(cases)} ELSE array(named_struct('t', t, 'k', part)) END"
    rest = ", ".join(layout.columns[2:])
    return (
        f"SELECT /*+ REPARTITION({partitions}, part) */ place.t AS t, place.k AS part, {rest} "
        f"FROM (SELECT explode({places}) AS place, {rest} FROM ({rows}))"
    )


def _comparable(runs: Sequence[Run], comparable: int) -> list[Run]:
    """The newest runs, with older ones as long as these have not many more rows: two at least."""
    start, size = len(runs) - 1, runs[-1].size
    while start and (runs[start - 1].size <= comparable * size or len(runs) - start < 2):
        start -= 1
        size += runs[start].size
    return list(runs[start:])


class Store:
    """The runs of a stage's relations. `delta`: the run of the last iteration.

    `earlier`: of relations that several stages add rows to, the stores of earlier stages that have some; the stores of
    a relation share no row.
    """

    def __init__(
        self, materialiser: Materialiser, layout: Layout, earlier: Mapping[str, Sequence[Store]] | None = None
    ) -> None:
        self.materialiser, self.layout, self.earlier = materialiser, layout, earlier or {}
        self.runs: list[Run] = []
        self.delta: Run | None = None
        self._unions: dict[tuple[Run, ...], Run] = {}
        self._earlier: dict[tuple[str, Key], Run] = {}

    # ---- what is there

    def window(self, window: Window = Window.EVERY) -> list[Run]:
        """The runs in which the rows of a window are."""
        if window is Window.DELTA:
            return [] if self.delta is None else [self.delta]
        return self.runs if window is Window.BEFORE or self.delta is None else [*self.runs, self.delta]

    def rows(self, relation: str, window: Window = Window.EVERY) -> int:
        """Number of rows of a relation; those of earlier stages among every one."""
        stores = (self, *self.earlier.get(relation, ())) if window is Window.EVERY else (self,)
        return sum(run.rows.get(store.layout.tag(relation), 0) for store in stores for run in store.window(window))

    def has(self, relation: str) -> bool:
        """Whether rows of a relation were added here."""
        return any(self.layout.tag(relation) in run.rows for run in self.window())

    def view(self, relation: str, window: Window = Window.EVERY, columns: Sequence[int] | None = None) -> View | None:
        """Rows of a relation in a window, of the replica that suits look-ups by these columns; None where
        there are none."""
        replica = self.layout.replica(relation, columns)
        items = ", ".join(
            (
                *self.layout.cells(self.layout.arities[relation]),
                "n",
                "f",
                *(["x"] if relation in self.layout.texts else []),
            )
        )
        pieces = [(run, (replica.tag,)) for run in self._united(replica.tag, window)]
        if window is Window.EVERY:
            pieces += self._earlier_pieces(relation, replica.key)
        if not pieces:
            return None
        selects = (f"SELECT part AS k, {items} FROM {run.name}{run.having(tag)}" for run, tag in pieces)
        text = self.layout.arities[relation] - 1 if relation in self.layout.texts else None
        return View(f"({' UNION ALL '.join(selects)})", replica, sum(run.rows[tag] for run, (tag,) in pieces), text)

    def _earlier_pieces(self, relation: str, key: Key) -> list[tuple[Run, tuple[int]]]:
        found: list[tuple[Run, tuple[int]]] = []
        apart: list[tuple[Run, int]] = []
        for store in self.earlier.get(relation, ()):
            replica = store.layout.replica_by(relation, key)
            for run in store._united(replica.tag):
                if run.only is None:
                    found.append((run, (replica.tag,)))
                else:
                    apart.append((run, replica.tag))
        if apart and (relation, key) not in self._earlier:
            # One scan of the runs of many stages: plans would grow by a branch for each of them, wherever the
            # dictionary is asked.
            whole = self.materialiser.united([run for run, _ in apart])
            self._earlier[relation, key] = replace(whole, rows={apart[0][1]: sum(run.rows[tag] for run, tag in apart)})
        return [*found, (self._earlier[relation, key], (apart[0][1],))] if apart else found

    def _united(self, tag: int, window: Window = Window.EVERY) -> list[Run]:
        """The runs that have rows with a tag, those with the same columns as one."""
        found = [run for run in self.window(window) if tag in run.rows]
        kinds = (
            tuple(run for run in found if run.only is not None),
            tuple(run for run in found if run.only is None),
        )
        return [self._as_one(runs) for runs in kinds if runs]

    def _as_one(self, runs: tuple[Run, ...]) -> Run:
        if len(runs) == 1:
            return runs[0]
        if runs not in self._unions:
            self._unions[runs] = self.materialiser.united(runs)
        return self._unions[runs]

    def total(
        self, relations: Iterable[str] | None = None, window: Window = Window.EVERY, earlier: bool = False
    ) -> str | None:
        """FROM text of the rows of replica 0 of relations (None: of all) in the wide form, spread by k; None where
        there are none.

        `earlier`: those of earlier stages, too.
        """
        names = [name for name in self.layout.arities if relations is None or name in relations]
        tags = {self.layout.tag(name) for name in names}
        found = [run for run in self.window(window) if tags & run.rows.keys()]
        wide = tuple(run for run in found if run.only is None)
        selects = [
            self._wide(run, tags)
            for run in (*([self._as_one(wide)] if wide else []), *(run for run in found if run.only))
        ]
        if earlier:
            for name in names:
                replica = self.layout.replicas_of(name)[0]
                selects += [
                    f"SELECT {self._padded(replica)} FROM {run.name}{run.having(tag)}"
                    for run, tag in self._earlier_pieces(name, replica.key)
                ]
        return f"({' UNION ALL '.join(selects)})" if selects else None

    def _wide(self, run: Run, tags: Iterable[int]) -> str:
        if run.only is not None:
            return f"SELECT {self._padded(run.only)} FROM {run.name}"
        return f"SELECT t, part AS k, {', '.join(self.layout.columns[2:])} FROM {run.name}{run.having(tags)}"

    def _padded(self, replica: Replica) -> str:
        """SELECT list of a wide row made of the columns of one replica."""
        arity, layout = self.layout.arities[replica.relation], self.layout
        cells = [name if place < arity else f"0L AS {name}" for place, name in enumerate(layout.cells(layout.width))]
        text = [] if not layout.texts else ["x"] if replica.relation in layout.texts else [f"{NO_TEXT} AS x"]
        return ", ".join((f"{replica.tag} AS t", "part AS k", *cells, "n", "f", *text))

    # ---- what happens to it

    def advance(self, run: Run | None) -> None:
        """A new delta; the old one joins the others."""
        self._forget()
        if self.delta is not None:
            self.runs.append(self.delta)
        self.delta = run if run is not None and run.rows else None
        if run is not None and self.delta is None:
            self.materialiser.drop(run)

    def merge(self) -> None:
        """Merge runs of comparable size where there are too many of the same columns; large replicas come out as runs
        of their own."""
        tuning = self.materialiser.tuning
        wide = [run for run in self.runs if run.only is None]
        if len(wide) > tuning.most_runs:
            chosen = _comparable(wide, tuning.comparable)
            rows = added(run.rows for run in chosen)
            large = (
                [replica for replica in self.layout.replicas if rows.get(replica.tag, 0) >= tuning.own_run]
                if len(rows) > 1
                else []
            )
            self._replace(chosen, self._taken_apart(chosen, large, rows.keys() - {replica.tag for replica in large}))
        for replica in self.layout.replicas:
            own = [run for run in self.runs if run.only == replica]
            if len(own) > tuning.most_runs:
                chosen = _comparable(own, tuning.comparable)
                self._replace(chosen, [self._merged(chosen)])

    def _taken_apart(self, runs: Sequence[Run], own: Iterable[Replica], rest: AbstractSet[int]) -> list[Run]:
        """Wide runs → one for each of these replicas, and one for the rows with the other tags."""
        new = [self._own(replica, replica, runs) for replica in own]
        if not new and all(run.only is None for run in runs) and rest >= added(run.rows for run in runs).keys():
            return [self._merged(runs)]
        having = [run for run in runs if run.rows.keys() & rest]
        if having:
            columns = f"t, k AS part, {', '.join(self.layout.columns[2:])}"
            selects = (self._wide(run, rest) for run in having)
            frame = self.materialiser.spark.sql(f"SELECT {columns} FROM ({' UNION ALL '.join(selects)})")
            rows = added(run.rows for run in having)
            new.append(
                self.materialiser.materialise(frame, {tag: number for tag, number in rows.items() if tag in rest})
            )
        return new

    def _merged(self, runs: Sequence[Run]) -> Run:
        united = self.materialiser.united(runs)
        merged = self.materialiser.materialise(united.frame, united.rows, united.only)
        self.materialiser.forget(united)
        return merged

    def _replace(self, old: Sequence[Run], new: Sequence[Run]) -> None:
        """Leaves in the place of others, which are given back."""
        self._forget()
        place = self.runs.index(old[0])
        self.runs = [run for run in self.runs if run not in old]
        self.runs[place:place] = new
        for run in old:
            self.materialiser.drop(run)

    def _forget(self) -> None:
        for run in self._unions.values():
            self.materialiser.forget(run)
        self._unions = {}

    def settle(self) -> None:
        """All iterations are over: large relations get a run of their own, further replicas are given back with the
        rows they share.

        So do relations that several stages add to, for later ones to read all of it as one.
        """
        self.advance(None)
        self._give_back()
        for name in self.earlier:
            self._set_apart(self.layout.replicas_of(name)[0])

    def _give_back(self) -> None:
        large = [
            replicas[0]
            for replicas in map(self.layout.replicas_of, self.layout.arities)
            if sum(run.rows.get(replicas[0].tag, 0) for run in self.runs) >= self.materialiser.tuning.own_run
        ]
        if not large or len(self.layout.replicas) == 1:
            return
        self._replace(
            self.runs,
            self._taken_apart(
                self.runs,
                large,
                {self.layout.tag(name) for name in self.layout.arities} - {replica.tag for replica in large},
            ),
        )
        self.layout = self.layout.with_replicas(dict.fromkeys(self.layout.arities, ()))

    def _set_apart(self, replica: Replica) -> None:
        """Have a run of its own for a replica's rows, which remain hidden where they were."""
        having = [run for run in self.runs if run.only is None and replica.tag in run.rows]
        if not having:
            return
        self._forget()
        self.runs.append(self._own(replica, replica, having))
        for run in having:
            rows = {tag: number for tag, number in run.rows.items() if tag != replica.tag}
            place = self.runs.index(run)
            if rows:
                self.runs[place] = replace(run, rows=rows, hidden=run.hidden | {replica.tag})
            else:
                self.materialiser.drop(self.runs.pop(place))

    def respread(self, keys: Mapping[str, Iterable[Key]]) -> None:
        """Have just these further replicas of the relations named from now on; replica 0 of each stays as it is."""
        old, self.layout = self.layout, self.layout.with_replicas(keys)
        new = [replica for replica in self.layout.replicas if replica not in old.replicas]
        for replica in new:
            first = self.layout.replicas_of(replica.relation)[0]
            if runs := [run for run in self.runs if first.tag in run.rows]:
                self.runs.append(self._own(first, replica, runs))
        if self.delta is not None and any(self.layout.tag(replica.relation) in self.delta.rows for replica in new):
            tags = {self.layout.tag(name) for name in self.layout.arities}
            columns = f"t, k AS part, {', '.join(self.layout.columns[2:])}"
            rows = f"SELECT {columns} FROM ({self._wide(self.delta, tags)})"
            counts = {
                replica.tag: self.delta.rows.get(self.layout.tag(replica.relation), 0)
                for replica in self.layout.replicas
            }
            delta = self.materialiser.materialise(
                self.materialiser.spark.sql(replicated(rows, self.layout, self.materialiser.partitions)), counts
            )
            self.materialiser.drop(self.delta)
            self.delta = delta
        self._forget()

    def _own(self, source: Replica, replica: Replica, runs: Sequence[Run]) -> Run:
        """A run of its own for a replica, of the rows that these runs have of one of the same relation."""
        runs = [run for run in runs if source.tag in run.rows]
        cells = self.layout.cells(self.layout.arities[replica.relation])
        items = ", ".join((*cells, "n", "f", *(["x"] if replica.relation in self.layout.texts else [])))
        rows = " UNION ALL ".join(
            f"SELECT part AS k, {items} FROM {run.name}{run.having((source.tag,))}" for run in runs
        )
        if replica.key != source.key:
            rows = self.materialiser.spread(f"SELECT {self.layout.key(replica, cells)} AS k, {items} FROM ({rows})")
        frame = self.materialiser.spark.sql(f"SELECT k AS part, {items} FROM ({rows})")
        return self.materialiser.materialise(frame, {replica.tag: sum(run.rows[source.tag] for run in runs)}, replica)

    def materialise_again(self) -> None:
        """Materialise all rows again, in as many partitions as the materialiser makes now."""
        self._forget_unions()
        self.runs = [self.materialiser.again(run) for run in self.runs]
        self.delta = self.delta and self.materialiser.again(self.delta)

    def _forget_unions(self) -> None:
        self._forget()
        for run in self._earlier.values():
            self.materialiser.forget(run)
        self._earlier = {}

    def release(self) -> None:
        """Give all rows back."""
        self._forget_unions()
        for run in self.window():
            self.materialiser.drop(run)
        self.runs, self.delta = [], None
