"""Every supplied lattice keeps the laws, on its own examples and on drawn values; broken ones are found out."""
from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given, strategies as st

from ladder import lattices
from ladder.lattices import BOTTOM, TOP, Lattice
from ladder.lattices.laws import violations

numbers = st.integers(-(2**31), 2**31 - 1)
small = st.integers(-12, 12)
bounds = st.tuples(small | numbers, small | numbers).map(lambda b: (min(b), max(b)))
letters = st.sampled_from("abcdefg")
extremes = st.sampled_from((BOTTOM, TOP))

CASES = {
    "flat": (lattices.flat, small | extremes),
    "flat on symbols": (lattices.flat, letters | extremes),
    "interval": (lattices.interval(), bounds | st.just(BOTTOM)),
    "coarse interval": (lattices.interval((-10, 0, 10)),
                        st.tuples(st.integers(-10, 0), st.integers(0, 10)) | st.just(BOTTOM)),
    "1-set": (lattices.k_set(1), st.frozensets(letters, max_size=1) | st.just(TOP)),
    "3-set": (lattices.k_set(3), st.frozensets(letters, max_size=3) | st.just(TOP)),
    "powerset": (lattices.powerset, st.frozensets(letters | small)),
    "sign": (lattices.sign, st.sampled_from(lattices.sign.examples())),
    "boolean": (lattices.boolean, st.integers(0, 1)),
    "minimum": (lattices.minimum, numbers),
    "maximum": (lattices.maximum, numbers),
    "product": (lattices.product(lattices.sign, lattices.interval((-10, 0, 10))),
                st.tuples(st.sampled_from(lattices.sign.examples()),
                          st.just((0, 0)) | st.just((-10, 3)) | st.just(BOTTOM))),
}


@pytest.mark.parametrize("name", CASES)
def test_examples_keep_the_laws(name: str) -> None:
    assert violations(CASES[name][0]) == []


@pytest.mark.parametrize("name", CASES)
@given(data=st.data())
def test_drawn_values_keep_the_laws(name: str, data: st.DataObject) -> None:
    lattice, values = CASES[name]
    assert violations(lattice, data.draw(st.lists(values, min_size=1, max_size=5))) == []


@pytest.mark.parametrize("name", CASES)
@given(data=st.data())
def test_order_of_joins_does_not_matter(name: str, data: st.DataObject) -> None:
    lattice, values = CASES[name]
    drawn = data.draw(st.lists(values, min_size=1, max_size=8))
    shuffled = data.draw(st.permutations(drawn))
    assert reduce(lattice.join, drawn) == reduce(lattice.join, shuffled)


class _Average(Lattice[int]):
    def join(self, a: int, b: int) -> int:
        return (a + b) // 2


class _Left(Lattice[int]):
    def join(self, a: int, b: int) -> int:
        return a


class _Climbing(Lattice[int]):
    def join(self, a: int, b: int) -> int:
        return a if a == b else max(a, b) + 1


class _TooHigh(Lattice[int]):
    def join(self, a: int, b: int) -> int:
        return a if a == b else 100

    def leq(self, a: int, b: int) -> bool:
        return a <= b


class _Lists(Lattice[object]):
    def join(self, a: object, b: object) -> object:
        return a if a == b else [a, b]


@pytest.mark.parametrize(("broken", "law"), [
    (_Average(), "not associative"), (_Left(), "not commutative"), (_Climbing(), "do not come to rest"),
    (_TooHigh(), "not the least"), (_Lists(), "not hashable")])
def test_broken_lattices_are_found_out(broken: Lattice, law: str) -> None:
    assert any(law in sentence for sentence in violations(broken, (1, 4, 9, 30), most=100))


def test_intervals_round_outwards_to_thresholds() -> None:
    lattice = lattices.interval((-100, -10, 0, 10, 100))
    assert lattice.inject(3) == (3, 3) and lattice.inject(1000) == (100, 100)
    assert lattice.join((3, 3), (4, 4)) == (3, 4)
    assert lattice.widen((3, 3), (3, 3)) == (3, 3)
    assert lattice.widen((3, 3), (4, 4)) == (0, 10)
    assert lattice.widen((0, 10), (11, 11)) == (0, 100)
    assert lattice.widen((-3, -3), (500, 500)) == (-10, 100)


def test_k_sets_overflow_to_top() -> None:
    lattice = lattices.k_set(2)
    ab = lattice.join(lattice.inject("a"), lattice.inject("b"))
    assert lattice.show(ab) == "{a, b}" and list(lattices.members(ab)) == ["a", "b"]
    assert lattice.join(ab, lattice.inject("c")) is TOP and lattices.is_top(TOP) == 1
    assert lattice.join(TOP, ab) is TOP and list(lattices.members(TOP)) == []


def test_invalid_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one element"):
        lattices.k_set(0)
    with pytest.raises(ValueError, match="two thresholds"):
        lattices.interval((3,))
