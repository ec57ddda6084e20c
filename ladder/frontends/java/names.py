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


def lambda_id(enclosing: str, number: int) -> str:
    """Return the id of the lambda body number `number` (from 1) in the body `enclosing`."""
    return f"{enclosing}/lambda#{number}"


def variable_id(method: str, name: str, number: int = 1) -> str:
    """Return the id of the `number`-th (from 1) variable with the name `name` in its method."""
    return f"{method}/{name}" if number == 1 else f"{method}/{name}#{number}"


def instruction_id(method: str, kind: str, number: int) -> str:
    """Return the id of the `number`-th (from 1) instruction of a kind in a method."""
    return f"{method}/{kind}#{number}"


def instruction_kind(id: str, method: str) -> str:
    """Return the kind in an instruction's id."""
    return id[len(method) + 1 : id.rindex("#")]


def use_id(scope: str, text: str) -> str:
    """Return the id of the use of a type that is written as `text` in `scope`."""
    return f"{scope}/type {text}"


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


_ESCAPED = re.compile('["\\\\\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def string_id(value: str) -> str:
    """Return the id of the heap object of a string constant: the quoted text, with control characters and lone
    surrogates escaped."""
    return '"' + _ESCAPED.sub(_escape, value) + '"'


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    return _SHORT.get(character) or f"\\u{ord(character):04x}"
