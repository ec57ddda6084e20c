"""Intermediates of bootstraps: (first, count) is what it is without them, whatever is chosen and on however many
threads."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.intermediates import Intermediates
from ladder.engine.reference.evaluate import evaluate as naive
from ladder.language import parse
from ladder.support.tuning import Planning, Tuning
from ladder_bench.workloads import modules, modules_around_library

from .comparison import check_structure, difference, state_of
from .tuned import SHARED, tuned

ALWAYS = Planning(
    intermediate_from=0,
    intermediate_weighed=0,
    intermediate_matches=0,
    intermediate_share=float("inf"),
    intermediate_rows=1e9,
    most_intermediate_rows=1e9,
)
DECLARATIONS = """
.decl new(v: number, o: number)
.decl assign(v: number, w: number)
.decl load(t: number, b: number, f: number)
.decl store(b: number, f: number, q: number)
.decl vpt(v: number, o: number)
.decl hpt(o: number, f: number, p: number)
.decl skipped(o: number)
.output vpt
.output hpt
"""
POINTS_TO = f"""{DECLARATIONS}
vpt(v, o) :- new(v, o).
vpt(v, o) :- assign(v, w), vpt(w, o).
hpt(b, f, o) :- store(p, f, q), vpt(p, b), vpt(q, o).
vpt(v, o) :- load(v, y, f), vpt(y, b), hpt(b, f, o).
"""
ONE_RULE = f"""{DECLARATIONS}
vpt(v, o) :- new(v, o).
vpt(v, o) :- assign(v, w), vpt(w, o).
vpt(v, o) :- load(v, y, f), store(p, f, q), vpt(q, o), vpt(p, b), vpt(y, b), !skipped(b), v != y.
"""
WIDE = f"""{DECLARATIONS}
vpt(v, o) :- new(v, o).
vpt(v, o) :- vpt(v, o1), assign(w, v), vpt(w, o2), o = (o1 + o2) % 7.
hpt(o, _f, p) :- vpt(v, o), vpt(v, p), new(v, _), load(_, v, _f), store(_, _f, v).
vpt(v, p) :- hpt(o, 1, p), vpt(v, o), vpt(v, p2), hpt(p2, f, _), load(v, _, f).
"""
TOTALS = """
.lattice Length = "ladder.lattices:minimum"
.decl edge(x: number, y: number)
.decl near(x: number, y: number, d: Length<>)
.output near
near(x, y, as(1, Length)) :- edge(x, y).
near(x, z, as(d + e, Length)) :- near(x, y, d), near(y, z, e), edge(x, w), edge(w, z), d + e < 9.
"""
SHAPES = {
    "new": (8, 7),
    "assign": (8, 8),
    "load": (8, 8, 2),
    "store": (8, 2, 8),
    "skipped": (7,),
    "edge": (8, 8),
}


def facts_of(text: str, source: random.Random) -> dict[str, list[tuple[int, ...]]]:
    most = source.choice((6, 14))
    return {
        name: [tuple(source.randrange(n) for n in shape) for _ in range(source.randrange(most))]
        for name, shape in SHAPES.items()
        if f".decl {name}(" in text
    }


def bootstrapped(text: str, facts: dict[str, list[tuple[int, ...]]], jobs: int, tuning: Tuning) -> LocalEngine:
    engine = LocalEngine(parse(text), jobs=jobs, tuning=tuning)
    engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts.items()})
    return engine


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the intermediates that were made."""
    names: list[str] = []
    add = Intermediates._add

    def noted(self: Intermediates, engine: LocalEngine, rule: object, inside: frozenset[int]) -> None:
        add(self, engine, rule, inside)  # type: ignore[arg-type]
        names.extend(self.empty)

    monkeypatch.setattr(Intermediates, "_add", noted)
    return names


