"""All that needs numba's own classes, which its public interface does not offer; `pyproject.toml` bounds its version
for their sake.

`tests/engine/test_internals.py` says which names these are, that they exist in the version that is installed, and that
no other module uses any. Why they are used:

    how compiled functions are put together   Numba optimises every function with all that it calls and makes machine
                                              code of it, though Python calls entry points alone: of a few hundred
                                              functions that call each other, each would be compiled once per caller,
                                              and its callers'. Here a helper ends as intermediate code of its own
                                              (`Part`); an entry point is linked from all that it reaches and optimised
                                              as one module (`Whole`)
    how they are kept (`object_cache`)        Numba's own cache notices changes in the file of an entry point only, and
                                              loading from it takes what compiling does: `Loaded` and `restored` need
                                              none of it
    arrays at an address (`memory`)           items of records are read and written in place: the types of
                                              `numba.extending` get their operators by numba's templates, code
                                              generators and structs
"""

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
]


# ---- putting together


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
        """Compile without more passes: numba calls this hook of its compiler by this name."""
        library = self.library(self.state.targetctx.codegen(), func.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        return super().compile_extra(func)


class CompileWhole(CompilePart):
    """Numba's pipeline, ending in a `Whole`."""

    library = Whole


# ---- keeping


class Loaded(JITCodeLibrary):
    """Machine code that was kept; its intermediate code is parsed only if another entry point is to contain it."""

    def __init__(self, codegen: Any, name: str, machine_code: bytes, bitcode: bytes) -> None:
        super().__init__(codegen, name)
        self._bitcode = bitcode
        self.enable_object_caching()
        self._set_compiled_object(machine_code)
        self._finalize_final_module()

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function."""
        return int(self._codegen._engine.get_function_address(name))

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = binding.parse_bitcode(self._bitcode)
        return self._shared_module


def keep_by(dispatcher: Any, cache: Any) -> None:
    """Let a dispatcher ask `cache.load_overload` before it compiles, and tell `cache.save_overload` afterwards."""
    dispatcher._cache = cache


def target_of(target: Any) -> str:
    """What compiled code depends on beside its sources: numba's version, the processor and its features."""
    return repr((target.codegen().magic_tuple(), numba.__version__))


def machine() -> str:
    """The processor of this machine, by its name."""
    return str(binding.get_host_cpu_name())


def packed(result: CompileResult) -> bytes:
    """A compiled function as bytes, for `restored`."""
    name, _, code = result.library.serialize_using_object_code()
    result.fndesc.typemap = result.fndesc.calltypes = None  # of use in compiling only
    return bytes(dumps((name, code, result.fndesc, result.environment, result.signature, result.reload_init)))


def restored(
    target: Any, name: str, code: tuple[bytes, bytes], fndesc: Any, environment: Any, signature: Any, reload_init: Any
) -> CompileResult:
    """A compiled function of what `packed` has put together."""
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
    """Tell the linker where numba's runtime is: all that loaded machine code needs of what numba sets up before
    compiling."""
    helpers: Mapping[str, int] = _nrt_python.c_helpers
    for name, address in helpers.items():
        add_symbol(name if name.startswith("_") else f"NRT_{name}", address)


def add_symbol(name: str, address: int) -> None:
    """Tell the linker where a function is that compiled code calls by name."""
    binding.add_symbol(name, address)


# ---- generating code


def made(struct: Any) -> Any:
    """The value of a struct whose fields were set (`cgutils.create_struct_proxy`)."""
    return struct._getvalue()
