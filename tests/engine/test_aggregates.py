"""Groups of one to two hundred aggregands under random additions and removals, against joining everything again."""
from __future__ import annotations

import random

import pytest

from ladder.engine import naive
from ladder.engine.local.engine import LocalEngine
from ladder.language import parse

from .comparison import check_structure, difference, state_of

# Aggregands of e arrive at iteration 1; those that come along a chain of length n arrive at n, so totals roll forward.
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
NUMBERS = TEXT.replace('.lattice L = "ladder.lattices:{lattice}"\n', "").replace("L<>", "number").replace("s: L)", "s: number)").replace("lub(", "{lattice}(")


def follow(text: str, values: list, seed: int, sizes: tuple[int, ...]) -> None:
    source, program = random.Random(seed), parse(text)
    engine = LocalEngine(program, batch_size=source.choice((3, 64)), room=source.choice((2, 64)))
    chain = {(a, a + 1) for a in range(200) if a % 40 < 12 and source.random() < 0.8}
    seeds = {(40 * g + source.randrange(12), source.choice(values)) for g, size in enumerate(sizes) for _ in range(size)}

    def encoded(name: str, rows: set) -> dict:
        return {name: engine.encode_facts(name, sorted(rows))} if rows else {}

    engine.bootstrap({**encoded("chain", chain), **encoded("seed", seeds)})
    for step in range(8):
        expected = naive.evaluate(program, {"chain": sorted(chain), "seed": sorted(seeds)})
        assert difference(state_of(engine), expected) == "", step
        check_structure(engine)
        count = source.choice((1, 2, 10, 60))
        gone = set(source.sample(sorted(seeds), min(count, len(seeds)))) if source.random() < 0.8 else set(seeds)
        come = {(40 * source.randrange(len(sizes)) + source.randrange(12), source.choice(values)) for _ in range(source.choice((0, 1, 3, 60)))} - gone
        cut = {edge for edge in chain if source.random() < 0.05}
        grown = {(a, a + 1) for a in range(200) if a % 40 < 12 and source.random() < 0.05} - cut
        changes = ({**encoded("chain", cut), **encoded("seed", gone)}, {**encoded("chain", grown), **encoded("seed", come)})
        if source.random() < 0.3:
            engine.update(*changes)
            engine.abandon()
            assert difference(state_of(engine), expected) == "", step
        engine.update(*changes)
        engine.finish()
        chain, seeds = chain - cut | grown, seeds - gone | come


@pytest.mark.parametrize("lattice", ["k_set(3)", "k_set(1000)", "interval((-50, 0, 50))", "flat", "sign"])
def test_lattices_of_python(lattice: str) -> None:
    carrier = "symbol" if "set" in lattice else "number"
    values = [f"s{i}" for i in range(60)] if carrier == "symbol" else list(range(-60, 60))
    for seed in range(3):
        follow(TEXT.format(lattice=lattice, carrier=carrier), values, seed, (1, 2, 3, 30, 200))


@pytest.mark.parametrize("lattice", ["min", "max"])
def test_numbers(lattice: str) -> None:
    for seed in range(4):
        follow(NUMBERS.format(lattice=lattice, carrier="number"), list(range(-300, 300)), seed, (1, 2, 5, 50, 200))


def test_an_added_aggregand_costs_few_joins() -> None:
    """A group of 1,024 aggregands in one wave: adding or removing one makes about ten joins, not a thousand."""
    program = parse('.lattice L = "ladder.lattices:powerset"\n.decl e(g: number, x: symbol)\n.input e\n.decl t(g: number, s: L<>)\nt(g, lub(x)) :- e(g, x).')
    engine = LocalEngine(program)
    engine.bootstrap({"e": engine.encode_facts("e", [(0, f"s{i % 5}/{i}") for i in range(1024)])})
    aggregate = engine.store.aggregates
    for row in [(0, "new"), (0, "s1/1"), (0, "other")]:
        before = int(aggregate["join_count"].sum())
        cells = engine.encode_facts("e", [row])
        engine.update({"e": cells} if row[1] == "s1/1" else {}, {} if row[1] == "s1/1" else {"e": cells})
        engine.finish()
        assert 0 < int(engine.store.aggregates["join_count"].sum()) - before < 40
