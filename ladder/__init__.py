"""Ladder: incremental, lattice-aware program analysis in Datalog."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ladder.database import Database as Database
    from ladder.errors import LadderError as LadderError
    from ladder.limits import Limits as Limits
    from ladder.program import Program as Program
    from ladder.rows import Delta as Delta

__all__ = ["Database", "Delta", "LadderError", "Limits", "Program"]
_HOMES = {"Database": "ladder.database", "Delta": "ladder.rows", "LadderError": "ladder.errors", "Limits": "ladder.limits",
          "Program": "ladder.program"}


def __getattr__(name: str) -> Any:
    """Public names are imported when they are first used, so that `import ladder` is instant."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module
    return getattr(import_module(_HOMES[name]), name)
