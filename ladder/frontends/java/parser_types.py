"""Token access, looking ahead, annotations and types: the base of the Java parser's productions.

Whether a token begins a type, a cast or a lambda is decided by looking at the tokens ahead, never by parsing twice: the
`skip_…` methods take the index of a token and return the index after what they are named after, or -1 if that does not
stand there. What they learn of brackets is kept, so that a token within nested brackets is not looked at once for each
of them.

Productions that can nest in themselves call `nest`, and decrease `depth` again at their end; not so if they fail, since
nothing is parsed a second time.
"""

from __future__ import annotations

from typing import NoReturn

import javalang.parser
from javalang.parser import JavaSyntaxError
from javalang.tokenizer import BasicType, EndOfInput, Identifier, JavaToken

from ladder.frontends.java.lexer import Tokens, shortened
from ladder.frontends.java.limits import DIMENSIONS, LOOK_EVERY, NESTING, Budget, LimitReached
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
    """javalang's parser on our tokens; `i` is the index of the next one."""

    def __init__(self, tokens: Tokens, budget: Budget | None = None) -> None:
        super().__init__(())
        self.budget = budget or Budget()
        self.kinds = tokens.kinds
        self.values = tokens.values
        self.starts = tokens.starts
        self.ends = tokens.ends
        self.i = 0
        self.depth = 0
        self.look_at = LOOK_EVERY
        self._after_arguments: dict[int, int] = {}
        self._closing: dict[int, int] | None = None

    def illegal(self, description: str, at: Position | None = None) -> NoReturn:
        """Raise JavaSyntaxError at the next token or at the given position."""
        found = shortened(self.values[self.i]) or "end of file"
        raise JavaSyntaxError(f"{description}, found {found}", at or self.starts[self.i])

    def nest(self) -> None:
        """Enter a level of nesting; raise LimitReached if that is too deep."""
        self.depth += 1
        if self.i > self.look_at:
            self.look_at = self.i + LOOK_EVERY
            self.budget.at = self.starts[self.i]
            self.budget.check_time()
        if self.depth > NESTING:
            self.refuse(f"Nested more than {NESTING:,} levels deep")

    def refuse(self, description: str) -> NoReturn:
        """Raise LimitReached at the next token."""
        raise LimitReached(description, self.starts[self.i])

    def accept(self, value: str) -> None:
        """Take the next token, which must have this value."""
        if self.values[self.i] != value:
            self.illegal(f"Expected {value}")
        self.i += 1

    def try_accept(self, value: str) -> bool:
        """Take the next token if it has this value; return whether it does."""
        if self.values[self.i] == value:
            self.i += 1
            return True
        return False

    def would_accept(self, *accepts: str | type[JavaToken]) -> bool:
        """Return whether the next tokens have these values or kinds."""
        for i, accept in enumerate(accepts, self.i):
            if isinstance(accept, str):
                if self.values[i] != accept:
                    return False
            elif not issubclass(self.kinds[i], accept) or self.kinds[i] is EndOfInput:
                return False
        return True

    def last_end(self) -> Position:
        """Return the end of the token that was taken last."""
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
            self.check_parts(len(parts))
        return ".".join(parts)

    def check_parts(self, parts: int) -> None:
        """Refuse a dotted name of too many parts, since each part is nested in those before it."""
        if parts > NESTING:
            self.refuse(f"A name of more than {NESTING:,} parts")

    # Scanning ahead

    def skip_annotations(self, i: int) -> int:
        """Return the index after the annotations at `i`, of which there may be none; `@interface` is not one."""
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
        """Return the index after the parenthesis that closes the one at `i`."""
        return self.closing.get(i, -2) + 1

    @property
    def closing(self) -> dict[int, int]:
        """The index of each `(` that is closed → the index of its `)`."""
        if self._closing is None:
            self._closing = {}
            opened: list[int] = []
            for i, value in enumerate(self.values):
                if value == "(":
                    opened.append(i)
                elif value == ")" and opened:
                    self._closing[opened.pop()] = i
        return self._closing

    def skip_type(self, i: int) -> int:
        """Return the index after the type at `i`, dimensions included."""
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
        """Return the index after the `[]…` at `i`, of which there may be none."""
        values = self.values
        while True:
            after = self.skip_annotations(i) if values[i] == "@" else i
            if after < 0 or values[after] != "[" or values[after + 1] != "]":
                return i
            i = after + 2

    def skip_type_arguments(self, i: int) -> int:
        """Return the index after the `>` that closes the `<` at `i`; the same is kept for each `<` between them."""
        known = self._after_arguments
        if i not in known:
            opened: list[int] = []
            self._scan_type_arguments(i, opened)
            for unclosed in opened:
                known[unclosed] = -1
        return known[i]

    def _scan_type_arguments(self, i: int, opened: list[int]) -> None:
        """Note which `>` closes the `<` at `i` and those after it; those that none closes are left in `opened`."""
        values, kinds = self.values, self.kinds
        while True:
            value = values[i]
            if value == "<":
                opened.append(i)
            elif value == ">":
                self._after_arguments[opened.pop()] = i + 1
                if not opened:
                    return
            elif value == "@":
                i = self.skip_annotations(i)
                if i < 0:
                    return
                continue
            elif kinds[i] is not Identifier and kinds[i] is not BasicType and value not in _IN_TYPE_ARGUMENTS:
                return
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
            self.nest()
            if self.values[self.i] != ")":
                elements = self.parse_annotation_elements()
            self.accept(")")
            self.depth -= 1
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
        self.nest()
        values = []
        while self.values[self.i] != "}":
            if self.values[self.i] == "," and self.values[self.i + 1] == "}":
                self.i += 1
                break
            values.append(self.parse_element_value())
            if self.values[self.i] != "}":
                self.accept(",")
        self.accept("}")
        self.depth -= 1
        return AnnotationArray(start, self.last_end(), values)

    def parse_conditional(self) -> Expression:
        raise NotImplementedError

    # Types

    def parse_type(self) -> Type:
        """Parse a type with its dimensions."""
        element = self.parse_element_type()
        if self.values[self.i] == "[" or self.values[self.i] == "@":
            return self.parse_dimensions(element)
        return element

    def parse_element_type(self) -> ClassType | PrimitiveType:
        """Parse a primitive or class type without the dimensions that may follow."""
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
        """Parse a class type; the annotations before it, and their start, are passed if they have been read already."""
        values = self.values
        part_start = start = start or self.starts[self.i]
        annotations = annotations or []
        parts = []
        while True:
            name = self.parse_identifier()
            arguments = self.parse_type_arguments() if values[self.i] == "<" else None
            parts.append(TypePart(part_start, self.ends[self.i - 1], name, arguments, annotations))
            self.check_parts(len(parts))
            if values[self.i] != "." or (self.kinds[self.i + 1] is not Identifier and values[self.i + 1] != "@"):
                return ClassType(start, self.ends[self.i - 1], parts)
            self.i += 1
            part_start = self.starts[self.i]
            annotations = self.parse_annotations() if values[self.i] == "@" else []

    def parse_dimensions(self, element: Type) -> Type:
        """Return `element` with the dimensions that follow, if there are any."""
        dimensions = 0
        annotations: list[Annotation] = []
        while self.at_dimension():
            annotations += self.parse_annotations()
            self.i += 2
            dimensions += 1
            self.check_dimensions(dimensions)
        if not dimensions:
            return element
        return ArrayType(element.position, self.last_end(), element, dimensions, annotations)

    def parse_dimensions_after_name(self) -> tuple[int, list[Annotation]]:
        """Parse the `[]…` after a declared name; return their number and their annotations."""
        dimensions = 0
        annotations: list[Annotation] = []
        while self.values[self.i] == "[" or (self.values[self.i] == "@" and self.at_dimension()):
            annotations += self.parse_annotations()
            self.accept("[")
            self.accept("]")
            dimensions += 1
            self.check_dimensions(dimensions)
        return dimensions, annotations

    def at_dimension(self) -> bool:
        """Return whether a `[]` follows, possibly after its annotations."""
        after = self.skip_annotations(self.i)
        return after >= 0 and self.values[after] == "[" and self.values[after + 1] == "]"

    def check_dimensions(self, dimensions: int) -> None:
        """Refuse an array type of too many dimensions."""
        if dimensions > DIMENSIONS:
            self.refuse(f"An array type of more than {DIMENSIONS} dimensions")

    def parse_type_list(self, separator: str = ",") -> list[Type]:
        types = [self.parse_type()]
        while self.try_accept(separator):
            types.append(self.parse_type())
        return types

    def parse_type_arguments(self) -> list[TypeArgument]:
        """Parse type arguments, `<…>`; the diamond gives an empty list."""
        self.accept("<")
        arguments: list[TypeArgument] = []
        if self.try_accept(">"):
            return arguments
        self.nest()
        while True:
            arguments.append(self.parse_type_argument())
            if not self.try_accept(","):
                break
        self.accept(">")
        self.depth -= 1
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
        """Parse the type parameters of a declaration, `<…>`, if there are any."""
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
