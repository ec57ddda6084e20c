"""A bootstrap warns of a lattice of the program's own whose join breaks a law on what it joined."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

from ladder import Database, Program
from ladder.errors import LadderWarning

DECLARED = """
.type Sign <: symbol
.functor join(a: Sign, b: Sign): Sign
.lattice Sign<> { Bottom -> "none", Top -> "any", Lub -> @join(_, _) }
.decl assign(x: symbol, s: Sign)
.input assign
.decl sign(x: symbol, s: Sign<>)
.output sign
sign(x, s) :- assign(x, s).
"""
BOUND = """
.lattice Last = "{lattice}"
.decl assign(x: symbol, n: number)
.input assign
.decl last(x: symbol, n: Last<>)
.output last
last(x, lub(n)) :- assign(x, n).
"""


class Last:
    """The join is the second value: it is not commutative."""

    def join(self, a: Any, b: Any) -> Any:
        return b

    def inject(self, n: int) -> int:
        return n


class Picky(Last):
    """Values of different groups are not to be joined."""

    def join(self, a: Any, b: Any) -> Any:
        if a // 10 != b // 10:
            raise ValueError("of different groups")
        return max(a, b)


class Sum(Last):
    idempotent = False

    def join(self, a: Any, b: Any) -> Any:
        return a + b


class Greatest(Last):
    def join(self, a: Any, b: Any) -> Any:
        return max(a, b)


def good(a: str, b: str) -> str:
    return a if b in {a, "none"} else b if a == "none" else "any"


def later(a: str, b: str) -> str:
    return a if b == "none" else b


def absorbed(a: str, b: str) -> str:
    return "none" if {a, b} == {"any", "zero"} else good(a, b)


def warned_of(program: Program, facts: dict[str, list[Any]]) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Database(program).bootstrap(facts)
    return [str(warning.message) for warning in caught if issubclass(warning.category, LadderWarning)]


@pytest.mark.parametrize(
    ("join", "values", "said"),
    [
        (good, ["zero", "positive", "negative"], ""),
        (later, ["zero", "positive"], "@join is not commutative"),
        (later, [], ""),  # bottom and top alone do not show it
        (absorbed, ["zero"], "@join is not associative"),
        (absorbed, ["positive"], ""),
    ],
)
def test_joins_of_functors(join: Callable[[str, str], str], values: list[str], said: str) -> None:
    program = Program.parse(DECLARED, functors={"join": join})
    found = warned_of(program, {"assign": [("x", value) for value in values]})
    assert [said in one and "Sign is no lattice" in one and "<text>:4" in one for one in found] == [True] * bool(said)


@pytest.mark.parametrize(
    ("lattice", "said"), [("Last", "Last is no lattice"), ("Greatest", ""), ("Picky", ""), ("Sum", "")]
)
def test_lattices_in_python(lattice: str, said: str) -> None:
    program = Program.parse(BOUND.format(lattice=f"{__name__}:{lattice}"))
    found = warned_of(program, {"assign": [("x", 1), ("x", 2), ("y", 30)]})
    assert [said in one for one in found] == [True] * bool(said)


def test_what_is_said_of_a_large_value_is_short() -> None:
    program = Program.parse(DECLARED, functors={"join": later})
    [said] = warned_of(program, {"assign": [("x", "a" * 10_000), ("x", "b" * 10_000)]})
    assert len(said) < 600


def test_of_many_values_a_few_are_joined() -> None:
    joins = [0]

    def counted(a: str, b: str) -> str:
        joins[0] += 1
        return max(a, b)

    program = Program.parse(DECLARED.replace('Bottom -> "none", Top -> "any", ', ""), functors={"join": counted})
    assert warned_of(program, {"assign": [(f"x{n}", f"v{n}") for n in range(1000)]}) == []
    assert 0 < joins[0] < 2000


def test_sums_are_no_lattices_and_are_not_taken_for_any() -> None:
    text = ".decl p(x: number, f: float)  .input p  .decl m(f: float)  .output m  m(f) :- f = mean y : { p(_, y) }."
    assert warned_of(Program.parse(text), {"p": [(1, -1.5), (2, -1.5), (3, 0.5)]}) == []
