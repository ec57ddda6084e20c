"""Joins that kernels compute without Python: tables of finite lattices, and functions on numbers that numba
compiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ladder.errors import LadderError
from ladder.language.core import Kind, Type
from ladder.support.tuning import Evaluating

Cells = npt.NDArray[np.int32]


def table_of_joins(
    lattice: Any,
    join: Callable[[Any, Any], Any],
    encode: Callable[[Sequence[Any]], Sequence[int]],
    name: str,
    tuning: Evaluating,
) -> tuple[Cells, Cells]:
    """(cells of the lattice's elements, table with the cell of the join of each pair); both are empty if there are too
    many elements.

    If the lattice has a `table`, it gives the positions of joins among the elements; otherwise its join is called for
    each pair.
    """
    elements = list(lattice.elements)
    table = getattr(lattice, "table", None)
    count = len(elements)
    if count > (tuning.joined_elements if table is None else tuning.table_elements):
        return np.zeros(0, np.int32), np.zeros((0, 0), np.int32)
    cells = np.array(encode(elements), np.int32)
    if table is not None:
        places = np.asarray(table)
        if (
            places.shape != (count, count)
            or places.dtype.kind not in "iu"
            or not ((places >= 0) & (places < count)).all()
        ):
            raise LadderError(
                f"{name}: its table must have {count} rows of {count} places of elements, from 0 to {count - 1}."
            )
        return cells, cells[places]
    joins = np.empty((count, count), np.int32)
    for row in range(count):
        joined = encode([join(elements[row], other) for other in elements[row:]])
        joins[row, row:] = joins[row:, row] = joined
    return cells, joins


def join_of_numbers(lattice: Any, type_: Type, name: str) -> Any:
    """A lattice's join, compiled, with its `address`; its arguments and result are the numbers of cells, as int64."""
    from numba import cfunc, types
    from numba.core.errors import NumbaError

    if type_.kind not in (Kind.NUMBER, Kind.UNSIGNED):
        raise LadderError(
            f"{name} is said to be compiled, but its values are of type {type_.name} ({type_.kind.value}).",
            'Values of a compiled lattice are numbers: set carrier = "number", or declare a type of its name.',
        )
    function = getattr(lattice.join, "py_func", lattice.join)
    try:
        make: Any = cfunc
        return make(types.int64(types.int64, types.int64), nopython=True, error_model="numpy")(function)
    except (NumbaError, TypeError, NotImplementedError) as error:
        first = str(error).strip().splitlines()[0]
        raise LadderError(
            f"{name} cannot be compiled by numba: {first}",
            "Make it a static method of two numbers, in the part of Python that numba knows, or take `compiled` away.",
        ) from error
