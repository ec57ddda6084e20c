"""Packs of a git repository that is not trusted: files of many objects, most of them as what differs from another one.

    *.idx    how many names begin with each byte; the names, sorted; for each, where its entry is in the pack
    *.pack   entries: kind and size, then, compressed, the content; of a delta the base, then what is made of it: parts
             of the base that are copied, and bytes that are added

libgit2 follows deltas that are each other's bases for ever, and allocates whatever sizes entries declare: two megabytes
that unpack to gigabytes for a file of ten bytes. Here an object whose entries are not whole, are too large, too many or
too intricate counts as missing.
"""

from __future__ import annotations

import mmap
import stat
import zlib
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

MOST_BYTES = 64 << 20  # of an entry and of an object, …
MOST_UNPACKED = 1 << 30  # … of all entries that one object is made of, and how many these may be
MOST_DELTAS = 4096
MOST_STEPS = 1 << 18  # parts that are copied or added, of one object
CHUNK = 1 << 16
KEPT_BYTES, KEPT_EACH = 32 << 20, 2 << 20  # of unpacked objects that may be the base of the next ones
SHIFTED, NAMED = 6, 7  # kinds of deltas: whose base is so many bytes before, and whose base is named
KINDS = frozenset((1, 2, 3, 4, SHIFTED, NAMED))  # commit, tree, blob, tag, deltas
NAME = 20  # bytes of a name
LONGEST_NUMBER = 10  # bytes of a number that a delta begins with
FANOUT = 256 * 4
MAGIC = b"\xfftOc\0\0\0\2"  # of an index of the second version; those of the first have none


class BadPack(ValueError):
    """Raised for an entry that is not read."""


