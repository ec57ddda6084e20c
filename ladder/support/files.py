"""Writing of files such that nobody, not even after a kill, finds a partial one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TEMPORARY = ".part-"
_NO_LINK = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
# modes of files: what nobody else shall read, what Ladder keeps, what a user asked for
PRIVATE, OWN, FOR_OTHERS = 0o600, 0o644, 0o666


def without_links(path: str | os.PathLike[str]) -> Path:
    """The absolute path of a file with links followed; where they have no end, which `Path.resolve` is an error for in
    some versions of Python alone, as far as they lead: to a link."""
    return Path(os.path.realpath(path))


def open_no_link(path: str | Path, flags: int = os.O_RDONLY, mode: int = 0o600, folder: int | None = None) -> int:
    """Open a path (relative to the open `folder`) as a descriptor that children do not inherit, without following a
    link in its last part and without blocking on a pipe."""
    return os.open(path, flags | _NO_LINK, mode, dir_fd=folder)


@contextmanager
def replacing(target: Path, durable: bool = False, mode: int = OWN) -> Iterator[Path]:
    """A block with a temporary path next to `target`, whose file replaces the target when the block succeeds.

    The path is unguessable and that of a new file that only this user may open. A link at the target is replaced, not
    followed. `durable`: wait until the file is on disk. `mode`: the permissions, limited by the umask; files that
    Ladder reads again are writable by nobody else. A pipe or device that a user named as output is written directly.
    """
    if mode == FOR_OTHERS and target.exists() and not target.is_file() and not target.is_dir():
        yield target
        return
    try:
        descriptor, name = tempfile.mkstemp(prefix=TEMPORARY, dir=target.parent)
    except OSError as error:
        error.filename = str(target)
        raise
    os.close(descriptor)
    temporary = Path(name)
    try:
        yield temporary
        os.chmod(temporary, mode & ~_umask())
        if durable:
            sync(temporary)
        os.replace(temporary, target)
        if durable:
            sync(target.parent)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError) and error.filename in (None, name):
            error.filename = str(target)  # writing, unlike opening, does not tell where
        raise


def write_atomically(target: Path, data: str | bytes, durable: bool = False, mode: int = OWN) -> None:
    """Replace `target` by a file with `data` atomically; `durable`: wait until it is on disk."""
    with replacing(target, durable, mode) as temporary:
        content = data.encode() if isinstance(data, str) else data
        if temporary == target:  # a pipe has no places
            temporary.write_bytes(content)
        else:
            write_pieces(temporary, [(0, content)])


def write_pieces(path: Path, pieces: Iterable[tuple[int, bytes | memoryview]]) -> None:
    """Write pieces at their offsets into an existing file that is empty; `OSError` if not all can be written."""
    descriptor = open_no_link(path, os.O_WRONLY)
    try:
        for at, piece in pieces:
            rest = memoryview(piece).cast("B")
            while len(rest):
                # of a full disk, or of gigabytes, it writes less than it was given
                written = os.pwrite(descriptor, rest, at)
                at, rest = at + written, rest[written:]
            del piece, rest  # whose memory may go before the next one is there
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make a folder and its missing parents, and wait until their names are on disk."""
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for made in reversed(missing):
        sync(made.parent)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_leftovers(folder: Path) -> None:
    """Delete temporary files of killed runs in a folder to which nobody else is writing; links are removed, not
    followed."""
    for leftover in folder.glob(f"{TEMPORARY}*"):
        with suppress(OSError):
            leftover.unlink()


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current
