"""What sentences call the things of Java."""

from __future__ import annotations

import pytest

from ladder.frontends.java import said


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("add", "add"),
        ("new T[]", "new T[]"),
        ("$(cache.get(key))", "cache.get(key)"),
        ("$(next of child ", "the next child"),
        ("$(options.get(NAME~8f81)", "options.get(NAME…"),
        ("$(text != null ? text ", "text != null ? text…"),
        ("made.Elementcopied", ""),
        ("Argument[this].Element", ""),
        ("new ArrayList.Element", ""),
        ("new String[][]", ""),
    ],
)
def test_steps_are_called_by_their_source(name: str, text: str) -> None:
    assert said("invocation", name) == text
