"""Databases of every strategy: updates, results, states on disk, rules; what each refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ladder import Database, Program
from ladder.engine.local.strategies import STRATEGIES
from ladder.errors import StateError, Unsupported

ROADS = """
.decl road(from: symbol, to: symbol, length: number)
.decl closed(place: symbol)
.decl reach(from: symbol, to: symbol)
.decl cut(from: symbol, to: symbol)
.decl longest(from: symbol, length: number)
.input road
.input closed
.output reach
.output cut
.output longest
reach(x, y) :- road(x, y, _), !closed(y).
reach(x, z) :- reach(x, y), reach(y, z).
cut(x, y) :- reach(x, y), !reach(y, x).
longest(x, max(n)) :- reach(x, y), road(y, _, n), n > 1.
"""
SHORTEST = """
.decl road(from: symbol, to: symbol, length: number)
.decl way(from: symbol, to: symbol, length: number)
.input road
.output way
way(x, y, min(n)) :- road(x, y, n).
way(x, z, min(n + m)) :- way(x, y, n), road(y, z, m), n + m < 50.
"""
FACTS: dict[str, list[tuple[Any, ...]]] = {
    "road": [("a", "b", 1), ("b", "c", 2), ("c", "a", 3), ("c", "d", 4), ("d", "e", 1), ("e", "d", 2), ("b", "e", 7)],
    "closed": [("f",)],
}
CHANGES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"road": [("b", "c", 2)]}, {"road": [("e", "f", 9), ("a", "c", 1)]}),
    ({"closed": [("f",)]}, {"closed": [("e",), ("a",)]}),
    ({"road": [("d", "e", 1), ("a", "c", 1)]}, {"road": [("b", "c", 2)]}),
    ({}, {}),
    ({"closed": [("e",)]}, {"road": [("f", "a", 2)]}),
]


def rows(db: Database, names: tuple[str, ...]) -> dict[str, set[Any]]:
    return {name: set(db[name]) for name in names}


def run(text: str, strategy: str, folder: Path | None = None) -> list[dict[str, set[Any]]]:
    """Results after each change; with a folder, the state is saved and opened between changes."""
    program = Program.parse(text)
    given = {name: some for name, some in FACTS.items() if name in program.core.relations}
    db = Database(program, strategy=strategy)
    db.bootstrap(given)
    found = [rows(db, db.relations)]
    for number, (delete, insert) in enumerate(CHANGES):
        if folder is not None and number % 2 == 0:
            db.save(folder)
            db = Database.open(folder, program, strategy=strategy)
        deleted, inserted = ({n: some for n, some in side.items() if n in given} for side in (delete, insert))
        before = found[-1]
        delta = db.update(insert=inserted, delete=deleted)
        found.append(rows(db, db.relations))
        for name in db.relations:
            assert set(delta.inserted[name]) == found[-1][name] - before[name], (strategy, number, name)
            assert set(delta.deleted[name]) == before[name] - found[-1][name], (strategy, number, name)
        assert delta.mode == ("bootstrap" if strategy == "recompute" else "update") or strategy == "elastic"
        if folder is not None:
            db.save(folder)
    return found


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_gives_the_same_rows_and_differences(strategy: str, tmp_path: Path) -> None:
    expected = run(ROADS, "recompute")
    assert run(ROADS, strategy) == expected
    assert run(ROADS, strategy, tmp_path) == expected


@pytest.mark.parametrize("strategy", ["elastic", "counting", "recompute"])
def test_some_strategies_maintain_aggregation_in_recursion(strategy: str, tmp_path: Path) -> None:
    expected = run(SHORTEST, "recompute")
    assert run(SHORTEST, strategy) == expected
    assert run(SHORTEST, strategy, tmp_path) == expected


@pytest.mark.parametrize("strategy", ["dred", "dredc", "bf", "bfc"])
def test_the_others_refuse_it_by_name_and_place(strategy: str) -> None:
    with pytest.raises(Unsupported, match=rf"{strategy} cannot maintain way, .*recursion \(.*:7\).*counting"):
        Database(Program.parse(SHORTEST), strategy=strategy)


@pytest.mark.parametrize("strategy", ["dred", "bfc"])
def test_without_iterations_nothing_is_explained(strategy: str) -> None:
    db = Database(Program.parse(ROADS), strategy=strategy)
    db.bootstrap(FACTS)
    with pytest.raises(Unsupported, match="explained"):
        db.explain("reach", ("a", "b"))


def test_counting_explains_as_elastic_does() -> None:
    found = []
    for strategy in ("elastic", "counting"):
        db = Database(Program.parse(ROADS), strategy=strategy)
        db.bootstrap(FACTS)
        db.update(delete={"road": [("b", "c", 2)]})
        found.append(str(db.explain("reach", ("c", "e"))))
    assert found[0] == found[1]


@pytest.mark.parametrize("strategy", ["counting", "dredc", "bf"])
def test_rules_come_and_go_by_starting_over(strategy: str) -> None:
    db = Database(Program.parse(ROADS), strategy=strategy)
    db.bootstrap(FACTS)
    db.update(delete={"road": [("b", "c", 2)]})
    before = rows(db, db.relations)
    delta = db.add_rules("reach(x, x) :- road(x, _, _).")
    assert delta.mode == "bootstrap" and ("a", "a") in set(db["reach"])
    db.remove_rules("reach(x, x) :- road(x, _, _).")
    assert rows(db, db.relations) == before
    db.update(insert={"road": [("b", "c", 2)]})
    assert ("a", "d") in set(db["reach"])


def test_a_state_of_another_strategy_is_recognised(tmp_path: Path) -> None:
    program = Program.parse(ROADS)
    db = Database(program, strategy="dredc")
    db.bootstrap(FACTS)
    db.save(tmp_path)
    del db
    with pytest.raises(StateError, match="of the strategy dredc, not of elastic"):
        Database.open(tmp_path, program)


@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name != "recompute"])
def test_a_profile_tells_what_rules_take(strategy: str) -> None:
    db = Database(Program.parse(ROADS), strategy=strategy, profile=True, switch=None)
    db.bootstrap(FACTS)
    db.update(delete={"road": [("b", "c", 2)]}, insert={"road": [("e", "f", 9)]})
    assert db.profile is not None
    for work in ("bootstrap", "update"):
        found = [
            costs
            for costs in db.profile
            if costs.work == work
            and costs.rule is not None
            and len(costs.rule.body) == 2
            and costs.rule.head.relation == "reach"
        ]
        assert any(
            costs.total.derivations > 0 and costs.total.runs > 0 and costs.total.batches > 0 for costs in found
        ), work
