"""Kernels compiled, as plain Python, and with bounds checked: the same states, bit for bit, and the same work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def states(first: int, count: int, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.engine.states_of_cases", str(first), str(count)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": "0", "NUMBA_BOUNDSCHECK": "0", **environment},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    expected = (
        f"jit {environment.get('NUMBA_DISABLE_JIT') != '1'} boundscheck {environment.get('NUMBA_BOUNDSCHECK') == '1'}"
    )
    assert expected in done.stderr
    assert len(done.stdout.splitlines()) == count
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 4])
def test_plain_python_does_the_same(count: int) -> None:
    assert states(60_000, count) == states(60_000, count, NUMBA_DISABLE_JIT="1")


@pytest.mark.nightly
def test_plain_python_does_the_same_on_many_programs() -> None:
    assert states(61_000, 150) == states(61_000, 150, NUMBA_DISABLE_JIT="1")


@pytest.mark.nightly
def test_no_access_is_out_of_bounds() -> None:
    """Another set of kernels is compiled for this."""
    assert states(62_000, 300) == states(62_000, 300, NUMBA_BOUNDSCHECK="1")
