"""The registered front ends, `name → "module:object"`; each is imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ladder.errors import ProjectError

if TYPE_CHECKING:
    from ladder.frontends.protocol import FrontEnd, Libraries

FRONT_ENDS = {
    "java": "ladder.frontends.java:FRONT_END",
    "bytecode": "ladder.frontends.bytecode:FRONT_END",
}
DEFAULT = "java"


def front_end(name: str = DEFAULT) -> FrontEnd:
    """The front end with this name; `ProjectError` if there is none."""
    if name not in FRONT_ENDS:
        raise ProjectError(f"There is no front end {name}.", f"There are {', '.join(FRONT_ENDS)}.")
    found: FrontEnd = _imported(FRONT_ENDS[name])
    return found


def libraries_of(front_end: FrontEnd) -> Libraries | None:
    """How libraries of a front end's projects are known; None if that is not possible."""
    named: str = getattr(front_end, "libraries", "")
    return _imported(named) if named else None


def _imported(named: str) -> Any:
    module, _, object_ = named.partition(":")
    return getattr(import_module(module), object_)
