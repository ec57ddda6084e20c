"""All uses of numba's internal classes, which its public interface does not offer; they are the reason why
`pyproject.toml` bounds numba's version.

`tests/engine/test_internals.py` lists these names, and checks that they exist in the installed version and that no
other module uses any of them. They are needed for two things:

    linking compiled functions    Numba optimises every function together with all that it calls and makes machine code
                                  of it, although Python calls entry points only: of a few hundred functions that call
                                  each other, each would be compiled once for each of its direct and indirect callers.
                                  Here a helper ends as LLVM bitcode of its own (`Part`); an entry point is linked from
                                  all that it reaches, optimised as one module (`Whole`) and taken out as machine code
    arrays at an address          Items of records are read and written in place: the types of `numba.extending` get
    (`vectors`)                   their operators by numba's templates, code generators and structs
"""

from typing import Any

from llvmlite import ir
from numba import njit
from numba.core import cgutils, typed_passes, untyped_passes
from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.compiler import Compiler, DefaultPassBuilder
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.np.numpy_support import from_dtype

from .loading import Code

__all__ = [
    "AbstractTemplate",
    "CompilePart",
    "CompileWhole",
    "Part",
    "Whole",
    "cgutils",
    "compiled_whole",
    "from_dtype",
    "infer_global",
    "ir",
    "made",
    "part",
    "signature",
]


# ---- putting together

UNNEEDED = {
    typed_passes.AnnotateTypes,
    typed_passes.DumpParforDiagnostics,
    typed_passes.InlineOverloads,
    typed_passes.NoPythonSupportedFeatureValidation,
    typed_passes.NopythonRewrites,
    untyped_passes.DeadBranchPrune,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.InlineClosureLikes,
    untyped_passes.InlineInlinables,
    untyped_passes.LiteralPropagationSubPipelinePass,
    untyped_passes.LiteralUnroll,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.RewriteDynamicRaises,
    untyped_passes.RewriteSemanticConstants,
    untyped_passes.WithLifting,
}


class Part(JITCodeLibrary):
    """A compiled helper: its own LLVM code and references to what it calls; it never becomes machine code."""

    def finalize(self) -> None:
        """Declare that nothing more will be added."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0, because Python cannot call a part."""
        return 0

    @property
    def codegen(self) -> Any:
        """Return an object that ignores environments; numba asks for it to store one at an address, which a part does
        not have."""
        return _NoAddresses


class Whole(JITCodeLibrary):
    """A compiled entry point, together with all that it calls, directly or not."""

    def finalize(self) -> None:
        """Link the parts, optimise the result, and make machine code."""
        self._linking_libraries = _callers_first(self._linking_libraries)
        super().finalize()


class _NoAddresses:
    @staticmethod
    def set_env(_name: str, _environment: Any) -> None:
        """Do nothing: environments serve exceptions with arguments, and kernels raise none."""


def _callers_first(libraries: list[CodeLibrary]) -> list[CodeLibrary]:
    """Return all libraries that are reached, callers before callees, since LLVM takes from a linked module only the
    functions that are called by then."""
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

    def define_pipelines(self) -> list[Any]:
        """Return numba's pipeline without what kernels have no use for: closures, `with`, literals as types, branches
        on types, overloads that are inlined, fused array expressions. They take a quarter of the time."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [step for step in pipeline.passes if step[0] not in UNNEEDED]
        pipeline.finalize()
        return [pipeline]

    def compile_extra(self, func: Any) -> Any:
        """Compile with a library of this class's own; numba calls this hook of its compiler by this name."""
        library = self.library(self.state.targetctx.codegen(), func.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        return super().compile_extra(func)


class CompileWhole(CompilePart):
    """Numba's pipeline, ending in a `Whole`."""

    library = Whole


# ---- compiling

# What is compiled knows nothing of Python: no wrappers through which Python or C call it, no counted references.
_ALONE = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}


def part(function: Any, inlined: bool = False) -> Any:
    """Return a function that kernels call, compiled when one of them is; `inlined`: its code shall stand wherever it is
    called."""
    return njit(**_ALONE, forceinline=inlined, pipeline_class=CompilePart)(function)


def compiled_whole(function: Any, arguments: tuple[Any, ...]) -> Code:
    """Compile a function for these types of arguments, with all that it calls; return its machine code."""
    dispatcher = njit(**_ALONE, pipeline_class=CompileWhole)(function)
    dispatcher.compile(arguments)
    result = dispatcher.overloads[arguments]
    _, _, (machine_code, _bitcode) = result.library.serialize_using_object_code()
    return Code(result.fndesc.llvm_func_name, machine_code)


# ---- generating code


def made(struct: Any) -> Any:
    """Return the value of a struct (`cgutils.create_struct_proxy`) whose fields were set."""
    return struct._getvalue()
