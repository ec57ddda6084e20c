"""Ordered components: the evaluator on hash tables against the definition, and by hand."""
from __future__ import annotations

import random
from typing import Any

import pytest

from ladder.engine import naive
from ladder.engine.naive_rules import stated_facts
from ladder.engine.ordered import Outcome, evaluate_ordered
from ladder.errors import Unsupported
from ladder.language import core
from ladder.language.core import (
    Atom,
    Compare,
    Compute,
    Const,
    Generate,
    Kind,
    Not,
    Pack,
    Rule,
    Subsumption,
    Unpack,
    Var,
)
from ladder.language.value_order import ValueOrder

NUMBER, SYMBOL = core.Type("number", Kind.NUMBER), core.Type("symbol", Kind.SYMBOL)
PAIR = core.Type("Pair", Kind.RECORD, (("n", "number"), ("s", "symbol")))
SHAPE = core.Type("Shape", Kind.RECORD, branches=(("Dot", ()), ("Line", (("n", "number"),))))
TYPES = {t.name: t for t in (NUMBER, SYMBOL, PAIR, SHAPE)}
X, Y, Z, U, V, W = map(Var, "xyzuvw")


def relation(name: str, *types: core.Type, **rest: Any) -> core.Relation:
    return core.Relation(name, tuple(core.Column(f"c{i}", t) for i, t in enumerate(types)), **rest)


def program_of(relations: list[core.Relation], *rules: Rule, **rest: Any) -> core.Program:
    return core.verify(core.Program({r.name: r for r in relations}, rules, types=TYPES, **rest))


def evaluated(program: core.Program, facts: dict[str, Any]) -> dict[str, set[Any]]:
    """All relations of a program whose components are all ordered or hold facts alone, by the evaluator under test."""
    found: dict[str, set[Any]] = {}
    drawn = 0
    for names in naive.components(program):
        given = {}
        for name in names:
            stated = stated_facts(program, name)
            given[name] = (*sorted(set(facts.get(name, ())) - set(stated), key=ValueOrder(program).key), *stated)
        if names & core.ordered_relations(program):
            outcome: Outcome = evaluate_ordered(program, names, found.__getitem__, given, drawn)
            drawn += outcome.drawn
            found.update((name, set(rows)) for name, rows in outcome.rows.items())
        else:
            assert not any(rule.head.relation in names for rule in program.rules)
            found.update((name, set(given[name])) for name in names)
    return found


def agrees(program: core.Program, facts: dict[str, Any]) -> dict[str, set[Any]]:
    """What both evaluators find."""
    found = evaluated(program, facts)
    expected = naive.evaluate(program, facts, most_iterations=200, most_instantiations=200_000)
    assert found == {name: expected.visible(name) for name in program.relations}
    return found


def test_the_first_row_of_each_key_is_kept() -> None:
    edge, tree = relation("edge", NUMBER, NUMBER), relation("tree", NUMBER, NUMBER, choice=((1,),))
    program = program_of([edge, tree], Rule(Atom("tree", (X, Y)), (Atom("tree", (None, X)), Atom("edge", (X, Y)))), facts={"tree": ((0, 1),)})
    found = agrees(program, {"edge": [(1, 3), (1, 2), (2, 4), (3, 4), (4, 1), (2, 3)]})
    assert found["tree"] == {(0, 1), (1, 2), (1, 3), (2, 4)}


def test_every_key_of_a_row_must_be_free() -> None:
    both, pair = relation("both", NUMBER, SYMBOL), relation("pair", NUMBER, SYMBOL, choice=((0,), (1,)))
    program = program_of([both, pair], Rule(Atom("pair", (X, Y)), (Atom("both", (X, Y)),)))
    assert agrees(program, {"both": [(1, "a"), (1, "b"), (2, "a"), (2, "c"), (3, "c"), (3, "b")]})["pair"] == {(1, "a"), (2, "c"), (3, "b")}


