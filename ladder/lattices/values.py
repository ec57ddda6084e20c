"""Functions on values of any lattice, for `.functor` declarations."""

from __future__ import annotations

from collections.abc import Hashable

from ladder.lattices.base import BOTTOM, TOP, Extreme


def is_top(value: Hashable) -> int:
    """1 for `TOP`, else 0."""
    return int(value is TOP)


def is_bottom(value: Hashable) -> int:
    """1 for `BOTTOM` and the empty set, else 0."""
    return int(value is BOTTOM or value == frozenset())


def show(value: Hashable) -> str:
    """A value as text, independent of its lattice: sets are sorted, `BOTTOM` and `TOP` are named."""
    if isinstance(value, Extreme):
        return value.value
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(str, value))) + "}"
    return str(value)
