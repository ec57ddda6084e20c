"""Sizes of joins by samples: exact where a sample may have all rows, close to it where not; and the intermediates that
they choose."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping

import numpy as np
import pytest

from ladder.language import parse
from ladder.language.core import Atom, Const, Rule, Var
from ladder.plan.intermediates import atoms_of
from ladder.plan.sampling import Sample, Samples, Tables
from ladder.plan.weighing import best_part, cost_without

RULES = """
.decl a(x: number, y: number)
.decl b(x: number, y: number)
.decl c(x: number, y: number, z: number)
.decl p(x: number, y: number)
.output p
p(x, z) :- a(x, y), b(y, z), c(z, x, w), a(w, w).
p(x, z) :- a(x, 1), b(x, y), b(y, z), c(z, z, _).
p(x, x) :- a(x, y), b(y, x), p(x, y), b(z, z).
"""
ONE_RULE = """
.decl new(v: number, o: number)
.decl load(t: number, b: number, f: number)
.decl store(b: number, f: number, q: number)
.decl vpt(v: number, o: number)
.output vpt
vpt(v, o) :- new(v, o).
vpt(v, o) :- load(v, y, f), store(p, f, q), vpt(q, o), vpt(p, b), vpt(y, b).
"""


def constant(term: Const) -> int:
    assert isinstance(term.value, int)
    return term.value


def samples_of(rule: Rule, cells: Mapping[str, np.ndarray], size: int, few: int = 6) -> Samples:
    return Samples(atoms_of(rule), Tables(cells.__getitem__), constant, size, few)


def rows_of(atoms: list[Atom], cells: Mapping[str, np.ndarray]) -> list[dict[Var, int]]:
    """The rows of a join, by its definition."""
    found: list[dict[Var, int]] = [{}]
    for atom in atoms:
        found = [
            known
            for row, before in itertools.product(cells[atom.relation].tolist(), found)
            if (known := matched(atom, row, before)) is not None
        ]
    return found


def matched(atom: Atom, row: list[int], before: dict[Var, int]) -> dict[Var, int] | None:
    known = dict(before)
    for term, value in zip(atom.terms, row, strict=True):
        wanted = term.value if isinstance(term, Const) else value if term is None else known.setdefault(term, value)
        if wanted != value:
            return None
    return known


@pytest.mark.parametrize("number", range(3))
def test_samples_of_all_rows_are_exact(number: int) -> None:
    source = random.Random(number)
    rule = parse(RULES).rules[number]
    atoms, met = atoms_of(rule), 0
    for _ in range(30):
        cells = {
            name: np.array(
                [[source.randrange(4) for _ in range(arity)] for _ in range(source.randrange(1, 8))], np.int32
            )
            for name, arity in (("a", 2), ("b", 2), ("c", 3), ("p", 2))
        }
        samples = samples_of(rule, cells, 1 << 20, source.choice((2, 6)))
        for count in range(1, len(atoms) + 1):
            for part in itertools.combinations(atoms, count):
                sample = samples.of(part)
                connected = len(list(samples.groups(part))) == 1
                assert (sample is not None) == connected
                if sample is None:
                    continue
                expected = rows_of([atoms[n] for n in part], cells)
                assert sample.rows == len(expected) <= sample.made
                found = {tuple(int(values[i]) for _, values in _by_name(sample)) for i in range(sample.count)}
                assert found == {tuple(row[v] for v, _ in _by_name(sample)) for row in expected}
                some = list(sample.columns)[:1]
                assert sample.distinct(some).rows == len({tuple(row[v] for v in some) for row in expected})
                met += len(expected)
    assert met


def _by_name(sample: Sample) -> list[tuple[Var, np.ndarray]]:
    return sorted(sample.columns.items(), key=lambda item: str(item[0]))


def test_samples_of_few_rows_are_close() -> None:
    """Of a join of popular values, rows and distinct rows are met within a factor of two and of four."""
    chance = np.random.default_rng(3)
    rule = parse(ONE_RULE).rules[1]
    cells = facts(chance, 20_000)
    exact, close = (samples_of(rule, cells, size) for size in (1 << 24, 2048))
    for part in ((0, 4), (1, 3), (0, 1), (1, 2, 3), (0, 1, 3, 4)):
        all_rows, some = exact.of(part), close.of(part)
        assert all_rows is not None and some is not None and some.count <= 2048 < all_rows.count
        assert all_rows.rows / 2 < some.rows < 2 * all_rows.rows
        wanted = [Var(name) for name in ("v", "q", "b") if Var(name) in some.columns]
        assert all_rows.distinct(wanted).rows / 4 < some.distinct(wanted).rows < 2 * all_rows.distinct(wanted).rows


def facts(chance: np.random.Generator, rows: int) -> dict[str, np.ndarray]:
    """Loads and stores of one field, and variables that have few of many objects, some of which are popular."""
    fields = np.zeros(rows // 100, np.int64)
    variables = chance.integers(0, 1000, (4, rows // 100))
    objects = (200 * chance.random(rows) ** 2).astype(np.int64)
    return {
        "load": np.unique(np.stack([variables[0], variables[1], fields], 1).astype(np.int32), axis=0),
        "store": np.unique(np.stack([variables[2], fields, variables[3]], 1).astype(np.int32), axis=0),
        "vpt": np.unique(np.stack([chance.integers(0, 1000, rows), objects], 1).astype(np.int32), axis=0),
    }


def test_the_part_that_leaves_fewest_rows_is_chosen() -> None:
    """Which variable flows into which other by a field: few pairs, however many objects there are in between. A part
    that is refused is not chosen, nor one that does not pay, nor another one that is hardly better."""
    rule = parse(ONE_RULE).rules[1]
    cells = facts(np.random.default_rng(5), 20_000)
    samples, own = samples_of(rule, cells, 2048), frozenset({"vpt"})
    before = cost_without(own, samples)
    flows = frozenset({0, 1, 3, 4})
    assert best_part(rule, own, samples, before, 1e9) == flows
    other = best_part(rule, own, samples, before, 1e9, refused=[flows])
    assert other not in (flows, None)
    assert best_part(rule, own, samples, 1.0, 1e9) is None
    assert best_part(rule, own, samples, before, 1e9, now=flows) == flows
    assert best_part(rule, own, samples, before, 0.0, now=flows) == flows
    assert best_part(rule, own, samples, before, 0.0) is None


def test_of_long_rules_all_atoms_but_one_are_weighed() -> None:
    """And only one order of these is tried: eight atoms have 247 parts."""
    body = ", ".join(f"vpt(v{n}, v{n + 1})" for n in range(8))
    text = ONE_RULE.replace("vpt(v, o) :- load", f"vpt(v0, v8) :- {body}.\nvpt(v, o) :- load")
    rule = parse(text).rules[1]
    assert len(atoms_of(rule)) == 8
    cells = {"vpt": np.array([[n, m] for n in range(50) for m in range(50) if (n + m) % 7 == 0], np.int32)}
    samples, own = samples_of(rule, cells, 256), frozenset({"vpt"})
    assert best_part(rule, own, samples, float("inf"), float("inf")) in (frozenset(range(7)), frozenset(range(1, 8)))
    # of each part of seven atoms, and of what it is joined with: none of the parts of those
    assert len(samples._of) <= 2 * 8
