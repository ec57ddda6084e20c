"""The constant pool of a class file: what an index stands for, checked when it is asked for.

Entries refer to entries of other kinds only, in one direction (a method to its class, a class to its name), so that no
cycle of indexes is ever followed.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from ladder.frontends.bytecode.bytes_reader import Reader
from ladder.frontends.bytecode.descriptors import Descriptors
from ladder.frontends.bytecode.errors import Malformed
from ladder.frontends.bytecode.odd_names import written

UTF8, INTEGER, FLOAT, LONG, DOUBLE, CLASS, STRING, FIELD, METHOD, INTERFACE_METHOD, NAME_AND_TYPE = (
    1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
)  # fmt: skip
METHOD_HANDLE, METHOD_TYPE, DYNAMIC, INVOKE_DYNAMIC, MODULE, PACKAGE = 15, 16, 17, 18, 19, 20
SIZES = {
    INTEGER: 4, FLOAT: 4, LONG: 8, DOUBLE: 8, CLASS: 2, STRING: 2, FIELD: 4, METHOD: 4, INTERFACE_METHOD: 4,
    NAME_AND_TYPE: 4, METHOD_HANDLE: 3, METHOD_TYPE: 2, DYNAMIC: 4, INVOKE_DYNAMIC: 4, MODULE: 2, PACKAGE: 2,
}  # fmt: skip
NAMES = {
    UTF8: "a text", INTEGER: "an int", FLOAT: "a float", LONG: "a long", DOUBLE: "a double", CLASS: "a class",
    STRING: "a string", FIELD: "a field", METHOD: "a method", INTERFACE_METHOD: "an interface method",
    NAME_AND_TYPE: "a name with its type", METHOD_HANDLE: "a method handle", METHOD_TYPE: "a method type",
    DYNAMIC: "a dynamic constant", INVOKE_DYNAMIC: "a dynamic call", MODULE: "a module", PACKAGE: "a package",
    0: "nothing",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Member:
    """A field or method as code names it: its class (`a.b.C`, or an array type), name and descriptor."""

    owner: str
    name: str
    descriptor: str
    of_interface: bool = False


@dataclass(frozen=True, slots=True)
class Handle:
    """A method handle: its kind, 1 to 9 as in JVMS 5.4.3.5, and the member that it names."""

    kind: int
    member: Member


@dataclass(frozen=True, slots=True)
class Dynamic:
    """A dynamic call or constant: the number of its bootstrap method, its name and descriptor."""

    bootstrap: int
    name: str
    descriptor: str


@dataclass(frozen=True, slots=True)
class Loadable:
    """A constant that `ldc` loads: its tag, and its value (a number, a text, a type, a handle …)."""

    tag: int
    value: int | float | str | Handle | Dynamic


class Pool:
    """The entries of a constant pool by index."""

    def __init__(self, reader: Reader, descriptors: Descriptors) -> None:
        """Read the pool from its count on; Malformed if an entry is of an unknown kind or cut off."""
        self.descriptors = descriptors
        self._data = reader.data
        count = reader.u2("the size of the constant pool")
        self.tags, self.offsets = bytearray(max(count, 1)), [0] * max(count, 1)
        index = 1
        while index < count:
            tag = reader.u1("a constant")
            at = reader.at
            if tag == UTF8:
                reader.take(reader.u2("the length of a text"), "a text")
            elif tag in SIZES:
                reader.take(SIZES[tag], "a constant")
            else:
                raise Malformed(f"constant {index} has the unknown kind {tag}", at - 1)
            self.tags[index], self.offsets[index] = tag, at
            index += 2 if tag in (LONG, DOUBLE) else 1
        if index > count > 0:
            raise Malformed(f"constant {count - 1} needs two places, and the pool has one left", reader.at)
        self._texts: dict[int, str] = {}
        self._classes: dict[int, str] = {}
        self._members: dict[int, Member] = {}

    def _offset(self, index: int, at: int, *tags: int) -> int:
        """Return where the content of an entry is that must be of one of these kinds; `at` is where it is named."""
        tag = self.tags[index] if 0 < index < len(self.tags) else 0
        if tag not in tags:
            wanted = " or ".join(NAMES[each] for each in tags)
            raise Malformed(f"constant {index} is {NAMES[tag]}, where {wanted} is needed", at)
        return self.offsets[index]

    def _u2(self, offset: int) -> int:
        return self._data[offset] << 8 | self._data[offset + 1]

    def text(self, index: int, at: int) -> str:
        """Return a text."""
        found = self._texts.get(index)
        if found is None:
            offset = self._offset(index, at, UTF8)
            start = offset + 2
            found = self._texts[index] = decoded(self._data[start : start + self._u2(offset)], start)
        return found

    def class_name(self, index: int, at: int) -> str:
        """Return the type that a class entry names: `a.b.C`, or an array type such as `int[]`."""
        found = self._classes.get(index)
        if found is None:
            offset = self._offset(index, at, CLASS)
            found = self._classes[index] = self.descriptors.class_name(self.text(self._u2(offset), offset), offset)
        return found

    def name_and_type(self, index: int, at: int) -> tuple[str, str]:
        """Return a name and a descriptor, which is not checked yet."""
        offset = self._offset(index, at, NAME_AND_TYPE)
        return written(self.text(self._u2(offset), offset)), self.text(self._u2(offset + 2), offset)

    def member(self, index: int, at: int, *tags: int) -> Member:
        """Return a field or a method, whose descriptor is one."""
        offset = self._offset(index, at, *tags)
        found = self._members.get(index)
        if found is None:
            name, descriptor = self.name_and_type(self._u2(offset + 2), offset)
            tag = self.tags[index]
            if tag == FIELD:
                self.descriptors.field(descriptor, offset)
            else:
                self.descriptors.method(descriptor, offset)
            found = Member(self.class_name(self._u2(offset), offset), name, descriptor, tag == INTERFACE_METHOD)
            self._members[index] = found
        return found

    def field(self, index: int, at: int) -> Member:
        """Return a field."""
        return self.member(index, at, FIELD)

    def method(self, index: int, at: int) -> Member:
        """Return a method of a class or an interface."""
        return self.member(index, at, METHOD, INTERFACE_METHOD)

    def handle(self, index: int, at: int) -> Handle:
        """Return a method handle, whose kind suits the member that it names."""
        offset = self._offset(index, at, METHOD_HANDLE)
        kind, member = self._data[offset], self._u2(offset + 1)
        if not 1 <= kind <= 9:
            raise Malformed(f"a method handle has the unknown kind {kind}", offset)
        return Handle(kind, self.field(member, offset) if kind <= 4 else self.method(member, offset))

    def dynamic(self, index: int, at: int, tag: int) -> Dynamic:
        """Return a dynamic call or constant."""
        offset = self._offset(index, at, tag)
        name, descriptor = self.name_and_type(self._u2(offset + 2), offset)
        if tag == DYNAMIC:
            self.descriptors.field(descriptor, offset)
        else:
            self.descriptors.method(descriptor, offset)
        return Dynamic(self._u2(offset), name, descriptor)

    def loadable(self, index: int, at: int) -> Loadable:
        """Return a constant that code may load, or a bootstrap method may get."""
        tag = self.tags[index] if 0 < index < len(self.tags) else 0
        offset = self._offset(
            index, at, INTEGER, FLOAT, LONG, DOUBLE, CLASS, STRING, METHOD_HANDLE, METHOD_TYPE, DYNAMIC
        )
        if tag in _NUMBERS:
            form, size = _NUMBERS[tag]
            return Loadable(tag, struct.unpack(form, self._data[offset : offset + size])[0])
        if tag == CLASS:
            return Loadable(tag, self.class_name(index, at))
        if tag == STRING:
            return Loadable(tag, self.text(self._u2(offset), offset))
        if tag == METHOD_HANDLE:
            return Loadable(tag, self.handle(index, at))
        if tag == METHOD_TYPE:
            descriptor = self.text(self._u2(offset), offset)
            self.descriptors.method(descriptor, offset)
            return Loadable(tag, descriptor)
        return Loadable(tag, self.dynamic(index, at, DYNAMIC))


_NUMBERS = {INTEGER: (">i", 4), FLOAT: (">f", 4), LONG: (">q", 8), DOUBLE: (">d", 8)}


def decoded(data: bytes, offset: int) -> str:
    """Return a text in modified UTF-8 (JVMS 4.4.7), which starts at `offset` of its file."""
    if data.isascii():
        if b"\0" in data:
            raise Malformed("a text has a byte 0", offset + data.index(0))
        return data.decode("ascii")
    units: list[int] = []
    at, end = 0, len(data)
    while at < end:
        first = data[at]
        length = 1 if first < 0x80 else 2 if 0xC0 <= first < 0xE0 else 3 if 0xE0 <= first < 0xF0 else 0
        rest = data[at + 1 : at + length]
        if first == 0 or length == 0 or len(rest) != length - 1 or any(byte & 0xC0 != 0x80 for byte in rest):
            raise Malformed("a text is not in modified UTF-8", offset + at)
        unit = first if length == 1 else first & (0x1F if length == 2 else 0x0F)
        for byte in rest:
            unit = unit << 6 | byte & 0x3F
        units.append(unit)
        at += length
    return struct.pack(f"<{len(units)}H", *units).decode("utf-16-le", "surrogatepass")
