"""Saving and opening the state of an engine without a database around it."""

from __future__ import annotations

from pathlib import Path

from ladder.engine.local.engine import LocalEngine
from ladder.engine.local.saved.program import Origin
from ladder.engine.local.saved.state import SavedState, open_state
from ladder.language.core import Program

ORIGIN = Origin("key", {})


def opened(folder: Path, program: Program) -> tuple[LocalEngine, SavedState]:
    """The engine of a program whose state is there, and where it is saved."""
    engine, saved, _ = open_state(folder, lambda _: program)
    return engine, saved
