"""The page of the commands is what they say themselves."""

from __future__ import annotations

from .documentation import FILE, text


def test_the_page_of_the_commands_is_their_help() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "python -m tests.cli.documentation writes it anew"
