"""Explanations: every line is a row that is there, derived by a rule of the program, down to facts."""

from __future__ import annotations

import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.local.explain import Explanation
from ladder.errors import LadderError
from ladder.support.tuning import Explaining, Tuning

from ..random_programs.whole_language import affordable_cases
from .roads import EDGES, LATTICES, ROADS, database


def all_of(explanation: Explanation) -> list[Explanation]:
    return [explanation, *(e for reason in explanation.because for e in all_of(reason))]


def check(db: Database, explanation: Explanation) -> None:
    """Rows exist; a row without reasons is given, named before, or a total."""
    for part in all_of(explanation):
        if part.rule is not None:
            assert part.rule.head.relation.split("$")[0] == part.relation.split("$")[0]
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
    assert "the least of" in found.note and any(
        part.relation == "edge" and part.row == ("a", "c") for part in all_of(found)
    )
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
    db = Database(
        Program.parse("""
        .type Pair = [n: number, s: symbol]
        .decl given(p: Pair)
        .input given
        .decl sum(n: number, s: symbol)
        sum(n + m, cat(s, t)) :- given([n, s]), given([m, t]), n < m, i = range(0, 2), i > 0.
    """)
    )
    db.load_rows("given", [((1, "a"),), ((2, "b"),), (None,)])
    found = db.explain("sum", (3, "ab"))
    check(db, found)
    assert {part.row for part in all_of(found)[1:]} == {((1, "a"),), ((2, "b"),)}


@pytest.mark.parametrize(
    ("relation", "row"),
    [("path", ("d", "a")), ("path", ("a",)), ("nothing", ()), ("path", (1, 2)), ("path", ("new", "name"))],
)
def test_what_cannot_be_explained(relation: str, row: tuple[object, ...]) -> None:
    with pytest.raises(LadderError):
        Database(Program.parse(ROADS)).explain(relation, row)


def test_a_long_chain() -> None:
    db = database(edge=[(f"n{i:04}", f"n{i + 1:04}") for i in range(300)])
    found = db.explain("path", ("n0000", "n0300"))
    check(db, found)
    assert len([part for part in all_of(found) if part.relation == "edge"]) == 300


def test_levels_of_reasons() -> None:
    """Rows whose reasons are left out say so; one that occurs again on a higher level is explained there."""
    db = database(edge=[(f"n{i}", f"n{i + 1}") for i in range(10)])
    whole = db.explain("path", ("n0", "n9"))
    assert not whole.cut and str(db.explain("path", ("n0", "n9"), depth=20)) == str(whole)
    for depth in range(9):
        found = db.explain("path", ("n0", "n9"), depth=depth)
        assert found.cut and len([part for part in all_of(found) if part.note == "…"]) == 1
        assert len([part for part in all_of(found) if part.relation == "edge"]) == depth
    twice = Database(
        Program.parse("""
        .decl e(x: number)
        .input e
        .decl a(x: number)
        a(x) :- e(x).
        .decl b(x: number)
        b(x) :- a(x).
        .decl c(x: number)
        c(x) :- b(x), a(x).
    """)
    )
    twice.load_rows("e", [(1,)])
    found = twice.explain("c", (1,), depth=2)
    assert [part.note for part in found.because[0].because] == ["…"]
    assert [part.note for part in found.because[1].because] == ["given"]


LANGUAGE = """
.type Shape = Dot {} | Line { n: number }
.decl edge(x: symbol, y: symbol)
.input edge
.decl shape(s: Shape)
.input shape
.decl tree(x: symbol, y: symbol) choice-domain y
tree("", "a").
tree(x, y) :- tree(_, x), edge(x, y).
.decl way(x: symbol, n: number)
way("a", 0).
way(y, n + 1) :- way(x, n), edge(x, y).
way(x, n) <= way(x, m) :- m < n.
.decl numbered(i: number, x: symbol)
numbered(autoinc(), x) :- tree(_, x).
.decl same(x: symbol, y: symbol) eqrel
.input same
same(x, y) :- edge(x, y), tree(x, y).
.decl degree(x: symbol, n: number)
degree(x, n) :- tree(_, x), n = count : { edge(x, _) }.
.decl longer(s: Shape)
longer($Line(n + 1)) :- shape($Line(n)).
"""
FACTS = {
    "edge": [("a", "b"), ("b", "c"), ("a", "c"), ("c", "a")],
    "same": [("x", "y")],
    "shape": [(("Line", 3),), (("Dot",),)],
}


