"""The program that a state is of, as it is saved with it: enough to tell what another version of it has changed."""
from __future__ import annotations

import pickle
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from ladder.engine.local.saved_values import values_of
from ladder.errors import LadderError, StateError
from ladder.language.core import Program
from ladder.language.identity import redefined


@dataclass(frozen=True)
class Origin:
    """Where a program comes from: a hash of what decides its meaning, and what was done to its rules since (see `Rules`)."""

    fingerprint: str
    rules: Mapping[str, Any]


@dataclass(frozen=True)
class SavedProgram:
    """A state's program; `identities` tell what its functions and lattices were, `pickled` is the core program without them.

    `relations`: the names of those that are stored.
    """

    origin: Origin
    relations: Collection[str]
    identities: Mapping[str, str]
    pickled: bytes

    def core(self, program: Program, own: Mapping[str, str]) -> Program:
        """The core program of the state, with the functions and lattices of another version, whose identities are `own`.

        Functions that are others there, or are not there, raise when they are called. `StateError` where a lattice is.
        """
        others = redefined(self.identities, own)
        core: Program = values_of(self.pickled, program, core=True)
        for name in core.lattices:
            if name not in program.lattices or f"lattice {name}" in others:
                raise StateError(f"The lattice {name} is another one than when the state was saved.")
        functions = {name: replace(f, call=program.functions[name].call if name in program.functions and name not in others else _gone(name))
                     for name, f in core.functions.items()}
        return replace(core, functions=functions, lattices={name: program.lattices[name] for name in core.lattices})

    def others(self, own: Mapping[str, str], program: Program) -> set[str]:
        """Functions and lattices that are not what they were: other code, or gone."""
        gone = {name for name in self.identities if not name.startswith("lattice ") and name not in program.functions}
        return redefined(self.identities, own) | gone


Opener = Callable[[SavedProgram], Program]


def without_objects(program: Program) -> bytes:
    """A core program for `SavedProgram`: its Python objects are found by their names."""
    nothing: Any = None
    return pickle.dumps(replace(program, functions={name: replace(f, call=nothing) for name, f in program.functions.items()},
                                lattices=dict.fromkeys(program.lattices)), protocol=5)


def _gone(name: str) -> Callable[..., Any]:
    def call(*_: Any) -> NoReturn:
        raise LadderError(f"The function {name} of the saved state is no longer there.", "Remove the state, or run again to rebuild it.")
    return call


def inputs_of(program: Program) -> tuple[str, ...]:
    """Relations of `.input` directives."""
    return tuple(dict.fromkeys(d.relation for d in program.directives if d.kind == "input"))
