"""Caches on disk of what takes long to make: parser tables, checked programs, compiled kernels.

Entries are unpickled or executed. So they are in a folder to which only this user may write, in files that this user
owns, and each begins with a code of its content: truncated or damaged files are ignored. (The tables of the parser,
which Lark writes and reads itself, have no code; tables that it cannot read are made anew.) Without such a folder
nothing is cached.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
import warnings
from contextlib import suppress
from pathlib import Path

from ladder.errors import LadderWarning, StateError
from ladder.support.files import PRIVATE, write_atomically
from ladder.support.private import CODE_BYTES, cache_root, code_of, is_ours, make_private, read_own

unwritten = list[Path]()  # files that this process could not write
_told = set[Path]()  # folders of a file that cannot be used, of which was told


class NotKept(Exception):
    """Raised if there is no folder that only this user may write to, or if it cannot be written; the message says
    why."""


def folder_of(*names: str) -> Path:
    """A private folder below the user's cache directory, made if it is missing; `NotKept` if that is impossible."""
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
    """The same folder as of `folder_of`; None if it cannot be made."""
    try:
        return folder_of(*names)
    except NotKept:
        return None


def _make(folder: Path) -> None:
    """Make a folder; if it exists and is the user's, withdraw the write permission of others, which a permissive umask
    may have given."""
    with suppress(OSError):
        status = os.lstat(folder)
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and status.st_mode & 0o022:
            os.chmod(folder, status.st_mode & 0o755)
    make_private(folder)


def read_kept(file: Path, purpose: str = "", trusted: bool = False) -> bytes | None:
    """The content that `write_kept` wrote; None if there is no such file, or if it is damaged, was written under
    another name, or is not the user's own (`trusted`: or another's, where it lies among code of this installation).

    With a purpose the content is authenticated with the user's key, so that files copied from elsewhere are not
    accepted. Without one it is compiled code, of which is said why it cannot be used, of the first such
    file of a folder: to make it anew takes long.
    """
    try:
        content = read_own(file, trusted=trusted)
        code, payload = content[:CODE_BYTES], content[CODE_BYTES:]
        known = is_ours(code, purpose, payload) if purpose else hmac.compare_digest(code, _digest(file, payload))
    except FileNotFoundError:
        return None
    except (OSError, StateError) as error:
        known, reason = False, error.message if isinstance(error, StateError) else f"{file}: {error.strerror}"
    else:
        reason = f"{file} is damaged"
    if not known and not purpose and file.parent not in _told:
        _told.add(file.parent)
        reason = f"{reason.removesuffix('.')}: what it has is compiled anew, which may take half a minute"
        warnings.warn(reason, LadderWarning, stacklevel=2)
    return payload if known else None


def write_kept(file: Path, payload: bytes, purpose: str = "") -> None:
    """Write a file for `read_kept` atomically; `NotKept` if that fails."""
    try:
        code = code_of(purpose, payload) if purpose else _digest(file, payload)
        write_atomically(file, code + payload, mode=PRIVATE)
    except (OSError, StateError) as error:
        unwritten.append(file)
        raise NotKept(str(error)) from None


def _digest(file: Path, payload: bytes) -> bytes:
    """The digest of a content under the file's name: under another name it is another one."""
    return hashlib.blake2b(os.fsencode(file.name) + b"\0" + payload, digest_size=CODE_BYTES).digest()
