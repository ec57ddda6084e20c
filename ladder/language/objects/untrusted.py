"""What is known of Python objects that a program names from their source alone, without running any code.

is_ours(binding, directory, …)     whether it names a part of Ladder itself, which runs no code of the program
stand_in_lattice(binding, …)       a lattice with the methods and the carrier of the named one that cannot be called
stand_in_function(binding)         a function that cannot be called
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, NoReturn

_OURS = Path(__file__).parents[2]
_SUPPLIED = "ladder.lattices"
_METHODS = ("join", "meet", "leq", "inject", "widen", "values", "examples")


class NotTrusted(Exception):
    """Raised where code that a program names would have to run."""


def is_ours(binding: str, directory: Path, of_library: bool) -> bool:
    """Whether a binding names only supplied lattices and their functions, or belongs to a program of Ladder and names a
    file beside it or a module of Ladder.

    `directory`: that of the program; `of_library`: whether the binding stands in a file of Ladder that it includes.
    """
    module, _, expression = binding.partition(":")
    beside = directory / (module if module.endswith(".py") else f"{module}.py")
    if beside.is_file():
        return beside.resolve().is_relative_to(_OURS)
    if module.startswith("ladder.") and (of_library or directory.resolve().is_relative_to(_OURS)):
        return True
    if module != _SUPPLIED:
        return False
    try:
        return _is_supplied(ast.parse(expression.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _is_supplied(tree: ast.expr) -> bool:
    from ladder import lattices

    match tree:
        case ast.Name(name):
            return name in lattices.__all__
        case ast.Attribute(ast.Name(name), method):
            return name in lattices.__all__ and method in _METHODS
        case ast.Call(function, arguments, keywords):
            return _is_supplied(function) and all(
                map(_is_argument, (*arguments, *(keyword.value for keyword in keywords)))
            )
    return False


def _is_argument(tree: ast.expr) -> bool:
    try:
        ast.literal_eval(tree)
        return True
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return _is_supplied(tree)


class StandIn:
    """A lattice whose methods and kind of values are known, but whose code must not run."""

    def __init__(self, carrier: str, names: set[str]) -> None:
        self.carrier = carrier
        for name in names.intersection(_METHODS):
            setattr(self, name, stand_in_function(name))
        if "bottom" in names:
            self.bottom = None


def stand_in_function(name: str) -> Callable[..., Any]:
    """A function that raises `NotTrusted` when it is called."""

    def call(*_: Any) -> NoReturn:
        raise NotTrusted(name)

    return call


def stand_in_lattice(binding: str, directory: Path) -> StandIn:
    """A stand-in of the named lattice; if its source tells nothing of it, one with all methods that a lattice may
    have."""
    module, _, expression = binding.partition(":")
    found = None
    try:
        file = _file_of(module, directory)
        if file is not None:
            tree, name = ast.parse(file.read_text(encoding="utf-8")), ast.parse(expression.strip(), mode="eval").body
            found = _described(tree, name.func if isinstance(name, ast.Call) else name)
    except (SyntaxError, ValueError, OSError, RecursionError, MemoryError):
        pass
    carrier, names = found or ("object", {*_METHODS, "bottom"})
    return StandIn(carrier if carrier in ("number", "unsigned", "float", "symbol", "object") else "object", names)


def _file_of(module: str, directory: Path) -> Path | None:
    """The file of a module, found without importing its package."""
    beside = directory / (module if module.endswith(".py") else f"{module}.py")
    if beside.is_file():
        return beside
    path, name, origin = None, "", None
    for part in module.split("."):
        name = f"{name}.{part}" if name else part
        found = PathFinder.find_spec(name, path)
        if found is None:
            return None
        path, origin = list(found.submodule_search_locations or []), found.origin
    return Path(origin) if origin and origin.endswith(".py") else None


def _described(module: ast.Module, name: ast.expr) -> tuple[str, set[str]] | None:
    """(carrier, names of attributes) of a class in a module; None if the name is no class there."""
    from ladder import lattices

    classes = {item.name: item for item in module.body if isinstance(item, ast.ClassDef)}
    if not isinstance(name, ast.Name) or name.id not in classes:
        return None
    carrier, names, waiting, seen = "", set[str](), [name.id], set[str]()
    while waiting:
        base = waiting.pop(0)
        if base in seen:
            continue
        seen.add(base)
        if base not in classes:
            supplied = getattr(lattices, base, None) if base in lattices.__all__ else None
            names.update(dir(supplied) if supplied is not None else ())
            carrier = carrier or getattr(supplied, "carrier", "")
            continue
        for item in classes[base].body:
            if isinstance(item, ast.FunctionDef):
                names.add(item.name)
            elif isinstance(item, ast.Assign | ast.AnnAssign):
                targets = item.targets if isinstance(item, ast.Assign) else [item.target]
                given = {target.id for target in targets if isinstance(target, ast.Name)}
                names |= given
                if "carrier" in given and isinstance(item.value, ast.Constant):
                    carrier = carrier or str(item.value.value)
        for parent in classes[base].bases:
            plain = parent.value if isinstance(parent, ast.Subscript) else parent
            waiting.append(
                plain.attr if isinstance(plain, ast.Attribute) else plain.id if isinstance(plain, ast.Name) else ""
            )
    return carrier or "object", names
