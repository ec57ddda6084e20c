"""A core program as data: a list of nodes, each of which refers to earlier ones; reading it creates instances of the
classes of `core` and nothing else.

    [[class, field, …], …]      a field is a text, a number, true, false, null, or [n], which stands for node n
    "()" parts …                a tuple;   "{}" key, value, …   a mapping;   "=" bytes in hexadecimal digits   a value
                                (see `canonical`)

Functions and lattices are saved by name only, without their code.
"""

from __future__ import annotations

import enum
import json
import math
import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from ladder.engine.canonical import Classes, stored, value_of
from ladder.language import core, roles
from ladder.language.core import Kind, Program, verify
from ladder.language.roles import Role
from ladder.support.json_text import read_json

CLASSES: Mapping[str, type] = {
    class_.__name__: class_
    for class_ in (
        core.Type,
        core.Place,
        core.Var,
        core.Const,
        core.Atom,
        core.Not,
        core.Compare,
        core.Compute,
        core.Generate,
        core.Pack,
        core.Unpack,
        core.Rule,
        core.Column,
        roles.Part,
        core.Relation,
        core.Subsumption,
        core.Function,
        core.Directive,
        core.Finding,
        core.Program,
    )
}
ENUMS: Mapping[str, type[enum.Enum]] = {class_.__name__: class_ for class_ in (Kind, Role)}


def without_objects(program: Program) -> Program:
    """The program without the Python objects of its functions and lattices; their names are kept."""
    nothing: Any = None
    return replace(
        program,
        functions={name: replace(f, call=nothing) for name, f in program.functions.items()},
        lattices=dict.fromkeys(program.lattices),
    )


def packed(program: Program) -> bytes:
    """A program as bytes; `LadderError` if a constant is of a type that cannot be saved."""
    writer = _Writer()
    writer.write(without_objects(program))
    return json.dumps(writer.nodes, separators=(",", ":")).encode()


def unpacked(data: bytes, classes: Classes) -> Program:
    """The program that these bytes stand for, without its Python objects; ValueError if they stand for none."""
    made: list[Any] = []
    try:
        for tag, *parts in read_json(data):
            made.append(
                _made(
                    tag,
                    [part if not isinstance(part, list) else made[_place(part, len(made))] for part in parts],
                    classes,
                )
            )
        program = made[-1]
        if not isinstance(program, Program):
            raise ValueError("it is no program")  # noqa: TRY004 - as for any other form
        return verify(program)
    except Exception as error:  # whatever forged fields make a check raise
        raise ValueError(f"no core program: {type(error).__name__}: {error}") from error


class _Writer:
    """Writes a program as nodes; equal parts share one node."""

    def __init__(self) -> None:
        self.nodes: list[list[Any]] = []
        self._known: dict[str, int] = {}
        # by the identity of objects, which are kept so that no other object gets the same one
        self._same: dict[int, tuple[Any, list[int]]] = {}

    def write(self, value: Any, opaque: bool = False) -> Any:
        """The field that stands for a value in a node; `opaque`: whether it is saved as the bytes of a Python object,
        whatever its type."""
        if value is None or type(value) in (str, bool, int) or (type(value) is float and math.isfinite(value)):
            return value
        if opaque:
            return self._node("=", stored(value).hex())
        known = self._same.get(id(value))
        if known is None:
            known = self._same[id(value)] = value, self._written(value)
        return known[1]

    def _written(self, value: Any) -> list[int]:
        if isinstance(value, Kind | Role):
            return self._node(type(value).__name__, value.value)
        if isinstance(value, tuple):
            return self._node("()", *map(self.write, value))
        if isinstance(value, Mapping):
            return self._node("{}", *(self.write(part) for pair in value.items() for part in pair))
        if isinstance(value, core.Const):
            return self._node("Const", self.write(value.value, opaque=True), self.write(value.type))
        if isinstance(value, Program):
            facts = self._node(
                "{}",
                *(
                    part
                    for name, rows in value.facts.items()
                    for part in (name, self._node("()", *map(self._row, rows)))
                ),
            )
            return self._node(
                "Program", *(facts if n == "facts" else self.write(getattr(value, n)) for n in _names(Program))
            )
        return self._node(type(value).__name__, *[self.write(getattr(value, name)) for name in _names(value.__class__)])

    def _row(self, row: tuple[Any, ...]) -> list[int]:
        return self._node("()", *(self.write(value, opaque=True) for value in row))

    def _node(self, *node: Any) -> list[int]:
        key = repr(node)
        if key not in self._known:
            self._known[key] = len(self.nodes)
            self.nodes.append(list(node))
        return [self._known[key]]


def _place(part: list[Any], below: int) -> int:
    (number,) = part
    if type(number) is not int or not 0 <= number < below:
        raise ValueError("a node names a later one")
    return number


def _made(tag: Any, parts: list[Any], classes: Classes) -> Any:
    if tag == "()":
        return tuple(parts)
    if tag == "{}":
        return dict(zip(parts[::2], parts[1::2], strict=True))
    if tag == "=":
        (data,) = parts
        return value_of(bytes.fromhex(data), classes)
    if tag in ENUMS:
        return ENUMS[tag](*parts)
    class_ = CLASSES[tag]
    hints = _hints(class_)
    if len(parts) != len(hints) or not all(fits(part, hint) for part, hint in zip(parts, hints, strict=True)):
        raise ValueError(f"a field of {tag} is of another type")
    return class_(*parts)


@cache
def _hints(class_: type) -> tuple[Any, ...]:
    hints = get_type_hints(class_)
    return tuple(hints[name] for name in _names(class_))


@cache
def _names(class_: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(class_))


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of the type that an annotation says; functions must be None."""
    origin, of = get_origin(hint), get_args(hint)
    if hint in (Any, Hashable):
        return True
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in of)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        return (
            all(fits(part, of[0]) for part in value)
            if of[-1] is ...
            else len(value) == len(of) and all(map(fits, value, of))
        )
    if origin is not None and origin is get_origin(Mapping[str, str]):
        return isinstance(value, dict) and all(fits(k, of[0]) and fits(v, of[1]) for k, v in value.items())
    if origin is get_origin(Callable[[], None]):
        return value is None
    if hint is int or hint is float:
        return type(value) in (int, hint)
    return isinstance(value, hint)
