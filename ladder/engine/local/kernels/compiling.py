"""`entry_point`: compiles a kernel that Python calls, and keeps it on disk; `helper`: compiles a function that only
kernels call.
"""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from numba import config, njit

from .internals import CompilePart, CompileWhole, keep_by
from .object_cache import Kept, complete

# Python never calls a helper: without the wrappers for that, compiling takes a quarter less time.
helper: Callable[[Any], Any] = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=CompilePart)


def entry_point(function: Any) -> Any:
    """Compile a function, without the GIL, on its first call, or load it from the cache of these sources."""
    dispatcher = njit(nogil=True, no_cfunc_wrapper=True, pipeline_class=CompileWhole)(function)
    if not config.DISABLE_JIT:
        keep_by(dispatcher, Kept(function))
    return _named(function, dispatcher)


def _named(function: Any, dispatcher: Any) -> Any:
    """Return a function that calls the kernel in a frame named after it, so that the report of a crash (`faulthandler`)
    names the kernel."""

    def call(*arguments: Any) -> Any:
        return dispatcher(*arguments)

    code = function.__code__
    call.__code__ = call.__code__.replace(
        co_name=f"kernel {function.__name__}", co_filename=code.co_filename, co_firstlineno=code.co_firstlineno
    )
    return update_wrapper(call, function)


def compiled() -> bool:
    """Return whether all kernels are compiled already; otherwise their first use takes about half a minute."""
    return bool(config.DISABLE_JIT) or complete()
