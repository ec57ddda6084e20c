"""Python objects that a program names: "module:attribute", "file.py:attribute", or a call with literal arguments.

A module `m` is the file m.py beside the program where there is one, else what Python imports as `m`.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import os
import sys
import warnings
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from ladder.support.shown import FAULTS, error_text

_SHARED_LIBRARIES = (".so", ".dylib", ".dll")


class Unresolved(Exception):
    """Raised for a binding that names no Python object; the message says why."""


def resolve(binding: str, directory: Path) -> Any:
    """The Python object that `binding` names; files are looked up in `directory`, that of the program. Raises
    `Unresolved`."""
    module, expression = load_module(binding, directory)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Python, about a text that is data here
            tree = ast.parse(expression.strip(), mode="eval").body
        return _evaluate(tree, module, binding)
    except (SyntaxError, ValueError) as error:
        raise Unresolved(f"{expression!r} is not a name or a call with literal arguments") from error
    except (RecursionError, MemoryError) as error:
        raise Unresolved(f"{expression[:40]!r}… is nested too deeply") from error


def load_module(binding: str, directory: Path) -> tuple[ModuleType, str]:
    """(the module of a binding, the text after the colon). Raises `Unresolved`."""
    name, colon, expression = binding.partition(":")
    if not colon or not name or not expression:
        raise Unresolved(f'{binding!r} is not of the form "module:attribute"')
    if name.endswith(_SHARED_LIBRARIES):
        raise Unresolved(f"{name} is a shared library; functors and lattices are Python objects")
    beside = directory / (name if name.endswith(".py") else f"{name}.py")
    try:
        module = _load_file(beside) if name.endswith(".py") or beside.is_file() else importlib.import_module(name)
        return module, expression
    except (ImportError, OSError) as error:
        raise Unresolved(f"cannot import {name}: {error}") from error
    except FAULTS as error:
        raise Unresolved(f"cannot import {name}: {error_text(error)}") from error


def source_hash(module: ModuleType) -> str:
    """A hash of a module's source: its file, and the files beside it if it belongs to a package."""
    file = getattr(module, "__file__", None)
    if file is None:
        return module.__name__
    path = Path(file)
    return _hash_of_directory(path.parent) if module.__package__ else hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _hash_of_directory(path: Path) -> str:
    """A hash of the files directly in a directory, but for programs in Datalog, which have hashes of their own.

    Computed once, as a process loads the modules of a package only once.
    """
    digest = hashlib.sha256()
    for file in sorted(path.iterdir()):
        if file.is_file() and file.suffix != ".dl":
            digest.update(os.fsencode(file.name) + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _load_file(path: Path) -> ModuleType:
    """Load a module from a file, under a name made of its path and content, so that each version is loaded once."""
    content = path.read_bytes()
    digest = hashlib.sha256(os.fsencode(path.resolve()) + content).hexdigest()[:16]
    name = f"ladder_program_{path.stem}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    specification = importlib.util.spec_from_file_location(name, path)
    if specification is None or specification.loader is None:
        raise ImportError(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _evaluate(tree: ast.expr, module: ModuleType, binding: str) -> Any:
    match tree:
        case ast.Name(name):
            if not hasattr(module, name):
                raise Unresolved(f"{module.__name__.split('_program_')[-1]} has no attribute {name}")
            return getattr(module, name)
        case ast.Attribute(value, name):
            owner = _evaluate(value, module, binding)
            if not hasattr(owner, name):
                raise Unresolved(f"{ast.unparse(value)} has no attribute {name}")
            return getattr(owner, name)
        case ast.Call(function, arguments, keywords):
            try:
                positional = [_argument(a, module, binding) for a in arguments]
                named = {str(k.arg): _argument(k.value, module, binding) for k in keywords}
                return _evaluate(function, module, binding)(*positional, **named)
            except Unresolved:
                raise
            except FAULTS as error:
                raise Unresolved(f"{ast.unparse(tree)} failed: {error_text(error)}") from error
    raise Unresolved(f"{ast.unparse(tree)!r} is not a name or a call with literal arguments")


def _argument(tree: ast.expr, module: ModuleType, binding: str) -> Any:
    """The value of an argument of a binding: a literal, or a name or call of the same module, as in `product(sign,
    k_set(3))`."""
    try:
        return ast.literal_eval(tree)
    except (ValueError, TypeError):  # TypeError: a set or dictionary of what has no hash
        return _evaluate(tree, module, binding)
