"""What the members of a class are called in its facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ladder.frontends.bytecode.classfile import BRIDGE, ClassFile, FieldInfo
from ladder.frontends.java import names

INITIALISER = "<clinit>"


class Ids(Protocol):
    """The ids of members."""

    def methods(self, file: ClassFile) -> list[str]:
        """Return the ids of the methods, in their order."""

    def field(self, type: str, info: FieldInfo, known: Mapping[str, object]) -> str:
        """Return the id of a field of a type, of which these fields are known."""

    def initialiser(self, type: str) -> str:
        """Return the id of the initialiser of a class."""


class SourceIds:
    """Ids as the facts of source have them."""

    def methods(self, file: ClassFile) -> list[str]:
        """Return the ids of the methods; of methods that differ in their results alone, which Java does not have but
        for bridges, one that is no bridge has the plain id, and the others say their results."""
        plain = [names.method_id(file.name, info.name, info.parameters) for info in file.methods]
        chosen: dict[str, int] = {}
        for index in sorted(range(len(plain)), key=lambda index: bool(file.methods[index].flags & BRIDGE)):
            chosen.setdefault(plain[index], index)
        return [id if chosen[id] == index else f"{id}{file.methods[index].result}" for index, id in enumerate(plain)]

    def field(self, type: str, info: FieldInfo, known: Mapping[str, object]) -> str:
        """Return the id of a field; of fields that differ in their types alone, all but the first say theirs."""
        id = names.field_id(type, info.name)
        return id if id not in known else f"{id} {info.type}"

    def initialiser(self, type: str) -> str:
        """Return the id of the initialiser of a class."""
        return names.method_id(type, INITIALISER, ())


class LibraryIds:
    """Ids as the known library and the class path have them: `<a.b.C: R name(T1,T2)>` and `<a.b.C: T name>`."""

    def methods(self, file: ClassFile) -> list[str]:
        """Return the ids of the methods."""
        return [f"<{file.name}: {info.result} {info.name}({','.join(info.parameters)})>" for info in file.methods]

    def field(self, type: str, info: FieldInfo, known: Mapping[str, object]) -> str:
        """Return the id of a field."""
        return f"<{type}: {info.type} {info.name}>"

    def initialiser(self, type: str) -> str:
        """Return the id of the initialiser of a class."""
        return f"<{type}: void {INITIALISER}()>"


SOURCE, LIBRARY = SourceIds(), LibraryIds()
