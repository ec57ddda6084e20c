"""Float arithmetic on numpy columns of cells, which hold the bits of single-precision numbers as signed integers.

The operations are those of the processor, as in the kernels of the local engine; a NaN that is made from other numbers
has its sign bit set, as on x86 processors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from ladder.language.core import Kind

Cells = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
NOT_A_NUMBER = np.array(0xFFC00000, np.uint32).view(np.float32)


def floats_of(cells: Cells) -> Floats:
    """The floats whose bits the cells hold."""
    return cells.astype(np.int32).view(np.float32)


def cells_of(values: Floats) -> Cells:
    """The bits of floats, as cells."""
    return values.astype(np.float32, copy=False).view(np.int32).astype(np.int64)


def _operation(operate: Callable[[Floats, Floats], Floats]) -> Callable[..., Cells]:
    def call(left: Cells, right: Cells) -> Cells:
        a, b = floats_of(left), floats_of(right)
        with np.errstate(all="ignore"):
            result = operate(a, b)
        new = np.isnan(result) & ~np.isnan(a) & ~np.isnan(b)
        return cells_of(np.where(new, NOT_A_NUMBER, result))

    return call


def _from_integers(cells: Cells) -> Cells:
    """Cells of the floats nearest to integers."""
    return cells_of(cells.astype(np.float32))


FLOAT_FUNCTIONS: Mapping[tuple[str, Kind], Callable[..., Cells]] = {
    ("+", Kind.FLOAT): _operation(np.add),
    ("-", Kind.FLOAT): _operation(np.subtract),
    ("*", Kind.FLOAT): _operation(np.multiply),
    ("/", Kind.FLOAT): _operation(np.divide),
    ("to_float", Kind.NUMBER): _from_integers,
    ("to_float", Kind.UNSIGNED): _from_integers,
}
