"""Whatever the order in which threads get on, and wherever they stop: the state that one thread leaves."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.language import parse

from ..marks import seeds
from ..random_programs.whole_language import affordable_cases
from .closures import CLOSURE, pairs
from .comparison import check_structure, difference, state_of
from .programs import Case, random_case, states
from .scheduling import schedule, work_of
from .tuned import tuned

WIDE = """
.decl e(x: number, y: number, a: number, b: symbol, c: number)
.decl w(x: number, y: number, a: number, b: symbol, c: number, n: number)
.decl v(x: number, s: symbol)
.decl few(x: number, s: Few)
.decl most(x: number, n: number)
.decl pair(p: P)
.type P = [l: number, r: number]
.lattice Few = "ladder.lattices:k_set(2)"
w(x, y, a, b, c, 0) :- e(x, y, a, b, c).
w(x, z, a, b, d, n + 1) :- w(x, y, a, _, c, n), e(y, z, c, b, d), n < 4.
v(x, cat(b, b)) :- w(x, _, _, b, _, n), n > 1.
few(x, lub(s)) :- w(x, _, _, s, _, _), v(x, _).
most(x, n) :- v(x, _), n = max m : w(x, _, _, _, _, m).
pair([x, y]) :- w(x, y, _, _, _, 3).
v(x, b) :- pair([x, y]), w(y, _, _, b, _, _), !e(x, y, _, _, _).
"""


def encoded(engine: LocalEngine, rows: dict) -> dict:
    return {name: engine.encode_facts(name, some) for name, some in rows.items() if some}


def check(case: Case, seed: int, jobs: int, in_turns: bool = True) -> tuple[int, ...]:
    """The same with threads as with one, from scratch and after each change; what threads did."""
    source, facts = random.Random(seed), next(iter(states(case)))
    one, several = (
        LocalEngine(parse(case.text)),
        LocalEngine(parse(case.text), jobs=jobs, tuning=tuned(batch_size=source.choice([1, 2, 7]), capacity=2)),
    )
    schedule(several, jobs, seed, in_turns)
    for engine in (one, several):
        engine.bootstrap(encoded(engine, facts))
    assert difference(state_of(several), state_of(one)) == ""
    check_structure(several)
    for change in case.changes:
        for engine in (one, several):
            engine.update(encoded(engine, change["delete"]), encoded(engine, change["insert"]))
            engine.finish()
        assert difference(state_of(several), state_of(one)) == ""
        check_structure(several)
    return work_of(several) if in_turns else ()


def check_programs(own: Iterable[int], of_all_constructs: Iterable[int]) -> None:
    """Programs of the engine's own generator and of all constructs, by their seeds, by turns with 2, 3 and 7 threads
    that take turns or run at will."""
    done = [0, 0, 0, 0]
    for seed in own:
        done = [a + b for a, b in zip(done, check(random_case(seed), seed, (2, 3, 7)[seed % 3]), strict=True)]
        check(random_case(seed), seed, (2, 3, 7)[seed % 3], in_turns=False)
    for seed, case in affordable_cases(of_all_constructs):
        check(case, seed, (2, 3, 7)[seed % 3])
    assert all(done), done


def test_random_programs() -> None:
    check_programs(range(80_000, 80_002), range(80_000, 80_001))


@pytest.mark.nightly
@pytest.mark.parametrize("block", range(20))
def test_many_random_programs(block: int) -> None:
    first = 81_000 + 100 * block
    check_programs(seeds(range(first, first + 100)), seeds(range(first, first + 50)))


@pytest.mark.parametrize("jobs", [2, 3, 7])
def test_closures(jobs: int) -> None:
    """Many rows: pools are squeezed, ranges are exchanged and abandoned, directories grow while threads run."""
    case = Case(
        CLOSURE,
        {"e": pairs(60, 40, jobs), "f": pairs(40, 40, jobs + 1)},
        [{"delete": {"e": pairs(60, 40, jobs)[:2]}, "insert": {}}],
    )
    rounds, steps, granted, refused = check(case, jobs, jobs)
    assert rounds > 10 and steps > 200 and granted and refused


@pytest.mark.nightly
@pytest.mark.parametrize("jobs", [2, 3, 7])
@pytest.mark.parametrize("seed", range(10))
def test_larger_closures(jobs: int, seed: int) -> None:
    case = Case(CLOSURE, {"e": pairs(250, 100, seed), "f": pairs(200, 100, seed + 1)}, [])
    check(case, seed, jobs)
    check(case, seed, jobs, in_turns=False)


@pytest.mark.parametrize("jobs", [2, 7])
def test_wide_rows_strings_records_and_lattices(jobs: int) -> None:
    source = random.Random(jobs)
    rows = [
        (source.randrange(9), source.randrange(9), source.randrange(3), source.choice("abc"), source.randrange(3))
        for _ in range(40)
    ]
    case = Case(WIDE, {"e": rows}, [{"delete": {"e": rows[:3]}, "insert": {"e": [(1, 2, 0, "d", 0)]}}])
    rounds, *_ = check(case, jobs, jobs)
    assert rounds
