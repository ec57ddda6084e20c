"""Databases over the whole language: branches, equivalences, aggregates in bodies, ordered relations."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.reference import evaluate as naive
from ladder.errors import LadderError

from ..engine.comparison import check_structure, difference, state_of

LANGUAGE = """
.type Shape = Dot {} | Line { n: number } | Both { one: Shape, other: Shape }
.type List = [head: Shape, tail: List]
.decl edge(x: symbol, y: symbol)
.input edge
.decl shape(s: Shape)
.input shape
.decl tree(x: symbol, y: symbol) choice-domain y
.input tree
tree(x, y) :- tree(_, x), edge(x, y).
.decl way(x: symbol, n: number)
way("a", 0).
way(y, n + 1) :- way(x, n), edge(x, y), n < 9.
way(x, n) <= way(x, m) :- m < n.
.decl numbered(i: number, x: symbol)
numbered(autoinc(), x) :- tree(_, x).
.decl same(x: symbol, y: symbol) eqrel
.input same
same(x, y) :- edge(x, y), tree(x, y).
.decl degree(x: symbol, n: number)
degree(x, n) :- tree(_, x), n = count : { edge(x, _) }.
.decl furthest(n: number)
furthest(n) :- n = max m : { way(_, m) }.
.decl part(s: Shape)
part(s) :- shape(s).
part(s), part(t) :- part($Both(s, t)).
.decl pair(l: List)
pair([s, [t, nil]]) :- shape(s), part(t), s != t.
"""
NAMES = ("edge", "shape", "tree", "way", "numbered", "same", "degree", "furthest", "part", "pair")
DOT, LINE = ("Dot",), ("Line", 3)
FACTS: dict[str, Any] = {
    "edge": [("a", "b"), ("b", "c"), ("a", "c"), ("c", "a")],
    "tree": [("", "a")],
    "same": [("x", "y")],
    "shape": [(LINE,), (("Both", DOT, LINE),)],
}


def database(text: str = LANGUAGE, facts: dict[str, Any] = FACTS, **options: Any) -> Database:
    db = Database(Program.parse(text), **options)
    db.bootstrap(facts)
    return db


def check(db: Database, facts: dict[str, Any]) -> None:
    assert difference(state_of(db._ready()), naive.evaluate(db._core, facts)) == ""
    check_structure(db._ready())


def visible(db: Database) -> dict[str, set[Any]]:
    return {name: set(db[name]) for name in db.relations}


def test_helper_relations_are_out_of_sight() -> None:
    db = database()
    assert db.relations == NAMES
    delta = db.update(insert={"edge": [("c", "d")]}, delete={"shape": [(LINE,)]})
    assert set(delta.inserted) | set(delta.deleted) <= set(NAMES) and "degree" in delta.inserted
    assert delta.impact == sum(map(len, delta.inserted.values())) + sum(map(len, delta.deleted.values()))
    with pytest.raises(KeyError):
        delta.inserted["same$edge"]
    with pytest.raises(LadderError, match="no relation same.edge"):
        db.update(insert={"same$edge": [("a", "b")]})
    assert {"same$edge", "tree$facts"} <= set(db.stored_relations)


def test_branches_are_tuples_and_texts() -> None:
    db = database()
    assert set(db["part"]) == {(LINE,), (DOT,), (("Both", DOT, LINE),)}
    assert ((("Both", DOT, LINE), (LINE, None)),) in db["pair"]
    assert sorted(db["part"].to_arrow()["s"].to_pylist()) == ["$Both($Dot, $Line(3))", "$Dot", "$Line(3)"]
    delta = db.update(
        insert={"shape": pa.table({"s": ["$Both($Line(4), $Dot)"]})}, delete={"shape": db["shape"].to_arrow()}
    )
    assert set(db["shape"]) == {(("Both", ("Line", 4), DOT),)} and (LINE,) in delta.deleted["part"]
    for wrong in (("Bow",), ("Line",), ("Line", "x"), "Line", (3,)):
        with pytest.raises(LadderError, match="not a value of type Shape"):
            db.update(insert={"shape": [(wrong,)]})
    with pytest.raises(LadderError, match="not a value of type Shape"):
        db.update(insert={"shape": pa.table({"s": ["$Line(x)"]})})


def test_asserted_facts_of_equivalences_and_ordered_relations_come_and_go() -> None:
    for strategy in ("elastic", "recompute"):
        db, facts = database(strategy=strategy), {name: list(rows) for name, rows in FACTS.items()}
        for relation, row in (("same", ("y", "z")), ("tree", ("q", "b")), ("tree", ("", "c")), ("same", ("a", "x"))):
            before = visible(db)
            delta = db.update(insert={relation: [row]})
            facts[relation].append(row)
            check(db, facts)
            after = visible(db)
            assert {n: set(rows) for n, rows in delta.inserted.items()} == {
                n: after[n] - before[n] for n in after if after[n] - before[n]
            }
            assert {n: set(rows) for n, rows in delta.deleted.items()} == {
                n: before[n] - after[n] for n in after if before[n] - after[n]
            }
        db.update(delete={"same": [("x", "y")], "tree": [("q", "b"), ("", "a")]}, insert={"tree": [("", "b")]})
        facts["same"].remove(("x", "y"))
        facts["tree"] = [("", "c"), ("", "b")]
        check(db, facts)


def test_any_order_of_updates_ends_in_the_same_rows() -> None:
    every = [(name, row) for name, rows in FACTS.items() for row in rows] + [
        ("edge", (x, y)) for x in "abcd" for y in "abcd"
    ]
    expected = None
    for seed in range(4):
        source = random.Random(seed)
        db = Database(Program.parse(LANGUAGE))
        wanted = list(every)
        source.shuffle(wanted)
        for name, row in wanted:
            db.update(insert={name: [row]}, delete={} if source.random() < 0.7 else {source.choice(wanted)[0]: []})
        gone = source.sample(wanted, 5)
        for name, row in gone:
            db.update(delete={name: [row]})
        for name, row in gone:
            db.update(insert={name: [row]})
        expected = expected or visible(db)
        assert visible(db) == expected


def test_saved_and_opened(tmp_path: Path) -> None:
    db, facts = database(), {name: list(rows) for name, rows in FACTS.items()}
    for number, (relation, row) in enumerate(
        (("edge", ("c", "d")), ("shape", (DOT,)), ("same", ("y", "z")), ("tree", ("", "d")))
    ):
        db.save(tmp_path, str(number))
        db = Database.open(tmp_path, Program.parse(LANGUAGE))
        check(db, facts)
        db.update(insert={relation: [row]})
        facts[relation].append(row)
        check(db, facts)


def test_rules_of_every_kind_come_and_go() -> None:
    db = database()
    before = visible(db)
    rule = "degree(x, n) :- tree(_, x), n = count : { edge(x, _) }."
    gone = db.remove_rules(rule)
    assert set(gone.deleted) == {"degree"} and len(db["degree"]) == 0
    check(db, FACTS)
    db.add_rules(rule)
    assert visible(db) == before
    subsumption = "way(x,n) <= way(x,m) :- m < n."
    came = db.remove_rules(subsumption)
    assert len(came.inserted["way"]) > 2 and set(db["furthest"]) == {(9,)}
    db.update(delete={"edge": [("c", "a")]})
    check(db, {**FACTS, "edge": FACTS["edge"][:3]})
    db.add_rules(subsumption)
    db.update(insert={"edge": [("c", "a")]})
    assert visible(db) == before
    db.remove_rules('way("a", 0).')
    assert len(db["way"]) == 0
    with pytest.raises(LadderError, match="no rule"):
        db.remove_rules('way("a", 0).')
    with pytest.raises(LadderError, match="only rules"):
        db.remove_rules(".decl more(x: number)")


FAILING = """
def checked(n):
    if n == 13:
        raise ValueError("unlucky")
    if n == 66:
        raise KeyboardInterrupt
    return n + 1
