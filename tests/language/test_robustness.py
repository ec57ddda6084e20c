"""Damaged programs and junk: whatever a text says, it is accepted, or refused with errors that lie in it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ..random_programs.programs import build
from .damage import EXAMPLES, LARGE, LIBRARY, PROGRAMS, STRANGE, TOKEN, check, damaged, source_of

FEW = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=100)


@FEW
@given(st.sampled_from(PROGRAMS), st.randoms(use_true_random=False))
def test_damaged_programs(path: Path, source: random.Random) -> None:
    check(damaged(source_of(path), source), path.name, path.parent)


@FEW
@given(
    st.one_of(st.sampled_from(EXAMPLES), st.integers(0, 10_000).map(lambda seed: build(random.Random(seed)).text)),
    st.randoms(use_true_random=False),
)
def test_damaged_programs_of_all_constructs(text: str, source: random.Random) -> None:
    check(damaged(text, source))


@FEW
@given(
    st.one_of(
        st.text(max_size=60),
        st.lists(st.sampled_from(STRANGE), max_size=15).map(" ".join),
        st.lists(st.sampled_from([t for e in EXAMPLES for t in TOKEN.findall(e)]), max_size=30).map("".join),
    )
)
def test_junk(text: str) -> None:
    check(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 3000,
        "a(x) :- " + "(" * 2000 + "b(x)",
        "a(" + "[" * 2000 + ").",
        "a(x) :- " + "!" * 3000 + "b(x).",
        "a(" + "-" * 3000 + "1).",
        "a(x) :- x = " + "1 + " * 5000 + "1.",
        ".comp A {" * 2000,
        "a(x) :- " + "count : { " * 1000,
        "a(" + "1," * 5000 + "1).",
        ".type A = " + "A | " * 3000 + "A",
        "#if 1\n" * 2000,
        "#if 0\n#elif\n#endif\n",
        "#define A A A\nA",
        "/*" * 5000,
        '"' * 5001,
    ],
)
def test_deep_and_long_texts(text: str) -> None:
    check(text)


@pytest.mark.nightly
@settings(FEW, max_examples=1_500)
@given(
    st.one_of(
        st.sampled_from(PROGRAMS + LARGE).map(lambda path: (source_of(path), path.parent)),
        st.sampled_from(EXAMPLES).map(lambda text: (text, LIBRARY)),
        st.integers(0, 10_000).map(lambda seed: (build(random.Random(seed)).text, LIBRARY)),
    ),
    st.randoms(use_true_random=False),
)
def test_much_damage(program: tuple[str, Path], source: random.Random) -> None:
    text, directory = program
    check(damaged(text, source), "<text>", directory)
