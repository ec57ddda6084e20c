"""A program with every kind of relation and value that a state may hold, and facts for it."""

from __future__ import annotations

import random

TEXT = """
.type List = [head: symbol, tail: List]
.type Tree = Leaf { x: number } | Node { l: Tree, r: Tree }
.lattice Few = "ladder.lattices:k_set(2)"
.decl e(a: symbol, b: symbol, w: number)
.input e
.decl p(a: symbol, b: symbol)
p(a, b) :- e(a, b, _).
p(a, c) :- p(a, b), e(b, c, _).
.decl near(a: symbol, b: symbol, w: number)
near(a, b, max(w)) :- e(a, b, w).
near(a, c, max(v)) :- near(a, b, w), e(b, c, u), v = min(w, u).
.decl total(a: symbol, w: number)
total(a, s) :- e(a, _, _), s = sum w : { e(a, _, w) }.
.decl few(a: symbol, s: Few<>)
few(a, lub(b)) :- e(a, b, _).
few(a, s) :- e(a, b, 1), few(b, s).
.decl list(l: List, n: number)
list(nil, 0).
list([a, l], n + 1) :- e(a, _, _), list(l, n), n < 2.
.decl tree(t: Tree)
tree($Leaf(n)) :- list(_, n).
tree($Node($Leaf(n), $Leaf(m))) :- list(_, n), list(_, m).
.decl same(a: symbol, b: symbol) eqrel
same(a, b) :- e(a, b, 3).
.decl named(a: symbol)
named(cat(a, b)) :- e(a, b, 2).
"""


def edges(seed: int, count: int) -> list[tuple[str, str, int]]:
    numbers = random.Random(seed)
    return [(f"n{numbers.randrange(9)}", f"n{numbers.randrange(9)}", numbers.randrange(6)) for _ in range(count)]


FACTS, MORE = {"e": edges(1, 24)}, {"e": [("x", "y", 1), ("n1", "x", 3), ("ü", "n2", 2)]}
ALL = {"e": FACTS["e"] + MORE["e"]}
