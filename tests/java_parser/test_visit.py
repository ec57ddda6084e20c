"""Walking, comparing and verifying trees."""

from __future__ import annotations

import inspect
import typing

import pytest

from ladder.frontends.java import tree
from ladder.frontends.java.visit import all_fields, children, count_kinds, difference, verify, walk
from tests.java_parser.reading import unit

SOURCE = "class C { @A(b = {1}) int x[] = f(y, z.w); }"


def test_walk_is_in_order_and_complete() -> None:
    assert [type(node).__name__ for node in walk(unit(SOURCE))] == [
        "CompilationUnit", "ClassDeclaration", "FieldDeclaration", "Annotation", "AnnotationElement", "AnnotationArray",
        "Literal", "PrimitiveType", "VariableDeclarator", "MethodCall", "Name", "Name",
    ]  # fmt: skip
    assert count_kinds(unit(SOURCE))["Name"] == 2


def test_children_are_found_in_every_field_that_holds_nodes() -> None:
    kinds = [kind for _, kind in inspect.getmembers(tree, inspect.isclass) if issubclass(kind, tree.Node)]
    assert len(kinds) > 80
    child = tree.Empty((1, 1), (1, 2))
    for kind in kinds:
        empty = dict.fromkeys(all_fields(kind))
        for name, hint in typing.get_type_hints(kind).items():
            for value in (child, [child]):
                node = kind(**{**empty, name: value})
                assert children(node) == ([child] if holds_nodes(hint) else []), (kind, name)


def holds_nodes(hint: object) -> bool:
    """Whether a field of this type can hold nodes."""
    if isinstance(hint, type) and not typing.get_args(hint):
        return issubclass(hint, tree.Node)
    return any(holds_nodes(inner) for inner in typing.get_args(hint))


def test_difference_names_the_place() -> None:
    assert difference(unit(SOURCE), unit(SOURCE)) is None
    assert difference(unit(SOURCE), unit(SOURCE.replace("w", "v"))) == (
        "Name at (1, 38): parts: ('z', 'w') != ('z', 'v')"
    )
    assert difference(unit(SOURCE), unit(SOURCE.replace(", z.w", ""))) is not None
    assert difference(unit(SOURCE), unit(SOURCE.replace("z.w", "g()"))) == "Name at (1, 38): MethodCall at (1, 38)"
    assert difference(unit(SOURCE), unit(SOURCE + " ")) is None
    assert difference(unit(SOURCE), unit(" " + SOURCE)) == "CompilationUnit at (1, 1): position: (1, 1) != (1, 2)"


def test_verify_finds_a_node_outside_its_parent() -> None:
    root = unit(SOURCE)
    verify(root)
    call = next(node for node in walk(root) if isinstance(node, tree.MethodCall))
    call.end = call.position
    with pytest.raises(AssertionError, match="Name at .* ends after MethodCall"):
        verify(root)
