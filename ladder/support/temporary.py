"""Temporary folders; those of killed processes are recognised and removed by the next process.

A folder contains a file `owner` with a code of the folder's name under the user's key. The file is locked as long as
the process that made it lives; the system unlocks it however the process ends. So a folder is removed only if it is
this user's and no link, if Ladder made it, and if no living process uses it. Other folders stay.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from ladder.errors import StateError
from ladder.support.private import code_of, is_ours, open_own, why_foreign

OWNER = "owner"
PURPOSE = "temporary folder"
_held: dict[Path, int] = {}  # folder → its owner file, open and locked


def make_temporary(prefix: str) -> Path:
    """A new folder in the system's temporary directory that only this user may enter; folders with this prefix that
    killed processes left are removed.

    The caller removes it.
    """
    for gone in [folder for folder in _held if not folder.exists()]:
        os.close(_held.pop(gone))
    parent = Path(tempfile.gettempdir())
    _remove_left(parent, prefix)
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    # where there is no key or no lock, it cannot be recognised, and stays if this process is killed
    with suppress(OSError, StateError):
        _mark(folder)
    return folder


def _mark(folder: Path) -> None:
    """Write the owner file and lock it before it gets its name."""
    import fcntl

    unnamed = folder / f".{OWNER}"
    descriptor = open_own(unnamed, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.write(descriptor, _code(folder))
        unnamed.rename(folder / OWNER)
    except BaseException:
        os.close(descriptor)
        raise
    _held[folder] = descriptor


def _remove_left(parent: Path, prefix: str) -> None:
    known = re.compile(re.escape(prefix) + r"[a-z0-9_]{8}")
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if known.fullmatch(entry.name):
                with suppress(OSError, StateError):
                    _remove_if_left(Path(entry.path))


def _remove_if_left(folder: Path) -> None:
    """Remove a folder of ours if no process uses it any more; links are never followed."""
    import fcntl

    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode) or why_foreign(folder, status) or not shutil.rmtree.avoids_symlink_attacks:
        return
    descriptor = open_own(folder / OWNER)
    try:
        code = os.read(descriptor, 1 << 10)
        if not is_ours(code, PURPOSE, os.fsencode(folder.name)):
            return
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # OSError: who made it lives
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(descriptor)


def _code(folder: Path) -> bytes:
    return code_of(PURPOSE, os.fsencode(folder.name))
