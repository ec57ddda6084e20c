"""A class file → what it declares, without code: the lists that packs of libraries hold as JSON.

    type    [kind, access, outer, name, variables, supers, methods, fields, annotations]
    method  [name, flags, parameters, result, generic parameters, generic result, variables, exceptions, annotations]
    field   [name, flags, type, generic type, constant, annotations]

`kind` is as in the facts of source, `access` is `public`, `protected`, `package` or `private`, `outer` the type around
a member type. The first of `supers` is the superclass, empty for interfaces and Object. Types are as in `java_types`;
generic ones are null where they are the erased ones. A constant is a pair of its text and its type, as facts have them.
Left out: private members, what the compiler adds, local and anonymous types, names that no compiler of Java writes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ladder.frontends.bytecode.classfile import (
    ABSTRACT,
    BRIDGE,
    FINAL,
    INTERFACE,
    MODULE,
    PRIVATE,
    PROTECTED,
    PUBLIC,
    STATIC,
    SYNTHETIC,
    VARARGS,
    Annotation,
    ClassFile,
    FieldInfo,
    MethodInfo,
    read_class,
)
from ladder.frontends.bytecode.errors import Malformed
from ladder.frontends.bytecode.pool import DOUBLE, FLOAT, INTEGER, LONG, Loadable
from ladder.frontends.java import names
from ladder.frontends.libraries.signatures import NoSignature, SignatureReader, erasure, plain_name

KEPT = PUBLIC | PROTECTED | STATIC | FINAL | VARARGS | ABSTRACT
LITERALS = {INTEGER: "int", LONG: "long", FLOAT: "float", DOUBLE: "double"}
LONGEST = 2_000
"""Characters of a constant, and of the name and the descriptor of a member or type."""
LARGEST = 20_000_000
"""Characters of the description of a type, and of the signatures in a class file with what they say: these may share
their texts."""
LEAST, FOR_EACH_BYTE = 1_000_000, 20
"""Characters that each class file may have of these, and more for each of its bytes."""


@dataclass(frozen=True, slots=True)
class Declared:
    """The name of a type, its description, None for what is left out, and about how many characters that has."""

    name: str
    description: list[Any] | None
    size: int = 0


class Signatures:
    """The signatures of a class file, which have so many characters together at most."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most

    def reader(self, text: str, variables: dict[str, str], owner: str) -> SignatureReader:
        """What reads a signature; the variables stay as they are. `Malformed` if there are too many characters."""
        self.take(text)
        return SignatureReader(text, dict(variables) if text.startswith("<") else variables, owner)

    def take(self, *texts: str) -> None:
        """Count texts that are read or made; `Malformed` if there are too many characters."""
        self.left -= sum(map(len, texts))
        if self.left < 0:
            raise Malformed(f"its signatures have more than {self.most:,} characters", 0)


def declared(data: bytes) -> Declared:
    """What a class file declares; `Malformed` if it is none."""
    most = min(LARGEST, LEAST + FOR_EACH_BYTE * len(data))
    signatures = Signatures(most)
    file = read_class(data, with_code=False)
    inner = {entry.inner: entry for entry in file.inner_classes}
    own = inner.get(file.name)
    flags = file.flags if own is None else own.flags
    local = file.enclosing is not None or (own is not None and not (_named(own.outer) and _named(own.name)))
    if file.flags & MODULE or flags & SYNTHETIC or local or not _named(file.name):
        return Declared(file.name, None)
    above = [file.superclass, *dict.fromkeys(file.interfaces)]
    if not all(_named(name) for name in above if name):
        raise Malformed("a supertype has a name that no Java type has", 0)
    if file.flags & INTERFACE:
        above[0] = ""
    variables: dict[str, str] = {}
    own_variables, supers = _class_signature(file, above, variables)
    methods = [found for each in file.methods if (found := _method(file, each, variables, signatures)) is not None]
    fields = [found for each in file.fields if (found := _field(each, variables, signatures)) is not None]
    outer, simple = (own.outer, own.name) if own is not None else ("", file.name.rpartition(".")[2])
    annotations = _annotations(file.annotations)
    found = [file.kind, _access(flags), outer, simple, own_variables, supers, methods, fields, annotations]
    size = _characters(found)
    if size > most:
        raise Malformed(f"what it declares has more than {most:,} characters", 0)
    return Declared(file.name, found, size)


