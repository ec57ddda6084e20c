"""Python values ↔ canonical bytes, which represent values of lattices in dictionaries and are the same on every
machine.

    FE key              equal values have the same key, in whatever order their sets iterate over their elements
    FF size key whole   where different values have equal keys: 1, True and 1.0 are equal, and so are a named tuple and
                        a tuple; `whole` restores the value exactly. size: bytes of the key, 4 bytes
    FD whole            the tuple that a record stands for; its id is made of its cells, not of this

A key and `whole` are one of

    N   nil                 i   8 bytes: an integer      d   8 bytes: a double     f   4 bytes: the bits of a single
    I s b   size bytes      of an integer, text (UTF-8), bytes
    T F   count, parts      tuple, frozen set (parts sorted)
    E   class, name         member of an enumeration     G   class, integer: a combination of flags
    B   1 byte: a bool      D   class, count, parts: data class      U   class, count, parts: named tuple

Numbers are big-endian, sizes and counts 4 bytes. No byte FD, FE or FF begins a text in UTF-8, so that a dictionary can
hold both.
"""

from __future__ import annotations

import dataclasses
import enum
import math
import struct
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ladder.errors import LadderError
from ladder.language.core import Kind
from ladder.language.values.arithmetic import NAN

KEY, KEY_AND_WHOLE, RECORD = b"\xfe", b"\xff", b"\xfd"
_SIZE, _LONG, _DOUBLE, _SINGLE, _BITS = map(struct.Struct, (">I", ">q", ">d", ">f", ">i"))
_WITH_CLASS = b"EGDU"
NIL_CONTENT = b"N"
_SMALL = 1 << 63

Classes = Mapping[str, type]  # by `class_name`: those whose values may be read


def canonical(value: Hashable, wide: Kind | None = None) -> bytes:
    """The canonical bytes of a value; `LadderError` if its type has none. `wide`: the kind of a number of 64 bits.

    Equal numbers of 64 bits have the same bytes in columns of all kinds.
    """
    key = _written(value, whole=False)
    whole = key if wide is not None else _written(value, whole=True)
    return KEY + key if key == whole else b"".join((KEY_AND_WHOLE, _SIZE.pack(len(key)), key, whole))


def stored(value: Hashable) -> bytes:
    """Bytes from which `value_of` restores exactly this value; `LadderError` if its type has no canonical bytes."""
    return KEY + _written(value, whole=True)


def key_of(data: bytes) -> bytes:
    """The part of a value's bytes that is the same for all equal values, in the form of `canonical`."""
    if data[:1] != KEY_AND_WHOLE:
        return data
    return KEY + data[5 : 5 + _SIZE.unpack_from(data, 1)[0]]


def value_of(data: bytes, classes: Classes) -> Any:
    """The value with these bytes; `LadderError` if they name a class that is not among `classes`."""
    return _Reader(data, _start_of_whole(data), classes).value()


def content_of(kind: Kind, cell: int, entry: bytes = b"") -> bytes:
    """The bytes of a field in those of a record's tuple; `entry`: the dictionary's bytes for the field's cell; nil is
    0."""
    if kind is Kind.SYMBOL:
        return _sized(b"s", entry)
    if kind is Kind.OBJECT or kind is Kind.RECORD:
        return NIL_CONTENT if kind is Kind.RECORD and not cell else entry[_start_of_whole(entry) :]
    return b"f" + _BITS.pack(cell) if kind is Kind.FLOAT else b"i" + _LONG.pack(cell)


def content_of_record(branch: str | None, contents: Sequence[bytes]) -> bytes:
    """The bytes of a record's tuple inside another one, made of those of its fields."""
    head = [] if branch is None else [_sized(b"s", text_bytes(branch))]
    return b"".join((b"T", _SIZE.pack(len(head) + len(contents)), *head, *contents))


def text_bytes(text: str) -> bytes:
    """The bytes of a symbol in dictionaries."""
    return text.encode("utf-8", "surrogatepass")


def bytes_text(data: bytes) -> str:
    """The symbol with these bytes."""
    return data.decode("utf-8", "surrogatepass")


