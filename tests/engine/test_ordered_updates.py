"""Ordered components in the incremental engine: every update against the definition, and against a saved and opened
state."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.saved.state import SavedState
from ladder.engine.reference import evaluate as naive
from ladder.language import core
from ladder.language.core import Atom, Compute, Const, Not, Rule

from ..marks import seeds, slow_after
from .comparison import check_structure, difference, state_of
from .ordered_programs import NUMBER, STEPS, SYMBOL, Maker, X, Y, program_of, relation, shortest
from .saving import ORIGIN, opened

Facts = dict[str, list[tuple[Any, ...]]]


def engine_of(program: core.Program, facts: Facts) -> LocalEngine:
    engine = LocalEngine(program)
    engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts.items()})
    return engine


def update(engine: LocalEngine, delete: Facts, insert: Facts) -> None:
    engine.update(
        {n: engine.encode_facts(n, rows) for n, rows in delete.items()},
        {n: engine.encode_facts(n, rows) for n, rows in insert.items()},
    )


def check(engine: LocalEngine, facts: Facts) -> None:
    expected = naive.evaluate(engine.program, facts, most_iterations=100, most_instantiations=200_000)
    assert difference(state_of(engine), expected) == ""
    check_structure(engine)


def test_what_goes_and_comes_flows_on() -> None:
    far = relation("far", SYMBOL)
    base = shortest()
    rule = Rule(Atom("far", (X,)), (Atom("way", (X, Y)), core.Compare(">", Y, Const(2, NUMBER), core.Kind.NUMBER)))
    program = core.Program(
        {**base.relations, "far": far},
        (*base.rules, rule),
        facts=base.facts,
        types=base.types,
        subsumptions=base.subsumptions,
    )
    facts: Facts = {"step": list(STEPS)}
    engine = engine_of(program, facts)
    check(engine, facts)
    for delete, insert in (
        ([("c", "b", 1)], []),
        ([], [("c", "b", 1)]),
        ([("a", "c", 1)], [("a", "d", 0)]),
        (list(STEPS[:1]), []),
    ):
        facts["step"] = [r for r in facts["step"] if r not in delete] + insert
        update(engine, {"step": delete}, {"step": insert})
        engine.finish()
        check(engine, facts)


def test_an_abandoned_update_leaves_the_old_state() -> None:
    facts: Facts = {"step": list(STEPS)}
    engine = engine_of(shortest(), facts)
    update(engine, {"step": [("a", "c", 1)]}, {"step": [("d", "e", 7)]})
    engine.abandon()
    check(engine, facts)
    update(engine, {}, {"step": [("d", "e", 7)]})
    engine.finish()
    check(engine, {"step": [*STEPS, ("d", "e", 7)]})


def numbering() -> core.Program:
    """Two components that draw numbers, the second from where the first stops."""
    one, two, a, b = (
        relation("one", SYMBOL),
        relation("two", SYMBOL),
        relation("a", NUMBER, SYMBOL),
        relation("b", NUMBER, SYMBOL),
    )
    rules = [
        Rule(Atom(head, (X, Y)), (Atom(body, (Y,)), Compute(X, "autoinc", ())))
        for head, body in (("a", "one"), ("b", "two"))
    ]
    return program_of([one, two, a, b], *rules)


def test_later_components_follow_when_earlier_ones_draw_more_numbers(tmp_path: Path) -> None:
    facts: Facts = {"one": [("x",), ("y",)], "two": [("p",)]}
    engine = engine_of(numbering(), facts)
    check(engine, facts)
    engine.prepare_updates()
    SavedState(tmp_path).save(engine, ORIGIN, "")
    for either in (engine, opened(tmp_path, numbering())[0]):
        update(either, {}, {"one": [("z",)]})
        either.finish()
        check(either, {"one": [("x",), ("y",), ("z",)], "two": [("p",)]})
    again = opened(tmp_path, numbering())[0]
    update(again, {}, {"two": [("q",)]})
    again.finish()
    check(again, {**facts, "two": [("p",), ("q",)]})


def test_symbols_that_come_in_another_order_change_nothing() -> None:
    edge, tree = relation("edge", SYMBOL, SYMBOL), relation("tree", SYMBOL, SYMBOL, choice=((1,),))
    program = program_of(
        [edge, tree],
        Rule(Atom("tree", (X, Y)), (Atom("tree", (None, X)), Atom("edge", (X, Y)))),
        facts={"tree": (("", "r"),)},
    )
    rows = [(x, y) for x in "rabcd" for y in "abcd"]
    for seed in range(5):
        random.Random(seed).shuffle(rows)
        engine = engine_of(program, {"edge": rows[:3]})
        for row in rows[3:]:
            update(engine, {}, {"edge": [row]})
            engine.finish()
        check(engine, {"edge": rows})


class Surrounded(Maker):
    """Ordered components with incremental ones before and after them."""

    def program(self) -> core.Program:
        inner = super().program()
        before, after, last = (
            relation("d0", *self.types()),
            relation("f0", *self.types()),
            relation("f1", *self.types(), aggregate=None),
        )
        rules = [self.rule(before, self.given) for _ in range(2)]
        rules += [self.rule(self.random.choice(self.own), [before, *self.own])]
        rules += [self.rule(after, [before, *self.own, *self.given]) for _ in range(2)]
        rules += [self.rule(after, [after, *self.given]), self.rule(last, [after, *self.own])]
        rules += [
            Rule(
                Atom(last.name, tuple(Const(self.value(c.type), c.type) for c in last.columns)),
                (
                    Atom(after.name, (None,) * after.arity),
                    Not(Atom(r.name, tuple(Const(self.value(c.type), c.type) for c in r.columns))),
                ),
            )
            for r in self.own[:1]
        ]
        rules = [
            rule
            for rule in rules
            if rule.head.relation in inner.relations
            or not any(isinstance(b, Compute) and b.function in core.ORDERED for b in rule.body)
        ]
        relations = [*list(inner.relations.values())[:3], before, *list(inner.relations.values())[3:], after, last]
        return program_of(relations, *inner.rules, *rules, facts=dict(inner.facts), subsumptions=inner.subsumptions)

    def changes(self, facts: Facts) -> tuple[Facts, Facts]:
        """Facts to delete and to insert; `facts` is brought up to date."""
        delete: Facts = {}
        insert: Facts = {}
        for of in self.random.sample([*self.given, *self.own[:1]], 2):
            there = list(dict.fromkeys(facts[of.name]))
            delete[of.name] = [row for row in there if self.random.random() < 0.3]
            insert[of.name] = [self.row(of) for _ in range(self.random.choice((0, 1, 3)))]
            facts[of.name] = [row for row in there if row not in delete[of.name]] + insert[of.name]
        return delete, insert


def check_seed(seed: int, tmp_path: Path | None = None) -> bool:
    maker = Surrounded(seed)
    program, facts = maker.program(), maker.facts()
    try:
        naive.evaluate(program, facts, most_iterations=40, most_instantiations=20_000)
    except naive.TooMuch:
        return False
    engine = engine_of(program, facts)
    check(engine, facts)
    for _ in range(4):
        delete, insert = maker.changes(facts)
        try:
            naive.evaluate(program, facts, most_iterations=40, most_instantiations=20_000)
        except naive.TooMuch:
            return True
        update(engine, delete, insert)
        engine.finish()
        check(engine, facts)
        if tmp_path is not None and maker.random.random() < 0.5:
            SavedState(tmp_path).save(engine, ORIGIN, "")
            engine = opened(tmp_path, program)[0]
    return True


@pytest.mark.parametrize("count", slow_after(1, [10, 25]))
def test_random_updates_agree_with_the_definition(count: int, tmp_path: Path) -> None:
    assert sum(check_seed(seed, tmp_path / str(seed)) for seed in range(count)) >= count // 2


@pytest.mark.nightly
def test_many_random_updates_agree_with_the_definition(tmp_path: Path) -> None:
    compared = [check_seed(seed, tmp_path / str(seed)) for seed in seeds(range(25, 1000))]
    assert sum(compared) >= len(compared) // 2
