"""Compiled entry points on disk: they are found by the hash of their sources, and loaded without the parts of numba
that compiling needs.

Numba's own cache notices a change in the file of the entry point, but no change in the helpers that were compiled into
it, and no change of NUMBA_BOUNDSCHECK. So this cache is in a directory named after the sources of the whole package and
that setting; all installations of a user that have the same sources share it. There is a file in it for each function
and tuple of argument types, which is read under its own name alone. These files hold code that is run, so they lie
where nobody else can write (see `ladder.support.caches`).

An installation may come with such a directory, for common levels of processors (`levels`): what is in there for this
processor, numba and Python is not compiled. A working tree uses that of the interpreter's installation, if it was made
of the same sources.
"""

import atexit
import hashlib
import os
import pickle
import shutil
import sysconfig
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ladder.support.caches import NotKept, folder_of, read_kept, write_kept
from ladder.support.signals import Undisturbed
from ladder.support.supervision import temporary_folder

from .internals import config, machine, packed, restored, target_of, versions
from .levels import levels

PACKAGE = Path(__file__).parent
KEPT = 8  # directories, of this and of other versions


def _fingerprint() -> str:
    sources = b"".join(path.read_bytes() for path in sorted(PACKAGE.glob("*.py")))
    return hashlib.sha256(sources + str(bool(config.BOUNDSCHECK)).encode()).hexdigest()[:16]


def _directory() -> tuple[Path, str]:
    """Return the folder in the user's cache directory and ""; where that cannot be used, a temporary folder that is
    removed when this process ends, and the reason."""
    name = f"kernels-{_fingerprint()}"
    try:
        return folder_of(name), ""
    except NotKept as error:
        alone = Path(temporary_folder("ladder-kernels-"))
        atexit.register(_remove, alone, os.getpid())
        return alone / name, str(error)


def _shipped(name: str) -> Path:
    """Return the folder of compiled kernels that this package, or else the interpreter's installation of it, came with;
    it need not exist."""
    beside = PACKAGE / "compiled" / name
    if beside.is_dir():
        return beside
    return Path(sysconfig.get_path("platlib"), *__package__.split("."), "compiled", name)


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


# where compiled kernels are, and why they are not kept for the next process ("" if they are)
CACHE, NOT_KEPT = _directory()
with suppress(OSError):
    os.utime(CACHE)  # `prune` keeps what was used last
# compiled kernels that an installation came with, and the levels to look for: none where the processor is named
SHIPPED = _shipped(CACHE.name)
LEVELS = tuple(levels()) if SHIPPED.is_dir() and config.CPU_NAME is None else ()


class Kept:
    """The cache of one function, with the interface of numba's caches: a dispatcher asks it before it compiles, and
    hands over what it has compiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"

    @property
    def cache_path(self) -> str:
        """The directory of the cache."""
        return str(CACHE)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the compiled function for these types of arguments; None where there is none or it is damaged."""
        payload = read_kept(self._file(CACHE, signature, target_of(target)))
        for level in LEVELS if payload is None else ():
            payload = payload or read_kept(self._file(SHIPPED, signature, target_of(target, level)), trusted=True)
        if payload is None:
            return None
        stored = pickle.loads(payload)
        with Undisturbed():  # numba calls Python from C in between, where what a signal raises is lost
            return restored(target, *stored)

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep a compiled function; where the disk is full or read-only, it will be compiled again the next time."""
        payload = packed(result)
        try:
            CACHE.mkdir(mode=0o700, exist_ok=True)
            write_kept(self._file(CACHE, signature, target_of(result.target_context)), payload)
        except (OSError, NotKept):
            return

    def _file(self, folder: Path, signature: Any, target: str) -> Path:
        form = hashlib.sha256(f"{signature!r} {target}".encode()).hexdigest()[:16]
        return folder / f"{self._name}-{form}"


def complete() -> bool:
    """Return whether all kernels are in the cache, or came with an installation."""
    return _mark(CACHE, machine()).exists() or any(_mark(SHIPPED, level).exists() for level in LEVELS)


def note_complete() -> None:
    """Record in the cache that it holds all kernels."""
    with suppress(OSError):
        _mark(CACHE, machine()).touch()


def _mark(folder: Path, processor: str) -> Path:
    return folder / f"complete-{'-'.join(versions())}-{processor}"


def prune() -> None:
    """Remove all but the directories of the versions that were used last."""
    for folder in sorted(CACHE.parent.glob("kernels-*"), key=_used, reverse=True)[KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


def _used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # another process has just removed it
        return 0.0
