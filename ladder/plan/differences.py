"""How a change of rules affects each component: not at all, by some rules that are added or removed, or so that it must
be evaluated anew.

The state depends on a component's relations, on how they are aggregated and on its rules. Where the first two are the
same, added and removed rules are maintained like facts: each is switched on or off by a literal over a helper relation

    r(x, z) :- r(x, y), e(y, z).   →   r(x, z) :- $added(_), r(x, y), e(y, z).

which holds from iteration 0 on, so that switching adds or removes exactly the rule's instantiations. Afterwards the
literal is dropped: a row of iteration 0 does not change the iteration of any instantiation. Components whose set of
relations has changed are evaluated anew, because the timestamps of their rows differ.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace

from ladder.language.core import Atom, Program, Relation, Rule, Subsumption
from ladder.language.limits import LIMITS
from ladder.language.values.value_order import deciding_texts
from ladder.language.versions.rule_changes import cell_signature, functions_of, rule_key
from ladder.plan.build import relational_literals
from ladder.plan.components import Component, Expanded


@dataclass(frozen=True)
class Difference:
    """How a component of the new program differs from that of the old one.

    `old`: the position of the old component with the same relations, None where there is none. `kept`: for each rule
    the position of the same rule in the old component, None for an added one. `removed`: the rules of the old component
    that were removed. `ordered`: why the rows of an ordered component may differ although its inputs do not; `anew`:
    why the component must be evaluated anew. Both are "" where there is no reason.
    """

    old: int | None = None
    kept: tuple[int | None, ...] = ()
    removed: tuple[Rule, ...] = ()
    ordered: str = ""
    anew: str = ""

    @property
    def unchanged(self) -> bool:
        return not (self.anew or self.removed or self.ordered or None in self.kept)


def switched(rule: Rule, relation: str) -> Rule:
    """The rule with a switch: it holds while the relation (`ADDED` or `REMOVED` of `components`) has its row."""
    return replace(rule, body=(Atom(relation, (None,)), *rule.body))


@dataclass(frozen=True)
class Versions:
    """Two versions of a program, expanded; `redefined`: functions and lattices whose code has changed."""

    old: Program
    new: Program
    old_expanded: Expanded
    new_expanded: Expanded
    redefined: Collection[str] = ()

    def differences(self) -> list[Difference]:
        """The difference of each component of the new program."""
        positions = {component.names: position for position, component in enumerate(self.old_expanded.components)}
        return [
            self._difference(component, positions.get(component.names)) for component in self.new_expanded.components
        ]

    def _difference(self, component: Component, position: int | None) -> Difference:
        if position is None:
            return Difference(anew=self._why_new(component))
        old = self.old_expanded.components[position]
        reason = self._why_anew(component, old)
        if reason:
            return Difference(position, anew=reason)
        if component.ordered:
            return Difference(position, ordered=self._why_ordered(component, old))
        kept, removed = self._compared(component, old)
        changed = [*(rule for rule, same in zip(component.rules, kept, strict=True) if same is None), *removed]
        if any(len(relational_literals(rule)) > LIMITS.switched_atoms for rule in changed):
            return Difference(
                position, anew=f"a rule of {_listed(component)} with more than {LIMITS.switched_atoms} atoms changed"
            )
        return Difference(position, kept, removed)

    def _compared(self, component: Component, old: Component) -> tuple[tuple[int | None, ...], tuple[Rule, ...]]:
        """(per rule its position in the old component, old rules that are gone)."""
        free: dict[Hashable, list[int]] = {}
        for number, rule in enumerate(old.rules):
            free.setdefault(rule_key(rule, self.old.types), []).append(number)
        kept = tuple(
            same.pop(0) if (same := free.get(rule_key(rule, self.new.types))) else None for rule in component.rules
        )
        gone = sorted(number for numbers in free.values() for number in numbers)
        return kept, tuple(old.rules[number] for number in gone)

    def _why_new(self, component: Component) -> str:
        known = [name for name in component.names if name in self.old_expanded.relations]
        if not known:
            return f"{_listed(component)} is new"
        return f"{_listed(component)} depends on itself in another way"

    def _why_anew(self, component: Component, old: Component) -> str:
        for relation in component.relations:
            before = self.old_expanded.relations[relation.name]
            if self._columns(relation, self.new) != self._columns(before, self.old):
                return f"the columns of {relation.name} are others"
        if set(component.aggregates) != set(old.aggregates):
            return f"{_listed(component)} is aggregated in another way"
        if component.ordered != old.ordered and set(component.ordered) != set(old.ordered):
            return f"{_listed(component)} is evaluated in another way"
        used = {name for rule in (*component.rules, *old.rules) for name in functions_of(rule)}
        if redefined := sorted(used.intersection(self.redefined)):
            return f"{redefined[0]} has other code"
        return ""

    def _why_ordered(self, component: Component, old: Component) -> str:
        if self._ordered_text(component, self.new) != self._ordered_text(old, self.old):
            return "rules whose order matters are others"
        if deciding_texts(self.new, component.ordered) != deciding_texts(self.old, old.ordered):
            return "texts by which rows are sorted are mentioned in another order"
        return ""

    @staticmethod
    def _columns(relation: Relation, program: Program) -> Hashable:
        return tuple(cell_signature(column.type, program.types) for column in relation.columns)

    def _ordered_text(self, component: Component, program: Program) -> Hashable:
        """What the rows of an ordered component depend on, for comparison: its declarations and rules, in their
        order."""
        names = set(component.ordered)
        relations = tuple(
            (r.name, r.aggregate, r.choice, r.limit, program.facts.get(name, ()))
            for name in component.ordered
            for r in (program.relations[name],)
        )
        clauses: list[Rule | Subsumption] = [r for r in program.rules if r.head.relation in names]
        clauses += [s for s in program.subsumptions if s.dominated.relation in names]
        used = sorted({f for clause in clauses for f in functions_of(clause)}.intersection(self.redefined))
        keys = tuple(rule_key(clause, program.types) for clause in clauses)
        return relations, keys, (program is self.new, *used) if used else ()


def _listed(component: Component) -> str:
    """Some of the names of a component's relations, for messages."""
    names = [r.name for r in component.relations if r.declared] or [component.relations[0].name]
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
