"""The same facts in any order, split into transactions in any way, with detours: the same state as from scratch."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ladder.api.database import Database
from ladder.api.program import Program
from ladder.engine.reference import evaluate as naive

from ..engine.comparison import difference, state_of
from ..engine.programs import Case, Rows, cases, random_case, states
from ..marks import seeds, slow_after
from ..random_programs.whole_language import affordable_cases


def pick(source: random.Random, facts: list[tuple[str, Any]]) -> Rows:
    """Some of the facts by relation, in any order, some twice."""
    picked: Rows = {}
    for name, row in source.sample(facts, source.randint(0, len(facts))):
        picked.setdefault(name, []).extend([row] * source.choice((1, 1, 2)))
    return picked


def arrive(db: Database, before: list[tuple[str, Any]], after: list[tuple[str, Any]], source: random.Random) -> None:
    """From some asserted facts to others by transactions that wander about, the last of which puts everything right."""
    known = sorted({*before, *after}, key=repr)
    present = set(before)
    for _ in range(source.randint(0, 4)):
        insert, delete = pick(source, known), pick(source, known)
        db.update(insert=insert, delete=delete)
        present -= {(name, row) for name, rows in delete.items() for row in rows}
        present |= {(name, row) for name, rows in insert.items() for row in rows}
    missing, wrong = [f for f in after if f not in present], sorted(present - set(after), key=repr)
    source.shuffle(missing)
    for start in range(0, len(missing), size := source.choice((1, 3, 100))):
        part: Rows = {}
        for name, row in missing[start : start + size]:
            part.setdefault(name, []).append(row)
        db.update(insert=part)
    gone: Rows = {}
    for name, row in wrong:
        gone.setdefault(name, []).append(row)
    db.update(delete=gone)


def flat(facts: Rows) -> list[tuple[str, Any]]:
    return [(name, row) for name, rows in facts.items() for row in rows]


def check(case: Case, seed: int) -> None:
    source, program = random.Random(seed), Program.parse(case.text)
    db, before = Database(program), []
    loaded = source.random() < 0.7
    for number, facts in enumerate(states(case)):
        after = flat(facts)
        if number == 0 and loaded:
            for name, rows in source.sample(list(facts.items()), len(facts)):
                db.load_rows(name, source.sample(rows, len(rows)))
        else:
            arrive(db, before, after, source)
        assert difference(state_of(db._ready()), naive.evaluate(program.core, facts)) == ""
        before = after


@pytest.mark.parametrize("block", slow_after(1, range(6)))
def test_random_programs(block: int) -> None:
    for seed in range(20_000 + 10 * block, 20_000 + 10 * block + 10):
        check(random_case(seed), seed)


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases(), seed=st.integers(0, 10**6))
def test_programs_that_hypothesis_can_shrink(case: Case, seed: int) -> None:
    check(case, seed)


@pytest.mark.parametrize("block", slow_after(1, range(2)))
def test_programs_of_the_whole_language(block: int) -> None:
    for seed, case in affordable_cases(range(10_000 + 10 * block, 10_000 + 10 * block + 10)):
        check(case, seed)


@pytest.mark.nightly
def test_many_random_programs() -> None:
    for seed in seeds(range(30_000, 31_500)):
        check(random_case(seed), seed)
    for seed, case in affordable_cases(seeds(range(11_000, 12_500))):
        check(case, seed)


@settings(max_examples=20, deadline=None)
@given(edges=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14), data=st.data())
def test_strategies_and_splits_of_a_closure(edges: list[tuple[int, int]], data: st.DataObject) -> None:
    program = Program.parse(
        ".decl e(a: number, b: number)\n.input e\n.decl p(a: number, b: number)\np(a, b) :- e(a, b).\n"
        "p(a, c) :- p(a, b), p(b, c).\n.decl n(a: number, k: number)\nn(a, min(b)) :- p(a, b)."
    )
    order = data.draw(st.permutations(edges))
    cut = sorted(data.draw(st.lists(st.integers(0, len(edges)), max_size=3)))
    whole, parts = Database(program), Database(program, strategy=data.draw(st.sampled_from(("elastic", "recompute"))))
    whole.load_rows("e", edges)
    for start, end in zip([0, *cut], [*cut, len(order)], strict=True):
        parts.update(
            insert={"e": order[start:end]},
            delete={"e": data.draw(st.lists(st.tuples(st.integers(7, 9), st.integers(0, 9)), max_size=2))},
        )
    for name in whole.stored_relations:
        assert sorted(whole.state(name).to_pylist(), key=repr) == sorted(parts.state(name).to_pylist(), key=repr)
