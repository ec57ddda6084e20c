"""Constant propagation in small: a million lattice groups along chains of assignments, then single facts changed.

    python benchmarks/engine_lattice.py [--groups 1000000] [--singles 1000] [--runs 3]

Every variable at every instruction is a group of the flat lattice (written in Python; its joins are asked for once per pair
of values). Some instructions assign constants, some join two predecessors, the others pass values on.
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

RULES = """
.lattice Value = "ladder.lattices:flat"
.decl next(u: number, w: number)
.decl constant(u: number, v: number, c: number)
.decl passes(u: number, v: number)
.decl after(u: number, v: number, x: Value<>)
after(u, v, lub(c)) :- constant(u, v, c).
after(w, v, lub(x)) :- after(u, v, x), next(u, w), passes(w, v).
"""
LENGTH, VARIABLES, VALUES = 20, 5, 50


def random_facts(groups: int, seed: int = 11) -> Facts:
    """Methods of 20 instructions and 5 variables; each has a branch that joins again."""
    source = np.random.default_rng(seed)
    methods = max(1, groups // (LENGTH * VARIABLES))
    first = np.arange(methods) * LENGTH
    steps = [np.stack([first + i, first + i + 1], 1) for i in range(LENGTH - 1)]
    jump = first + source.integers(0, LENGTH // 2, methods)
    jumps = np.stack([jump, jump + source.integers(2, LENGTH // 2, methods)], 1)
    instructions, variables = np.repeat(np.arange(methods * LENGTH), VARIABLES), np.tile(np.arange(VARIABLES), methods * LENGTH)
    assigned = (source.random(len(instructions)) < 0.05) | (instructions % LENGTH == 0)
    constants = np.stack([instructions, variables, source.integers(0, VALUES, len(instructions))], 1)[assigned]
    facts = {"next": np.concatenate([*steps, jumps]), "constant": constants, "passes": np.stack([instructions, variables], 1)[~assigned]}
    return {name: np.unique(rows.astype(np.int32), axis=0) for name, rows in facts.items()}


def solved(facts: Facts) -> tuple[LocalEngine, float]:
    engine = LocalEngine(Program.parse(RULES).core)
    began = time.process_time()
    engine.bootstrap(facts)
    return engine, time.process_time() - began


@click.command(help=__doc__)
@click.option("--groups", default=1_000_000, show_default=True)
@click.option("--singles", default=1_000, show_default=True)
@click.option("--runs", default=3, show_default=True)
def main(groups: int, singles: int, runs: int) -> None:
    solved(random_facts(1000))   # compiles kernels, or loads them
    facts, seconds = random_facts(groups), []
    for _ in range(runs):
        engine, spent = solved(facts)
        seconds.append(spent)
    found = engine.store.row_count(engine.numbers["after$groups"])
    totals = engine.store.row_count(engine.numbers["after$all"])
    print(f"{sum(map(len, facts.values())):,} facts → {found:,} groups, {totals:,} totals, {engine.functions.calls:,} joins asked: "
          f"{np.median(seconds):.2f} CPU s, {1e6 * np.median(seconds) / found:.2f} µs per group, peak {peak()} MB")
    engine.prepare_updates()
    source, log = np.random.default_rng(5), []
    update(engine, {"constant": facts["constant"][:1]}, {}), update(engine, {}, {"constant": facts["constant"][:1]})
    for _ in range(singles):
        name = ("constant", "next")[source.integers(2)]
        row = facts[name][source.integers(len(facts[name]))][None]
        log += [update(engine, {name: row}, {}), update(engine, {}, {name: row})]
    print(f"delete or insert one of {singles:,}: {percentiles([spent for spent, _ in log])}; "
          f"rows changed: median {np.median([c for _, c in log]):.0f}, most {max(c for _, c in log):,}")


if __name__ == "__main__":
    main()
