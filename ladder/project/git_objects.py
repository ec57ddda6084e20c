"""Objects of a git repository that is not trusted, read for libgit2: loose ones here, those in packs by `git_packs`.

libgit2 does not terminate on a truncated loose object, blocks on pipes, and allocates whatever size an object declares.
Here a loose object that is not a complete regular file of limited size counts as missing.
"""

from __future__ import annotations

import os
import stat
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pygit2

from ladder.project.git_packs import BadPack, Pack, Packs
from ladder.support.files import open_no_link

T = TypeVar("T")

KINDS = {
    b"commit": pygit2.enums.ObjectType.COMMIT,
    b"tree": pygit2.enums.ObjectType.TREE,
    b"blob": pygit2.enums.ObjectType.BLOB,
    b"tag": pygit2.enums.ObjectType.TAG,
}
MOST_BYTES = 64 << 20  # of a loose object
LONGEST_HEADER = 64
LONGEST_CODES = 1024  # bytes: more than the codes take with which a compressed block begins, before its first content
MOST_ALTERNATES = 16


def set_objects(repository: Any) -> None:
    """Let a repository read its objects, and those of its alternates, in this way."""
    git = Path(repository.path)
    common = git / os.fsdecode((git / "commondir").read_bytes().strip()) if (git / "commondir").is_file() else git
    database = pygit2.Odb()
    for priority, folder in enumerate(_folders(common / "objects")):
        database.add_backend(Loose(folder), 2 * priority + 1)
        database.add_backend(Packed(folder), 2 * priority + 2)
    repository.set_odb(database)


def _folders(objects: Path) -> list[Path]:
    """A folder of objects and those of its alternates, each once."""
    found = [objects]
    for folder in found:
        try:
            lines = (folder / "info/alternates").read_bytes()[: 1 << 16].split(b"\n")
        except OSError:
            continue
        for line in lines:
            other = folder / os.fsdecode(line) if line and not line.startswith(b"#") and b"\0" not in line else folder
            if other.is_dir() and other not in found and len(found) < MOST_ALTERNATES:
                found.append(other)
    return found


class Objects(pygit2.OdbBackend):
    """Objects as a backend of libgit2: a subclass has `read_cb`, `read_header_cb`, `exists_cb` and `_beginning`, and
    raises KeyError for objects that it has not, or that it does not read."""

    def read_prefix_cb(self, oid: Any) -> tuple[int, bytes, Any]:
        """(kind, content, name) of the object whose name has this prefix; ValueError if there are several."""
        name = self._completed(str(oid))
        return (*self.read_cb(name), pygit2.Oid(hex=name))

    def exists_prefix_cb(self, oid: Any) -> Any:
        """The name of the object whose name has this prefix."""
        return pygit2.Oid(hex=self._completed(str(oid)))

    def refresh_cb(self) -> None:
        """Look for objects that came: here nothing, where nothing is cached."""

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def _completed(self, prefix: str) -> str:
        names = self._beginning(prefix)
        if not names:
            raise KeyError(prefix)
        if len(names) > 1:
            raise ValueError(prefix)
        return names[0]

    def _beginning(self, prefix: str) -> Sequence[str]:
        """The names of objects that begin with this prefix."""
        raise NotImplementedError

    def read_cb(self, oid: Any) -> tuple[int, bytes]:
        """(kind, content) of an object."""
        raise NotImplementedError


class Packed(Objects):
    """The objects in packs below a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._packs = Packs(folder / "pack")

    def read_cb(self, oid: Any) -> tuple[int, bytes]:
        """(kind, content) of an object; KeyError if there is none that is read."""
        return self._of(oid, Pack.read)

    def read_header_cb(self, oid: Any) -> tuple[int, int]:
        """(kind, size of the content) of an object."""
        return self._of(oid, Pack.header)

    def exists_cb(self, oid: Any) -> bool:
        """Whether there is an object with this name."""
        return self._packs.find(str(oid)) is not None

    def refresh_cb(self) -> None:
        """Look for packs that came."""
        self._packs.refresh()

    def _beginning(self, prefix: str) -> Sequence[str]:
        return self._packs.beginning(prefix)

    def _of(self, oid: Any, what: Callable[[Pack, int], T]) -> T:
        found = self._packs.find(str(oid))
        if found is None:
            raise KeyError(oid)
        try:
            return what(*found)
        except BadPack:
            raise KeyError(oid) from None


class Loose(Objects):
    """The loose objects below a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def read_cb(self, oid: Any) -> tuple[int, bytes]:
        """(kind, content) of an object; KeyError if there is no complete one."""
        kind, size, rest = self._begun(str(oid), MOST_BYTES)
        if len(rest) != size:
            raise KeyError(oid)
        return kind, rest

    def read_header_cb(self, oid: Any) -> tuple[int, int]:
        """(kind, size of the content) of an object."""
        return self._begun(str(oid), LONGEST_HEADER)[:2]

    def exists_cb(self, oid: Any) -> bool:
        """Whether there is an object with this name."""
        return self._file(str(oid)).is_file()

    def _file(self, name: str) -> Path:
        return self.folder / name[:2] / name[2:]

    def _beginning(self, prefix: str) -> Sequence[str]:
        folder = self.folder / prefix[:2]
        names = [prefix[:2] + path.name for path in folder.iterdir()] if folder.is_dir() else []
        return [name for name in names if len(name) == 40 and name.startswith(prefix)]

    def _begun(self, name: str, most: int) -> tuple[int, int, bytes]:
        """(kind, size, the first `most` bytes of the content) of an object."""
        try:
            descriptor = open_no_link(self._file(name))
            with os.fdopen(descriptor, "rb") as file:
                packed = file.read(max(most, LONGEST_CODES) + 1) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b""
            content = zlib.decompressobj().decompress(packed, most + LONGEST_HEADER)
            header, end, rest = content.partition(b"\0")
            kind, size = header.split(b" ")
            if not end or len(header) > LONGEST_HEADER or not size.isdigit():
                raise ValueError(name)
            return int(KINDS[kind]), int(size), rest
        except (OSError, ValueError, zlib.error, KeyError):
            raise KeyError(name) from None
