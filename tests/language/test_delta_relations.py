"""`debug_delta`: in which iteration the rows of a relation came."""

from __future__ import annotations

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.language.syntax.parser import parse_text

from .expansion import errors_of, expanded

COUNTING = """
.comp Counting {
    .decl n(x: number, iteration: number)
    n(0, 0). n(7, 0).
    n(x + 1, y) :- n(x, y), x < 3.
    n(x + 2, y) :- n(x, y), x < 2.
    .decl came = debug_delta(n) output
}
.init c = Counting
"""


def test_first_iterations() -> None:
    database = Database(Program.parse(COUNTING))
    database.bootstrap({})
    rows = {(x, iteration) for x, _, iteration in database["c.came"]}
    assert rows == {(0, 0), (7, 0), (1, 1), (2, 1), (3, 2)}
    assert {x for x, _ in database["c.n"]} == {0, 1, 2, 3, 7}


def test_text() -> None:
    assert [str(item) for item in parse_text(".decl d = debug_delta(r) btree")] == [".decl d = debug_delta(r) btree"]
    assert expanded(".decl r(x: number) .decl d = debug_delta(r)")[1:] == [
        ".decl d(x: number, iteration: unsigned) choice-domain (x)",
        "d(x0, (recursive_iteration_cnt() - 1)) :- r(x0).",
        "r(x0) :- d(x0, _).",
    ]


def test_errors() -> None:
    assert errors_of(".decl d = debug_delta(r)") == [(1, "the relation r of debug_delta is not declared")]
    # Soufflé takes no qualified name either
    assert errors_of(".decl d = debug_delta(c.r)") == [(1, "unexpected '.r', ')' is expected")]
    assert errors_of(".decl r()\n.decl d = debug_delta(r)\nd(1).\n.input d") == [
        (3, "d tells how r changes: it has no facts or rules of its own"),
        (4, "d tells how r changes: it has no facts or rules of its own"),
    ]
