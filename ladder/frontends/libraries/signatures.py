"""The Signature attribute (JVMS 4.7.9.1) → types as text, in the notation of `ladder.analyses.java_types`.

    <T:Ljava/lang/Number;>(Ljava/util/List<+TT;>;)TT;
    → parameters java.util.List<+{0 a.B.f(java.util.List) java.lang.Number}>, result {0 a.B.f(java.util.List) …}

The compiler writes these attributes and the virtual machine does not check them, so that a class file may have anything
there: what is no signature raises `NoSignature`, and the caller takes the types of the descriptor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ladder.frontends.bytecode.descriptors import PRIMITIVES

OBJECT = "java.lang.Object"
TYPES = {**PRIMITIVES, "V": "void"}
DEEPEST = 60
"""Levels of types inside one another."""
LARGEST = 100_000
"""Characters of all type variables that one signature names, each with its declaration and bound."""
ROUNDS = 8
"""How often the bounds of type variables are read, until each knows the erasure of those that it names."""

_NAME = re.compile(r"[^.;\[/<>:]+")


class NoSignature(ValueError):
    """Raised where a text is no signature."""


def plain_name(name: str) -> bool:
    """Whether a name of a class or member is one as compilers write them, so that texts with it can be taken apart."""
    return all(part.replace("$", "_").replace("-", "_").isidentifier() for part in name.split("."))


class SignatureReader:
    """Reads one signature. `variables`: name → the type variables that are known where it stands, which those that it
    declares join; `owner`: what these call their declaration."""

    def __init__(self, text: str, variables: dict[str, str], owner: str) -> None:
        self.text, self.variables, self.owner = text, variables, owner
        self.at = 0
        self._depth = self._size = 0

    def declared(self) -> list[str]:
        """Read `<T:bound…>` where there is one → the type variables in it.

        A bound may name variables further right: read them again until their erasures do not change.
        """
        if not self.text.startswith("<"):
            return []
        found: list[str] = []
        for _ in range(ROUNDS):
            self.at = 1
            before, found = found, self._declared()
            if found == before:
                break
        return found

    def _declared(self) -> list[str]:
        found: list[str] = []
        while self._peek() != ">":
            name = self._name()
            bounds = []
            while self._peek() == ":":
                self.at += 1
                if self._peek() not in (":", ">"):  # `T::Interface`: no class among the bounds
                    bounds.append(self.type())
            if not bounds:
                raise NoSignature(self.text)
            erased = erasure(bounds[0])
            self.variables[name] = f"{{{len(found)} {self.owner} {erased}}}"
            found.append(self.variables[name])
        self.at += 1
        return found

    def types(self) -> list[str]:
        """Read types up to the end: the supertypes of a class."""
        found = []
        while self.at < len(self.text):
            found.append(self.type())
        return found

    def method(self) -> tuple[list[str], str]:
        """Read `(…)R`, and the types of exceptions, which descriptors say."""
        self._expect("(")
        parameters = []
        while self._peek() != ")":
            parameters.append(self.type())
        self.at += 1
        return parameters, self.type()

    def type(self) -> str:
        """Read one type."""
        kind = self._peek()
        self.at += 1
        if kind in TYPES:
            return TYPES[kind]
        if kind not in "[TL":
            raise NoSignature(self.text)
        self._depth += 1
        if self._depth > DEEPEST:
            raise NoSignature("nested too deeply")
        found = self.type() + "[]" if kind == "[" else self._variable() if kind == "T" else self._class()
        self._depth -= 1
        return found

    def _variable(self) -> str:
        name = self._name()
        self._expect(";")
        found = self.variables.get(name, OBJECT)
        self._size += len(found)
        if self._size > LARGEST:
            raise NoSignature("too large")
        return found

    def _class(self) -> str:
        """Read `a/b/C<…>.D<…>;` after its L; of a member of a parameterised type its own arguments count."""
        name, arguments = self._name(), list[str]()
        while (character := self._peek()) != ";":
            self.at += 1
            if character == "<":
                arguments = self._arguments()
            elif character == ".":
                name, arguments = f"{name}${self._name()}", []
            elif character == "/" and not arguments:
                name = f"{name}.{self._name()}"
            else:
                raise NoSignature(self.text)
        self.at += 1
        if not plain_name(name):
            raise NoSignature(self.text)
        return name + (f"<{','.join(arguments)}>" if arguments else "")

    def _arguments(self) -> list[str]:
        found = []
        while (kind := self._peek()) != ">":
            if kind == "*":
                self.at += 1
                found.append(f"+{OBJECT}")
            elif kind in "+-":
                self.at += 1
                found.append(kind + self.type())
            else:
                found.append(self.type())
        self.at += 1
        return found

    def _name(self) -> str:
        found = _NAME.match(self.text, self.at)
        if found is None:
            raise NoSignature(self.text)
        self.at = found.end()
        return found[0]

    def _peek(self) -> str:
        if self.at >= len(self.text):
            raise NoSignature(self.text)
        return self.text[self.at]

    def _expect(self, character: str) -> None:
        if self._peek() != character:
            raise NoSignature(self.text)
        self.at += 1


def erasure(type_: str) -> str:
    """The erasure of a type that was read here."""
    if type_.endswith("[]"):
        return erasure(type_[:-2]) + "[]"
    return type_[:-1].rpartition(" ")[2] if type_.startswith("{") else type_.partition("<")[0]


def classes_in(types: Iterable[str]) -> set[str]:
    """The classes that types name, in type arguments and bounds, too."""
    found: set[str] = set()
    for text in types:
        if "<" in text or "{" in text:
            found.update(re.findall(r"[^\s<>,{}\[\]+]+(?=[<>,\[\]}]|$)", text))
        else:
            found.add(text.rstrip("[]"))
    return {name.lstrip("-") for name in found} - _KEYWORDS


_KEYWORDS = frozenset((*TYPES.values(), ""))
