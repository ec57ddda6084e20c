"""Codes of a dictionary: small non-negative integers that stand for values."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

SPARSE = 4  # times the codes that a dictionary may have values before codes are sorted; a guess


def distinct_codes(codes: npt.NDArray[Any], size: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """(the distinct codes in ascending order, the position of each code among them); all are below `size`."""
    if SPARSE * len(codes) < size:
        distinct, inverse = np.unique(codes, return_inverse=True)
        return distinct.astype(np.int32), inverse.astype(np.int32)
    used = np.zeros(size, bool)
    used[codes] = True
    positions = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return np.flatnonzero(used).astype(np.int32), positions[codes]
