"""Independent parts of bodies: which ones get a relation of their own, and that the rows stay the same, in updates,
too."""

from __future__ import annotations

import itertools

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.language import core, parse

DECLARED = """
.decl a(x: number, y: number)  .input a
.decl b(x: number)  .input b
.decl c(x: number, y: number)  .input c
.decl r(x: number)  .output r
.decl q()  .output q
"""


def helpers(text: str) -> list[str]:
    return [name for name in parse(DECLARED + text).relations if "$if" in name]


@pytest.mark.parametrize(
    ("rule", "count"),
    [
        ("r(x) :- a(x, _), b(y), c(y, _).", 1),
        ("r(x) :- a(x, _), b(_).", 1),
        ("r(x) :- a(x, y), b(y), c(_, z), b(w).", 2),
        ("q() :- b(x), c(y, _).", 2),
        ("r(1) :- a(x, y), x < y, b(z), !c(z, z).", 2),
        ("r(x) :- a(x, _).", 0),
        ("r(x) :- a(x, y), b(y).", 0),
        ("q() :- b(x), c(x, _).", 0),
        ("r(x) :- a(x, _), b(3).", 0),
        ("r(x) :- a(x, y), b(z), y < z.", 0),
        ("r(x) :- a(x, _), r(_).", 0),
        ("r(x) :- a(x, _), q(), b(y). q() :- r(_).", 1),
        ("r(x) :- a(x, _), b(y).\n.plan 0:(2,1)", 0),
        (".decl n(x: number, i: number) n(x, autoinc()) :- a(x, _), b(_).", 0),
    ],
)
def test_which_parts_are_separated(rule: str, count: int) -> None:
    assert len(helpers(rule)) == count


def test_rows() -> None:
    """Every combination of empty and filled relations, from scratch and by updates."""
    text = DECLARED + "r(x) :- a(x, _), b(y), c(y, z), z > 1. q() :- b(_), a(x, x).\n"
    assert len([name for name in parse(text).relations if "$if" in name]) == 3
    rows = {"a": [(1, 2), (3, 3)], "b": [(5,), (6,)], "c": [(5, 1), (6, 2)]}
    database = Database(Program.parse(text))
    database.bootstrap({})
    now: dict[str, set[tuple[int, ...]]] = {name: set() for name in rows}
    for picked in itertools.product(*[[(), some[:1], some] for some in rows.values()]):
        wanted = {name: set(some) for name, some in zip(rows, picked, strict=True)}
        database.update(insert={n: wanted[n] - now[n] for n in rows}, delete={n: now[n] - wanted[n] for n in rows})
        now = wanted
        holds = any((y, z) in now["c"] and z > 1 for (y,) in now["b"] for z in range(4))
        assert set(database["r"]) == {(x,) for x, _ in now["a"] if holds}
        assert len(list(database["q"])) == int(bool(now["b"]) and any(x == y for x, y in now["a"]))


def test_a_product_is_not_enumerated() -> None:
    """Ten thousand rows beside ten thousand others are no hundred million instantiations."""
    database = Database(Program.parse(DECLARED + "r(x) :- a(x, _), b(_).\n"), profile=True)
    database.bootstrap({"a": [(x, 0) for x in range(10_000)], "b": [(x,) for x in range(10_000)]})
    assert len(database["r"]) == 10_000
    assert database.profile is not None
    assert 10_000 <= sum(costs.total.matches for costs in database.profile) < 100_000


def test_core_stays_valid() -> None:
    core.verify(parse(DECLARED + "r(x) :- a(x, y), y < 3, b(z), c(z, w), w != 2, c(_, _).\n"))
