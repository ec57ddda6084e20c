"""Values as text in results and messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ladder.errors import LadderError
from ladder.language.core import Kind, Type
from ladder.language.values.arithmetic import NARROW, WIDE
from ladder.lattices.base import text_of
from ladder.support.shown import error_text


def show_value(
    value: Any,
    type_: Type,
    types: Mapping[str, Type],
    lattices: Mapping[str, Any],
    symbol: Callable[[str], str] = str,
) -> str:
    """A value of a type as text: `[a, [1, nil]]`, `$Branch(1, x)`, a lattice's value as the lattice shows it.

    `lattices`: those of the program (see `show_object`); `symbol`: how the symbols in it are written.
    """
    parts: list[str] = []
    waiting: list[str | tuple[Any, Type]] = [(value, type_)]  # records may be nested deeper than Python calls
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
        elif item[1].kind is Kind.RECORD and item[0] is not None:
            waiting += reversed(_fields(*item, types))
        else:
            parts.append(_show_leaf(*item, lattices, symbol))
    return "".join(parts)


def _show_leaf(value: Any, type_: Type, lattices: Mapping[str, Any], symbol: Callable[[str], str]) -> str:
    kind = type_.written
    if kind is Kind.SYMBOL:
        return symbol(value)
    if kind is Kind.FLOAT:
        return (WIDE if type_.wide else NARROW).show(value)
    if kind is Kind.OBJECT:
        return show_object(value, lattices.get(type_.name))
    return "nil" if value is None else str(int(value))


def _fields(value: Any, type_: Type, types: Mapping[str, Type]) -> list[str | tuple[Any, Type]]:
    """The pieces of a record's or branch's text: brackets and commas as text, fields as values with their types."""
    prefix, fields, (opening, closing) = "", type_.fields, "[]"
    if type_.branches:
        branch, *value = value
        prefix, fields, (opening, closing) = f"${branch}", dict(type_.branches)[branch], "()"
        if not fields:
            return [prefix]
    items: list[str | tuple[Any, Type]] = [prefix + opening]
    for i, (cell, (_, name)) in enumerate(zip(value, fields, strict=True)):
        items += [", "] if i else []
        items.append((cell, types[name]))
    return [*items, closing]


def show_object(value: object, lattice: Any) -> str:
    """A lattice's value as the lattice shows it; `LadderError` where it fails to.

    `lattice`: None where it is not known, as in a state that is looked at without the program's code.
    """
    try:
        return str(getattr(lattice, "show", text_of)(value))
    except Exception as error:
        if value is None:  # it also stands for a key that a row has not, of which the lattice knows nothing
            return "nil"
        raise LadderError(
            f"A value of the class {type(value).__name__} cannot be written: {error_text(error)}.",
            "Give its class a __str__, or the lattice a show, that serves all of its values.",
        ) from error