@pytest.fixture(scope="module")
def language() -> Database:
    db = Database(Program.parse(LANGUAGE))
    db.bootstrap(FACTS)
    return db


def test_ordered_relations(language: Database) -> None:
    found = (
        language.explain("tree", ("b", "c")) if ("b", "c") in language["tree"] else language.explain("tree", ("a", "c"))
    )
    check(language, found)
    assert "in iteration 1 of an ordered relation" in found.note
    assert [(part.relation, part.row, part.note) for part in found.because] == [
        ("tree", ("", "a"), "given"),
        ("edge", ("a", "c"), "given"),
    ]
    way = language.explain("way", ("b", 1))
    check(language, way)
    assert [part.row for part in way.because if part.relation == "way"] == [("a", 0)]
    check(language, language.explain("numbered", (0, "a")))


def test_every_row_can_be_explained(language: Database) -> None:
    for relation in language.relations:
        for row in language[relation]:
            check(language, language.explain(relation, row))


def test_equivalences_are_explained_by_the_facts_given_for_them(language: Database) -> None:
    found = language.explain("same", ("y", "x"))
    check(language, found)
    assert {(part.relation, part.row) for part in all_of(found) if part.note == "given"} == {("same", ("x", "y"))}


def test_a_count_names_what_is_counted(language: Database) -> None:
    found = language.explain("degree", ("a", 2))
    check(language, found)
    total = next(part for part in all_of(found) if part.note.startswith("the sum"))
    assert total.note == "the sum of 2 values"
    assert {part.row for part in all_of(total) if part.relation == "edge"} == {("a", "b"), ("a", "c")}


def test_many_values_are_cut_short() -> None:
    db = Database(Program.parse(LANGUAGE))
    db.bootstrap({"edge": [("a", f"n{i}") for i in range(50)]})
    found = str(db.explain("degree", ("a", 50)))
    assert "the sum of 50 values" in found and "more" in found and found.count("degree$count") < 40


def test_branches_are_shown_as_they_are_written(language: Database) -> None:
    assert "longer($Line(4))" in str(language.explain("longer", (("Line", 4),)))


def test_rows_of_random_programs_can_be_explained() -> None:
    for _, case in affordable_cases(range(20_000, 20_012)):
        db = Database(Program.parse(case.text))
        db.bootstrap(case.facts)
        for relation in db.relations:
            for row in list(db[relation])[:4]:
                check(db, db.explain(relation, row))


def test_rows_are_found_by_the_order_of_a_column_as_by_scans() -> None:
    by_order = Tuning(explaining=Explaining(scans=0, few_rows=0))
    for _, case in affordable_cases(range(20_020, 20_028)):
        program = Program.parse(case.text)
        db, other = Database(program), Database(program, tuning=by_order)
        db.bootstrap(case.facts)
        other.bootstrap(case.facts)
        for relation in db.relations:
            for row in list(db[relation])[:4]:
                assert str(db.explain(relation, row)) == str(other.explain(relation, row))


def test_a_join_of_large_relations_begins_where_few_rows_match() -> None:
    """Of the rows of `lookup` nearly all have the method `?`, and each call one shape."""
    db = Database(
        Program.parse(
            ".decl call(i: number, n: number)\n.input call\n.decl lookup(n: number, m: symbol)\n.input lookup\n"
            ".decl fits(i: number, m: symbol)\nfits(i, m) :- lookup(n, m), call(i, n).\n"
        )
    )
    db.bootstrap({"call": [(i, i) for i in range(3000)], "lookup": [(i, "?") for i in range(3000)]})
    found = db.explain("fits", (2999, "?"))
    assert [(part.relation, part.row) for part in found.because] == [("lookup", (2999, "?")), ("call", (2999, 2999))]


def test_a_derivation_that_is_deeper_than_calls_can_be() -> None:
    db = Database(
        Program.parse(".decl e(x: number, y: number)\n.input e\n.decl p(x: number)\np(1).\np(y) :- p(x), e(x, y).\n")
    )
    db.bootstrap({"e": [(i, i + 1) for i in range(1, 3000)]})
    text = str(db.explain("p", (3000,)))
    assert "p(3000)\n" in text and "p(1500)" in text and "p(100)" not in text and "p(1000)  …" in text
