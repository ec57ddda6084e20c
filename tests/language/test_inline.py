"""Inline relations: what their atoms become, and that programs mean the same with and without the word."""

from __future__ import annotations

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.language.compile import compile_program
from ladder.language.errors import ProgramError
from ladder.language.expressions import all_atoms
from ladder.language.syntax import nodes as s

DECLARED = """
.type Age <: number  .type Pair = [a: Age, b: symbol]  .type T = A {x: Age} | B {}
.decl e(x: number, y: number)  e(1, 2). e(2, 3). e(3, 4). e(4, 4).
"""


def rows(text: str, relation: str = "r") -> set[tuple[object, ...]]:
    database = Database(Program.parse(DECLARED + text))
    database.bootstrap({})
    return set(database[relation])


@pytest.mark.parametrize(
    "text, expected",
    [
        (
            (
                ".decl i(x: number, y: number) inline i(x, y) :- e(y, x). "
                ".decl r(x: number, y: number) r(x, y) :- i(x, y), x != y."
            ),
            {(2, 1), (3, 2), (4, 3)},
        ),
        (".decl i(x: number) inline i(1). i(3). .decl r(x: number) r(x) :- e(x, _), i(x).", {(1,), (3,)}),
        (".decl i(x: number) inline i(1). i(3). .decl r(x: number) r(x) :- e(x, _), !i(x).", {(2,), (4,)}),
        (".decl i(x: number) inline .decl r(x: number) r(x) :- e(x, _), !i(x), (i(x) ; x > 2).", {(3,), (4,)}),
        (".decl i(x: number, y: number) inline i(x, x). .decl r(x: number) r(x) :- e(x, y), i(x, y).", {(4,)}),
        (
            ".decl i(x: number, y: number) inline i(x, x). .decl r(x: number) r(x) :- e(x, y), !i(x, y).",
            {(1,), (2,), (3,)},
        ),
        (
            (
                ".decl i(x: number, y: number) inline i(x, y) :- y = x + 1 ; e(x, y), x = 4. "
                ".decl r(x: number) r(x) :- e(x, y), i(x, y)."
            ),
            {(1,), (2,), (3,), (4,)},
        ),
        (
            (
                ".decl i(x: number, y: number) inline i(x, y) :- x < y, y < 4. "
                ".decl r(x: number) r(x) :- e(x, y), !i(x, y)."
            ),
            {(3,), (4,)},
        ),
        (
            (
                ".decl i, j(x: number, y: number) inline i(x, z) :- e(x, y), e(y, z). j(x, z) :- i(x, y), i(y, z). "
                ".decl r(x: number, y: number) r(x, y) :- j(x, y)."
            ),
            {(1, 4), (2, 4), (3, 4), (4, 4)},
        ),
        (
            (
                ".decl i(x: number, y: number) inline i(x, y) :- e(x, y). "
                ".decl r(x: number) r(x) :- i(x, _), i(_, x), i(3, _)."
            ),
            {(2,), (3,), (4,)},
        ),
        ('.decl i(p: Pair) inline i([1, "a"]). i([2, "b"]). .decl r(a: Age) r(a) :- i([a, _]).', {(1,), (2,)}),
        (".decl i(t: T) inline i($A(3)). i($B()). .decl r(a: Age) r(a) :- i($A(a)).", {(3,)}),
        (".decl i(n: number) inline i(n) :- n = count : { e(_, _) }. .decl r(n: number) r(n) :- i(n).", {(4,)}),
        (
            ".decl i(x: number, y: number) inline i(x + 1, y) :- e(x, y). .decl r(x: number) r(y) :- i(2 * 2, y).",
            {(4,)},
        ),
        (".decl i, r(x: number) inline no_inline i(x), r(x) :- e(x, 4).", {(3,), (4,)}),
        (
            (
                '.pragma "inline-exclude" "i" .decl i(x: number) inline i(1). '
                ".decl r(n: number) r(n) :- n = sum x : { i(x) }."
            ),
            {(1,)},
        ),
    ],
)
def test_meaning(text: str, expected: set[tuple[object, ...]]) -> None:
    assert rows(text) == expected
    if "y = x + 1" not in text and "x < y" not in text and "i(x, x)" not in text:
        assert rows(text.replace(" inline ", " ")) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("i(_, y) :- y > 2. i(x, _) :- x < 2.", {(1, 2), (2, 3), (3, 4), (4, 4)}),
        ("i(_, y) :- y > 2.", {(2, 3), (3, 4), (4, 4)}),
        ("i(_, _).", {(1, 2), (2, 3), (3, 4), (4, 4)}),
        ("i(_, y) :- k([y, _]). .decl k(p: Pair) inline k([x, _]) :- x < 3. k([_, s]) :- e(s, s), s < 4.", {(1, 2)}),
    ],
)
def test_heads_with_arguments_that_they_do_not_look_at(rules: str, expected: set[tuple[object, ...]]) -> None:
    text = ".type Pair = [a: number, b: number] .decl e(x: number, y: number) e(1, 2). e(2, 3). e(3, 4). e(4, 4). "
    text += f".decl i(x: number, y: number) inline {rules} .decl r(x: number, y: number) r(x, y) :- e(x, y), i(x, y)."
    database = Database(Program.parse(text))
    database.bootstrap({})
    assert set(database["r"]) == expected


def test_a_head_does_not_look_at_two_arguments() -> None:
    """Each `_` is a value of its own, also where the rule is expanded several times."""
    text = ".decl i(x: number, y: number) inline i(_, _). .decl r(x: number) r(x) :- e(x, y), i(x, y), i(y, x), x != y."
    assert rows(text) == {(1,), (2,), (3,)}
    text = (
        '.decl i(p: Pair, x: number) inline i([_, s], _) :- s != "". '
        '.decl r(x: number) r(x) :- e(x, y), i([as(x, Age), "a"], y), i([as(y, Age), "b"], x).'
    )
    assert rows(text) == {(1,), (2,), (3,), (4,)}


def test_inlined_relations_are_gone() -> None:
    compiled = compile_program(
        DECLARED + ".decl i(x: number) inline i(x) :- e(x, _). .decl r(x: number) r(x) :- e(_, x), i(x)."
    )
    assert "i" not in compiled.core.relations
    assert all(rule.head.relation != "i" for rule in compiled.core.rules)
    assert any(isinstance(c, s.Clause) and any(a.name == "i" for a in all_atoms(c.body)) for c in compiled.clauses)


@pytest.mark.parametrize(
    "text, line, words",
    [
        (
            ".decl i(x: number) inline\n.decl r(x: number)\nr(x) :- i(x).\ni(x) :- x < 3.",
            3,
            "the variable x is not bound",
        ),
        (".decl i(x: number) inline\ni(x) :- i(x).", 1, "inline relations that depend on each other"),
        (".decl i(x: number) inline\n.output i\ni(1).", 1, "the relation i is inline, and there is .output for it"),
        (
            ".decl i(x: number) inline\ni(1).\n.decl r(x: number)\nr(x) :- x = count : { i(_) }.",
            4,
            "the inline relation i stands in an aggregate",
        ),
        (".decl i(x: number) inline\ni(x) :- e(x, y).\n.decl r(x: number)\nr(x) :- e(x, _), !i(x).", 4, "is negated"),
    ],
)
def test_refusals(text: str, line: int, words: str) -> None:
    with pytest.raises(ProgramError) as refused:
        compile_program(DECLARED.replace("\n", " ") + "\n" + text)
    [error] = refused.value.errors
    assert error.place.line == line + 1 and words in error.message
