"""Inputs that broke something once, some random ones, and at night as many as the budget allows."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import pytest

from ..marks import seconds
from .__main__ import FOUND, fuzz
from .targets import TARGETS, examine

KEPT = [path for path in sorted(FOUND.glob("*/*")) if path.is_file()]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_broke_once(path: Path) -> None:
    """And Python says nothing of its own about them."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        examine(path.parent.name, path.read_bytes())


@pytest.mark.parametrize("target", [name for name in TARGETS if name != "commands"])
def test_some_inputs(target: str) -> None:
    assert not fuzz(target, 1.0, seed=7, most=60)["failures"]


def test_some_command_lines() -> None:
    assert not fuzz("commands", 2.0, seed=7, most=12)["failures"]


@pytest.mark.nightly
@pytest.mark.parametrize("target", TARGETS)
def test_many_inputs(target: str) -> None:
    found = fuzz(target, seconds(120), seed=int.from_bytes(os.urandom(4), "big"))
    assert not found["failures"], found
