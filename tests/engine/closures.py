"""Transitive closures over random pairs."""

from __future__ import annotations

import numpy as np

CLOSURE = """
.decl e(x: number, y: number)
.decl f(x: number, y: number)
.decl p(x: number, y: number)
.decl q(x: number, y: number, z: number)
.decl r(x: number, z: number)
p(x, y) :- e(x, y).
p(x, z) :- p(x, y), e(y, z).
q(x, y, z) :- p(x, y), f(y, z), x < z.
r(x, z) :- q(x, _, z), !f(x, z).
r(x, z) :- r(x, y), r(y, z), f(z, _).
"""


def pairs(count: int, nodes: int, seed: int) -> list[tuple[int, int]]:
    return [tuple(row) for row in np.random.default_rng(seed).integers(0, nodes, (count, 2)).tolist()]
