"""XML files that are not trusted, as trees of elements: no document type, no entities, nothing outside of the file."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.parsers import expat

LARGEST = 4 << 20
DEEPEST = 100
MOST_ELEMENTS = 200_000
_DECLARED = re.compile(r"<!\s*(DOCTYPE|ENTITY)")


class BadXml(ValueError):
    """Raised for text that is not read, with its place."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column


@dataclass(slots=True)
class Element:
    """An element: its name without prefix, the text directly in it, the elements in it, and `size`, the number of
    elements of its tree."""

    name: str
    line: int = 1
    text: str = ""
    children: list[Element] = field(default_factory=list)
    size: int = 1

    def child(self, *path: str) -> Element | None:
        """The first element at a path below this one."""
        found: Element | None = self
        for name in path:
            found = None if found is None else next((each for each in found.children if each.name == name), None)
        return found

    def all(self, *path: str) -> list[Element]:
        """All elements of the last name of a path, below the first ones of the others."""
        around = self.child(*path[:-1])
        return [] if around is None else [each for each in around.children if each.name == path[-1]]

    def value(self, *path: str) -> str:
        """The text of the element at a path, "" if there is none."""
        found = self.child(*path)
        return "" if found is None else found.text.strip()


def read_xml(data: bytes) -> Element:
    """The root of a document in UTF-8; `BadXml` for what is none, or has a document type."""
    if len(data) > LARGEST:
        raise BadXml(f"the file has {len(data)} bytes; XML of more than {LARGEST} is not read")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadXml("the file is not UTF-8") from None
    if declared := _DECLARED.search(text):
        raise BadXml("document types and entities are not read", text.count("\n", 0, declared.start()) + 1)
    builder = _Builder()
    try:
        builder.parser.Parse(text.encode(), True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "malformed")
        raise BadXml(f"no XML: {reason}", error.lineno, error.offset + 1) from None
    if builder.root is None:
        raise BadXml("there is no element")
    return builder.root


class _Builder:
    def __init__(self) -> None:
        self.parser = expat.ParserCreate("UTF-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.root: Element | None = None
        self._open: list[Element] = []
        self._texts: list[
            list[str]
        ] = []  # of the open elements, in pieces: to append each to a text takes quadratic time
        self._count = 0

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        line = self.parser.CurrentLineNumber
        if len(self._open) >= DEEPEST or self._count > MOST_ELEMENTS:
            raise BadXml("too many elements, or too many inside one another", line)
        found = Element(name.rpartition(":")[2], line)
        if self._open:
            self._open[-1].children.append(found)
        else:
            self.root = found
        self._open.append(found)
        self._texts.append([])

    def _end(self, name: str) -> None:
        ended = self._open.pop()
        ended.text = "".join(self._texts.pop())
        if self._open:
            self._open[-1].size += ended.size

    def _text(self, text: str) -> None:
        if self._texts:
            self._texts[-1].append(text)
