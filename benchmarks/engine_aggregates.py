"""Counts, sums and least values over a million rows: in many groups and in one, from scratch, then single rows changed.

    python benchmarks/engine_aggregates.py [--rows 1000000] [--groups 100000] [--singles 1000]

Programs are written as in Soufflé: `t(g, n) :- group(g), n = sum x : { e(g, _, x) }.` CPU time of the process is what is told.
"""
from __future__ import annotations

import time

import click
import numpy as np

from ladder.engine.local.engine import LocalEngine
from ladder.program import Program

if __package__:
    from .engine_pointsto import Facts, peak, percentiles, update
else:
    from engine_pointsto import Facts, peak, percentiles, update

DECLARATIONS = """
.decl group(g: number)
.decl e(g: number, key: number, x: number)
.decl t(g: number, n: number)
.decl all(n: number)
"""
FORMS = {"count of each group": "t(g, n) :- group(g), n = count : { e(g, _, _) }.",
         "sum of each group": "t(g, n) :- group(g), n = sum x : { e(g, _, x) }.",
         "min of each group": "t(g, n) :- group(g), n = min x : { e(g, _, x) }.",
         "count of all": "all(n) :- n = count : { e(_, _, _) }.",
         "sum of all": "all(n) :- n = sum x : { e(_, _, x) }.",
         "max of all": "all(n) :- n = max x : { e(_, _, x) }."}


def random_facts(rows: int, groups: int, seed: int = 3) -> Facts:
    """`rows` rows spread over the groups at random, with values of a thousand."""
    source = np.random.default_rng(seed)
    e = np.stack([source.integers(0, groups, rows), np.arange(rows), source.integers(0, 1000, rows)], 1).astype(np.int32)
    return {"e": e, "group": np.arange(groups, dtype=np.int32)[:, None]}


def measure(name: str, rule: str, facts: Facts, singles: int) -> None:
    engine = LocalEngine(Program.parse(DECLARATIONS + rule).core)
    began = time.process_time()
    engine.bootstrap(facts)
    spent = time.process_time() - began
    engine.prepare_updates()
    source, e, log = np.random.default_rng(5), facts["e"], {"delete": [], "insert": []}
    for turn in range(-3, singles):
        row = e[source.integers(len(e))][None]
        for what, changes in (("delete", ({"e": row}, {})), ("insert", ({}, {"e": row}))):
            taken = update(engine, *changes)
            if turn >= 0:
                log[what].append(taken)
    print(f"{name:>20}: {spent:6.2f} CPU s, {1e6 * spent / len(e):.2f} µs per row, peak {peak()} MB")
    for what, entries in log.items():
        print(f"{what:>28} one: {percentiles([spent for spent, _ in entries])}; rows changed: median {np.median([c for _, c in entries]):.0f}")


@click.command(help=__doc__)
@click.option("--rows", default=1_000_000, show_default=True)
@click.option("--groups", default=100_000, show_default=True)
@click.option("--singles", default=1_000, show_default=True)
@click.option("--only", default="", help="Forms whose name contains this.")
def main(rows: int, groups: int, singles: int, only: str) -> None:
    facts = random_facts(rows, groups)
    for name, rule in FORMS.items():
        if only in name:
            measure(name, rule, facts, singles)


if __name__ == "__main__":
    main()
