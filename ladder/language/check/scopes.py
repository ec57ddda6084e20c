"""Scopes of variables in aggregates: which are local, which come from outside, and which are witnesses.

A variable of an aggregate's body that is bound outside has the same value inside; a variable of the target is always
local; one that occurs outside but is bound inside only is a *witness* of a minimum or maximum. `scoped` renames local
variables (`x$1`) and turns witnesses into literals:

    oldest(n, a) :- a = max x : { person(n, x) }.   →   oldest(n, a) :- a = value$1, person(n, x$1), value$1 = x$1,
                                                                        value$1 = max x : { person(n$1, x) }.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from ladder.language.expressions import written
from ladder.language.syntax import nodes as s
from ladder.language.syntax.branches import TooManyBranches, branches

_WITH_WITNESSES = frozenset(("min", "max"))


def scoped(clause: s.Clause) -> s.Clause:
    """The clause with unambiguous names of variables: aggregates share only those that come from outside."""
    roots: tuple[s.Node, ...] = clause.heads if clause.body is None else (*clause.heads, clause.body)
    if not any(direct_aggregates(root) for root in roots):
        return clause
    scoping = _Scoping(roots)
    changed = scoping.level(roots, clause.body, frozenset(), frozenset())
    heads: Any = changed[: len(clause.heads)]
    body: Any = changed[-1] if clause.body is not None else None
    extras = scoping.take(None)
    if extras:
        body = s.Conjunction(clause.place, (*([] if body is None else [body]), *extras))
    return replace(clause, heads=heads, body=body)


def direct_aggregates(node: s.Node) -> list[s.Aggregate]:
    """The aggregates in a node, except for those inside other aggregates."""
    found: list[s.Aggregate] = []
    _find_aggregates(node, found)
    return found


def _find_aggregates(node: s.Node, found: list[s.Aggregate]) -> None:
    if isinstance(node, s.Aggregate):
        found.append(node)
    else:
        for part in children(node):
            if type(part) is not s.Variable:
                _find_aggregates(part, found)


_CHILDREN: dict[type, Callable[[Any], tuple[s.Node, ...]]] = {
    s.Call: lambda node: node.arguments,
    s.UserCall: lambda node: node.arguments,
    s.Variant: lambda node: node.arguments,
    s.Record: lambda node: node.fields,
    s.Cast: lambda node: (node.value,),
    s.Aggregate: lambda node: (node.body,) if node.target is None else (node.target, node.body),
    s.AtomLiteral: lambda node: (node.atom,),
    s.Comparison: lambda node: (node.left, node.right),
    s.Negation: lambda node: (node.body,),
    s.Conjunction: lambda node: node.parts,
    s.Disjunction: lambda node: node.parts,
}
_FIELDS: dict[type, tuple[str, ...]] = {}


def children(node: s.Node) -> tuple[s.Node, ...]:
    """The parts of an expression or a body."""
    parts = _CHILDREN.get(type(node))
    return () if parts is None else parts(node)


def names(node: s.Node, deep: bool = True) -> dict[str, None]:
    """Names of the variables in a node, in textual order; with `deep` including those inside aggregates."""
    found: dict[str, None] = {}

    def visit(part: s.Node) -> None:
        if isinstance(part, s.Variable):
            found[part.name] = None
        elif deep or not isinstance(part, s.Aggregate):
            for inner in children(part):
                visit(inner)

    visit(node)
    return found


def grounded(
    literals: Iterable[s.Body],
    known: Iterable[str] = (),
    without: s.Aggregate | None = None,
    outside: frozenset[str] = frozenset(),
) -> frozenset[str]:
    """The known names and those that a conjunction binds.

    The value of an aggregate is known once those of its variables that also occur `outside` are; that of the aggregate
    `without` is not.
    """
    found = set(known)
    equations: list[tuple[s.Expression, s.Expression]] = []
    for literal in literals:
        if isinstance(literal, s.AtomLiteral):
            for argument in literal.atom.arguments:
                found |= _pattern_names(argument)
        elif isinstance(literal, s.Comparison) and literal.operator == "=":
            equations += [(literal.left, literal.right), (literal.right, literal.left)]
    progress = True
    while progress:
        progress = False
        for target, value in equations:
            bound = _pattern_names(target)
            needed = names(value, deep=False).keys() | names(value).keys() & outside
            if not bound <= found and needed <= found and not _unknown(value, without):
                found |= bound
                progress = True
    return frozenset(found)


def grounded_somewhere(body: s.Body | None, known: Iterable[str], without: s.Aggregate | None = None) -> frozenset[str]:
    """The known names and those that any alternative of a body binds."""
    if body is None:
        return frozenset(known)
    try:
        return frozenset(known).union(*(grounded(literals, known, without) for literals in branches(body)))
    except TooManyBranches:
        return frozenset(known) | names(body, deep=False).keys()


def _pattern_names(expression: s.Expression) -> set[str]:
    """Names of variables that are bound once the value of a pattern is known."""
    match expression:
        case s.Variable():
            return {expression.name}
        case s.Record() | s.Variant():
            return set().union(
                *map(_pattern_names, expression.fields if isinstance(expression, s.Record) else expression.arguments)
            )
        case s.Cast():
            return _pattern_names(expression.value)
    return set()


def _unknown(expression: s.Expression, without: s.Aggregate | None) -> bool:
    """Whether a wildcard, or the aggregate `without`, occurs in an expression."""
    if isinstance(expression, s.Wildcard) or expression is without:
        return True
    return not isinstance(expression, s.Aggregate) and any(_unknown(part, without) for part in children(expression))  # type: ignore[arg-type]


def mapped(node: Any, function: Callable[[Any], Any]) -> Any:
    """The node with its parts replaced by the results of a function."""
    changes = {}
    for name in _names_of_fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, s.Node):
            new: Any = function(value)
        elif isinstance(value, tuple) and value and isinstance(value[0], s.Node):
            new = tuple(map(function, value))
            new = value if all(a is b for a, b in zip(new, value)) else new
        else:
            continue
        if new is not value:
            changes[name] = new
    return replace(node, **changes) if changes else node


def _names_of_fields(kind: type) -> tuple[str, ...]:
    """The names of the fields of a class of nodes, looked up once."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(field.name for field in fields(kind))
    return _FIELDS[kind]