def _characters(value: Any) -> int:
    """How long a description is, about: its texts may be many times the same one, so it is not written to see that."""
    if isinstance(value, list):
        return sum(map(_characters, value)) + 2
    return len(value) + 3 if isinstance(value, str) else 4


def _access(flags: int) -> str:
    return (
        "public"
        if flags & PUBLIC
        else "protected"
        if flags & PROTECTED
        else "private"
        if flags & PRIVATE
        else "package"
    )


def _class_signature(file: ClassFile, above: list[str], variables: dict[str, str]) -> tuple[list[str], list[str]]:
    """(type variables, supertypes with type arguments); variables join those that members may name."""
    if not file.signature:
        return [], above
    known: dict[str, str] = {}
    try:
        reader = SignatureReader(file.signature, known, file.name)
        own = reader.declared()
        first, *others = reader.types()
    except (NoSignature, ValueError):
        return [], above
    found = ["" if file.flags & INTERFACE else first, *others]
    if [erasure(type_) for type_ in found] != above:
        return [], above
    variables.update(known)
    return own, found


def _method(file: ClassFile, method: MethodInfo, outer: dict[str, str], signatures: Signatures) -> list[Any] | None:
    name, flags = method.name, method.flags
    if flags & (PRIVATE | SYNTHETIC | BRIDGE) or not (name == "<init>" or _named(name)):
        return None
    if len(method.descriptor) > LONGEST:
        return None
    erased, result = list(method.parameters), method.result
    if not all(map(_usable, (*erased, result, *method.throws))):
        return None
    variables: list[str] = []
    generic: tuple[list[str], str] | None = None
    if method.signature:
        try:
            reader = signatures.reader(method.signature, outer, f"{file.name}.{name}({','.join(erased)})")
            variables = reader.declared()
            generic = _fitting(*reader.method(), erased, result)
            signatures.take(*variables, *(generic[0] if generic else ()), generic[1] if generic else "")
        except NoSignature:
            variables = []
    parameters, returned = generic or (None, None)
    return [
        name, flags & KEPT, erased, result, parameters, returned, variables if generic else [], list(method.throws),
        _annotations(method.annotations),
    ]  # fmt: skip


def _fitting(parameters: list[str], result: str, erased: list[str], erased_result: str) -> tuple[list[str], str] | None:
    """The generic types of a method, where each has the erasure that the descriptor says, else the erased type, as of
    variables that are not known here; None where they do not belong to the descriptor, or are no others."""
    if len(parameters) != len(erased):
        return None
    fitting = [_or_erased(type_, plain) for type_, plain in zip(parameters, erased, strict=True)]
    returned = _or_erased(result, erased_result)
    return None if fitting == erased and returned == erased_result else (fitting, returned)


def _or_erased(type_: str, erased: str) -> str:
    return type_ if erasure(type_) == erased else erased


def _field(field: FieldInfo, variables: dict[str, str], signatures: Signatures) -> list[Any] | None:
    if field.flags & (PRIVATE | SYNTHETIC) or not _named(field.name) or not _usable(field.type):
        return None
    generic = None
    if field.signature:
        try:
            found = signatures.reader(field.signature, variables, "").type()
            signatures.take(found)
        except NoSignature:
            found = field.type
        generic = found if found != field.type and erasure(found) == field.type else None
    constant = None if field.value is None or not field.flags & FINAL else _constant(field.value, field.type)
    return [field.name, field.flags & KEPT, field.type, generic, constant, _annotations(field.annotations)]


def _constant(value: Loadable, type_: str) -> list[str] | None:
    """A constant as facts of source have it: its text, and its type."""
    if isinstance(value.value, str):
        return [names.string_id(value.value), "java.lang.String"] if len(value.value) <= LONGEST else None
    return [str(value.value), type_ if type_ in ("boolean", "byte", "short", "char") else LITERALS[value.tag]]


def _annotations(annotations: list[Annotation]) -> list[str]:
    """The types of annotations."""
    return [type_ for type_ in dict.fromkeys(each.type for each in annotations) if _named(type_)]


def _named(name: str) -> bool:
    return len(name) <= LONGEST and _plain(name)


def _usable(type_: str) -> bool:
    return _named(type_.rstrip("[]"))


_plain = lru_cache(maxsize=1 << 12)(plain_name)
