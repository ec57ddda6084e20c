"""Stages: components that do not depend on each other are evaluated together, in one loop over one wide table.

`first` and `count` of a row are the same as if its component were alone: it reads nothing of the others, and rows of
earlier stages count as those of iteration 0. Facts of relations that no rule derives are the first stage.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ladder.engine.spark.layout import TEXTS
from ladder.language.core import Relation, declared_name
from ladder.plan.components import Component, Expanded, is_record_table


@dataclass(frozen=True)
class Stage:
    """Components of one height above the facts; `ordered`: one that is evaluated in an order, alone.

    `title`: its relations as a user knows them, for reports and messages.
    """

    number: int
    components: tuple[Component, ...]
    ordered: bool
    title: str

    @property
    def relations(self) -> dict[str, Relation]:
        """Relations of the stage by name, those of records left out: every stage may add to these."""
        return {r.name: r for component in self.components for r in component.relations if not is_record_table(r)}

    @property
    def inputs(self) -> frozenset[str]:
        """Relations of earlier stages that rules read."""
        return frozenset(name for component in self.components for name in component.inputs)


def stages_of(expanded: Expanded, in_turn: Collection[Component] = ()) -> list[Stage]:
    """All components by height: facts are 0, others one above the highest that they read.

    `in_turn`: ordered components that must be evaluated in their order.
    """
    height: dict[str, int] = {}
    levels: dict[tuple[int, int], list[Component]] = {}
    last = 0
    for place, component in enumerate(expanded.components):
        own = bool(component.rules or component.ordered)
        level = 1 + max((height[name] for name in component.inputs), default=0) if own else 0
        if component in in_turn:
            level = last = max(level, last)
        height |= dict.fromkeys(component.names, level)
        levels.setdefault((level, 1 + place if component.ordered else 0), []).append(component)
    return [
        Stage(number, tuple(levels[key]), bool(key[1]), _title(levels[key], expanded))
        for number, key in enumerate(sorted(levels))
    ]


def value_relations(relations: Mapping[str, Relation]) -> dict[str, int]:
    """Relations that every stage may add to, with their number of columns: the dictionary, and tables of records by
    their id."""
    return {TEXTS: 1} | {name: relation.arity + 1 for name, relation in relations.items() if is_record_table(relation)}


def _title(components: Iterable[Component], expanded: Expanded) -> str:
    relations = (r for component in components for r in component.relations if not is_record_table(r))
    return ", ".join(sorted(set(filter(None, (declared_name(r, expanded.relations) for r in relations)))))