def renamed(node: Any, new_names: Mapping[str, str]) -> Any:
    if isinstance(node, s.Variable):
        return replace(node, name=new_names[node.name]) if node.name in new_names else node
    return mapped(node, lambda part: renamed(part, new_names))


class _Scoping:
    """The scopes of one clause; `taken`: names that are in use; `settled`: local variables of inner aggregates."""

    def __init__(self, roots: Iterable[s.Node]) -> None:
        self.names = set().union(*(names(root) for root in roots))
        self.taken = set().union(*(names(root, deep=False) for root in roots))
        self.settled: set[str] = set()
        self.extras: list[tuple[frozenset[str], list[s.Body]]] = []  # witnesses, literals that bind them

    def level(
        self, roots: tuple[s.Node, ...], body: s.Body | None, occurring: frozenset[str], enclosing: frozenset[str]
    ) -> tuple[Any, ...]:
        """A scope with its aggregates replaced; `occurring`: the names that occur outside of it; `enclosing`: those
        that are bound there."""
        here: frozenset[str] = frozenset().union(*(names(root, deep=False) for root in roots))
        own = occurring | here
        replacements: dict[int, s.Expression] = {}
        for root in roots:
            for aggregate in direct_aggregates(root):
                known = grounded_somewhere(body, enclosing, aggregate)
                complete = grounded_somewhere(body, enclosing)
                replacements[id(aggregate)] = self._aggregate(aggregate, here, own, known, complete)
        return tuple(_replaced(root, replacements) for root in roots)

    def take(self, occurring: Iterable[str] | None) -> list[s.Body]:
        """The literals that bind witnesses with these names; all if None."""
        mine = [entry for entry in self.extras if occurring is None or not entry[0].isdisjoint(occurring)]
        self.extras = [entry for entry in self.extras if entry not in mine]
        return [literal for _, literals in mine for literal in literals]

    def _new(self, name: str) -> str:
        base, number = written(name), 1
        while f"{base}${number}" in self.names:
            number += 1
        self.names.add(f"{base}${number}")
        return f"{base}${number}"

    def _aggregate(
        self,
        aggregate: s.Aggregate,
        here: frozenset[str],
        occurring: frozenset[str],
        known: frozenset[str],
        complete: frozenset[str],
    ) -> s.Expression:
        aggregate = self._inside(aggregate, occurring, known)
        target = names(aggregate.target, deep=False) if aggregate.target is not None else {}
        inside = grounded_somewhere(aggregate.body, known)
        new_names: dict[str, str] = {}
        witnesses: list[str] = []
        injected: set[str] = set()
        for name in names(aggregate):
            if name in self.settled:
                continue
            if name in occurring and name in known and name not in target:
                injected.add(name)
            elif (
                name in occurring and name not in complete and name in inside and aggregate.function in _WITH_WITNESSES
            ):
                witnesses.append(name)
            elif name in complete if name in occurring else name in self.taken:
                new_names[name] = self._new(name)
        aggregate = renamed(aggregate, new_names)
        local = [name for name in names(aggregate) if name not in injected and name not in occurring]
        self.settled.update(local)
        self.taken.update(local)
        return self._with_witnesses(aggregate, witnesses, injected, here) if witnesses else aggregate

    def _inside(self, aggregate: s.Aggregate, occurring: frozenset[str], known: frozenset[str]) -> s.Aggregate:
        """The aggregate with those inside it scoped."""
        roots = (aggregate.body,) if aggregate.target is None else (aggregate.body, aggregate.target)
        own = set().union(*(names(root, deep=False) for root in roots))
        body, *targets = self.level(roots, aggregate.body, occurring, known)
        extras = self.take(own)
        if extras:
            body = s.Conjunction(body.place, (body, *extras))
        return replace(aggregate, body=body, target=targets[0] if targets else None)

    def _with_witnesses(
        self, aggregate: s.Aggregate, witnesses: list[str], injected: set[str], here: frozenset[str]
    ) -> s.Expression:
        """The variable of an aggregate's value; literals are added whose rows with this value bind the witnesses.

        If the witnesses are bound further out than the aggregate, it stays as it is, with renamed variables.
        """
        place = aggregate.place
        local = [name for name in names(aggregate) if name not in injected and name not in witnesses]
        bound = {name: self._new(name) for name in local}
        inside = {name: self._new(name) for name in witnesses}
        value = s.Variable(place, self._new("value"))
        assert aggregate.target is not None
        self.settled.update((*bound.values(), *inside.values()))
        self.extras.append(
            (
                frozenset(witnesses),
                [
                    renamed(aggregate.body, bound),
                    s.Comparison(place, "=", value, renamed(aggregate.target, bound)),
                    s.Comparison(place, "=", s.Variable(place, value.name), renamed(aggregate, inside)),
                ],
            )
        )
        if here.intersection(witnesses):
            return s.Variable(place, value.name)
        again = {name: self._new(name) for name in (*local, *witnesses)}
        self.settled.update(again.values())
        kept: s.Aggregate = renamed(aggregate, again)
        return kept


def _replaced(node: Any, replacements: Mapping[int, s.Expression]) -> Any:
    if isinstance(node, s.Aggregate):
        return replacements[id(node)]
    return mapped(node, lambda part: _replaced(part, replacements))
