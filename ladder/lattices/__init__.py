"""Lattices for aggregated relations: the interface, the supplied ones, and functions on their values.

    .lattice Objects = "ladder.lattices:k_set(5)"
    .decl PointsTo(v: Variable, s: Objects<>)
    .functor members(s: Objects): Heap = "ladder.lattices:members" several

A lattice of one's own is a subclass of `Lattice` in any module, or in a file beside the program:
`.lattice Mine = "mine.py:Mine"`. `ladder.lattices.laws` checks that it is one.
"""
from ladder.lattices.base import BOTTOM, TOP, Extreme, Lattice
from ladder.lattices.flat import Flat, flat
from ladder.lattices.interval import Interval, interval
from ladder.lattices.numbers import boolean, maximum, minimum
from ladder.lattices.product import Product, components, product
from ladder.lattices.sets import KSet, k_set, members, powerset
from ladder.lattices.sign import Sign, sign
from ladder.lattices.values import is_bottom, is_top, known, show

__all__ = ["BOTTOM", "TOP", "Extreme", "Flat", "Interval", "KSet", "Lattice", "Product", "Sign", "boolean",
           "components", "flat", "interval", "is_bottom", "is_top", "k_set", "known", "maximum", "members",
           "minimum", "powerset", "product", "show", "sign"]
