"""Which Python objects of two versions of a program are the same: functors and lattices, by their code and
attributes."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, ModuleType
from typing import Any

from ladder import lattices
from ladder.language.core import Program
from ladder.language.objects.bindings import source_hash
from ladder.lattices.base import MEANING

Identity = str
# where something stands in a text decides nothing, and a program out of the cache knows less of it
PLACES = ("place", "places")


def identities(program: Program) -> dict[str, Identity]:
    """Name of a function, or "lattice " and the name of a lattice → its identity."""
    return {
        **{name: identity(function.call) for name, function in program.functions.items()},
        **{f"lattice {name}": identity(lattice) for name, lattice in program.lattices.items()},
    }


def redefined(old: Mapping[str, Identity], new: Mapping[str, Identity]) -> set[str]:
    """The names of functions and lattices that differ in two programs."""
    return {name for name, what in old.items() if new.get(name, what) != what}


def identity(value: Any) -> Identity:
    """A text that is equal for objects that behave alike, also in different processes; made of their code and
    attributes."""
    return repr(_described(value, ()))


def _described(value: Any, inside: tuple[int, ...]) -> Hashable:
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return repr(value)
    if id(value) in inside or len(inside) > 12:
        return "…"
    within = (*inside, id(value))
    match value:
        case ModuleType():
            return value.__name__
        case type() | BuiltinFunctionType():
            return _code(value)
        case FunctionType():
            captured = (*(value.__closure__ or ()), *(value.__defaults__ or ()))
            return (_code(value), *(_described(part, within) for part in captured))
        case MethodType():
            return value.__name__, _described(value.__self__, within)
        case CellType():
            return _described(value.cell_contents, within)
        case Mapping():
            return tuple(sorted((repr(_described(k, within)), repr(_described(v, within))) for k, v in value.items()))
        case set() | frozenset():
            return tuple(sorted(repr(_described(part, within)) for part in value))
        case tuple() | list():
            return tuple(_described(part, within) for part in value)
    slots = [name for base in type(value).__mro__ for name in getattr(base, "__slots__", ()) if hasattr(value, name)]
    held = {**getattr(value, "__dict__", {}), **{name: getattr(value, name) for name in slots}}
    held = {name: part for name, part in held.items() if name not in PLACES}
    return _code(type(value)), _described(held, within)


def _code(value: Any) -> Hashable:
    """Where an object is defined, with a hash of its source; for objects that Ladder supplies, the version number of
    their meaning."""
    module = sys.modules.get(getattr(value, "__module__", None) or "")
    where = module.__name__ if module is not None else ""
    return (
        where,
        getattr(value, "__qualname__", type(value).__qualname__),
        _version(module) if module is not None else "",
    )


def _version(module: ModuleType) -> str:
    name = module.__name__
    if name.startswith(f"{lattices.__name__}."):
        return f"meaning {MEANING}"
    own = bool(getattr(module, "__file__", None)) and name.partition(".")[0] not in sys.stdlib_module_names
    return source_hash(module) if own else ""
