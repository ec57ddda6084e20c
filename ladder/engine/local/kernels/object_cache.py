"""Compiled entry points on disk, found by the hash of their sources.

They are in a directory named after the sources of the whole package and the setting of NUMBA_BOUNDSCHECK; all
installations of a user that have the same sources share it. There is a file in it for each entry point and processor,
which is read under its own name alone. These files hold code that is run, so they lie where nobody else can write (see
`ladder.support.caches`).

An installation may come with such a directory, for common levels of processors (`levels`): what is in there for this
processor is not compiled. A working tree uses that of the interpreter's installation, if it was made of the same
sources.
"""

import atexit
import hashlib
import os
import shutil
import sysconfig
from contextlib import suppress
from pathlib import Path

from ladder.support.caches import NotKept, folder_of, read_kept, write_kept
from ladder.support.supervision import temporary_folder

from . import settings
from .levels import levels
from .loading import Code, target

PACKAGE = Path(__file__).parent
KEPT = 8  # directories, of this and of other versions


def _fingerprint() -> str:
    sources = b"".join(path.read_bytes() for path in sorted(PACKAGE.glob("*.py")))
    return hashlib.sha256(sources + str(settings.CHECKED).encode()).hexdigest()[:16]


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
LEVELS = tuple(levels()) if SHIPPED.is_dir() and settings.PROCESSOR is None else ()


def kept(name: str) -> Code | None:
    """Return the code of an entry point, of this user or of the installation; None where there is none or it is
    damaged."""
    packed = read_kept(_file(CACHE, name, target()))
    for level in LEVELS if packed is None else ():
        packed = packed or read_kept(_file(SHIPPED, name, target(level)), trusted=True)
    return None if packed is None else Code.unpacked(packed)


def keep(name: str, code: Code) -> None:
    """Keep the code of an entry point; where the disk is full or read-only, it will be compiled again the next time."""
    with suppress(OSError, NotKept):
        CACHE.mkdir(mode=0o700, exist_ok=True)
        write_kept(_file(CACHE, name, target()), code.packed())


def _file(folder: Path, name: str, target: str) -> Path:
    return folder / f"{name}-{hashlib.sha256(target.encode()).hexdigest()[:16]}"


def complete() -> bool:
    """Return whether all kernels are in the cache, or came with an installation."""
    return _mark(CACHE, target()).exists() or any(_mark(SHIPPED, target(level)).exists() for level in LEVELS)


def note_complete() -> None:
    """Record in the cache that it holds all kernels."""
    with suppress(OSError):
        _mark(CACHE, target()).touch()


def _mark(folder: Path, target: str) -> Path:
    return _file(folder, "complete", target)


def prune() -> None:
    """Remove all but the directories of the versions that were used last."""
    for folder in sorted(CACHE.parent.glob("kernels-*"), key=_used, reverse=True)[KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


def _used(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # another process has just removed it
        return 0.0
