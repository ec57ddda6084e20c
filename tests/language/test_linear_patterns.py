"""Patterns are matched in time proportional to the text, with the results of a backtracking matcher."""

from __future__ import annotations

import random
import re

import pyarrow as pa
import pytest

from ladder.language.values import patterns
from ladder.language.values.builtins import holds

EXPLODING = [
    "(a+)+b",
    "(a|a)*b",
    "(a|aa)+$b",
    "((a*)*)*b",
    "(.*)*x",
    "([a-z]+)*[0-9]",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(a?){40}a{40}b",
]


@pytest.mark.parametrize("pattern", EXPLODING)
def test_patterns_that_explode_do_not(pattern: str) -> None:
    """A matcher that goes back would not end."""
    assert not holds("match", pattern, "a" * 100_000 + "!")


def _some(draw: random.Random, depth: int = 0) -> str:
    kind = draw.randrange(9 if depth < 3 else 4)
    match kind:
        case 0 | 1 | 2:
            return draw.choice(
                [
                    "a",
                    "b",
                    "c",
                    "\n",
                    "é",
                    r"\.",
                    r"\\Z",
                    r"\Z",
                    r"\x61",
                    r"\d",
                    r"\W",
                    ".",
                    "[ab]",
                    r"[\S]",
                    r"[^\Sa]",
                    r"[\D\n]",
                    r"[^\W]",
                    "[^a]",
                    "[a-c0-1]",
                    "[[:alpha:]]",
                    "[]",
                    "[^]",
                    " ",
                    "-",
                    "#",
                ]
            )
        case 3:
            return draw.choice(["^", "$", r"\b", r"\B", ""])
        case 4 | 5:
            return _some(draw, depth + 1) + _some(draw, depth + 1)
        case 6:
            return f"{draw.choice(['(', '(?:', '(?=', '(?!'])}{_some(draw, depth + 1)}|{_some(draw, depth + 1)})"
        case 7:
            return (
                f"(?:{_some(draw, depth + 1)}){draw.choice(['*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?', '??'])}"
            )
    return f"({_some(draw, depth + 1)})" + draw.choice(["", r"\1"])


def test_both_matchers_agree() -> None:
    draw, linear = random.Random(7), 0
    for _ in range(2000):
        text = _some(draw)
        try:
            matches = patterns.pattern(text)
            compiled = re.compile(patterns._Translation(text.encode()).alternatives(0))
        except patterns.BadPattern:
            continue
        linear += matches.linear is not None
        candidates = ["".join(draw.choices("abcZz. -#\n\v0\\é", k=draw.randrange(6))).encode() for _ in range(8)]
        expected = [compiled.fullmatch(candidate) is not None for candidate in candidates]
        assert [matches.matches(candidate) for candidate in candidates] == expected, (text, candidates)
        assert matches.matches_each(pa.array(candidates, pa.large_binary())) == expected, (text, candidates)
    assert linear > 1000


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        (r"(a|b)\1", "aa", True),
        (r"(a|b)\1", "ab", False),
        ("(?=a).b?", "ab", True),
        ("(?!a).b?", "ab", False),
        ("a{1200}", "a" * 1200, True),
        (r"a\\Z", "a\\Z", True),
        (r"a\\Z", "a\\z", False),
        ("a$", "a", True),
        ("a$", "a\n", False),
        ("a|b", "b", True),
        ("a|ab", "ab", True),
        (r"\B", "", True),  # as in ECMAScript, not as in Python before 3.14
        (r"()\1\B", "", True),
        (r"[\S]", "\v", False),  # a space, which it is not for RE2 in a set
        (r"[^\S]", "\v", True),
        (r"[\W]", "é", False),  # two bytes
        (r"[\W]{2}", "é", True),
    ],
)
def test_what_only_one_of_them_knows(pattern: str, text: str, expected: bool) -> None:
    assert holds("match", pattern, text) is expected and holds("not_match", pattern, text) is not expected
