"""Passages that no signal may interrupt."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from ladder.support.signals import Undisturbed


@pytest.fixture
def came() -> Iterator[list[int]]:
    """The signals that were handled; the handlers of before are there again afterwards."""
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, lambda number, _frame: came.append(number))
    yield came
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_signal_waits_for_the_end_of_the_passage(came: list[int]) -> None:
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with Undisturbed():
        with Undisturbed():
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGTERM)
        assert came == []
    assert sorted(came) == [signal.SIGINT, signal.SIGTERM]
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers


def test_signals_that_nobody_handles_are_left_alone(came: list[int]) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    with Undisturbed():
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL
        os.kill(os.getpid(), signal.SIGTERM)
    assert came == []
