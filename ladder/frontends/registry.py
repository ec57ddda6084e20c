"""The registered front ends, `name → "module:object"`; each is imported when it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ladder.errors import ProjectError

if TYPE_CHECKING:
    from ladder.frontends.protocol import FrontEnd

FRONT_ENDS = {
    "java": "ladder.frontends.java:FRONT_END",
    "bytecode": "ladder.frontends.bytecode:FRONT_END",
}
DEFAULT = "java"


def front_end(name: str = DEFAULT) -> FrontEnd:
    """The front end with this name; `ProjectError` if there is none."""
    if name not in FRONT_ENDS:
        raise ProjectError(f"There is no front end {name}.", f"There are {', '.join(FRONT_ENDS)}.")
    module, _, object_ = FRONT_ENDS[name].partition(":")
    found: FrontEnd = getattr(import_module(module), object_)
    return found