def test_instantiations_with_fewer_new_rows_come_first() -> None:
    edge, node, pick = relation("edge", NUMBER, NUMBER), relation("node", NUMBER), relation("pick", NUMBER, NUMBER, NUMBER, choice=((0,),))
    rules = (Rule(Atom("node", (Y,)), (Atom("node", (X,)), Atom("edge", (X, Y)))), Rule(Atom("node", (X,)), (Atom("pick", (None, X, None)),)),
             Rule(Atom("pick", (Const(0, NUMBER), X, Y)), (Atom("node", (X,)), Atom("node", (Y,)), Compare("!=", X, Y, Kind.NUMBER))))
    program = program_of([edge, node, pick], *rules, facts={"node": ((5,),)})
    assert agrees(program, {"edge": [(5, 1), (5, 2)]})["pick"] == {(0, 1, 5)}


def test_stated_facts_keep_their_order_and_come_after_given_ones() -> None:
    pair = relation("pair", NUMBER, NUMBER, choice=((0,),))
    program = program_of([pair], facts={"pair": ((1, 9), (1, 3), (2, 8))})
    assert agrees(program, {})["pair"] == {(1, 9), (2, 8)}
    assert agrees(program, {"pair": [(2, 9), (2, 1)]})["pair"] == {(1, 9), (2, 1)}


def shortest(limit: int | None = None) -> core.Program:
    step, way = relation("step", SYMBOL, SYMBOL, NUMBER), relation("way", SYMBOL, NUMBER, limit=limit)
    rule = Rule(Atom("way", (Y, W)), (Atom("way", (X, U)), Atom("step", (X, Y, V)), Compute(W, "+", (U, V))))
    return program_of([step, way], rule, facts={"way": (("a", 0),)},
                      subsumptions=(Subsumption(Atom("way", (X, U)), Atom("way", (X, V)), (Compare("<", V, U, Kind.NUMBER),)),))


STEPS = [("a", "b", 5), ("a", "c", 1), ("c", "b", 1), ("b", "d", 1), ("d", "a", 1)]


def test_dominated_rows_go_and_stop_deriving() -> None:
    assert agrees(shortest(), {"step": STEPS})["way"] == {("a", 0), ("b", 2), ("c", 1), ("d", 3)}


def test_a_limit_ends_the_loop_after_an_iteration() -> None:
    count = relation("count", NUMBER, limit=4)
    rules = [Rule(Atom("count", (Y,)), (Atom("count", (X,)), Compute(Y, "+", (X, Const(step, NUMBER))), Compare("<", Y, Const(100, NUMBER), Kind.NUMBER)))
             for step in (1, 2)]
    assert agrees(program_of([count], *rules, facts={"count": ((0,),)}), {})["count"] == {(i,) for i in range(5)}


def test_numbers_are_drawn_in_the_order_of_the_rows() -> None:
    name, numbered, more = relation("name", SYMBOL), relation("numbered", NUMBER, SYMBOL), relation("more", NUMBER)
    program = program_of([name, numbered, more], Rule(Atom("numbered", (X, Y)), (Atom("name", (Y,)), Compute(X, "autoinc", ()))),
                         Rule(Atom("more", (X,)), (Atom("numbered", (None, None)), Compute(X, "autoinc", ()))))
    found = agrees(program, {"name": [("c",), ("a",), ("b",)]})
    assert found["numbered"] == {(0, "a"), (1, "b"), (2, "c")} and found["more"] == {(3,)}


def test_an_iteration_tells_its_number() -> None:
    seen = relation("seen", NUMBER)
    rule = Rule(Atom("seen", (Y,)), (Atom("seen", (X,)), Compute(Y, "+", (X, Const(1, NUMBER))), Compute(Z, "iteration", ()),
                                     Compare("<", Z, Const(5, NUMBER), Kind.NUMBER)))
    assert agrees(program_of([seen], rule, facts={"seen": ((7,),)}), {})["seen"] == {(7,), (8,), (9,), (10,), (11,)}


