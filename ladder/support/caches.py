"""What is kept between runs because it takes long to make: parser tables, checked programs, compiled kernels.

It is read back with pickle, or run. So it lies where only this user may write, in files of this user's own, and each
begins with a code of its content: files that were cut off or mixed up are as good as none. Where there is no such
folder, nothing is kept.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
from contextlib import suppress
from pathlib import Path

from ladder.errors import StateError
from ladder.support.files import PRIVATE, write_atomically
from ladder.support.private import CODE_BYTES, cache_root, code_of, is_ours, make_private, read_own


class NotKept(Exception):
    """There is no folder that only this user may write to, or it cannot be written; the message says why."""


def folder_of(*names: str) -> Path:
    """A private folder below the user's cache directory, made if it is missing; `NotKept` where it cannot be had."""
    folder = cache_root()
    try:
        _make(folder)
        for name in names:
            folder /= name
            _make(folder)
    except StateError as error:
        raise NotKept(error.message) from None
    except OSError as error:
        raise NotKept(f"{folder} cannot be made: {error.strerror}.") from None
    if not os.access(folder, os.W_OK):
        raise NotKept(f"{folder} cannot be written.")
    return folder


def folder_if_any(*names: str) -> Path | None:
    """Return the folder as `folder_of` does, or None where it cannot be had."""
    try:
        return folder_of(*names)
    except NotKept:
        return None


def _make(folder: Path) -> None:
    """Make a folder; from one of the user's own, take the right of others to write, which a generous umask
    gave them."""
    with suppress(OSError):
        status = os.lstat(folder)
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and status.st_mode & 0o022:
            os.chmod(folder, status.st_mode & 0o755)
    make_private(folder)


def read_kept(file: Path, purpose: str = "") -> bytes | None:
    """What `write_kept` wrote, None where there is no such file, it is not the user's own, or damaged.

    With a purpose it is authenticated by the user's key, too, for content that has to stand up to copies from
    elsewhere.
    """
    try:
        content = read_own(file)
        code, payload = content[:CODE_BYTES], content[CODE_BYTES:]
        known = is_ours(code, purpose, payload) if purpose else hmac.compare_digest(code, _digest(payload))
    except (OSError, StateError):
        return None
    return payload if known else None


def write_kept(file: Path, payload: bytes, purpose: str = "") -> None:
    """Put a file in place in one step, for `read_kept`; `NotKept` where that cannot be done."""
    try:
        code = code_of(purpose, payload) if purpose else _digest(payload)
        write_atomically(file, code + payload, mode=PRIVATE)
    except (OSError, StateError) as error:
        raise NotKept(str(error)) from None


def _digest(payload: bytes) -> bytes:
    return hashlib.blake2b(payload, digest_size=CODE_BYTES).digest()
