"""Repositories with bytes exchanged by chance end in results or errors: no crash, no loop without an end, nothing under
a name that is not its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ...marks import BUDGET

ROOT = Path(__file__).parents[3]


def tried(folder: Path, first: int, count: int, seconds: float, budget: float = 0) -> None:
    """Try `count` seeds from `first` on, which must take no more than `seconds`; with a budget as many as it allows."""
    options = [str(folder), str(first), str(count), *([str(budget)] if budget else [])]
    done = subprocess.run(
        [sys.executable, "-m", "tests.security.hostile.mutations", *options],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and (len(lines) == count or budget and lines), (
        lines[-1:],
        done.returncode,
        done.stderr[-2000:],
    )
    assert len(lines) < 15 or any("6 6 6 6 6" in line for line in lines) and any("error" in line for line in lines)


def test_some_mutations(tmp_path: Path) -> None:
    """Among them one that cuts a loose object, with which libgit2 never ends."""
    tried(tmp_path, 0, 15, 120)


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(1000, 5000, 1000))
def test_many_mutations(tmp_path: Path, first: int) -> None:
    tried(tmp_path, first, 1000, 3600, BUDGET)
