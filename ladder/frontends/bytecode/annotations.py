"""The annotations that a class file keeps → those of the three-address form, as if they were written.

What annotations are written as is not known: their ids have the last part of their type's name, and constants of enums
that of the enum before them. Values that an annotation takes from its declaration are not among its elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ladder.frontends.bytecode.builder import Uses
from ladder.frontends.bytecode.classfile import Annotation, Element, MethodInfo
from ladder.frontends.bytecode.descriptors import PRIMITIVES
from ladder.frontends.java import ir, names
from ladder.frontends.java.limits import Budget

ALONE = -1  # the index of a value that stands in no array


class Annotations:
    """The annotations of one file, as they are added."""

    def __init__(self, uses: Uses, budget: Budget) -> None:
        self.uses, self.budget = uses, budget
        self.rows: list[ir.Annotation] = []
        self.defaults: list[tuple[str, ir.AnnotationElement]] = []

    def add(self, declaration: str, found: Iterable[Annotation]) -> None:
        """Add the annotations of a declaration."""
        seen: dict[str, int] = {}
        for annotation in found:
            self._add(_id(declaration, annotation, seen), declaration, annotation)

    def add_parameters(self, method: MethodInfo, parameters: Sequence[str]) -> None:
        """Add those of the parameters, which are variables. What the compiler adds before them has no entries."""
        added = len(parameters) - method.annotated_parameters
        for index, found in method.parameter_annotations.items():
            if 0 <= index + added < len(parameters):
                self.add(parameters[index + added], found)

    def add_default(self, type: str, method: MethodInfo) -> None:
        """Add the value of an element that the annotation type declares; annotations in it are left out."""
        for index, each in () if method.default is None else _values(method.default):
            kind, text = ("expression", "") if isinstance(each.value, Annotation) else self._value(each)
            self.budget.spend(1, len(type) + len(text))
            self.defaults.append((type, ir.AnnotationElement(method.name, index, kind, text)))

    def _add(self, id: str, declaration: str, annotation: Annotation) -> None:
        nested: list[tuple[str, Annotation]] = []
        elements = []
        inner: dict[str, int] = {}
        for name, value in annotation.elements:
            for index, each in _values(value):
                if isinstance(each.value, Annotation):
                    kind, text = "annotation", _id(id, each.value, inner)
                    nested.append((text, each.value))
                else:
                    kind, text = self._value(each)
                elements.append(ir.AnnotationElement(name, index, kind, text))
                self.budget.spend(1, len(id) + len(name) + len(text))
        self.budget.spend(1, len(id))
        self.rows.append(ir.Annotation(id, declaration, self.uses.of(annotation.type), tuple(elements)))
        for inner_id, each_annotation in nested:
            self._add(inner_id, id, each_annotation)

    def _value(self, element: Element) -> tuple[str, str]:
        """Return kind and value as the relation `AnnotationElement` has them."""
        value = element.value
        if element.kind == "s":
            return "java.lang.String", names.string_id(str(value))
        if element.kind == "c":
            return "class", self.uses.of(str(value))
        if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str):
            return "name", f"{_simple(value[0])}.{value[1]}"
        return PRIMITIVES[element.kind], str(value)


def _values(element: Element) -> Iterator[tuple[int, Element]]:
    """Yield (index, value): the values of an array, or the only one; arrays in arrays are no Java."""
    if element.kind == "[" and isinstance(element.value, tuple):
        for index, inner in enumerate(element.value):
            if isinstance(inner, Element) and inner.kind != "[":
                yield index, inner
    else:
        yield ALONE, element


def _id(declaration: str, annotation: Annotation, seen: dict[str, int]) -> str:
    name = _simple(annotation.type)
    number = seen[name] = seen.get(name, 0) + 1
    return names.annotation_id(declaration, name, number)


def _simple(type: str) -> str:
    """The last part of a type's name."""
    return type.rpartition(".")[2].rpartition("$")[2] or type
