"""Aggregated relations on Spark: the totals that appear at an iteration, in its own job, and the final ones.

An iteration's aggregate inputs, spread by the hash of their group like everything that is stored of the relation, are
gathered by group; what is stored is streamed through a hash table of the groups that are touched. So nothing is
shuffled and nothing is sorted where joins are SQL (`lattice_sql`, `lattice_bytes`, `aggregate_sql`). Joins that have to
be asked of Python go through a fold over sorted rows (`streaming`).

    idempotent joins    the last total of a group is the join of all its totals; a new one is that joined with the new
                        aggregate inputs
    bags (sums, keys)   a new total is made of all aggregate inputs of the group, each (keys, value) once
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ladder.engine.classes import classes_of
from ladder.engine.spark.aggregation import aggregate_sql as sql
from ladder.engine.spark.aggregation.aggregate_sql import Aggregated
from ladder.engine.spark.aggregation.streaming import Fold, Folding, on_workers
from ladder.engine.spark.lattices.lattice_bytes import join_of_bytes
from ladder.engine.spark.lattices.lattice_sql import join_of_cells
from ladder.engine.spark.layout import Layout
from ladder.engine.spark.lowering.functions import tuple_types
from ladder.engine.spark.lowering.values import Encoder
from ladder.engine.spark.stages import value_relations
from ladder.engine.spark.values.shipping import Shipped
from ladder.engine.spark.worker_calls import Call
from ladder.language.core import Kind, Program, Relation
from ladder.plan.components import Component
from ladder.spark import internals
from ladder.support.tuning import DEFAULT, Distributing

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Totals:
    """SELECT texts of wide rows of replica 0.

    `settled`: totals that are new, spread by k; None where there are no such aggregates. `derived`: totals that are
    new, and entries of the dictionary and records that may be known; like what rules derive, spread by nothing.
    """

    settled: str | None
    derived: tuple[str, ...]


class Aggregation:
    """The aggregated relations of components that are evaluated together.

    Replica 0 of R$in, R$all and R must be partitioned by the group columns.
    """

    def __init__(
        self,
        components: Iterable[Component],
        relations: Mapping[str, Relation],
        program: Program,
        layout: Layout,
        seed: int,
        partitions: int,
        bytes_in_sql: bool = True,
        tuning: Distributing = DEFAULT.distributing,
    ) -> None:
        """`seed`: of the hashes that make ids; `partitions`: of what is stored and derived; `bytes_in_sql`: whether SQL
        may join bytes."""
        self.program, self.layout, self.seed, self.partitions = program, layout, seed, partitions
        self.tuning = tuning
        self.members = tuple(
            aggregated(component, name, relations, program, seed, bytes_in_sql)
            for component in components
            for name in (a.name for a in component.aggregates)
        )
        self.values = tuple(name for name in value_relations(relations) if name in layout.arities)
        self.by_cells = tuple(m for m in self.members if m.join is not None and not m.by_contents)
        self.by_contents = tuple(m for m in self.members if m.by_contents and not m.maps)
        self.maps = tuple(m for m in self.members if m.maps)
        self.sums = tuple(m for m in self.members if m.join is None and m.asked is None)
        self.asked = tuple(m for m in self.members if m.asked is not None)
        self._views: list[str] = []
        self._folds: dict[tuple[str, ...], tuple[Shipped[Folding], str]] = {}

    @property
    def reads(self) -> frozenset[str]:
        """The relations whose stored rows an iteration needs."""
        return frozenset(
            (*(m.aggregate.totals for m in self.members), *(m.aggregate.inputs for m in self.members if m.bag))
        )

    def totals(
        self, spark: SparkSession, candidates: str, stored: str | None, relations: frozenset[str] | None = None
    ) -> Totals:
        """The totals that appear at an iteration.

        `candidates`: what stands behind FROM, without alias: wide rows that rules derive at the iteration, known ones
        among them, spread by k; `relations`: those that may have rows there (None: all). `stored`: the same of all rows
        of earlier iterations; None in the first one.
        """

        def derived(members: sql.Members) -> sql.Members:
            return tuple(m for m in members if relations is None or m.aggregate.inputs in relations)

        settled, made = [], []
        if by_cells := derived(self.by_cells):
            settled.append(sql.joined(self.layout, by_cells, candidates, stored))
        if sums := derived(self.sums):
            settled.append(sql.summed(self.layout, sums, candidates, stored))
        if by_contents := derived(self.by_contents):
            made.append(sql.joined_contents(self.layout, by_contents, candidates, stored, self.seed))
        if maps := derived(self.maps):
            made.append(sql.joined_maps(self.layout, maps, candidates, stored, self.seed))
        if asked := derived(self.asked):
            made.append(self._folded(spark, asked, sql.to_be_folded(self.layout, asked, candidates, stored)))
        return Totals(" UNION ALL ".join(settled) or None, tuple(made))

    def finals(self, spark: SparkSession, stored: str) -> str:
        """SELECT text of wide rows of R at the end of the components; `stored`: what stands behind FROM, all rows of
        replica 0."""
        parts = []
        plain = tuple(m for m in self.members if not m.recursive)
        last = tuple(m for m in self.members if m.recursive and not m.bag)
        if plain:
            parts.append(sql.only_totals(self.layout, plain, stored))
        if last:
            parts.append(sql.last_totals(self.layout, last, stored))
        if sums := tuple(m for m in self.sums if m.recursive):
            parts.append(sql.final_sums(self.layout, sums, stored))
        if bags := tuple(m for m in self.asked if m.recursive and m.bag):
            rows = sql.to_be_folded(self.layout, bags, sql.inputs_sql(self.layout, bags, stored), None)
            parts.append(sql.as_finals(self.layout, bags, self._folded(spark, bags, rows)))
        together = " UNION ALL ".join(parts)
        return (
            f"SELECT /*+ REPARTITION({self.partitions}, k) */ * FROM ({together})"
            if bags or len(parts) > 1
            else together
        )

    def forget(self, spark: SparkSession) -> None:
        """The queries that were asked for last have been evaluated."""
        for view in self._views:
            spark.catalog.dropTempView(view)
        self._views.clear()

    def _folded(self, spark: SparkSession, members: sql.Members, rows: Sequence[str]) -> str:
        """SELECT text of the wide rows that a fold in Python workers makes of these rows."""
        shipped, schema = self._fold_of(members)
        frame = internals.together([spark.sql(some) for some in rows], "k", self.partitions)
        ordered = frame.sortWithinPartitions("t", "k", *Layout.cells(sql.group_width(members)), "s", "v")
        self._views.append(f"ladder_fold_{uuid.uuid4().hex}")
        ordered.mapInArrow(on_workers(shipped), schema).createOrReplaceTempView(self._views[-1])
        return sql.of_fold(self.layout, members, self.values, self._views[-1])

    def _fold_of(self, members: sql.Members) -> tuple[Shipped[Folding], str]:
        """The fold of some relations, and the schema of its result; made once."""
        names = tuple(m.aggregate.name for m in members)
        if names not in self._folds:
            self._folds[names] = self._make_fold(members)
        return self._folds[names]

    def _call_of(self, member: Aggregated) -> Call:
        """The joins of an aggregated relation, in messages."""
        declared = self.program.relations.get(member.aggregate.name)
        return Call(f"the join of {member.aggregate.join}", str(declared and declared.place or ""))

    def _make_fold(self, members: sql.Members) -> tuple[Shipped[Folding], str]:
        values = {name: self.layout.tag(name) for name in self.values}
        folds = {
            self.layout.tag(m.aggregate.totals): Fold(
                m.aggregate.join,
                m.asked.join,
                m.type,
                m.group,
                m.bag,
                getattr(m.asked, "compiled", False) and not m.bag,
                uuid.uuid4().hex,
                self._call_of(m),
            )
            for m in members
        }
        folding = Folding(
            folds,
            sql.group_width(members),
            self.layout.width,
            values,
            self.program.types,
            self.seed,
            frozenset(tuple_types(self.program)),
            classes_of(self.program),
            self.tuning.remembered,
        )
        return Shipped(folding), folding.schema_out()


def aggregated(
    component: Component,
    name: str,
    relations: Mapping[str, Relation],
    program: Program,
    seed: int,
    bytes_in_sql: bool = True,
) -> Aggregated:
    """What is known of an aggregated relation of a component."""
    aggregate = next(a for a in component.aggregates if a.name == name)
    totals, inputs = relations[aggregate.totals], relations[aggregate.inputs]
    type_ = totals.columns[-1].type
    lattice: Any = program.lattices.get(aggregate.join)
    idempotent = lattice is not None and getattr(lattice, "idempotent", True)
    join = join_of_cells(aggregate.join, lattice, type_, Encoder(program.types, seed).column)
    if join is None and bytes_in_sql and idempotent and type_.kind is Kind.OBJECT:
        join = join_of_bytes(aggregate.join, lattice)
    bag = join is None and (aggregate.keyed or not idempotent)
    recursive = any(
        getattr(literal, "relation", None) == aggregate.totals for rule in component.rules for literal in rule.body
    )
    return Aggregated(
        aggregate,
        totals.arity - 1,
        inputs.arity - totals.arity,
        type_,
        join,
        bag,
        lattice if join is None else None,
        recursive,
    )


def carries_bytes(component: Component, relation: str, relations: Mapping[str, Relation], program: Program) -> bool:
    """Whether rows of R$in or R$all carry the bytes of their last column, because Python joins them."""
    for aggregate in component.aggregates:
        if relation in (aggregate.inputs, aggregate.totals):
            return aggregated(component, aggregate.name, relations, program, seed=0).carries
    return False
