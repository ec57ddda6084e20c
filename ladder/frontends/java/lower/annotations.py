"""Lowering of annotations, on types, fields, methods and parameters, with the values that are written in them."""

from __future__ import annotations

from collections.abc import Iterator

from ladder.frontends.java import ir, names, tree
from ladder.frontends.java.lower.context import FileContext
from ladder.frontends.java.lower.expressions import constant_value
from ladder.frontends.java.lower.uses import STRING

ALONE = -1  # the index of a value that stands in no array


def annotate(file: FileContext, declaration: str, scope: str, written: list[tree.Annotation]) -> None:
    """Add the annotations of a declaration, whose types are looked up in `scope`, to those of the file."""
    if not written:
        return
    seen: dict[str, int] = {}
    for node in written:
        number = seen[node.name] = seen.get(node.name, 0) + 1
        _annotation(file, names.annotation_id(declaration, node.name, number), declaration, scope, node)


def declare_default(file: FileContext, type_: str, scope: str, name: str, written: tree.ElementValue | None) -> None:
    """Add the default of an element that an annotation type declares; annotations in it are left out."""
    if written is None:
        return
    for index, value in _values(written):
        kind, text = ("expression", "") if isinstance(value, tree.Annotation) else _value(file, scope, value)
        file.budget.spend(1, len(type_) + len(text))
        file.defaults.append((type_, ir.AnnotationElement(name, index, kind, text)))


def _annotation(file: FileContext, id: str, declaration: str, scope: str, node: tree.Annotation) -> None:
    """Add an annotation, then those in its elements."""
    file.budget.at = node.position
    use = file.uses.named(scope, tuple(node.name.split(".")), node.position)
    inner: dict[str, int] = {}
    nested: list[tuple[str, tree.Annotation]] = []
    elements = []
    for element in node.elements:
        for index, value in _values(element.value):
            if isinstance(value, tree.Annotation):
                number = inner[value.name] = inner.get(value.name, 0) + 1
                kind, text = "annotation", names.annotation_id(id, value.name, number)
                nested.append((text, value))
            else:
                kind, text = _value(file, scope, value)
            elements.append(ir.AnnotationElement(element.name, index, kind, text))
            file.budget.spend(1, len(id) + len(text))
    file.budget.spend(1, len(id))
    file.annotations.append(ir.Annotation(id, declaration, use, tuple(elements)))
    for inner_id, value in nested:
        _annotation(file, inner_id, id, scope, value)


def _values(value: tree.ElementValue) -> Iterator[tuple[int, tree.Expression | tree.Annotation]]:
    """Yield (index, value): the values of an array, or the only one."""
    if isinstance(value, tree.AnnotationArray):
        for index, inner in enumerate(value.values):
            if not isinstance(inner, tree.AnnotationArray):  # arrays in arrays are no Java
                yield index, inner
    else:
        yield ALONE, value


def _value(file: FileContext, scope: str, node: tree.Expression) -> tuple[str, str]:
    """Return (kind, value) of an expression as the relation `AnnotationElement` has them."""
    if isinstance(node, tree.Literal) and node.kind in ("string", "text"):
        return STRING, names.string_id(str(node.value))
    if isinstance(node, tree.ClassLiteral):
        return "class", file.uses.use(scope, node.type)
    if isinstance(node, tree.Name):
        return "name", ".".join(node.parts)
    constant = constant_value(node)
    return ("expression", "") if constant is None else (constant.type, constant.value)
