"""Cost against size: points-to and transitive closure from 1e4 facts or rows up, CPU seconds and microseconds per row.

    python benchmarks/engine_scaling.py [--largest 1000000] [--runs 3]
"""
from __future__ import annotations

import time

import click
import numpy as np

from ladder.engine.local.engine import LocalEngine
from ladder.program import Program

if __package__:
    from .engine_pointsto import Cells, peak, random_facts, solved
else:
    from engine_pointsto import Cells, peak, random_facts, solved

CLOSURE = """
.decl edge(a: number, b: number)
.decl path(a: number, b: number)
path(a, b) :- edge(a, b).
path(a, c) :- path(a, b), edge(b, c).
"""


def dense_graph(paths: int) -> Cells:
    """A random graph in which nearly every vertex reaches every other: about `paths` paths, five edges for each vertex."""
    vertices = int(paths ** 0.5)
    return np.unique(np.random.default_rng(3).integers(0, vertices, (5 * vertices, 2)).astype(np.int32), axis=0)


def closure(paths: int) -> tuple[LocalEngine, float]:
    engine, edges = LocalEngine(Program.parse(CLOSURE).core), dense_graph(paths)
    began = time.process_time()
    engine.bootstrap({"edge": edges})
    return engine, time.process_time() - began


def pointsto(facts: int) -> tuple[LocalEngine, float]:
    return solved(random_facts(facts))


@click.command(help=__doc__)
@click.option("--largest", default=1_000_000, show_default=True)
@click.option("--runs", default=3, show_default=True)
def main(largest: int, runs: int) -> None:
    closure(100), pointsto(100)   # compile kernels, or load them
    print(f"{'':>10} {'size':>10} {'rows':>12} {'CPU s':>8} {'µs per row':>10} {'peak MB':>8}")
    for name, run in (("points-to", pointsto), ("closure", closure)):
        size = 10_000
        while size <= largest:
            seconds = []
            for _ in range(runs):
                engine, spent = run(size)
                seconds.append(spent)
            rows = sum(engine.store.row_count(engine.numbers[r]) for r in engine.program.relations)
            median = float(np.median(seconds))
            print(f"{name:>10} {size:10,} {rows:12,} {median:8.3f} {1e6 * median / rows:10.2f} {peak():8,}", flush=True)
            size *= 10


if __name__ == "__main__":
    main()
