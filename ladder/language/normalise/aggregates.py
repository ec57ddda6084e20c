"""Aggregates of bodies → helper relations, aggregated by the engine like any other.

    total(d, n) :- dept(d), n = sum s : { works(p, d), pays(p, s) }.
    →  total$dom1(d) :- dept(d).
       total$sum1(d, p, s) :- works(p, d), pays(p, s).      (p is a key: one summand per binding of the body)
       total$sum1(d, "", 0) :- total$dom1(d).               (so that departments without workers have a sum)
       total(d, $1) :- dept(d), total$sum1(d, $1).

The group is the variables that the aggregate takes from outside. Where the body does not bind them, its rules start
from the relation of groups for which values are needed; so they do where that relation is there anyway and the body is
a join, which may have far more groups than are asked for. All summands of a group then arrive one iteration after the
group itself, so that recursive rules never see part of a sum; if the body has such aggregates itself, the group is
delayed for them (by a chain of copies of `dom`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ladder.language import core
from ladder.language.check.scopes import children, direct_aggregates, grounded, names
from ladder.language.check.types import PRIMITIVES
from ladder.language.core import Const, Kind, Term, Type, Var
from ladder.language.normalise.domains import domain
from ladder.language.normalise.lattice_columns import Disjoint, alternatives, columns_of
from ladder.language.normalise.terms import Conjunction, rule
from ladder.language.roles import Role
from ladder.language.syntax import nodes as s
from ladder.language.values import exact

_NUMBER, _FLOAT = PRIMITIVES["number"], PRIMITIVES["float"]
_EXACT = Type(exact.LATTICE, Kind.OBJECT)
_WHICH = "which keys there are"
_ZEROS: dict[Kind, Any] = {
    Kind.NUMBER: 0,
    Kind.UNSIGNED: 0,
    Kind.FLOAT: 0.0,
    Kind.SYMBOL: "",
    Kind.RECORD: None,
    Kind.OBJECT: None,
}


@dataclass(frozen=True)
class Pending:
    """An aggregate that cannot be lowered before the variables that it takes from outside are bound."""

    aggregate: s.Aggregate
    result: Var
    injected: tuple[s.Variable, ...]


def pending_aggregates(lowering: Conjunction, literals: Sequence[Any], besides: Sequence[s.Node]) -> list[Any]:
    """The aggregates of a conjunction and of the nodes `besides`, each with a variable for its value."""
    nodes: list[s.Node] = [*besides, *(item.atom if isinstance(item, Disjoint) else item for item in literals)]
    aggregates = {id(aggregate): aggregate for node in nodes for aggregate in direct_aggregates(node)}
    if not aggregates:
        return []
    lowering.outside = lowering.outside.union(*(names(node, deep=False) for node in nodes))
    pending: list[Any] = []
    for aggregate in aggregates.values():
        result = lowering.new(lowering.typing.type(aggregate))
        lowering.aggregates[id(aggregate)] = result
        injected = tuple(s.Variable(aggregate.place, name) for name in names(aggregate) if name in lowering.outside)
        pending.append(Pending(aggregate, result, injected))
    return pending


def lower_aggregate(lowering: Conjunction, item: Pending) -> bool:
    """Add the helper relation of an aggregate and the atom that reads it; False if the group is not bound yet."""
    if not all(lowering.ready(variable) for variable in item.injected):
        return False
    _Helper(lowering, item).lower()
    return True


@dataclass
class _Alternative:
    """An alternative of the body, and its lowered form; `keys`: the values that distinguish its summands, by name or
    place in the text.

    What occurs in all alternatives has the same key, so that a solution of several of them is one summand.
    """

    literals: Sequence[Any]
    lowering: Conjunction
    value: Term
    keys: dict[Hashable, Term] = field(default_factory=dict)


class _Helper:
    """Makes the helper relation of one aggregate."""

    def __init__(self, lowering: Conjunction, item: Pending) -> None:
        self.outer = lowering
        self.item = item
        self.aggregate = item.aggregate
        self.function = item.aggregate.function
        terms = {v.name: lowering.variable(v.name) for v in item.injected}
        self.constants = [name for name, term in terms.items() if isinstance(term, Const)]
        self.group = tuple(dict.fromkeys(term for term in terms.values() if isinstance(term, Var)))
        self.local = [n for n in names(item.aggregate.body, deep=False) if n not in terms]
        self.bag = self.function in ("count", "sum", "mean")
        self.exact = self.function == "mean" or self.function == "sum" and self._kind() is Kind.FLOAT

    def lower(self) -> None:
        conjunctions = list(map(_without_repetition, alternatives(self.aggregate.body, self.outer.environment)))
        wanted = {variable.name for variable in self.item.injected}
        outside = self.outer.outside | names(self.aggregate.body, deep=False).keys()
        closed = all(
            wanted <= grounded((p for p in literals if not isinstance(p, Disjoint)), self.constants, None, outside)
            for literals in conjunctions
        ) and not self._read_by_order(wanted)
        needs_zero = self.function in ("count", "sum")
        dom = domain(self.outer, self.group) if self.group and (needs_zero or not closed) else None
        asked = not closed or dom is not None and any(map(_joins, conjunctions))
        several, groups = len(conjunctions) > 1, dom if asked else None
        lowered = [self._alternative(literals, groups, several) for literals in conjunctions]
        found = [alternative for alternative in lowered if alternative is not None]
        offset = max((a.lowering.offset for a in found), default=0)
        gate = self._gate(dom, offset) if dom is not None and asked else dom
        rules, relation = self._relation(found, gate if needs_zero else None, dom, gate, needs_zero)
        name = self._shared(rules, relation, sharable=dom is None)
        if dom is not None:
            self.outer.offset += 2 + offset
        self._read(name)

    def _read_by_order(self, outside: set[str]) -> bool:
        """Whether a variable from outside occurs in a lattice column of the body, where it must be below the value."""
        atoms = (node for node in _nodes(self.aggregate.body) if isinstance(node, s.Call))
        return any(
            isinstance(node, s.Variable) and node.name in outside
            for atom in atoms
            if atom.name in self.outer.environment.relations
            for position in columns_of(self.outer.environment, atom.name)
            for node in _nodes(atom.arguments[position])
        )

    # ---- the body

    def _alternative(self, literals: list[Any], dom: str | None, several: bool) -> _Alternative | None:
        """Lower one alternative of the body; None if it derives nothing. `dom`: the relation of groups that it starts
        from; `several`: whether the body has several alternatives."""
        outer = self.outer
        inner = type(outer)(outer.clause, outer.typing, outer.environment, outer.result, outer.errors)
        inner.values, inner.types, inner.fresh = dict(outer.values), dict(outer.types), outer.fresh
        inner.outside = outer.outside | names(self.aggregate.body, deep=False).keys()
        target = [] if self.aggregate.target is None else [self.aggregate.target]
        groups = None if dom is None else core.Atom(dom, self.group)
        if not inner.body(literals, target, groups):
            return None
        unready = [expression for expression in target if not inner.ready(expression)]
        if unready:
            inner.explain(unready)
            return None
        value = inner.term(target[0]) if target else Const(1, _NUMBER)
        value = self._summand(inner, value) if self.exact else value
        alternative = _Alternative(literals, inner, value)
        if self.bag:
            self._keys(alternative, several)
        return alternative

    def _keys(self, alternative: _Alternative, several: bool) -> None:
        """Collect the keys of an alternative: everything that the body binds and that is not computed from the rest."""
        lowering = alternative.lowering
        only = _only_atom(alternative.literals)
        group = {lowering.variable(v.name) for v in self.group}
        if several:  # what follows from the rest in one alternative need not do so in another
            for name in self.local:
                term = lowering.variable(name)
                if lowering.known(term):
                    alternative.keys[name] = term
        for position, literal in enumerate(lowering.literals):
            if isinstance(literal, core.Atom) and literal.relation not in lowering.derived:
                if not lowering.negated.isdisjoint(literal.terms):
                    continue
                terms = tuple(
                    self._counted(alternative, only, literal.relation, i) if t is None and only is not None else t
                    for i, t in enumerate(literal.terms)
                )
                lowering.literals[position] = core.Atom(literal.relation, terms)
                found = [t for t in terms if isinstance(t, Var)]
            elif isinstance(literal, core.Generate):
                found = [literal.result]
            else:
                continue
            for term in found:
                if term not in group and term != alternative.value and term not in alternative.keys.values():
                    alternative.keys[_label(alternative, term)] = term

    def _counted(self, alternative: _Alternative, atom: s.Call, relation: str, position: int) -> Var:
        """A variable in the place of a wildcard of the only positive atom; the same in all alternatives that have the
        atom."""
        relations, lowering = self.outer.environment.relations, alternative.lowering
        declared = relations[relation] if relation in relations else self.outer.result.helpers[relation]
        new = lowering.new(declared.columns[position].type)
        lowering.sources[new] = id(atom), position
        return new

    def _summand(self, lowering: Conjunction, value: Term) -> Var:
        """The variable of a number's exact value, which is computed for sums of floats."""
        source = PRIMITIVES[self._kind().value]
        new, name = lowering.new(_EXACT), f"$sum.one({source.name})"
        self._function(name, source, _EXACT)
        lowering.add(core.Compute(new, name, (value,), source.kind), new)
        return new

    def _function(self, name: str, argument: Type, result: Type) -> None:
        known = self.outer.result.functions
        if name not in known:
            known[name] = core.Function(name, (argument,), result, exact.CALLS[name])

    def _kind(self) -> Kind:
        """The kind of the aggregate's target."""
        return Kind.NUMBER if self.aggregate.target is None else self.outer.typing.kind(self.aggregate.target)

    # ---- the relation

    def _gate(self, dom: str, offset: int) -> str:
        """A relation that has the groups of `dom`, this many iterations later."""
        result = self.outer.result
        for _ in range(offset):
            groups, before = result.unused(Role.GROUPS, self.outer.clause_name), dom
            dom = groups.name
            result.helpers[dom] = core.helper(groups, result.helpers[before].columns, place=self.aggregate.place)
            result.rules.append(rule(core.Atom(dom, self.group), (core.Atom(before, self.group),), self.outer.clause))
        return dom

    def _relation(
        self, found: list[_Alternative], zeros: str | None, dom: str | None, gate: str | None, needs_zero: bool
    ) -> tuple[list[core.Rule], core.Relation]:
        """(the rules of the helper relation, the relation), both without a name yet."""
        self._tell_apart(found, needs_zero)
        labels = list(dict.fromkeys(label for alternative in found for label in alternative.keys))
        types = [next(self._type(a, a.keys[label]) for a in found if label in a.keys) for label in labels]
        markers = [Const(_ZEROS[type_.kind], type_) for type_ in types]  # what a key is where there is none
        value = _EXACT if self.exact else self.outer.typing.type(self.aggregate)
        rules = []
        for alternative in found:
            lowering = alternative.lowering
            keys = [alternative.keys.get(label, marker) for label, marker in zip(labels, markers, strict=True)]
            group = [lowering.variable(v.name) for v in self.group]
            literals = [
                core.Atom(gate, p.terms) if gate is not None and isinstance(p, core.Atom) and p.relation == dom else p
                for p in lowering.literals
            ]
            rules.append(rule(core.Atom("", (*group, *keys, alternative.value)), literals, self.outer.clause))
        if needs_zero:
            zero = Const(exact.ExactSum.bottom if self.exact else _ZEROS[value.kind], value)
            body = () if zeros is None else (core.Atom(zeros, self.group),)
            rules.append(rule(core.Atom("", (*self.group, *markers, zero)), body, self.outer.clause))
        group_columns = [core.Column(f"g{i}", self.outer.type_of(v)) for i, v in enumerate(self.group)]
        key_columns = tuple(core.Column(f"k{i}", type_) for i, type_ in enumerate(types))
        aggregate = exact.LATTICE if self.exact else "sum" if self.function == "count" else self.function
        return rules, core.Relation(
            "", (*group_columns, core.Column("value", value)), aggregate, self.aggregate.place, keys=key_columns
        )

    def _tell_apart(self, found: Sequence[_Alternative], needs_zero: bool) -> None:
        """Add a key with the number of the alternative, counted from 1, where equal keys of different alternatives
        might mean different things.

        It also keeps a rule's functors from being called with values of another alternative's keys: plans that start
        from a summand compare the constants of the head first.
        """
        kept = list(dict.fromkeys(frozenset(alternative.keys) for alternative in found))
        zero = needs_zero and self.function == "sum" and any(self._asks(alternative) for alternative in found)
        if len(kept) > 1 or zero:
            for alternative in found:
                alternative.keys[_WHICH] = Const(1 + kept.index(frozenset(alternative.keys)), _NUMBER)

    def _asks(self, alternative: _Alternative) -> bool:
        """Whether the rule of an alternative calls a function that is not built in."""
        called = {p.function for p in alternative.lowering.literals if isinstance(p, core.Compute | core.Generate)}
        return not called.isdisjoint(self.outer.result.functions.keys() - exact.CALLS.keys())

    @staticmethod
    def _type(alternative: _Alternative, term: Term) -> Type:
        return term.type if isinstance(term, Const) else alternative.lowering.type_of(term)

    def _shared(self, rules: list[core.Rule], relation: core.Relation, sharable: bool) -> str:
        """The name of the helper relation: that of an existing one with the same rules, or a new one."""
        result = self.outer.result
        key = (
            repr(
                (
                    relation.aggregate,
                    [c.type for c in (*relation.columns, *relation.keys)],
                    [_anonymous(r) for r in rules],
                )
            )
            if sharable
            else ""
        )
        if key in result.shared:
            return result.shared[key]
        part = result.unused(Role.AGGREGATE, self.outer.clause_name, self.function)
        name = part.name
        if sharable:
            result.shared[key] = name
        result.helpers[name] = core.helper(part, relation.columns, relation.aggregate, relation.place, relation.keys)
        result.rules.extend(core.Rule(core.Atom(name, r.head.terms), r.body, r.place, r.plan) for r in rules)
        if self.exact:
            result.lattices[exact.LATTICE] = exact.LATTICES[exact.LATTICE]
        return name

    def _read(self, name: str) -> None:
        """Add the atom that reads the value, and the literals that compute the result from it."""
        outer, result = self.outer, self.item.result
        value = outer.variable(result.name)
        type_ = outer.typing.type(self.aggregate)
        read: Term = outer.new(_EXACT) if self.exact else value
        outer.derived.add(name)
        atom = core.Atom(name, (*self.group, read))
        if isinstance(read, Var):
            outer.add(atom, read)
        else:
            outer.add(atom)
        if not self.exact:
            return
        assert isinstance(read, Var)
        function = "$sum.mean" if self.function == "mean" else "$sum.total"
        self._function(function, _EXACT, _FLOAT)
        computed = (
            value
            if isinstance(value, Var) and value not in outer.bound and type_.kind is Kind.FLOAT
            else outer.new(_FLOAT)
        )
        outer.add(core.Compute(computed, function, (read,), Kind.OBJECT), computed)
        if computed == value:
            return
        if type_.kind is not Kind.FLOAT:
            whole = outer.new(type_)
            outer.add(core.Compute(whole, f"to_{type_.kind.value}", (computed,), Kind.FLOAT), whole)
            computed = whole
        if isinstance(value, Var) and value not in outer.bound:
            outer.values[value.name] = computed
        else:
            outer.compare("=", value, computed, type_.kind)


