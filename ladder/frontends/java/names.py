"""The names of a Java file's declarations, variables and instructions, which depend on its structure, not on
positions."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable


def type_id(package: str, name: str) -> str:
    """Return the binary name of the top-level type `name`."""
    return f"{package}.{name}" if package else name


def implicit_class_name(tokens: Iterable[str]) -> str:
    """Return the name of the class that a compact source file with these tokens declares."""
    text = "\n".join(tokens).encode("utf-8", "surrogatepass")
    return f"compact_{hashlib.sha256(text).hexdigest()[:12]}"


def member_type_id(outer: str, name: str) -> str:
    """Return the binary name of a member type."""
    return f"{outer}${name}"


def local_type_id(outer: str, number: int, name: str) -> str:
    """Return the binary name of the `number`-th local class `name` in `outer`; anonymous classes have the empty
    name."""
    return f"{outer}${number}{name}"


def field_id(type: str, name: str) -> str:
    """Return the id of a field."""
    return f"{type}.{name}:field"


def method_id(type: str, name: str, parameters: Iterable[str]) -> str:
    """Return the id of a method; `parameters` are the parameter types as written, erased."""
    return f"{type}.{name}({','.join(parameters)})"


DETAIL = ": "
"""What separates an instruction's kind from what it is, in its id: `<id of the body>/call add: items.add(x)#2`."""
_TYPE = "/type "
TEMPORARY = "$("
"""How the names of temporaries begin, and no name in Java: `<id of the body>/$(items.size())`."""


def instruction_kind(id: str, body: str) -> str:
    """Return the kind in an instruction's id."""
    return id[len(body) + 1 :].partition(DETAIL)[0].partition("#")[0]


def name_of(id: str, body: str) -> str:
    """Return the name of a variable, or what a temporary holds, from its id in `body`, without its number."""
    name = without_number(id[len(body) + 1 :])
    return name[len(TEMPORARY) : -1] if name.startswith(TEMPORARY) else name


def without_number(label: str) -> str:
    """Return a label without the number that tells it from equal ones."""
    return _NUMBER.sub("", label)


def use_id(scope: str, text: str) -> str:
    """Return the id of the use of a type that is written as `text` in `scope`."""
    return f"{scope}{_TYPE}{text}"


def type_text(use: str) -> str:
    """Return the type as written, from the id of its use."""
    return use.rpartition(_TYPE)[2]


def absolute_use_id(unit: str, text: str) -> str:
    """Return the id of the use of a type by its full name `text`, anywhere in `unit`."""
    return f"{unit}/name {text}"


def known_use_id(type: str) -> str:
    """Return the id of the use of a type that the same file declares."""
    return f"{type}/itself"


def type_variable_id(declaration: str, name: str) -> str:
    """Return the id of a type parameter of a type or method."""
    return f"{declaration}/<{name}>"


def annotation_id(declaration: str, name: str, number: int) -> str:
    """Return the id of the `number`-th (from 1) annotation that is written as `name` on a declaration, or in another
    annotation."""
    return f"{declaration}/@{name}#{number}"


_NUMBER = re.compile(r"#\d+$")
_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def string_id(value: str) -> str:
    """Return the id of the heap object of a string constant: the quoted text, with control characters and lone
    surrogates escaped."""
    return '"' + _ESCAPED.sub(_escape, value) + '"'


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    return _SHORT.get(character) or f"\\u{ord(character):04x}"
