"""Look-ups that are done with the membership tests of what they find: rows, first iterations and counts are those of
the definition, whichever block leads, after changes, and on however many threads."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ladder.engine.local.bootstrap_plans import bootstrap_plans
from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels import layout as L
from ladder.engine.reference.evaluate import evaluate as naive
from ladder.language import parse
from ladder.support.tuning import Tuning

from .comparison import check_structure, difference, state_of
from .tuned import SHARED, tuned

DECLARATIONS = """
.decl edge(x: number, y: number)
.decl other(x: number, y: number)
.decl wide(x: number, y: number, z: number)
.decl path(x: number, y: number)
.decl triangle(x: number, y: number, z: number)
.decl clique(a: number, b: number, c: number, d: number)
.decl corner(x: number, z: number)
.output path
.output triangle
.output clique
.output corner
"""
PROGRAMS = {
    "triangles": "triangle(x, y, z) :- edge(x, y), edge(y, z), edge(x, z).",
    "two relations": "triangle(x, y, z) :- edge(x, y), edge(y, z), other(x, z).",
    "cliques": "clique(a, b, c, d) :- edge(a, b), edge(b, c), edge(c, d), edge(a, c), edge(b, d), edge(a, d).",
    "a list leads": """
corner(x, z) :- wide(x, z, _), edge(x, y), edge(z, y).
corner(x, z) :- edge(x, y), wide(y, z, _), other(x, z).
""",
    "value unused": "corner(x, y) :- edge(x, y), edge(y, z), other(x, z).",
    "in recursion": """
path(x, y) :- edge(x, y).
path(x, z) :- path(x, y), path(y, z), other(x, z).
path(x, z) :- path(y, x), path(y, z), path(x, w), path(z, w), other(w, y).
corner(x, z) :- path(x, y), corner(y, z), path(x, z).
corner(x, y) :- edge(x, y), edge(y, x).
""",
    "ordered": "triangle(x, y, z) :- edge(x, y), edge(y, z), edge(x, z), x < z, !other(x, z).",
}


def facts_of(source: random.Random, vertices: int, edges: int) -> dict[str, list[tuple[int, ...]]]:
    """Edges whose ends are skewed, so that either block may be the shorter one."""

    def vertex() -> int:
        return min(source.randrange(vertices), source.randrange(vertices))

    return {
        "edge": [(vertex(), vertex()) for _ in range(edges)],
        "other": [(vertex(), vertex()) for _ in range(edges)],
        "wide": [(vertex(), vertex(), source.randrange(3)) for _ in range(edges)],
    }


def engine_of(text: str, facts: dict[str, list[tuple[int, ...]]], jobs: int, tuning: Tuning) -> LocalEngine:
    program = parse(DECLARATIONS + text)
    engine = LocalEngine(program, jobs=jobs, tuning=tuning)
    engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts.items() if name in engine.numbers})
    return engine


@pytest.mark.parametrize("name", PROGRAMS)
def test_states_are_those_of_the_definition(name: str) -> None:
    source, text = random.Random(name), PROGRAMS[name]
    for jobs in (1, 2, 3, 7):
        facts = facts_of(source, source.choice((4, 9)), source.choice((10, 40)))
        tuning = tuned(batch_size=source.choice((1, 3, 64)), **SHARED)
        engine = engine_of(text, facts, jobs, tuning)
        expected = naive(parse(DECLARATIONS + text), facts)
        assert not difference(expected, state_of(engine))
        check_structure(engine)


@pytest.mark.parametrize("name", PROGRAMS)
def test_updates_end_in_the_state_of_a_bootstrap(name: str) -> None:
    source, text = random.Random(f"updates {name}"), PROGRAMS[name]
    facts, later = facts_of(source, 8, 30), facts_of(source, 8, 30)
    engine = engine_of(text, facts, 1, Tuning())
    engine.update(
        {n: engine.encode_facts(n, rows) for n, rows in facts.items() if n in engine.numbers},
        {n: engine.encode_facts(n, rows) for n, rows in later.items() if n in engine.numbers},
    )
    engine.finish()
    assert not difference(naive(parse(DECLARATIONS + text), later), state_of(engine))


def test_the_shortest_block_leads() -> None:
    """A vertex with many neighbours costs its neighbours' degrees, whichever atom the order comes to first."""
    star = [(0, n) for n in range(1, 2001)]
    facts = {"edge": [*star, *((n, n + 1) for n in range(1, 2000))]}
    for body in ("edge(x, y), edge(y, z), edge(x, z)", "edge(x, y), edge(x, z), edge(y, z)"):
        engine = engine_of(f"triangle(x, y, z) :- {body}.", facts, 1, Tuning())
        (position,) = [n for n, c in enumerate(engine.expanded.components) if "triangle" in c.names]
        component = engine.expanded.components[position]
        plans = bootstrap_plans(engine, position, component, component.rules)
        probes = plans.steps[plans.steps["kind"] == L.PROBE]
        assert probes["constant"].tolist() == [1]
        fixpoint = np.zeros(1, L.FIXPOINT)[0]
        fixpoint.active, fixpoint.rows_planned_for, fixpoint.matches_planned_for = 1, L.UNBOUNDED, L.UNBOUNDED
        engine.evaluate(fixpoint, plans)
        assert int(plans.plans["matches"].sum()) < 5 * 2000
        assert engine.store.row_count(engine.numbers["triangle"]) == 1999


def test_many_entries_are_looked_at_in_several_calls() -> None:
    """Kernels stop between blocks that have nothing in common, so that limits are looked at."""
    facts = {
        "edge": [(x, y) for x in range(40) for y in range(100, 160)],
        "other": [(x, y) for x in range(100, 160) for y in range(40)],
    }
    engine = engine_of(PROGRAMS["two relations"], facts, 1, tuned(batch_size=2))
    assert engine.store.row_count(engine.numbers["triangle"]) == 0
