"""`entry_point`: compile a kernel that Python calls, and keep it on disk; `helper`: a function that only
kernels call."""

from collections.abc import Callable
from contextlib import suppress
from functools import update_wrapper
from pathlib import Path
from typing import Any

import numba
from numba import config, njit

from .internals import CompilePart, CompileWhole, keep_by, machine
from .object_cache import CACHE, Kept

# Python never calls a helper: without the wrappers for that, compiling takes a quarter less time.
helper: Callable[[Any], Any] = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=CompilePart)


def entry_point(function: Any) -> Any:
    """Compile without the GIL on first call, or load from the cache of these sources."""
    dispatcher = njit(nogil=True, no_cfunc_wrapper=True, pipeline_class=CompileWhole)(function)
    if not config.DISABLE_JIT:
        keep_by(dispatcher, Kept(function))
    return _named(function, dispatcher)


def _named(function: Any, dispatcher: Any) -> Any:
    """A call in a frame of its own, named after the kernel: what is told of a crash (`faulthandler`) says which one
    ran."""

    def call(*arguments: Any) -> Any:
        return dispatcher(*arguments)

    code = function.__code__
    call.__code__ = call.__code__.replace(
        co_name=f"kernel {function.__name__}", co_filename=code.co_filename, co_firstlineno=code.co_firstlineno
    )
    return update_wrapper(call, function)


def compiled() -> bool:
    """Whether all kernels are in the cache, so that their first use takes no half minute."""
    return bool(config.DISABLE_JIT) or _mark().exists()


def note_compiled() -> None:
    """Note that all kernels are in the cache."""
    with suppress(OSError):
        _mark().touch()


def _mark() -> Path:
    return CACHE / f"complete-{numba.__version__}-{machine()}"
