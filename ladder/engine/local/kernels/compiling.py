"""`entry_point`: compile a kernel that Python calls, and keep it on disk; `helper`: a function that only kernels call.

Numba's cache notices a change in the file of the entry point only, not in the
helpers that were compiled into it, nor of NUMBA_BOUNDSCHECK.  So the cache lives
in a directory named after the sources of the whole package and that setting.
"""
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import config, njit

PACKAGE = Path(__file__).parent


def _fingerprint() -> str:
    sources = b"".join(path.read_bytes() for path in sorted(PACKAGE.glob("*.py")))
    return hashlib.sha256(sources + str(config.BOUNDSCHECK).encode()).hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _cache_directory() -> Path:
    """Beside the sources where that is writable, in the user's cache directory otherwise."""
    name = f"kernels-{_fingerprint()}"
    beside = PACKAGE / "__pycache__" / name
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ladder" / name
    return next((folder for folder in (beside, user) if _writable(folder)), Path(tempfile.gettempdir()) / f"ladder-{os.getuid()}" / name)


# Python never calls a helper: without the wrappers for that, compiling takes a quarter less time.
helper: Callable[[Any], Any] = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)

CACHE = _cache_directory()


def entry_point(function: Any) -> Any:
    """Compile without the GIL on first call, or load from the cache of this version of the package."""
    usual, config.CACHE_DIR = config.CACHE_DIR, str(CACHE)
    try:
        return njit(cache=True, nogil=True)(function)
    finally:
        config.CACHE_DIR = usual


def compiled() -> bool:
    """Whether the kernels are in the cache already, so that their first use takes no half minute."""
    return any(CACHE.rglob("evaluation.run-*.nbi"))
