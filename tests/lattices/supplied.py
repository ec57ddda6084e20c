"""The supplied lattices, in the forms in which they are tested, each with a strategy of its values."""

from __future__ import annotations

from hypothesis import strategies as st

from ladder import lattices
from ladder.lattices import BOTTOM, TOP

numbers = st.integers(-(2**31), 2**31 - 1)
small = st.integers(-12, 12)
bounds = st.tuples(small | numbers, small | numbers).map(lambda b: (min(b), max(b)))
letters = st.sampled_from("abcdefg")
extremes = st.sampled_from((BOTTOM, TOP))

CASES = {
    "flat": (lattices.flat, small | extremes),
    "flat on symbols": (lattices.flat, letters | extremes),
    "interval": (lattices.interval(), bounds | st.just(BOTTOM)),
    "exact interval": (lattices.interval(None), bounds | st.just(BOTTOM)),
    "coarse interval": (
        lattices.interval((-10, 0, 10)),
        st.tuples(st.integers(-10, 0), st.integers(0, 10)) | st.just(BOTTOM),
    ),
    "strided interval": (lattices.strided(), None),
    "exact strided interval": (lattices.strided(None), None),
    "coarse strided interval": (lattices.strided((-10, 0, 10)), None),
    "1-set": (lattices.k_set(1), st.frozensets(letters, max_size=1) | st.just(TOP)),
    "3-set": (lattices.k_set(3), st.frozensets(letters, max_size=3) | st.just(TOP)),
    "powerset": (lattices.powerset, st.frozensets(letters | small)),
    "sign": (lattices.sign, st.sampled_from(lattices.sign.examples())),
    "parity": (lattices.parity, st.sampled_from(lattices.parity.examples())),
    "congruence": (lattices.congruence, st.builds(lattices.congruent, small, small) | st.just(BOTTOM)),
    "boolean": (lattices.boolean, st.integers(0, 1)),
    "minimum": (lattices.minimum, numbers),
    "maximum": (lattices.maximum, numbers),
    "product": (
        lattices.product(lattices.sign, lattices.interval((-10, 0, 10))),
        st.tuples(st.sampled_from(lattices.sign.examples()), st.just((0, 0)) | st.just((-10, 3)) | st.just(BOTTOM)),
    ),
    "lexicographic": (lattices.lexicographic(lattices.k_set(1), lattices.parity), None),
    "pointwise": (lattices.pointwise(lattices.parity), None),
    "pointwise interval": (lattices.pointwise(lattices.interval((-10, 0, 10))), None),
    "dual": (lattices.dual(lattices.k_set(2)), None),
    "dual of a dual": (lattices.dual(lattices.dual(lattices.sign)), None),
}
CASES = {name: (lattice, lattice.values() if values is None else values) for name, (lattice, values) in CASES.items()}
