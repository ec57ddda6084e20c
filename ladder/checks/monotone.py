"""Tests whether functors on lattice values are monotone, and whether rules keep firing while the values that they read
grow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ladder.checks.recursion import Growing, Order, closed, sources_of
from ladder.checks.rules import Heads, argument_types
from ladder.checks.values import Values, base_name
from ladder.language.core import (
    Atom,
    Compare,
    Compute,
    Const,
    Function,
    Generate,
    Kind,
    Literal,
    Program,
    Rule,
    Var,
    variables,
)
from ladder.language.expressions import written
from ladder.lattices.laws import completed, smallest

Row = tuple[Any, ...]

_MODERATE = 1 << 12
_ROUNDS = 200  # of a rule on its own results, after which they count as endless


@dataclass(frozen=True)
class Fall:
    """A functor that is not monotone: when the argument at `position` grows from `low` to `high`, its result changes
    from `before` to `after`, which is not above it."""

    function: str
    before: str
    after: str
    rule: Rule


@dataclass(frozen=True)
class Stop:
    """A rule that no longer derives `row`, or one above it, when `variable` grows from `low` to `high`.

    `leaks`: whether the row stays and is read outside of the component although it was derived from a value that was
    not final.
    """

    rule: Rule
    variable: str
    low: str
    high: str
    row: Row
    leaks: bool = False


@dataclass(frozen=True)
class Climb:
    """A rule whose totals, starting at `first`, have reached `last` after many rounds and still grow.

    `others`: the values of the other variables from which the head is computed.
    """

    rule: Rule
    order: Order
    first: str
    last: str
    others: str


class Monotonicity:
    """The tests of monotonicity of one program."""

    def __init__(self, program: Program, lattices: Any, values: Values, examples: int) -> None:
        self.program, self.values, self.examples = program, values, examples
        self.orders = {name: Order(name, completed(lattice)) for name, lattice in lattices.items()}

    def functors(self, component: Growing) -> Iterator[Fall]:
        """Iterate over the functors on lattice values, in rules of the component, that are not monotone."""
        seen: set[tuple[str, str, str]] = set()
        for rule in component.rules:
            growing: dict[Any, Order] = dict(component.growing(rule))
            for literal in rule.body:
                if not isinstance(literal, Compute | Generate) or literal.function not in self.program.functions:
                    continue
                function = self.program.functions[literal.function]
                result = self._result_order(rule, literal, component, function)
                if result is None or "." in function.name:
                    continue
                for position, (type_, argument) in enumerate(zip(function.arguments, literal.arguments, strict=True)):
                    order = self.orders.get(type_.name) or growing.get(argument)
                    if order is None or (function.name, order.name, result.name) in seen:
                        continue
                    seen.add((function.name, order.name, result.name))
                    if fall := self._fall(function, position, order, result, rule):
                        yield fall

    def _result_order(
        self, rule: Rule, literal: Compute | Generate, component: Growing, function: Function
    ) -> Order | None:
        if function.result.name in self.orders:
            return self.orders[function.result.name]
        if rule.head.relation in component.orders and rule.head.terms[-1] == literal.result:
            return component.orders[rule.head.relation]
        return None

    def _fall(self, function: Function, position: int, order: Order, result: Order, rule: Rule) -> Fall | None:
        try:
            drawn = [self.values.of_column(type_) for type_ in function.arguments]
            if order.lattice is not None:
                drawn[position] = self.values.of_lattice(base_name(order.name))
        except LookupError:  # a type of values that nobody can draw
            return None

        def answers(arguments: tuple[Any, ...]) -> list[Any]:
            called = function.call(*arguments)
            return list(called) if function.several else [called]

        def raised(some: tuple[Any, ...]) -> tuple[Any, ...]:
            *arguments, more = some
            arguments[position] = order.join(arguments[position], more)
            return tuple(arguments)

        def falls(some: tuple[Any, ...]) -> bool:
            if not _moderate(some):
                return False
            try:
                before, after = answers(some[:-1]), answers(raised(some))
                return any(not any(result.leq(a, b) for b in after) for a in before)
            except Exception:  # noqa: BLE001 - not a value that the functor is ever called with
                return False

        found = smallest([*drawn, drawn[position]], falls, self.examples)
        if found is None:
            return None

        def shown(arguments: tuple[Any, ...]) -> str:
            texts = [
                order.show(a)
                if i == position
                else self.orders[t.name].show(a)
                if t.name in self.orders
                else repr(a)
                if isinstance(a, str)
                else str(a)
                for i, (a, t) in enumerate(zip(arguments, function.arguments, strict=True))
            ]
            given = ", ".join(result.show(a) for a in answers(arguments)) or "nothing"
            return f"@{function.name}({', '.join(texts)}) = {given}"

        return Fall(function.name, shown(found[:-1]), shown(raised(found)), rule)

    def rules(self, component: Growing, fallen: set[str]) -> Iterator[Stop]:
        """Iterate over the rules of the component that stop firing while totals grow, except for those with functors
        that are not monotone."""
        for rule in (_loosened(rule, component) for rule in component.rules):
            if any(isinstance(step, Compute | Generate) and step.function in fallen for step in rule.body):
                continue
            growing = component.growing(rule)
            for variable, order in growing.items():
                stop = self._stop(rule, variable, order, component)
                if stop is not None:
                    yield stop
                    break

    def _stop(self, rule: Rule, variable: Var, order: Order, component: Growing) -> Stop | None:
        rule, copies = _apart(rule, variable, component)
        types = argument_types(rule, self.program)
        try:
            drawn = {var: self.values.of_column(self.program.types[type_]) for var, type_ in types.items()}
        except LookupError:
            return None
        if variable not in drawn:
            return None
        leaks = self._leaks(rule, component)
        if not leaks and not copies and _plainly_monotone(rule, variable, order, component):
            return None

        head = Heads(rule, self.program)

        def raised(bindings: dict[Var, Any], more: Any) -> dict[Var, Any]:
            return {**bindings, variable: order.join(bindings[variable], more)}

        def lost(bindings: dict[Var, Any], more: Any) -> Row | None:
            if not _moderate((*bindings.values(), more)):
                return None
            try:
                before = list(head.rows(bindings))
                after = list(head.rows(raised(bindings, more)))
            except Exception:  # noqa: BLE001 - a functor that is never called with these
                return None
            return next(
                (row for row in before if not any(self._above(rule, component, row, other, leaks) for other in after)),
                None,
            )

        bindings: SearchStrategy[Any] = st.fixed_dictionaries(drawn)
        if copies:
            bindings = bindings.map(lambda known: {**known, **dict.fromkeys(copies, known[variable])})
        found = smallest([bindings, drawn[variable]], lambda some: lost(*some) is not None, self.examples)
        if found is None:
            return None
        row = lost(*found)
        assert row is not None
        low, high = found[0][variable], raised(*found)[variable]
        return Stop(rule, variable.name, order.show(low), order.show(high), row, leaks)

    def climbs(self, component: Growing) -> Iterator[Climb]:
        """Iterate over the rules that keep growing when they are applied to their own results repeatedly."""
        for rule in component.rules:
            order = component.orders.get(rule.head.relation)
            if order is None or order.lattice is None:
                continue
            for variable, other in component.growing(rule).items():
                value = rule.head.terms[-1]
                if other.lattice is order.lattice and value != variable and value in closed(rule, {variable}):
                    climb = self._climb(rule, variable, order)
                    if climb is not None:
                        yield climb
                        break

    def _climb(self, rule: Rule, variable: Var, order: Order) -> Climb | None:
        types = argument_types(rule, self.program)
        try:
            drawn = {var: self.values.of_column(self.program.types[type_]) for var, type_ in types.items()}
        except LookupError:
            return None
        head = Heads(rule, self.program)
        join = getattr(order.lattice, "widen", order.lattice.join)

        def last(bindings: dict[Var, Any]) -> Any:
            total = bindings[variable]
            for _ in range(_ROUNDS):
                made = next((row[-1] for row in head.rows({**bindings, variable: total})), total)
                before, total = total, join(total, made)
                if total == before:
                    return None
            return total

        def endless(some: tuple[Any, ...]) -> bool:
            try:
                return _moderate(tuple(some[0].values()), _ROUNDS // 2) and last(some[0]) is not None
            except Exception:  # noqa: BLE001 - a functor that is never called with these
                return False

        found = smallest([st.fixed_dictionaries(drawn)], endless, min(self.examples, 100))
        if found is None:
            return None
        sources = sources_of(rule, rule.head.terms[-1])
        plain = {
            written(var.name): value
            for var, value in found[0].items()
            if var != variable and var in sources and isinstance(value, int | float | str)
        }
        others = ", ".join(f"{name} = {value!r}" for name, value in plain.items() if name)
        return Climb(rule, order, order.show(found[0][variable]), order.show(last(found[0])), others)

    def _leaks(self, rule: Rule, component: Growing) -> bool:
        """Whether rows of the rule's head are read outside of the component without being aggregated."""
        name = rule.head.relation
        return name not in component.orders and bool(component.seen_through(name))

    def _above(self, rule: Rule, component: Growing, row: Row, other: Row, exactly: bool) -> bool:
        """Whether the row `other` equals `row` or is above it in lattice columns; `exactly`: only in that of the head's
        total."""
        name = rule.head.relation
        columns = self.program.relations[name].columns
        for i, (a, b) in enumerate(zip(row, other, strict=True)):
            order = component.orders.get(name) if i == len(row) - 1 else None
            if order is None and not exactly and i < len(columns):
                order = self.orders.get(columns[i].type.name)
            if not (a == b if order is None else order.leq(a, b)):
                return False
        return True


