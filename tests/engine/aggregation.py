"""Aggregates in recursion whose inputs come and go, followed by updates."""

from __future__ import annotations

import random

from ladder.engine.local.engine import LocalEngine
from ladder.engine.reference import evaluate as naive
from ladder.language import parse

from .comparison import check_structure, difference, state_of
from .tuned import tuned

# Aggregate inputs of e arrive at iteration 1; those that come along a chain of length n arrive at n, so totals roll
# forward.
TEXT = """
.lattice L = "ladder.lattices:{lattice}"
.decl chain(a: number, b: number)
.input chain
.decl seed(a: number, x: {carrier})
.input seed
.decl at(a: number, x: {carrier})
at(a, x) :- seed(a, x).
at(b, x) :- at(a, x), chain(a, b).
.decl total(g: number, s: L<>)
total(g, lub(x)) :- at(a, x), g = a / 40.
.decl seen(g: number, s: L)
seen(g, s) :- total(g, s).
"""


def follow(text: str, values: list, seed: int, sizes: tuple[int, ...]) -> None:
    source, program = random.Random(seed), parse(text)
    engine = LocalEngine(program, tuning=tuned(batch_size=source.choice((3, 64)), capacity=source.choice((2, 64))))
    chain = {(a, a + 1) for a in range(200) if a % 40 < 12 and source.random() < 0.8}
    seeds = {
        (40 * g + source.randrange(12), source.choice(values)) for g, size in enumerate(sizes) for _ in range(size)
    }

    def encoded(name: str, rows: set) -> dict:
        return {name: engine.encode_facts(name, sorted(rows))} if rows else {}

    engine.bootstrap({**encoded("chain", chain), **encoded("seed", seeds)})
    for step in range(8):
        expected = naive.evaluate(program, {"chain": sorted(chain), "seed": sorted(seeds)})
        assert difference(state_of(engine), expected) == "", step
        check_structure(engine)
        count = source.choice((1, 2, 10, 60))
        gone = set(source.sample(sorted(seeds), min(count, len(seeds)))) if source.random() < 0.8 else set(seeds)
        come = {
            (40 * source.randrange(len(sizes)) + source.randrange(12), source.choice(values))
            for _ in range(source.choice((0, 1, 3, 60)))
        } - gone
        cut = {edge for edge in chain if source.random() < 0.05}
        grown = {(a, a + 1) for a in range(200) if a % 40 < 12 and source.random() < 0.05} - cut
        changes = (
            {**encoded("chain", cut), **encoded("seed", gone)},
            {**encoded("chain", grown), **encoded("seed", come)},
        )
        if source.random() < 0.3:
            engine.update(*changes)
            engine.abandon()
            assert difference(state_of(engine), expected) == "", step
        engine.update(*changes)
        engine.finish()
        chain, seeds = chain - cut | grown, seeds - gone | come