@pytest.mark.parametrize("text", [POINTS_TO, ONE_RULE, WIDE, TOTALS], ids=["points-to", "one rule", "wide", "totals"])
def test_state_is_that_of_the_definition(text: str, made: list[str]) -> None:
    source = random.Random(text)
    for _ in range(25):
        facts = facts_of(text, source)
        tuning = tuned(
            planning=ALWAYS,
            replanned_rows=1,
            replanned_growth=source.choice((1, 2)),
            batch_size=source.choice((1, 3, 64)),
            capacity=source.choice((2, 64)),
            **{**SHARED, "shared_rows": source.choice((1, 1 << 14))},
        )
        engine = bootstrapped(text, facts, source.choice((1, 2, 3)), tuning)
        assert not difference(state_of(engine), naive(engine.program, facts))
        check_structure(engine)
        assert not any("$part" in name for name in engine.numbers) and len(engine.numbers) == len(
            engine.store.relations
        )
    assert made


def test_one_that_outgrows_its_use_is_given_up(made: list[str]) -> None:
    source, small = (
        random.Random(5),
        replace(ALWAYS, intermediate_rows=0.1, most_intermediate_rows=0.1),
    )
    for _ in range(10):
        facts = facts_of(POINTS_TO, source)
        engine = bootstrapped(POINTS_TO, facts, 1, tuned(planning=small, replanned_rows=1, replanned_growth=1))
        assert not difference(state_of(engine), naive(engine.program, facts))
        check_structure(engine)
    assert made


@pytest.mark.parametrize("text", [POINTS_TO, ONE_RULE, WIDE, TOTALS], ids=["points-to", "one rule", "wide", "totals"])
def test_one_that_outgrows_its_use_within_an_iteration_is_given_up_there(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those beside it begin again; what the iteration derives is derived once."""
    given_up, begun_again = _noted(monkeypatch, "_take_away"), _noted(monkeypatch, "_begin_again")
    source = random.Random(text)
    for _ in range(25):
        facts, rows = facts_of(text, source), source.choice((0.0, 0.2, 0.5, 1.0))
        planning = replace(
            ALWAYS,
            intermediate_rows=rows,
            most_intermediate_rows=rows * source.choice((1, 4)),
            most_weighed=source.choice((0, 1 << 20)),
        )
        tuning = tuned(
            planning=planning,
            replanned_rows=1,
            replanned_growth=1,
            batch_size=source.choice((1, 3)),
            capacity=source.choice((2, 64)),
            first_budget=1,
            most_budget=1,
        )
        engine = bootstrapped(text, facts, source.choice((1, 2)), tuning)
        assert not difference(state_of(engine), naive(engine.program, facts))
        check_structure(engine)
    assert given_up
    assert begun_again or text in (ONE_RULE, TOTALS)  # which have one rule each that may have one


def _noted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[str]:
    """The names of the intermediates with which this method is called from now on."""
    inner, noted = getattr(Intermediates, name), list[str]()

    def note(self: Intermediates, engine: LocalEngine, rule: object) -> None:
        noted.append(self.of[id(rule)].name)
        inner(self, engine, rule)

    monkeypatch.setattr(Intermediates, name, note)
    return noted


def test_a_triangle_is_looked_at_once(made: list[str]) -> None:
    """By the usual thresholds; rows, first iterations and counts are those of a bootstrap that never makes one."""
    workload = modules(50_000)
    found = []
    for planning in (Planning(), Planning(intermediate_from=1 << 60)):
        engine = LocalEngine(parse(workload.path.read_text()), tuning=tuned(planning=planning))
        engine.bootstrap({name: rows.astype(np.int32) for name, rows in modules_around_library(50_000).items()})
        found.append([_sorted(engine.store.present(engine.numbers[name])) for name in ("vpt", "hpt")])
        assert bool(made) == (planning == Planning())
        made.clear()
    for ours, theirs in zip(*found, strict=True):
        assert (ours == theirs).all()
    assert workload.rows == {name: len(rows) for name, rows in zip(("vpt", "hpt"), found[0], strict=True)}


def _sorted(state: tuple[np.ndarray, np.ndarray, np.ndarray]) -> np.ndarray:
    """Rows with (first, count), in order."""
    table = np.column_stack(state)
    return table[np.lexsort(table.T[::-1])]
