"""Arguments of entry points: their forms, and how Python hands them over.

A compiled entry point takes one argument, the address of an array of int64, the *words*: for each record there is its
address, for each array its address and lengths, and for anything else a number.
"""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np

from .layout import (
    AGGREGATE,
    COMPONENT,
    FIXPOINT,
    INDEX,
    OPERATION,
    PLAN,
    RELATION,
    STEP,
    UPDATE,
    WORKSPACE,
    int64,
)


@dataclass(frozen=True)
class Form:
    """What a parameter takes: an array of this many dimensions, or a record (0)."""

    item: Any  # np.dtype of the record, or of the items of the array
    dimensions: int = 0

    @property
    def words(self) -> int:
        """How many int64 hand it over."""
        return 1 + self.dimensions


def record_of(item: Any) -> Form:
    """Return the form of a record of this dtype."""
    return Form(np.dtype(item))


def vector_of(item: Any) -> Form:
    """Return the form of a one-dimensional array of items of this dtype."""
    return Form(np.dtype(item), 1)


def table_of(item: Any) -> Form:
    """Return the form of a two-dimensional array of items of this dtype."""
    return Form(np.dtype(item), 2)


# what parameters of these names take; a parameter that is neither here nor given with its entry point is a number
USUAL: Mapping[str, Form] = {
    "relation": record_of(RELATION),
    "index": record_of(INDEX),
    "aggregate": record_of(AGGREGATE),
    "operation": record_of(OPERATION),
    "workspace": record_of(WORKSPACE),
    "fixpoint": record_of(FIXPOINT),
    "update": record_of(UPDATE),
    "relations": vector_of(RELATION),
    "indexes": vector_of(INDEX),
    "aggregates": vector_of(AGGREGATE),
    "operations": vector_of(OPERATION),
    "components": vector_of(COMPONENT),
    "plans": vector_of(PLAN),
    "steps": vector_of(STEP),
    "inputs": vector_of(int64),
}


def forms_of(function: Callable[..., Any], given: Mapping[str, Form]) -> dict[str, Form | None]:
    """Return the form of each parameter of an entry point, None for a number."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    if unknown := given.keys() - set(names):
        raise TypeError(f"{function.__name__} has no parameters {', '.join(sorted(unknown))}")
    return {name: given.get(name, USUAL.get(name)) for name in names}


# ---- handing over

# Where numpy's objects keep the address of their memory: after the header of a Python object, as numpy's C interface
# has it (`PyArrayObject.data`, `PyVoidScalarObject.obval`). Asking through Python takes three times as long, which was
# a tenth of an update.
_OF_ARRAY, _OF_RECORD = object.__basicsize__, tuple.__basicsize__
_word_at = ctypes.c_int64.from_address
_array = np.zeros(2, INDEX)
_record = _array[1]
_start = _array.ctypes.data
if [_word_at(id(_array) + _OF_ARRAY).value, _word_at(id(_record) + _OF_RECORD).value] != [
    _start,
    _start + INDEX.itemsize,
]:
    raise ImportError(f"This version of numpy ({np.__version__}) keeps addresses elsewhere than Ladder expects.")
RESERVED = 2  # words before those of the arguments, for what a call returns (`loading`)


class Parameters:
    """The parameters of one entry point."""

    def __init__(self, name: str, forms: Mapping[str, Form | None]) -> None:
        self._name, self._forms = name, forms
        self._steps = [None if form is None else (form.item, form.dimensions) for form in forms.values()]
        self._words: Any = ctypes.c_int64 * (
            RESERVED + sum(1 if form is None else form.words for form in forms.values())
        )

    def packed(self, arguments: Sequence[Any]) -> Any:
        """Return the words of the arguments, as a ctypes array, after RESERVED others that are 0. The records and
        arrays must live as long as it is in use.

        Raises TypeError for a wrong number of arguments, and for an array or record of another form.
        """
        if len(arguments) != len(self._steps):
            raise TypeError(f"{self._name} takes {len(self._steps)} arguments, not {len(arguments)}")
        words = [0] * RESERVED
        for step, value in zip(self._steps, arguments, strict=True):
            if step is None:
                words.append(index(value))
                continue
            item, dimensions = step
            if value.dtype is not item and value.dtype != item:
                raise self._wrong(arguments)
            if dimensions == 0:
                if not isinstance(value, np.void):
                    raise self._wrong(arguments)
                words.append(_word_at(id(value) + _OF_RECORD).value)
                continue
            if not isinstance(value, np.ndarray) or value.ndim != dimensions or not value.flags.c_contiguous:
                raise self._wrong(arguments)
            words.append(_word_at(id(value) + _OF_ARRAY).value)
            words += value.shape
        return self._words(*words)

    def _wrong(self, arguments: Sequence[Any]) -> TypeError:
        takes = ", ".join(f"{name}: {form or 'a number'}" for name, form in self._forms.items())
        given = ", ".join(
            f"{type(value).__name__} {getattr(value, 'dtype', '')}{getattr(value, 'shape', '')}" for value in arguments
        )
        return TypeError(f"{self._name} takes ({takes}), contiguous arrays, not ({given})")
