"""Whole code bases: every file is lowered, and its rows hold together."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.frontends.java import verifier
from ladder.frontends.java.facts import facts_of
from ladder.frontends.java.lower import lower
from ladder.frontends.java.parse import deep_recursion, parse

from .integrity import problems

FETCHED = Path(__file__).parents[2] / "corpora" / "fetched"
CORPORA = {"antlr": 300, "commons-lang3": 390, "ant": 1300, "java.base": 3000, "cordova-android": 500}

# Fixtures of these projects' own tests that are no Java: one for compilers to refuse, and placeholders.
NO_JAVA = {
    "ant": {"Bad.java"},
    "cordova-android": {"DummyPlugin.java", "DummyPlugin2.java", "FaultyPlugin.java"},
}


@pytest.mark.nightly
@pytest.mark.parametrize("name", CORPORA)
def test_every_file_of_a_code_base(name: str) -> None:
    root = FETCHED / name
    if not root.is_dir():
        pytest.skip(f"{name} is not there: fetch it with corpora/fetch.py")
    files = sorted(root.rglob("*.java"))
    assert len(files) >= CORPORA[name]
    unread = []
    for path in files:
        facts = facts_of(path.read_bytes())
        assert list(problems(facts)) == [], path
        if facts.parser == "none":
            unread.append(path.name)
            continue
        with deep_recursion():
            assert verifier.verify(lower(parse(path.read_bytes()).unit)) == [], path
    assert set(unread) == NO_JAVA.get(name, set())
