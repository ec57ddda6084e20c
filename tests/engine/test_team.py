"""Threads that share work again and again: what they return and raise, and how they end."""

from __future__ import annotations

import gc
import signal
import threading
import weakref

import pytest

from ladder.engine.local.team import Team


def alive() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith("ladder_")}


def ended(threads: set[threading.Thread]) -> bool:
    for thread in threads:
        thread.join(10)
    return not any(thread.is_alive() for thread in threads)


def test_each_thread_is_given_its_number_round_after_round() -> None:
    team = Team(5)
    for turn in range(2000):
        count = turn % 6
        team.begin(count, lambda number, turn=turn: (turn, number))  # type: ignore[misc]
        team.finish()
        assert team.results(count) == [(turn, number) for number in range(1, count + 1)]
    team.close()


def test_threads_run_side_by_side() -> None:
    team, barrier = Team(3), threading.Barrier(4)
    team.begin(3, lambda _: barrier.wait(10))
    barrier.wait(10)
    assert team.wait(10)
    team.close()


def test_a_wait_may_end_before_the_work() -> None:
    team, over = Team(1), threading.Event()
    team.begin(1, lambda _: over.wait(10))
    assert not team.wait(0.01)
    over.set()
    assert team.wait()
    assert team.results(1) == [True]
    team.close()


def test_what_one_raises_is_raised_and_the_next_work_is_done() -> None:
    team = Team(2)

    def fails(number: int) -> None:
        raise ValueError(number)

    team.begin(2, fails)
    team.finish()
    with pytest.raises(ValueError, match=r"1|2"):
        team.results(2)
    team.begin(2, str)
    team.finish()
    assert team.results(2) == ["1", "2"]
    team.close()


def test_an_interrupt_of_the_wait_is_raised_after_it() -> None:
    def work(_number: int) -> None:
        over.wait(10)
        done.append(1)

    def interrupt_and_end() -> None:
        signal.raise_signal(signal.SIGINT)
        over.set()

    team, over, done, stopped = Team(1), threading.Event(), list[int](), list[int]()
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        team.begin(1, work)
        threading.Timer(0.2, interrupt_and_end).start()
        with pytest.raises(KeyboardInterrupt):
            team.finish(lambda: stopped.append(1))
        assert done == [1] and stopped[:1] == [1]
    finally:
        signal.signal(signal.SIGINT, usual)
        team.close()


def test_threads_end_when_the_team_is_closed_or_forgotten() -> None:
    before = alive()
    team = Team(3)
    closed = alive() - before
    assert len(closed) == 3
    team.close()
    team.close()
    assert ended(closed)
    forgotten = Team(2)
    threads = alive() - before
    assert len(threads) == 2
    del forgotten
    gc.collect()
    assert ended(threads)


def test_what_work_names_is_freed_when_it_is_done() -> None:
    class Owner:
        def work(self, number: int) -> int:
            return number

    team, owner = Team(2), Owner()
    known = weakref.ref(owner)
    team.begin(2, owner.work)
    team.finish()
    del owner
    gc.collect()
    assert known() is None
    team.close()
