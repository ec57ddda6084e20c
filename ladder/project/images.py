"""Runtime images: the file `lib/modules` of a JDK or JRE (the format jimage, version 1.0).

    header     magic, version, flags, number of resources, length of the tables, sizes of locations and strings
    redirect   a number per hash, by which resources are found by name; not used here, because all are listed
    offsets    per resource, where its location begins
    locations  attributes: a byte with kind and length, then the value; kinds are below
    strings    in modified UTF-8, each ended by a byte 0
    resources  their bytes, where the attribute OFFSET says

Numbers of the header and the tables are in the byte order of the machine that made the image. Resources that `jlink`
has compressed are not read.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np

MAGIC = 0xCAFEDADA
VERSION = 1 << 16
HEADER = 28
MODULE, PARENT, BASE, EXTENSION, OFFSET, COMPRESSED, UNCOMPRESSED = range(1, 8)
LONGEST_LOCATION, LONGEST_NAME = 128, 65536
MOST_TEXT = 64 << 20  # characters of all names: each may be a part of many others, and of a few bytes


class BrokenImage(ValueError):
    """Raised for a file that is no runtime image, or a damaged one."""


def is_image(start: bytes) -> bool:
    """Whether a file that starts like this is a runtime image."""
    return len(start) >= 4 and MAGIC in (int.from_bytes(start[:4], "little"), int.from_bytes(start[:4], "big"))


class Image:
    """An open runtime image."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        data = self._data
        self._order = "<" if int.from_bytes(data[:4], "little") == MAGIC else ">"
        if len(data) < HEADER:
            raise BrokenImage("the header is cut off")
        _, version, _, _, length, locations, strings = struct.unpack(f"{self._order}7I", data[:HEADER])
        if version != VERSION:
            raise BrokenImage(f"version {version >> 16}.{version & 0xFFFF} is not read")
        self._offsets = HEADER + 4 * length
        self._locations = self._offsets + 4 * length
        self._strings = self._locations + locations
        self._start = self._strings + strings
        if self._start > len(data):
            raise BrokenImage("the tables are cut off")
        self._length = length
        self._places: dict[str, tuple[int, int, bool]] = {}
        self._known: dict[int, str] = {}
        self._text_left = MOST_TEXT
        for name, place in self._resources():
            self._places.setdefault(name, place)

    def entries(self) -> Iterator[tuple[str, int, str]]:
        """Yield name and size of each resource, and why it cannot be read, empty if it can."""
        for name, (offset, size, compressed) in self._places.items():
            inside = self._start + offset + size <= len(self._data)
            yield name, size, "the file is compressed" if compressed else "" if inside else "it is cut off"

    def read(self, name: str) -> bytes:
        """The bytes of a resource; KeyError if there is none of that name."""
        offset, size, compressed = self._places[name]
        if compressed:
            raise BrokenImage("the file is compressed")
        return self._data[self._start + offset : self._start + offset + size]

    def _resources(self) -> Iterator[tuple[str, tuple[int, int, bool]]]:
        offsets = np.frombuffer(self._data, f"{self._order}u4", self._length, self._offsets)
        for start in np.unique(offsets).tolist():
            found = self._attributes(self._locations + start)
            module, parent, base, extension = (self._text(found[kind]) for kind in (MODULE, PARENT, BASE, EXTENSION))
            file = f"{base}.{extension}" if extension else base
            if file and module != "packages" and module != "modules":
                name = "/".join(part for part in (module, parent, file) if part)
                self._spend(len(name))
                yield name, (found[OFFSET], found[UNCOMPRESSED], found[COMPRESSED] != 0)

    def _attributes(self, at: int) -> list[int]:
        """The values of the attributes at a place, by kind."""
        data, found = self._data, [0] * 8
        last = min(self._strings, at + LONGEST_LOCATION)
        while at < last and data[at] >> 3:
            kind, length = data[at] >> 3, (data[at] & 7) + 1
            if kind > UNCOMPRESSED:
                raise BrokenImage(f"there is an attribute of the unknown kind {kind}")
            found[kind] = int.from_bytes(data[at + 1 : at + 1 + length], "big")
            at += 1 + length
        return found

    def _text(self, offset: int) -> str:
        if offset not in self._known:
            start = self._strings + offset
            end = self._data.find(b"\0", start, min(self._start, start + LONGEST_NAME))
            if end < 0:
                raise BrokenImage("a name is cut off, or too long")
            self._spend(end - start)
            self._known[offset] = self._data[start:end].decode("utf-8", "replace")
        return self._known[offset]

    def _spend(self, characters: int) -> None:
        self._text_left -= characters
        if self._text_left < 0:
            raise BrokenImage(f"its names have more than {MOST_TEXT:,} characters")
