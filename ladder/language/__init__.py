"""The language: text → core program. `ladder.Program` does the same as `parse` and also has the text and a
fingerprint."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ladder.language.check.environment import Functors
    from ladder.language.core import Program


def parse(text: str, name: str = "<text>", functors: Functors | None = None) -> Program:
    """The core program of a text; `functors`: name → Python function. Raises `errors.ProgramError` with all errors."""
    from ladder.language.compile import compile_program

    return compile_program(text, name, functors=functors).core
