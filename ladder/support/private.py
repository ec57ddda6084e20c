"""Files that only this user can have written: private folders, files opened without following links, and the user's
key.

Ladder keeps states, facts and compiled code between runs. They determine what later runs compute, so they must come
from this user: a folder is private if it and its content belong to the user and nobody else may write there, and files
are opened without following links. Files that may be copied (states, shared caches) contain a code under the user's key
(see `code_of`), which nobody else can make.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from ladder.errors import StateError
from ladder.support.files import open_no_link

KEY_VARIABLE = "LADDER_KEY"  # the key as text, for caches that machines share
CACHE_VARIABLE = "LADDER_CACHE_DIR"
STATE_VARIABLE = "LADDER_STATE_DIR"
LIBRARIES_VARIABLE = "LADDER_LIBRARIES_DIR"  # packs of libraries, for machines and users that share a key
KEY_BYTES = 32
LEAST_KEY = 16  # characters of a key that the environment gives
CODE_BYTES = 32
OPEN_TO_OTHERS = "other users may write to it"
_key: dict[str, bytes] = {}  # where it came from → the key


def cache_root() -> Path:
    """The folder of caches, which can be deleted (`LADDER_CACHE_DIR`, else `ladder` in the user's cache directory); it
    need not exist."""
    return _root(CACHE_VARIABLE, "XDG_CACHE_HOME", ".cache")


def state_root() -> Path:
    """The folder of states (`LADDER_STATE_DIR`, else `ladder` in the user's state directory); it need not exist."""
    return _root(STATE_VARIABLE, "XDG_STATE_HOME", os.path.join(".local", "state"))


def _root(variable: str, standard: str, below_home: str) -> Path:
    if chosen := os.environ.get(variable):
        return Path(chosen).absolute()
    base = os.environ.get(standard) or ""
    return Path(base if os.path.isabs(base) else os.path.join(os.path.expanduser("~"), below_home)) / "ladder"


# ---- folders and files


def make_private(folder: Path) -> None:
    """Make a folder that only this user may enter, and its missing parents; `StateError` if it exists and is somebody
    else's."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    if reason := why_foreign(folder, os.lstat(folder)):
        raise StateError(
            f"{folder} is not used: {reason}.",
            "chmod go-w fixes it." if reason == OPEN_TO_OTHERS else "Remove it, or name another folder.",
        )


def why_foreign(path: Path, status: os.stat_result) -> str:
    """Why somebody else may have written a folder or file with this `lstat` result; "" if only this user can have."""
    if stat.S_ISLNK(status.st_mode):
        return "it is a symbolic link"
    if not hasattr(os, "getuid"):
        return ""
    if status.st_uid != os.getuid():
        return f"it belongs to another user (number {status.st_uid})"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not (
        stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX
    ):
        return OPEN_TO_OTHERS
    if not stat.S_ISDIR(status.st_mode) and status.st_nlink > 1:
        return "it has a second name (a hard link)"
    return ""


def check_kept(folder: Path, trusted: bool = False) -> None:
    """Raise `StateError` if a folder, or anything below it, is no regular folder or file of this user (`trusted`: or of
    another).

    After this check only processes of this user can change the content, since others have no write permission. Files
    that vanish during the check are ignored.
    """
    folders = [folder]
    _check_one(folder, os.lstat(folder), trusted, folder=True)
    while folders:
        with suppress(FileNotFoundError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):
                    status = entry.stat(follow_symlinks=False)
                    _check_one(Path(entry.path), status, trusted)
                    if stat.S_ISDIR(status.st_mode):
                        folders.append(Path(entry.path))


def _check_one(path: Path, status: os.stat_result, trusted: bool, folder: bool = False) -> None:
    if stat.S_ISLNK(status.st_mode):
        reason = "it is a symbolic link"
    elif not stat.S_ISDIR(status.st_mode) and (folder or not stat.S_ISREG(status.st_mode)):
        reason = "it is no folder" if folder else "it is no regular file"
    else:
        reason = "" if trusted else why_foreign(path, status)
    if reason:
        hint = "chmod go-w fixes it." if reason == OPEN_TO_OTHERS else "Remove it, or name another folder."
        raise StateError(f"{path} is not used: {reason}.", hint)


def check_state(folder: Path, trusted: bool = False) -> None:
    """Raise `StateError` if the folder of an engine's state is a link or somebody else's (unless `trusted`), or
    contains links, pipes or devices.

    The owner of the files in it does not matter: workers of a cluster may run as other users, and contents are checked
    by authenticated digests.
    """
    _check_one(folder, os.lstat(folder), trusted, folder=True)
    check_kept(folder, trusted=True)


def refuse_links(path: Path, top: Path) -> None:
    """Raise `StateError` if a part of a path below the folder `top` is a link, because the user has not chosen where it
    leads."""
    absolute = Path(os.path.abspath(path))
    for part in (absolute, *absolute.parents):
        if top in part.parents and part.is_symlink():
            raise StateError(
                f"{path} is not used: {part} is a symbolic link, and lies in the project.",
                "Name the folder that is meant.",
            )


def remove_known(folder: Path, known: re.Pattern[str], itself: bool = False) -> list[str]:
    """Delete the regular files below a folder whose relative paths match `known`, and folders that become empty → paths
    of what remains.

    `itself`: also delete the folder if it becomes empty. Links are never followed, even if something is replaced
    meanwhile.
    """
    left: list[str] = []
    if folder.is_symlink() or not folder.is_dir():
        return left
    for root, folders, files, descriptor in os.fwalk(folder, topdown=False):
        inside = os.path.relpath(root, folder)
        for name in files:
            path = os.path.normpath(os.path.join(inside, name))
            regular = stat.S_ISREG(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode)
            if regular and known.fullmatch(path):
                os.unlink(name, dir_fd=descriptor)
            else:
                left.append(path)
        for name in folders:
            with suppress(OSError):  # it is not empty, or is a link
                os.rmdir(name, dir_fd=descriptor)
    if itself:
        with suppress(OSError):
            folder.rmdir()
    return sorted(left)


def open_own(path: Path, flags: int = os.O_RDONLY, mode: int = 0o600, trusted: bool = False) -> int:
    """Open a regular file of this user (`trusted`: or of another), without following a link in the last part of its
    path, as a descriptor; `StateError` for other files.

    Raises `OSError` as usual if there is none. The opened file is checked, so that nothing can be replaced in between;
    it is truncated (`O_TRUNC`) only after the check.
    """
    try:
        descriptor = open_no_link(path, flags & ~os.O_TRUNC, mode)
    except OSError:
        if path.is_symlink():
            raise StateError(f"{path} is not used: it is a symbolic link.", "Remove it.") from None
        raise
    try:
        status = os.fstat(descriptor)
        reason = (
            "it is no regular file"
            if not stat.S_ISREG(status.st_mode)
            else ""
            if trusted
            else why_foreign(path, status)
        )
        if reason:
            raise StateError(f"{path} is not used: {reason}.", "Remove it.")
        if flags & os.O_TRUNC:
            os.ftruncate(descriptor, 0)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def read_own(path: Path, trusted: bool = False) -> bytes:
    """The bytes of a regular file of this user (`trusted`: or of another); errors are those of `open_own`."""
    with os.fdopen(open_own(path, trusted=trusted), "rb") as file:
        return file.read()


# ---- the user's key


def user_key() -> bytes:
    """The key of this user: `LADDER_KEY`, else 32 random bytes in the file `key` below `state_root()`, made at the
    first use.

    Raises `StateError` if the variable is too short, if the file is damaged or foreign, or if it cannot be made.
    """
    given = os.environ.get(KEY_VARIABLE)
    if given is not None:
        if len(given) < LEAST_KEY:
            raise StateError(
                f"{KEY_VARIABLE} is shorter than {LEAST_KEY} characters.",
                "Give it a long random text, such as 64 hexadecimal digits.",
            )
        return hashlib.blake2b(
            given.encode("utf-8", "surrogateescape"), digest_size=KEY_BYTES, person=b"ladder key"
        ).digest()
    file = state_root() / "key"
    if str(file) not in _key:
        _key[str(file)] = _stored_key(file)
    return _key[str(file)]


def key_name() -> str:
    """A name of this user's key, which does not tell the key; raises as `user_key` does."""
    return hashlib.blake2b(user_key(), digest_size=8, person=b"ladder name").hexdigest()


def _stored_key(file: Path) -> bytes:
    try:
        try:
            key = read_own(file)
        except FileNotFoundError:
            _make_key(file)
            key = read_own(file)
    except OSError as error:
        raise StateError(
            f"The key {file}, by which Ladder tells its own files, cannot be read or made: {error.strerror}.",
            f"Set {STATE_VARIABLE} to a folder that can be written, or {KEY_VARIABLE} to a long random text.",
        ) from None
    if len(key) != KEY_BYTES:
        raise StateError(
            f"The key {file}, by which Ladder tells its own files, is damaged.",
            "Remove it; what was saved before is then computed anew.",
        )
    return key


def _make_key(file: Path) -> None:
    """Write a new key atomically, unless another process was faster; a lock on the folder admits one process at a
    time."""
    import fcntl

    from ladder.support.files import PRIVATE, write_atomically  # needed once in the life of a user

    make_private(file.parent)
    folder = open_no_link(file.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if not os.path.lexists(file):
            write_atomically(file, secrets.token_bytes(KEY_BYTES), durable=True, mode=PRIVATE)
    finally:
        os.close(folder)


def code_of(purpose: str, *parts: bytes | memoryview, key: bytes | None = None) -> bytes:
    """The code of 32 bytes that authenticates these parts for this purpose as written by this user (keyed BLAKE2b, RFC
    7693 section 2.9).

    `key`: the key, by default the user's.
    """
    hasher = hashlib.blake2b(key=user_key() if key is None else key, digest_size=CODE_BYTES)
    for part in (purpose.encode(), *parts):
        hasher.update(len(part).to_bytes(8, "little"))
        hasher.update(part)
    return hasher.digest()


def is_ours(code: bytes, purpose: str, *parts: bytes | memoryview, key: bytes | None = None) -> bool:
    """Whether a code is that of these parts."""
    return hmac.compare_digest(code, code_of(purpose, *parts, key=key))
