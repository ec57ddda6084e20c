"""Graphs: trees, grids, those whose degrees follow a power law, dense ones, roads."""

from __future__ import annotations

import numpy as np

from ladder_bench.robustness.shapes import Facts, Numbers, Shape, pairs


def tree(shape: Shape, size: int) -> Facts:
    """A tree, the sum of whose vertices' depths is about `size`: vertices hang on one of the last few, or of all."""
    recent = shape.whole("recent", 2, 2000)
    skew = shape.real("skew", 0.3, 3.0)
    count = size // 2
    back = 1 + (shape.source.random(count) ** skew * np.minimum(np.arange(count), recent)).astype(np.int64)
    parents = np.maximum(np.arange(count) - back, 0)
    depths = np.zeros(count, np.int64)
    for child in range(1, count):
        depths[child] = depths[parents[child]] + 1
    end = max(2, int(np.searchsorted(np.cumsum(depths), size)))
    shape.drawn |= {"vertices": end, "depth": int(depths[:end].max())}
    return {"edge": np.stack([parents[1:end], np.arange(1, end)], 1)}


def grid(shape: Shape, size: int) -> Facts:
    """A grid of one-way streets, of which some are missing, with about `size` pairs of places between which one can
    drive."""
    long, missing = shape.real("aspect", 1, 20), shape.real("missing", 0.01, 0.2)
    area = 2 * size**0.5
    width = max(2, int((area / long) ** 0.5))
    height = max(2, int(area / width))
    place = np.arange(width * height)
    right, down = place[place % width < width - 1], place[place < width * (height - 1)]
    edges = np.concatenate([np.stack([right, right + 1], 1), np.stack([down, down + width], 1)])
    return {"edge": edges[shape.source.random(len(edges)) >= missing]}


def power_law(shape: Shape, size: int) -> Facts:
    """A graph whose degrees, in and out, follow power laws."""
    vertices, degree = int(size**0.5), shape.real("degree", 1.2, 6)
    out, into = shape.real("out skew", 0.3, 1.2), shape.real("in skew", 0.3, 1.2)
    edges = int(degree * vertices)
    return {"edge": pairs(shape.skewed(vertices, edges, out), shape.skewed(vertices, edges, into))}


def dense(shape: Shape, size: int) -> Facts:
    """A random graph in which nearly every vertex reaches every other."""
    vertices, degree = int(size**0.5), shape.whole("degree", 3, 40)
    return {"edge": pairs(*shape.any_of(vertices, 2 * degree * vertices).reshape(2, -1))}


def generations(shape: Shape, size: int) -> Facts:
    """Children of one or two parents of the generation before, with about `size` pairs of the same generation."""
    depth, grows = shape.whole("generations", 3, 40), shape.real("growth", 1.0, 1.8)
    two, skew = shape.real("second parents", 0.01, 0.5), shape.real("skew", 0.05, 0.9)
    widths = grows ** np.arange(depth)
    widths = np.maximum(1, (widths * (size / (widths**2).sum()) ** 0.5)).astype(np.int64)
    starts, rows = np.concatenate([[0], np.cumsum(widths)]), []
    for n in range(1, depth):
        children = np.arange(starts[n], starts[n + 1])
        children = np.concatenate([children, children[shape.source.random(len(children)) < two]])
        rows.append(np.stack([children, starts[n - 1] + shape.skewed(int(widths[n - 1]), len(children), skew)], 1))
    return {"parent": np.unique(np.concatenate(rows), axis=0)}


