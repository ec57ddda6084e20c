"""Two small programs over edges, and databases of them."""

from __future__ import annotations

from typing import Any

from ladder.api.database import Database
from ladder.api.program import Program

ROADS = """
.decl edge(a: symbol, b: symbol)
.input edge
.decl weight(a: symbol, n: number, u: unsigned, x: float)
.input weight
.decl path(a: symbol, b: symbol)
.output path
path(a, b) :- edge(a, b).
path(a, c) :- path(a, b), edge(b, c).
.decl closed(a: symbol)
closed("x").
.decl open(a: symbol)
open(b) :- path("a", b), !closed(b).
.decl steps(b: symbol, n: number)
.output steps
steps("a", min(0)) :- edge("a", _).
steps(b, min(n + 1)) :- steps(a, n), edge(a, b).
"""

LATTICES = """
.lattice Few = "ladder.lattices:k_set(2)"
.decl fact(v: symbol, h: symbol)
.input fact
.decl flow(f: symbol, t: symbol)
.input flow
.decl points(v: symbol, s: Few<>)
.output points
points(v, lub(h)) :- fact(v, h).
points(t, lub(s)) :- points(f, s), flow(f, t).
"""

EDGES = [("a", "b"), ("b", "c"), ("c", "d")]


def database(text: str = ROADS, **facts: Any) -> Database:
    db = Database(Program.parse(text))
    db.bootstrap(facts)
    return db
