"""Columns of a type with one value are not stored: the program becomes the one written without them.

    .type Context = Anywhere {}
    .decl reachable(m: symbol, c: Context)   reachable(n, d) :- reachable(m, c), call(m, n), d = $Anywhere().
    →  .decl reachable(m: symbol)            reachable(n) :- reachable(m), call(m, n).

A type has one value if it is an algebraic data type of one branch whose fields, if any, are of such types themselves,
and no lattice has it; one whose value has more than `MOST_PARTS` parts counts as if it had others. Where a variable of
such a type stands elsewhere, as inside of a record, its value replaces it; two of its values are always equal. It is
done between the types of a clause and its lowering, so that all that is made of a clause, such as projections for
negation and groups of aggregates, is made without these columns as well.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ladder.language.check.environment import Environment
from ladder.language.check.scopes import mapped
from ladder.language.check.types import Types
from ladder.language.check.typings import Typing
from ladder.language.core import Place, Relation
from ladder.language.errors import Errors
from ladder.language.expressions import written
from ladder.language.syntax import nodes as s

MOST_PARTS = 1_000
"""Branches in the value of a type with one value: fields that share their types make more of them than a text says."""


def with_stored_columns(environment: Environment) -> Environment:
    """The environment whose relations have the columns that are stored, and that knows the types with one value."""
    single = single_branches(environment)
    if not single:
        return environment
    relations = {
        name: _narrowed(relation, stored_columns(relation, environment.types, single))
        for name, relation in environment.relations.items()
    }
    # The one pair that an equivalence relation of such a type may have is its closure.
    eqrels = {name for name in environment.eqrels if relations[name].arity == environment.relations[name].arity}
    return replace(environment, relations=relations, eqrels=eqrels, single_branches=single)


def single_branches(environment: Environment) -> dict[str, str]:
    """Type with one value → its branch, after those of the types of its fields."""
    types = environment.types
    of_lattices = {types.bases.get(name) for name in environment.lattices}
    waiting = {
        name: type_.branches[0]
        for name, type_ in types.types.items()
        if len(type_.branches) == 1 and types.bases[name] == name and name not in of_lattices
    }
    single: dict[str, str] = {}
    parts: dict[str, int] = {}
    while found := {
        name: size
        for name, (_, fields) in waiting.items()
        if name not in single
        and all(types.bases.get(field) in single for _, field in fields)
        and (size := 1 + sum(parts[types.bases[field]] for _, field in fields)) <= MOST_PARTS
    }:
        parts |= found
        single |= {name: waiting[name][0] for name in found}
    return single


def stored_columns(relation: Relation, types: Types, single: dict[str, str]) -> tuple[int, ...]:
    """The positions of the columns whose types have several values."""
    return tuple(
        position for position, column in enumerate(relation.columns) if types.bases.get(column.type.name) not in single
    )


def _narrowed(relation: Relation, kept: tuple[int, ...]) -> Relation:
    """The relation with some of its columns. A choice may be left with an empty key, of which there is one row."""
    if len(kept) == relation.arity:
        return relation
    positions = {old: new for new, old in enumerate(kept)}
    choice = tuple(tuple(positions[p] for p in key if p in positions) for key in relation.choice)
    return replace(relation, columns=tuple(relation.columns[p] for p in kept), choice=choice)


def without_unit_columns(clause: s.Clause, typing: Typing, environment: Environment, errors: Errors) -> s.Clause:
    """A typed clause without columns, variables and comparisons of types with one value; its new parts get types, too.

    `environment`: that of `with_stored_columns`.
    """
    return (
        _Erasure(typing, environment.single_branches, errors).clause(clause) if environment.single_branches else clause
    )


class _Erasure:
    """Rewrites one clause."""

    def __init__(self, typing: Typing, single: dict[str, str], errors: Errors) -> None:
        self.typing, self.single, self.errors = typing, single, errors
        self.relations, self.types = typing.environment.relations, typing.environment.types

    def clause(self, clause: s.Clause) -> s.Clause:
        heads = tuple(map(self._atom, clause.heads))
        return replace(clause, heads=heads, body=None if clause.body is None else self._part(clause.body))

    def _atom(self, atom: s.Call) -> s.Call:
        kept = stored_columns(self.relations[atom.name], self.types, self.single)
        if len(kept) < len(atom.arguments):
            for position in set(range(len(atom.arguments))).difference(kept):
                self._part(atom.arguments[position])  # for what may not stand there
            atom = replace(atom, arguments=tuple(atom.arguments[p] for p in kept))
        new: s.Call = mapped(atom, self._part)
        return new

    def _part(self, part: Any) -> Any:
        """A body or an expression, rewritten."""
        match part:
            case s.AtomLiteral(atom=atom):
                return replace(part, atom=new) if (new := self._atom(atom)) is not atom else part
            case s.Comparison() if self._has_one_value(part.left) or self._has_one_value(part.right):
                mapped(part, self._part)  # for what may not stand there
                return s.Truth(part.place, part.operator == "=")
            case s.Variable() | s.UserCall() | s.Cast() if self._has_one_value(part):
                self._check(part)
                return self._value(self.typing.base(part), part.place)
        new = mapped(part, self._part)
        if new is not part:
            self.typing.give(new, part)
        return new

    def _has_one_value(self, expression: s.Expression) -> bool:
        return self.typing.base(expression) in self.single

    def _value(self, name: str, place: Place) -> s.Variant:
        """The value of a type that has one."""
        branch = self.single[name]
        fields = dict(self.types.types[name].branches)[branch]
        value = s.Variant(place, branch, tuple(self._value(self.types.bases[field], place) for _, field in fields))
        self.typing.give_type(value, name)
        return value

    def _check(self, expression: s.Expression) -> None:
        """Report an expression that may have no value of the type, or another one."""
        name = self.typing.base(expression)
        value = self._value(name, expression.place)
        if isinstance(expression, s.UserCall) and self.typing.environment.functors[expression.name].several:
            self.errors.add(
                expression.place,
                f"the functor {expression.name} gives several values of the type {name}, which has one: {value}",
                f"write {value}, or let it give one",
            )
        elif isinstance(expression, s.Cast) and not self._has_one_value(expression.value):
            self.errors.add(
                expression.place,
                f"{written(expression)} is no value of the type {name}, which has one: {value}",
                f"write {value}",
            )
