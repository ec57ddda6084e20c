"""Walks, comparison, a printer and a verifier for syntax trees; all but the printer work at any depth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields

from ladder.frontends.java.tree import (
    Annotation,
    ArrayType,
    ClassType,
    IntersectionType,
    Literal,
    Name,
    Node,
    PrimitiveType,
    Wildcard,
)


def children(node: Node) -> list[Node]:
    """Return the nodes directly below `node`, in the order of its fields (`walk` uses the same order)."""
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
    """Yield `root` and all nodes below it, each before its children; children come in the order of their fields."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending += reversed(children(node))


def count_kinds(root: Node) -> Counter[str]:
    """Return how many nodes of each class there are in the tree."""
    return Counter(type(node).__name__ for node in walk(root))


def difference(left: Node, right: Node) -> str | None:
    """Return where two trees first differ in class, position or any field; None if they are equal.

    Example: "MethodCall at (3, 5): name: 'f' != 'g'".
    """
    pending: list[tuple[Node, Node]] = [(left, right)]
    while pending:
        a, b = pending.pop()
        if type(a) is not type(b):
            return f"{_place(a)}: {type(b).__name__} at {b.position}"
        for name in all_fields(type(a)):
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


def all_fields(kind: type[Node]) -> tuple[str, ...]:
    """Return the names of a node class's fields, in their order."""
    found = _ALL_FIELDS.get(kind)
    if found is None:
        found = _ALL_FIELDS[kind] = tuple(field.name for field in fields(kind))
    return found


def dump(node: Node) -> str:
    """Return the tree on one line, without positions: `(Binary + a (MethodCall b.c f [1 (Cast int d)]))`.

    Types, names and literals are as in the source; fields that are empty, absent or false are left out.
    """
    if isinstance(node, Name):
        return ".".join(node.parts)
    if isinstance(node, Literal):
        return node.text
    if isinstance(node, (PrimitiveType, ClassType, ArrayType, IntersectionType, Wildcard)):
        return _type_text(node)
    shown = [type(node).__name__]
    for name in all_fields(type(node)):
        value = getattr(node, name)
        if name not in _POSITIONS and value not in (None, False, [], 0, ""):
            shown.append(name if value is True else _item_text(value))
    return f"({' '.join(shown)})"


def verify(root: Node) -> None:
    """Raise AssertionError if a node is not inside its parent, ends before it begins, or violates the normal form."""
    for node in walk(root):
        assert node.position <= node.end, f"{_place(node)} ends at {node.end}"
        for name in all_fields(type(node)):
            if name == "name_position":
                assert node.position <= getattr(node, name) <= node.end, f"{_place(node)}: name outside"
        for child in children(node):
            assert node.position <= child.position, f"{_place(child)} begins before {_place(node)}"
            assert child.end <= node.end, f"{_place(child)} ends after {_place(node)}"
        if isinstance(node, ArrayType):
            assert node.dimensions > 0 and not isinstance(node.element, ArrayType), f"{_place(node)}: dimensions"
        if isinstance(node, Name):
            assert len(node.parts) == len(node.positions) > 0, f"{_place(node)}: parts"
        if isinstance(node, IntersectionType):
            assert len(node.bounds) > 1, f"{_place(node)}: bounds"


def _item_text(value: object) -> str:
    if isinstance(value, Node):
        return dump(value)
    if isinstance(value, list):
        return f"[{' '.join(map(_item_text, value))}]"
    return str(value)


def _type_text(node: Node) -> str:
    if isinstance(node, PrimitiveType):
        return _annotated(node.annotations, node.name)
    if isinstance(node, ArrayType):
        suffix = "[]" * node.dimensions
        return dump(node.element) + (_annotated(node.annotations, suffix) if node.annotations else suffix)
    if isinstance(node, IntersectionType):
        return "&".join(map(dump, node.bounds))
    if isinstance(node, Wildcard):
        bound = f" {node.kind} {dump(node.bound)}" if node.bound else ""
        return _annotated(node.annotations, f"?{bound}")
    assert isinstance(node, ClassType)
    parts = []
    for part in node.parts:
        arguments = "" if part.arguments is None else f"<{','.join(map(dump, part.arguments))}>"
        parts.append(_annotated(part.annotations, part.name + arguments))
    return ".".join(parts)


def _annotated(annotations: list[Annotation], text: str) -> str:
    return "".join(f"@{annotation.name} " for annotation in annotations) + text


def _place(node: Node) -> str:
    return f"{type(node).__name__} at {node.position}"


def _short(value: object) -> str:
    if isinstance(value, Node):
        return _place(value)
    if isinstance(value, list):
        return f"{len(value)} of {[_short(item) for item in value[:5]]}"
    return repr(value)


_POSITIONS = frozenset(["position", "end", "name_position", "positions"])
_ALL_FIELDS: dict[type[Node], tuple[str, ...]] = {}
_CHILD_FIELDS: dict[type[Node], tuple[str, ...]] = {}


def _child_fields(kind: type[Node]) -> tuple[str, ...]:
    """Return the fields that can hold nodes, as their annotations say."""
    found = _CHILD_FIELDS.get(kind)
    if found is None:
        found = _CHILD_FIELDS[kind] = tuple(field.name for field in fields(kind) if _may_hold_nodes(str(field.type)))
    return found


def _may_hold_nodes(annotation: str) -> bool:
    plain = {"Position", "str", "bool", "int", "str | None", "list[str]", "tuple[str, ...]", "tuple[Position, ...]"}
    return annotation not in plain