def _label(alternative: _Alternative, term: Var) -> Hashable:
    """An identification of a variable in the text that is the same in all alternatives; a node may occur twice in
    inlined relations."""
    label: Hashable = alternative.lowering.sources.get(term, term.name)
    while label in alternative.keys:
        label = label, "again"
    return label


def _anonymous(rule_: core.Rule) -> str:
    """The text of a rule with its variables numbered in the order in which they appear."""
    numbers: dict[Var, Var] = {}

    def number(term: Any) -> Any:
        return numbers.setdefault(term, Var(f"v{len(numbers)}")) if isinstance(term, Var) else term

    parts: list[Any] = [tuple(map(number, rule_.head.terms))]
    for literal in rule_.body:
        values = [getattr(literal, name) for name in literal.__dataclass_fields__]
        atom = literal.atom if isinstance(literal, core.Not) else None
        values = [atom.relation, atom.terms] if atom is not None else values
        parts.append(
            (type(literal).__name__, *(tuple(map(number, v)) if isinstance(v, tuple) else number(v) for v in values))
        )
    return repr(parts)


def _nodes(node: s.Node) -> Iterator[s.Node]:
    yield node
    for part in children(node):
        yield from _nodes(part)


def _without_repetition(literals: Sequence[Any]) -> list[Any]:
    """A conjunction in which each positive atom stands once: the same atom again says nothing, and does not decide
    whether wildcards are counted."""
    return [
        literal
        for position, literal in enumerate(literals)
        if not (isinstance(literal, s.AtomLiteral) and literal in literals[:position])
    ]


def _joins(literals: Sequence[Any]) -> bool:
    """Whether a conjunction has several positive atoms."""
    return sum(isinstance(literal, s.AtomLiteral) for literal in literals) > 1


def _only_atom(literals: Sequence[Any]) -> s.Call | None:
    """The atom whose wildcards are counted: the only positive one of a conjunction, which has one summand for each of
    its rows. Over several atoms there is one for each binding of the variables, and so there is beside generators and
    aggregates."""
    nodes = [literal.atom if isinstance(literal, Disjoint) else literal for literal in literals]
    atoms = [node.atom for node in nodes if isinstance(node, s.AtomLiteral)]
    generates = any(
        isinstance(part, s.Aggregate) or isinstance(part, s.Call) and part.name == "range"
        for node in nodes
        for part in _nodes(node)
    )
    return atoms[0] if len(atoms) == 1 and not generates and _distinct(atoms[0]) else None


def _distinct(atom: s.Call) -> bool:
    """Whether no variable occurs twice in an atom."""
    seen = [node.name for node in _nodes(atom) if isinstance(node, s.Variable)]
    return len(seen) == len(set(seen))