def class_name(class_: type) -> str:
    """The name of a class in canonical bytes."""
    return f"{class_.__module__}:{class_.__qualname__}"


def _start_of_whole(data: bytes) -> int:
    return 5 + int(_SIZE.unpack_from(data, 1)[0]) if data[:1] == KEY_AND_WHOLE else 1


# ---- writing


def _written(value: Hashable, whole: bool) -> bytes:
    """A value's bytes: the key, or the `whole`. Only sets are handled by recursion, since lists of records may be
    long."""
    out: list[bytes] = []
    waiting: list[Any] = [value]
    while waiting:
        part = waiting.pop()
        kind = type(part)
        if kind is int:
            out.append(_integer(part))
        elif kind is str:
            out.append(_sized(b"s", text_bytes(part)))
        elif part is None:
            out.append(b"N")
        elif kind is tuple:
            out.append(b"T" + _SIZE.pack(len(part)))
            waiting += reversed(part)
        elif kind is frozenset:
            out.append(b"F" + _SIZE.pack(len(part)))
            out += sorted(_written(element, whole) for element in part)
        elif kind is bytes:
            out.append(_sized(b"b", part))
        else:
            head, parts = _other(part, whole)
            out.append(head)
            waiting += reversed(parts)
    return b"".join(out)


def _other(value: Any, whole: bool) -> tuple[bytes, Sequence[Any]]:
    """(the first bytes, the parts that follow) of a value of one of the less common types."""
    kind = type(value)
    if kind is bool:
        return (b"B" + bytes([value]) if whole else _integer(int(value))), ()
    if isinstance(value, enum.Enum):
        return _enumerated(value, whole)
    if isinstance(value, float | np.floating):
        return _float(float(value), whole), ()
    if isinstance(value, np.integer | np.bool_):
        return _integer(int(value)), ()
    if isinstance(value, tuple) and hasattr(kind, "_fields") and "__eq__" not in vars(kind):
        count = _SIZE.pack(len(value))
        return (b"U" + _class(kind) if whole else b"T") + count, tuple(value)
    if dataclasses.is_dataclass(value) and (whole or _compared_by_fields(kind)):
        fields = [f for f in dataclasses.fields(value) if whole or f.compare]
        return b"D" + _class(kind) + _SIZE.pack(len(fields)), [getattr(value, f.name) for f in fields]
    raise LadderError(
        f"A value of type {class_name(kind)} cannot be part of a state on Spark, nor of a saved one.",
        "Make it of None, numbers, strings, bytes, tuples, frozen sets, frozen data classes, enumerations and named "
        "tuples.",
    )


def _enumerated(value: enum.Enum, whole: bool) -> tuple[bytes, Sequence[Any]]:
    kind = type(value)
    if not whole and isinstance(value, int | str):  # equal to the number or the text
        return b"", (int(value) if isinstance(value, int) else str.__str__(value),)
    if value.name in kind.__members__:
        return b"E" + _class(kind) + _sized(b"", text_bytes(str(value.name))), ()
    return b"G" + _class(kind), (int(value.value),)


def _integer(value: int) -> bytes:
    if -_SMALL <= value < _SMALL:
        return b"i" + _LONG.pack(value)
    return _sized(b"I", value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))


def _float(value: float, whole: bool) -> bytes:
    """A float's bytes; its key is that of the integer that it equals, if any.

    There are two NaN values, which differ in their sign.
    """
    if math.isnan(value):
        value = NAN if math.copysign(1.0, value) < 0 else math.nan
    elif not whole and value.is_integer():
        return _integer(int(value))
    return b"d" + _DOUBLE.pack(value)


def _sized(tag: bytes, data: bytes) -> bytes:
    return b"".join((tag, _SIZE.pack(len(data)), data))


def _class(kind: type) -> bytes:
    return _sized(b"", text_bytes(class_name(kind)))


def _compared_by_fields(kind: type) -> bool:
    """Whether a data class has the generated comparison, field by field."""
    code = getattr(kind.__eq__, "__code__", None)
    parameters = getattr(kind, "__dataclass_params__", None)
    return bool(parameters is not None and parameters.eq and code is not None and code.co_filename == "<string>")


