"""All uses of numba's internal classes, which its public interface does not offer; they are the reason why
`pyproject.toml` bounds numba's version.

`tests/engine/test_internals.py` lists these names, and checks that they exist in the installed version and that no
other module uses any of them. They are needed for three things:

    linking compiled functions    Numba optimises every function together with all that it calls and makes machine code
                                  of it, although Python calls entry points only: of a few hundred functions that call
                                  each other, each would be compiled once for each of its direct and indirect callers.
                                  Here a helper ends as LLVM bitcode of its own (`Part`); an entry point is linked from
                                  all that it reaches and optimised as one module (`Whole`)
    keeping compiled functions    Numba's own cache notices changes in the file of an entry point only, and loading
    (`object_cache`)              from it needs all that compiling needs: `Loaded` and `restored` need none of it
    arrays at an address          Items of records are read and written in place: the types of `numba.extending` get
    (`memory`)                    their operators by numba's templates, code generators and structs
"""

import sys
from collections.abc import Mapping
from typing import Any

import numba
from llvmlite import binding, ir
from numba import config
from numba.core import cgutils
from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.runtime import _nrt_python
from numba.core.serialize import dumps
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.np.numpy_support import from_dtype

__all__ = [
    "AbstractTemplate",
    "CompilePart",
    "CompileWhole",
    "Loaded",
    "Part",
    "Whole",
    "add_symbol",
    "cgutils",
    "config",
    "features",
    "from_dtype",
    "infer_global",
    "ir",
    "keep_by",
    "machine",
    "made",
    "packed",
    "restored",
    "signature",
    "target_of",
    "versions",
]


# ---- putting together


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

    def compile_extra(self, func: Any) -> Any:
        """Compile with a library of this class's own; numba calls this hook of its compiler by this name."""
        library = self.library(self.state.targetctx.codegen(), func.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        return super().compile_extra(func)


class CompileWhole(CompilePart):
    """Numba's pipeline, ending in a `Whole`."""

    library = Whole


# ---- keeping


class Loaded(JITCodeLibrary):
    """Machine code that was loaded from disk; its bitcode is parsed only if another entry point is linked with it."""

    def __init__(self, codegen: Any, name: str, machine_code: bytes, bitcode: bytes) -> None:
        super().__init__(codegen, name)
        self._bitcode = bitcode
        self.enable_object_caching()
        self._set_compiled_object(machine_code)
        self._finalize_final_module()

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function."""
        return int(self._codegen._engine.get_function_address(name))

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = binding.parse_bitcode(self._bitcode)
        return self._shared_module


def keep_by(dispatcher: Any, cache: Any) -> None:
    """Let a dispatcher call `cache.load_overload` before it compiles, and `cache.save_overload` afterwards."""
    dispatcher._cache = cache


def target_of(target: Any, level: str = "") -> str:
    """Return what compiled code depends on besides its sources: the processor and its features, or a level of them,
    and the versions of numba and Python."""
    triple, processor, features = target.codegen().magic_tuple()
    return repr(((triple, level, "") if level else (triple, processor, features), versions()))


def versions() -> tuple[str, str]:
    """Return the versions of numba and Python; code compiled with one of each is of no use to others."""
    return numba.__version__, str(sys.implementation.cache_tag)


def machine() -> str:
    """Return the name of the processor that is compiled for: this machine's, unless NUMBA_CPU_NAME names another."""
    return str(config.CPU_NAME or binding.get_host_cpu_name())


def features() -> dict[str, bool]:
    """Return which features this machine's processor has, by LLVM's names."""
    return dict(binding.get_host_cpu_features())


def packed(result: CompileResult) -> bytes:
    """Return a compiled function as bytes, which `restored` can load."""
    name, _, code = result.library.serialize_using_object_code()
    result.fndesc.typemap = result.fndesc.calltypes = None  # of use in compiling only
    return bytes(dumps((name, code, result.fndesc, result.environment, result.signature, result.reload_init)))


def restored(
    target: Any, name: str, code: tuple[bytes, bytes], fndesc: Any, environment: Any, signature: Any, reload_init: Any
) -> CompileResult:
    """Return the compiled function that `packed` has serialised."""
    _offer_runtime()
    for function in reload_init:
        function()
    library = Loaded(target.codegen(), name, *code)
    entry = target.get_executable(library, fndesc, environment)
    return CompileResult(
        typing_context=target.typing_context,
        target_context=target,
        entry_point=entry,
        typing_error=None,
        type_annotation="",
        signature=signature,
        objectmode=False,
        lifted=(),
        fndesc=fndesc,
        library=library,
        call_helper=None,
        environment=environment,
        metadata=None,
        reload_init=reload_init,
        referenced_envs=(),
    )


def _offer_runtime() -> None:
    """Tell the linker where numba's runtime is. Loaded machine code needs nothing else of what numba sets up before it
    compiles."""
    helpers: Mapping[str, int] = _nrt_python.c_helpers
    for name, address in helpers.items():
        add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


def add_symbol(name: str, address: int) -> None:
    """Tell the linker the address of a function that compiled code calls by name."""
    binding.add_symbol(name, address)


# ---- generating code


def made(struct: Any) -> Any:
    """Return the value of a struct (`cgutils.create_struct_proxy`) whose fields were set."""
    return struct._getvalue()
