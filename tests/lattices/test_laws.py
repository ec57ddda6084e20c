"""Every supplied lattice keeps the laws, on its own examples and on drawn values; broken ones are found out."""

from __future__ import annotations

from functools import reduce
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder import lattices
from ladder.lattices import BOTTOM, TOP, Lattice
from ladder.lattices.laws import counterexamples, violations

from ..marks import slow_but
from .supplied import CASES

NAMES = slow_but([name for name in CASES if name not in ("pointwise interval", "product", "coarse interval")], CASES)


@pytest.mark.parametrize("name", NAMES)
def test_examples_keep_the_laws(name: str) -> None:
    assert violations(CASES[name][0]) == []


@pytest.mark.parametrize("name", CASES)
@given(data=st.data())
def test_drawn_values_keep_the_laws(name: str, data: st.DataObject) -> None:
    lattice, values = CASES[name]
    assert violations(lattice, data.draw(st.lists(values, min_size=1, max_size=5))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
@given(data=st.data())
def test_order_of_joins_does_not_matter(name: str, data: st.DataObject) -> None:
    lattice, values = CASES[name]
    drawn = data.draw(st.lists(values, min_size=1, max_size=8))
    shuffled = data.draw(st.permutations(drawn))
    assert reduce(lattice.join, drawn) == reduce(lattice.join, shuffled)


@pytest.mark.parametrize("name", NAMES)
def test_own_values_keep_the_laws(name: str) -> None:
    lattice = CASES[name][0]
    assert list(counterexamples(lattice, lattice.values(), 60)) == []


def test_every_supplied_lattice_is_documented() -> None:
    documented = [getattr(lattices, name) for name in lattices.__all__]
    classes = [found for found in documented if isinstance(found, type) and issubclass(found, Lattice)]
    assert len(classes) >= 12
    for kind in classes:
        assert kind.__doc__ and ("⊑" in kind.__doc__ or "\n" in kind.__doc__ or kind in (lattices.Widening,)), kind


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


class _NeverAtRest(lattices.Interval):
    def widen(self, a: object, b: object) -> object:
        return self.join(a, b)  # type: ignore[arg-type]


class _NotAbove(lattices.Interval):
    def widen(self, a: object, b: object) -> object:
        return BOTTOM if a != b else a


class _Lists(Lattice[object]):
    def join(self, a: object, b: object) -> object:
        return a if a == b else [a, b]


@pytest.mark.parametrize(
    ("broken", "law"),
    [
        (_Average(), "not associative"),
        (_Left(), "not commutative"),
        (_Climbing(), "do not come to rest"),
        (_TooHigh(), "not the least"),
        (_Lists(), "not hashable"),
    ],
)
def test_broken_lattices_are_found_out(broken: Lattice, law: str) -> None:
    assert any(law in sentence for sentence in violations(broken, (1, 4, 9, 30), most=100))


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        (_Average(), "join is not associative: join(join(0, 0), 2) = 1, join(0, join(0, 2)) = 0"),
        (_Left(), "join is not commutative: join(0, 1) = 0, join(1, 0) = 1"),
        (_NotAbove(), "widen(Bottom, [0, 0]) = Bottom does not dominate both"),
        (_NeverAtRest(), "widen does not come to rest: 250 steps up from Bottom it still climbs, from "),
    ],
)
def test_the_smallest_counterexample_is_told(broken: Lattice, sentence: str) -> None:
    values = broken.values() if isinstance(broken, lattices.Interval) else st.integers()
    assert any(violation.sentence.startswith(sentence) for violation in counterexamples(broken, values)), [
        violation.sentence for violation in counterexamples(broken, values)
    ]


def test_an_operation_that_raises_breaks_its_law() -> None:
    class Raises(Lattice[int]):
        def join(self, a: int, b: int) -> int:
            if a > 3:
                raise KeyError(a)
            return max(a, b)

    found = next(iter(counterexamples(Raises(), st.integers(0, 9))))
    assert found.sentence.startswith("join raised KeyError: 4")


def test_congruences() -> None:
    lattice = lattices.congruence
    assert lattice.join((0, 3), (0, 9)) == (6, 3) and lattice.join((6, 3), (4, 1)) == (2, 1)
    assert lattice.meet((4, 1), (6, 3)) == (12, 9) and lattice.meet((4, 1), (6, 2)) is BOTTOM
    assert lattice.meet((0, 9), (4, 1)) == (0, 9) and lattice.meet((4, 1), (0, 8)) is BOTTOM
    assert [lattice.show(v) for v in ((0, -7), (4, 1), BOTTOM)] == ["-7", "1 mod 4", "Bottom"]
    assert all((n % 12 == 9) == (n % 4 == 1 and n % 6 == 3) for n in range(60))


def test_strided_intervals() -> None:
    lattice = lattices.strided((-10, -1, 0, 1, 100))
    assert lattice.join((0, 0), (6, 6)) == (0, 6, 6) and lattice.join((0, 6, 6), (9, 9)) == (0, 9, 3)
    assert lattice.join((0, 4, 2), (1, 1)) == (0, 4) and lattice.join((3, 3), (4, 4)) == (3, 4)
    assert lattice.meet((0, 20, 4), (1, 19, 6)) is BOTTOM and lattice.meet((0, 20, 4), (2, 20, 6)) == (8, 20, 12)
    assert lattice.meet((0, 20, 4), (3, 9)) == (4, 8, 4) and lattice.meet((0, 20, 4), (5, 7)) is BOTTOM
    assert lattice.leq((4, 12, 4), (0, 20, 2)) and not lattice.leq((1, 3, 2), (0, 4, 2))
    assert lattice.widen((0, 0), (2, 2)) == (0, 100, 2) and lattice.widen((1, 1), (4, 4)) == (1, 100, 3)
    assert [lattice.show(v) for v in ((0, 6, 2), (1, 2), BOTTOM)] == ["[0, 6] by 2", "[1, 2]", "Bottom"]
    for a, b in product(lattice.examples(), repeat=2):
        both = lattice.meet(a, b)
        assert _numbers_of(both) == _numbers_of(a) & _numbers_of(b), (a, b)
        assert lattice.leq(a, b) == (_numbers_of(a) <= _numbers_of(b)), (a, b)


def _numbers_of(value: object) -> set[int]:
    if not isinstance(value, tuple):
        return set()
    return set(range(value[0], value[1] + 1, lattices.stride(value) or 1))


def test_functions_on_values() -> None:
    maps = lattices.pointwise(lattices.sign)
    both = maps.join(lattices.entry("x", "+"), lattices.entry("y", "-"))
    assert maps.show(both) == "{x: +, y: -}" and list(lattices.keys(both)) == ["x", "y"]
    assert list(lattices.lookup(both, "x")) == ["+"] and list(lattices.lookup(both, "z")) == []
    assert lattices.component(lattices.components("a", 1), 1) == 1
    assert list(lattices.low((1, 5))) == [1] and list(lattices.high(BOTTOM)) == []
    assert lattices.plus((1, 2), (10, 20)) == (11, 22) and lattices.times((-1, 2), (3, 4)) == (-4, 8)
    assert lattices.at_most((1, 9), 4) == (1, 4) and lattices.at_least((1, 9), 10) is BOTTOM
    assert list(lattices.size(lattices.singleton("a"))) == [1] and list(lattices.size(TOP)) == []
    assert (list(lattices.modulus((6, 3))), list(lattices.remainder((6, 3)))) == ([6], [3])


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
