"""Declarations of lattices by functors: every mistake is told at its place, and what is missing as a warning."""

from __future__ import annotations

from typing import Any

import pytest

from ladder.api.program import Program
from ladder.language.compile import compile_program
from ladder.language.errors import ProgramError

FUNCTORS: dict[str, Any] = {
    "join": max,
    "meet": min,
    "below": lambda a, b: int(a <= b),
    "one": lambda a: a,
    "zero": lambda: 0,
    "other": lambda a, b: a,
}
HEADER = """\
.type Level <: number
.type Tree = Leaf{} | Node{n: number, t: Tree}
.type Pair = [a: number, b: Tree]
.functor join(a: Level, b: Level): Level
.functor meet(a: Level, b: Level): Level
.functor below(a: Level, b: Level): number
.functor one(a: Level): Level
.functor zero(): Level
.functor other(a: symbol, b: symbol): symbol
.functor trees(a: Tree, b: Tree): Tree
.functor pairs(a: Pair, b: Pair): Pair
"""


def errors_of(text: str) -> list[tuple[int, str]]:
    """Columns and messages of all errors in the last line of a text."""
    with pytest.raises(ProgramError) as refused:
        compile_program(HEADER + text, functors=FUNCTORS)
    assert {error.place.line for error in refused.value.errors} == {HEADER.count("\n") + 1}
    return [(error.place.column, error.message) for error in refused.value.errors]


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        (".lattice Height<> { Lub -> @join(_, _) }", 10, "the lattice Height needs a type Height"),
        (".lattice Level<> { Bottom -> 0 }", 10, "the lattice Level has no Lub"),
        (".lattice Level<> { Lub -> 7 }", 27, "Lub of the lattice Level must be a functor"),
        (".lattice Level<> { Lub -> @jion(_, _) }", 27, "the functor jion is not declared"),
        (".lattice Level<> { Lub -> @one(_) }", 27, "Lub of the lattice Level must take two values and give one"),
        (
            ".lattice Level<> { Lub -> @other(_, _) }",
            27,
            "Lub of the lattice Level must take and give values of type Level",
        ),
        (
            ".lattice Level<> { Lub -> @join(_, _), Leq -> @other(_, _) }",
            47,
            "Leq of the lattice Level must take two of its values and give 0 or 1",
        ),
        ('.lattice Level<> { Lub -> @join(_, _), Bottom -> "a" }', 50, '"a" is no constant of type Level'),
        (".lattice Tree<> { Lub -> @trees(_, _), Bottom -> $Node(1) }", 50, "$Node(1) is no constant of type Tree"),
        (
            ".lattice Tree<> { Lub -> @trees(_, _), Bottom -> $Node(1, $Leef()) }",
            59,
            "$Leef() is no constant of type Tree",
        ),
        (".lattice Pair<> { Lub -> @pairs(_, _), Top -> [1, nil] }", 51, "nil is no constant of type Tree"),
        (
            ".lattice Level<> { Lub -> @join(_, _), Glb -> @meet(_, _), Glb -> @meet(_, _) }",
            67,
            "the lattice Level has two entries Glb",
        ),
    ],
)
def test_mistakes(text: str, column: int, message: str) -> None:
    assert (column, message) in errors_of(text)


def test_functors_without_functions_are_told_where_the_lattice_is_used() -> None:
    text = (
        ".type L <: number\n.functor f(a: L, b: L): L\n.lattice L<> { Bottom -> 0, Lub -> @f(_, _), Glb -> @f(_, _) }\n"
    )
    compile_program(text)
    with pytest.raises(ProgramError, match="3:36: error: the functor f has no function"):
        compile_program(text + ".decl r(x: L<>)\nr(1).\n")


def test_what_is_missing_is_a_warning() -> None:
    compiled = compile_program(HEADER + ".lattice Level<> { Lub -> @join(_, _) }\n", functors=FUNCTORS)
    assert [w.message for w in compiled.warnings] == ["the lattice Level has no Glb", "the lattice Level has no Bottom"]
    assert {(w.kind, w.place.line) for w in compiled.warnings} == {("lattice-missing-operator", 12)}


def test_without_meet_or_bottom_arguments_are_compared() -> None:
    from ladder.engine.reference import evaluate as naive

    rules = (
        '.decl r(a: symbol, x: Level<>)\nr("a", 3). r("a", 5). r("b", 4). '
        'r("c", 5).\n.decl s(a: symbol)\ns(a) :- r(a, 4).\n'
        ".decl t(x: Level)\nt(x) :- r(a, x), r(b, x), a != b.\n"
    )
    plain = Program.parse(HEADER + ".lattice Level<> { Lub -> @join(_, _) }\n" + rules, functors=FUNCTORS)
    state = naive.evaluate(plain.core)
    assert (state.visible("s"), state.visible("t")) == ({("b",)}, {(5,)})
    whole = ".lattice Level<> { Lub -> @join(_, _), Glb -> @meet(_, _), Leq -> @below(_, _), Bottom -> @zero() }\n"
    state = naive.evaluate(Program.parse(HEADER + whole + rules, functors=FUNCTORS).core)
    assert (state.visible("s"), state.visible("t")) == ({("a",), ("b",), ("c",)}, {(4,), (5,)})
