"""Parsing of primary expressions with their selectors, of object and array creation, and the kinds of literals."""

from __future__ import annotations

from javalang.tokenizer import (
    BasicType,
    BinaryInteger,
    Boolean,
    Character,
    DecimalFloatingPoint,
    DecimalInteger,
    HexFloatingPoint,
    HexInteger,
    Identifier,
    JavaToken,
    Null,
    OctalInteger,
    String,
)

from ladder.frontends.java.lexer import TextBlock, Tokens
from ladder.frontends.java.limits import LINKS, Budget
from ladder.frontends.java.parser_types import TypeParser
from ladder.frontends.java.tree import (
    Annotation,
    ArrayAccess,
    ArrayInitializer,
    ClassBody,
    ClassLiteral,
    ConstructorCall,
    Expression,
    FieldAccess,
    Lambda,
    Literal,
    MethodCall,
    MethodReference,
    Name,
    New,
    NewArray,
    Position,
    PrimitiveType,
    Super,
    SwitchCase,
    SwitchExpression,
    This,
    Type,
    TypeArgument,
    Update,
)


class PrimaryParser(TypeParser):
    """The productions of primary expressions.

    `no_arrow` is set while what stands before the arrow of a switch case is read: `case (1) -> …` and `when (a > b) ->
    …` hold no lambda. `statement` is the index of the token at which the current statement began: a qualified
    constructor call may stand only there. `in_switch` is the number of enclosing switch expressions, `bodies` that of
    enclosing types and lambdas.
    """

    def __init__(self, tokens: Tokens, budget: Budget | None = None) -> None:
        super().__init__(tokens, budget)
        self.lambdas = self.lambda_parentheses()
        self.no_arrow = False
        self.statement = -1
        self.in_switch = 0
        self.bodies = 0

    def lambda_parentheses(self) -> set[int]:
        """The indexes of all `(` whose `)` is followed by `->`."""
        values = self.values
        if "->" not in values:
            return set()
        return {opening for opening, closing in self.closing.items() if values[closing + 1] == "->"}

    def parse_expression(self) -> Expression:
        raise NotImplementedError

    def parse_lambda(self) -> Lambda:
        raise NotImplementedError

    def parse_class_body(self) -> ClassBody:
        raise NotImplementedError

    def parse_switch_cases(self, yields: bool) -> list[SwitchCase]:
        raise NotImplementedError

    # Primaries

    def parse_primary(self) -> Expression:
        i = self.i
        kind = self.kinds[i]
        start = self.starts[i]
        if kind is Identifier:
            if self.values[i + 1] == "->" and not self.no_arrow:
                return self.parse_lambda()
            return self.parse_selectors(start, self.parse_named())
        if kind in LITERAL_KINDS:
            self.i = i + 1
            value = self.values[i]
            literal = Literal(start, self.ends[i], literal_kind(kind, value), value)
            return self.parse_selectors(start, literal) if kind in _LITERALS_WITH_MEMBERS else literal
        value = self.values[i]
        if value == "this":
            self.i = i + 1
            return self.parse_selectors(start, This(start, self.ends[i], None))
        if value == "new":
            return self.parse_selectors(start, self.parse_creator(start, None))
        if value == "super":
            self.i = i + 1
            if self.values[i + 1] not in (".", "::"):
                self.illegal("Expected . after super")
            return self.parse_selectors(start, Super(start, self.ends[i], None))
        if value == "switch":
            return self.parse_selectors(start, self.parse_switch_expression())
        if kind is BasicType or value == "void":
            return self.parse_selectors(start, self.parse_type_primary())
        if value == "@":
            return self.parse_method_reference(start, self.parse_type())
        self.illegal("Expected an expression")

    def parse_named(self) -> Expression:
        """Parse what begins with a name: the name itself, a call, `T.class`, `T.this`, `T.super`, `T<…>::m`,
        `T[]::new`."""
        values, kinds, starts = self.values, self.kinds, self.starts
        first = i = self.i
        while values[i + 1] == "." and kinds[i + 2] is Identifier:
            i += 2
        self.check_parts((i - first >> 1) + 1)
        following = values[i + 1]
        start = starts[first]
        if following == "(":
            self.i = i + 1
            target = self.name(first, i - 2) if i > first else None
            arguments = self.parse_arguments()
            return MethodCall(start, self.ends[self.i - 1], target, [], values[i], starts[i], arguments)
        if following == ".":
            after = values[i + 2]
            if after == "class":
                return self.parse_type_primary()
            if after == "this":
                self.i = i + 3
                return This(start, self.last_end(), self.name(first, i))
            if after == "super" and values[i + 3] != "(":
                self.i = i + 3
                return Super(start, self.last_end(), self.name(first, i))
            if after == "@":
                return self.parse_method_reference(start, self.parse_type())
        elif following == "<":
            skipped = self.skip_type(first)
            if skipped > 0 and values[skipped] == "::":
                return self.parse_method_reference(start, self.parse_type())
        elif following == "[" and values[i + 2] == "]":
            return self.parse_type_primary()
        self.i = i + 1
        return self.name(first, i)

    def name(self, first: int, last: int) -> Name:
        """Return the dotted name from token `first` to token `last`."""
        if first == last:
            return Name(self.starts[first], self.ends[first], (self.values[first],), (self.starts[first],))
        parts, positions = self.values[first : last + 1 : 2], self.starts[first : last + 1 : 2]
        return Name(positions[0], self.ends[last], tuple(parts), tuple(positions))

    def parse_type_primary(self) -> Expression:
        """Parse `T.class` or `T::m`, where T is primitive, void or has dimensions."""
        start = self.starts[self.i]
        type: Type
        if self.values[self.i] == "void":
            self.i += 1
            type = PrimitiveType(start, self.last_end(), "void", [])
        else:
            type = self.parse_type()
        if self.values[self.i] == "::":
            return self.parse_method_reference(start, type)
        self.accept(".")
        self.accept("class")
        return ClassLiteral(start, self.last_end(), type)

    def parse_selectors(self, start: Position, primary: Expression) -> Expression:
        """Parse all `.name`, `.name()`, `[…]`, `::name`, `++` that follow `primary`, which begins at `start`."""
        values, kinds, starts, ends = self.values, self.kinds, self.starts, self.ends
        links = 0
        while True:
            i = self.i
            value = values[i]
            if value == ".":
                if kinds[i + 1] is Identifier:
                    self.i = i + 2
                    if values[i + 2] == "(":
                        arguments = self.parse_arguments()
                        primary = MethodCall(
                            start, ends[self.i - 1], primary, [], values[i + 1], starts[i + 1], arguments
                        )
                    else:
                        primary = FieldAccess(start, ends[i + 1], primary, values[i + 1], starts[i + 1])
                else:
                    primary = self.parse_special_selector(start, primary)
            elif value == "[":
                self.i = i + 1
                index = self.parse_expression()
                self.accept("]")
                primary = ArrayAccess(start, ends[self.i - 1], primary, index)
            elif value == "++" or value == "--":
                self.i = i + 1
                primary = Update(start, ends[i], value, False, primary)
            elif value == "::":
                primary = self.parse_method_reference(start, primary)
            else:
                return primary
            links += 1
            if links > LINKS:
                self.refuse(f"A chain of more than {LINKS:,} selectors")

    def parse_special_selector(self, start: Position, target: Expression) -> Expression:
        """Parse `.new T()`, `.<T>m()`, `.super(…)` or `.<T>super(…)` after `target`."""
        self.i += 1
        if self.values[self.i] == "new":
            return self.parse_creator(start, target)
        type_arguments = self.parse_type_arguments() if self.values[self.i] == "<" else []
        name_position = self.starts[self.i]
        if self.values[self.i] == "super":
            if self.starts[self.statement] != start:
                self.illegal("A constructor call must be a statement")
            return self.parse_constructor_call(start, target, type_arguments)  # type: ignore[return-value]
        if issubclass(self.kinds[self.i], String):
            self.illegal("String templates are no part of Java: they were withdrawn after Java 22")
        if not type_arguments:
            self.illegal("Expected a name")
        name = self.parse_identifier()
        arguments = self.parse_arguments()
        return MethodCall(start, self.last_end(), target, type_arguments, name, name_position, arguments)

    def parse_constructor_call(
        self, start: Position, target: Expression | None, type_arguments: list[TypeArgument]
    ) -> ConstructorCall:
        """Parse `this(…);` or `super(…);` from its keyword on."""
        keyword, position = self.values[self.i], self.starts[self.i]
        self.i += 1
        arguments = self.parse_arguments()
        if self.values[self.i] != ";":
            self.illegal("Expected ;")
        return ConstructorCall(start, self.ends[self.i], target, type_arguments, keyword, position, arguments)

    def parse_method_reference(self, start: Position, target: Expression | Type) -> MethodReference:
        self.accept("::")
        type_arguments = self.parse_type_arguments() if self.values[self.i] == "<" else []
        position = self.starts[self.i]
        if self.try_accept("new"):
            name = "new"
        else:
            name = self.parse_identifier()
        return MethodReference(start, self.last_end(), target, type_arguments, name, position)

    def parse_par_expression(self) -> Expression:
        """Parse `(expression)`, without selectors after it."""
        self.accept("(")
        before, self.no_arrow = self.no_arrow, False
        expression = self.parse_expression()
        self.no_arrow = before
        self.accept(")")
        return expression

    def parse_arguments(self) -> list[Expression]:
        self.accept("(")
        if self.values[self.i] == ")":
            self.i += 1
            return []
        before, self.no_arrow = self.no_arrow, False
        arguments = [self.parse_expression()]
        while self.values[self.i] == ",":
            self.i += 1
            arguments.append(self.parse_expression())
        self.no_arrow = before
        self.accept(")")
        return arguments

    # Creation

    def parse_creator(self, start: Position, target: Expression | None) -> Expression:
        """Parse `new …` at the keyword; `start` is the beginning of the target, if there is one."""
        new_position = self.starts[self.i]
        self.i += 1
        type_arguments = self.parse_type_arguments() if self.values[self.i] == "<" else []
        type = self.parse_element_type()
        if isinstance(type, PrimitiveType) or self.values[self.i] in ("[", "@"):
            if target or type_arguments:
                self.illegal("Expected (")
            return self.parse_array_creator(start, type)
        arguments = self.parse_arguments()
        body = self.parse_class_body() if self.values[self.i] == "{" else None
        return New(start, self.last_end(), target, type_arguments, new_position, type, arguments, body)

    def parse_array_creator(self, start: Position, element: Type) -> NewArray:
        lengths: list[Expression] = []
        dimensions = 0
        annotations: list[Annotation] = []
        while self.values[self.i] == "[" or self.values[self.i] == "@":
            annotations += self.parse_annotations()
            self.accept("[")
            self.check_dimensions(dimensions + 1)
            if self.values[self.i] != "]":
                if len(lengths) < dimensions:
                    self.illegal("Expected ]")
                lengths.append(self.parse_expression())
            self.accept("]")
            dimensions += 1
        initializer = None
        if not lengths:
            if not dimensions:
                self.illegal("Expected [")
            initializer = self.parse_array_initializer()
        return NewArray(start, self.last_end(), element, lengths, dimensions, initializer, annotations)

    def parse_array_initializer(self) -> ArrayInitializer:
        start = self.starts[self.i]
        self.accept("{")
        self.nest()
        elements: list[Expression] = []
        values = self.values
        while values[self.i] != "}":
            if values[self.i] == "," and not elements:
                self.i += 1
                break
            elements.append(self.parse_variable_initializer())
            if values[self.i] != "}":
                self.accept(",")
        self.accept("}")
        self.depth -= 1
        return ArrayInitializer(start, self.last_end(), elements)

    def parse_variable_initializer(self) -> Expression:
        return self.parse_array_initializer() if self.values[self.i] == "{" else self.parse_expression()

    def parse_switch_expression(self) -> SwitchExpression:
        start = self.starts[self.i]
        self.i += 1
        selector = self.parse_par_expression()
        self.in_switch += 1
        cases = self.parse_switch_cases(True)
        self.in_switch -= 1
        return SwitchExpression(start, self.last_end(), selector, cases)


def literal_kind(kind: type[JavaToken], text: str) -> str:
    """Return the `kind` of a Literal node."""
    if kind in _INTEGER_KINDS:
        return "long" if text[-1] in "lL" else "int"
    if kind is DecimalFloatingPoint or kind is HexFloatingPoint:
        return "float" if text[-1] in "fF" else "double"
    return _OTHER_LITERAL_KINDS[kind]


_INTEGER_KINDS = frozenset([DecimalInteger, HexInteger, OctalInteger, BinaryInteger])
_OTHER_LITERAL_KINDS: dict[type[JavaToken], str] = {
    Character: "char",
    String: "string",
    TextBlock: "text",
    Boolean: "boolean",
    Null: "null",
}
LITERAL_KINDS = _INTEGER_KINDS | {DecimalFloatingPoint, HexFloatingPoint} | _OTHER_LITERAL_KINDS.keys()
_LITERALS_WITH_MEMBERS = frozenset([String, TextBlock])
