"""The language: text → core program. `parse` is the short way; `ladder.Program` keeps text and fingerprint too."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ladder.language.check.environment import Functors
    from ladder.language.core import Program


def parse(text: str, name: str = "<text>", functors: Functors | None = None) -> Program:
    """The core program of a text; `functors` gives functions by name. Raises `errors.ProgramError`, all at once."""
    from ladder.language.compile import compile_program

    return compile_program(text, name, functors=functors).core
