"""Points-to on random facts: from scratch, then single facts deleted and inserted again, and impact against time.

    python benchmarks/engine_pointsto.py [--facts 1000000] [--singles 3000] [--runs 3]

Rules are Andersen's with an intermediate relation for the heap, split into joins of two. CPU time of the process is
what is told; medians are over whole runs, percentiles over single updates.
"""
from __future__ import annotations

import itertools
import resource
import time

import click
import numpy as np
import numpy.typing as npt

from ladder.engine.local.engine import LocalEngine
from ladder.program import Program

Cells = npt.NDArray[np.int32]
Facts = dict[str, Cells]
RULES = """
.decl new(v: number, h: number)
.decl assign(t: number, f: number)
.decl load(t: number, b: number, f: number)
.decl store(b: number, f: number, s: number)
.decl vpt(v: number, h: number)
.decl stored(g: number, f: number, s: number)
.decl loaded(g: number, f: number, t: number)
.decl hpt(g: number, f: number, h: number)
vpt(v, h) :- new(v, h).
vpt(t, h) :- assign(t, f), vpt(f, h).
stored(g, f, s) :- store(b, f, s), vpt(b, g).
loaded(g, f, t) :- load(t, b, f), vpt(b, g).
hpt(g, f, h) :- stored(g, f, s), vpt(s, h).
vpt(t, h) :- loaded(g, f, t), hpt(g, f, h).
"""
GIVEN = ("new", "assign", "load", "store")
BANDS = (0, 1, 10, 100, 1_000, 10_000, 100_000, 10_000_000)


def random_facts(count: int, seed: int = 7) -> Facts:
    """About `count` facts: short chains of assignments, with loads and stores between variables that are near."""
    source = np.random.default_rng(seed)
    variables, fields = max(8, count // 2), 50
    news, assigns, accesses = int(count * 0.3), int(count * 0.4), int(count * 0.15)

    def any_of(size: int) -> npt.NDArray[np.int64]:
        return source.integers(0, variables, size)

    def near(of: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """A variable a little before or after, of the same block of eight hundred."""
        return of - of % 800 + (of % 800 + source.integers(-40, 41, len(of))) % 800

    targets, loaded, bases = any_of(assigns), any_of(accesses), any_of(accesses)
    facts = {"new": np.stack([any_of(news), np.arange(news)], 1), "assign": np.stack([targets, near(targets)], 1),
             "load": np.stack([loaded, near(loaded), source.integers(0, fields, accesses)], 1),
             "store": np.stack([bases, source.integers(0, fields, accesses), near(bases)], 1)}
    return {name: np.unique(rows.astype(np.int32), axis=0) for name, rows in facts.items()}


def solved(facts: Facts) -> tuple[LocalEngine, float]:
    """An engine with these facts evaluated, and the CPU seconds it took."""
    engine = LocalEngine(Program.parse(RULES).core)
    began = time.process_time()
    engine.bootstrap(facts)
    return engine, time.process_time() - began


def update(engine: LocalEngine, deleted: Facts, inserted: Facts) -> tuple[float, int]:
    """One transaction: CPU milliseconds and the number of rows whose state changed."""
    began = time.process_time()
    engine.update(deleted, inserted)
    changed = engine.finish().changed_rows
    return (time.process_time() - began) * 1e3, changed


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def percentiles(values: list[float]) -> str:
    middle, high, highest = np.percentile(values, [50, 90, 99])
    return f"p50 {middle:8.3f}  p90 {high:8.3f}  p99 {highest:8.3f}  max {max(values):9.2f} ms"


@click.command(help=__doc__)
@click.option("--facts", "count", default=1_000_000, show_default=True)
@click.option("--singles", default=3_000, show_default=True)
@click.option("--runs", default=3, show_default=True, help="Bootstraps; the median counts.")
def main(count: int, singles: int, runs: int) -> None:
    solved(random_facts(100))   # compiles kernels, or loads them
    facts = random_facts(count)
    seconds = []
    for _ in range(runs):
        engine, spent = solved(facts)
        seconds.append(spent)
    rows = {name: engine.store.row_count(engine.numbers[name]) for name in engine.program.relations}
    print(f"{sum(map(len, facts.values())):,} facts → {sum(rows.values()):,} rows ({rows['vpt']:,} vpt, {rows['hpt']:,} hpt): "
          f"from scratch {np.median(seconds):.2f} CPU s, peak {peak()} MB")
    began = time.process_time()
    engine.prepare_updates()
    print(f"plans and indexes of updates {time.process_time() - began:.2f} CPU s, peak {peak()} MB")
    source, sizes = np.random.default_rng(5), np.array([len(facts[name]) for name in GIVEN])
    log: dict[str, list[tuple[float, int]]] = {"delete": [], "insert": []}
    update(engine, {"new": facts["new"][:1]}, {}), update(engine, {}, {"new": facts["new"][:1]})
    for _ in range(singles):
        name = GIVEN[source.choice(4, p=sizes / sizes.sum())]
        row = facts[name][source.integers(len(facts[name]))][None]
        log["delete"].append(update(engine, {name: row}, {}))
        log["insert"].append(update(engine, {}, {name: row}))
    for what, entries in log.items():
        print(f"{what:>7} one of {singles:,}: {percentiles([spent for spent, _ in entries])}")
    both = log["delete"] + log["insert"]
    print(f"{'rows changed':>22} {'updates':>8} {'median ms':>10} {'µs per row':>10}")
    for low, high in itertools.pairwise(BANDS):
        band = [(spent, changed) for spent, changed in both if low <= changed < high]
        if band:
            print(f"{f'{low:,} … {high:,}':>22} {len(band):8,} {np.median([s for s, _ in band]):10.3f} "
                  f"{np.median([1e3 * s / max(c, 1) for s, c in band]):10.2f}")
    print(f"peak {peak()} MB")


if __name__ == "__main__":
    main()
