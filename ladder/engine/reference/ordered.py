"""The executable specification of ordered components: those with a relation whose rows depend on the order of
derivation.

    start          asserted facts, sorted; program facts, in the order of the program; then each rule
                   that reads no relation of the component, in the order of the text
    iteration k    each rule that reads one: its instantiations with a row that came in iteration k - 1 (0: at the
                   start)
    until no row comes, or a limited relation has reached its limit

The instantiations of a rule are sorted: first those with no other new row than that of the component's first atom, then
those with a new row of the second atom and none of later ones, and so on; among these by the rows of the atoms in
textual order (see `ValueOrder`); then by generated values. Atoms with wildcards only do not distinguish instantiations.
In this order, each instantiation draws its numbers from the program's counter, and its row is kept unless an earlier
row, or one kept in this iteration, has one of its keys. New rows that another row dominates are dropped; then rows that
new rows dominate are removed. A new total of an aggregated relation is a row of the iteration in which its aggregate
inputs arrived.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

from ladder.engine.reference.rules import Bindings, Instantiations, Row, TooMuch, join_of, program_facts, value_of
from ladder.errors import Unsupported
from ladder.language.core import (
    Atom,
    Compute,
    Generate,
    Literal,
    Program,
    Rule,
    Subsumption,
    Term,
    binds,
    needs,
    ordered_relations,
)
from ladder.language.values.value_order import ValueOrder

DOMINATED, DOMINATING = "$dominated", "$dominating"


class Numbering:
    """The program's counter, from which rules of the components draw numbers in turn."""

    def __init__(self) -> None:
        self.next = 0

    def draw(self) -> int:
        self.next += 1
        return self.next - 1


