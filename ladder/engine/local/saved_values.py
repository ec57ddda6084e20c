"""Values of lattices out of a saved state: reading them runs no code that the program does not name."""
from __future__ import annotations

import io
import pickle
from typing import Any

from ladder.language.core import Program


def values_of(data: bytes, program: Program, core: bool = False) -> Any:
    """What was pickled; ValueError where it cannot be had, or asks for more than values of lattices and (`core`) core programs."""
    try:
        return _Unpickler(io.BytesIO(data), program, core).load()
    except Exception as error:   # whatever a forged or damaged pickle makes a constructor raise
        raise ValueError(f"{type(error).__name__}: {error}") from error


class _Unpickler(pickle.Unpickler):
    """Reads values of lattices; no class but those defined in the modules of the program's lattices, and plain containers."""

    def __init__(self, file: io.BytesIO, program: Program, core: bool) -> None:
        super().__init__(file)
        self.modules = set().union(*map(_modules_of, program.lattices.values()))
        self.modules |= {Program.__module__} if core else set()
        self.modules |= {str(getattr(function.call, "__module__", "")) for function in program.functions.values()}

    def find_class(self, module: str, name: str) -> Any:
        if module == "builtins":
            allowed = name in ("frozenset", "set", "complex", "bytearray")
        else:
            allowed = "." not in name and module in self.modules
        if allowed:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module:   # not what the module merely imports
                return found
        raise pickle.UnpicklingError(f"a value of {module}.{name}")


def _modules_of(lattice: Any) -> set[str]:
    """Modules of a lattice's class, of those it is derived from, and of the lattices it is made of."""
    parts = [part for value in getattr(lattice, "__dict__", {}).values() for part in (value if isinstance(value, tuple | list) else (value,))]
    inner = [_modules_of(part) for part in parts if hasattr(part, "join") and not isinstance(part, str | bytes)]
    return {base.__module__ for base in type(lattice).__mro__}.difference({"builtins", "typing", "abc"}).union(*inner)
