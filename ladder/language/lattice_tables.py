"""Lattices made of a program's own functors, and the functions that readers of lattice columns need.

    .lattice Sign<> { Bottom -> $None(), Top -> $Any(), Lub -> @lub(_, _), Glb -> @glb(_, _), Leq -> @leq(_, _) }

The carrier is the type of the lattice's name; values are those of core programs (`core.Type`).
"""
from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from ladder.language import syntax as s
from ladder.language.builtins import NoValue
from ladder.language.core import Function, Kind, Place, Type
from ladder.language.errors import Errors, did_you_mean
from ladder.language.types import PRIMITIVES, Types
from ladder.lattices.base import Dual, Widening

OPERATORS = ("Lub", "Glb", "Leq", "Widen")
CONSTANTS = ("Bottom", "Top")
_OPERATIONS = {"Lub": "join", "Glb": "meet", "Leq": "leq", "Widen": "widen"}
METHODS = ("meet", "leq", "disjoint")
WIDENED, DUAL = ".widen", ".dual"   # added to a lattice's name where its `widen`, or its meet, aggregates


class DeclaredLattice:
    """A lattice whose operations are functors of the program.

    `join` and `leq` are always there; `meet`, `bottom` and `top` where the declaration has them. Without `Leq` the
    order is that of the meet (a below b: a meet b = a), or, without `Glb` either, that of the join. `Widen`, which
    Soufflé does not have, is `widen` (see `ladder.lattices.Lattice`).
    """

    widen: Callable[[Any, Any], Any]
    meet: Callable[[Any, Any], Any]
    bottom: Hashable
    top: Hashable

    def __init__(self, name: str, carrier: Type, types: Mapping[str, Type], functors: Mapping[str, Function],
                 constants: Mapping[str, Hashable], place: Place | None = None) -> None:
        """`functors` by operator (`OPERATORS`), `constants` by name (`CONSTANTS`)."""
        self.name, self.type, self.types, self.place = name, carrier, types, place
        self.functors, self.constants = dict(functors), dict(constants)
        self.operations = {_OPERATIONS[operator]: f.name for operator, f in functors.items()}
        self.operation_names = {operation: f"@{name}" for operation, name in self.operations.items()}
        self.places: dict[str, Place] = {}   # operation (`join`, …, `bottom`) → where the declaration has it
        self.join: Callable[[Any, Any], Any] = functors["Lub"].call
        if "Glb" in functors:
            self.meet = functors["Glb"].call
        if "Widen" in functors:
            self.widen = functors["Widen"].call
        for constant, value in constants.items():
            setattr(self, constant.lower(), value)

    def leq(self, a: Any, b: Any) -> bool:
        """Whether `b` dominates `a`."""
        if "Leq" in self.functors:
            return bool(self.functors["Leq"].call(a, b))
        if "Glb" in self.functors:
            return bool(self.meet(a, b) == a)
        return bool(self.join(a, b) == b)

    def show(self, value: Any) -> str:
        """The text of a value as output files have it."""
        return value_text(value, self.type, self.types)

    def with_calls(self, call: Callable[[Function], Callable[..., Any]]) -> DeclaredLattice:
        """This lattice with another Python function for each of its functors."""
        functors = {operator: Function(f.name, f.arguments, f.result, call(f), f.several)
                    for operator, f in self.functors.items()}
        return DeclaredLattice(self.name, self.type, self.types, functors, self.constants, self.place)


def declared_lattice(item: s.LatticeDeclaration, types: Types, functors: Mapping[str, Function],
                     errors: Errors) -> DeclaredLattice | None:
    """The lattice of a declaration with `entries`; None after errors."""
    before = errors.noted
    carrier = types.types.get(item.name)
    if carrier is None:
        errors.add_undeclared(item.place, item.name, f"the lattice {item.name} needs a type {item.name}",
                              did_you_mean(item.name, types.types) or f"declare it: .type {item.name} = …")
        return None
    known = (*CONSTANTS, *OPERATORS)
    found: dict[str, Function] = {}
    constants: dict[str, Hashable] = {}
    seen: set[str] = set()
    for name, value in item.entries:
        if name not in known:
            errors.add(value.place, f"a lattice has no {name}",
                       did_you_mean(name, known) or "it has " + ", ".join(known))
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
            errors.warn("lattice-missing-operator", item.place, f"the lattice {item.name} has no {operator}",
                        "without Glb and Bottom, arguments of its columns are compared for equality in bodies")
    if errors.noted > before:
        return None
    lattice = DeclaredLattice(item.name, carrier, types.types, found, constants, item.place)
    lattice.places = {_OPERATIONS.get(name, name.lower()): value.place for name, value in item.entries}
    return lattice


