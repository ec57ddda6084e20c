"""Atoms of inline relations → the bodies of their rules.

.decl near(x: number, y: number) inline
near(x, x + 1).   near(x, y) :- step(x, y).
r(y) :- q(z), near(z, y).   →   r(y) :- q(z), (z + 1 = y ; step(z, y)).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

from ladder.language.check.environment import Environment
from ladder.language.check.scopes import mapped, names
from ladder.language.check.types import NUMERIC
from ladder.language.core import Type
from ladder.language.expressions import all_atoms, heads_of, written
from ladder.language.syntax import nodes as s

Rule = s.Clause | s.SubsumptionClause


def inlined_relations(rules: Iterable[Rule], environment: Environment) -> set[str]:
    """The inline relations that can be replaced by their rules.

    Those whose rows do not follow from their rules alone, because they are aggregated or limited for example, stay
    relations.
    """
    special = {item.relation for item in environment.directives if item.kind == "limitsize"}
    special |= environment.eqrels | environment.lattice_columns.keys()
    special |= {rule.dominated.name for rule in rules if isinstance(rule, s.SubsumptionClause)}
    special |= {name for name, relation in environment.relations.items() if relation.aggregate or relation.choice}
    return environment.inlined - special


def concerned(rule: Rule, inlined: AbstractSet[str]) -> bool:
    """Whether inlining changes a rule or removes it."""
    return any(head.name in inlined for head in heads_of(rule)) or any(
        atom.name in inlined for atom in all_atoms(rule.body)
    )


def expand(rules: Sequence[Rule], environment: Environment) -> list[Rule]:
    """The rules without inlined relations in bodies and heads; rules without other heads are dropped."""
    inlined = environment.inlined
    expansion = _Expansion(rules, environment)
    expanded: list[Rule] = []
    for rule in rules:
        body = None if rule.body is None else expansion.body(rule.body)
        if isinstance(rule, s.SubsumptionClause):
            assert body is not None
            expanded.append(rule if body is rule.body else replace(rule, body=body, plans=()))
            continue
        heads = tuple(head for head in rule.heads if head.name not in inlined)
        if heads:
            expanded.append(
                replace(rule, heads=heads) if body is rule.body else replace(rule, heads=heads, body=body, plans=())
            )
    return expanded


class _Expansion:
    """`rules`: relation → the heads and bodies of its rules; `active`: relations being expanded."""

    def __init__(self, rules: Iterable[Rule], environment: Environment) -> None:
        self.relations, self.types = environment.relations, environment.types.types
        self.rules: dict[str, list[tuple[s.Call, s.Body | None]]] = {name: [] for name in environment.inlined}
        for rule in rules:
            for head in heads_of(rule):
                if head.name in self.rules:
                    self.rules[head.name].append((head, rule.body))
        self.active: list[str] = []
        self.count = 0

    def body(self, body: s.Body) -> s.Body:
        """A body with all atoms of inlined relations expanded."""
        match body:
            case s.AtomLiteral(atom=atom) if atom.name in self.rules and atom.name not in self.active:
                self.active.append(atom.name)
                alternatives = [self.body(self._alternative(atom, *rule)) for rule in self.rules[atom.name]]
                self.active.pop()
                possible = tuple(a for a in alternatives if not (isinstance(a, s.Truth) and not a.value))
                if len(possible) == 1:
                    return possible[0]
                return s.Disjunction(body.place, possible) if possible else s.Truth(body.place, False)
            case s.Negation() | s.Conjunction() | s.Disjunction():
                changed: s.Body = mapped(body, self.body)
                return changed
        return body

    def _alternative(self, atom: s.Call, head: s.Call, body: s.Body | None) -> s.Body:
        """The body of one rule with the rule's head matched against an atom's arguments."""
        values: dict[str, Any] = {}
        pairs: list[tuple[s.Expression, s.Expression, Type]] = []
        columns = self.relations[atom.name].columns
        for formal, actual, column in zip(head.arguments, atom.arguments, columns, strict=True):
            if isinstance(formal, s.Variable) and formal.name not in values:
                values[formal.name] = self._named(actual)
            else:
                pairs.append((formal, actual, column.type))
        for node in (*head.arguments, *([] if body is None else [body])):
            for name in names(node):
                if name not in values:
                    values[name] = self._variable(node, name)
        parts: list[s.Body] = []
        for formal, actual, type_ in pairs:
            parts += self._equal(_substituted(formal, values), actual, type_)
        if any(isinstance(part, s.Truth) for part in parts):
            return s.Truth(atom.place, False)
        if body is not None:
            parts.append(_substituted(body, values))
        if len(parts) == 1:
            return parts[0]
        return s.Conjunction(atom.place, tuple(parts)) if parts else s.Truth(atom.place, True)

    def _equal(self, value: s.Expression, actual: s.Expression, type_: Type) -> list[s.Body]:
        """The literals that say that an argument of a head equals that of an atom, in a column of the type; a false one
        if they cannot be equal.

        Without the column a literal would lose the column's type, which a cast (`as`) preserves.
        """
        if isinstance(value, s.Wildcard) or isinstance(actual, s.Wildcard):
            return []
        if _constant(value) and _constant(actual):
            return [] if value == actual else [s.Truth(actual.place, False)]
        if isinstance(value, s.Record) and isinstance(actual, s.Record) and len(type_.fields) == len(value.fields):
            fields = zip(value.fields, actual.fields, type_.fields, strict=True)
            return [part for one, other, (_, name) in fields for part in self._equal(one, other, self.types[name])]
        value, actual = self._named(value), self._named(actual)
        if not isinstance(value, s.Variable) and type_.name not in (*NUMERIC, "symbol"):
            value = s.Cast(value.place, value, type_.name)
        return [] if value == actual else [s.Comparison(actual.place, "=", value, actual)]

    def _named(self, expression: Any) -> Any:
        """An argument that can be used several times, with variables in place of wildcards."""
        if isinstance(expression, s.Wildcard):
            return self._variable(expression, "_")
        return expression if isinstance(expression, s.Aggregate) else mapped(expression, self._named)

    def _variable(self, node: s.Node, name: str) -> s.Variable:
        self.count += 1
        return s.Variable(node.place, f"{written(name)}${self.count}")


def _substituted(node: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(node, s.Variable):
        value = values[node.name]
        return replace(value, place=node.place) if isinstance(value, s.Variable) else value
    return mapped(node, lambda part: _substituted(part, values))


def _constant(expression: s.Expression) -> bool:
    return isinstance(expression, s.String) or isinstance(expression, s.Number) and expression.suffix in ("", "u")