class OrderedComponent:
    """The evaluation of one ordered component; `rows`: relation → row → iteration in which it was derived."""

    def __init__(
        self,
        program: Program,
        names: set[str],
        outer: Mapping[str, Mapping[Row, int]],
        numbering: Numbering,
        most_iterations: int,
        most_instantiations: int,
    ) -> None:
        self.program, self.outer, self.numbering, self.order = program, outer, numbering, ValueOrder(program)
        self.names = [name for name in program.relations if name in names]
        self.rules = [rule for rule in program.rules if rule.head.relation in names]
        self.subsumptions = [s for s in program.subsumptions if s.dominated.relation in names]
        self.aggregated = {name for name in names if program.relations[name].aggregate is not None}
        if refused := self.aggregated & ordered_relations(program):
            raise Unsupported(f"The rows of {min(refused)} are joined by a lattice: they have no order of derivation.")
        self.most_iterations, self.most_instantiations = most_iterations, most_instantiations
        self.rows: dict[str, dict[Row, int]] = {name: {} for name in self.names}
        self.new: dict[str, dict[Row, None]] = {name: {} for name in self.names}
        self.aggregate_inputs: dict[str, dict[Row, None]] = {name: {} for name in self.aggregated}
        self.iteration = 0

    def evaluate(self, facts: Mapping[str, Iterable[Row]]) -> dict[str, set[Row]]:
        """Evaluate the component → relation → its rows; for an aggregated one, the final total of each group."""
        for name in self.names:
            of_program = program_facts(self.program, name)
            for row in (*sorted(set(facts[name]) - set(of_program), key=self.order.key), *of_program):
                self._take(name, row)
        came = self._iterate()
        while came and not any(len(self.rows[r.name]) >= r.limit for r in self._own() if r.limit is not None):
            self.iteration += 1
            if self.iteration > self.most_iterations:
                raise TooMuch(f"{', '.join(self.names)}: new rows after {self.most_iterations} iterations")
            came = self._iterate()
        return {
            name: set(self._totals(name)) if name in self.aggregated else set(self.rows[name]) for name in self.names
        }

    def _own(self) -> Iterator[Any]:
        return (self.program.relations[name] for name in self.names)

    def _iterate(self) -> bool:
        """Evaluate one iteration; whether there were new rows."""
        for name in self.names:
            for rule in self.rules:
                if rule.head.relation == name:
                    for row in self._derived(rule):
                        self._take(name, row)
        for name in self.aggregated:
            self.new[name] = dict.fromkeys(row for row in self._totals(name) if row not in self.rows[name])
        dominated = {
            name: self._dominated(name, self.new[name], {**self.rows[name], **self.new[name]}) for name in self.names
        }
        came = False
        for name in self.names:
            kept = self.new[name].keys() - dominated[name]
            self.rows[name].update(dict.fromkeys(kept, self.iteration))
            self.new[name] = {}
            came |= bool(kept)
        for name in self.names:
            for row in self._dominated(name, self.rows[name], self.rows[name]):
                del self.rows[name][row]
        return came

    def _take(self, name: str, row: Row) -> None:
        """Keep a derived row for this iteration, unless it exists or a row with one of its keys does."""
        if name in self.aggregated:
            self.aggregate_inputs[name][row] = None
            return
        keys = (*self.program.relations[name].choice, range(len(row)))
        there = [*self.rows[name], *self.new[name]] if len(keys) > 1 else []
        self._spend(len(there))
        if row not in self.rows[name] and not any(
            all(row[i] == other[i] for i in key) for other in there for key in keys
        ):
            self.new[name][row] = None

    def _derived(self, rule: Rule) -> Iterator[Row]:
        """The head rows of a rule's instantiations in this iteration, in order."""
        own = [atom.relation in self.rows for atom in rule.body if isinstance(atom, Atom)]
        if any(own) != (self.iteration > 0):
            return
        last = split(rule)
        literals = [literal for literal in rule.body if literal not in last]
        telling = [any(t is not None for t in atom.terms) for atom in rule.body if isinstance(atom, Atom)]
        generated = [literal.result for literal in literals if isinstance(literal, Generate)]
        run = Instantiations(replace(rule, body=tuple(literals)), self.program, {**self.outer, **self.rows})
        found: dict[tuple[Any, ...], Bindings] = {}
        for bindings, rows in run.with_rows():
            self._spend()
            new = [
                i
                for i, row in enumerate(rows)
                if own[i] and self.rows[run.atoms[i].relation][row] == self.iteration - 1
            ]
            if new or not any(own):
                key = [self.order.key(row) for row, tells in zip(rows, telling, strict=True) if tells]
                found[max(new, default=0), tuple(key), tuple(self.order.key(bindings[v]) for v in generated)] = bindings
        for _, bindings in sorted(found.items(), key=lambda item: item[0]):
            for solution in self._finish(run, last, bindings):
                yield tuple(value_of(t, solution) for t in rule.head.terms)

    def _finish(self, run: Instantiations, literals: list[Literal], bindings: Bindings) -> Iterator[Bindings]:
        """The solutions of the literals that depend on the counter."""
        solutions = [bindings]
        for literal in literals:
            if isinstance(literal, Compute) and literal.function == "autoinc":
                solutions = [{**b, literal.result: self.numbering.draw()} for b in solutions]
            elif isinstance(literal, Compute) and literal.function == "iteration":
                solutions = [{**b, literal.result: self.iteration} for b in solutions]
            else:
                solutions = [extended for b in solutions for extended in run.solutions(literal, b)]
        return iter(solutions)

    def _dominated(self, name: str, rows: Mapping[Row, Any], others: Mapping[Row, Any]) -> set[Row]:
        """Those of the rows that one of `others` dominates."""
        first = {**self.outer, **self.rows, DOMINATED: dict.fromkeys(rows, 0), DOMINATING: dict.fromkeys(others, 0)}
        found = set()
        for subsumption in self.subsumptions:
            if subsumption.dominated.relation == name:
                for _, pair in Instantiations(rule_of(subsumption), self.program, first).with_rows():
                    self._spend()
                    if pair[0] != pair[1]:
                        found.add(pair[0])
        return found

    def _totals(self, name: str) -> Iterator[Row]:
        """The rows (group, total) of all groups."""
        groups: dict[Row, list[Any]] = {}
        for row in self.aggregate_inputs[name]:
            groups.setdefault(row[: self.program.relations[name].arity - 1], []).append(row[-1])
        return ((*group, reduce(join_of(self.program, name), values)) for group, values in groups.items())

    def _spend(self, steps: int = 1) -> None:
        self.most_instantiations -= steps
        if self.most_instantiations < 0:
            raise TooMuch(f"{', '.join(self.names)}: too many instantiations of rules")


def rule_of(subsumption: Subsumption) -> Rule:
    """A rule with the instantiations of a subsumption; the rows of its first two atoms are the dominated and the
    dominating one."""
    dominated = replace(subsumption.dominated, relation=DOMINATED)
    return Rule(dominated, (dominated, replace(subsumption.dominating, relation=DOMINATING), *subsumption.body))


def split(rule: Rule) -> list[Literal]:
    """The literals that depend on the counter or the iteration, in an order in which they can be evaluated."""
    last: list[Literal] = [b for b in rule.body if isinstance(b, Compute) and b.function in ("autoinc", "iteration")]
    late: set[Term] = {variable for literal in last for variable in binds(literal)}
    pending = [b for b in rule.body if not isinstance(b, Atom) and b not in last]
    while more := next((b for b in pending if needs(b) & late), None):
        pending.remove(more)
        last.append(more)
        late |= binds(more)
    known = {v for b in rule.body if b not in last for v in binds(b)}
    done: list[Literal] = []
    while ready := next((b for b in last if b not in done and needs(b) <= known), None):
        done.append(ready)
        known |= binds(ready)
    return done
