"""Rules without plans: they get some before they can derive anything, wherever the first rows come from."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder import Database, Program
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.evolution import Evolution
from ladder.engine.local.planning import DORMANT
from ladder.engine.reference import evaluate as naive
from ladder.language import parse
from ladder.language.versions.rule_changes import aligned

from .comparison import check_structure, difference, state_of
from .programs import Rows

TEXT = """
.decl a(x: number)   .input a
.decl b(x: number)   .input b
.decl c(x: number)   .input c
.decl p(x: number)
.decl q(x: number)
.decl r(x: number)
p(x) :- a(x), b(x).
q(x) :- p(x).
q(x) :- r(x), c(x).
r(x) :- q(x).
r(x) :- r(y), a(x), x = y + 1.
"""


def engine_of(text: str, facts: Rows) -> LocalEngine:
    engine = LocalEngine(parse(text))
    engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts.items()})
    return engine


def dormant(engine: LocalEngine) -> list[str]:
    """The rules without plans."""
    counts = engine.prepare_updates().counts
    return [
        str(rule)
        for component, numbers in zip(engine.expanded.components, counts, strict=True)
        for rule, number in zip(component.rules, numbers, strict=True)
        if number == DORMANT
    ]


def insert(engine: LocalEngine, facts: Rows, name: str, *rows: tuple[int, ...]) -> None:
    change(engine, {}, {name: list(rows)})
    facts.setdefault(name, []).extend(rows)
    compare(engine, facts)


def delete(engine: LocalEngine, facts: Rows, name: str, *rows: tuple[int, ...]) -> None:
    change(engine, {name: list(rows)}, {})
    facts[name] = [row for row in facts[name] if row not in rows]
    compare(engine, facts)


def change(engine: LocalEngine, deleted: Rows, inserted: Rows) -> None:
    engine.update(
        *({name: engine.encode_facts(name, rows) for name, rows in side.items()} for side in (deleted, inserted))
    )
    engine.finish()


def compare(engine: LocalEngine, facts: Rows) -> None:
    assert difference(state_of(engine), naive.evaluate(engine.program, facts)) == ""
    check_structure(engine)


def test_rules_get_plans_when_what_they_read_has_rows() -> None:
    facts: Rows = {"a": [(1,)]}
    engine = engine_of(TEXT, facts)
    assert len(dormant(engine)) == 5
    insert(engine, facts, "b", (2,))  # p stays empty: nothing joins
    assert len(dormant(engine)) == 4
    insert(engine, facts, "b", (1,))
    assert [rule.partition(" :-")[0] for rule in dormant(engine)] == ["q(x)"]
    insert(engine, facts, "c", (1,), (2,))
    assert dormant(engine) == []
    insert(engine, facts, "a", (2,), (3,))


def test_a_rule_with_plans_may_fill_what_another_one_waits_for() -> None:
    """All rows of p go, and are removed; the rules of the component of q and r keep their plans, and the first row of c
    comes with new ones of p in one change."""
    facts: Rows = {"a": [(1,)], "b": [(1,)]}
    engine = engine_of(TEXT, facts)
    assert len(dormant(engine)) == 1
    delete(engine, facts, "a", (1,))
    for number in engine.numbers.values():
        if engine.store.relations[number].absent_rows:
            engine.compact(number)
    assert len(dormant(engine)) == 1
    change(engine, {}, {"a": [(1,), (2,)], "c": [(1,), (2,)]})
    facts |= {"a": [(1,), (2,)], "c": [(1,), (2,)]}
    compare(engine, facts)
    assert dormant(engine) == []


def test_an_abandoned_change_leaves_no_trace() -> None:
    facts: Rows = {"a": [(1,)]}
    engine = engine_of(TEXT, facts)
    for _ in range(2):
        engine.update({}, {name: engine.encode_facts(name, [(1,)]) for name in ("b", "c")})
        engine.abandon()
        compare(engine, facts)
    insert(engine, facts, "b", (1,))
    insert(engine, facts, "c", (1,))


def test_a_new_rule_wakes_those_that_read_what_it_derives() -> None:
    """The rule that reads r stays as it is, and r gets its first row by a rule that is added to their component."""
    facts: Rows = {"a": [(1,), (2,)], "c": [(1,), (2,)]}
    engine = engine_of(TEXT, facts)
    assert len(dormant(engine)) == 5
    for more, left in (("r(x) :- c(x), a(x), x < 2.", 2), ("r(x) :- c(x), a(x), x < 2. p(x) :- c(x).", 1)):
        evolution = Evolution(engine, aligned(parse(TEXT + more), engine.program))
        evolution.open()
        evolution.finish()
        engine = evolution.engine
        compare(engine, facts)
        assert len(dormant(engine)) == left, more
    insert(engine, facts, "b", (3,))
    assert dormant(engine) == []


@pytest.mark.parametrize("strategy", ["elastic", "counting", "dred", "dredc", "bf", "bfc"])
def test_a_saved_state_knows_which_rules_have_plans(strategy: str, tmp_path: Path) -> None:
    """The log of a save holds no plans: those that were made after the base are made again."""
    program = Program.parse(TEXT)
    db = Database(program, strategy=strategy, switch=None)
    db.bootstrap({"a": [(1,)]})
    db.save(tmp_path)
    for name in ("b", "c"):
        db = Database.open(tmp_path, program, strategy=strategy, switch=None)
        waiting = len(dormant(db._ready()))
        db.update(insert={name: [(1,)]})
        assert len(dormant(db._ready())) < waiting
        db.save(tmp_path)
    again = Database.open(tmp_path, program, strategy=strategy, switch=None)
    again.update(insert={"a": [(2,)], "c": [(2,)]})
    expected = naive.evaluate(program.core, {"a": [(1,), (2,)], "b": [(1,)], "c": [(1,), (2,)]})
    for name in ("p", "q", "r"):
        assert set(again[name]) == set(expected.rows[name])