class Pack:
    """A pack and its index, both mapped; `OSError` and `ValueError` if they cannot be."""

    def __init__(self, index: Path) -> None:
        self._index, self._pack = _mapped(index), _mapped(index.with_suffix(".pack"))
        self._second = self._index[:8] == MAGIC
        self._fanout = 8 if self._second else 0
        self._names = self._fanout + FANOUT
        self._step = NAME if self._second else 4 + NAME  # from one name to the next
        self._count = self._number(self._fanout + FANOUT - 4)
        self._places = self._names + (NAME + 4) * self._count  # of the second version, after names and checksums
        self._kept = OrderedDict[int, tuple[int, bytes]]()
        self._kept_bytes = 0
        if len(self._index) < self._names + (NAME + 4) * self._count + 4 * self._second * self._count:
            raise BadPack("the index is cut off")

    def find(self, name: bytes) -> int | None:
        """Where in the pack the entry of an object begins; None if it has none."""
        number = self._first(name)
        return self._place(number) if number < self._count and self._name(number) == name else None

    def beginning(self, prefix: str) -> list[str]:
        """Names of objects that begin with this prefix, two at most."""
        number = self._first(bytes.fromhex(prefix.ljust(2 * NAME, "0")))
        names = [self._name(each).hex() for each in range(number, min(number + 2, self._count))]
        return [name for name in names if name.startswith(prefix)]

    def header(self, place: int) -> tuple[int, int]:
        """(kind, size) of the object whose entry begins at a place; `BadPack` if they cannot be known."""
        entries = self._chain(place)
        _, size, at = entries[0]
        if len(entries) > 1:
            sizes = self._inflated(at, size, 2 * LONGEST_NUMBER)
            size = _number(sizes, _number(sizes, 0)[1])[0]
        return entries[-1][0], size

    def read(self, place: int) -> tuple[int, bytes]:
        """(kind, content) of the object whose entry begins at a place; `BadPack` if it is not read.

        follow the bases of deltas to the first one that was unpacked before, or is no delta
        apply the deltas, the last one first
        """
        places, found = [place], self._kept.get(place)
        while found is None and (base := self._base(places[-1])) is not None:
            places.append(base)
            found = self._kept.get(base)
            if len(places) > MOST_DELTAS:
                raise BadPack("it is made of too many others")
        unpacked, steps = 0, MOST_STEPS
        if found is None:
            kind, size, at = self._entry(places[-1])
            found = kind, self._inflated(at, size)
            self._keep(places[-1], found)
        kind, content = found
        for delta in reversed(places[:-1]):
            _, size, at = self._entry(delta)
            unpacked += size + len(content)
            if unpacked > MOST_UNPACKED:
                raise BadPack("it is made of too much")
            content, steps = _applied(content, self._inflated(at, size), steps)
            self._keep(delta, (kind, content))
        return kind, content

    # ---- the index

    def _number(self, at: int) -> int:
        return int.from_bytes(self._index[at : at + 4], "big")

    def _name(self, number: int) -> bytes:
        at = self._names + number * self._step + (0 if self._second else 4)
        return self._index[at : at + NAME]

    def _first(self, name: bytes) -> int:
        """The number of the first object whose name is not below this one."""
        low = self._number(self._fanout + 4 * (name[0] - 1)) if name[0] else 0
        high = min(self._number(self._fanout + 4 * name[0]), self._count)
        return bisect_left(range(high), name, min(low, high), high, key=self._name)

    def _place(self, number: int) -> int:
        if not self._second:
            return self._number(self._names + number * self._step)
        place = self._number(self._places + 4 * number)
        if place >> 31:  # the place of a place of 64 bits
            at = self._places + 4 * self._count + 8 * (place & 0x7FFFFFFF)
            place = int.from_bytes(self._index[at : at + 8], "big")
        return place

    # ---- the entries

    def _entry(self, place: int) -> tuple[int, int, int]:
        """(kind, size, where the rest begins) of an entry."""
        first = self._byte(place)
        size, at, shift = first & 15, place + 1, 4
        while self._byte(at - 1) & 0x80:
            size |= (self._byte(at) & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if size > MOST_BYTES or shift > 64:
                raise BadPack("an entry is too large")
        kind = first >> 4 & 7
        if kind not in KINDS:
            raise BadPack("an entry is of no known kind")
        if kind == SHIFTED:
            at = self._shifted(at)[1]
        return kind, size, at + NAME * (kind == NAMED)

    def _base(self, place: int) -> int | None:
        """Where the entry begins that is the base of the delta at a place; None if that is no delta."""
        kind, _, at = self._entry(place)
        if kind == NAMED:
            name = self._pack[at - NAME : at]
            base = self.find(name) if len(name) == NAME else None
            if base is None:
                raise BadPack("what it is made of is not there")
            return base
        if kind != SHIFTED:
            return None
        at = place
        while self._byte(at) & 0x80:
            at += 1
        return place - self._shifted(at + 1)[0]

    def _shifted(self, at: int) -> tuple[int, int]:
        """(by how many bytes the base is before the delta, where the rest begins)."""
        found, last = self._byte(at) & 0x7F, at
        while self._byte(last) & 0x80:
            last += 1
            found = (found + 1) << 7 | self._byte(last) & 0x7F
            if last > at + 9:
                raise BadPack("what it is made of is not there")
        if not found:
            raise BadPack("it is made of itself")
        return found, last + 1

    def _chain(self, place: int) -> list[tuple[int, int, int]]:
        """The entries that an object is made of: its own, that of its base, and so on."""
        entries, base = [self._entry(place)], self._base(place)
        while base is not None:
            entries.append(self._entry(base))
            base = self._base(base)
            if len(entries) > MOST_DELTAS:
                raise BadPack("it is made of too many others")
        return entries

    def _byte(self, at: int) -> int:
        if not 0 <= at < len(self._pack):
            raise BadPack("the pack is cut off")
        return self._pack[at]

    def _inflated(self, at: int, size: int, most: int | None = None) -> bytes:
        """What is compressed at a place, which must have this size; of more than `most` bytes, if that is given, only
        the beginning."""
        machine, parts, got = zlib.decompressobj(), list[bytes](), 0
        wanted = size if most is None else min(size, most)
        chunk = min(CHUNK, wanted + 1024)
        end = min(len(self._pack), at + 2 * size + CHUNK)
        try:
            while not machine.eof and got <= wanted and at < end:
                parts.append(machine.decompress(self._pack[at : at + chunk], wanted + 1 - got))
                got, at = got + len(parts[-1]), at + chunk
        except zlib.error as error:
            raise BadPack(str(error)) from None
        if got != size and not (most is not None and got > most):
            raise BadPack("an entry has another size than it says")
        return b"".join(parts)

    def _keep(self, place: int, found: tuple[int, bytes]) -> None:
        """Keep an object that may be a base of the next ones; forget those that were kept first."""
        if place not in self._kept and len(found[1]) <= KEPT_EACH:
            self._kept[place] = found
            self._kept_bytes += len(found[1])
            while self._kept_bytes > KEPT_BYTES:
                self._kept_bytes -= len(self._kept.popitem(last=False)[1][1])


def _mapped(path: Path) -> mmap.mmap:
    if not stat.S_ISREG(path.stat().st_mode):
        raise BadPack("it is no regular file")
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _applied(base: bytes, delta: bytes, steps: int) -> tuple[bytes, int]:
    """(what a delta makes of its base, how many of the steps that may be made are left)."""
    expected, at = _number(delta, 0)
    size, at = _number(delta, at)
    if expected != len(base) or size > MOST_BYTES:
        raise BadPack("a delta is of something else, or too large")
    parts, made = list[bytes](), 0
    while at < len(delta):
        code, at, steps = delta[at], at + 1, steps - 1
        if code & 0x80:
            start, length, at = _copied(code, delta, at)
            part = base[start : start + length]
        else:
            length = code
            part, at = delta[at : at + length], at + length
        made += length
        if not length or len(part) != length or made > size or steps < 0:
            raise BadPack("a delta is damaged, or has too many parts")
        parts.append(part)
    if made != size:
        raise BadPack("a delta makes another size than it says")
    return b"".join(parts), steps


def _copied(code: int, delta: bytes, at: int) -> tuple[int, int, int]:
    """(start and length of what is copied of the base, where the next step begins): the bits of the code say which of
    their bytes follow."""
    start = length = 0
    for bit in range(7):
        if code >> bit & 1:
            if at >= len(delta):
                raise BadPack("a delta is cut off")
            if bit < 4:
                start |= delta[at] << 8 * bit
            else:
                length |= delta[at] << 8 * (bit - 4)
            at += 1
    return start, length or 0x10000, at


def _number(data: bytes, at: int) -> tuple[int, int]:
    """(a number of seven bits per byte, the low ones first, where the rest begins)."""
    found = shift = 0
    while True:
        if at >= len(data) or shift >= 7 * LONGEST_NUMBER:
            raise BadPack("a delta is cut off")
        found |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not data[at - 1] & 0x80:
            return found, at


class Packs:
    """The packs in a folder, the one that had an object last first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._packs: dict[str, Pack | None] = {}  # by the names of their indexes; None for those that cannot be read
        self._order: list[Pack] = []
        self.refresh()

    def refresh(self) -> None:
        """Look for packs that came."""
        names = sorted(path.name for path in self._folder.glob("*.idx")) if self._folder.is_dir() else []
        for name in names:
            if name not in self._packs:
                try:
                    pack = Pack(self._folder / name)
                except (OSError, ValueError):
                    self._packs[name] = None
                else:
                    self._packs[name] = pack
                    self._order.append(pack)

    def find(self, name: str) -> tuple[Pack, int] | None:
        """A pack that has an object, and where; None if none has."""
        for number, pack in enumerate(self._order):
            if (place := pack.find(bytes.fromhex(name))) is not None:
                self._order.insert(0, self._order.pop(number))
                return pack, place
        return None

    def beginning(self, prefix: str) -> Sequence[str]:
        """Names of objects that begin with this prefix."""
        return sorted({name for pack in self._order for name in pack.beginning(prefix)})
