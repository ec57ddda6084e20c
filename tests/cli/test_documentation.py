"""The page of the commands is what they say themselves."""

from __future__ import annotations

import subprocess
import sys

from .documentation import FILE


def test_the_page_of_the_commands_is_their_help() -> None:
    """In a process of its own: click keeps the help option that a command had when it was first called."""
    written = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", "from tests.cli.documentation import text; print(text(), end='')"],
        cwd=FILE.parents[1],
        capture_output=True,
        encoding="utf-8",
        check=True,
    ).stdout
    assert FILE.read_text(encoding="utf-8") == written, "python -m tests.cli.documentation writes it anew"
