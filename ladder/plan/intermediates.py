"""Intermediates: parts of a rule's join that live during a bootstrap, so that a join of three or more relations need
not look at what two of them have in common again and again.

    vpt(t, h) :- load(t, b, f), vpt(b, g), hpt(g, f, h).
    →  part(g, f, t) :- load(t, b, f), vpt(b, g).        (filled at the begin of each iteration)
       vpt(t, h) :- part(g, f, t), hpt(g, f, h).

Each pair of the three relations may join to far more rows than all three of them: with an intermediate, the pair that
joins to the fewest is looked at once, however often the third relation asks for it.

The program is not rewritten. A row of an intermediate belongs to the iteration in which its youngest body row appeared:
the rows of an iteration are put into it before the rules of this iteration run, and its windows are those that a
relation of the component has, so that every instantiation of the rule is met in the same iteration as without it. Rows
of one iteration that differ only in variables that nothing else needs are one row, with the number of these as its
multiplicity; rows of different iterations are told apart by a last column, the iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from ladder.language.core import Atom, Compare, Literal, Not, Rule, Term, Var, variables
from ladder.plan.build import begun_plan, filling_plans, plans_of_iterations, relational_literals
from ladder.plan.order import Costs, Origin, Statistics, bound_columns, next_atom, variables_of
from ladder.plan.steps import Plan, Probe, Scan, Step, Weigh, checked
from ladder.support.tuning import DEFAULT, Planning


@dataclass(frozen=True)
class Met:
    """What the plans of a rule have met so far: index entries looked at, and derivations found; `weighed`: how many of
    the former when it was asked for the last time, by samples, which intermediate the rule should have."""

    matches: int = 0
    derivations: int = 0
    weighed: int = 0


@dataclass(frozen=True)
class Intermediate:
    """The relation `name` of a part of a rule's join.

    `part`: the numbers of the part's atoms among the rule's relational literals; `written`: the rule as it is written;
    `inner`: what fills the relation; `outer`: the rule with an atom of the relation in the place of its part.
    """

    name: str
    part: frozenset[int]
    written: Rule
    inner: Rule
    outer: Rule

    @property
    def arity(self) -> int:
        """The number of columns, that of the iteration included."""
        return len(self.inner.head.terms) + 1

    @property
    def key(self) -> int:
        """The column by which rows are hashed first."""
        return 0


def part_of(rule: Rule, inside: Collection[int], name: str) -> Intermediate:
    """The intermediate of the atoms with these numbers among the rule's relational literals, and of the comparisons and
    negations that need no other variables."""
    numbers = iter(range(len(rule.body)))
    numbered = [(literal, next(numbers) if isinstance(literal, Atom | Not) else None) for literal in rule.body]
    bound = {v for literal, n in numbered if n in inside for v in variables(literal)}

    def belongs(literal: Literal, number: int | None) -> bool:
        return number in inside or (isinstance(literal, Compare | Not) and set(variables(literal)) <= bound)

    within = tuple(literal for literal, n in numbered if belongs(literal, n))
    rest = tuple(literal for literal, n in numbered if not belongs(literal, n))
    elsewhere = {v for literal in rest for v in variables(literal)} | variables_of(rule.head.terms)
    needed: tuple[Term, ...] = tuple(sorted(bound & elsewhere, key=str))
    return Intermediate(
        name,
        frozenset(inside),
        rule,
        Rule(Atom(name, needed), within, rule.place),
        replace(rule, body=(Atom(name, (*needed, None)), *rest)),
    )


def may_have_one(rule: Rule) -> bool:
    """Whether a rule is such that parts of its join can be intermediates."""
    return rule.plan is None and len(atoms_of(rule)) > 2


def atoms_of(rule: Rule) -> dict[int, Atom]:
    """The atoms of a rule, by their numbers among its relational literals."""
    return {n: literal for n, literal in enumerate(relational_literals(rule)) if isinstance(literal, Atom)}


def parts_of(rule: Rule, own: frozenset[str], tuning: Planning = DEFAULT.planning) -> Iterator[frozenset[int]]:
    """The parts of a rule's join that are considered: two atoms and more that leave an atom of the component, in rules
    of up to `intermediate_atoms` atoms; of longer rules, all atoms but one."""
    atoms = atoms_of(rule)
    most = len(atoms) - 2 if len(atoms) <= tuning.intermediate_atoms else 1
    for count in range(1, most + 1):
        for left in combinations(atoms, count):
            if any(atoms[n].relation in own for n in left):
                yield frozenset(atoms) - set(left)


def worth_while(
    rule: Rule,
    own: frozenset[str],
    statistics: Mapping[int, Statistics],
    met: Met,
    refused: Collection[frozenset[int]] = (),
    tuning: Planning = DEFAULT.planning,
) -> frozenset[int] | None:
    """The atoms of the part of a rule's join that should be an intermediate by statistics, which cost nothing; None
    where plans without one are expected to be cheaper.

    The matches that the atoms of the part have with each other are entered; then each row of it meets the others, and
    at last the rule looks at its derivations alone. `statistics`: by literal; `refused`: parts that can be none.
    """
    if met.matches < tuning.intermediate_from:
        return None
    atoms, costs = atoms_of(rule), Costs(statistics, tuning)
    found: list[tuple[float, list[int], frozenset[int]]] = []
    for part in parts_of(rule, own, tuning):
        inside = {n: atom for n, atom in atoms.items() if n in part}
        outside = {n: atom for n, atom in atoms.items() if n not in part}
        if part not in refused and _touch(inside, outside):
            found.append((_cost_of_part(inside, outside, met, costs), sorted(outside), part))
    if not found:
        return None
    cost, _, part = min(found)
    return part if cost <= tuning.intermediate_share * met.matches else None


def _touch(inside: Mapping[int, Atom], outside: Mapping[int, Atom]) -> bool:
    """Whether the atoms of a part are connected with each other, and the part with the other atoms."""
    (first, *rest), bound = inside, set[Var]()
    bound |= variables_of(inside[first].terms)
    for atoms in ({n: inside[n] for n in rest}, dict(outside)):
        while atoms:
            near = [n for n, atom in atoms.items() if not bound.isdisjoint(variables_of(atom.terms))]
            if not near:
                return False
            for n in near:
                bound |= variables_of(atoms.pop(n).terms)
    return True


def _cost_of_part(inside: Mapping[int, Atom], outside: Mapping[int, Atom], met: Met, costs: Costs) -> float:
    """What an intermediate of the atoms `inside` is expected to cost, in index entries looked at."""
    made, rows, origins = min((_rows_from(start, inside, costs) for start in inside), key=lambda estimate: estimate[:2])
    known = {v for atom in inside.values() for v in variables_of(atom.terms)}
    # The last look-up finds the derivations; how many they are is known better than any estimate of it.
    meets, rest = 0.0, dict(outside)
    while len(rest) > 1:
        position = next_atom(rest, known, costs, origins)
        rows *= costs.matches(position, rest[position], known, origins)
        meets += rows
        known = known | variables_of(rest.pop(position).terms)
    return costs.tuning.entering * made + meets + met.derivations + rows_of_join(outside, costs)


def rows_of_join(atoms: Mapping[int, Atom], costs: Costs) -> float:
    """How many rows a join is expected to have, all rows made on the way included, from the start with the fewest."""
    return min(_rows_from(start, atoms, costs)[0] for start in atoms)


def _rows_from(start: int, atoms: Mapping[int, Atom], costs: Costs) -> tuple[float, float, Mapping[Var, Origin]]:
    """(All rows that a join makes from a start, those that it makes at last, where variables come from)."""
    rest = {p: a for p, a in atoms.items() if p != start}
    known, origins = variables_of(atoms[start].terms), costs.origins(start, atoms[start])
    rows = made = costs.rows(start)
    while rest:
        position = next_atom(rest, known, costs, origins)
        atom = rest.pop(position)
        if bound_columns(atom, known):
            rows *= costs.matches(position, atom, known, origins)
        else:
            rows *= max(costs.rows(position), 1.0)
        made += rows
        known = known | variables_of(atom.terms)
    return made, rows, origins


def plans_with(
    intermediate: Intermediate,
    begin: bool,
    own: frozenset[str],
    statistics: Callable[[str], Statistics],
    tuning: Planning = DEFAULT.planning,
) -> list[Plan]:
    """The plans that take the place of those of a rule from iteration 2 on: what fills its intermediate, and the rule
    over it.

    `begin`: the intermediate has no rows yet, so that those of earlier iterations must be put into it first.
    """
    inner, with_it = intermediate.inner, own | {intermediate.name}
    found = [begun_plan(inner, own, statistics, tuning)] if begin else []
    found += filling_plans(inner, own, statistics, tuning)
    outer = plans_of_iterations(intermediate.outer, with_it, statistics, with_it, tuning)
    found += [_weighed(plan, intermediate.name) for plan in outer]
    return [replace(plan, of=intermediate.written) for plan in found]


def _weighed(plan: Plan, name: str) -> Plan:
    """The plan with a step, after each that reads the intermediate, that multiplies by the multiplicity of its rows."""
    steps: list[Step] = []
    for step in plan.steps:
        steps.append(step)
        if isinstance(step, Scan | Probe) and step.relation == name and step.literal is not None:
            steps.append(Weigh(name, step.literal))
    return checked(replace(plan, steps=tuple(steps)))
