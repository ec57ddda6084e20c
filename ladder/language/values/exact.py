"""Sums and means of floats that do not depend on the order of summands: exact integers inside, rounded once at the end.

Values are (sum in units of 2^-1074, name of a sum that is no finite number or "", number of summands), so that equal
sums are equal values.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, isnan
from typing import Any

from ladder.language.values.arithmetic import NARROW, Domain

Value = tuple[int, str, int]
_UNIT = 1074  # every finite float is a multiple of 2 to minus this
NAN = "nan"


class ExactSum:
    """The lattice of sums, whose join adds two values; it is not idempotent."""

    bottom: Value = (0, "", 0)
    idempotent = False

    def join(self, a: Value, b: Value) -> Value:
        special = a[1] if a[1] == b[1] or not b[1] else b[1] if not a[1] else NAN
        return a[0] + b[0], special, a[2] + b[2]

    def show(self, value: Value) -> str:
        return str(total(value))


def one(value: float) -> Value:
    """The value of a sum with a single summand."""
    if not isfinite(value):
        return 0, NAN if isnan(value) else "inf" if value > 0 else "-inf", 1
    numerator, denominator = float(value).as_integer_ratio()
    return numerator * ((1 << _UNIT) // denominator), "", 1


def total(value: Value, domain: Domain = NARROW) -> float:
    return domain.round(float(value[1]) if value[1] else _ratio(value[0], 1 << _UNIT))


def mean(value: Value, domain: Domain = NARROW) -> float:
    """The mean of at least one summand."""
    return domain.round(float(value[1]) if value[1] else _ratio(value[0], value[2] << _UNIT))


def _ratio(numerator: int, denominator: int) -> float:
    try:
        return numerator / denominator
    except OverflowError:
        return float("inf") if numerator > 0 else float("-inf")


LATTICE = "$sum"
LATTICES: dict[str, Any] = {LATTICE: ExactSum()}
# Functions of core programs by name, as the helper relations of aggregates call them.
CALLS: dict[str, Callable[..., Any]] = {
    **{f"$sum.one({kind})": one for kind in ("number", "unsigned", "float")},
    "$sum.total": total,
    "$sum.mean": mean,
}
