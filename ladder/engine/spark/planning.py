"""Plans of a stage, made with what is known of the sizes of relations."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ladder.engine.spark.lowering.functions import makes
from ladder.engine.spark.materialised import Store
from ladder.engine.spark.replicas import usual_keys
from ladder.engine.spark.stages import Stage
from ladder.language.core import Program
from ladder.plan.build import plans_of_bootstrap
from ladder.plan.components import Expanded
from ladder.plan.order import Statistics
from ladder.plan.steps import Plan
from ladder.support.tuning import DEFAULT, Tuning


class Planner:
    """Plans rules; `statistics`: of relations that are complete."""

    def __init__(self, expanded: Expanded, program: Program, tuning: Tuning = DEFAULT) -> None:
        self.program, self.relations = program, expanded.relations
        self.tuning, self.planning = tuning.distributing, tuning.planning
        self.usual = usual_keys(expanded)
        self.statistics: dict[str, Statistics] = {}
        self.read = {name for component in expanded.components for name in component.inputs}

    def plans(self, stage: Stage, own: Mapping[str, Statistics] | None = None) -> list[Plan]:
        """The plans of a stage's bootstrap; `own`: what is known of its relations, those that hold facts at first."""
        own = own or {}

        def of(name: str) -> Statistics:
            return (
                self.statistics.get(name)
                or own.get(name)
                or Statistics.unknown(self.relations[name].arity, self.planning)
            )

        # All rows of a relation go one way: nothing here chooses between several plans that start from it.
        one_order = frozenset(self.relations)
        return [
            plan
            for component in stage.components
            for rule in component.rules
            for plan in plans_of_bootstrap(rule, component.names, {}, of, one_order, tuning=self.planning)
        ]

    def again(self, stage: Stage, store: Store, planned: int) -> list[Plan] | None:
        """Plans made with the sizes that a stage's relations have now, where it has many more rows than when they were
        made."""
        enough = max(self.tuning.replanned_rows, self.tuning.replanned_growth * planned)
        if sum(store.rows(name) for name in stage.relations) < enough:
            return None
        return self.plans(
            stage, self._measured(store, {name: relation.arity for name, relation in stage.relations.items()})
        )

    def makes_values(self, stage: Stage) -> bool:
        """Whether rules of a stage may make symbols, objects or records."""
        return any(makes(rule, self.program) for component in stage.components for rule in component.rules)

    def measure(self, store: Store, stage: Stage) -> None:
        """Note the sizes of a stage's relations, which are complete."""
        arities = {name: relation.arity for name, relation in stage.relations.items()}
        self.statistics |= self._measured(store, arities, self.read)

    def _measured(
        self, store: Store, arities: Mapping[str, int], read: Collection[str] | None = None
    ) -> dict[str, Statistics]:
        """Numbers of rows; how many values columns have is asked where they are many, of relations that are `read`."""
        rows = {name: float(store.rows(name)) for name in arities}
        block = self.planning.unknown_block
        known = {name: Statistics(rows[name], (min(rows[name], block),) * arity) for name, arity in arities.items()}
        large = {
            name: arities[name]
            for name in arities
            if (read is None or name in read) and rows[name] >= self.tuning.measured_rows
        }
        source = store.total(large) if large else None
        if source is None:
            return known
        counts = ", ".join(f"approx_count_distinct(c{column}) AS d{column}" for column in range(max(large.values())))
        distinct = {
            row.t: row for row in store.materialiser.spark.sql(f"SELECT t, {counts} FROM {source} GROUP BY t").collect()
        }
        for name, arity in large.items():
            found = distinct[store.layout.tag(name)]
            known[name] = Statistics(
                rows[name], tuple(rows[name] / max(1, found[f"d{column}"]) for column in range(arity))
            )
        return known
