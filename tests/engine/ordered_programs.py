"""Programs whose result depends on an order: small ones, and random ones by their seeds."""

from __future__ import annotations

import random
from typing import Any

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

NUMBER, SYMBOL = core.Type("number", Kind.NUMBER), core.Type("symbol", Kind.SYMBOL)
PAIR = core.Type("Pair", Kind.RECORD, (("n", "number"), ("s", "symbol")))
SHAPE = core.Type("Shape", Kind.RECORD, branches=(("Dot", ()), ("Line", (("n", "number"),))))
TYPES = {t.name: t for t in (NUMBER, SYMBOL, PAIR, SHAPE)}
X, Y, Z, U, V, W = map(Var, "xyzuvw")


def relation(name: str, *types: core.Type, **rest: Any) -> core.Relation:
    return core.Relation(name, tuple(core.Column(f"c{i}", t) for i, t in enumerate(types)), **rest)


def program_of(relations: list[core.Relation], *rules: Rule, **rest: Any) -> core.Program:
    return core.verify(core.Program({r.name: r for r in relations}, rules, types=TYPES, **rest))


def shortest(limit: int | None = None) -> core.Program:
    step, way = relation("step", SYMBOL, SYMBOL, NUMBER), relation("way", SYMBOL, NUMBER, limit=limit)
    rule = Rule(Atom("way", (Y, W)), (Atom("way", (X, U)), Atom("step", (X, Y, V)), Compute(W, "+", (U, V))))
    return program_of(
        [step, way],
        rule,
        facts={"way": (("a", 0),)},
        subsumptions=(Subsumption(Atom("way", (X, U)), Atom("way", (X, V)), (Compare("<", V, U, Kind.NUMBER),)),),
    )


STEPS = [("a", "b", 5), ("a", "c", 1), ("c", "b", 1), ("b", "d", 1), ("d", "a", 1)]


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
        keys = [
            tuple(sorted(self.random.sample(columns, self.random.randint(1, len(columns)))))
            for _ in range(self.random.choice((0, 1, 1, 2)))
        ]
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
                terms.append(
                    Const(self.value(column.type), column.type) if whole or self.random.random() < 0.5 else None
                )
            else:
                terms.append(Var(f"v{len(bound)}"))
                bound[terms[-1]] = column.type
        return Atom(of.name, tuple(terms))

    def extra(self, bound: dict[Var, core.Type], number: int) -> list[core.Literal]:
        numbers = [v for v, t in bound.items() if t is NUMBER]
        fresh = Var(f"w{number}")
        kind = self.random.choice(
            ("compare", "negate", "compute", "autoinc", "iteration", "pack", "unpack", "generate")
        )
        if kind == "negate" and (
            fitting := [r for r in self.given if all(c.type in bound.values() for c in r.columns)]
        ):
            chosen = self.random.choice(fitting)
            return [
                Not(
                    Atom(
                        chosen.name,
                        tuple(self.random.choice([v for v, t in bound.items() if t is c.type]) for c in chosen.columns),
                    )
                )
            ]
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
            return [
                Compute(Var(f"t{number}"), name, (one, other)),
                Compute(fresh, "%", (Var(f"t{number}"), Const(6, NUMBER))),
            ]
        if kind == "pack":
            bound[fresh] = SHAPE
            return [Pack(fresh, (one,), SHAPE, "Line")]
        if kind == "generate":
            bound[fresh] = NUMBER
            return [Generate(fresh, "range", (Const(0, NUMBER), Const(2, NUMBER)))]
        return [Compare(self.random.choice(("<", "!=", "<=")), one, other, Kind.NUMBER)]

    def rule(self, head: core.Relation, readable: list[core.Relation]) -> Rule:
        bound: dict[Var, core.Type] = {}
        body: list[core.Literal] = [
            self.atom(self.random.choice(readable), bound) for _ in range(self.random.randint(1, 3))
        ]
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
        rules += [
            self.rule(self.random.choice(self.own), self.own + self.given) for _ in range(self.random.randint(1, 4))
        ]
        facts = {r.name: tuple(self.row(r) for _ in range(self.random.randint(0, 3))) for r in self.own}
        subsumptions = tuple(self.subsumption() for _ in range(self.random.choice((0, 1, 1, 2))))
        # every component is ordered: relations that would not be get a limit that is never reached
        limited = [
            r if r.limit is not None else core.Relation(r.name, r.columns, choice=r.choice, limit=10**6)
            for r in self.own
        ]
        return program_of([*self.given, *limited], *rules, facts=facts, subsumptions=subsumptions)

    def facts(self) -> dict[str, list[Any]]:
        return {
            r.name: [self.row(r) for _ in range(self.random.choice((2, 5, 9)))] for r in (*self.given, *self.own[:1])
        }
