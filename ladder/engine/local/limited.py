"""Ordered components of which nothing depends on an order but where a limit stops them: kernels evaluate them.

A limit stops a component after the iteration in which a relation has as many rows. So its rows are those of an
evaluation without limits that stops there, and the order within iterations does not matter. They are evaluated in an
engine of their own, over the rows of what the component reads:

    R$facts          the facts of R, and a rule R(x, …) :- R$facts(x, …): all there is when a component starts is of
                     its first iteration, facts among it
    limits           rows of relations from which the evaluation stops between two iterations
    records          those that are new there are numbered here as there
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ladder.engine.local.kernels import layout as L
from ladder.language.core import ORDERED, Compute, Generate, Program, Rule
from ladder.language.limits import LIMITS
from ladder.language.roles import Role
from ladder.plan.components import Component, facts_of, part_of, rule_of_facts, shown_cells

if TYPE_CHECKING:
    from ladder.engine.local.state import State

Cells = npt.NDArray[np.int32]
Evaluated = Callable[[Program, Mapping[str, Cells], Mapping[str, int]], "State"]
"""(a program, the values of the rows of its relations, limits of others) → an engine that has evaluated it, in which
values have the same cells."""


@dataclass(frozen=True)
class Limited:
    """The rows of one relation, as columns of its values, and the iteration in which each was derived: 0 of those that
    the component starts with."""

    cells: Cells
    iterations: Cells


def limited_alone(program: Program, component: Component) -> bool:
    """Whether nothing of an ordered component depends on the order in which rows are derived, but for limits."""
    members = [program.relations[name] for name in component.ordered]
    names = {relation.name for relation in members}
    return (
        not any(relation.choice or relation.aggregate for relation in members)
        and not any(subsumption.dominated.relation in names for subsumption in program.subsumptions)
        and not any(_asks_in_order(rule) for rule in program.rules if rule.head.relation in names)
    )


def _asks_in_order(rule: Rule) -> bool:
    """Whether a rule draws numbers, or calls functions with so many arguments that they are passed as a record: which
    of these are answered is known to one engine."""
    return any(
        isinstance(literal, Compute | Generate)
        and (literal.function in ORDERED or len(literal.arguments) > LIMITS.arguments)
        for literal in rule.body
    )


def rows_within_limits(engine: State, evaluated: Evaluated, component: Component) -> dict[str, Limited]:
    """The rows of an ordered component that is `limited_alone`, from the present rows of what it reads."""
    program = _without_limits(engine.program, component)
    limits = {name: engine.program.relations[name].limit for name in component.ordered}
    given = {name: _present(engine, name) for name in component.inputs if name in program.relations}
    other = evaluated(program, given, {name: limit for name, limit in limits.items() if limit is not None})
    for table in other.tables:
        made = other.store.cells(other.numbers[table])[engine.store.row_count(engine.numbers[table]) :]
        engine.load_cells(table, made)
    return {name: _rows(other, name) for name in component.ordered}


def _without_limits(program: Program, component: Component) -> Program:
    """The rules of the component, over what it reads, and rules that make its facts rows."""
    members = {name: replace(program.relations[name], limit=None, facts=None) for name in component.ordered}
    facts = {facts_of(name): part_of(relation, Role.FACTS) for name, relation in members.items()}
    read = {
        name: replace(program.relations[name], aggregate=None, keys=(), choice=(), limit=None, facts=None)
        for name in component.inputs
        if name in program.relations
    }
    starting = [rule_of_facts(name, facts_of(name), relation.arity) for name, relation in members.items()]
    rules = [rule for rule in program.rules if rule.head.relation in members]
    return replace(
        program,
        relations={**read, **facts, **members},
        rules=(*starting, *rules),
        facts={},
        directives=(),
        subsumptions=(),
        findings=(),
    )


def _present(engine: State, name: str) -> Cells:
    """The values of the present rows of a relation."""
    number = engine.numbers[name]
    return shown_cells(engine.relations[name], engine.store.cells(number)[engine.store.first(number) != L.ABSENT])


def _rows(other: State, name: str) -> Limited:
    number = other.numbers[name]
    return Limited(shown_cells(other.relations[name], other.store.cells(number)).copy(), other.store.first(number) - 1)
