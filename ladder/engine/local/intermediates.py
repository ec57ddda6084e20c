"""The intermediates of a bootstrap: which rules of a component have one, where it is stored, and when it is dropped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
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
from ladder.plan.intermediates import Intermediate, Met, atoms_of, may_have_one, part_of, worth_while
from ladder.plan.order import Statistics
from ladder.plan.sampling import Samples, Tables
from ladder.plan.steps import Plan
from ladder.plan.steps import Role as PlanRole
from ladder.plan.weighing import best_part, cost_without, due

if TYPE_CHECKING:
    from ladder.engine.local.state import State

INTO_ONE = (PlanRole.BEGUN, PlanRole.FILLED)
FILLING = (BEGIN, FILL)  # the phases of a bootstrap that put rows into intermediates


@dataclass
class Intermediates:
    """Those of one component's bootstrap.

    `of`: by the identity of the rule as it is written; `empty`: names of those that have no rows yet; `first`, `count`:
    numbers of their relations, after all others; `met`: what the plans of each rule have met; `room`: how many rows
    that of a rule may have for each of the component; `refused`: parts that have outgrown their use.
    """

    of: dict[int, Intermediate] = field(default_factory=dict)
    empty: set[str] = field(default_factory=set)
    first: int = 0
    count: int = 0
    met: dict[int, Met] = field(default_factory=dict)
    room: dict[int, float] = field(default_factory=dict)
    refused: dict[int, set[frozenset[int]]] = field(default_factory=lambda: defaultdict(set))
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
        """Give intermediates to rules for which that is expected to pay, by what their plans have met so far, by
        statistics and by samples of the rows that there are, and drop those that became too large. `half_filled`: this
        happens while they are filled, so that the others begin again from what was there before the last iteration."""
        self._note(sources, plans)
        self.empty.clear()
        rows = sum(engine.store.row_count(engine.numbers[name]) for name in component.names)
        tables = Tables(lambda name: engine.store.present_cells(engine.numbers[name]))
        for rule in component.rules:
            outgrown, read = self._outgrown(engine, id(rule), rows), _rows_read(engine, rule)
            if outgrown and read > engine.tuning.planning.most_weighed:
                self._give_up(engine, rule)
            elif outgrown or due(rule, self._met(rule), read, engine.tuning.planning):
                self._weigh(engine, component, rule, tables, rows, outgrown)
            elif id(rule) not in self.of and may_have_one(rule) and not self._met(rule).weighed:
                self._expect(engine, component, rule, statistics)
            intermediate = self.of.get(id(rule))
            if half_filled and intermediate is not None and intermediate.name not in self.empty:
                self._begin_again(engine, rule)

    def outgrown(self, engine: State, plans: Any) -> bool:
        """Whether one of them has more rows than it may have, for those of the component. `plans`: its `EncodedPlans`.

        One iteration can put hundreds of millions of rows into an intermediate that was small until then.
        """
        if not self.of:
            return False
        counts, record = engine.store.relations["row_count"], plans.components[0]
        first, count = int(record["first_relation"]), int(record["relation_count"])
        rows = int(counts[first : first + count].sum())
        return any(self._outgrown(engine, rule, rows) for rule in self.of)

    def _outgrown(self, engine: State, rule: int, rows: int) -> bool:
        """Whether the intermediate of a rule has more rows than it may have beside so many of the component."""
        intermediate = self.of.get(rule)
        if intermediate is None:
            return False
        return engine.store.row_count(engine.numbers[intermediate.name]) > self.room[rule] * rows

    def _expect(self, engine: State, component: Component, rule: Rule, statistics: Callable[[str], Statistics]) -> None:
        """Give a rule the intermediate that it should have by statistics."""
        seen = {n: statistics(atom_of(x).relation) for n, x in enumerate(relational_literals(rule))}
        refused, tuning = self.refused[id(rule)], engine.tuning.planning
        inside = worth_while(rule, component.names, seen, self._met(rule), refused, tuning)
        if inside is not None:
            self._add(engine, rule, inside)

    def _weigh(
        self, engine: State, component: Component, rule: Rule, tables: Tables, rows: int, outgrown: bool
    ) -> None:
        """Give a rule the intermediate that it should have by samples. One that has `outgrown` its room gets twice as
        much where it still pays, up to a limit."""
        tuning, met, intermediate = engine.tuning.planning, self._met(rule), self.of.get(id(rule))
        now = None if intermediate is None else intermediate.part
        self.met[id(rule)] = replace(met, weighed=met.matches)
        samples = Samples(
            atoms_of(rule), tables, engine.values.constant, tuning.sampled_rows, tuning.intermediate_atoms
        )
        room = self.room.get(id(rule), tuning.intermediate_rows) * (2 if outgrown else 1)
        if now is not None and not 0 < room <= tuning.most_intermediate_rows:
            self.refused[id(rule)].add(now)
        refused, own = self.refused[id(rule)], component.names
        before = met.matches if now is None else cost_without(own, samples) if outgrown else inf
        inside = best_part(rule, own, samples, before, tuning.intermediate_rows * rows, now, refused, tuning)
        if inside is not None and inside == now:
            self.room[id(rule)] = room
            return
        if now is not None and outgrown:
            self._give_up(engine, rule)
        elif now is not None:
            self._take_away(engine, rule)
        if inside is not None:
            self._add(engine, rule, inside)

    def _met(self, rule: Rule) -> Met:
        return self.met.get(id(rule), Met())

    def _note(self, sources: Sequence[Plan], plans: Any) -> None:
        """Add what plans have met since they were made."""
        before = self._seen if self._seen is not None else np.zeros((len(plans), 2), np.int64)
        for plan, record, (matches, derivations) in zip(sources, plans, before.tolist(), strict=True):
            met = self._met(plan.written)
            found = 0 if plan.role in INTO_ONE else int(record["derivations"]) - derivations
            self.met[id(plan.written)] = replace(
                met, matches=met.matches + int(record["matches"]) - matches, derivations=met.derivations + found
            )

    def begin(self, plans: Any) -> None:
        """Note what the counters of new plans begin with."""
        self._seen = np.stack([plans["matches"], plans["derivations"]], 1)

    def _add(self, engine: State, rule: Rule, inside: frozenset[int]) -> None:
        part = unused(Part(Role.INTERMEDIATE, rule.head.relation), engine.numbers)
        intermediate = part_of(rule, inside, part.name)
        if intermediate.arity > LIMITS.columns:
            self.refused[id(rule)].add(inside)
            return
        store, number = engine.store, len(engine.store.relations)
        if not self.count:
            self.first = number
        store.new_relations(number, [intermediate.arity], [intermediate.key], [L.NONE])
        engine.numbers[part.name], engine.names[number] = number, part.name
        engine.relations[part.name] = helper(part, (FILLER,) * intermediate.arity)
        self.of[id(rule)], self.count = intermediate, self.count + 1
        self.room[id(rule)] = engine.tuning.planning.intermediate_rows
        self.empty.add(part.name)

    def _give_up(self, engine: State, rule: Rule) -> None:
        """Take the intermediate of a rule away, which has too many rows: the rule never has it again."""
        self.refused[id(rule)].add(self.of[id(rule)].part)
        self._take_away(engine, rule)

    def _take_away(self, engine: State, rule: Rule) -> None:
        """Take the intermediate of a rule away, with its rows; its number stays taken."""
        self._empty(engine, self.of.pop(id(rule)))

    def _begin_again(self, engine: State, rule: Rule) -> None:
        """Take the rows of the intermediate of a rule away; as another object, it has plans that begin it."""
        intermediate = self.of[id(rule)] = replace(self.of[id(rule)])
        self._empty(engine, intermediate)
        self.empty.add(intermediate.name)

    def _empty(self, engine: State, intermediate: Intermediate) -> None:
        number = engine.numbers[intermediate.name]
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


def _rows_read(engine: State, rule: Rule) -> int:
    """The rows of the relations of a rule's atoms, each relation once."""
    names = {atom.relation for atom in atoms_of(rule).values()}
    return sum(engine.store.row_count(engine.numbers[name]) for name in names)
