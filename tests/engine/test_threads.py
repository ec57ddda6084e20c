"""Several threads leave the state that one leaves: rows, first iterations, counts, indexes."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.kernels.layout import PARTS, PLAN
from ladder.engine.local.parallel import Threads
from ladder.language import parse

from ..marks import seeds, slow_after, slow_but
from .closures import CLOSURE, pairs
from .comparison import check_structure, difference, state_of
from .programs import Case, random_case, states
from .tuned import SHARED, tuned


def with_threads(text: str, facts: dict, jobs: int, cells: int = 0, **options: float) -> LocalEngine:
    """An engine bootstrapped with so many threads, which share all there is to share; `cells`: that each deals out."""
    engine = LocalEngine(parse(text), jobs=jobs, tuning=tuned(**{**SHARED, "partitioned_cells": cells, **options}))
    engine.bootstrap({name: engine.encode_facts(name, rows) for name, rows in facts.items() if len(rows)})
    return engine


def check(case: Case, seed: int) -> None:
    source, every = random.Random(seed), list(states(case))
    one = with_threads(case.text, every[0], 1)
    engine = with_threads(
        case.text,
        every[0],
        source.choice([2, 3, 5]),
        thread_seconds=source.choice(
            [0.0, 1e-5]
        ),  # all threads, or from wave to wave as many as the last one kept busy
        batch_size=source.choice([1, 3, 64]),
        capacity=source.choice([2, 64]),
    )
    assert difference(state_of(engine), state_of(one)) == ""
    check_structure(engine)
    for change in case.changes:
        for other in (one, engine):
            other.update(
                *(
                    {name: other.encode_facts(name, rows) for name, rows in change[way].items() if rows}
                    for way in ("delete", "insert")
                )
            )
            other.finish()
        assert difference(state_of(engine), state_of(one)) == ""
        check_structure(engine)


@pytest.mark.parametrize("block", slow_after(1, range(5)))
def test_random_programs(block: int) -> None:
    for seed in range(70_000 + 10 * block, 70_010 + 10 * block):
        check(random_case(seed), seed)


@pytest.mark.nightly
def test_many_random_programs() -> None:
    for seed in seeds(range(71_000, 72_000)):
        check(random_case(seed), seed)


@pytest.mark.parametrize("batch_size", slow_but([512], [4, 512]))
def test_many_rows(batch_size: int) -> None:
    """Buffers run full, directories and pools grow while threads run, rows are renumbered."""
    facts = {"e": pairs(400, 150, 1), "f": pairs(300, 150, 2)}
    one, two = with_threads(CLOSURE, facts, 1), with_threads(CLOSURE, facts, 2, batch_size=batch_size, capacity=2)
    assert difference(state_of(two), state_of(one)) == ""
    check_structure(two)
    assert two.store.row_count(two.numbers["p"]) > 10_000


@pytest.mark.parametrize("jobs", [3, PARTS + 4])
def test_entering_and_listing_rows_follow_the_number_of_threads(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each thread has parts of the keys, as equal as can be, and enters rows; more than there are parts only join."""
    facts, entered = {"e": pairs(150, 60, 1), "f": pairs(120, 60, 2)}, set[int]()
    put_back = Threads._put_back

    def noting(self: Threads, relations: Sequence[int], indexes: Sequence[int]) -> None:
        put_back(self, relations, indexes)
        entered.update(np.flatnonzero(self.engine.store.relations["fresh"][relations].any(axis=0)).tolist())

    monkeypatch.setattr(Threads, "_put_back", noting)
    one, many = with_threads(CLOSURE, facts, 1), with_threads(CLOSURE, facts, jobs, batch_size=64, capacity=2)
    assert difference(state_of(many), state_of(one)) == ""
    check_structure(many)
    assert many.threads is not None and entered == set(range(min(jobs, PARTS)))
    shares = [many.threads._parts_of(taker) for taker in range(many.threads.consumers)]
    assert sorted(part for share in shares for part in share) == list(range(PARTS))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_plans_that_stop_half_way_read_what_they_began(seed: int) -> None:
    """Buffers run full while blocks are read that grow when their contents are entered."""
    text = """
    .decl e(x: number, y: number)
    .decl p(x: number, y: number)
    p(x, y) :- e(x, y).
    p(x, z) :- p(x, y), p(y, z).
    """
    facts = {"e": pairs(250, 120, seed)}
    one, two = with_threads(text, facts, 1), with_threads(text, facts, 2, batch_size=5)
    assert difference(state_of(two), state_of(one)) == ""
    check_structure(two)


