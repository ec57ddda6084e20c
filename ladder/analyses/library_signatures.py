"""Makes `java/library.zip`, the signatures of the Java class library, from a JDK's own `lib/ct.sym`, and adds those of
interfaces that servers and loggers implement, since programs are written against them and rarely come with them.

    python -m ladder.analyses.library_signatures JDK/lib/ct.sym [--release 25] [--output library.zip]
    python -m ladder.analyses.library_signatures --jar jakarta.servlet-api-5.0.0.jar --jar jakarta.servlet-api-6.0.0.jar

`ct.sym` holds class files without code for the public API of every release that the JDK's compiler supports. The result
has one JSON member per package: `{type: [flags, type parameter count, supertypes, methods, fields]}` with types written
as `java_types` writes them. Nothing but names and signatures is kept. A type of several jars has the members of all of
them. What is in the library now was added from javax.servlet-api 4.0, jakarta.servlet-api 5.0 and 6.0, javax.inject 1,
jakarta.inject-api 2.0, slf4j-api 1.7 and 2.0 and commons-logging 1.2.
"""

from __future__ import annotations

import argparse
import json
import struct
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ladder.support.json_text import read_json

PUBLIC, PROTECTED, STATIC, VARARGS, INTERFACE, ABSTRACT, SYNTHETIC = 0x1, 0x4, 0x8, 0x80, 0x200, 0x400, 0x1000
PRIMITIVES = {
    "B": "byte",
    "C": "char",
    "D": "double",
    "F": "float",
    "I": "int",
    "J": "long",
    "S": "short",
    "V": "void",
    "Z": "boolean",
}
FIRST_RELEASE = 7
Packages = dict[str, dict[str, list[Any]]]  # package → type (without its package) → its description


@dataclass(frozen=True)
class Member:
    flags: int
    name: str
    descriptor: str
    signature: str


@dataclass(frozen=True)
class ClassFile:
    flags: int
    name: str
    supers: tuple[str, ...]
    signature: str
    fields: tuple[Member, ...]
    methods: tuple[Member, ...]
    inner_flags: int | None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("symbols", type=Path, nargs="?", help="lib/ct.sym of a JDK newer than the release")
    parser.add_argument("--release", type=int, default=25)
    parser.add_argument(
        "--jar", type=Path, action="append", default=[], help="add its types; without symbols, to those there are"
    )
    parser.add_argument("--output", type=Path, default=Path(__file__).with_name("java") / "library.zip")
    arguments = parser.parse_args()
    found = packages(arguments.symbols, arguments.release) if arguments.symbols else read(arguments.output)
    for jar in arguments.jar:
        add(found, jar)
    write(found, arguments.output)


def read(library: Path) -> Packages:
    """What an archive holds already."""
    with zipfile.ZipFile(library) as archive:
        return {name.removesuffix(".json"): read_json(archive.read(name)) for name in archive.namelist()}


def add(found: Packages, jar: Path) -> None:
    """Add the public types of a jar; of a type that is there, the members that it has not."""
    with zipfile.ZipFile(jar) as archive:
        for name in sorted(archive.namelist()):
            if not name.endswith(".class") or name.startswith("META-INF") or name.endswith("-info.class"):
                continue
            described = _describe(read_class(archive.read(name)))
            if described and described[1][0] & (PUBLIC | PROTECTED):
                package, _, simple = described[0].rpartition(".")
                there = found.setdefault(package, {}).setdefault(simple, described[1])
                _add_members(there, described[1])


def _add_members(there: list[Any], other: list[Any]) -> None:
    """Add methods and fields of another version of a type."""
    methods = {(name, tuple(parameters)) for name, _, parameters, *_ in there[3]}
    there[3] += [method for method in other[3] if (method[0], tuple(method[2])) not in methods]
    fields = {name for name, *_ in there[4]}
    there[4] += [one for one in other[4] if one[0] not in fields]


