"""Rows as JSON: an array of arrays, or of objects with the columns' names as keys; records are the same, nil is
null."""

from __future__ import annotations

import json
import re
import sys
from typing import IO, Any

from ladder.errors import LadderError, Unsupported
from ladder.facts.files.channels import Channel, Written
from ladder.facts.files.reading import INTEGERS, domain_of
from ladder.language.core import Fields, Kind, Type
from ladder.language.values.show import show_object
from ladder.support.files import FOR_OTHERS, replacing

_SURROGATE = re.compile("[\ud800-\udfff]")  # which UTF-8 does not have


def read_file(channel: Channel) -> list[tuple[Any, ...]]:
    """The rows of a file; raises FileNotFoundError."""
    file = channel.input_file()
    return _read(channel, file.read_bytes(), str(file))


def read_standard_input(channel: Channel) -> list[tuple[Any, ...]]:
    """The rows on standard input."""
    return _read(channel, sys.stdin.buffer.read(), "standard input")


def write_file(channel: Channel, rows: Written, _out: IO[str]) -> None:
    """Write rows to a file."""
    with (
        replacing(channel.output_file(), mode=FOR_OTHERS) as temporary,
        temporary.open("w", encoding="utf-8", newline="") as out,
    ):
        write_standard_output(channel, rows, out)


def write_standard_output(channel: Channel, rows: Written, out: IO[str]) -> None:
    """Write rows to standard output as one array, with a line for each."""
    as_objects = channel.directive.parameters.get("format", "list") == "object"
    out.write("[")
    if not channel.types and len(rows):
        out.write("null\n")
    elif channel.types:
        for i, row in enumerate(rows):
            out.write((",\n" if i else "") + _show(channel, row, as_objects))
    out.write("]\n")


def _columns(channel: Channel) -> tuple[tuple[str, Type], ...]:
    return tuple((column.name, column.type) for column in channel.relation.columns)


def _fields(channel: Channel, fields: Fields) -> tuple[tuple[str, Type], ...]:
    return tuple((name, channel.program.types[type_]) for name, type_ in fields)


def _show(channel: Channel, row: tuple[Any, ...], as_objects: bool) -> str:
    """A row as JSON text; its records may be nested deeper than Python's recursion limit."""
    parts: list[str] = []
    waiting: list[str | tuple[Any, Type]] = [*reversed(_fields_shown(row, _columns(channel), as_objects))]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
        elif item[1].kind is Kind.RECORD and item[0] is not None:
            _refuse_branches(channel, item[1])
            waiting += reversed(_fields_shown(item[0], _fields(channel, item[1].fields), as_objects))
        else:
            parts.append(_show_leaf(channel, *item))
    return "".join(parts)


def _fields_shown(
    values: tuple[Any, ...], fields: tuple[tuple[str, Type], ...], as_objects: bool
) -> list[str | tuple[Any, Type]]:
    items: list[str | tuple[Any, Type]] = ["{" if as_objects else "["]
    for i, (value, (name, type_)) in enumerate(zip(values, fields, strict=True)):
        items.append((", " if i else "") + (f"{json.dumps(name)}: " if as_objects else ""))
        items.append((value, type_))
    return [*items, "}" if as_objects else "]"]


def _show_leaf(channel: Channel, value: Any, type_: Type) -> str:
    if type_.written is Kind.FLOAT:
        return domain_of(type_).show(value, 6)
    if type_.written is Kind.OBJECT:
        return json.dumps(show_object(value, channel.program.lattices.get(type_.name)), ensure_ascii=False)
    if type_.written in INTEGERS:
        return str(int(value))
    text = json.dumps(value, ensure_ascii=False)
    return json.dumps(value) if _SURROGATE.search(text) else text


def _refuse_branches(channel: Channel, type_: Type) -> None:
    if type_.branches:
        raise Unsupported(
            f"{channel.relation.name} holds values of the algebraic data type {type_.name}: JSON has no form for them.",
            "Use IO=file.",
        )


def _read(channel: Channel, content: bytes, source: str) -> list[tuple[Any, ...]]:
    try:
        rows = json.loads(content.decode(), object_pairs_hook=_object)
    except UnicodeDecodeError:
        raise LadderError(f"{source} is not UTF-8.", "Convert the file.") from None
    except json.JSONDecodeError as error:
        raise LadderError(f"{source}:{error.lineno}:{error.colno}: this is not JSON: {error.msg}.") from None
    except _Twice as twice:
        raise LadderError(
            f"{source} has an object in which {json.dumps(twice.args[0], ensure_ascii=False)} is there twice."
        ) from None
    except (ValueError, RecursionError):
        raise LadderError(f"{source} holds numbers of thousands of digits, or records nested thousands deep.") from None
    if not isinstance(rows, list):
        raise LadderError(f"{source} does not hold an array of rows.")
    if not channel.types:
        return [()] if rows else []
    return [_values(channel, row, _columns(channel), f"{source}: row {number}") for number, row in enumerate(rows, 1)]


class _Twice(Exception):
    """Raised for a key that an object has twice."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Twice(next(name for name in names if names.count(name) > 1))
    return found


def _values(channel: Channel, value: Any, fields: tuple[tuple[str, Type], ...], place: str) -> tuple[Any, ...]:
    if isinstance(value, dict):
        missing, unknown = (
            [name for name, _ in fields if name not in value],
            value.keys() - {name for name, _ in fields},
        )
        if missing or unknown:
            raise LadderError(f"{place} has {'no' if missing else 'an unknown'} {(missing or sorted(unknown))[0]}.")
        value = [value[name] for name, _ in fields]
    if not isinstance(value, list) or len(value) != len(fields):
        raise LadderError(f"{place} is not an array of {len(fields)} values.")
    return tuple(
        _value(channel, cell, type_, f"{place}, {name}") for cell, (name, type_) in zip(value, fields, strict=True)
    )


def _value(channel: Channel, value: Any, type_: Type, place: str) -> Any:
    if type_.kind is Kind.RECORD:
        _refuse_branches(channel, type_)
        return None if value is None else _values(channel, value, _fields(channel, type_.fields), place)
    if type_.kind is Kind.SYMBOL and isinstance(value, str):
        return value
    if type_.written is Kind.FLOAT and isinstance(value, int | float) and not isinstance(value, bool):
        return domain_of(type_).round(value)
    if type_.written in INTEGERS and isinstance(value, int) and not isinstance(value, bool):
        least, most = domain_of(type_).range(type_.written)
        if least <= value <= most:
            return value
    raise LadderError(f"{place}: {json.dumps(value, ensure_ascii=False)} is not a value of type {type_.name}.")
