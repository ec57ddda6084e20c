"""Descriptors of fields and methods (JVMS 4.3) → types: `[Ljava/lang/String;` → `java.lang.String[]`."""

from __future__ import annotations

import re

from ladder.frontends.bytecode.errors import Malformed
from ladder.frontends.bytecode.odd_names import written

PRIMITIVES = {
    "B": "byte", "C": "char", "D": "double", "F": "float", "I": "int", "J": "long", "S": "short", "Z": "boolean",
}  # fmt: skip
DIMENSIONS = 255
PARAMETERS = 255
"""The most places that the parameters of a method may take; long and double take two."""

_TYPE = re.compile(r"(\[*)(?:([BCDFIJSZ])|L([^;\[.]+);)")
Signature = tuple[tuple[str, ...], str]
"""The types of the parameters, and that of the result."""


class Descriptors:
    """The descriptors of one file, each of which is taken apart once."""

    def __init__(self) -> None:
        self._fields: dict[str, str] = {}
        self._methods: dict[str, Signature] = {}

    def field(self, descriptor: str, at: int) -> str:
        """Return the type that a descriptor of a field stands for; Malformed if it is none. `at` is where it stands."""
        found = self._fields.get(descriptor)
        if found is None:
            found, end = _type(descriptor, 0, at)
            if end != len(descriptor):
                raise _wrong(descriptor, at)
            self._fields[descriptor] = found
        return found

    def method(self, descriptor: str, at: int) -> Signature:
        """Return the types in a descriptor of a method; Malformed if it is none."""
        found = self._methods.get(descriptor)
        if found is None:
            found = self._methods[descriptor] = _signature(descriptor, at)
        return found

    def class_name(self, name: str, at: int) -> str:
        """Return the type that a class entry names, which is an internal name or the descriptor of an array."""
        if name.startswith("["):
            return self.field(name, at)
        if not name or any(character in name for character in ";[.") or "" in name.split("/"):
            raise Malformed(f"{_short(name)} is not the name of a class", at)
        return written(name.replace("/", "."))


def _signature(descriptor: str, at: int) -> Signature:
    if not descriptor.startswith("("):
        raise _wrong(descriptor, at)
    parameters, place, size = [], 1, 0
    while not descriptor.startswith(")", place):
        type_, place = _type(descriptor, place, at)
        parameters.append(type_)
        size += 2 if type_ in ("long", "double") else 1
        if size > PARAMETERS:
            raise Malformed(f"a method has more than {PARAMETERS} parameters", at)
    if descriptor[place + 1 :] == "V":
        return tuple(parameters), "void"
    result, end = _type(descriptor, place + 1, at)
    if end != len(descriptor):
        raise _wrong(descriptor, at)
    return tuple(parameters), result


def _type(descriptor: str, start: int, at: int) -> tuple[str, int]:
    """Return the type at a place of a descriptor, and the place after it."""
    match = _TYPE.match(descriptor, start)
    if match is None:
        raise _wrong(descriptor, at)
    dimensions, primitive, name = match.groups()
    if len(dimensions) > DIMENSIONS:
        raise Malformed(f"an array has {len(dimensions)} dimensions, more than {DIMENSIONS}", at)
    if name is not None and "" in name.split("/"):
        raise _wrong(descriptor, at)
    element = PRIMITIVES[primitive] if primitive else written(name.replace("/", "."))
    return element + "[]" * len(dimensions), match.end()


def _wrong(descriptor: str, at: int) -> Malformed:
    return Malformed(f"{_short(descriptor)} is not a descriptor of what it describes", at)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