def roads_in_grid(shape: Shape, size: int) -> Facts:
    """A grid of streets of random lengths, in both directions, and places to begin at: `size` distances."""
    sources, longest = shape.whole("sources", 3, 100), shape.whole("longest", 1, 1000)
    long = shape.real("aspect", 1, 10)
    places = size // sources
    width = max(2, int((places / long) ** 0.5))
    height = max(2, places // width)
    place = np.arange(width * height)
    right, down = place[place % width < width - 1], place[place < width * (height - 1)]
    ends = np.concatenate([np.stack([right, right + 1], 1), np.stack([down, down + width], 1)])
    ends = np.concatenate([ends, ends[:, ::-1]])
    return _roads(shape, ends, longest, width * height, sources)


def roads_at_random(shape: Shape, size: int) -> Facts:
    """A random graph of roads of random lengths, and places to begin at: about `size` distances."""
    sources, longest = shape.whole("sources", 3, 100), shape.whole("longest", 1, 1000)
    degree, skew = shape.real("degree", 2, 12), shape.real("skew", 0.05, 0.8)
    places = size // sources
    count = int(degree * places)
    ends = pairs(shape.any_of(places, count), shape.skewed(places, count, skew))
    return _roads(shape, ends, longest, places, sources)


def _roads(shape: Shape, ends: Numbers, longest: int, places: int, sources: int) -> Facts:
    return {
        "road": np.column_stack([ends, shape.source.integers(1, longest + 1, len(ends))]),
        "source": shape.source.choice(places, min(places, sources), replace=False)[:, None],
    }


def weighted_acyclic(shape: Shape, size: int) -> Facts:
    """An acyclic graph with lengths of edges, and a vertex to begin at: about `size` pairs of vertex and length."""
    degree, longest = shape.real("degree", 2, 16), shape.whole("longest", 1, 20)
    layers = shape.whole("layers", 10, 100)
    vertices = max(layers, int(size / (layers * longest / 2)))
    count, span = int(degree * vertices), max(1, vertices // layers)
    start = shape.any_of(vertices - 1, count)
    end = np.minimum(start + 1 + shape.any_of(2 * span, count), vertices - 1)
    edges = pairs(start[start < end], end[start < end])
    first = edges[:, 0].min()
    return {"edge": np.column_stack([edges, shape.source.integers(1, longest + 1, len(edges))]), "start": [[first]]}


def neighbourhood(shape: Shape, size: int) -> Facts:
    """`size` edges between vertices of skewed degrees."""
    degree, skew = shape.real("degree", 4, 60), shape.real("skew", 0.05, 0.8)
    vertices = max(8, int(size / degree))
    return {"edge": pairs(shape.skewed(vertices, size, skew), shape.skewed(vertices, size, skew))}


def communities(shape: Shape, size: int) -> Facts:
    """`size` edges from smaller to larger vertices, within communities or between vertices of skewed degrees."""
    degree, members = shape.real("degree", 4, 30), shape.whole("community", 10, 300)
    skew, between = shape.real("skew", 0.05, 0.9), shape.real("between", 0.05, 0.9)
    vertices = max(8, int(size / degree))
    far = int(size * between)
    one = shape.any_of(vertices, size - far)
    other = np.minimum(one - one % members + shape.any_of(members, len(one)), vertices - 1)
    x = np.concatenate([one, shape.skewed(vertices, far, skew)])
    y = np.concatenate([other, shape.skewed(vertices, far, skew)])
    low, high = np.minimum(x, y), np.maximum(x, y)
    return {"edge": pairs(low[low < high], high[low < high])}


def forests(shape: Shape, size: int) -> Facts:
    """A random graph, roots in it, and numbers to be given to its vertices: `size` pairs of a vertex and a number."""
    degree, skew = shape.real("degree", 1.5, 12), shape.real("skew", 0.05, 0.8)
    numbers = shape.real("numbers per vertex", 0.2, 2)
    vertices = max(8, int((size / numbers) ** 0.5))
    edges = pairs(shape.any_of(vertices, int(degree * vertices)), shape.skewed(vertices, int(degree * vertices), skew))
    roots = shape.source.choice(vertices, max(1, vertices // 50), replace=False)
    return {"edge": edges, "root": roots[:, None], "given": np.arange(max(1, int(numbers * vertices)))[:, None]}


def walks(shape: Shape, size: int) -> Facts:
    """A random graph, and roots from which there are about `size` walks that differ in their ends or lengths, of up to
    forty steps."""
    degree, roots = shape.real("degree", 1.5, 8), shape.whole("roots", 1, 30)
    vertices = max(8, size // (roots * 40))
    count = int(degree * vertices)
    edges = pairs(*shape.any_of(vertices, 2 * count).reshape(2, -1))
    return {"edge": edges, "root": shape.source.choice(vertices, min(vertices, roots), replace=False)[:, None]}