def test_totals_within_an_ordered_component_are_those_of_each_iteration() -> None:
    start, level, high = relation("start", NUMBER, NUMBER), relation("level", NUMBER, NUMBER, choice=((0,),)), relation("high", NUMBER, NUMBER, aggregate="max")
    rules = (Rule(Atom("level", (X, Y)), (Atom("start", (X, Y)),)), Rule(Atom("high", (Const(0, NUMBER), Y)), (Atom("level", (None, Y)),)),
             Rule(Atom("level", (Y, Y)), (Atom("high", (None, X)), Compute(Y, "+", (X, Const(1, NUMBER))), Compare("<", Y, Const(6, NUMBER), Kind.NUMBER))))
    found = agrees(program_of([start, level, high], *rules), {"start": [(1, 1), (1, 2), (2, 3)]})
    assert found["high"] == {(0, 5)} and found["level"] == {(1, 1), (2, 3), (4, 4), (5, 5)}


def test_a_joined_relation_cannot_be_ordered() -> None:
    program = program_of([relation("r", NUMBER, NUMBER, aggregate="max", choice=((0,),))])
    with pytest.raises(Unsupported, match="rows of r are joined"):
        evaluate_ordered(program, ["r"], lambda name: (), {})
    with pytest.raises(Unsupported, match="rows of r are joined"):
        naive.evaluate(program)


# ---- random components

