"""How compiled functions are put together: helpers stay intermediate code until an entry point is made of them.

Numba optimises every function with all that it calls and makes machine code of it, though Python calls entry points alone:
of a few hundred functions that call each other, each would be compiled once per caller, and its callers'. Here a helper ends
as intermediate code of its own; an entry point is linked from all that it reaches and optimised as one module.
"""
from typing import Any

from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.compiler import Compiler


class Part(JITCodeLibrary):
    """A helper: its own intermediate code, and what it calls; never machine code."""

    def finalize(self) -> None:
        """Nothing more will be added."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """None: Python cannot call it."""
        return 0

    @property
    def codegen(self) -> Any:
        """Asked for, by numba, to note an environment at an address that a part does not have."""
        return _NoAddresses


class Whole(JITCodeLibrary):
    """An entry point with all that it calls, directly or not."""

    def finalize(self) -> None:
        """Link, optimise, make machine code."""
        self._linking_libraries = _callers_first(self._linking_libraries)
        super().finalize()


class _NoAddresses:
    @staticmethod
    def set_env(_name: str, _environment: Any) -> None:
        """Environments serve exceptions with arguments; kernels raise none."""


def _callers_first(libraries: list[CodeLibrary]) -> list[CodeLibrary]:
    """All that is reached: LLVM takes from a linked module only what is called by then."""
    finished: dict[CodeLibrary, None] = {}

    def visit(library: CodeLibrary) -> None:
        if library not in finished:
            for called in library._linking_libraries if isinstance(library, Part) else ():
                visit(called)
            finished[library] = None

    for library in libraries:
        visit(library)
    return [*reversed(finished)]


class CompilePart(Compiler):
    """Numba's pipeline, ending in a `Part`."""

    library: type[JITCodeLibrary] = Part

    def compile_extra(self, func: Any) -> Any:
        """As numba calls it."""
        library = self.library(self.state.targetctx.codegen(), func.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        return super().compile_extra(func)


class CompileWhole(CompilePart):
    """Numba's pipeline, ending in a `Whole`."""

    library = Whole
