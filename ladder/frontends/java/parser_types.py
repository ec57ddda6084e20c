"""Token access, scanning ahead, annotations and types: the ground of the Java parser's productions.

Whether a token begins a type, a cast or a lambda is decided by scanning tokens ahead, never by parsing twice: the
`skip_…` methods take a token's index and give the index after what they name, or -1 where it does not stand there.
"""

from __future__ import annotations

from typing import NoReturn

import javalang.parser
from javalang.parser import JavaSyntaxError
from javalang.tokenizer import BasicType, EndOfInput, Identifier, JavaToken

from ladder.frontends.java.lexer import Tokens
from ladder.frontends.java.tree import (
    Annotation,
    AnnotationArray,
    AnnotationElement,
    ArrayType,
    ClassType,
    ElementValue,
    Expression,
    Position,
    PrimitiveType,
    Type,
    TypeArgument,
    TypeParameter,
    TypePart,
    Wildcard,
)


class TypeParser(javalang.parser.Parser):  # type: ignore[misc]
    """javalang's parser on our tokens: `i` is the index of the next one."""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(())
        self.kinds = tokens.kinds
        self.values = tokens.values
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.i = 0

    def illegal(self, description: str, at: Position | None = None) -> NoReturn:
        """Raise JavaSyntaxError at the next token or the given position."""
        found = self.values[self.i] or "end of file"
        raise JavaSyntaxError(f"{description}, found {found}", at or self.starts[self.i])

    def accept(self, value: str) -> None:
        """Take the next token, which must have this value."""
        if self.values[self.i] != value:
            self.illegal(f"Expected {value}")
        self.i += 1

    def try_accept(self, value: str) -> bool:
        """Take the next token if it has this value."""
        if self.values[self.i] == value:
            self.i += 1
            return True
        return False

    def would_accept(self, *accepts: str | type[JavaToken]) -> bool:
        """Whether the next tokens have these values or kinds."""
        for i, accept in enumerate(accepts, self.i):
            if isinstance(accept, str):
                if self.values[i] != accept:
                    return False
            elif not issubclass(self.kinds[i], accept) or self.kinds[i] is EndOfInput:
                return False
        return True

    def last_end(self) -> Position:
        """The end of the token taken last."""
        return self.ends[self.i - 1]

    # Names

    def parse_identifier(self) -> str:
        if self.kinds[self.i] is not Identifier:
            self.illegal("Expected a name")
        self.i += 1
        return self.values[self.i - 1]

    def parse_qualified_identifier(self) -> str:
        parts = [self.parse_identifier()]
        while self.values[self.i] == "." and self.kinds[self.i + 1] is Identifier:
            self.i += 1
            parts.append(self.parse_identifier())
        return ".".join(parts)

    # Scanning ahead

    def skip_annotations(self, i: int) -> int:
        """After the annotations at `i`, of which there may be none; `@interface` is not one."""
        values = self.values
        while values[i] == "@":
            if self.kinds[i + 1] is not Identifier:
                return i if values[i + 1] == "interface" else -1
            i += 2
            while values[i] == "." and self.kinds[i + 1] is Identifier:
                i += 2
            if values[i] == "(":
                i = self.skip_parentheses(i)
        return i

    def skip_parentheses(self, i: int) -> int:
        """After the parenthesis that closes the one at `i`."""
        depth = 0
        values = self.values
        while i < len(values):
            value = values[i]
            i += 1
            if value == "(":
                depth += 1
            elif value == ")":
                depth -= 1
                if not depth:
                    return i
        return -1

    def skip_type(self, i: int) -> int:
        """After the type at `i`, dimensions included."""
        values, kinds = self.values, self.kinds
        if values[i] == "@":
            i = self.skip_annotations(i)
        if kinds[i] is Identifier:
            i += 1
            while True:
                if values[i] == "<":
                    i = self.skip_type_arguments(i)
                    if i < 0:
                        return -1
                if values[i] != ".":
                    break
                i += 1
                if values[i] == "@":
                    i = self.skip_annotations(i)
                if kinds[i] is not Identifier:
                    return -1
                i += 1
        elif kinds[i] is BasicType:
            i += 1
        else:
            return -1
        return self.skip_dimensions(i)

    def skip_dimensions(self, i: int) -> int:
        """After `[]…` at `i`, of which there may be none."""
        values = self.values
        while True:
            after = self.skip_annotations(i) if values[i] == "@" else i
            if after < 0 or values[after] != "[" or values[after + 1] != "]":
                return i
            i = after + 2

    def skip_type_arguments(self, i: int) -> int:
        """After the `>` that closes the `<` at `i`."""
        values, kinds = self.values, self.kinds
        depth = 0
        while True:
            value = values[i]
            if value == "<":
                depth += 1
            elif value == ">":
                depth -= 1
                if not depth:
                    return i + 1
            elif value == "@":
                i = self.skip_annotations(i)
                if i < 0:
                    return -1
                continue
            elif kinds[i] is not Identifier and kinds[i] is not BasicType and value not in _IN_TYPE_ARGUMENTS:
                return -1
            i += 1

    # Annotations

    def parse_annotations(self) -> list[Annotation]:
        annotations = []
        while self.values[self.i] == "@" and self.values[self.i + 1] != "interface":
            annotations.append(self.parse_annotation())
        return annotations

    def parse_annotation(self) -> Annotation:
        start = self.starts[self.i]
        self.accept("@")
        name = self.parse_qualified_identifier()
        elements: list[AnnotationElement] = []
        if self.try_accept("("):
            if self.values[self.i] != ")":
                elements = self.parse_annotation_elements()
            self.accept(")")
        return Annotation(start, self.last_end(), name, elements)

    def parse_annotation_elements(self) -> list[AnnotationElement]:
        elements = []
        if not self.would_accept(Identifier, "="):
            start = self.starts[self.i]
            value = self.parse_element_value()
            return [AnnotationElement(start, self.last_end(), "value", value)]
        while True:
            start = self.starts[self.i]
            name = self.parse_identifier()
            self.accept("=")
            value = self.parse_element_value()
            elements.append(AnnotationElement(start, self.last_end(), name, value))
            if not self.try_accept(","):
                return elements

    def parse_element_value(self) -> ElementValue:
        if self.values[self.i] == "@":
            return self.parse_annotation()
        if self.values[self.i] != "{":
            return self.parse_conditional()
        start = self.starts[self.i]
        self.i += 1
        values = []
        while self.values[self.i] != "}":
            if self.values[self.i] == "," and self.values[self.i + 1] == "}":
                self.i += 1
                break
            values.append(self.parse_element_value())
            if self.values[self.i] != "}":
                self.accept(",")
        self.accept("}")
        return AnnotationArray(start, self.last_end(), values)

    def parse_conditional(self) -> Expression:
        raise NotImplementedError

    # Types

    def parse_type(self) -> Type:
        """A type with its dimensions."""
        element = self.parse_element_type()
        if self.values[self.i] == "[" or self.values[self.i] == "@":
            return self.parse_dimensions(element)
        return element

    def parse_element_type(self) -> ClassType | PrimitiveType:
        """A primitive or class type without the dimensions that may follow."""
        i = self.i
        kind = self.kinds[i]
        if kind is Identifier:
            return self.parse_class_type()
        if kind is BasicType:
            self.i = i + 1
            return PrimitiveType(self.starts[i], self.ends[i], self.values[i], [])
        if self.values[i] == "@":
            annotations = self.parse_annotations()
            if self.kinds[self.i] is Identifier:
                return self.parse_class_type(self.starts[i], annotations)
            if self.kinds[self.i] is BasicType or self.values[self.i] == "void":
                self.i += 1
                return PrimitiveType(self.starts[i], self.last_end(), self.values[self.i - 1], annotations)
        self.illegal("Expected a type")

    def parse_return_type(self) -> Type:
        after = self.skip_annotations(self.i)
        if self.values[after] == "void":
            start, annotations = self.starts[self.i], self.parse_annotations()
            self.i += 1
            return PrimitiveType(start, self.last_end(), "void", annotations)
        return self.parse_type()

    def parse_class_type(self, start: Position | None = None, annotations: list[Annotation] | None = None) -> ClassType:
        """A class type; the annotations before it, and where they begin, may have been read already."""
        values = self.values
        part_start = start = start or self.starts[self.i]
        annotations = annotations or []
        parts = []
        while True:
            name = self.parse_identifier()
            arguments = self.parse_type_arguments() if values[self.i] == "<" else None
            parts.append(TypePart(part_start, self.ends[self.i - 1], name, arguments, annotations))
            if values[self.i] != "." or (self.kinds[self.i + 1] is not Identifier and values[self.i + 1] != "@"):
                return ClassType(start, self.ends[self.i - 1], parts)
            self.i += 1
            part_start = self.starts[self.i]
            annotations = self.parse_annotations() if values[self.i] == "@" else []

    def parse_dimensions(self, element: Type) -> Type:
        """`element` with the dimensions that follow, if any."""
        dimensions = 0
        annotations: list[Annotation] = []
        while self.skip_dimensions(self.i) != self.i:
            annotations += self.parse_annotations()
            self.i += 2
            dimensions += 1
        if not dimensions:
            return element
        return ArrayType(element.position, self.last_end(), element, dimensions, annotations)

    def parse_dimensions_after_name(self) -> tuple[int, list[Annotation]]:
        """The `[]…` after a declared name: how many, and their annotations."""
        dimensions = 0
        annotations: list[Annotation] = []
        while self.values[self.i] == "[" or (self.values[self.i] == "@" and self.skip_dimensions(self.i) != self.i):
            annotations += self.parse_annotations()
            self.accept("[")
            self.accept("]")
            dimensions += 1
        return dimensions, annotations

    def parse_type_list(self, separator: str = ",") -> list[Type]:
        types = [self.parse_type()]
        while self.try_accept(separator):
            types.append(self.parse_type())
        return types

    def parse_type_arguments(self) -> list[TypeArgument]:
        """`<…>`; the diamond gives an empty list."""
        self.accept("<")
        arguments: list[TypeArgument] = []
        if self.try_accept(">"):
            return arguments
        while True:
            arguments.append(self.parse_type_argument())
            if not self.try_accept(","):
                break
        self.accept(">")
        return arguments

    def parse_type_argument(self) -> TypeArgument:
        i = self.i
        after = self.skip_annotations(i) if self.values[i] == "@" else i
        if self.values[after] != "?":
            return self.parse_type()
        annotations = self.parse_annotations()
        self.accept("?")
        if self.values[self.i] in ("extends", "super"):
            kind = self.values[self.i]
            self.i += 1
            bound = self.parse_type()
            return Wildcard(self.starts[i], bound.end, kind, bound, annotations)
        return Wildcard(self.starts[i], self.last_end(), "", None, annotations)

    def parse_type_parameters(self) -> list[TypeParameter]:
        """`<…>` of a declaration, or nothing."""
        parameters: list[TypeParameter] = []
        if not self.try_accept("<"):
            return parameters
        while True:
            start = self.starts[self.i]
            annotations = self.parse_annotations()
            name = self.parse_identifier()
            bounds = self.parse_type_list("&") if self.try_accept("extends") else []
            parameters.append(TypeParameter(start, self.last_end(), annotations, name, bounds))
            if not self.try_accept(","):
                break
        self.accept(">")
        return parameters


_IN_TYPE_ARGUMENTS = frozenset([",", ".", "?", "[", "]", "&", "extends", "super"])
