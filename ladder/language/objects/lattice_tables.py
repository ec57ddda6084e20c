"""Lattices declared by a program's own functors, and the functions that rules need to read lattice columns.

    .lattice Sign<> { Bottom -> $None(), Top -> $Any(), Lub -> @lub(_, _), Glb -> @glb(_, _), Leq -> @leq(_, _) }

The carrier is the type with the lattice's name; values are those of core programs (`core.Type`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from ladder.language.core import Function, Kind, Place, Type
from ladder.language.values.builtins import NoValue
from ladder.lattices.base import Dual, Widening, below

OPERATORS = ("Lub", "Glb", "Leq", "Widen")
CONSTANTS = ("Bottom", "Top")
OPERATIONS = {"Lub": "join", "Glb": "meet", "Leq": "leq", "Widen": "widen"}
METHODS = ("meet", "leq", "disjoint")
WIDENED, DUAL = ".widen", ".dual"  # added to a lattice's name where its `widen`, or its meet, aggregates


class DeclaredLattice:
    """A lattice whose operations are functors of the program.

    It always has `join` and `leq`; `meet`, `bottom` and `top` only if they are declared. Without `Leq` the order is
    that of the meet (a is below b if a meet b = a) or, without `Glb` as well, that of the join. `Widen`, which Soufflé
    does not have, becomes `widen` (see `ladder.lattices.Lattice`).
    """

    widen: Callable[[Any, Any], Any]
    meet: Callable[[Any, Any], Any]
    bottom: Hashable
    top: Hashable

    def __init__(
        self,
        name: str,
        carrier: Type,
        types: Mapping[str, Type],
        functors: Mapping[str, Function],
        constants: Mapping[str, Hashable],
        place: Place | None = None,
    ) -> None:
        """`functors`: operator (see `OPERATORS`) → functor; `constants`: name (see `CONSTANTS`) → value."""
        self.name, self.type, self.types, self.place = name, carrier, types, place
        self.functors, self.constants = dict(functors), dict(constants)
        self.operations = {OPERATIONS[operator]: f.name for operator, f in functors.items()}
        self.operation_names = {operation: f"@{name}" for operation, name in self.operations.items()}
        self.places: dict[str, Place] = {}  # operation (`join`, …, `bottom`) → where the declaration has it
        self.join: Callable[[Any, Any], Any] = functors["Lub"].call
        if "Glb" in functors:
            self.meet = functors["Glb"].call
        if "Widen" in functors:
            self.widen = functors["Widen"].call
        for constant, value in constants.items():
            setattr(self, constant.lower(), value)

    def leq(self, a: Any, b: Any) -> bool:
        """Whether `a` is below or equal to `b`."""
        if "Leq" in self.functors:
            return bool(self.functors["Leq"].call(a, b))
        if "Glb" in self.functors:
            return bool(self.meet(a, b) == a)
        return bool(self.join(a, b) == b)

    def show(self, value: Any) -> str:
        """A value as text, as it is written to output files."""
        return value_text(value, self.type, self.types)

    def with_calls(self, call: Callable[[Function], Callable[..., Any]]) -> DeclaredLattice:
        """This lattice with other Python functions for its functors: those that `call` returns."""
        functors = {
            operator: Function(f.name, f.arguments, f.result, call(f), f.several)
            for operator, f in self.functors.items()
        }
        return DeclaredLattice(self.name, self.type, self.types, functors, self.constants, self.place)


def lattice_named(name: str, lattices: Mapping[str, Any]) -> Any:
    """The lattice with a name, which may be derived from another: `L.widen`, `L.dual`."""
    if name in lattices:
        return lattices[name]
    if name.endswith(WIDENED):
        return Widening(lattices[name.removesuffix(WIDENED)])
    return Dual(lattices[name.removesuffix(DUAL)])


def lattice_functions(name: str, lattice: Any, carrier: Type) -> dict[str, Function]:
    """The functions by which rules read a lattice column, by name (see `METHODS`); none if the lattice lacks `meet` or
    `bottom`.

    `meet` has no result where the meet is bottom; `leq` and `disjoint` (whether the meet is bottom) return 0 or 1.
    """
    if not callable(getattr(lattice, "meet", None)) or not hasattr(lattice, "bottom"):
        return {}
    number = Type("number", Kind.NUMBER)
    return {
        method: Function(
            f"{name}.{method}", (carrier, carrier), carrier if method == "meet" else number, method_of(lattice, method)
        )
        for method in METHODS
    }


def method_of(lattice: Any, method: str) -> Callable[[Any, Any], Any]:
    """The Python function of `NAME.meet`, `NAME.leq` or `NAME.disjoint`."""

    def meet(a: Any, b: Any) -> Any:
        met = lattice.meet(a, b)
        if met == lattice.bottom:
            raise NoValue
        return met

    def disjoint(a: Any, b: Any) -> int:
        return int(lattice.meet(a, b) == lattice.bottom)

    def leq(a: Any, b: Any) -> int:
        return int(below(lattice, a, b))

    return {"meet": meet, "leq": leq, "disjoint": disjoint}[method]


def value_text(value: Any, type_: Type, types: Mapping[str, Type]) -> str:
    """A value as text in output files: `[1, nil]`, `$Node(3, $Leaf)`."""
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