def _operator(lattice: str, operator: str, value: s.Expression, types: Types, functors: Mapping[str, Function],
              errors: Errors) -> Function | None:
    if not isinstance(value, s.UserCall):
        errors.add(value.place, f"{operator} of the lattice {lattice} must be a functor",
                   f"write {operator} -> @functor(_, _)")
        return None
    functor = functors.get(value.name)
    if functor is None:
        errors.add_undeclared(value.place, value.name, f"the functor {value.name} is not declared",
                              did_you_mean(value.name, functors))
        return None
    result = "number" if operator == "Leq" else lattice
    wanted = f".functor {functor.name}(a: {lattice}, b: {lattice}): {result}"
    if len(functor.arguments) != 2 or functor.several:
        errors.add(value.place, f"{operator} of the lattice {lattice} must take two values and give one", wanted)
    elif not (all(types.accepts(a.name, lattice) for a in functor.arguments)
              and types.accepts(result, functor.result.name)):
        must = f"take and give values of type {lattice}"
        if operator == "Leq":
            must = "take two of its values and give 0 or 1"
        errors.add(value.place, f"{operator} of the lattice {lattice} must {must}", wanted)
    else:
        return functor
    return None


class _Constants:
    """Evaluates the constants of a declaration; what is none is an error."""

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
                    len(arguments) == len(dict(type_.branches)[branch])):
                return (branch, *self._fields(arguments, dict(type_.branches)[branch]))
            case s.UserCall(name=name, arguments=arguments) if self._fits(name, len(arguments), type_):
                functor = self.functors[name]
                called: Hashable = self._called(expression.place, functor, [
                    self.value(a, t) for a, t in zip(arguments, functor.arguments, strict=True)])
                return called
        self.errors.add(expression.place, f"{expression} is no constant of type {type_.name}",
                        _forms(type_) if type_.branches else None)
        return None

    def _fits(self, name: str, count: int, type_: Type) -> bool:
        functor = self.functors.get(name)
        return (functor is not None and len(functor.arguments) == count and not functor.several
                and self.types.accepts(type_.name, functor.result.name))

    def _called(self, place: Place, functor: Function, arguments: list[Any]) -> Any:
        try:
            return functor.call(*arguments)
        except Exception as error:
            self.errors.add(place, f"the functor {functor.name} failed: {type(error).__name__}: {error}")
            return None

    def _fields(self, expressions: tuple[s.Expression, ...], fields: tuple[tuple[str, str], ...]) -> list[Hashable]:
        return [self.value(e, self.types.types[t]) for e, (_, t) in zip(expressions, fields, strict=True)
                if t in self.types.types]


def _forms(type_: Type) -> str:
    return "it is one of " + ", ".join(f"${name}({', '.join(f for f, _ in fields)})" for name, fields in type_.branches)


def lattice_named(name: str, lattices: Mapping[str, Any]) -> Any:
    """The lattice of a name, which may be one that is derived from another: `L.widen`, `L.dual`."""
    if name in lattices:
        return lattices[name]
    if name.endswith(WIDENED):
        return Widening(lattices[name.removesuffix(WIDENED)])
    return Dual(lattices[name.removesuffix(DUAL)])


def lattice_functions(name: str, lattice: Any, carrier: Type) -> dict[str, Function]:
    """Functions for readers of a lattice column, by `METHODS`; none where the lattice lacks `meet` or `bottom`.

    `meet` has no value where it is bottom; `leq` and `disjoint` (the meet is bottom) are numbers, 0 or 1.
    """
    if not callable(getattr(lattice, "meet", None)) or not hasattr(lattice, "bottom"):
        return {}
    number = PRIMITIVES["number"]
    return {method: Function(f"{name}.{method}", (carrier, carrier), carrier if method == "meet" else number,
                             method_of(lattice, method)) for method in METHODS}


def method_of(lattice: Any, method: str) -> Callable[[Any, Any], Any]:
    """The Python function behind `NAME.meet`, `NAME.leq` or `NAME.disjoint`."""
    def meet(a: Any, b: Any) -> Any:
        met = lattice.meet(a, b)
        if met == lattice.bottom:
            raise NoValue
        return met

    def disjoint(a: Any, b: Any) -> int:
        return int(lattice.meet(a, b) == lattice.bottom)

    def leq(a: Any, b: Any) -> int:
        return int(lattice.leq(a, b))

    return {"meet": meet, "leq": leq, "disjoint": disjoint}[method]


def value_text(value: Any, type_: Type, types: Mapping[str, Type]) -> str:
    """A value as output files have it: `[1, nil]`, `$Node(3, $Leaf)`."""
    if type_.kind is not Kind.RECORD:
        return str(value)
    if value is None:
        return "nil"
    if type_.branches:
        branch, *cells = value
        fields = dict(type_.branches)[branch]
    else:
        cells, fields = value, type_.fields
    shown = ", ".join(value_text(c, types[t], types) for c, (_, t) in zip(cells, fields, strict=True))
    return (f"${branch}({shown})" if shown else f"${branch}") if type_.branches else f"[{shown}]"
