"""Groups of one to two hundred aggregate inputs under random additions and removals, against joining everything
again."""

from __future__ import annotations

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.language import parse

from .aggregation import TEXT, follow

NUMBERS = (
    TEXT.replace('.lattice L = "ladder.lattices:{lattice}"\n', "")
    .replace("L<>", "number")
    .replace("s: L)", "s: number)")
    .replace("lub(", "{lattice}(")
)


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


def test_an_added_aggregate_input_costs_few_joins() -> None:
    """A group of 1,024 aggregate inputs in one wave: adding or removing one makes about ten joins, not a thousand."""
    program = parse(
        '.lattice L = "ladder.lattices:powerset"\n.decl e(g: number, x: symbol)\n.input e\n.decl '
        "t(g: number, s: L<>)\nt(g, lub(x)) :- e(g, x)."
    )
    engine = LocalEngine(program)
    engine.bootstrap({"e": engine.encode_facts("e", [(0, f"s{i % 5}/{i}") for i in range(1024)])})
    aggregate = engine.store.aggregates
    for row in [(0, "new"), (0, "s1/1"), (0, "other")]:
        before = int(aggregate["join_count"].sum())
        cells = engine.encode_facts("e", [row])
        engine.update({"e": cells} if row[1] == "s1/1" else {}, {} if row[1] == "s1/1" else {"e": cells})
        engine.finish()
        assert 0 < int(engine.store.aggregates["join_count"].sum()) - before < 40
