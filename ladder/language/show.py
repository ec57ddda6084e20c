"""The text of values in results and messages."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ladder.language.arithmetic import NARROW, WIDE
from ladder.language.core import Kind, Type


def show_value(value: Any, type_: Type, types: Mapping[str, Type], symbol: Callable[[str], str] = str) -> str:
    """A value of a type as text: `[a, [1, nil]]`, `$Branch(1, x)`; `symbol` writes the texts in it."""
    kind = type_.written
    if kind is Kind.SYMBOL:
        return symbol(value)
    if kind is Kind.FLOAT:
        return (WIDE if type_.wide else NARROW).show(value)
    if kind is Kind.OBJECT:
        return show_object(value)
    if kind is not Kind.RECORD:
        return str(int(value))
    if value is None:
        return "nil"
    if not type_.branches:
        return f"[{_show_fields(value, type_.fields, types, symbol)}]"
    branch, *arguments = value
    fields = dict(type_.branches)[branch]
    return f"${branch}({_show_fields(arguments, fields, types, symbol)})" if fields else f"${branch}"


def show_object(value: object) -> str:
    """A lattice's value as text, the same in every run."""
    if value is None:
        return "nil"
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return f"[{', '.join(map(show_object, value))}]"
    if isinstance(value, frozenset | set):
        return "{" + ", ".join(sorted(map(show_object, value))) + "}"
    return str(value)


def _show_fields(values: Any, fields: tuple[tuple[str, str], ...], types: Mapping[str, Type], symbol: Callable[[str], str]) -> str:
    return ", ".join(show_value(value, types[name], types, symbol) for value, (_, name) in zip(values, fields, strict=True))
