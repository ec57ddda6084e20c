"""Plans of a stage, made with what is known of the sizes of relations."""
from __future__ import annotations

from ladder.engine.plan.build import plans_of_bootstrap
from ladder.engine.plan.components import Component, Expanded
from ladder.engine.plan.order import Statistics
from ladder.engine.plan.steps import Plan
from ladder.engine.spark.copies import usual_keys
from ladder.engine.spark.functions import makes
from ladder.engine.spark.leaves import Store
from ladder.engine.spark.stages import Stage
from ladder.language.core import Program

WORTH_MEASURING = 1000       # rows of a relation from which its columns are looked at
UNKNOWN_BLOCK = 12.0


class Planner:
    """Plans rules; `statistics`: of relations that are complete."""

    def __init__(self, expanded: Expanded, program: Program) -> None:
        self.program, self.relations = program, expanded.relations
        self.usual = usual_keys(expanded)
        self.statistics: dict[str, Statistics] = {}
        self.read = {name for component in expanded.components for name in component.inputs}

    def plans(self, component: Component) -> list[Plan]:
        """The plans of a component's bootstrap."""
        def of(name: str) -> Statistics:
            return self.statistics.get(name) or Statistics.unknown(self.relations[name].arity)

        return [plan for rule in component.rules for plan in plans_of_bootstrap(rule, component.names, {}, of, component.names)]

    def makes_values(self, stage: Stage) -> bool:
        """Whether rules of a stage may make symbols, objects or records."""
        return any(makes(rule, self.program) for component in stage.components for rule in component.rules)

    def measure(self, store: Store, stage: Stage) -> None:
        """Note the sizes of a stage's relations; how many values their columns have is asked where they are large."""
        large = [name for name in stage.relations if name in self.read and store.rows(name) >= WORTH_MEASURING]
        for name, relation in stage.relations.items():
            rows = float(store.rows(name))
            self.statistics[name] = Statistics(rows, (min(rows, UNKNOWN_BLOCK),) * relation.arity)
        source = store.total(large)
        if source is None:
            return
        columns = range(max(stage.relations[name].arity for name in large))
        counts = ", ".join(f"approx_count_distinct(c{column}) AS d{column}" for column in columns)
        distinct = {row.t: row for row in store.cutter.spark.sql(f"SELECT t, {counts} FROM {source} GROUP BY t").collect()}
        for name in large:
            rows, found = self.statistics[name].rows, distinct[store.layout.tag(name)]
            self.statistics[name] = Statistics(rows, tuple(rows / max(1, found[f"d{column}"]) for column in range(stage.relations[name].arity)))