# ---- reading


@dataclasses.dataclass
class _Open:
    """A value whose parts are still to be read; how many."""

    missing: int
    make: Callable[[list[Any]], Any]
    parts: list[Any]


class _Reader:
    """Reads one value from bytes."""

    def __init__(self, data: bytes, at: int, classes: Classes) -> None:
        self.data, self.at, self.classes = data, at, classes

    def value(self) -> Any:
        open_: list[_Open] = []
        while True:
            found: Any = self.next()
            while True:
                if isinstance(found, _Open):
                    if found.missing:
                        open_.append(found)
                        break
                    found = found.make([])
                if not open_:
                    return found
                top = open_[-1]
                top.parts.append(found)
                if len(top.parts) < top.missing:
                    break
                open_.pop()
                found = top.make(top.parts)

    def next(self) -> Any:
        """The next value, or an `_Open` that is completed by the values after it."""
        tag = self.data[self.at : self.at + 1]
        self.at += 1
        if tag == b"i":
            return self.packed(_LONG)
        if tag == b"s":
            return bytes_text(self.sized())
        if tag == b"N":
            return None
        if tag == b"T":
            return _Open(self.packed(_SIZE), tuple, [])
        if tag == b"F":
            return _Open(self.packed(_SIZE), frozenset, [])
        if tag in (b"d", b"f"):
            value = self.packed(_DOUBLE if tag == b"d" else _SINGLE)
            return value if not math.isnan(value) else NAN if math.copysign(1.0, value) < 0 else math.nan
        if tag == b"I":
            return int.from_bytes(self.sized(), "big", signed=True)
        if tag == b"b":
            return self.sized()
        if tag == b"B":
            self.at += 1
            return self.data[self.at - 1] == 1
        if tag and tag in _WITH_CLASS:
            return self.of_class(tag, self.class_())
        raise LadderError("A dictionary holds bytes that are no value.", "The state is damaged; make it again.")

    def of_class(self, tag: bytes, class_: Any) -> Any:
        if not _has_form(tag, class_):
            raise LadderError(
                f"A dictionary holds bytes that are no value of {class_name(class_)}.",
                "The state is damaged; make it again.",
            )
        if tag == b"E":
            return class_[bytes_text(self.sized())]
        if tag == b"G":
            return _Open(1, lambda parts: class_(parts[0]), [])
        if tag == b"U":
            return _Open(self.packed(_SIZE), lambda parts: tuple.__new__(class_, parts), [])
        names = [f.name for f in dataclasses.fields(class_)]
        return _Open(self.packed(_SIZE), lambda parts: _restored(class_, zip(names, parts, strict=True)), [])

    def class_(self) -> Any:
        name = bytes_text(self.sized())
        if name not in self.classes:
            raise LadderError(
                f"The state has values of {name}, which the program does not name.",
                "Open it with the program that made it, and its Python files.",
            )
        return self.classes[name]

    def packed(self, form: struct.Struct) -> Any:
        self.at += form.size
        return form.unpack_from(self.data, self.at - form.size)[0]

    def sized(self) -> bytes:
        size = self.packed(_SIZE)
        self.at += size
        return self.data[self.at - size : self.at]


def _has_form(tag: bytes, class_: type) -> bool:
    """Whether values of a class are written with this tag; other bytes that name the class are rejected."""
    if tag in (b"E", b"G"):
        return issubclass(class_, enum.Enum if tag == b"E" else enum.Flag)
    return not issubclass(class_, enum.Enum) and (
        issubclass(class_, tuple) and hasattr(class_, "_fields") if tag == b"U" else dataclasses.is_dataclass(class_)
    )


def _restored(class_: type, fields: Iterator[tuple[str, Any]]) -> Any:
    """A value of a data class, also a frozen one, made without calling code of the class."""
    value: Any = object.__new__(class_)
    for name, part in fields:
        object.__setattr__(value, name, part)
    return value
