"""The groups for which an aggregate is needed: a relation of the values that its rule gives the group's variables."""

from __future__ import annotations

from collections.abc import Sequence

from ladder.language import core
from ladder.language.core import Var
from ladder.language.normalise.terms import Conjunction, rule
from ladder.language.roles import Role


def domain(lowering: Conjunction, group: tuple[Var, ...]) -> str:
    """The name of the relation of a group's values, derived by those literals of the conjunction that bind them."""
    if group not in lowering.domains:
        result = lowering.result
        groups = result.unused(Role.GROUPS, lowering.clause_name)
        name = groups.name
        columns = tuple(core.Column(f"g{i}", lowering.type_of(v)) for i, v in enumerate(group))
        result.helpers[name] = core.helper(groups, columns, place=lowering.clause.place)
        result.rules.append(
            rule(
                core.Atom(name, group),
                cover(lowering.literals, group, frozenset((lowering.clause_name, *lowering.derived))),
                lowering.clause,
            )
        )
        lowering.domains[group] = name
    return lowering.domains[group]


def cover(literals: Sequence[core.Literal], group: Sequence[Var], not_besides: frozenset[str]) -> list[core.Literal]:
    """A few literals that bind the group, with those that restrict it further, atoms of `not_besides` excepted; all
    literals if the few were unconnected."""
    chosen: set[int] = set()
    bound: set[Var] = set()
    wanted = list(group)
    while wanted:
        variable = wanted.pop(0)
        if variable in bound:
            continue
        binding = [i for i, literal in enumerate(literals) if variable in core.binds(literal)]
        if not binding:
            continue  # an argument of a lattice column that nothing binds, which is reported elsewhere
        best = max(
            binding,
            key=lambda i: (not isinstance(literals[i], core.Atom), len(core.binds(literals[i]) & set(group)), -i),
        )
        chosen.add(best)
        bound |= core.binds(literals[best])
        wanted.extend(sorted(core.needs(literals[best]) - bound, key=lambda v: v.name))
    if not is_connected([literals[i] for i in chosen]):
        return list(literals)
    for i, literal in enumerate(literals):
        if (
            isinstance(literal, core.Atom)
            and literal.relation not in not_besides
            and (core.binds(literal) & set(group))
        ):
            chosen.add(i)
            bound |= core.binds(literal)
    return [
        literal
        for i, literal in enumerate(literals)
        if i in chosen or isinstance(literal, core.Compare | core.Not) and set(core.variables(literal)) <= bound
    ]


def is_connected(literals: Sequence[core.Literal]) -> bool:
    """Whether the literals are connected by shared variables."""
    if not literals:
        return True
    rest = [frozenset(core.variables(literal)) for literal in literals]
    reached = set(rest.pop())
    while near := next((variables for variables in rest if variables & reached), None):
        rest.remove(near)
        reached |= near
    return not rest
