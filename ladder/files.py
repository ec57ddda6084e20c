"""Writing files so that a reader, or a run that was killed, never finds half of one."""
from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TEMPORARY = ".part-"


@contextmanager
def replacing(target: Path, durable: bool = False) -> Iterator[Path]:
    """A temporary path beside `target`; what was written there takes the target's place when the block ends well.

    `durable`: it is on the disk, not only on its way there, before this returns.
    """
    descriptor, name = tempfile.mkstemp(prefix=TEMPORARY, dir=target.parent)
    os.close(descriptor)
    temporary = Path(name)
    try:
        yield temporary
        os.chmod(temporary, 0o666 & ~_umask())
        if durable:
            sync(temporary)
        os.replace(temporary, target)
        if durable:
            sync(target.parent)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(target)     # writing, unlike opening, does not tell where
        raise


def write_atomically(target: Path, data: str | bytes, durable: bool = False) -> None:
    """Put `data` in the place of `target` in one step; `durable`: and wait until it is on the disk."""
    with replacing(target, durable) as temporary:
        temporary.write_bytes(data.encode() if isinstance(data, str) else data)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_leftovers(folder: Path) -> None:
    """Delete what a killed run left half-written in a folder that nobody else is writing to."""
    for leftover in folder.glob(f"{TEMPORARY}*"):
        with suppress(OSError):
            leftover.unlink()


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current