def packages(symbols: Path, release: int) -> Packages:
    """Package → type (without its package) → description, for every exported type of the release."""
    letter = str(release) if release < 10 else chr(ord("A") + release - 10)
    if release < FIRST_RELEASE:
        raise ValueError(f"no symbols of release {release}")
    found: Packages = defaultdict(dict)
    with zipfile.ZipFile(symbols) as archive:
        for name in sorted(archive.namelist()):
            versions, _, rest = name.partition("/")
            if (
                letter in versions
                and rest.endswith(".sig")
                and not rest.endswith("module-info.sig")
                and "incubator" not in rest
            ):
                described = _describe(read_class(archive.read(name)))
                if described:
                    package, _, simple = described[0].rpartition(".")
                    found[package][simple] = described[1]
    return found


def write(found: Packages, output: Path) -> None:
    """Write the archive; equal signatures give equal bytes."""
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for package in sorted(found):
            entry = zipfile.ZipInfo(package + ".json", (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, json.dumps(found[package], separators=(",", ":"), sort_keys=True))


def read_class(data: bytes) -> ClassFile:
    """Read a class file: its header, members and signatures; code is skipped."""
    (count,) = struct.unpack_from(">H", data, 8)
    constants, at = _constants(data, count)
    flags, this, super_, interfaces = struct.unpack_from(">4H", data, at)
    at += 8
    above = ([super_] if super_ else []) + [struct.unpack_from(">H", data, at + 2 * i)[0] for i in range(interfaces)]
    at += 2 * interfaces
    name = _class(constants, this)
    fields, at = _members(data, at, constants)
    methods, at = _members(data, at, constants)
    signature, inner_flags = "", None
    for attribute, start, _ in _attributes(data, at, constants)[0]:
        if attribute == "Signature":
            signature = constants[struct.unpack_from(">H", data, start)[0]]
        elif attribute == "InnerClasses":
            for i in range(struct.unpack_from(">H", data, start)[0]):
                inner, _, _, access = struct.unpack_from(">4H", data, start + 2 + 8 * i)
                if _class(constants, inner) == name:
                    inner_flags = access
    return ClassFile(flags, name, tuple(_class(constants, i) for i in above), signature, fields, methods, inner_flags)


def _describe(file: ClassFile) -> tuple[str, list[Any]] | None:
    flags = file.flags if file.inner_flags is None else file.inner_flags
    if flags & SYNTHETIC:
        return None
    reader = _Signature({}, file.name)
    if file.signature:
        variables = reader.parameters(file.signature)
        supers = list(reader.several())
    else:
        variables, supers = 0, [name for name in file.supers]
    visible = [
        m for m in file.methods if m.flags & (PUBLIC | PROTECTED) and not m.flags & SYNTHETIC and m.name != "<clinit>"
    ]
    methods = [_method(member, reader.variables, file.name) for member in visible]
    fields = [
        [m.name, m.flags & STATIC, _Signature(reader.variables, "", m.signature or m.descriptor).one()]
        for m in file.fields
        if m.flags & (PUBLIC | PROTECTED) and not m.flags & SYNTHETIC
    ]
    return file.name, [flags & (PUBLIC | PROTECTED | INTERFACE | ABSTRACT | STATIC), variables, supers, methods, fields]


def _method(member: Member, outer: dict[str, str], owner: str) -> list[Any]:
    """[name, flags, erased parameters, erased result, parameters, result, bounds]; the last three where they differ.

    Bounds are those of the method's type variables, "" for one without type arguments.
    """
    erased = _Signature({}, "", member.descriptor).method()
    flags = member.flags & (STATIC | VARARGS | ABSTRACT)
    if not member.signature:
        return [member.name, flags, *erased]
    reader = _Signature(dict(outer), f"{owner}.{member.name}({','.join(erased[0])})")
    reader.parameters(member.signature)
    generic = reader.method()
    if len(generic[0]) != len(erased[0]) or generic == erased:
        return [member.name, flags, *erased]
    return [member.name, flags, *erased, *generic, *([reader.bounds] if any(reader.bounds) else [])]


class _Signature:
    """Reads JVM descriptors and generic signatures as types in the notation of `java_types`."""

    def __init__(self, variables: dict[str, str], owner: str, text: str = "") -> None:
        self.variables, self.owner, self.text, self.at = variables, owner, text, 0
        self.bounds: list[str] = []

    def parameters(self, text: str) -> int:
        """Read `<T:bound…>` where there is one; return how many type variables it declares."""
        self.text, self.at = text, 0
        if not text.startswith("<"):
            return 0
        self._declare()
        return self._declare()  # a bound may name a variable declared further right: now its erasure is known

    def _declare(self) -> int:
        self.at, count = 1, 0
        self.bounds = []
        while self.text[self.at] != ">":
            end = self.text.index(":", self.at)
            name, self.at = self.text[self.at : end], end
            bounds = []
            while self.text[self.at] == ":":
                self.at += 1
                if self.text[self.at] != ":":  # `T::Interface`: no class among the bounds
                    bounds.append(self.one())
            erasure = _erase(bounds[0]) if bounds else "java.lang.Object"
            self.variables[name] = f"{{{count} {self.owner} {erasure}}}"
            self.bounds.append(bounds[0] if bounds and "<" in bounds[0] else "")
            count += 1
        self.at += 1
        return count

    def several(self) -> Iterator[str]:
        while self.at < len(self.text):
            yield self.one()

    def method(self) -> tuple[list[str], str]:
        self.at = self.text.index("(", self.at) + 1
        parameters = []
        while self.text[self.at] != ")":
            parameters.append(self.one())
        self.at += 1
        return parameters, self.one()

    def one(self) -> str:
        kind = self.text[self.at]
        self.at += 1
        if kind in PRIMITIVES:
            return PRIMITIVES[kind]
        if kind == "[":
            return self.one() + "[]"
        if kind == "T":
            end = self.text.index(";", self.at)
            name, self.at = self.text[self.at : end], end + 1
            return self.variables.get(name, "java.lang.Object")
        return self._class_type()

    def _class_type(self) -> str:
        name = ""
        arguments: list[str] = []
        while True:
            character = self.text[self.at]
            self.at += 1
            if character == ";":
                return name + (f"<{','.join(arguments)}>" if arguments else "")
            if character == "<":
                arguments = []
                while self.text[self.at] != ">":
                    arguments.append(self._argument())
                self.at += 1
            elif character == ".":  # a member of a parameterized type: its own arguments count
                name, arguments = name + "$", []
            else:
                name += "." if character == "/" else character

    def _argument(self) -> str:
        kind = self.text[self.at]
        if kind == "*":
            self.at += 1
            return "+java.lang.Object"
        if kind in "+-":
            self.at += 1
            return kind + self.one()
        return self.one()


def _erase(type_: str) -> str:
    if type_.startswith("{"):
        return type_[:-1].rpartition(" ")[2]
    return type_.partition("<")[0]


def _constants(data: bytes, count: int) -> tuple[list[Any], int]:
    constants: list[Any] = [None] * count
    at, index = 10, 1
    while index < count:
        tag = data[at]
        if tag == 1:
            (length,) = struct.unpack_from(">H", data, at + 1)
            constants[index] = data[at + 3 : at + 3 + length].decode("utf-8", "surrogatepass")
            at += 3 + length
        else:
            if tag in (7, 8, 16, 19, 20):
                (constants[index],) = struct.unpack_from(">H", data, at + 1)
            at += {7: 3, 8: 3, 16: 3, 19: 3, 20: 3, 15: 4, 5: 9, 6: 9}.get(tag, 5)
            index += tag in (5, 6)
        index += 1
    return constants, at


def _class(constants: list[Any], index: int) -> str:
    name: str = constants[constants[index]]
    return name.replace("/", ".")


def _members(data: bytes, at: int, constants: list[Any]) -> tuple[tuple[Member, ...], int]:
    (count,) = struct.unpack_from(">H", data, at)
    at += 2
    members = []
    for _ in range(count):
        flags, name, descriptor = struct.unpack_from(">3H", data, at)
        attributes, at = _attributes(data, at + 6, constants)
        signature = next(
            (
                constants[struct.unpack_from(">H", data, start)[0]]
                for kind, start, _ in attributes
                if kind == "Signature"
            ),
            "",
        )
        members.append(Member(flags, constants[name], constants[descriptor], signature))
    return tuple(members), at


def _attributes(data: bytes, at: int, constants: list[Any]) -> tuple[list[tuple[str, int, int]], int]:
    (count,) = struct.unpack_from(">H", data, at)
    at += 2
    found = []
    for _ in range(count):
        name, length = struct.unpack_from(">HI", data, at)
        found.append((constants[name], at + 6, length))
        at += 6 + length
    return found, at


if __name__ == "__main__":
    main()
