"""Declarations of lattices with their functors: checked, and their constants evaluated.

.lattice Sign<> { Bottom -> $None(), Lub -> @lub(_, _) }   →   a DeclaredLattice
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from ladder.language.check.types import Types
from ladder.language.core import Function, Kind, Place, Type
from ladder.language.errors import Errors, did_you_mean
from ladder.language.objects.lattice_tables import CONSTANTS, OPERATIONS, OPERATORS, DeclaredLattice
from ladder.language.objects.untrusted import NotTrusted
from ladder.language.syntax import nodes as s
from ladder.support.shown import FAULTS, error_text


def declared_lattice(
    item: s.LatticeDeclaration, types: Types, functors: Mapping[str, Function], errors: Errors
) -> DeclaredLattice | None:
    """The lattice of a declaration with `entries`; None after errors."""
    before = errors.noted
    carrier = types.types.get(item.name)
    if carrier is None:
        errors.add_undeclared(
            item.place,
            item.name,
            f"the lattice {item.name} needs a type {item.name}",
            did_you_mean(item.name, types.types) or f"declare it: .type {item.name} = …",
        )
        return None
    known = (*CONSTANTS, *OPERATORS)
    found: dict[str, Function] = {}
    constants: dict[str, Hashable] = {}
    seen: set[str] = set()
    for name, value in item.entries:
        if name not in known:
            errors.add(
                value.place, f"a lattice has no {name}", did_you_mean(name, known) or "it has " + ", ".join(known)
            )
        elif name in seen:
            errors.add(value.place, f"the lattice {item.name} has two entries {name}")
        elif name in OPERATORS:
            functor = _operator(item.name, name, value, types, functors, errors)
            if functor is not None:
                found[name] = functor
        else:
            constants[name] = _Constants(types, functors, errors).value(value, carrier)
        seen.add(name)
    if "Lub" not in seen:
        errors.add(item.place, f"the lattice {item.name} has no Lub", "add Lub -> @functor(_, _): it joins values")
    for operator in ("Glb", "Bottom"):
        if operator not in seen:
            errors.warn(
                "lattice-missing-operator",
                item.place,
                f"the lattice {item.name} has no {operator}",
                "without Glb and Bottom, arguments of its columns are compared for equality in bodies",
            )
    if errors.noted > before:
        return None
    lattice = DeclaredLattice(item.name, carrier, types.types, found, constants, item.place)
    lattice.places = {OPERATIONS.get(name, name.lower()): value.place for name, value in item.entries}
    return lattice


def _operator(
    lattice: str, operator: str, value: s.Expression, types: Types, functors: Mapping[str, Function], errors: Errors
) -> Function | None:
    if not isinstance(value, s.UserCall):
        errors.add(
            value.place, f"{operator} of the lattice {lattice} must be a functor", f"write {operator} -> @functor(_, _)"
        )
        return None
    functor = functors.get(value.name)
    if functor is None:
        errors.add_undeclared(
            value.place, value.name, f"the functor {value.name} is not declared", did_you_mean(value.name, functors)
        )
        return None
    result = "number" if operator == "Leq" else lattice
    wanted = f".functor {functor.name}(a: {lattice}, b: {lattice}): {result}"
    if len(functor.arguments) != 2 or functor.several:
        errors.add(value.place, f"{operator} of the lattice {lattice} must take two values and give one", wanted)
    elif not (
        all(types.accepts(a.name, lattice) for a in functor.arguments) and types.accepts(result, functor.result.name)
    ):
        must = f"take and give values of type {lattice}"
        if operator == "Leq":
            must = "take two of its values and give 0 or 1"
        errors.add(value.place, f"{operator} of the lattice {lattice} must {must}", wanted)
    else:
        return functor
    return None


class _Constants:
    """Evaluates the constants of a declaration; expressions that are not constant are errors."""

    def __init__(self, types: Types, functors: Mapping[str, Function], errors: Errors) -> None:
        self.types, self.functors, self.errors = types, functors, errors

    def value(self, expression: s.Expression, type_: Type) -> Hashable:
        """The value of a constant expression of a type; None after an error."""
        match expression:
            case s.Number(value=value) if type_.kind in (Kind.NUMBER, Kind.UNSIGNED) and isinstance(value, int):
                return value
            case s.Number(value=value) if type_.kind is Kind.FLOAT:
                return float(value)
            case s.Call(name="neg", arguments=(s.Number(value=value),)) if type_.kind in (Kind.NUMBER, Kind.FLOAT):
                return -value
            case s.String(value=text) if type_.kind is Kind.SYMBOL:
                return text
            case s.Nil() if type_.kind is Kind.RECORD and not type_.branches:
                return None
            case s.Record(fields=fields) if type_.fields and len(fields) == len(type_.fields):
                return tuple(self._fields(fields, type_.fields))
            case s.Variant(branch=branch, arguments=arguments) if branch in dict(type_.branches) and (
                len(arguments) == len(dict(type_.branches)[branch])
            ):
                return (branch, *self._fields(arguments, dict(type_.branches)[branch]))
            case s.UserCall(name=name, arguments=arguments) if self._fits(name, len(arguments), type_):
                functor = self.functors[name]
                called: Hashable = self._called(
                    expression.place,
                    functor,
                    [self.value(a, t) for a, t in zip(arguments, functor.arguments, strict=True)],
                )
                return called
        self.errors.add(
            expression.place,
            f"{expression} is no constant of type {type_.name}",
            _forms(type_) if type_.branches else None,
        )
        return None

    def _fits(self, name: str, count: int, type_: Type) -> bool:
        functor = self.functors.get(name)
        return (
            functor is not None
            and len(functor.arguments) == count
            and not functor.several
            and self.types.accepts(type_.name, functor.result.name)
        )

    def _called(self, place: Place, functor: Function, arguments: list[Any]) -> Any:
        try:
            return functor.call(*arguments)
        except NotTrusted:
            return None
        except FAULTS as error:
            self.errors.add(place, f"the functor {functor.name} failed: {error_text(error)}")
            return None

    def _fields(self, expressions: tuple[s.Expression, ...], fields: tuple[tuple[str, str], ...]) -> list[Hashable]:
        return [
            self.value(e, self.types.types[t])
            for e, (_, t) in zip(expressions, fields, strict=True)
            if t in self.types.types
        ]


def _forms(type_: Type) -> str:
    return "it is one of " + ", ".join(f"${name}({', '.join(f for f, _ in fields)})" for name, fields in type_.branches)
