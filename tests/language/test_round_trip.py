"""Text → tree → text → tree: the text that a tree prints as is read as that tree."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import ladder.analyses
from ladder.language.syntax import nodes as s
from ladder.language.syntax.parser import parse_text
from tests.marks import slow_but

from . import trees

TESTS = Path(__file__).parents[1]
FILES = sorted(
    [*Path(ladder.analyses.__file__).parent.rglob("*.dl"), *TESTS.rglob("*.dl"), TESTS.parent / "docs/language.md"]
)
SMALL = [path for path in FILES if path.stat().st_size < 8_000]
MANY = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=15)


def again(items: list[Any]) -> list[Any]:
    """What the text of the items is read as."""
    return parse_text("\n".join(map(str, items)))


def programs(path: Path) -> list[str]:
    """The programs of a file, without lines for the preprocessor."""
    text = path.read_text("utf-8")
    found = re.findall(r"^```datalog.*\n((?:.*\n)*?)^```$", text, re.MULTILINE) if path.suffix == ".md" else [text]
    without = [re.sub(r"^[ \t]*#.*", "", part, flags=re.MULTILINE) for part in found]
    return [part for part in without if part.strip()]


@MANY
@given(trees.items)
def test_items(item: s.Item) -> None:
    assert again([item]) == [item]


@MANY
@given(trees.expressions)
def test_expressions(expression: s.Expression) -> None:
    [clause] = parse_text(f"h(x) :- x = {expression}.")
    assert isinstance(clause, s.Clause) and isinstance(clause.body, s.Comparison) and clause.body.right == expression


@MANY
@given(trees.bodies)
def test_bodies(body: s.Body) -> None:
    [clause] = parse_text(f"h(x) :- {body}.")
    assert isinstance(clause, s.Clause) and clause.body == body


@pytest.mark.nightly
@settings(MANY, max_examples=3_000)
@given(trees.items)
def test_many_items(item: s.Item) -> None:
    assert again([item]) == [item]


@pytest.mark.parametrize(
    "path",
    slow_but(SMALL, FILES),
    ids=lambda path: "/".join(path.parts[-2:]),
)
def test_real_programs(path: Path) -> None:
    for text in programs(path):
        if "refused" not in str(path):
            items = parse_text(text)
            assert items
            # A relation's `output` is a qualifier and a directive, so it is read twice.
            assert list(dict.fromkeys(again(items))) == list(dict.fromkeys(items))