"""


@pytest.mark.parametrize(("number", "error"), [(13, LadderError), (66, KeyboardInterrupt), (2**31 - 1, LadderError)])
def test_what_fails_in_an_ordered_component_leaves_the_old_state(
    tmp_path: Path, number: int, error: type[BaseException]
) -> None:
    (tmp_path / "functors.py").write_text(FAILING)
    db = database(
        f"""
        .functor checked(n: number): number = "{tmp_path}/functors.py:checked"
        .decl n(x: number)
        .input n
        .decl least(x: number)
        least(@checked(x)) :- n(x).
        least(x) <= least(y) :- y < x.
        .decl after(x: number)
        after(x) :- least(x).
        .decl number(i: number, x: number)
        number(autoinc(), x) :- n(x).
    """,
        {"n": [(5,), (7,)]},
    )
    with pytest.raises(error):
        db.update(insert={"n": [(number,), (1,)]})
    check(db, {"n": [(5,), (7,)]})
    delta = db.update(insert={"n": [(1,)]})
    assert set(delta.inserted["after"]) == {(2,)} and set(db["number"]) == {(0, 1), (1, 5), (2, 7)}


def test_nothing_is_evaluated_again_without_need(monkeypatch: pytest.MonkeyPatch) -> None:
    from ladder.engine.local import ordered

    db = database()
    calls: list[Any] = []
    evaluate = ordered.evaluate_ordered
    monkeypatch.setattr(
        ordered,
        "evaluate_ordered",
        lambda program, names, *rest: calls.append(names) or evaluate(program, names, *rest),
    )
    db.update(insert={"shape": [(DOT,)]})
    assert calls == []
    db.update(insert={"tree": [("z", "zz")]})
    assert calls == [("tree",), ("numbered",)]


def test_symbols_have_one_number_in_all_components() -> None:
    db = database(
        """
        .decl name(x: symbol)
        .input name
        .decl plain(x: symbol, n: number)
        plain(x, ord(x)) :- name(x).
        .decl least(x: symbol, n: number)
        least(x, ord(x)) :- name(x).
        least(x, n) <= least(y, m) :- m < n.
        .decl both(x: symbol)
        both(x) :- plain(x, n), least(x, n).
    """,
        {"name": [("zz",), ("b",), ("a",)]},
    )
    assert set(db["least"]) == {min(db["plain"], key=lambda row: row[1])} and len(db["both"]) == 1
    db.update(delete={"name": list(db["both"])})
    assert set(db["least"]) == {min(db["plain"], key=lambda row: row[1])} and len(db["both"]) == 1
