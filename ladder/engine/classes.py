"""Python classes whose values a program's state may hold, and which modules are the user's own."""

from __future__ import annotations

import dataclasses
import enum
import functools
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any

from ladder.engine.canonical import class_name
from ladder.language.core import Program

_OWN = Path(__file__).parents[1]
PACKAGES = ("site-packages", "dist-packages")  # names of folders that modules are installed in


def classes_of(program: Program) -> dict[str, type]:
    """Name → class whose values a program's state may hold: classes that its functors and lattices refer to, or that
    their modules define.

    Only enumerations, named tuples and data classes are among them, so that reading a value runs no code of the class.
    """
    found: dict[str, type] = {}
    seen: set[int] = set()
    waiting: list[Any] = [*(f.call for f in program.functions.values()), *program.lattices.values()]
    while waiting:
        what = waiting.pop()
        if (
            id(what) in seen
            or what is None
            or isinstance(what, str | bytes | int | float | ModuleType)
            and not isinstance(what, enum.Enum)
        ):
            continue
        seen.add(id(what))
        waiting += _inside(what)
        class_ = what if isinstance(what, type) else type(what)
        if (
            issubclass(class_, enum.Enum)
            or dataclasses.is_dataclass(class_)
            or issubclass(class_, tuple)
            and hasattr(class_, "_fields")
        ):
            found[class_name(class_)] = class_
    return found


def is_of_users(module: ModuleType) -> bool:
    """Whether a module is the user's own, so that workers may lack it: it is neither Python's, nor installed, nor of
    this package."""
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and not _is_installed(file)


def _inside(what: Any) -> Iterable[Any]:
    """The objects that an object contains or refers to, as far as values of lattices may come from them."""
    match what:
        case FunctionType():
            return (*(what.__closure__ or ()), *(what.__defaults__ or ()), *_namespace(what.__module__))
        case CellType():
            return (what.cell_contents,) if what != CellType() else ()
        case MethodType():
            return what.__self__, what.__func__
        case functools.partial():
            return what.func, *what.args, *what.keywords.values()
        case tuple() | list() | frozenset() | set():
            return what
        case Mapping():
            return *what.keys(), *what.values()
        case type():
            return (
                *(part for part in vars(what).values() if isinstance(part, type)),
                *what.__bases__,
                *_namespace(what.__module__),
            )
    return (type(what), *getattr(what, "__dict__", {}).values())


def _namespace(module: str | None) -> Iterator[type]:
    """The classes that a module of the user names."""
    found = sys.modules.get(module or "")
    if found is not None and (found.__name__.startswith("ladder.lattices") or is_of_users(found)):
        yield from (value for value in vars(found).values() if isinstance(value, type))


@functools.cache
def _is_installed(file: str) -> bool:
    path = Path(file).resolve()
    return any(path.is_relative_to(folder) for folder in _folders())


@functools.cache
def _folders() -> tuple[Path, ...]:
    named = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    named += [*site.getsitepackages(), site.getusersitepackages()]
    # of another environment, which this one includes, or that `pip install --target` has filled
    named += [folder for folder in sys.path if Path(folder).name in PACKAGES or any(Path(folder).glob("*.dist-info"))]
    return (_OWN, *(Path(name).resolve() for name in named if name))
