"""Work in a process of its own, which may take what it wants."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

import pytest

from ladder.support.children import succeeds_apart


def _endless() -> bool:
    while True:
        pass


def _large() -> bool:
    return len(bytearray(3 << 30)) > 0


def _failing() -> bool:
    raise ValueError


def _killed() -> bool:
    os.kill(os.getpid(), signal.SIGKILL)
    return True


@pytest.mark.parametrize(
    ("work", "expected"),
    [
        (lambda: True, True),
        (lambda: False, False),
        (_failing, False),
        (_killed, False),
        (_endless, False),
        pytest.param(_large, False, marks=pytest.mark.skipif(sys.platform != "linux", reason="memory is not limited")),
    ],
)
def test_work_succeeds_or_not(work: Callable[[], bool], expected: bool, capfd: pytest.CaptureFixture[str]) -> None:
    seen: list[int] = []

    def told() -> bool:
        seen.append(1)
        os.write(1, b"lost")
        return work()

    assert succeeds_apart(told, 1, 1 << 30) is expected
    assert not seen
    assert capfd.readouterr() == ("", "")
