"""Random core programs with keyed aggregates, within recursion and across components, with facts and changes.

    program, facts, changes = random_keyed(seed)

Facts: relation → set of rows; a change: (rows that go, rows that come) by relation.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from ladder.engine.reference import evaluate as naive
from ladder.language.core import (
    Atom,
    Column,
    Compare,
    Compute,
    Const,
    Kind,
    Literal,
    Not,
    Program,
    Relation,
    Rule,
    Term,
    Type,
    Var,
    verify,
)

Facts = dict[str, set[tuple[int, ...]]]
NUMBER, UNSIGNED, OBJECT = Type("number", Kind.NUMBER), Type("unsigned", Kind.UNSIGNED), Type("object", Kind.OBJECT)
MOST_INSTANTIATIONS, MOST_ITERATIONS = 20_000, 60
SIZE = 6


class Parity:
    """Exclusive or: two equal values cancel out."""

    def join(self, a: int, b: int) -> int:
        return a ^ b


class Product:
    """Product modulo a prime: 0 hides all others until it goes."""

    def join(self, a: int, b: int) -> int:
        return a * b % 7


class Signed:
    """The lowest bit is a parity, the others a maximum: a total may come back after another one."""

    def join(self, a: int, b: int) -> int:
        return (a ^ b) & 1 | max(a >> 1, b >> 1) << 1


class Case(NamedTuple):
    program: Program
    facts: Facts
    changes: list[tuple[Facts, Facts]]


def random_keyed(seed: int) -> Case:
    """The case of a seed: always the same, never too large for the naive evaluator."""
    for attempt in range(1000):
        case = _Maker(random.Random(f"{seed}.{attempt}")).case()
        try:
            for facts in states(case):
                naive.evaluate(case.program, facts, MOST_ITERATIONS, MOST_INSTANTIATIONS)
        except naive.TooMuch:
            continue
        return case
    raise AssertionError(f"no affordable case for seed {seed}")


def states(case: Case) -> list[Facts]:
    """The facts at first and after each change."""
    found = [case.facts]
    for gone, come in case.changes:
        found.append({name: rows - gone.get(name, set()) | come.get(name, set()) for name, rows in found[-1].items()})
    return found


class _Maker:
    def __init__(self, source: random.Random) -> None:
        self.random = source
        self.given = [
            Relation(f"e{i}", self.columns(arity)) for i, arity in enumerate((2, 3, source.choice((1, 2, 4))))
        ]
        self.plain = [Relation(f"p{i}", self.columns(source.choice((1, 2, 2, 3)))) for i in range(source.randint(1, 3))]
        self.keyed = [self.keyed_relation(i) for i in range(source.randint(1, 3))]

    def columns(self, arity: int) -> tuple[Column, ...]:
        return tuple(Column(f"c{i}", NUMBER) for i in range(arity))

    def keyed_relation(self, number: int) -> Relation:
        aggregate = self.random.choice(("sum", "sum", "sum", "min", "max", "parity", "product", "signed"))
        group = self.columns(self.random.choice((0, 1, 1, 2)))
        keys = tuple(Column(f"k{i}", NUMBER) for i in range(self.random.choice((1, 1, 2))))
        return Relation(f"k{number}", (*group, Column("value", NUMBER)), aggregate=aggregate, keys=keys)

    def case(self) -> Case:
        ranked = [*self.plain, *self.keyed]
        self.random.shuffle(ranked)
        rules = [
            self.rule(head, ranked[: place + (1 if self.random.random() < 0.6 else 0)], ranked)
            for place, head in enumerate(ranked)
            for _ in range(self.random.choice((1, 2, 2, 3)))
        ]
        relations = {r.name: r for r in (*self.given, *ranked)}
        program = verify(
            Program(relations, tuple(rules), lattices={"parity": Parity(), "product": Product(), "signed": Signed()})
        )
        facts = {r.name: self.rows(r, self.random.choice((3, 8, 20))) for r in self.given}
        return Case(program, facts, self.changes(facts))

    def rows(self, relation: Relation, count: int) -> set[tuple[int, ...]]:
        return {
            tuple(self.random.randrange(SIZE) for _ in relation.columns) for _ in range(self.random.randint(0, count))
        }

    def changes(self, facts: Facts) -> list[tuple[Facts, Facts]]:
        changes, now = [], {name: set(rows) for name, rows in facts.items()}
        for _ in range(self.random.randint(2, 5)):
            gone: Facts = {}
            come: Facts = {}
            for relation in self.given:
                rows = sorted(now[relation.name])
                gone[relation.name] = set(
                    self.random.sample(rows, min(len(rows), self.random.choice((0, 1, 1, 3, 10))))
                )
                come[relation.name] = self.rows(relation, self.random.choice((0, 1, 1, 3, 10))) - now[relation.name]
                now[relation.name] = now[relation.name] - gone[relation.name] | come[relation.name]
            changes.append((gone, come))
        return changes

    def rule(self, head: Relation, readable: list[Relation], ranked: list[Relation]) -> Rule:
        """A rule that reads given relations and those of `readable`, the head among them where it may be recursive."""
        body: list[Literal] = []
        known: list[Var] = []
        for _ in range(self.random.choice((1, 2, 2, 3))):
            relation = self.random.choice([*self.given, *readable, *readable])
            terms: list[Term | None] = []
            for _ in relation.columns:
                chance = self.random.random()
                if known and chance < 0.45:
                    terms.append(self.random.choice(known))
                elif chance < 0.55:
                    terms.append(None)
                elif chance < 0.6:
                    terms.append(Const(self.random.randrange(SIZE), NUMBER))
                else:
                    terms.append(Var(f"x{len(known)}.{len(body)}.{len(terms)}"))
            body.append(Atom(relation.name, tuple(terms)))
            known += [t for t in terms if isinstance(t, Var) and t not in known]
        if known and self.random.random() < 0.3:
            body.append(
                Compare(self.random.choice(("<", "!=", ">=")), self.random.choice(known), self.term(known), Kind.NUMBER)
            )
        if known and self.random.random() < 0.2:
            body.append(Not(Atom("e0", (self.random.choice(known), self.term(known)))))
        return Rule(
            Atom(head.name, tuple(self.head_term(head, place, known, body) for place in range(head.head_arity))),
            tuple(body),
        )

    def head_term(self, head: Relation, place: int, known: list[Var], body: list[Literal]) -> Term:
        """A term of a head; values of aggregates stay small, so that recursion ends."""
        term = self.term(known)
        if head.aggregate and place == head.head_arity - 1 and self.random.random() < 0.2:
            return Const(self.random.choice((0, -1, 1, 2**31 - 1, -(2**31))), NUMBER)
        small, result = Var(f"small{place}"), Var(f"value{place}")
        if isinstance(term, Var):
            body += [
                Compute(small, "+", (term, Const(self.random.randrange(3), NUMBER))),
                Compute(result, "%", (small, Const(SIZE, NUMBER))),
            ]
            return result
        return term

    def term(self, known: list[Var]) -> Term:
        return (
            self.random.choice(known)
            if known and self.random.random() < 0.85
            else Const(self.random.randrange(SIZE), NUMBER)
        )


def as_rows(facts: Facts) -> dict[str, list[Any]]:
    return {name: sorted(rows) for name, rows in facts.items()}
