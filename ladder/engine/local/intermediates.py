"""The intermediates of a bootstrap: which rules of a component have one, where it is stored, and when it is dropped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ladder.engine.local.dropping import drop_relation
from ladder.engine.local.kernels import layout as L
from ladder.engine.local.kernels.fixpoint import BEGIN, FILL
from ladder.language.core import Rule, helper
from ladder.language.limits import LIMITS
from ladder.language.roles import Part, Role, unused
from ladder.plan.build import atom_of, relational_literals
from ladder.plan.components import FILLER, Component
from ladder.plan.intermediates import Intermediate, Met, part_of, worth_while
from ladder.plan.order import Statistics
from ladder.plan.steps import Plan
from ladder.plan.steps import Role as PlanRole

if TYPE_CHECKING:
    from ladder.engine.local.state import State

INTO_ONE = (PlanRole.BEGUN, PlanRole.FILLED)
FILLING = (BEGIN, FILL)  # the phases of a bootstrap that put rows into intermediates


@dataclass
class Intermediates:
    """Those of one component's bootstrap.

    `of`: by the identity of the rule as it is written; `empty`: names of those that have no rows yet; `first`, `count`:
    numbers of their relations, after all others; `met`: what the plans of each rule have met; `refused`: rules whose
    intermediate has outgrown its use.
    """

    of: dict[int, Intermediate] = field(default_factory=dict)
    empty: set[str] = field(default_factory=set)
    first: int = 0
    count: int = 0
    met: dict[int, Met] = field(default_factory=dict)
    refused: set[int] = field(default_factory=set)
    _seen: Any = None

    @property
    def run(self) -> tuple[int, int]:
        """The number of the first relation of an intermediate, and how many there are."""
        return self.first, self.count

    def choose(
        self,
        engine: State,
        component: Component,
        sources: Sequence[Plan],
        plans: Any,
        statistics: Callable[[str], Statistics],
        half_filled: bool = False,
    ) -> None:
        """Give intermediates to rules for which that is expected to pay, by what their plans have met so far, and drop
        those that became too large. `half_filled`: this happens while they are filled, so that the others begin again
        from what was there before the last iteration."""
        self._note(sources, plans)
        self.empty.clear()
        rows = sum(engine.store.row_count(engine.numbers[name]) for name in component.names)
        for rule in component.rules:
            intermediate = self.of.get(id(rule))
            if intermediate is not None:
                number = engine.numbers[intermediate.name]
                if engine.store.row_count(number) > engine.tuning.planning.intermediate_rows * rows:
                    self._give_up(engine, rule, number)
                elif half_filled:
                    self._begin_again(engine, rule, number)
                continue
            if id(rule) in self.refused:
                continue
            seen = {n: statistics(atom_of(x).relation) for n, x in enumerate(relational_literals(rule))}
            inside = worth_while(rule, component.names, seen, self._met(rule), engine.tuning.planning)
            if inside is not None:
                self._add(engine, rule, inside)

    def outgrown(self, engine: State, plans: Any) -> bool:
        """Whether one of them has more rows than it may have, for those of the component. `plans`: its `EncodedPlans`.

        One iteration can put hundreds of millions of rows into an intermediate that was small until then.
        """
        if not self.of:
            return False
        counts, record = engine.store.relations["row_count"], plans.components[0]
        first, count = int(record["first_relation"]), int(record["relation_count"])
        most = engine.tuning.planning.intermediate_rows * int(counts[first : first + count].sum())
        return bool(counts[self.first : self.first + self.count].max() > most)

    def _met(self, rule: Rule) -> Met:
        return self.met.get(id(rule), Met())

    def _note(self, sources: Sequence[Plan], plans: Any) -> None:
        """Add what plans have met since they were made."""
        before = self._seen if self._seen is not None else np.zeros((len(plans), 2), np.int64)
        for plan, record, (matches, derivations) in zip(sources, plans, before.tolist(), strict=True):
            met = self._met(plan.written)
            found = 0 if plan.role in INTO_ONE else int(record["derivations"]) - derivations
            self.met[id(plan.written)] = Met(met.matches + int(record["matches"]) - matches, met.derivations + found)

    def begin(self, plans: Any) -> None:
        """Note what the counters of new plans begin with."""
        self._seen = np.stack([plans["matches"], plans["derivations"]], 1)

    def _add(self, engine: State, rule: Rule, inside: frozenset[int]) -> None:
        part = unused(Part(Role.INTERMEDIATE, rule.head.relation), engine.numbers)
        intermediate = part_of(rule, inside, part.name)
        if intermediate.arity > LIMITS.columns:
            self.refused.add(id(rule))
            return
        store, number = engine.store, len(engine.store.relations)
        if not self.count:
            self.first = number
        store.new_relations(number, [intermediate.arity], [intermediate.key], [L.NONE])
        engine.numbers[part.name], engine.names[number] = number, part.name
        engine.relations[part.name] = helper(part, (FILLER,) * intermediate.arity)
        self.of[id(rule)], self.count = intermediate, self.count + 1
        self.empty.add(part.name)

    def _give_up(self, engine: State, rule: Rule, number: int) -> None:
        """Take the intermediate of a rule away, with its rows; its number stays taken."""
        self._empty(engine, self.of.pop(id(rule)), number)
        self.refused.add(id(rule))

    def _begin_again(self, engine: State, rule: Rule, number: int) -> None:
        """Take the rows of the intermediate of a rule away; as another object, it has plans that begin it."""
        intermediate = self.of[id(rule)] = replace(self.of[id(rule)])
        self._empty(engine, intermediate, number)
        self.empty.add(intermediate.name)

    def _empty(self, engine: State, intermediate: Intermediate, number: int) -> None:
        drop_relation(engine.store, number)
        engine.store.new_relations(number, [intermediate.arity], [intermediate.key], [L.NONE])

    def drop(self, engine: State) -> None:
        """Drop all intermediates: the bootstrap has ended."""
        for number in range(self.first, self.first + self.count):
            drop_relation(engine.store, number)
            name = engine.names.pop(number)
            del engine.numbers[name], engine.relations[name]
        if self.count:
            engine.store.relations = engine.store.relations[: self.first].copy()
        self.of, self.count = {}, 0
