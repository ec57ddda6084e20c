"""`entry_point`: compile a kernel that Python calls, and keep it on disk; `helper`: a function that only kernels call."""
from collections.abc import Callable
from typing import Any

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
    """Whether the kernels are in the cache already, so that their first use takes no half minute."""
    return any(CACHE.glob("evaluation.run-*"))
