"""Methods as graphs of instructions, for analyses that look at each of them."""

from __future__ import annotations

import numpy as np

from ladder_bench.robustness.shapes import Facts, Numbers, Shape, pairs


def _edges(shape: Shape, nodes: int, length: int) -> Numbers:
    """Instructions one after the other, with jumps forward and loops within methods of this length."""
    node, forward, back = np.arange(nodes), shape.real("branches", 0.02, 0.3), shape.real("loops", 0.005, 0.1)

    def jumps(chance: float, low: int, high: int) -> Numbers:
        chosen = node[shape.source.random(nodes) < chance]
        place = chosen % length + shape.source.integers(low, high, len(chosen))
        inside = (place > 0) & (place < length) & (chosen - chosen % length + place < nodes)
        return np.stack([chosen, chosen - chosen % length + place], 1)[inside]

    along = node[(node % length < length - 1) & (node < nodes - 1)]
    reach = max(3, length // 6)
    found = [np.stack([along, along + 1], 1), jumps(forward, 2, reach), jumps(back, -reach, -1)]
    return np.unique(np.concatenate(found), axis=0)


def constants(shape: Shape, size: int) -> Facts:
    """Assignments and copies of variables, with about `size` pairs of an instruction and a variable."""
    length, variables = shape.whole("method", 20, 600), shape.whole("variables", 4, 40)
    values, writes = shape.whole("constants", 2, 2000), shape.real("writes", 0.05, 0.6)
    nodes = max(2 * length, size // variables)
    kind = shape.source.random(nodes)
    node, first = np.arange(nodes), np.arange(nodes) % length == 0
    kind[first] = 1.0
    variable, other = shape.source.integers(0, variables, (2, nodes))
    assigned, copied = kind < 0.6 * writes, (kind >= 0.6 * writes) & (kind < writes)
    entries = node[first]
    entry = np.stack([np.repeat(entries, variables), np.tile(np.arange(variables), len(entries))], 1)
    passing = np.ones((nodes, variables), bool)
    passing[node[assigned | copied], variable[assigned | copied]] = False
    passing[first] = False
    constant = shape.source.integers(0, values, nodes)
    return {
        "edge": _edges(shape, nodes, length),
        "assign": np.concatenate(
            [
                np.stack([node, variable, constant], 1)[assigned],
                np.column_stack([entry, shape.source.integers(0, values, len(entry))]),
            ]
        ),
        "copy": np.stack([node, variable, other], 1)[copied],
        "passes": np.argwhere(passing),
    }


def liveness(shape: Shape, size: int) -> Facts:
    """Uses and definitions of variables, with about `size` pairs of an instruction and a live variable."""
    length, variables = shape.whole("method", 20, 1000), shape.whole("variables", 4, 100)
    uses, defines = shape.real("uses", 0.2, 2.0), shape.real("definitions", 0.1, 1.0)
    nodes = max(2 * length, int(size / max(1.0, 0.4 * variables)))

    def some(mean: float) -> Numbers:
        chosen = np.repeat(np.arange(nodes), shape.source.poisson(mean, nodes))
        return pairs(chosen, shape.any_of(variables, len(chosen)))  # type: ignore[no-any-return]

    return {"edge": _edges(shape, nodes, length), "use": some(uses), "define": some(defines)}
