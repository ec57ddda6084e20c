"""Bitmaps of known rows: (first, count) is what it is without them, whatever ranges they are made for and on however
many threads."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.store import Store
from ladder.engine.reference.evaluate import evaluate as naive
from ladder.language import parse

from .comparison import check_structure, difference, state_of
from .tuned import SHARED, tuned

CLOSURES = """
.decl edge(x: number, y: number)
.decl left, right, double(x: number, y: number)
.decl loop(x: number, y: number)
.output left
left(x, y) :- edge(x, y).
left(x, z) :- left(x, y), edge(y, z).
right(x, y) :- edge(x, y).
right(x, z) :- edge(x, y), right(y, z).
double(x, y) :- edge(x, y).
double(x, z) :- double(x, y), double(y, z).
loop(x, x) :- edge(x, _).
loop(x, 3) :- loop(x, y), edge(y, _).
loop(y, y) :- loop(x, x), edge(x, y).
loop(x, z) :- loop(x, y), loop(y, z).
"""
WIDER = """
.decl edge(x: number, y: number)
.decl walk(x: number, n: number, y: number)
.decl four(a: number, b: number, c: number, d: number)
.decl five(a: number, b: number, c: number, d: number, e: number)
.output walk
walk(x, 0, x) :- edge(x, _).
walk(x, n + 1, z) :- walk(x, n, y), edge(y, z), n < 5.
walk(x, n, z) :- walk(x, n, y), walk(y, _, z), edge(x, z).
four(x, n, y, y) :- walk(x, n, y), n < 2.
four(d, a, b, c) :- four(a, b, c, d).
five(x, n, y, y, 0) :- walk(x, n, y), n < 2.
five(e, a, b, c, d) :- five(a, b, c, d, e), a < 3.
"""
GROWING = """
.decl edge(x: number, y: number)
.decl number_of(x: number, n: number)
.output number_of
number_of(x, y) :- edge(x, y).
number_of(y, n * 2) :- number_of(x, n), edge(x, y), n > 0, n < 30.
number_of(y, n - 7) :- number_of(x, n), edge(x, y), n > -12.
"""
AGGREGATED = """
.lattice Length = "ladder.lattices:minimum"
.decl edge(x: number, y: number)
.decl near(x: number, y: number, d: Length<>)
.decl met(x: number, y: number)
.output near
near(x, y, as(1, Length)) :- edge(x, y).
near(x, z, as(d + e, Length)) :- near(x, y, d), near(y, z, e), met(x, z), d + e < 9.
met(x, y) :- edge(x, y).
met(x, z) :- met(x, y), near(y, z, _).
met(x, y) :- met(y, x), !edge(x, x).
"""
TEXTS = {"closures": CLOSURES, "wider": WIDER, "growing": GROWING, "aggregated": AGGREGATED}


def some_edges(source: random.Random) -> list[tuple[int, int]]:
    vertices = [source.randrange(-9, 30) for _ in range(source.choice((3, 6)))]
    return sorted({(source.choice(vertices), source.choice(vertices)) for _ in range(source.choice((4, 12)))})


def bootstrapped(text: str, edges: Sequence[tuple[int, int]], jobs: int, **tuning: object) -> LocalEngine:
    engine = LocalEngine(parse(text), jobs=jobs, tuning=tuned(**tuning))
    engine.bootstrap({"edge": engine.encode_facts("edge", edges)})
    return engine


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each bitmap that was asked for was made."""
    inner, noted = Store._make_bitmap, list[bool]()

    def make(self: Store, number: int) -> None:
        inner(self, number)
        noted.append(bool(self.relations["known"][number]))

    monkeypatch.setattr(Store, "_make_bitmap", make)
    return noted


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_state_is_that_of_the_definition(text: str, made: list[bool]) -> None:
    source = random.Random(text)
    for _ in range(25):
        edges = some_edges(source)
        engine = bootstrapped(
            text,
            edges,
            source.choice((1, 2, 3)),
            known_repeats=source.choice((0, 5)),
            known_bits_per_row=source.choice((1, 8, 1 << 16)),
            batch_size=source.choice((1, 3, 64)),
            capacity=source.choice((2, 64)),
            **{**SHARED, "shared_rows": source.choice((1, 1 << 14))},
        )
        assert not difference(state_of(engine), naive(engine.program, {"edge": edges}))
        check_structure(engine)
        assert not engine.store.relations["known"].any()  # a row that an update takes away would keep its bit
        assert not [key for key in engine.store.bulk if key[2] == "known"]
    assert set(made) == {True, False}


def test_an_update_takes_known_rows_away_and_brings_them_back(made: list[bool]) -> None:
    source = random.Random(3)
    for _ in range(20):
        edges, gone = some_edges(source), list[tuple[int, int]]()
        engine = bootstrapped(CLOSURES, edges, 1, known_repeats=0, known_bits_per_row=1 << 16)
        for _ in range(4):
            here = source.random() < 0.5 and gone or edges
            fact = here.pop(source.randrange(len(here)))
            (edges if here is gone else gone).append(fact)
            change = {"edge": engine.encode_facts("edge", [fact])}
            engine.update({} if here is gone else change, change if here is gone else {})
            engine.finish()
            assert not difference(state_of(engine), naive(engine.program, {"edge": edges}))
            if not edges:
                break
    assert made


def test_rows_outside_of_the_ranges_get_a_bitmap_for_others(made: list[bool]) -> None:
    edges = [(x, y) for x in range(1, 5) for y in range(1, 5)]
    engine = bootstrapped(GROWING, edges, 1, known_repeats=0, known_bits_per_row=1 << 16)
    assert not difference(state_of(engine), naive(engine.program, {"edge": edges}))
    assert len(made) > 2 and all(made)


def test_usual_numbers_make_one_for_a_dense_graph_and_none_for_a_tree(made: list[bool]) -> None:
    source = random.Random(1)
    dense = sorted({(source.randrange(150), source.randrange(150)) for _ in range(1500)})
    bootstrapped(CLOSURES, dense, 1)
    assert made and all(made)
    made.clear()
    bootstrapped(CLOSURES, [(x // 3, x) for x in range(1, 3000)], 1)
    assert not made
