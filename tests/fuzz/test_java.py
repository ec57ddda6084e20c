"""The front end under fuzzing: what broke once, a few seconds of it, and nightly as long as the budget allows."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from ladder.frontends.java.facts import facts_of
from tests.fuzz import java
from tests.fuzz.java_programs import program
from tests.marks import seconds

BROKE = sorted(java.CORPUS.glob("*.java"))


@pytest.mark.parametrize("path", BROKE, ids=lambda path: path.stem)
def test_what_broke_once(path: Path) -> None:
    java.check(path.read_bytes())


def test_a_moment_of_fuzzing() -> None:
    outcome = java.fuzz(1.5, seed=1)
    assert outcome.broken == {} and outcome.inputs > 0


def test_random_programs_are_java() -> None:
    """Most of them, so that what comes after the parser is reached."""
    random = Random(1)
    read = [facts_of(program(random)).parser == "javalang" for _ in range(60)]
    assert sum(read) > 45


def test_a_child_that_dies_leaves_its_input_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(java, "check", lambda data: os.kill(os.getpid(), 9))
    outcome = java.fuzz(0.2, seed=1)
    ((objection, data),) = outcome.broken.items()
    assert objection == "the process ended with status -9" and data
    assert java.reason(data) == objection


def test_what_breaks_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(data: bytes) -> None:
        if b"b" in data and b"d" in data:
            raise AssertionError("both are there")

    monkeypatch.setattr(java, "check", check)
    assert java.minimal(b"aabcccdeee") == b"bd"


@pytest.mark.nightly
def test_a_night_of_fuzzing() -> None:
    """What breaks is shown with its input, made small; nights differ."""
    outcome = java.fuzz(seconds(600), seed=int.from_bytes(os.urandom(4), "big"))
    print(f"{outcome.inputs} inputs, {outcome.ways} pairs of lines")
    assert {objection: java.minimal(data) for objection, data in outcome.broken.items()} == {}
