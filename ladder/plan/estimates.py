"""What a plan is expected to look at, and what plans of other join orders would be: for profiles, which set that beside
what was met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ladder.language.core import Atom, Literal, Not, Rule, Var
from ladder.plan.build import computed, relational_literals
from ladder.plan.order import Costs, Origin, bound_columns, variables_of
from ladder.plan.steps import Member, Plan, Probe, Role, Scan

MOST_ORDERS = 120  # that are looked at for one plan


@dataclass(frozen=True)
class Expected:
    """`matches`: index entries that a plan is expected to look at, for each row it starts from; `others`: the same of
    plans with other join orders, the fewest first."""

    matches: float
    others: tuple[tuple[tuple[str, ...], float], ...] = ()


def order_of(plan: Plan) -> tuple[str, ...]:
    """The relations that a plan reads, in order."""
    reads = [step for step in plan.steps if isinstance(step, Scan | Probe | Member)]
    return tuple(
        step.atom.relation if isinstance(step, Member) else step.relation for step in reads if not _negated(step)
    )


def expected_of(plan: Plan, costs: Costs) -> Expected:
    """What is expected of a plan by these statistics, and of those with other orders of its joins."""
    atoms = {n: literal for n, literal in enumerate(relational_literals(plan.rule)) if isinstance(literal, Atom)}
    others = [literal for literal in plan.rule.body if not isinstance(literal, Atom)]
    start, taken = _taken(plan)
    rest = {n: atom for n, atom in atoms.items() if n != start}
    first = plan.rule.head if start is None else atoms[start] if start in atoms else _negative(plan.rule, start)
    known = computed(variables_of(first.terms), others)
    origins = costs.origins(start, first) if start is not None else {}
    if plan.role is Role.ONCE:
        origins = {}

    def entries(order: Sequence[int]) -> float:
        return _entries(order, rest, known, others, costs, origins)

    orders = islice(_orders(rest, known, others), MOST_ORDERS)
    found = {order: entries(order) for order in orders if order != taken}
    name = "head" if start is None else first.relation
    ranked = sorted(found.items(), key=lambda item: item[1])
    return Expected(
        entries(taken), tuple(((name, *(rest[n].relation for n in order)), matches) for order, matches in ranked)
    )


def _taken(plan: Plan) -> tuple[int | None, tuple[int, ...]]:
    """The literal that a plan starts from, and those that it joins, in order."""
    reads = [s for s in plan.steps if isinstance(s, Scan | Probe | Member) and not _negated(s)]
    start, rest = reads[0].literal, [s.literal for s in reads[1:] if s.literal is not None]
    if start is None and plan.role is Role.ONCE and rest:
        return rest[0], tuple(rest[1:])
    return start, tuple(rest)


def _negated(step: Scan | Probe | Member) -> bool:
    return isinstance(step, Member) and step.negated


def _negative(rule: Rule, number: int) -> Atom:
    literal = relational_literals(rule)[number]
    return literal.atom if isinstance(literal, Not) else literal


def _entries(
    order: Sequence[int],
    atoms: Mapping[int, Atom],
    known: set[Var],
    others: Sequence[Literal],
    costs: Costs,
    origins: Mapping[Var, Origin],
) -> float:
    """The entries that the joins in this order look at, per row that they start from."""
    rows, made = 1.0, 0.0
    for number in order:
        atom = atoms[number]
        columns = bound_columns(atom, known)
        rows *= costs.matches_by(number, atom, columns, origins) if columns else max(costs.rows(number), 1.0)
        made += rows
        known = computed(known | variables_of(atom.terms), others)
    return made


def _orders(atoms: Mapping[int, Atom], known: set[Var], others: Sequence[Literal]) -> Iterator[tuple[int, ...]]:
    """Iterate over the join orders in which each atom has a known column, where there is such an atom."""
    if not atoms:
        yield ()
        return
    connected = [n for n, atom in atoms.items() if bound_columns(atom, known)] or list(atoms)
    for number in connected:
        rest = {n: atom for n, atom in atoms.items() if n != number}
        for order in _orders(rest, computed(known | variables_of(atoms[number].terms), others), others):
            yield (number, *order)
