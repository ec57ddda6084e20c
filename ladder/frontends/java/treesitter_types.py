"""tree-sitter's concrete syntax → our nodes: positions, annotations and types."""

from __future__ import annotations

from array import array
from itertools import accumulate
from typing import NoReturn

import tree_sitter
from javalang.parser import JavaSyntaxError

from ladder.frontends.java.lexer import SourceText
from ladder.frontends.java.limits import BODIES, DIMENSIONS, LINKS, LOOK_EVERY, NESTING, Budget, LimitReached
from ladder.frontends.java.tree import (
    Annotation,
    AnnotationArray,
    AnnotationElement,
    ClassType,
    ElementValue,
    Expression,
    InferredType,
    Position,
    PrimitiveType,
    Type,
    TypeArgument,
    TypeParameter,
    TypePart,
    Wildcard,
    with_dimensions,
)

Syntax = tree_sitter.Node
"""A node of tree-sitter's tree."""


class TypeConverter:
    """The converter of types and annotations of one source text, which tree-sitter parsed as `encoded`."""

    def __init__(self, source: SourceText, encoded: bytes, budget: Budget) -> None:
        self.source = source
        self.budget = budget
        self.depth = self.bodies = self.steps = 0
        self._characters: array[int] | None = None
        if len(encoded) != len(source.text):
            self._characters = array("q", accumulate(((byte & 0xC0) != 0x80 for byte in encoded), initial=0))

    # Positions and text

    def offset(self, byte: int) -> int:
        """Return the offset in the translated text, in characters, of a byte of the parsed text."""
        return byte if self._characters is None else self._characters[byte]

    def start(self, syntax: Syntax) -> Position:
        return self.source.position(self.offset(syntax.start_byte))

    def end(self, syntax: Syntax) -> Position:
        return self.source.position(self.offset(syntax.end_byte))

    def span(self, syntax: Syntax) -> tuple[Position, Position]:
        return self.start(syntax), self.end(syntax)

    def text(self, syntax: Syntax) -> str:
        return self.source.text[self.offset(syntax.start_byte) : self.offset(syntax.end_byte)]

    def unsupported(self, syntax: Syntax) -> NoReturn:
        raise JavaSyntaxError(f"Unsupported syntax: {syntax.type}", self.start(syntax))

    def nest(self, syntax: Syntax) -> None:
        """Enter a level of nesting, `syntax`; the caller decreases `depth` when it leaves it. Raise LimitReached if it
        is too deep."""
        self.depth += 1
        if self.depth > LINKS:
            raise LimitReached(f"Nested more than {LINKS:,} levels deep", self.start(syntax))
        self.steps += 1
        if self.steps % LOOK_EVERY == 0:
            self.budget.check_time()

    def enter_body(self, syntax: Syntax) -> None:
        """Enter the body of a type or lambda; raise LimitReached if too many are nested."""
        self.bodies += 1
        if self.bodies > BODIES:
            raise LimitReached(f"More than {BODIES} types and lambdas inside one another", self.start(syntax))

    def kids(self, syntax: Syntax) -> list[Syntax]:
        """Return the children without comments."""
        return [child for child in syntax.children if not child.is_extra]

    def named(self, syntax: Syntax) -> list[Syntax]:
        """Return the named children without comments."""
        return [child for child in syntax.named_children if not child.is_extra]

    def field(self, syntax: Syntax, name: str) -> Syntax:
        child = syntax.child_by_field_name(name)
        if child is None:
            self.unsupported(syntax)
        return child

    def find(self, syntax: Syntax, kind: str) -> Syntax | None:
        """Return the first child of this kind."""
        for child in syntax.children:
            if child.type == kind:
                return child
        return None

    def dotted(self, syntax: Syntax) -> str:
        """Return the text of a scoped identifier without blanks and comments."""
        parts = []
        while syntax.type == "scoped_identifier":
            parts.append(self.text(self.field(syntax, "name")))
            syntax = self.field(syntax, "scope")
        self.check_parts(len(parts) + 1, syntax)
        return ".".join([self.text(syntax), *reversed(parts)])

    def check_parts(self, parts: int, syntax: Syntax) -> None:
        """Refuse a dotted name of too many parts."""
        if parts > NESTING:
            raise LimitReached(f"A name of more than {NESTING:,} parts", self.start(syntax))

    # Modifiers and annotations

    def modifiers(self, syntax: Syntax) -> tuple[list[str], list[Annotation]]:
        """Return the modifiers among the children of a declaration: words and annotations."""
        modifiers = self.find(syntax, "modifiers")
        if modifiers is None:
            return [], []
        words = [child.type for child in self.kids(modifiers) if child.type not in ANNOTATIONS]
        return words, self.annotations(modifiers)

    def annotations(self, syntax: Syntax) -> list[Annotation]:
        """Convert the annotations among the children."""
        return [self.annotation(child) for child in syntax.children if child.type in ANNOTATIONS]

    def annotation(self, syntax: Syntax) -> Annotation:
        name_syntax = self.field(syntax, "name")
        if self.text(name_syntax) == "interface":  # `@ interface`, which tree-sitter does not know
            self.unsupported(syntax)
        elements = []
        arguments = syntax.child_by_field_name("arguments")
        for child in self.named(arguments) if arguments else []:
            if child.type == "element_value_pair":
                name, value = self.text(self.field(child, "key")), self.element_value(self.field(child, "value"))
            else:
                name, value = "value", self.element_value(child)
            elements.append(AnnotationElement(*self.span(child), name, value))
        return Annotation(*self.span(syntax), self.dotted(name_syntax), elements)

    def element_value(self, syntax: Syntax) -> ElementValue:
        self.nest(syntax)
        value: ElementValue
        if syntax.type in ANNOTATIONS:
            value = self.annotation(syntax)
        elif syntax.type == "element_value_array_initializer":
            value = AnnotationArray(*self.span(syntax), [self.element_value(child) for child in self.named(syntax)])
        else:
            value = self.expression(syntax)
        self.depth -= 1
        return value

    def expression(self, syntax: Syntax) -> Expression:
        raise NotImplementedError

    # Types

    def is_type(self, syntax: Syntax) -> bool:
        return syntax.type in _TYPES

    def type_child(self, syntax: Syntax) -> Type:
        """Convert the one type among the children."""
        for child in syntax.children:
            if child.type in _TYPES:
                return self.type(child)
        self.unsupported(syntax)

    def type(self, syntax: Syntax, annotations: list[Annotation] | None = None) -> Type:
        """Convert a type; `annotations` are those before it, outside the syntax node."""
        self.nest(syntax)
        type = self.type_inside(syntax, annotations)
        self.depth -= 1
        return type

    def type_inside(self, syntax: Syntax, annotations: list[Annotation] | None) -> Type:
        kind = syntax.type
        start = annotations[0].position if annotations else self.start(syntax)
        annotations = annotations or []
        if kind in _PRIMITIVE:
            return PrimitiveType(start, self.end(syntax), self.text(syntax), annotations)
        if kind == "array_type":
            element = self.type(self.field(syntax, "element"), annotations)
            dimensions, dimension_annotations = self.dimensions(syntax)
            array = with_dimensions(element, dimensions, dimension_annotations)
            array.end = self.end(syntax)
            return array
        if kind == "annotated_type":
            own = self.annotations(syntax)
            return self.type(self.kids(syntax)[-1], annotations + own)
        parts = self.type_parts(syntax)
        self.check_parts(len(parts), syntax)
        if annotations:
            parts[0].annotations = annotations
            parts[0].position = start
        return ClassType(start, self.end(syntax), parts)

    def type_parts(self, syntax: Syntax) -> list[TypePart]:
        kind = syntax.type
        if kind in ("type_identifier", "identifier"):
            return [TypePart(*self.span(syntax), self.text(syntax), None, [])]
        if kind == "generic_type":
            base, arguments = self.named(syntax)
            parts = self.type_parts(base)
            parts[-1].arguments = self.type_arguments(arguments)
            parts[-1].end = self.end(arguments)
            return parts
        if kind == "scoped_type_identifier":
            scope, *_, last = self.named(syntax)
            parts = self.type_parts(scope)
            annotations = self.annotations(syntax)
            start = annotations[0].position if annotations else self.start(last)
            parts.append(TypePart(start, self.end(last), self.text(last), None, annotations))
            return parts
        self.unsupported(syntax)

    def dimensions(self, syntax: Syntax) -> tuple[int, list[Annotation]]:
        """Return the number of `[]` in the field `dimensions` of a node, and their annotations."""
        dimensions = syntax.child_by_field_name("dimensions")
        if dimensions is None:
            return 0, []
        brackets = sum(child.type == "[" for child in dimensions.children)
        self.check_dimensions(brackets, dimensions)
        return brackets, self.annotations(dimensions)

    def check_dimensions(self, dimensions: int, syntax: Syntax) -> None:
        """Refuse an array type of too many dimensions."""
        if dimensions > DIMENSIONS:
            raise LimitReached(f"An array type of more than {DIMENSIONS} dimensions", self.start(syntax))

    def type_arguments(self, syntax: Syntax | None) -> list[TypeArgument]:
        if syntax is None:
            return []
        return [self.wildcard(child) if child.type == "wildcard" else self.type(child) for child in self.named(syntax)]

    def wildcard(self, syntax: Syntax) -> Wildcard:
        kind, bound = "", None
        for child in syntax.children:
            if child.type in ("extends", "super"):
                kind = child.type
            elif child.type in _TYPES:
                bound = self.type(child)
        return Wildcard(*self.span(syntax), kind, bound, self.annotations(syntax))

    def type_parameters(self, syntax: Syntax) -> list[TypeParameter]:
        """Convert the type parameters of a declaration."""
        parameters = self.find(syntax, "type_parameters")
        return [self.type_parameter(child) for child in self.named(parameters)] if parameters else []

    def type_parameter(self, syntax: Syntax) -> TypeParameter:
        bound = self.find(syntax, "type_bound")
        bounds = [self.type(child) for child in self.named(bound)] if bound else []
        name = self.find(syntax, "type_identifier") or self.find(syntax, "identifier")
        if name is None:
            self.unsupported(syntax)
        return TypeParameter(*self.span(syntax), self.annotations(syntax), self.text(name), bounds)

    def infer(self, type: Type) -> Type:
        """Return `type`, or an InferredType if it is a plain `var`."""
        if isinstance(type, ClassType) and len(type.parts) == 1:
            part = type.parts[0]
            if part.name == "var" and part.arguments is None and not part.annotations:
                return InferredType(type.position, type.end)
        return type


ANNOTATIONS = frozenset(["marker_annotation", "annotation"])
_PRIMITIVE = frozenset(["void_type", "integral_type", "floating_point_type", "boolean_type"])
_TYPES = _PRIMITIVE | {"type_identifier", "scoped_type_identifier", "generic_type", "array_type", "annotated_type"}
