"""Lattices for aggregated relations: the interface, the supplied ones, and functions on their values.

    .lattice Objects = "ladder.lattices:k_set(5)"
    .decl PointsTo(v: Variable, s: Objects<>)
    .functor members(s: Objects): Heap = "ladder.lattices:members" several

Users' lattices are subclasses of `Lattice` in any module, or in a file beside the program: `.lattice Mine =
"mine.py:Mine"`. `ladder check` tests their laws with `ladder.lattices.laws`.
"""

from ladder.lattices.base import BOTTOM, TOP, Dual, Extreme, Lattice, Widening, dual
from ladder.lattices.congruence import Congruence, congruence, congruent, modulus, remainder
from ladder.lattices.finite import Finite, finite
from ladder.lattices.flat import Flat, constant, flat, known
from ladder.lattices.interval import (
    Interval,
    Widened,
    at_least,
    at_most,
    bounds,
    bounds_of,
    high,
    interval,
    low,
    plus,
    shifted,
    times,
)
from ladder.lattices.numbers import boolean, maximum, minimum
from ladder.lattices.product import (
    Lexicographic,
    Pointwise,
    Product,
    component,
    components,
    entry,
    keys,
    lexicographic,
    lookup,
    pointwise,
    product,
)
from ladder.lattices.sets import KSet, k_set, members, powerset, singleton, size
from ladder.lattices.sign import Parity, Sign, parity, sign
from ladder.lattices.strided import Strided, WidenedStrides, progression, step, stride, strided, within
from ladder.lattices.values import is_bottom, is_top, show

__all__ = [
    "BOTTOM",
    "TOP",
    "Congruence",
    "Dual",
    "Extreme",
    "Finite",
    "Flat",
    "Interval",
    "KSet",
    "Lattice",
    "Lexicographic",
    "Parity",
    "Pointwise",
    "Product",
    "Sign",
    "Strided",
    "Widened",
    "WidenedStrides",
    "Widening",
    "at_least",
    "at_most",
    "boolean",
    "bounds",
    "bounds_of",
    "component",
    "components",
    "congruence",
    "congruent",
    "constant",
    "dual",
    "entry",
    "finite",
    "flat",
    "high",
    "interval",
    "is_bottom",
    "is_top",
    "k_set",
    "keys",
    "known",
    "lexicographic",
    "lookup",
    "low",
    "maximum",
    "members",
    "minimum",
    "modulus",
    "parity",
    "plus",
    "pointwise",
    "powerset",
    "product",
    "progression",
    "remainder",
    "shifted",
    "show",
    "sign",
    "singleton",
    "size",
    "step",
    "stride",
    "strided",
    "times",
    "within",
]
