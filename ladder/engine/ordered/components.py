"""Semi-naive evaluation of ordered components on Python values: rules become functions over hash tables of rows.

    start       facts, then rules that read no relation of the component
    iteration   each other rule, from the new rows of each of its atoms in turn
    settle      new rows that another row dominates are dropped, rows that a new one dominates are removed
    until nothing is new, or a limited relation has reached its limit

The order depends on values alone (see `ladder.engine.reference.ordered`, the definition), so that the same facts give
the same rows, whatever happened before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ladder.engine.ordered.choosing import choosing_rule
from ladder.engine.ordered.depth import LOOK, require_shallow
from ladder.engine.ordered.rules import OrderedRule, domination, dominations, drawing, plain_rule, sorted_rule
from ladder.engine.ordered.tables import Row, Table, Target, keys_of
from ladder.errors import Unsupported
from ladder.language.core import Atom, Compute, Literal, Not, Program, Rule, Subsumption, ordered_relations
from ladder.language.faults import JOIN, located, raised
from ladder.language.values import builtins
from ladder.language.values.value_order import ValueOrder, has_equal_values

Run = Callable[[Mapping[str, Mapping[Row, None]], int], None]
DOMINATED, DOMINATING = "$dominated", "$dominating"


@dataclass(frozen=True)
class Outcome:
    """The rows of a component's relations, with the iteration in which each was derived, and how many numbers its rules
    drew.

    The rows of an aggregated relation are its final totals.
    """

    rows: dict[str, dict[Row, int]]
    drawn: int


def evaluate_ordered(
    program: Program,
    names: Iterable[str],
    read: Callable[[str], Iterable[Row]],
    facts: Mapping[str, Sequence[Row]],
    next_number: int = 0,
) -> Outcome:
    """Evaluate the component of these relations; `read`: returns the rows of an earlier relation; `facts`: the facts of
    each relation of the component, in order.

    `next_number`: the first number that `autoinc` draws. Raises `Unsupported` if the order of an aggregated relation
    would matter.
    """
    component = _Component(program, names, read, next_number)
    component.start(facts)
    while component.goes_on():
        component.iterate()
    return Outcome({name: component.visible(name) for name in component.names}, component.next_number - next_number)


def facts_in_order(program: Program, name: str, rows: Iterable[Row], program_facts: Iterable[Row]) -> list[Row]:
    """The facts of a relation in the order in which they are derived: first asserted ones, sorted where their order
    matters, then program facts in the order of the program."""
    last = dict.fromkeys(program_facts)
    others = [row for row in rows if row not in last]
    if program.relations[name].choice or has_equal_values(program, name):
        others.sort(key=ValueOrder(program).key)
    return [*others, *last]


def check_ordered(program: Program, names: Iterable[str]) -> None:
    """Raise `Unsupported` if a relation of an ordered component is both aggregated and ordered."""
    refused = sorted(
        name for name in ordered_relations(program).intersection(names) if program.relations[name].aggregate
    )
    if refused:
        raise Unsupported(
            f"The rows of {refused[0]} are joined by a lattice: there is no order in which they are derived.",
            f"{program.relations[refused[0]].place or ''}".strip(),
        )


def draws(program: Program, names: Iterable[str]) -> bool:
    """Whether rules of the component draw numbers."""
    members = set(names)
    return any(
        rule.head.relation in members and any(isinstance(b, Compute) and b.function == "autoinc" for b in rule.body)
        for rule in program.rules
    )


class _Component:
    """The evaluation of one component."""

    def __init__(
        self, program: Program, names: Iterable[str], read: Callable[[str], Iterable[Row]], next_number: int
    ) -> None:
        self.program, self.next_number, self.order = program, next_number, ValueOrder(program)
        self.names = [name for name in program.relations if name in set(names)]
        check_ordered(program, self.names)
        self.rules = [rule for rule in program.rules if rule.head.relation in self.names]
        self.subsumptions = [s for s in program.subsumptions if s.dominated.relation in self.names]
        bodies = [*(rule.body for rule in self.rules), *(s.body for s in self.subsumptions)]
        read_here = {a.relation for body in bodies for a in atoms_of(body)}
        self.tables = {
            name: Table(sorted(read(name), key=self.order.key) if has_equal_values(program, name) else read(name))
            for name in read_here
            if name not in self.names
        }
        shrinking = {s.dominated.relation for s in self.subsumptions}
        self.tables.update((name, Table(lasting=name not in shrinking)) for name in self.names)
        self.targets: dict[str, Target] = {}
        self.totals: dict[str, dict[Row, Any]] = {}
        for name in self.names:
            relation = program.relations[name]
            if relation.aggregate is not None:
                self.totals[name] = {}
            seen: dict[Row, int] = {} if relation.aggregate is not None else self.tables[name].rows
            self.targets[name] = Target(relation, seen, {}, [set() for _ in relation.choice])
        self.deltas: dict[str, dict[Row, None]] = {name: {} for name in self.names}
        self.iteration = 0
        self.first = [run for rule in self._in_order() for run in self._runs(rule, recursive=False)]
        self.steps: list[Run] | None = None
        moving = {
            s.dominated.relation for s in self.subsumptions if any(a.relation in self.names for a in atoms_of(s.body))
        }
        self.effects = [_Domination(s, program, self.tables, s.dominated.relation in moving) for s in self.subsumptions]

    def visible(self, name: str) -> dict[Row, int]:
        rows = self.tables[name].rows
        if name in self.totals:
            return {row: rows[row] for group, total in self.totals[name].items() if (row := (*group, total)) in rows}
        return rows

    def start(self, facts: Mapping[str, Sequence[Row]]) -> None:
        """Evaluate iteration 0: take the facts and run the rules that read no relation of the component."""
        for name in self.names:
            self._take_facts(name, facts.get(name, ()))
        for run in self.first:
            run(self.deltas, 0)
        self._settle()

    def goes_on(self) -> bool:
        """Whether there are new rows, and no relation has reached its limit."""
        full = any(t.relation.limit is not None and len(t.rows) >= t.relation.limit for t in self.targets.values())
        return not full and any(self.deltas.values())

    def iterate(self) -> None:
        if self.steps is None:
            self.steps = [run for rule in self._in_order() for run in self._runs(rule, recursive=True)]
        self.iteration += 1
        for run in self.steps:
            run(self.deltas, self.iteration)
        self._settle()
        if self.iteration % LOOK == 0:
            require_shallow(value for name in self.names for row in self.tables[name].rows for value in row)

    # ---- rules

    def _in_order(self) -> list[Rule]:
        return [rule for name in self.names for rule in self.rules if rule.head.relation == name]

    def _runs(self, rule: Rule, recursive: bool) -> list[Run]:
        """The functions of a rule: one from each of its atoms of the component, or a single one without such atoms."""
        own = [i for i, b in enumerate(b for b in rule.body if isinstance(b, Atom)) if b.relation in self.names]
        if bool(own) != recursive:
            return []
        target = self.targets[rule.head.relation]
        starts: list[int | None] = [*own] or [None]
        if target.relation.choice or drawing(rule) or has_equal_values(self.program, target.relation.name):
            return [self._in_order_of_rows(rule, target, start) for start in starts]
        return [plain_rule(rule, self.program, self.tables, target, start) for start in starts]

    def _in_order_of_rows(self, rule: Rule, target: Target, start: int | None) -> Run:
        ordered = OrderedRule(rule, self.program, self.tables, target, start, self.names, self.order)
        return choosing_rule(ordered) or sorted_rule(ordered, self._draw)

    def _draw(self) -> int:
        self.next_number += 1
        return self.next_number - 1

    def _take_facts(self, name: str, rows: Sequence[Row]) -> None:
        """Add facts, which are in the order in which they are derived."""
        target = self.targets[name]
        for row in rows:
            keys = keys_of(row, target.relation)
            if not any(key in taken for key, taken in zip(keys, target.taken, strict=True)):
                target.new[row] = None
                for key, taken in zip(keys, target.taken, strict=True):
                    taken.add(key)

    # ---- the end of an iteration

    def _settle(self) -> None:
        """Add new rows that are not dominated, and remove rows that are dominated now."""
        for name in self.totals:
            self._join(name)
        for effect in self.effects:
            effect.reject(self.targets[effect.name].new)
        for name in self.names:
            self._admit(name)
        for name in self.names:
            gone = {
                row
                for effect in self.effects
                if effect.name == name and effect.moving
                for row in self.tables[name].rows
                if effect.by_old(row)
            }
            if gone:
                self._remove(name, gone)

    def _admit(self, name: str) -> None:
        """Add the new rows of a relation that were not rejected, and remove rows that they dominate."""
        target, table = self.targets[name], self.tables[name]
        came, gone = dict(target.new), set[Row]()
        for effect in self.effects:
            if effect.name == name:
                for row in effect.rejected:
                    if came.pop(row, row) is None and target.taken:
                        self._release(target, row)
        for effect in self.effects:
            if effect.name == name and not effect.moving:
                effect.of_old(came, gone.add)
        target.new.clear()
        if gone:
            self._remove(name, gone)
        table.add(came, self.iteration)
        self.deltas[name] = came

    def _remove(self, name: str, gone: set[Row]) -> None:
        self.tables[name].remove(gone)
        delta, target = self.deltas[name], self.targets[name]
        for row in gone:
            delta.pop(row, None)
            if target.taken:
                self._release(target, row)

    def _release(self, target: Target, row: Row) -> None:
        for key, taken in zip(keys_of(row, target.relation), target.taken, strict=True):
            taken.discard(key)

    def _join(self, name: str) -> None:
        """Compute new totals from new aggregate inputs."""
        target, totals = self.targets[name], self.totals[name]
        join, width = join_of(self.program, name), target.relation.arity - 1
        changed: dict[Row, None] = {}
        for row in target.new:
            group = row[:width]
            totals[group] = join(totals[group], row[-1]) if group in totals else row[-1]
            changed[group] = None
            target.rows[row] = self.iteration
        target.new.clear()
        there = self.tables[name].rows
        target.new.update((total, None) for group in changed if (total := (*group, totals[group])) not in there)


class _Domination:
    """The functions of one subsumption, which are called at the end of an iteration.

    `by_old(row)`: whether an existing row dominates a row; `of_old(rows, add)`: adds the existing rows that one of
    `rows` dominates; `rejected`: new rows that are dominated; `moving`: its body reads relations of the component, so
    that all rows are compared.
    """

    def __init__(self, subsumption: Subsumption, program: Program, tables: Mapping[str, Table], moving: bool) -> None:
        self.name, self.new, self.moving = subsumption.dominated.relation, Table(), moving
        dominated = replace(subsumption.dominated, relation=DOMINATED)
        dominating = replace(subsumption.dominating, relation=DOMINATING)
        rows = tables[self.name]
        self.by_old = domination(dominated, dominating, subsumption.body, program, {**tables, DOMINATING: rows})
        self.by_new = domination(dominated, dominating, subsumption.body, program, {**tables, DOMINATING: self.new})
        self.of_old = dominations(dominated, dominating, subsumption.body, program, {**tables, DOMINATED: rows})
        self.rejected: list[Row] = []

    def reject(self, new: Mapping[Row, None]) -> None:
        self.new.add(new, 0)
        self.rejected = [row for row in new if self.by_old(row) or self.by_new(row)]
        self.new.clear()


def atoms_of(body: Sequence[Literal]) -> list[Atom]:
    """The atoms of a body, including negated ones."""
    return [a for b in body if isinstance(a := b.atom if isinstance(b, Not) else b, Atom)]


def join_of(program: Program, name: str) -> Callable[[Any, Any], Any]:
    """The join of an aggregated relation's values."""
    relation = program.relations[name]
    if relation.aggregate is not None and relation.aggregate in program.lattices:
        declared, what = program.lattices[relation.aggregate].join, f"{JOIN}{relation.aggregate}"

        def joined(a: Any, b: Any) -> Any:
            try:
                return declared(a, b)
            except BaseException as error:
                raise located(raised(what, (a, b), error), program, what) from error

        return joined
    kind = relation.columns[-1].type.kind
    if relation.aggregate == "sum":
        return lambda a, b: builtins.compute("+", (a, b), kind)
    chosen: Callable[[Any, Any], Any] = min if relation.aggregate == "min" else max
    return chosen
