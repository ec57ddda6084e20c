"""Python objects that are sent to workers: functions and lattices of modules that only the driver can import are
pickled by value."""

from __future__ import annotations

import gc
import json
import re
import sys
from typing import Any, Generic, TypeVar

import xxhash

from ladder.engine.classes import is_of_users
from ladder.engine.spark.values.dictionary import collision
from ladder.errors import LadderError, OutOfMemory

Value = TypeVar("Value")
ERROR, COLLISION = "ladder-error: ", "ladder-collision: "
_MOST_LOADED = 64
_loaded: dict[str, Any] = {}


class UnusualValue(LadderError):
    """A value that SQL cannot join, although it joins most values of the lattice: Python has to compute the joins."""


class Shipped(Generic[Value]):
    """A pickled object; `get()` unpickles it, once per process.

    `LadderError` where it cannot be pickled, for example a functor that holds a file or a lock.
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
            _keep_out_of_collections()
        found: Value = _loaded[self.digest]
        return found


KINDS = {kind.__name__: kind for kind in (OutOfMemory, UnusualValue)}  # errors that keep their class on the driver


def failure(error: LadderError) -> RuntimeError:
    """An error on a worker as an exception from whose text the driver restores it (`error_in`)."""
    description = {"message": error.message, "hint": error.hint, "place": error.place, "kind": type(error).__name__}
    return RuntimeError(f"{ERROR}{json.dumps(description)}")


def out_of_memory(what: str) -> OutOfMemory:
    """The error for a worker that runs out of memory in a call; `what`: the call."""
    return OutOfMemory(
        f"{what} has used up the memory of a Python worker of Spark.",
        "Let it make smaller values, or allow workers more memory (spark.executor.pyspark.memory, where that is set).",
    )


def error_in(text: str) -> LadderError | None:
    """The error that a worker reported, in the text of Spark's exception; None where there is none."""
    if collided := re.search(f"{COLLISION}([0-9A-F]*) ([0-9A-F]*);", text):
        return collision(*map(bytes.fromhex, collided.groups()))
    for line in text.splitlines():
        _, marked, rest = line.partition(ERROR)
        if marked:
            try:
                found = json.JSONDecoder().raw_decode(rest)[0]
                return KINDS.get(found["kind"], LadderError)(found["message"], found["hint"]).at(found.get("place", ""))
            except (ValueError, KeyError, TypeError):
                continue
    return None


def _keep_out_of_collections() -> None:
    """Freeze the present objects of a worker: Spark's workers collect garbage after each task, which takes 60 ms for
    everything that was imported."""
    from pyspark import TaskContext

    if TaskContext.get() is not None:
        gc.collect()
        gc.freeze()


def _pickled(value: Any) -> bytes:
    from pyspark import cloudpickle as untyped

    cloudpickle: Any = untyped
    known = cloudpickle.list_registry_pickle_by_value()
    modules = [
        module
        for name, module in list(sys.modules.items())  # under its own name: it may have others, too
        if name == getattr(module, "__name__", "") and is_of_users(module) and name != "__main__" and name not in known
    ]
    for module in modules:
        cloudpickle.register_pickle_by_value(module)
    try:
        data: bytes = cloudpickle.dumps(value)
        return data
    except Exception as error:  # whatever an object's own way of being pickled raises
        raise LadderError(
            f"A functor or lattice cannot be sent to Spark's workers: {type(error).__name__}: {error}",
            "Functors and lattices must not hold files, locks, connections and the like.",
        ) from error
    finally:
        for module in modules:
            cloudpickle.unregister_pickle_by_value(module)
