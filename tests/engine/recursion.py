"""Random recursion: one program with facts and changes by chance."""

from __future__ import annotations

import random

from .programs import Case, Rows

RECURSION = """
.decl edge(x: number, y: number)
.decl node(x: number)
.decl start(x: number)
.decl path(x: number, y: number)
.decl even(x: number, y: number)
.decl odd(x: number, y: number)
.decl reached(x: number)
.decl apart(x: number, y: number)
.decl steps(x: number, n: number)
.decl far(x: number, n: number)
.input edge
.input node
.input start
.input path
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), path(y, z).
odd(x, y) :- edge(x, y).
odd(x, z) :- even(x, y), edge(y, z).
even(x, z) :- odd(x, y), odd(y, z), x != z.
even(x, y) :- even(y, x), node(x), node(y).
reached(x) :- start(x).
reached(y) :- reached(x), edge(x, y), !start(y).
apart(x, y) :- reached(x), node(y), !path(x, y), !odd(y, x).
apart(x, y) :- apart(y, x), edge(x, z), path(z, y).
steps(x, 0) :- start(x).
steps(y, n + 1) :- steps(x, n), edge(x, y), n < 4.
far(x, max(n)) :- steps(x, n).
"""


def recursive_case(seed: int) -> Case:
    """Cycles, rules that are recursive in two literals, negation and an aggregate above, on a small graph."""
    source = random.Random(seed)
    size = source.choice([4, 6, 9])
    every: Rows = {
        "edge": [(x, y) for x in range(size) for y in range(size)],
        "node": [(x,) for x in range(size)],
        "start": [(x,) for x in range(size)],
        "path": [(x, y) for x in range(size) for y in range(size)],
    }
    share = {"edge": source.choice([0.12, 0.25]), "node": 0.6, "start": 0.25, "path": 0.05}
    facts: Rows = {name: [row for row in rows if source.random() < share[name]] for name, rows in every.items()}
    now, changes = {name: set(rows) for name, rows in facts.items()}, []
    for _ in range(4):
        change: dict[str, Rows] = {"delete": {}, "insert": {}}
        for name, rows in every.items():
            moved = source.choice([0.03, 0.3]) if name != "path" else 0.03
            gone, came = (
                [
                    row
                    for row in rows
                    if (row in now[name]) == there and source.random() < moved * (1 if there else share[name])
                ]
                for there in (True, False)
            )
            change["delete"][name], change["insert"][name] = gone, came
            now[name] = now[name] - set(gone) | set(came)
        changes.append(change)
    return Case(RECURSION, facts, changes)
