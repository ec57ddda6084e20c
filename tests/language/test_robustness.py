"""Damaged programs and junk: whatever a text says, it is accepted, or refused with errors that lie in it."""
from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ladder.analyses
from ladder.language.compile import compile_program
from ladder.language.errors import ProgramError

from .source_programs import build

TESTS = Path(__file__).parents[1]
LIBRARY = Path(ladder.analyses.__file__).parent
PROGRAMS = sorted(TESTS.rglob("*.dl"))
LARGE = sorted(LIBRARY.rglob("*.dl"))
PAGE = TESTS.parent / "docs/language.md"
EXAMPLES = re.findall(r"^```datalog.*\n((?:.*\n)*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE)
TOKEN = re.compile(r'"[^"\n]*"|\s+|[.@$#]?\w+|:-|[<>!]=|.', re.DOTALL)
STRANGE = ("\0", "\ufeff", "é", "𝔘", "\u2028", "\r", "\x0b", "\x85", "\u202e", '"', "\\", "/*", "*/", "//", "#", "(", ")", "[", "]", "{",
           "}", "<", ">", ".", ",", ";", ":", ":-", "!", "_", "$", "@", "|", "=", "<=", "nil", "as", "count", "sum", "max", "mean", "range",
           ".decl", ".type", ".comp", ".init", ".lattice", ".functor", ".plan", ".include", ".override", ".once", "#define", "#include",
           "#if", "#ifdef", "#endif", "#else", "99999999999999999999", "1e5", "0x", "-", "^", "1.5", "3u", '"', "'")
FEW = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=100)


def damaged(text: str, source: random.Random) -> str:
    """A text of which a few tokens are left out, doubled, exchanged, replaced or made strange, or that is cut."""
    tokens = TOKEN.findall(text) or [" "]
    for _ in range(source.choice((1, 1, 2, 4, 8))):
        here, there = source.randrange(len(tokens)), source.randrange(len(tokens))
        match source.randrange(8):
            case 0:
                tokens[here] = " "
            case 1:
                tokens.insert(here, tokens[there])
            case 2:
                tokens[here], tokens[there] = tokens[there], tokens[here]
            case 3:
                tokens[here] = tokens[there]
            case 4:
                tokens[here] = source.choice(STRANGE)
            case 5:
                tokens.insert(here, source.choice(STRANGE))
            case 6:
                first, last = sorted((here, there))
                tokens[first:last] = tokens[first:last][:source.randrange(6)]
            case 7:
                word = tokens[here]
                tokens[here] = word[:source.randrange(len(word) + 1)]
        tokens = tokens or [" "]
    return "".join(tokens[:source.randrange(len(tokens) + 1)] if source.random() < 0.1 else tokens)


def check(text: str, file: str = "<text>", directory: Path | None = None) -> None:
    """Compiles it: anything but acceptance and located errors fails."""
    try:
        compile_program(text, file, directory)
    except ProgramError as refused:
        assert refused.errors
        for error in refused.errors:
            lines = refused.sources[error.place.file].split("\n")
            assert 1 <= error.place.line <= len(lines), error
            assert 1 <= error.place.column <= len(lines[error.place.line - 1]) + 1, error
            assert error.message and "\n" not in error.message
        assert refused.render() and refused.to_json()


@FEW
@given(st.sampled_from(PROGRAMS), st.randoms(use_true_random=False))
def test_damaged_programs(path: Path, source: random.Random) -> None:
    check(damaged(path.read_text("utf-8"), source), path.name, path.parent)


@FEW
@given(st.one_of(st.sampled_from(EXAMPLES), st.integers(0, 10_000).map(lambda seed: build(random.Random(seed)).text)),
       st.randoms(use_true_random=False))
def test_damaged_programs_of_all_constructs(text: str, source: random.Random) -> None:
    check(damaged(text, source))


@FEW
@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(STRANGE), max_size=15).map(" ".join),
                 st.lists(st.sampled_from([t for e in EXAMPLES for t in TOKEN.findall(e)]), max_size=30).map("".join)))
def test_junk(text: str) -> None:
    check(text)


@pytest.mark.parametrize("text", ["(" * 3000, "a(x) :- " + "(" * 2000 + "b(x)", "a(" + "[" * 2000 + ").", "a(x) :- " + "!" * 3000 + "b(x).",
                                  "a(" + "-" * 3000 + "1).", "a(x) :- x = " + "1 + " * 5000 + "1.", ".comp A {" * 2000,
                                  "a(x) :- " + "count : { " * 1000, "a(" + "1," * 5000 + "1).", ".type A = " + "A | " * 3000 + "A",
                                  "#if 1\n" * 2000, "#define A A A\nA", "/*" * 5000, '"' * 5001])
def test_deep_and_long_texts(text: str) -> None:
    check(text)


@pytest.mark.nightly
@settings(FEW, max_examples=1_500)
@given(st.one_of(st.sampled_from(PROGRAMS + LARGE).map(lambda path: (path.read_text("utf-8"), path.parent)),
                 st.sampled_from(EXAMPLES).map(lambda text: (text, LIBRARY)),
                 st.integers(0, 10_000).map(lambda seed: (build(random.Random(seed)).text, LIBRARY))), st.randoms(use_true_random=False))
def test_much_damage(program: tuple[str, Path], source: random.Random) -> None:
    text, directory = program
    check(damaged(text, source), "<text>", directory)
