"""Walks over syntax trees without recursion, whatever their depth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields

from ladder.frontends.java.tree import Node


def children(node: Node) -> list[Node]:
    """The nodes directly below `node`, field by field (see `walk` for textual order)."""
    below: list[Node] = []
    for name in _child_fields(type(node)):
        value = getattr(node, name)
        if value is None:
            continue
        if isinstance(value, list):
            below += [item for item in value if isinstance(item, Node)]
        elif isinstance(value, Node):
            below.append(value)
    return below


def walk(root: Node) -> Iterator[Node]:
    """`root` and all nodes below it, each before its children; children in order of their fields."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending += reversed(children(node))


def count_kinds(root: Node) -> Counter[str]:
    """How many nodes of each class there are in the tree."""
    return Counter(type(node).__name__ for node in walk(root))


def difference(left: Node, right: Node) -> str | None:
    """Where two trees first differ in class, position or any field; None where they are equal.

    Example: "MethodCall at (3, 5): name: 'f' != 'g'".
    """
    pending: list[tuple[Node, Node]] = [(left, right)]
    while pending:
        a, b = pending.pop()
        if type(a) is not type(b):
            return f"{_place(a)}: {type(b).__name__} at {b.position}"
        for name in _all_fields(type(a)):
            x, y = getattr(a, name), getattr(b, name)
            if isinstance(x, Node) and isinstance(y, Node):
                pending.append((x, y))
            elif isinstance(x, list) and isinstance(y, list) and len(x) == len(y):
                for item_x, item_y in zip(x, y):
                    if isinstance(item_x, Node) and isinstance(item_y, Node):
                        pending.append((item_x, item_y))
                    elif item_x != item_y:
                        return f"{_place(a)}: {name}: {item_x!r} != {item_y!r}"
            elif x != y:
                return f"{_place(a)}: {name}: {_short(x)} != {_short(y)}"
    return None


def _place(node: Node) -> str:
    return f"{type(node).__name__} at {node.position}"


def _short(value: object) -> str:
    if isinstance(value, Node):
        return _place(value)
    if isinstance(value, list):
        return f"{len(value)} of {[_short(item) for item in value[:5]]}"
    return repr(value)


_ALL_FIELDS: dict[type[Node], tuple[str, ...]] = {}
_CHILD_FIELDS: dict[type[Node], tuple[str, ...]] = {}


def _all_fields(kind: type[Node]) -> tuple[str, ...]:
    found = _ALL_FIELDS.get(kind)
    if found is None:
        found = _ALL_FIELDS[kind] = tuple(field.name for field in fields(kind))
    return found


def _child_fields(kind: type[Node]) -> tuple[str, ...]:
    """Those fields that can hold nodes, by their annotations."""
    found = _CHILD_FIELDS.get(kind)
    if found is None:
        found = _CHILD_FIELDS[kind] = tuple(field.name for field in fields(kind) if _may_hold_nodes(str(field.type)))
    return found


def _may_hold_nodes(annotation: str) -> bool:
    plain = {"Position", "str", "bool", "int", "str | None", "list[str]", "tuple[str, ...]", "tuple[Position, ...]"}
    return annotation not in plain
