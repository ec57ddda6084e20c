"""Programs of aggregates and of records, and facts for them."""

from __future__ import annotations

import random

AGGREGATES = """\
.lattice Few = "ladder.lattices:k_set(2)"
.decl edge(a: symbol, b: symbol, w: number)
.input edge
.decl near(a: symbol, b: symbol, w: number)
.decl total(a: symbol, w: number)
near(a, b, max(w)) :- edge(a, b, w).
near(a, c, max(v)) :- near(a, b, w), edge(b, c, u), v = min(w, u).
total(a, s) :- edge(a, _, _), s = sum w : { edge(a, _, w) }.
.decl few(a: symbol, b: Few<>)
few(a, lub(b)) :- edge(a, b, _).
few(a, b) :- edge(a, c, 1), few(c, b).
.output near
.output total
.output few
"""

RECORDS = """\
.type List = [head: symbol, tail: List]
.type Tree = Leaf { x: number } | Node { l: Tree, r: Tree }
.decl item(x: symbol)
.input item
.decl list(l: List, n: number)
.decl tree(t: Tree)
list(nil, 0).
list([x, l], n + 1) :- item(x), list(l, n), n < 3.
tree($Leaf(n)) :- list(_, n).
tree($Node($Leaf(n), $Leaf(m))) :- list(_, n), list(_, m).
.output list
.output tree
"""


def edges(seed: int, count: int) -> list[tuple[str, str, int]]:
    numbers = random.Random(seed)
    return [(f"n{numbers.randrange(30)}", f"n{numbers.randrange(30)}", numbers.randrange(20)) for _ in range(count)]
