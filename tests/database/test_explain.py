"""Explanations: every line is a row that is there, derived by a rule of the program, down to given facts."""
from __future__ import annotations

import pytest

from ladder.database import Database
from ladder.engine.explain import Explanation
from ladder.errors import LadderError
from ladder.program import Program

from .test_api import EDGES, LATTICES, ROADS, database


def all_of(explanation: Explanation) -> list[Explanation]:
    return [explanation, *(e for reason in explanation.because for e in all_of(reason))]


def check(db: Database, explanation: Explanation) -> None:
    """Rows exist; a row without reasons is given, named before, or a total."""
    for part in all_of(explanation):
        if part.rule is not None:
            assert part.rule.head.relation.split("$")[0] == part.relation
            assert len(part.because) == sum(type(b).__name__ == "Atom" for b in part.rule.body)
        else:
            assert part.note
        assert part.note != "(no derivation found)"


def test_recursion() -> None:
    db = database(edge=[*EDGES, ("d", "a")])
    found = db.explain("path", ("a", "d"))
    check(db, found)
    given = {part.row for part in all_of(found) if part.relation == "edge"}
    assert given == {("a", "b"), ("b", "c"), ("c", "d")}
    assert "path(a, d)" in str(found) and "given" in str(found)


def test_a_derivation_of_least_height() -> None:
    db = database(edge=[*EDGES, ("a", "d")])
    assert [part.row for part in all_of(db.explain("path", ("a", "d")))] == [("a", "d"), ("a", "d")]


def test_negation_and_facts_of_the_text() -> None:
    db = database(edge=EDGES)
    found = db.explain("open", ("c",))
    check(db, found)
    assert "!closed" in str(found)
    assert db.explain("closed", ("x",)).note == "given"


def test_aggregates() -> None:
    db = database(edge=[*EDGES, ("a", "c")])
    found = db.explain("steps", ("d", 2))
    check(db, found)
    assert "the join of" in found.note and any(part.relation == "edge" and part.row == ("a", "c") for part in all_of(found))
    lattice = database(LATTICES, fact=[("v", "h1"), ("w", "h2")], flow=[("v", "w"), ("w", "v")])
    found = lattice.explain("points", ("w", frozenset({"h1", "h2"})))
    check(lattice, found)
    assert {part.row for part in all_of(found) if part.relation == "fact"} == {("v", "h1"), ("w", "h2")}


def test_after_updates() -> None:
    db = database(edge=EDGES)
    db.update(insert={"edge": [("a", "c")]}, delete={"edge": [("a", "b")]})
    found = db.explain("path", ("a", "d"))
    check(db, found)
    assert {part.row for part in all_of(found) if part.relation == "edge"} == {("a", "c"), ("c", "d")}


def test_functors_and_records() -> None:
    db = Database(Program.parse("""
        .type Pair = [n: number, s: symbol]
        .decl given(p: Pair)
        .input given
        .decl sum(n: number, s: symbol)
        sum(n + m, cat(s, t)) :- given([n, s]), given([m, t]), n < m, i = range(0, 2), i > 0.
    """))
    db.load_rows("given", [((1, "a"),), ((2, "b"),), (None,)])
    found = db.explain("sum", (3, "ab"))
    check(db, found)
    assert {part.row for part in all_of(found)[1:]} == {((1, "a"),), ((2, "b"),)}


@pytest.mark.parametrize(("relation", "row"), [("path", ("d", "a")), ("path", ("a",)), ("nothing", ()), ("path", (1, 2)), ("path", ("new", "name"))])
def test_what_cannot_be_explained(relation: str, row: tuple[object, ...]) -> None:
    with pytest.raises(LadderError):
        Database(Program.parse(ROADS)).explain(relation, row)


def test_a_long_chain() -> None:
    db = database(edge=[(f"n{i:04}", f"n{i + 1:04}") for i in range(300)])
    found = db.explain("path", ("n0000", "n0300"))
    check(db, found)
    assert len([part for part in all_of(found) if part.relation == "edge"]) == 300
