"""Heads of lowered conjunctions → rules and facts of core relations."""

from __future__ import annotations

from collections.abc import Hashable

from ladder.language import core
from ladder.language.check.environment import Environment
from ladder.language.check.infer import aggregated_value
from ladder.language.core import Const, Kind, Term
from ladder.language.normalise.equivalence import edges
from ladder.language.normalise.lattice_columns import heads_of, split
from ladder.language.normalise.lower import Lowering
from ladder.language.normalise.terms import Impossible, rule
from ladder.language.syntax import nodes as s


def lower_head(lowering: Lowering, head: s.Call) -> None:
    """Add the rule or the fact of one head of a lowered conjunction."""
    relation = lowering.environment.relations[head.name]
    lattices = _lattices(lowering.environment, relation)
    first = relation.arity - len(lattices)
    values = [aggregated_value(a) or a if i >= first else a for i, a in enumerate(head.arguments)]
    if lowering.clause.body is None and _fact(lowering, relation, values, lattices):
        return
    unready = [value for value in values if not lowering.ready(value)]
    if unready:
        lowering.explain(unready)
        return
    literals, bound, fresh = list(lowering.literals), set(lowering.bound), lowering.fresh
    try:
        terms = [lowering.term(value) for value in values]
        terms[first:] = [
            _injected(lowering, term, value, name, column.type)
            for term, value, name, column in zip(
                terms[first:], values[first:], lattices, relation.columns[first:], strict=True
            )
        ]
        for atom in _atoms(lowering.environment, core.Atom(head.name, tuple(terms))):
            lowering.result.rules.append(rule(atom, lowering.literals, lowering.clause, _plan(lowering)))
    except Impossible:
        pass
    lowering.literals, lowering.bound, lowering.fresh = literals, bound, fresh


def _lattices(environment: Environment, relation: core.Relation) -> tuple[str, ...]:
    """The names of the aggregates of a relation's last columns."""
    if split(environment, relation.name):
        return environment.lattice_columns[relation.name]
    return () if relation.aggregate is None else (relation.aggregate,)


def _atoms(environment: Environment, head: core.Atom) -> list[core.Atom]:
    """The core heads that a head becomes."""
    return [edges(environment, atom) for atom in heads_of(environment, head)]


def _fact(lowering: Lowering, relation: core.Relation, values: list[s.Expression], lattices: tuple[str, ...]) -> bool:
    """Add a head as a fact, if its arguments are constants that need no injection; whether this was so."""
    try:
        constants = [lowering.ground(value) for value in values]
    except Impossible:
        return True
    if any(c is None for c in constants):
        return False
    first = relation.arity - len(lattices)
    for value, name, column in zip(values[first:], lattices, relation.columns[first:], strict=True):
        if _inject(lowering, value, name, column.type) is not None:
            return False
    for atom in _atoms(lowering.environment, core.Atom(relation.name, tuple(c for c in constants if c is not None))):
        row = tuple(t.value for t in atom.terms if isinstance(t, Const))
        lowering.result.facts.setdefault(atom.relation, {})[tuple(map(_bits, row))] = row
    return True


def _bits(value: Hashable) -> Hashable:
    """A key for a value that distinguishes 0.0 from -0.0 and is equal for all NaN."""
    return repr(value) if isinstance(value, float | tuple) else value


def _inject(lowering: Lowering, value: s.Expression, lattice: str, column: core.Type) -> core.Function | None:
    """The lattice's function `inject`, if it has one and the value is not of the lattice's type; None otherwise."""
    inject = getattr(lowering.environment.lattices.get(lattice), "inject", None)
    if not callable(inject):
        return None
    base = lowering.typing.base(value)
    same = base == column.name if column.kind is Kind.OBJECT else column.name in lowering.typing.declared_types(value)
    if same:
        return None
    source = lowering.environment.types.base_type(base)
    return core.Function(f"{lattice}.inject({base})", (source,), column, inject)


def _injected(lowering: Lowering, term: Term, value: s.Expression, lattice: str, column: core.Type) -> Term:
    """The term itself if it is of the lattice's type, else the term of the result of the lattice's `inject`."""
    function = _inject(lowering, value, lattice, column)
    if function is None:
        return term
    lowering.result.functions.setdefault(function.name, function)
    new = lowering.new(column)
    lowering.add(core.Compute(new, function.name, (term,), function.arguments[0].kind), new)
    return new


def _plan(lowering: Lowering) -> tuple[int, ...] | None:
    """The join order of the clause's `.plan`, with the atoms of aggregates last; None without one."""
    if lowering.clause.plan is None:
        return None
    asked = tuple(n - 1 for n in lowering.clause.plan)
    atoms = sum(isinstance(literal, core.Atom) for literal in lowering.literals)
    return (*asked, *range(len(asked), atoms)) if len(asked) <= atoms else None
