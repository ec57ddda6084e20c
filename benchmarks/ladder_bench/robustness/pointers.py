"""Programs as facts: variables, fields and calls of modules around a shared library, in static single assignment."""

from __future__ import annotations

import numpy as np

from ladder_bench.robustness.shapes import Facts, Numbers, Shape, pairs


def modules(shape: Shape, size: int) -> Facts:
    """About `size` facts: variables in modules, which share a library module with others; fields of exponential
    popularity."""
    module, shared = shape.whole("module", 20, 400), shape.whole("modules per library", 3, 400)
    fields, decay = shape.whole("fields", 4, 400), shape.real("field popularity", 0.05, 1.0)
    out, news = shape.real("outside", 0.001, 0.03), shape.real("objects", 0.2, 0.35)
    moves = shape.real("assignments", 0.3, 0.4)
    variables = max(2 * module, int(shape.real("variables", 0.5, 0.7) * size))
    loads = stores = int(size * max(0.05, (1 - news - moves) / 2))

    def of_module(of: Numbers) -> Numbers:
        there = np.where(shape.source.random(len(of)) < out, of - of % (shared * module), of - of % module)
        return np.minimum(there + shape.any_of(module, len(of)), variables - 1)

    objects, targets = int(size * news), shape.any_of(variables, int(size * moves))
    loaded, stored = shape.any_of(variables, loads), shape.any_of(variables, stores)
    return {
        "new": pairs(shape.any_of(variables, objects), np.arange(objects)),
        "assign": pairs(targets, of_module(targets)),
        "load": pairs(loaded, of_module(loaded), shape.popular(fields, loads, decay)),
        "store": pairs(of_module(stored), shape.popular(fields, stores, decay), stored),
    }


def assignments_once(shape: Shape, size: int) -> Facts:
    """About `size` facts of methods in static single assignment: each variable is assigned once, of one before it or
    joined of two; parameters come from variables of other methods."""
    length, fields = shape.whole("method", 10, 300), shape.whole("fields", 3, 100)
    near, decay = shape.whole("distance", 3, 40), shape.real("field popularity", 0.05, 1.0)
    joined, called = shape.real("joins", 0.1, 0.6), shape.real("calls", 0.02, 0.1)
    count = max(2 * length, int(size * 0.9))
    variable, kind = np.arange(count), shape.source.random(count)
    first = variable % length == 0
    kind[first] = 0.0

    def before(of: Numbers) -> Numbers:
        """A variable of the same method a little before; those at its begin: its first one."""
        found: Numbers = np.maximum(of - 1 - shape.any_of(near, len(of)), of - of % length)
        return found

    new, loads = variable[kind < 0.25], variable[(kind >= 0.25) & (kind < 0.4)]
    stores, moves = variable[(kind >= 0.4) & (kind < 0.55)], variable[kind >= 0.55]
    both = moves[shape.source.random(len(moves)) < joined]
    parameters = variable[(variable % length < 3) & (shape.source.random(count) < called * length)]
    return {
        "new": pairs(new, new),
        "assign": np.unique(
            np.concatenate(
                [
                    np.stack([moves, before(moves)], 1),
                    np.stack([both, before(both)], 1),
                    np.stack([parameters, shape.any_of(count, len(parameters))], 1),
                ]
            ),
            axis=0,
        ),
        "load": pairs(loads, before(loads), shape.popular(fields, len(loads), decay)),
        "store": pairs(before(stores), shape.popular(fields, len(stores), decay), before(stores)),
    }


def dereferences(shape: Shape, size: int) -> Facts:
    """About `size` facts of functions in C: assignments, most of them within functions, and what is dereferenced."""
    function, out = shape.whole("function", 10, 120), shape.real("outside", 0.002, 0.03)
    share, moves = shape.real("dereferences", 0.1, 0.5), shape.real("assignments", 0.4, 0.9)
    skew = shape.real("skew", 0.05, 0.7)
    variables = max(function, int(size * (1 - share) / moves))
    targets = shape.any_of(variables, int(size * (1 - share)))
    inside = targets - targets % function
    near = np.minimum(inside + shape.skewed(function, len(targets), skew), variables - 1)
    far = shape.any_of(variables, len(targets))
    pointers = shape.any_of(variables, int(size * share))
    values = pointers - pointers % function + shape.any_of(function, len(pointers))
    return {
        "assign": pairs(targets, np.where(shape.source.random(len(targets)) < out, far, near)),
        "dereference": pairs(pointers, np.minimum(values, variables - 1)),
    }


