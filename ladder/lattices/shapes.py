"""Shapes: descriptions of a lattice's values and of their join as data, for engines that do not run Python.

A lattice describes its join by the method `shape`, and its widening, if it has one, by `widened_shape`. The shapes are:

    Numbers        numbers, joined by their minimum or maximum
    Constants      any values, with bottom and top; the join of two different ones is top
    Intervals      pairs (low, high) of numbers, or bottom; joined by their hull or by their intersection
    Rounded        the same; the bounds of the hull of two different ones are rounded outwards to thresholds
    Sets           frozen sets of constants, joined by union or intersection; top for more than `most` elements
    Tuples         tuples of values of these shapes, joined component by component
    Priority       lexicographic pairs; the second components of those whose first component is the join are joined
    Maps           frozen sets of pairs (key, value), joined key by key
    Elements       the few values that a lattice lists in `elements`, joined by a table
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal


class Shape:
    """One of the shapes of this module."""


@dataclass(frozen=True)
class Numbers(Shape):
    """Numbers, joined by `min` or `max`."""

    function: Literal["min", "max"]


@dataclass(frozen=True)
class Constants(Shape):
    """Incomparable constants; `meet`: joined by their meet, which is bottom for two different ones."""

    meet: bool = False


@dataclass(frozen=True)
class Intervals(Shape):
    """Intervals joined by their hull, or (`meet`) by their intersection."""

    meet: bool = False


@dataclass(frozen=True)
class Rounded(Shape):
    """Intervals whose hull is rounded outwards to thresholds, which are sorted."""

    thresholds: tuple[int, ...]


@dataclass(frozen=True)
class Sets(Shape):
    """Sets of at most `most` elements (None: of any number) under union, or (`meet`) under intersection."""

    most: int | None = None
    meet: bool = False


@dataclass(frozen=True)
class Tuples(Shape):
    """Tuples with one component of each of these shapes."""

    parts: tuple[Shape, ...]


@dataclass(frozen=True)
class Priority(Shape):
    """Lexicographic pairs; where the join of the first components is neither of them, the second component is `bottom`,
    for the meet `top`."""

    first: Shape
    second: Shape
    bottom: Hashable
    top: Hashable = None


@dataclass(frozen=True)
class Maps(Shape):
    """Maps to values of a shape; `bottom`: the value of absent keys."""

    of: Shape
    bottom: Hashable


@dataclass(frozen=True)
class Elements(Shape):
    """The elements of a lattice, joined by its table or by joining each two."""

    lattice: Any
    elements: tuple[Hashable, ...]


def shape_of(lattice: Any) -> Shape | None:
    """The shape of a lattice's values under its join; None if it has none.

    A class defines its own: a shape is not inherited, because a subclass may have another join.
    """
    if "shape" in vars(type(lattice)):
        found: Shape | None = lattice.shape()
        return found
    return elements_of(lattice)


def widened_shape_of(lattice: Any) -> Shape | None:
    """The shape of a lattice's values under its `widen`; under its join if it has none."""
    if getattr(lattice, "widen", None) is None:
        return shape_of(lattice)
    if "widened_shape" in vars(type(lattice)):
        found: Shape | None = lattice.widened_shape()
        return found
    return None


def elements_of(lattice: Any) -> Elements | None:
    """The shape of a lattice that lists its elements; None for others."""
    elements = getattr(lattice, "elements", None)
    return Elements(lattice, tuple(elements)) if isinstance(elements, Sequence) else None


def tuples(parts: Iterable[Shape | None]) -> Shape | None:
    """The shape of tuples with these components; None if one of them has none."""
    found = tuple(parts)
    known = tuple(part for part in found if part is not None)
    return Tuples(known) if known and len(known) == len(found) else None


def upside_down(shape: Shape | None, dual: Any) -> Shape | None:
    """The shape of the same values under the meet; None if it has none.

    `dual`: a function that returns the dual of a lattice of elements.
    """
    match shape:
        case Numbers(function):
            return Numbers("max" if function == "min" else "min")
        case Constants() | Intervals() | Sets():
            return replace(shape, meet=not shape.meet)
        case Tuples(parts):
            return tuples(upside_down(part, dual) for part in parts)
        case Priority(first, second, bottom, top):
            above, beside = upside_down(first, dual), upside_down(second, dual)
            return None if above is None or beside is None else Priority(above, beside, top, bottom)
        case Elements(lattice, elements):
            return Elements(dual(lattice), elements)
    return None
