"""`entry_point`: compile a kernel that Python calls, and keep it on disk; `helper`: a function that only kernels call.

Numba's cache notices a change in the file of the entry point only, not in the
helpers that were compiled into it, nor of NUMBA_BOUNDSCHECK.  So the cache lives
in a directory named after the sources of the whole package and that setting;
every installation with the same sources shares it, wherever it lies.
"""
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import config, njit

from .linking import CompilePart, CompileWhole

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
    """In the user's cache directory; beside the sources, or in a temporary place, where that cannot be written."""
    name = f"kernels-{_fingerprint()}"
    user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ladder" / name
    beside = PACKAGE / "__pycache__" / name
    return next((folder for folder in (user, beside) if _writable(folder)), Path(tempfile.gettempdir()) / f"ladder-{os.getuid()}" / name)


# Python never calls a helper: without the wrappers for that, compiling takes a quarter less time.
helper: Callable[[Any], Any] = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=CompilePart)

CACHE = _cache_directory()


class ByContents:
    """Where numba finds what it compiled: the folder's name tells the sources, so no file's path or date matters."""

    def __init__(self, function: Any) -> None:
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Any, _file: str) -> "ByContents":
        """As numba asks for it."""
        CACHE.mkdir(parents=True, exist_ok=True)
        return cls(function)

    def get_cache_path(self) -> str:
        """The folder."""
        return str(CACHE)

    def get_source_stamp(self) -> str:
        """What must be equal for the cache to be valid."""
        return CACHE.name

    def get_disambiguator(self) -> str:
        """Tells functions of the same name from each other."""
        return str(self._line)

    def ensure_cache_path(self) -> None:
        """The folder is there."""


def entry_point(function: Any) -> Any:
    """Compile without the GIL on first call, or load from the cache of these sources."""
    usual, config.CACHE_LOCATOR_CLASSES = config.CACHE_LOCATOR_CLASSES, f"{__name__}.{ByContents.__name__}"
    try:
        return njit(cache=True, nogil=True, no_cfunc_wrapper=True, pipeline_class=CompileWhole)(function)
    finally:
        config.CACHE_LOCATOR_CLASSES = usual


def compiled() -> bool:
    """Whether the kernels are in the cache already, so that their first use takes no half minute."""
    return any(CACHE.glob("evaluation.run-*.nbi"))
