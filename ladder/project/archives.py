"""Archives as projects: the files in a zip, jar or jmod, or in a runtime image (see `images`), each identified by its
content as in a work tree.

Nothing is unpacked: a file is read from the archive when its facts are extracted. An archive is not trusted. What is
odd about one of its entries (a path that leads elsewhere, a second entry of the same name, encryption, a size that is
not the declared one) leaves out that entry, which is reported. Entries are read up to their declared size, and the sum
of these sizes is limited, so that an archive that is small and unpacks to much costs little.
"""

from __future__ import annotations

import errno
import lzma
import os
import re
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from ladder.errors import ProjectError
from ladder.project.images import Image, is_image
from ladder.support.counts import counted

MOST_ENTRIES = 1_000_000
MOST_BYTES = 4 << 30
"""Bytes of all files of a project in an archive, unpacked."""

VERSIONED = "META-INF/versions/"
NESTED = (".jar", ".war", ".ear", ".zip", ".jmod")
ENCRYPTED = 0x1
_BROKEN = (
    zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError, IndexError,
    OverflowError, struct.error, lzma.LZMAError,
)  # fmt: skip

Reason = tuple[str, str]
"""A path, and why its file is left out."""


@dataclass(frozen=True)
class Listing:
    """The files of a project in an archive: (path, size) of those that may be read; `odd`: those that may not, and why;
    `elsewhere`: what is read on its own, or for other versions of Java, and why."""

    files: tuple[tuple[str, int], ...]
    odd: tuple[Reason, ...]
    elsewhere: tuple[Reason, ...]

    @property
    def left_out(self) -> tuple[Reason, ...]:
        """All that is not among the files."""
        return (*self.odd, *self.elsewhere)


def listing(path: Path, wanted: Callable[[str], bool], most: int) -> Listing:
    """The files of an archive whose paths are wanted, none larger than `most` bytes; `ProjectError` if it is none."""
    files: dict[str, int] = {}
    left_out: list[Reason] = []
    elsewhere: Counter[str] = Counter()
    entries = list(_opened(path, _look(path)).entries())
    if len(entries) > MOST_ENTRIES:
        raise ProjectError(f"{path} has more than {MOST_ENTRIES:,} entries.", "Analyse its parts one by one.")
    for name, size, wrong in entries:
        if name.endswith(NESTED):
            elsewhere[f"{name.rpartition('/')[0]}/*{name[name.rindex('.') :]}"] += 1
        elif wanted(name) and name.startswith(VERSIONED):
            elsewhere["/".join(name.split("/")[:3])] += 1
        elif wanted(name):
            reason = _misnamed(name) or wrong or _too_large(size, most)
            if not reason and name in files:
                reason = "the archive has several files of this name"
            if reason:
                left_out.append((_shown(name), reason))
            else:
                files[name] = size
    total = sum(files.values())
    if total > MOST_BYTES:
        raise ProjectError(
            f"The files of {path} have {total:,} bytes; {MOST_BYTES:,} are read.", "Analyse its parts one by one."
        )
    others = tuple((where.lstrip("/"), _elsewhere(where, count)) for where, count in sorted(elsewhere.items()))
    return Listing(tuple(sorted(files.items())), tuple(left_out), others)


def _misnamed(name: str) -> str:
    """Why a path is not one of a file within the project; empty if nothing is wrong with it."""
    if any(part in ("", ".", "..") for part in name.split("/")) or re.match("[A-Za-z]:", name) or "\\" in name:
        return "its path leads elsewhere"
    return "" if _is_text(name) else "the file's name is not a text"


def _too_large(size: int, most: int) -> str:
    return f"the file has {size} bytes; files of more than {most} are not read" if size > most else ""


def _elsewhere(where: str, count: int) -> str:
    files = counted(count, "file")
    if where.startswith(VERSIONED):
        return f"{files} for Java {where.rpartition('/')[2]} and later: the versions for any Java are analysed"
    return f"{files} with files of their own: analyse them one by one"


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return name.isprintable()


def _shown(name: str) -> str:
    return "".join(each if each.isprintable() else f"\\x{ord(each):02x}" for each in name)[:200]


def read(path: Path, name: str) -> bytes:
    """The bytes of a file in an archive; OSError if they cannot be read, or are not as many as declared."""
    try:
        return _opened(path, _look(path)).read(name)
    except KeyError:
        raise FileNotFoundError(errno.ENOENT, "it is not there", name) from None
    except ProjectError as error:
        raise OSError(errno.EINVAL, error.message, name) from None
    except _BROKEN as error:
        raise OSError(errno.EINVAL, f"the archive is damaged there: {error}", name) from None


class Archive(Protocol):
    """An open archive."""

    def entries(self) -> Iterator[tuple[str, int, str]]:
        """Yield name and size of each entry, and why it cannot be read, empty if it can."""

    def read(self, name: str) -> bytes:
        """The bytes of the first entry of that name; KeyError if there is none."""


class Zip:
    """An open zip file, whatever it is called."""

    def __init__(self, path: Path) -> None:
        self._file = zipfile.ZipFile(path)
        self._first: dict[str, zipfile.ZipInfo] = {}
        for entry in self._file.infolist():
            self._first.setdefault(entry.filename, entry)

    def entries(self) -> Iterator[tuple[str, int, str]]:
        """Yield name and size of each entry, and why it cannot be read, empty if it can."""
        for entry in self._file.infolist():
            wrong = ""
            if "\0" in entry.orig_filename:
                wrong = "the file's name is not a text"
            elif entry.flag_bits & ENCRYPTED:
                wrong = "the file is encrypted"
            elif stat.S_ISLNK(entry.external_attr >> 16):
                wrong = "it is no regular file"
            yield entry.filename, entry.file_size, wrong

    def read(self, name: str) -> bytes:
        """The bytes of the first entry of that name, as many as declared; KeyError if there is none."""
        entry = self._first[name]
        with self._file.open(entry) as file:
            data = file.read(entry.file_size + 1)
        if len(data) != entry.file_size:
            raise ValueError("it does not have the size that the archive says")
        return data


def status_of(path: Path) -> os.stat_result:
    """What an archive looks like: unchanged, it has the same files."""
    return path.stat()


def _look(path: Path) -> tuple[int, int, int]:
    try:
        status = status_of(path)
    except OSError as error:
        raise ProjectError(f"{path} cannot be read: {error.strerror}.") from None
    return status.st_mtime_ns, status.st_size, status.st_ino


@lru_cache(maxsize=2)
def _opened(path: Path, look: tuple[int, int, int]) -> Archive:
    """Open an archive that looks like this."""
    try:
        with path.open("rb") as file:
            start = file.read(4)
        return Image(path) if is_image(start) else Zip(path)
    except _BROKEN as error:
        raise ProjectError(
            f"{path} is not an archive that can be read: {error}.", "Is it a zip, jar, jmod or runtime image?"
        ) from None
