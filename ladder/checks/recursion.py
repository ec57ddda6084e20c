"""Components in which lattice values grow, and which of their rows depend on values that are not final yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ladder.checks.values import base_name
from ladder.language.core import Atom, Not, Program, Relation, Rule, Var, binds, needs
from ladder.language.normalise.widening import recursive_components
from ladder.lattices.laws import completed, text


class Order:
    """The order of an aggregated relation's values: its lattice's, or that of the numbers under `min` and `max`."""

    def __init__(self, name: str, lattice: Any) -> None:
        self.name, self.lattice = name, lattice

    def join(self, a: Any, b: Any) -> Any:
        """The join of both values."""
        return {"min": min, "max": max}[self.name](a, b) if self.lattice is None else self.lattice.join(a, b)

    def leq(self, a: Any, b: Any) -> bool:
        """Whether a is below or equal to b."""
        return bool(self.join(a, b) == b) if self.lattice is None else bool(self.lattice.leq(a, b))

    def show(self, value: Any) -> str:
        """A value as text for messages."""
        return str(value) if self.lattice is None else text(self.lattice, value)


@dataclass(frozen=True)
class Growing:
    """A component that depends on itself and has aggregated relations; `orders`: relation → the order of its values."""

    program: Program
    names: frozenset[str]
    orders: Mapping[str, Order] = field(compare=False)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that derive the component's relations."""
        return tuple(rule for rule in self.program.rules if rule.head.relation in self.names)

    def growing(self, rule: Rule) -> dict[Var, Order]:
        """The variables of a rule that have totals of the component as values, which grow during evaluation."""
        found: dict[Var, Order] = {}
        for atom in atoms(rule):
            term = atom.terms[-1] if atom.terms else None
            if atom.relation in self.orders and isinstance(term, Var):
                found[term] = self.orders[atom.relation]
        return found

    @cached_property
    def unsettled(self) -> Mapping[str, frozenset[int]]:
        """Relation of the component that is not aggregated → its columns whose values are growing totals or computed
        from such."""
        found: dict[str, set[int]] = {name: set() for name in self.names if name not in self.orders}
        changed = True
        while changed:
            changed = False
            for rule in self.rules:
                target = found.get(rule.head.relation)
                if target is None:
                    continue
                made = self._made_of(rule, found)
                columns = {i for i, term in enumerate(rule.head.terms) if term in made}
                changed |= not columns <= target
                target |= columns
        return {name: frozenset(columns) for name, columns in found.items()}

    def _made_of(self, rule: Rule, unsettled: Mapping[str, set[int]]) -> set[Any]:
        made: set[Any] = set(self.growing(rule))
        for atom in atoms(rule):
            made |= {atom.terms[i] for i in unsettled.get(atom.relation, ()) if isinstance(atom.terms[i], Var)}
        return closed(rule, made)

    @cached_property
    def seen(self) -> frozenset[str]:
        """The component's relations that other components read or that are outputs."""
        written = {d.relation for d in self.program.directives if d.kind in ("output", "printsize")}
        read = {
            atom.relation
            for rule in self.program.rules
            if rule.head.relation not in self.names
            for atom in (*atoms(rule), *negated(rule))
        }
        return self.names & (written | read)

    def seen_through(self, name: str) -> list[str]:
        """The relations that are read outside and derived from rows of a relation that is not aggregated, itself
        first."""
        reached, pending = {name: None}, [name]
        while pending:
            current = pending.pop()
            for rule in self.rules:
                head = rule.head.relation
                if head not in reached and head not in self.orders and any(a.relation == current for a in atoms(rule)):
                    reached[head] = None
                    pending.append(head)
        return [name for name in reached if name in self.seen]


def closed(rule: Rule, made: set[Any]) -> set[Any]:
    """The variables `made` and those that literals compute from them."""
    made = set(made)
    changed = True
    while changed:
        changed = False
        for literal in rule.body:
            if not isinstance(literal, Atom) and needs(literal) & made and not binds(literal) <= made:
                made |= binds(literal)
                changed = True
    return made


def sources_of(rule: Rule, term: Any) -> set[Any]:
    """A term and all terms from which it is computed."""
    found, changed = {term}, True
    while changed:
        before = len(found)
        for literal in rule.body:
            if not isinstance(literal, Atom) and binds(literal) & found:
                found |= needs(literal)
        changed = len(found) > before
    return found


def atoms(rule: Rule) -> Iterator[Atom]:
    """The positive atoms of a rule."""
    return (literal for literal in rule.body if isinstance(literal, Atom))


def negated(rule: Rule) -> Iterator[Atom]:
    """The negated atoms of a rule."""
    return (literal.atom for literal in rule.body if isinstance(literal, Not))


def growing_components(program: Program, lattices: Mapping[str, Any]) -> list[Growing]:
    """The components that depend on themselves and have relations aggregated by lattices, `min` or `max`."""
    found = []
    for names in recursive_components(program):
        orders = {name: order for name in names if (order := _order(program.relations[name], program, lattices))}
        if orders:
            found.append(Growing(program, frozenset(names), orders))
    return sorted(found, key=lambda component: min(component.names))


def _order(relation: Relation, program: Program, lattices: Mapping[str, Any]) -> Order | None:
    aggregate = relation.aggregate
    if aggregate is None or relation.keys:
        return None
    if aggregate in ("min", "max"):
        return Order(aggregate, None)
    lattice = program.lattices.get(aggregate) if aggregate.endswith(".dual") else lattices.get(base_name(aggregate))
    return None if lattice is None else Order(aggregate, completed(lattice))