def test_threads_number_rows_alike_every_time() -> None:
    facts = {"e": pairs(400, 150, 1), "f": pairs(300, 150, 2)}
    first, second = (with_threads(CLOSURE, facts, 2, batch_size=64) for _ in range(2))
    for name, number in first.numbers.items():
        assert (first.store.cells(number) == second.store.cells(number)).all(), name


def test_threads_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plans of these rules are shared, and small work is not."""
    helped: list[int] = []
    usual = Threads.help

    def help_and_note(self: Threads, fixpoint: object, plans: object) -> None:
        helped.append(int((plans.plans["shared"] != 0).sum()))  # type: ignore[attr-defined]
        usual(self, fixpoint, plans)  # type: ignore[arg-type]

    monkeypatch.setattr(Threads, "help", help_and_note)
    with_threads(CLOSURE, {"e": pairs(40, 20, 1), "f": pairs(30, 20, 2)}, 2)
    assert helped and max(helped) > 0 and "shared" in PLAN.names
    helped.clear()
    engine = LocalEngine(parse(CLOSURE), jobs=2)
    engine.bootstrap({"e": engine.encode_facts("e", pairs(40, 20, 1))})
    assert not helped


def test_work_that_is_not_worth_it_is_left_to_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """After each wave whose gain is too small, twice as many rows are asked for; after others, as many."""
    for gain, factor in ((0.0, 2), (float("inf"), 1)):
        asked, shared = list[int](), {**SHARED, "shared_gain": gain}

        def help_and_note(self, fixpoint, plans, asked=asked, usual=Threads.help) -> None:  # type: ignore[no-untyped-def]
            asked.append(int(fixpoint.share_from))
            usual(self, fixpoint, plans)
            asked.append(int(fixpoint.share_from))

        with monkeypatch.context() as patched:
            patched.setattr(Threads, "help", help_and_note)
            engine = LocalEngine(parse(CLOSURE), jobs=2, tuning=tuned(**shared))
            engine.bootstrap({"e": engine.encode_facts("e", pairs(40, 20, 1))})
        assert asked and all(after == factor * before for before, after in zip(asked[::2], asked[1::2], strict=True))


def test_no_more_threads_share_work_than_it_keeps_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    active, usual = list[int](), Threads._use

    def use_and_note(self: Threads, number: int) -> None:
        active.append(number)
        usual(self, number)

    monkeypatch.setattr(Threads, "_use", use_and_note)
    facts = {"e": pairs(40, 20, 1), "f": pairs(30, 20, 2)}
    states = []
    for seconds, expected in ((0.0, {5}), (1e9, {2, 5}), (1e-12, {5})):
        active.clear()
        states.append(state_of(with_threads(CLOSURE, facts, 5, thread_seconds=seconds)))
        assert set(active) == expected, seconds  # the first work of a kind is shared among all
    assert states[1:] == states[:-1]


def test_what_is_raised_in_a_thread_stops_all(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = LocalEngine(parse(CLOSURE), jobs=2, tuning=tuned(**SHARED))
    engine.budget = 1

    def interrupted() -> None:
        if engine.store.row_count(engine.numbers["p"]) > 1000:
            raise KeyboardInterrupt

    monkeypatch.setattr(engine.watch, "look", interrupted)
    with pytest.raises(KeyboardInterrupt):
        engine.bootstrap(
            {"e": engine.encode_facts("e", pairs(400, 150, 1)), "f": engine.encode_facts("f", pairs(300, 150, 2))}
        )
