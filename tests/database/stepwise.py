"""A small database of every kind of relation that changes step by step, and what it must be after each step."""

from __future__ import annotations

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.support.tuning import Saving, Tuning

from ..engine.comparison import difference, state_of

TEXT = """
.type Pair = [n: number, s: symbol]
.lattice Few = "ladder.lattices:k_set(2)"
.decl e(a: number, b: number)
.input e
.decl p(a: number, b: number)
p(a, b) :- e(a, b).
p(a, c) :- p(a, b), e(b, c).
.decl named(x: Pair)
named([a, to_string(b)]) :- p(a, b).
.decl few(a: number, s: Few<>)
few(a, lub(s)) :- named([a, s]).
"""


def edges(number: int) -> set[tuple[int, int]]:
    """The facts after so many changes; neighbours differ in a few."""
    return {(i, (i * i + number // (i + 1)) % 9) for i in range(9)}


def change(db: Database, number: int) -> None:
    db.update(insert={"e": sorted(edges(number))}, delete={"e": sorted(edges(number - 1) - edges(number))})


def keeping(logs: int) -> Tuning:
    """Thresholds with which so many logs may follow a base."""
    return Tuning(saving=Saving(most_logs=logs))


def scratch(number: int) -> Database:
    db = Database(Program.parse(TEXT))
    db.load_rows("e", sorted(edges(number)))
    return db


def same(one: Database, other: Database) -> bool:
    return difference(state_of(one._ready()), state_of(other._ready())) == ""
