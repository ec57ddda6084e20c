"""Python objects on their way to workers: functions and lattices of modules that only the driver can import go by value."""
from __future__ import annotations

import dataclasses
import enum
import functools
import json
import re
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any, Generic, TypeVar

import xxhash

from ladder.engine.spark.canonical import class_name
from ladder.engine.spark.dictionary import collision
from ladder.errors import LadderError
from ladder.language.core import Program

Value = TypeVar("Value")
ERROR, COLLISION = "ladder-error: ", "ladder-collision: "
_OWN = Path(__file__).parents[2]
_MOST_LOADED = 64
_loaded: dict[str, Any] = {}


class Shipped(Generic[Value]):
    """An object as bytes; `get()` gives it back, made once in a process.

    `LadderError` where it cannot be pickled: a functor that holds a file or a lock, say.
    """

    def __init__(self, value: Value) -> None:
        self.data = _pickled(value)
        self.digest = xxhash.xxh3_128_hexdigest(self.data)

    def get(self) -> Value:
        """The object, or its copy on a worker."""
        if self.digest not in _loaded:
            from pyspark import cloudpickle
            if len(_loaded) >= _MOST_LOADED:
                _loaded.clear()
            _loaded[self.digest] = cloudpickle.loads(self.data)
        found: Value = _loaded[self.digest]
        return found


def classes_of(program: Program) -> dict[str, type]:
    """Classes whose values a program's state may hold, by name: what its functors and lattices hold, and their modules name.

    Only enumerations, named tuples and data classes, so that reading a value runs no code of theirs.
    """
    found: dict[str, type] = {}
    seen: set[int] = set()
    waiting: list[Any] = [*(f.call for f in program.functions.values()), *program.lattices.values()]
    while waiting:
        what = waiting.pop()
        if id(what) in seen or what is None or isinstance(what, str | bytes | int | float | ModuleType) and not isinstance(what, enum.Enum):
            continue
        seen.add(id(what))
        waiting += _inside(what)
        class_ = what if isinstance(what, type) else type(what)
        if issubclass(class_, enum.Enum) or dataclasses.is_dataclass(class_) or issubclass(class_, tuple) and hasattr(class_, "_fields"):
            found[class_name(class_)] = class_
    return found


def _inside(what: Any) -> Iterable[Any]:
    """What an object holds or names, as far as values of lattices may come from there."""
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
            return (*(part for part in vars(what).values() if isinstance(part, type)), *what.__bases__, *_namespace(what.__module__))
    return (type(what), *getattr(what, "__dict__", {}).values())


def _namespace(module: str | None) -> Iterator[type]:
    """Classes that a module names; none of Python's own and of installed ones."""
    found = sys.modules.get(module or "")
    if found is not None and (found.__name__.startswith("ladder.lattices") or _is_of_users(found)):
        yield from (value for value in vars(found).values() if isinstance(value, type))


def failure(error: LadderError) -> RuntimeError:
    """An error on a worker such that the driver finds it in Spark's report."""
    return RuntimeError(f"{ERROR}{json.dumps({'message': error.message, 'mend': error.mend})}")


def error_in(text: str) -> LadderError | None:
    """The error that a worker reported, in the text of Spark's exception; None where there is none."""
    if collided := re.search(f"{COLLISION}([0-9A-F]*) ([0-9A-F]*);", text):
        return collision(*map(bytes.fromhex, collided.groups()))
    for line in text.splitlines():
        _, marked, rest = line.partition(ERROR)
        if marked:
            try:
                found = json.JSONDecoder().raw_decode(rest)[0]
                return LadderError(found["message"], found["mend"])
            except (ValueError, KeyError, TypeError):
                continue
    return None


def _pickled(value: Any) -> bytes:
    from pyspark import cloudpickle as untyped
    cloudpickle: Any = untyped
    known = cloudpickle.list_registry_pickle_by_value()
    modules = [module for module in list(sys.modules.values())
               if _is_of_users(module) and module.__name__ != "__main__" and module.__name__ not in known]
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        data: bytes = cloudpickle.dumps(value)
        return data
    except Exception as error:      # whatever an object's own way of being pickled raises
        raise LadderError(f"A functor or lattice cannot be sent to Spark's workers: {type(error).__name__}: {error}",
                          "Functors and lattices must not hold files, locks, connections and the like.") from error
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)


def _is_of_users(module: ModuleType) -> bool:
    """Whether workers may lack a module: it is neither Python's, nor installed, nor of this package."""
    file = getattr(module, "__file__", None)
    return isinstance(file, str) and not _is_installed(file)


@functools.cache
def _is_installed(file: str) -> bool:
    path = Path(file).resolve()
    return any(path.is_relative_to(folder) for folder in _folders())


@functools.cache
def _folders() -> tuple[Path, ...]:
    named = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    named += [*site.getsitepackages(), site.getusersitepackages()]
    return (_OWN, *(Path(name).resolve() for name in named if name))
