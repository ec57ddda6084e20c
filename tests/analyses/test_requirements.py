"""The lattice of what methods require of numbers, and its functors, against all small numbers; findings that rest on it
are in `test_findings.py`, intervals in `test_values.py`."""

from __future__ import annotations

import math
from itertools import product
from operator import eq, ge, gt, le, lt, ne

import pytest

from ladder.analyses import java_requirements as given
from ladder.analyses.java_ranges import Number, Pair
from ladder.analyses.java_requirements import HIGH, LOW, Requirement, nothing_required, requirements
from ladder.analyses.java_values import RANGES
from ladder.lattices import BOTTOM, Extreme
from ladder.lattices.laws import violations

COMPARISONS = dict(zip(("==", "!=", "<", "<=", ">", ">="), (eq, ne, lt, le, gt, ge), strict=True))
NUMBERS = range(-4, 5)


def satisfies(value: Number, requirement: Requirement) -> bool:
    return (
        not isinstance(requirement, Extreme)
        and requirement[0] <= value <= requirement[1]
        and value not in requirement[2]
    )


def test_the_lattice_keeps_the_laws() -> None:
    assert violations(requirements) == []


def test_joins_let_through_what_either_lets_through() -> None:
    for a, b in product(requirements.examples(), repeat=2):
        either = requirements.join(a, b)
        assert all(satisfies(n, either) for n in NUMBERS if satisfies(n, a) or satisfies(n, b))
        both = next(given.both(a, b), BOTTOM)
        assert all(satisfies(n, both) == (satisfies(n, a) and satisfies(n, b)) for n in NUMBERS)


@pytest.mark.parametrize(("type_", "step"), [("int", 1.0), ("double", 0.5)])
@pytest.mark.parametrize("comparison", COMPARISONS)
def test_comparisons_keep_the_numbers_that_compare_so(comparison: str, type_: str, step: float) -> None:
    numbers = [number * step for number in range(-8, 9)]
    exact = {"-1", "0", "1"} if comparison == "!=" else {"-2", "-1", "0", "1", "3"}
    for requirement, literal in product(requirements.examples(), ("-2", "-1", "0", "1", "3")):
        left = next(given.compared(comparison, requirement, literal, type_), BOTTOM)
        for value in numbers:
            expected = satisfies(value, requirement) and COMPARISONS[comparison](value, float(literal))
            assert satisfies(value, left) or not expected, (requirement, literal, value)
            assert not satisfies(value, left) or expected or literal not in exact, (requirement, literal, value)


def test_functors_are_monotone() -> None:
    pairs = [(a, b) for a, b in product(requirements.examples(), repeat=2) if requirements.leq(a, b)]
    assert len(pairs) > 100
    for a, b in pairs:
        for comparison, literal in product(COMPARISONS, ("-1", "0", "2")):
            lower = next(given.compared(comparison, a, literal, "double"), BOTTOM)
            assert requirements.leq(lower, next(given.compared(comparison, b, literal, "double"), BOTTOM))
        for comparison in COMPARISONS:
            lower = next(given.compared_with_unknown(comparison, a), BOTTOM)
            assert requirements.leq(lower, next(given.compared_with_unknown(comparison, b), BOTTOM))
        assert requirements.leq(next(given.checked(a, "x"), BOTTOM), next(given.checked(b, "x"), BOTTOM))
        assert {*given.truths(a)} <= {*given.truths(b)}


def _required(*conditions: tuple[str, str], type_: str = "int") -> Requirement:
    requirement = nothing_required(type_)
    for comparison, literal in conditions:
        requirement = next(given.compared(comparison, requirement, literal, type_))
    return requirement


@pytest.mark.parametrize(
    ("requirement", "pair", "left"),
    [
        (_required(("!=", "0")), (-5, 5), [(-5, -1), (1, 5)]),
        (_required(("!=", "0")), (0, 0), []),
        (_required(("!=", "0"), ("!=", "1")), (0, 9), [(2, 9)]),
        (_required((">", "0")), (-5, 5), [(1, 5)]),
        (_required((">", "9")), (-5, 5), []),
        (_required(("!=", "0"), type_="double"), (0, 2.0), [(math.nextafter(0, 1), 2.0)]),
        (next(given.compared_with_unknown("<", _required((">=", "0")))), (-5, 5), [(0, 0)]),
        (next(given.compared_with_unknown(">", _required())), (-5, 5), [(5, 5)]),
        (next(given.checked(_required(), "by a call")), (-5, 5), []),
        (BOTTOM, (-5, 5), []),
    ],
)
def test_of_numbers_that_occur_those_are_left_that_pass(requirement: Requirement, pair: Pair, left: list[Pair]) -> None:
    found = [*given.admitted(requirement, pair)]
    assert found == [one for one in left if one[0] <= one[1]]


def test_ranges_contain_what_is_admitted() -> None:
    for requirement in requirements.examples():
        found = given.admitted_range(requirement)
        passing = [n for n in NUMBERS if satisfies(n, requirement)]
        assert all(not isinstance(found, Extreme) and found[0] <= n <= found[1] for n in passing)
    assert given.admitted_range(_required(("!=", "0"), (">=", "0"))) == (1, RANGES["long"][1])


@pytest.mark.parametrize(
    ("condition", "requirement"),
    [
        ("true", (1, 1, (-1, 0), ())),
        ("false", (0, 0, (-1, 1), ())),
        (">= 0 and < ?", (0, math.inf, (-1,), (HIGH,))),
        ("> ? and <= 7", (-math.inf, 7, (), (LOW,))),
    ],
)
def test_rows_say_conditions(condition: str, requirement: Requirement) -> None:
    assert [*given.condition_of(condition)] == [requirement]


def test_only_what_refuses_something_says_something() -> None:
    assert not given.says_something(nothing_required("int")) and not given.says_something(nothing_required("boolean"))
    assert given.says_something(_required(("!=", "0"))) and given.says_something(
        _required(("==", "1"), type_="boolean")
    )
    assert given.says_something(next(given.checked(_required(), LOW)))