def objects_with_methods(shape: Shape, size: int) -> Facts:
    """About `size` facts of methods of classes under a hierarchy, with virtual calls by signatures of skewed
    popularity, each of which several classes implement."""
    locals_, fields = shape.whole("locals", 10, 40), shape.whole("fields", 5, 80)
    skew, sites = shape.real("signature skew", 0.1, 1.0), shape.real("calls", 0.1, 0.18)
    overriding = shape.whole("overriding", 2, 12)
    signatures = max(2, size // (3 * locals_) // overriding)
    methods, types = signatures * overriding, max(2, size // (4 * signatures))
    variable = np.arange(methods * locals_)
    method, place = variable // locals_, variable % locals_
    kind = np.where(place >= 2, shape.source.random(len(variable)), -1.0)  # 0: this; 1: the parameter

    def local(of: Numbers) -> Numbers:
        """An earlier variable of the same method."""
        found: Numbers = (
            of - of % locals_ + (shape.source.random(len(of)) * np.maximum(of % locals_, 1)).astype(np.int64)
        )
        return found

    new, move = variable[(kind >= 0) & (kind < 0.2)], variable[(kind >= 0.2) & (kind < 0.45)]
    load, store = variable[(kind >= 0.45) & (kind < 0.6)], variable[(kind >= 0.6) & (kind < 0.7)]
    call = variable[kind >= 1 - sites]
    allocated = np.maximum(
        new[np.maximum(np.searchsorted(new, local(call), side="right") - 1, 0)], call - call % locals_
    )
    receivers = np.where(allocated < call, allocated, call - call % locals_)
    type_, signature = (part.ravel() for part in np.indices((types, signatures)))
    return {
        "entry": np.arange(0, methods, 3)[:, None],
        "alloc": pairs(new, new, method[new]),
        "move": pairs(move, local(move)),
        "load": pairs(load, local(load), shape.popular(fields, len(load), 0.2)),
        "store": pairs(local(store), shape.popular(fields, len(store), 0.2), local(store)),
        "call": pairs(call, receivers, shape.skewed(signatures, len(call), skew)),
        "actual": pairs(call, np.zeros_like(call), local(call)),
        "assigned": pairs(call, call),
        "this": pairs(np.arange(methods), np.arange(methods) * locals_),
        "formal": pairs(np.arange(methods), np.zeros(methods, np.int64), np.arange(methods) * locals_ + 1),
        "returned": pairs(np.arange(methods), np.arange(methods) * locals_ + locals_ - 1),
        "typeOf": pairs(new, shape.any_of(types, len(new))),
        "dispatch": pairs(type_, signature, signature * overriding + type_ * overriding // types),
    }


def flows(shape: Shape, size: int) -> Facts:
    """About `size` facts: methods that pass values on, objects in fields, sources of several labels, few sanitizers."""
    locals_, labels = shape.whole("locals", 5, 60), shape.whole("labels", 1, 60)
    callees, fields = shape.real("callees", 1, 6), shape.whole("fields", 3, 100)
    spread, stops = shape.real("points-to set", 1, 12), shape.real("sanitized", 0.002, 0.1)
    variables = int(size / 3.5)
    methods, variable = max(1, variables // locals_), np.arange(variables)

    def local(of: Numbers) -> Numbers:
        found: Numbers = np.minimum(of - of % locals_ + shape.any_of(locals_, len(of)), variables - 1)
        return found

    def some(share: float) -> Numbers:
        return variable[shape.source.random(variables) < share]

    moves, loads, stores, sites, objects = some(0.9), some(0.2), some(0.2), some(0.15), some(0.3)
    targets = np.repeat(sites, 1 + shape.source.poisson(callees - 1, len(sites)))
    first = np.arange(methods) * locals_
    sources = shape.source.choice(variables, max(1, int(shape.real("sources", 0.005, 0.05) * variables)), replace=False)
    holders = np.repeat(objects, 1 + shape.source.poisson(spread - 1, len(objects)))
    return {
        "source": pairs(sources, shape.any_of(labels, len(sources))),
        "sink": some(0.05)[:, None],
        "sanitized": some(stops)[:, None],
        "assign": pairs(moves, local(moves)),
        "points": pairs(holders, shape.popular(variables // 10 + 1, len(holders), 0.5)),
        "load": pairs(loads, local(loads), shape.popular(fields, len(loads), 0.2)),
        "store": pairs(local(stores), shape.popular(fields, len(stores), 0.2), local(stores)),
        "actual": pairs(sites, np.zeros_like(sites), local(sites)),
        "formal": pairs(np.arange(methods), np.zeros(methods, np.int64), first),
        "callee": pairs(targets, shape.any_of(methods, len(targets))),
        "returned": pairs(np.arange(methods), np.minimum(first + locals_ - 1, variables - 1)),
        "assigned": pairs(sites, local(sites)),
    }