class Maker:
    """Random programs of one or two ordered components over given relations."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.given = [relation(f"e{i}", *self.types()) for i in range(3)]
        self.own = [self.ordered(f"r{i}") for i in range(self.random.randint(1, 3))]

    def types(self) -> list[core.Type]:
        return self.random.choices((NUMBER, SYMBOL, PAIR, SHAPE), (8, 4, 1, 1), k=self.random.choice((1, 2, 2, 3)))

    def ordered(self, name: str) -> core.Relation:
        types = self.types()
        columns = range(len(types))
        keys = [tuple(sorted(self.random.sample(columns, self.random.randint(1, len(columns))))) for _ in range(self.random.choice((0, 1, 1, 2)))]
        return relation(name, *types, choice=tuple(keys), limit=self.random.choice((None, None, 5, 12)))

    def value(self, type_: core.Type) -> Any:
        if type_ is PAIR:
            return self.random.choice((None, (1, "a"), (0, "b"), (1, "b")))
        if type_ is SHAPE:
            return self.random.choice((("Dot",), ("Line", 1), ("Line", 2)))
        return self.random.choice("abcd") if type_ is SYMBOL else self.random.randrange(6)

    def row(self, of: core.Relation) -> tuple[Any, ...]:
        return tuple(self.value(c.type) for c in of.columns)

    def atom(self, of: core.Relation, bound: dict[Var, core.Type], whole: bool = False) -> Atom:
        terms: list[Any] = []
        before = dict(bound)
        for column in of.columns:
            known = [v for v, t in (before if whole else bound).items() if t is column.type]
            if known and self.random.random() < 0.5:
                terms.append(self.random.choice(known))
            elif self.random.random() < 0.15:
                terms.append(Const(self.value(column.type), column.type) if whole or self.random.random() < 0.5 else None)
            else:
                terms.append(Var(f"v{len(bound)}"))
                bound[terms[-1]] = column.type
        return Atom(of.name, tuple(terms))

    def extra(self, bound: dict[Var, core.Type], number: int) -> list[core.Literal]:
        numbers = [v for v, t in bound.items() if t is NUMBER]
        fresh = Var(f"w{number}")
        kind = self.random.choice(("compare", "negate", "compute", "autoinc", "iteration", "pack", "unpack", "generate"))
        if kind == "negate" and (fitting := [r for r in self.given if all(c.type in bound.values() for c in r.columns)]):
            chosen = self.random.choice(fitting)
            return [Not(Atom(chosen.name, tuple(self.random.choice([v for v, t in bound.items() if t is c.type]) for c in chosen.columns)))]
        if kind in ("autoinc", "iteration") and self.random.random() < 0.4:
            bound[fresh] = NUMBER
            return [Compute(fresh, kind, ())]
        if kind == "unpack" and (shapes := [v for v, t in bound.items() if t is SHAPE]):
            bound[fresh] = NUMBER
            return [Unpack(self.random.choice(shapes), (fresh,), SHAPE, "Line")]
        if not numbers:
            return []
        one, other = self.random.choice(numbers), self.random.choice(numbers)
        if kind == "compute":
            bound[fresh] = NUMBER
            name = self.random.choice(("+", "-", "/", "max"))
            return [Compute(Var(f"t{number}"), name, (one, other)), Compute(fresh, "%", (Var(f"t{number}"), Const(6, NUMBER)))]
        if kind == "pack":
            bound[fresh] = SHAPE
            return [Pack(fresh, (one,), SHAPE, "Line")]
        if kind == "generate":
            bound[fresh] = NUMBER
            return [Generate(fresh, "range", (Const(0, NUMBER), Const(2, NUMBER)))]
        return [Compare(self.random.choice(("<", "!=", "<=")), one, other, Kind.NUMBER)]

    def rule(self, head: core.Relation, readable: list[core.Relation]) -> Rule:
        bound: dict[Var, core.Type] = {}
        body: list[core.Literal] = [self.atom(self.random.choice(readable), bound) for _ in range(self.random.randint(1, 3))]
        for number in range(self.random.choice((0, 0, 1, 2))):
            body += self.extra(bound, number)
        terms = []
        for column in head.columns:
            known = [v for v, t in bound.items() if t is column.type]
            terms.append(self.random.choice(known) if known else Const(self.value(column.type), column.type))
        return Rule(Atom(head.name, tuple(terms)), tuple(body))

    def subsumption(self) -> Subsumption:
        of = self.random.choice(self.own)
        bound: dict[Var, core.Type] = {}
        both = self.atom(of, bound, whole=True), self.atom(of, bound, whole=True)
        body: list[core.Literal] = []
        if self.random.random() < 0.3:
            body.append(self.atom(self.random.choice((*self.given, *self.own)), bound))
        numbers = [v for v, t in bound.items() if t is NUMBER]
        if len(numbers) > 1:
            body.append(Compare(self.random.choice(("<", "<=")), *self.random.sample(numbers, 2), Kind.NUMBER))
        return Subsumption(*both, tuple(body))

    def program(self) -> core.Program:
        rules = [self.rule(self.random.choice(self.own), self.given) for _ in range(self.random.randint(1, 3))]
        rules += [self.rule(self.random.choice(self.own), self.own + self.given) for _ in range(self.random.randint(1, 4))]
        facts = {r.name: tuple(self.row(r) for _ in range(self.random.randint(0, 3))) for r in self.own}
        subsumptions = tuple(self.subsumption() for _ in range(self.random.choice((0, 1, 1, 2))))
        # every component is ordered: relations that would not be get a limit that is never reached
        limited = [r if r.limit is not None else core.Relation(r.name, r.columns, choice=r.choice, limit=10**6) for r in self.own]
        return program_of([*self.given, *limited], *rules, facts=facts, subsumptions=subsumptions)

    def facts(self) -> dict[str, list[Any]]:
        return {r.name: [self.row(r) for _ in range(self.random.choice((2, 5, 9)))] for r in (*self.given, *self.own[:1])}


def check_seed(seed: int) -> bool:
    maker = Maker(seed)
    program, facts = maker.program(), maker.facts()
    try:
        naive.evaluate(program, facts, most_iterations=60, most_instantiations=60_000)
    except naive.TooMuch:
        return False
    agrees(program, facts)
    return True


def test_random_components_agree_with_the_definition() -> None:
    assert sum(map(check_seed, range(150))) > 100


@pytest.mark.nightly
def test_many_random_components_agree_with_the_definition() -> None:
    assert sum(map(check_seed, range(150, 5000))) > 3000
