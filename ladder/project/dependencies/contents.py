"""What a class path's entries contain: archives (jar, zip, jmod, `lib/modules` of a JDK) and directories of classes.

An entry is identified by its content, as a file is; `look`, what it looks like without being read, says whether it may
have changed. Entries are not trusted: see `archives` for what is left out of one.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ladder.errors import ProjectError
from ladder.project import archives
from ladder.project.files import MOST_BYTES, Listing, TooLarge, read_below
from ladder.support.looks import UNSETTLED

CLASS = ".class"
NO_TYPES = ("module-info.class", "package-info.class")
MOST_FILES = 1_000_000  # of a directory
MOST_PACKED = 2 << 30  # bytes of an archive: a file with holes may have any number and take no space


@dataclass
class Entry:
    """An entry of a class path."""

    path: Path

    @property
    def is_folder(self) -> bool:
        """Whether it is a directory of classes."""
        return self.path.is_dir()

    def look(self) -> tuple[str, bool]:
        """(what the entry looks like: unchanged, it has the same content; whether a change now would be seen by it).
        `ProjectError` if it is not there, or neither a file nor a folder: a pipe would be waited for."""
        digest = hashlib.sha256()
        newest = 0
        try:
            for name in self._files() if self.is_folder else ("",):
                status = os.lstat(self.path / name) if name else self.path.stat()
                if not name and not stat.S_ISREG(status.st_mode):
                    raise ProjectError("it is neither a file nor a folder")
                newest = max(newest, status.st_mtime_ns, status.st_ctime_ns)
                look = f"{name}\0{status.st_mtime_ns} {status.st_ctime_ns} {status.st_size} {status.st_ino}\n"
                digest.update(look.encode())
        except OSError as error:
            raise ProjectError(f"it cannot be read: {error.strerror}") from None
        return digest.hexdigest()[:32], newest < time.time_ns() - UNSETTLED

    def content(self) -> str:
        """The hash of the content. `ProjectError` if it cannot be read."""
        digest = hashlib.sha256()
        try:
            if self.is_folder:
                for name, data in self.classes():
                    content = data if isinstance(data, bytes) else data.encode()
                    digest.update(f"{name}\0{len(content)}\0".encode() + content)
            else:
                with self.path.open("rb") as file:
                    size = os.fstat(file.fileno()).st_size
                    if size > MOST_PACKED:
                        raise ProjectError(f"it has {size:,} bytes; archives of more than {MOST_PACKED:,} are not read")
                    digest = hashlib.file_digest(file, "sha256")
        except OSError as error:
            raise ProjectError(f"it cannot be read: {error.strerror}") from None
        return digest.hexdigest()[:40]

    def classes(self) -> Iterator[tuple[str, bytes | str]]:
        """Yield path and content of each class file, or why it cannot be read. `ProjectError` if it is no archive.

        Classes for newer versions of Java, and descriptions of modules and packages, are none.
        """
        names, odd = self.listed()
        yield from odd
        for name in names:
            try:
                yield name, self.read(name)
            except (OSError, TooLarge) as error:
                yield name, error.message if isinstance(error, TooLarge) else error.strerror or str(error)

    def listed(self) -> tuple[list[str], tuple[archives.Reason, ...]]:
        """(the paths of the class files, those of others and why they are left out)."""
        odd: tuple[archives.Reason, ...] = ()
        if self.is_folder:
            names = self._files()
        else:
            listing = archives.listing(self.path, lambda name: name.endswith(CLASS), MOST_BYTES)
            names, odd = [name for name, _ in listing.files], listing.odd
        return [name for name in names if not name.endswith(NO_TYPES)], odd

    def read(self, name: str) -> bytes:
        """The bytes of a class file at a path; OSError or `TooLarge` if it cannot be read."""
        return read_below(str(self.path), name) if self.is_folder else archives.read(self.path, name)

    def _files(self) -> list[str]:
        """The class files of a directory, in the order of their names; links are not followed."""
        found = list(Listing(self.path, lambda name: name.endswith(CLASS), None, [], []).paths())
        if len(found) > MOST_FILES:
            raise ProjectError(f"it has more than {MOST_FILES:,} files")
        return sorted(found)
