"""Parsing of the text of a cell as a Python value of the column's type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ladder.language.core import Fields, Kind, Type
from ladder.language.values.arithmetic import NARROW, WIDE, Domain, NoValue

_INTEGER = re.compile(r"[ \t-\r]*[+-]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)", re.ASCII)
_FLOAT = re.compile(
    r"[ \t-\r]*[+-]?(?:0[xX][0-9a-fA-F.]+(?:[pP][+-]?\d+)?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?|nan)",
    re.ASCII | re.IGNORECASE,
)
_NAME = re.compile(r"\s*([\w?.]+)")
_BLANK = re.compile(r"\s*")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
INTEGERS = (Kind.NUMBER, Kind.UNSIGNED)


def domain_of(type_: Type) -> Domain:
    """How many bits the numbers of a type have."""
    return WIDE if type_.wide else NARROW


class Unreadable(Exception):
    """Raised for a text that is no value of its type; `at`: the position of the error in it."""

    def __init__(self, message: str, at: int = 0) -> None:
        super().__init__(message)
        self.message, self.at = message, at


def read_value(text: str, type_: Type, types: Mapping[str, Type]) -> Any:
    """The value that a cell's text stands for; raises `Unreadable`."""
    if type_.kind is Kind.SYMBOL:
        return text
    value, end = _value(text, 0, type_, types, "")
    if text[end:].strip():
        raise Unreadable(f"{text!r} is not a value of type {type_.name}", end if type_.kind is Kind.RECORD else 0)
    return value


@dataclass
class _Open:
    """A record or branch whose fields are being read; `start`: the name of the branch, for a branch."""

    start: tuple[str, ...]
    fields: Fields
    closing: str
    values: list[Any] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        return len(self.values) == len(self.fields)

    @property
    def value(self) -> tuple[Any, ...]:
        return (*self.start, *self.values)


def _value(text: str, at: int, type_: Type, types: Mapping[str, Type], stops: str) -> tuple[Any, int]:
    """(the value that starts at a position, the position after it); a symbol ends before one of `stops`."""
    opened: list[_Open] = []  # records may be nested deeper than Python calls
    while True:
        record, at = _open(text, at, type_) if type_.kind is Kind.RECORD else (None, at)
        if record is None:
            value, at = _leaf(text, at, type_, f",{opened[-1].closing}" if opened else stops)
        elif record.complete:
            value = record.value
        else:
            opened.append(record)
        while opened and (record is None or record.complete):
            record = opened[-1]
            record.values.append(value)
            if not record.complete:
                at = _expect(text, at, ",")
                break
            at = _expect(text, at, record.closing)
            value = opened.pop().value
        if not opened:
            return value, at
        at, type_ = _after_blanks(text, at), types[opened[-1].fields[len(opened[-1].values)][1]]


def _open(text: str, at: int, type_: Type) -> tuple[_Open | None, int]:
    """(a record or branch whose fields are still to be read, the position of the first one); None in place of it for
    nil."""
    at = _after_blanks(text, at)
    if not type_.branches:
        if text.startswith("nil", at):
            return None, at
        at = _expect(text, at, "[")
        return _Open((), type_.fields, "]"), at if type_.fields else _expect(text, at, "]")
    found = _NAME.match(text, at := _expect(text, at, "$"))
    branches = dict(type_.branches)
    if found is None or found[1] not in branches:
        raise Unreadable(f"{type_.name} has no branch {found[1] if found else text[at:]!r}", at)
    fields = branches[found[1]]
    return _Open((found[1],), fields, ")"), _expect(text, found.end(), "(") if fields else found.end()


def _leaf(text: str, at: int, type_: Type, stops: str) -> tuple[Any, int]:
    if type_.kind is Kind.RECORD:
        return None, at + len("nil")
    return _symbol(text, at, stops) if type_.kind is Kind.SYMBOL else _number(text, at, type_)


def _number(text: str, at: int, type_: Type) -> tuple[Any, int]:
    is_float = type_.written is Kind.FLOAT
    found = (_FLOAT if is_float else _INTEGER).match(text, at)
    if found is None:
        raise Unreadable(f"{text[at:]!r} is not a value of type {type_.name}", at)
    try:
        value = domain_of(type_).parse_float(found.group()) if is_float else _integer(found.group(), type_)
    except (NoValue, ValueError):
        raise Unreadable(f"{found.group()} is outside the range of type {type_.name}", at) from None
    return value, found.end()


def _integer(text: str, type_: Type) -> int:
    digits = text.strip().lower()
    base = 16 if "x" in digits else 2 if "b" in digits else 10
    value = int(digits, base)
    least, most = domain_of(type_).range(type_.written)
    if not least <= value <= most or type_.written is Kind.UNSIGNED and digits.startswith("-"):
        raise ValueError(text)
    return value


def _symbol(text: str, at: int, stops: str) -> tuple[str, int]:
    if text[at : at + 1] == '"':
        found = _QUOTED.match(text, at)
        if found is None:
            raise Unreadable("a quotation mark is not closed", at)
        return _ESCAPED.sub(r"\1", found[1]), found.end()
    ends = [end for stop in stops if (end := text.find(stop, at)) >= 0]
    if not ends:
        raise Unreadable(f"{stops[-1]} is missing", len(text))
    return text[at : min(ends)], min(ends)


def _expect(text: str, at: int, char: str) -> int:
    at = _after_blanks(text, at)
    if not text.startswith(char, at):
        raise Unreadable(f"{char} is missing", at)
    return at + 1


def _after_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    assert found is not None
    return found.end()
