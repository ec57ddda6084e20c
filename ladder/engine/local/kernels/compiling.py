"""`entry_point`: compile a kernel that Python calls, and keep it on disk; `helper`: a function that only kernels call."""
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding
from numba import config, njit

from .keeping import CACHE, Kept
from .linking import CompilePart, CompileWhole

# Python never calls a helper: without the wrappers for that, compiling takes a quarter less time.
helper: Callable[[Any], Any] = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=CompilePart)


def entry_point(function: Any) -> Any:
    """Compile without the GIL on first call, or load from the cache of these sources."""
    dispatcher = njit(nogil=True, no_cfunc_wrapper=True, pipeline_class=CompileWhole)(function)
    if not config.DISABLE_JIT:
        dispatcher._cache = Kept(function)
    return dispatcher


def compiled() -> bool:
    """Whether all kernels are in the cache, so that their first use takes no half minute."""
    return bool(config.DISABLE_JIT) or _mark().exists()


def note_compiled() -> None:
    """Note that all kernels are in the cache."""
    with suppress(OSError):
        _mark().touch()


def _mark() -> Path:
    return CACHE / f"complete-{numba.__version__}-{binding.get_host_cpu_name()}"
