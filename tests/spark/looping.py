"""A program with loops of each kind, and facts for it."""

from __future__ import annotations

# Two stages with loops, negation between them, new symbols and records, aggregates with totals in cycles, one of them
# of objects.
PROGRAM = """
.lattice Names = "ladder.lattices:k_set(3)"
.functor name(s: symbol): Names = "ladder.lattices:singleton"
.decl edge(a: symbol, b: symbol, w: number)
.decl dist(a: symbol, b: symbol, w: number)
.decl from(a: symbol, names: Names<>)
.decl far(a: symbol)
.decl named(a: symbol, text: symbol)
.decl near(a: symbol)
.type Chain = [head: symbol, tail: Chain]
.decl chain(c: Chain, n: number)
dist(a, b, min(w)) :- edge(a, b, w).
dist(a, c, min(v + w)) :- dist(a, b, v), edge(b, c, w).
from(b, @name(a)) :- edge(a, b, _).
from(b, s) :- from(a, s), edge(a, b, _).
far(a) :- dist("n0", a, w), w > 2.
named(a, cat("from ", a)) :- far(a).
named(a, cat("near ", a)) :- edge(a, _, _), !far(a).
near(a) :- named(a, t), contains("near", t).
chain([a, nil], 1) :- near(a).
chain([b, c], n + 1) :- chain(c, n), c = [a, _], edge(a, b, _), n < 3.
"""

FACTS = {"edge": [(f"n{i}", f"n{i + 1}", 1) for i in range(5)] + [("n0", "n4", 9), ("n3", "n1", 1)]}
