"""What values of a lattice look like and how they are joined, as data: what an engine that does not run Python needs to
know of a lattice.

A lattice says its shape by a method `shape`, and that of its `widen`, if it has one, by `widened_shape`. These are the
shapes there are:

    Numbers        numbers; the least or the greatest counts
    Constants      any values, bottom and top beside them: of two different ones comes top
    Intervals      pairs (low, high) of numbers, or bottom; joined by their hull, or by what they have in common
    Rounded        the same; the hull of two different ones has its bounds rounded outwards to thresholds
    Sets           frozen sets of constants; unions, or what they have in common; of more than `most` elements, top
    Tuples         tuples of values of these shapes, joined component by component
    Priority       pairs: the first components decide, the second ones are joined where the first ones are the join
    Maps           frozen sets of pairs (key, value), joined key by key
    Elements       the few values that a lattice lists in `elements`, by the table of their joins
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
    """Constants beside each other; `meet`: upside down, so that of two different ones comes bottom."""

    meet: bool = False


@dataclass(frozen=True)
class Intervals(Shape):
    """Intervals under their hull, or (`meet`) under what they have in common."""

    meet: bool = False


@dataclass(frozen=True)
class Rounded(Shape):
    """Intervals whose hull is rounded outwards to thresholds, which are sorted."""

    thresholds: tuple[int, ...]


@dataclass(frozen=True)
class Sets(Shape):
    """Sets of at most so many elements (None: of any number) under union, or (`meet`) under intersection."""

    most: int | None = None
    meet: bool = False


@dataclass(frozen=True)
class Tuples(Shape):
    """Tuples with a component of each shape."""

    parts: tuple[Shape, ...]


@dataclass(frozen=True)
class Priority(Shape):
    """Pairs; where the join of the first components is none of them, `bottom` stands beside it, and `top` under the
    meet."""

    first: Shape
    second: Shape
    bottom: Hashable
    top: Hashable = None


@dataclass(frozen=True)
class Maps(Shape):
    """Maps to values of a shape; `bottom` is the value that no entry has."""

    of: Shape
    bottom: Hashable


@dataclass(frozen=True)
class Elements(Shape):
    """The elements of a lattice, by its table or by joining each two."""

    lattice: Any
    elements: tuple[Hashable, ...]


def shape_of(lattice: Any) -> Shape | None:
    """Return the shape of a lattice's values under its join; None where it has none.

    A class says its own: a shape is not inherited, because a subclass may join in another way.
    """
    if "shape" in vars(type(lattice)):
        found: Shape | None = lattice.shape()
        return found
    return elements_of(lattice)


def widened_shape_of(lattice: Any) -> Shape | None:
    """Return the same under its `widen`; under its join where it has none."""
    if getattr(lattice, "widen", None) is None:
        return shape_of(lattice)
    if "widened_shape" in vars(type(lattice)):
        found: Shape | None = lattice.widened_shape()
        return found
    return None


def elements_of(lattice: Any) -> Elements | None:
    """Return the shape of a lattice that lists its elements; None for others."""
    elements = getattr(lattice, "elements", None)
    return Elements(lattice, tuple(elements)) if isinstance(elements, Sequence) else None


def tuples(parts: Iterable[Shape | None]) -> Shape | None:
    """Return the shape of tuples with these components; None where one of them has none."""
    found = tuple(parts)
    known = tuple(part for part in found if part is not None)
    return Tuples(known) if known and len(known) == len(found) else None


def upside_down(shape: Shape | None, dual: Any) -> Shape | None:
    """Return the shape of the same values under the meet; None where it has none.

    `dual`: makes a lattice of elements the one upside down.
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
