"""Ladder: incremental, lattice-aware program analysis in Datalog."""

import os
import sys

# `python -m ladder` looks for modules in the current directory first, which may be a hostile project's: from here on it
# does not.
_STARTED = {
    name.split(".")[0] for option, name in zip(sys.orig_argv, sys.orig_argv[1:], strict=False) if option == "-m"
}
_HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if sys.argv[:1] == ["-m"] and "ladder" in _STARTED and not sys.flags.safe_path and sys.path[0] != _HOME:
    del sys.path[0]

TYPE_CHECKING = False  # not from `typing`: `import ladder` imports nothing that Python has not loaded yet
if TYPE_CHECKING:
    from ladder.api.database import Database as Database
    from ladder.api.program import Program as Program
    from ladder.api.rows import Delta as Delta
    from ladder.errors import LadderError as LadderError
    from ladder.support.limits import Limits as Limits

__all__ = ["Database", "Delta", "LadderError", "Limits", "Program"]
_HOMES = {
    "Database": "ladder.api.database",
    "Delta": "ladder.api.rows",
    "LadderError": "ladder.errors",
    "Limits": "ladder.support.limits",
    "Program": "ladder.api.program",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import ladder` is instant."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
