"""Joins within the kernels (built in, tables, compiled functions) against the same joins asked of Python."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.saved.state import SavedState
from ladder.errors import LadderError
from ladder.language import parse

from .aggregation import TEXT, follow
from .comparison import difference, state_of
from .joins import ALL, united
from .saving import ORIGIN, opened

KEPT = [a for a in ALL if united(a, a) == a]
IN_KERNELS = ("compiled", "given", "known")


def text(lattice: str) -> str:
    return TEXT.replace("ladder.lattices:{lattice}", f"tests.engine.joins:{lattice}").format(carrier="number")


def joins_asked(engine: LocalEngine) -> int:
    """Pairs of values whose join Python was called for."""
    numbers = [number for (name, *_), number in engine.functions.numbers.items() if name.startswith("join ")]
    return int(engine.store.operations["used_slots"][numbers].sum())


@pytest.mark.parametrize("lattice", IN_KERNELS)
def test_joins_in_kernels_equal_those_of_python(lattice: str) -> None:
    for seed in range(2):
        follow(text(lattice), KEPT, seed, (1, 2, 3, 30))


@pytest.mark.parametrize("lattice", IN_KERNELS)
def test_every_pair_is_joined_alike(lattice: str) -> None:
    program = parse(
        f'.lattice L = "tests.engine.joins:{lattice}"\n.decl e(g: number, x: number)\n.input e\n'
        ".decl t(g: number, s: L<>)\nt(g, lub(x)) :- e(g, x)."
    )
    engine = LocalEngine(program)
    pairs = [(a, b) for a in KEPT for b in KEPT]
    engine.bootstrap({"e": engine.encode_facts("e", [(g, x) for g, pair in enumerate(pairs) for x in pair])})
    assert state_of(engine).finals["t"] == {(g, united(a, b)) for g, (a, b) in enumerate(pairs)}
    assert (joins_asked(engine) == 0) == (lattice != "known")


def test_a_flat_lattice_and_signs_are_never_asked_for() -> None:
    for lattice, values in (("flat", list(range(9))), ("sign", list(range(-3, 4))), ("parity", list(range(9)))):
        program = parse(
            f'.lattice L = "ladder.lattices:{lattice}"\n.decl e(g: number, x: number)\n.input e\n'
            ".decl t(g: number, s: L<>)\nt(g, lub(x)) :- e(g, x)."
        )
        engine, source = LocalEngine(program), random.Random(1)
        engine.bootstrap(
            {"e": engine.encode_facts("e", [(source.randrange(100), source.choice(values)) for _ in range(500)])}
        )
        assert int(engine.store.aggregates["join_count"].sum()) > 50
        assert joins_asked(engine) == 0


def test_a_user_lattice_is_called_once_for_each_pair() -> None:
    program = parse(text("in_python"))
    engine, source = LocalEngine(program), random.Random(2)
    rows = sorted({(40 * source.randrange(200) + 1, source.choice(KEPT)) for _ in range(5000)})
    engine.bootstrap({"seed": engine.encode_facts("seed", rows)})
    assert int(engine.store.aggregates["join_count"].sum()) > 1000
    assert 0 < joins_asked(engine) <= len(KEPT) * (len(KEPT) - 1) // 2


def test_a_function_that_cannot_be_compiled_is_told() -> None:
    with pytest.raises(LadderError, match="cannot be compiled by numba"):
        LocalEngine(parse(text("wrong")))


@pytest.mark.parametrize("lattice", ["compiled", "given"])
def test_saved_states_find_tables_and_functions_again(lattice: str, tmp_path: Path) -> None:
    program, source = parse(text(lattice)), random.Random(3)
    engine = LocalEngine(program)
    rows = [(40 * source.randrange(20) + 1, source.choice(KEPT)) for _ in range(60)]
    engine.bootstrap({"seed": engine.encode_facts("seed", rows)})
    engine.prepare_updates()
    SavedState(tmp_path).save(engine, ORIGIN, "")
    again, _ = opened(tmp_path, program)
    change = {"seed": engine.encode_facts("seed", [(40 * g + 1, x) for g in range(20) for x in (1, 2, 4)])}
    for either in (engine, again):
        either.update({}, change)
        either.finish()
    assert difference(state_of(again), state_of(engine)) == ""


def test_a_join_of_no_lattice_is_told_where_it_shows() -> None:
    """10, then 4, then 1 arrive; their totals are 10, 7 and 4, which was not the total when it arrived."""
    program = parse(
        '.lattice L = "tests.engine.joins:middle"\n.decl step(i: number, x: number)\n.input step\n.decl at(i: number)\n'
        ".decl t(g: number, s: L<>)\nat(0).\nat(i + 1) :- at(i), i < 5, t(0, _).\nt(0, lub(x)) :- at(i), step(i, x)."
    )
    with pytest.raises(LadderError, match="not that of a lattice"):
        engine = LocalEngine(program)
        engine.bootstrap({"step": engine.encode_facts("step", [(0, 10), (1, 4), (2, 1)])})