def _moderate(value: Any, limit: int = _MODERATE) -> bool:
    """Whether all numbers in a value are so small that arithmetic does not wrap around."""
    if isinstance(value, tuple | frozenset | list):
        return all(_moderate(part, limit) for part in value)
    return not isinstance(value, int | float) or abs(value) < limit


def _loosened(rule: Rule, component: Growing) -> Rule:
    """The rule with variables and comparisons in place of constants in columns with growing values."""
    body: list[Literal] = []
    for literal in rule.body:
        if isinstance(literal, Atom) and literal.relation in component.orders and isinstance(literal.terms[-1], Const):
            fresh = Var(f"${len(body)}$")
            body.append(Compare("=", fresh, literal.terms[-1], Kind.OBJECT))
            literal = Atom(literal.relation, (*literal.terms[:-1], fresh))
        body.append(literal)
    return replace(rule, body=tuple(body))


def _apart(rule: Rule, variable: Var, component: Growing) -> tuple[Rule, list[Var]]:
    """The rule with a separate variable for each further occurrence of a growing variable in its atoms, since each
    grows by itself; and these variables."""
    first, copies, body = True, list[Var](), list[Literal]()
    for literal in rule.body:
        if isinstance(literal, Atom):
            terms = list(literal.terms)
            for i, term in enumerate(terms):
                if term != variable:
                    continue
                if first and literal.relation in component.orders and i == len(terms) - 1:
                    first = False
                else:
                    copies.append(Var(f"{variable.name}${len(copies)}"))
                    terms[i] = copies[-1]
            literal = Atom(literal.relation, tuple(terms))
        body.append(literal)
    body += [Compare("=", variable, copy, Kind.OBJECT) for copy in copies]
    return replace(rule, body=tuple(body)), copies


def _plainly_monotone(rule: Rule, variable: Var, order: Order, component: Growing) -> bool:
    """Whether a growing variable is not used, or only as the head's total in the same order, so that no test is
    needed."""
    if any(variable in variables(literal) for literal in rule.body if not isinstance(literal, Atom)):
        return False
    if variable not in rule.head.terms:
        return True
    total = component.orders.get(rule.head.relation)
    return (
        total is not None
        and total.lattice is order.lattice
        and total.name == order.name
        and variable not in rule.head.terms[:-1]
    )
