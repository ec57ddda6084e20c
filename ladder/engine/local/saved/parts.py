"""The form of a state's files: a header and arrays, each of which is intact or refused; they contain neither code nor
addresses.

    magic, position and length of the header (8 bytes each), digest of the header (32 bytes), arrays, header
    header      JSON; "arrays": [name, position, capacity in items, used items, bytes of an item, digest of the used
                items]

The header comes last, so that arrays can be made, written and forgotten one after the other.

A digest is SHA-256; that of data longer than a chunk is the digest of the digests of its chunks, which are computed
side by side. The digest of a header is in the state's CURRENT file, which has an authentication code under the user's
key: so a state is authenticated as a whole.

Arrays are hashed when a file is opened, unless it looks (see `looks`) as CURRENT, under that code, says that it did
when its arrays were as they should be: then they are, and only those parts of them are read that are used.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from ladder.engine.local.saved.format import HINT, KIND_OF_FILE, MAGIC, other_format
from ladder.errors import StateError
from ladder.support.json_text import read_object
from ladder.support.looks import is_settled, look_of
from ladder.support.machine import cores
from ladder.support.private import open_own, why_foreign
from ladder.support.tuning import DEFAULT, Saving

DIGEST = 32
HEAD = len(MAGIC) + 8 + 8 + DIGEST
ALIGN = 64
START = -(-HEAD // ALIGN) * ALIGN  # the position of the first array
MOST_WIDTH = 4096  # bytes of an item
CHUNK = 1 << 22  # bytes that are hashed at one go
MOST_ITEMS = 1 << 40
Array = npt.NDArray[Any]
Named = tuple[str, Array, int]  # an array's name, the part of it that is used, the items for which there is capacity


def damaged(folder: Path, reason: str) -> NoReturn:
    """Raise `StateError`: the content is not what was written."""
    raise StateError(f"The state in {folder} is damaged: {reason}.", HINT)


@contextmanager
def digesting(pieces: Sequence[memoryview], tuning: Saving = DEFAULT.saving) -> Iterator[Callable[[], list[bytes]]]:
    """A block in which threads compute the digest of each of these pieces of memory; the function waits for them and
    returns them."""
    chunks = [[piece[at : at + CHUNK] for at in range(0, max(len(piece), 1), CHUNK)] for piece in pieces]
    flat = [chunk for some in chunks for chunk in some]

    def joined(digests: Iterator[bytes]) -> list[bytes]:
        return [_of_chunks([next(digests) for _ in some]) for some in chunks]

    if sum(map(len, flat)) < tuning.hashed_by_threads:
        yield lambda: joined(map(_digest, flat))
        return
    with ThreadPoolExecutor(min(tuning.threads, cores())) as pool:
        computed = pool.map(_digest, flat)
        yield lambda: joined(computed)


def digests(pieces: Sequence[memoryview], tuning: Saving = DEFAULT.saving) -> list[bytes]:
    """The digest of each of these pieces of memory."""
    with digesting(pieces, tuning) as found:
        return found()


def _digest(chunk: bytes | memoryview) -> bytes:
    return sha256(chunk).digest()


def _of_chunks(found: Sequence[bytes]) -> bytes:
    return found[0] if len(found) == 1 else _digest(b"".join(found))


def digest_of(data: bytes | memoryview) -> bytes:
    """The digest of one piece of memory."""
    return digests([memoryview(data)])[0]


# ---- writing


@dataclass
class Laid:
    """A file that is to be written, piece by piece; its size and the digest of its header are known when all pieces
    were taken.

    `header`: what the header says beside the table of arrays, asked for when all arrays are written; `groups`: the
    arrays, those of a group being hashed side by side. The arrays of one group may be gone when the next is taken, or
    when the pieces are closed: whatever ends the writing, nothing is made or dropped after it.
    """

    header: Callable[[], Mapping[str, Any]]
    groups: Generator[Sequence[Named], None, None]
    tuning: Saving = DEFAULT.saving
    table: list[list[Any]] = field(default_factory=list)
    size: int = START
    digest: bytes = b""

    def pieces(self) -> Generator[tuple[int, bytes | memoryview], None, None]:
        """Iterate over the pieces with their positions in the file: the arrays, whose digests are computed while they
        are written, the header, then what precedes them."""
        with closing(self.groups) as groups:
            for group in groups:
                yield from self._pieces_of(group)
                del group  # before the next one is made
        text = json.dumps({**self.header(), "arrays": self.table}).encode()
        self.digest, position = digest_of(text), self.size
        self.size += len(text)
        yield position, text
        yield 0, MAGIC + position.to_bytes(8, "little") + len(text).to_bytes(8, "little") + self.digest

    def _pieces_of(self, group: Sequence[Named]) -> Iterator[tuple[int, memoryview]]:
        raw = [_bytes_of(part) for _, part, _ in group]
        with digesting(raw, self.tuning) as found:
            entries = [self._placed(*named) for named in group]
            for entry, piece in zip(entries, raw, strict=True):
                if len(piece):
                    yield START + entry[1], piece
            self.table += [[*entry, digest.hex()] for entry, digest in zip(entries, found(), strict=True)]

    def _placed(self, name: str, part: Array, length: int) -> list[Any]:
        """The next array's entry in the table, without its digest."""
        item = int(np.prod(part.shape[1:], dtype=np.int64)) * part.dtype.itemsize
        position, length = self.size - START, max(length, len(part))
        self.size += -(-length * item // ALIGN) * ALIGN
        return [name, position, length, len(part), item]


def _bytes_of(part: Array) -> memoryview:
    return memoryview(np.ascontiguousarray(part).reshape(-1).view(np.uint8).data) if part.size else memoryview(b"")


def laid_out(header: Mapping[str, Any], arrays: Sequence[Named], tuning: Saving = DEFAULT.saving) -> Laid:
    """Lay out a file with these arrays, all of which are there."""
    return Laid(lambda: header, (group for group in (arrays,)), tuning)


# ---- reading


@dataclass(frozen=True)
class Part:
    """An array in a file: its bytes, the number of bytes that are used, and the bytes of an item."""

    raw: Array
    used: int
    width: int

    @property
    def items(self) -> int:
        """The number of items that are used."""
        return self.used // self.width

    @property
    def capacity(self) -> int:
        """The number of items for which there is capacity."""
        return len(self.raw) // self.width


def place_of_header(start: bytes) -> tuple[int, int]:
    """(position, length) of a file's header, by the first HEAD bytes of the file."""
    position, length = (int.from_bytes(start[at : at + 8], "little") for at in (len(MAGIC), len(MAGIC) + 8))
    return position, length


class Parts:
    """The arrays of a file; they can be written to, which changes only this process's memory."""

    def __init__(
        self, path: Path, digest: bytes, trusted: bool, tuning: Saving = DEFAULT.saving, look: str = ""
    ) -> None:
        """`StateError` if the file is not the one whose header has this digest; `trusted`: whether the file may belong
        to somebody else. `look`: how it looked when its arrays were as they should be; if it still does, they are not
        hashed."""
        self.path, self.folder, self.tuning = path, path.parent, tuning
        data, status = mapped(path, trusted)
        found = "" if status is None else look_of(status)
        self.look = found if status is not None and (found == look or is_settled(status)) else ""
        self.size = len(data)
        if data[: len(MAGIC)].tobytes() != MAGIC:
            if data[: len(KIND_OF_FILE)].tobytes() == KIND_OF_FILE:
                raise other_format(self.folder)
            damaged(self.folder, f"{path.name} is no file of a state")
        position, length = place_of_header(data[:HEAD].tobytes())
        text = data[min(position, len(data)) :].tobytes() if position + length == len(data) else b""
        if data[HEAD - DIGEST : HEAD].tobytes() != digest or digest_of(text) != digest:
            damaged(self.folder, f"the header of {path.name} is not the one that was written")
        self.header = read_object(text)
        self.parts = dict(self._parts(data[:position]))
        if len(self.parts) != len(self.header["arrays"]):
            damaged(self.folder, f"{path.name} has an array twice")
        if not look or found != look:
            self._refuse_changed()

    def _refuse_changed(self) -> None:
        """Raise `StateError` if an array is not the one that was written."""
        expected = [bytes.fromhex(entry[5]) for entry in self.header["arrays"]]
        names = [entry[0] for entry in self.header["arrays"]]
        for name, found, known in zip(
            names,
            digests([self.parts[name].raw[: self.parts[name].used].data for name in names], self.tuning),
            expected,
            strict=True,
        ):
            if found != known:
                damaged(self.folder, f"{name} in {self.path.name} has another digest")

    def _parts(self, data: Array) -> Iterator[tuple[str, Part]]:
        """Iterate over the arrays, none of which overlaps another one or exceeds the file."""
        base = at = START
        for name, place, length, used, width, _ in self.header["arrays"]:
            if not (
                isinstance(name, str)
                and all(type(n) is int for n in (place, length, used, width))
                and 0 <= used <= length <= MOST_ITEMS
                and 0 < width <= MOST_WIDTH
                and place % ALIGN == 0
                and base + place >= at
            ):
                damaged(self.folder, f"the table of arrays in {self.path.name} is none")
            at = base + place + length * width
            if at > len(data):
                damaged(self.folder, f"{self.path.name} is too short")
            yield name, Part(data[base + place : at], used * width, width)

    def part(self, name: str, item: Any, columns: int = 1) -> Part:
        """An array with items of this type, `columns` to a row; `StateError` if there is no such array."""
        part = self.parts.get(name)
        if part is None or part.width != np.dtype(item).itemsize * columns:
            damaged(self.folder, f"{self.path.name} has no {name} of the right form")
        return part

    def array(self, name: str, item: Any, columns: int = 1) -> Array:
        """The whole array, spare capacity included."""
        array: Array = self.part(name, item, columns).raw.view(item)
        return array.reshape(-1, columns) if columns > 1 else array

    def used(self, name: str, item: Any, columns: int = 1) -> Array:
        """The used part of the array."""
        return self.array(name, item, columns)[: self.part(name, item, columns).items]


def mapped(path: Path, trusted: bool) -> tuple[Array, os.stat_result | None]:
    """(the bytes of a file, mapped; its status); a file that others may write to is read into memory instead, since
    they may change it while it is used, and has no status that would say anything."""
    descriptor = open_own(path, trusted=trusted)
    try:
        status = os.fstat(descriptor)
        if status.st_size == 0:
            return np.zeros(0, np.uint8), None
        if not why_foreign(path, status):
            with os.fdopen(os.dup(descriptor), "rb") as file:
                return np.asarray(np.memmap(file, np.uint8, "c")), status
        with os.fdopen(os.dup(descriptor), "rb") as file:
            return np.frombuffer(bytearray(file.read(status.st_size)), np.uint8), None
    finally:
        os.close(descriptor)


def read_small(path: Path, trusted: bool) -> bytes:
    """The bytes of a file that is not mapped."""
    with os.fdopen(open_own(path, trusted=trusted), "rb") as file:
        return file.read()


def is_regular(path: Path) -> bool:
    """Whether there is a file, and not a link to one."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False
