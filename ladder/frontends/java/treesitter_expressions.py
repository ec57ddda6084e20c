"""tree-sitter's concrete syntax → our nodes: expressions and patterns."""

from __future__ import annotations

from collections.abc import Callable

from ladder.frontends.java.lexer import number_kind
from ladder.frontends.java.parser_primaries import literal_kind
from ladder.frontends.java.tree import (
    Annotation,
    AnyPattern,
    ArrayAccess,
    ArrayInitializer,
    Assignment,
    Binary,
    Block,
    Cast,
    ClassBody,
    ClassLiteral,
    ClassType,
    Conditional,
    Expression,
    FieldAccess,
    InstanceOf,
    IntersectionType,
    Lambda,
    Literal,
    MethodCall,
    MethodReference,
    Name,
    New,
    NewArray,
    Parameter,
    Pattern,
    Position,
    PrimitiveType,
    RecordPattern,
    Super,
    SwitchCase,
    SwitchExpression,
    This,
    Type,
    TypePattern,
    Unary,
    Update,
)
from ladder.frontends.java.treesitter_types import Syntax, TypeConverter


class ExpressionConverter(TypeConverter):
    """The converter of expressions, with one method per kind; `expression` dispatches."""

    def expression(self, syntax: Syntax) -> Expression:
        convert = _EXPRESSIONS.get(syntax.type)
        if convert is None:
            self.unsupported(syntax)
        self.nest(syntax)
        expression = convert(self, syntax)
        self.depth -= 1
        return expression

    def block(self, syntax: Syntax) -> Block:
        raise NotImplementedError

    def class_body(self, syntax: Syntax) -> ClassBody:
        raise NotImplementedError

    def switch_cases(self, syntax: Syntax, yields: bool) -> list[SwitchCase]:
        raise NotImplementedError

    def parameters(self, syntax: Syntax) -> list[Parameter]:
        raise NotImplementedError

    def expressions(self, syntax: Syntax) -> list[Expression]:
        """Convert all named children."""
        return [self.expression(child) for child in self.named(syntax)]

    # Names and literals

    def identifier(self, syntax: Syntax) -> Expression:
        start = self.start(syntax)
        return Name(start, self.end(syntax), (self.text(syntax),), (start,))

    def number(self, syntax: Syntax) -> Expression:
        text = self.text(syntax)
        return Literal(*self.span(syntax), literal_kind(number_kind(text), text), text)

    def quoted(self, syntax: Syntax) -> Expression:
        if self.find(syntax, "string_interpolation"):
            self.unsupported(syntax)
        text = self.source.raw_slice(self.offset(syntax.start_byte), self.offset(syntax.end_byte))
        read = self.text(syntax)  # quotes may be escapes
        kind = "char" if read[0] == "'" else "text" if read.startswith('"""') else "string"
        return Literal(*self.span(syntax), kind, text)

    def word(self, syntax: Syntax) -> Expression:
        text = self.text(syntax)
        return Literal(*self.span(syntax), "null" if text == "null" else "boolean", text)

    def this(self, syntax: Syntax) -> Expression:
        return This(*self.span(syntax), None)

    def super(self, syntax: Syntax) -> Expression:
        return Super(*self.span(syntax), None)

    def parenthesized(self, syntax: Syntax) -> Expression:
        (inner,) = self.named(syntax)
        return self.expression(inner)

    # Selection

    def qualifier(self, syntax: Syntax) -> Name:
        name = self.expression(syntax)
        if not isinstance(name, Name):
            self.unsupported(syntax)
        return name

    def selected(self, syntax: Syntax) -> Expression:
        """Convert the `object` of a field access or call, with the `super` that may follow it."""
        target = self.field(syntax, "object")
        following = self.kids(syntax)[2]
        if target.type != "super" and following.type == "super":
            return Super(self.start(syntax), self.end(following), self.qualifier(target))
        return self.expression(target)

    def field_access(self, syntax: Syntax) -> Expression:
        name = self.field(syntax, "field")
        target_syntax = self.field(syntax, "object")
        target = self.selected(syntax)
        start, end = self.span(syntax)
        if name.type == "this":
            return This(start, end, self.qualifier(target_syntax))
        position = self.start(name)
        if isinstance(target, Name) and target_syntax.type != "parenthesized_expression":
            self.check_parts(len(target.parts) + 1, syntax)
            return Name(start, end, (*target.parts, self.text(name)), (*target.positions, position))
        return FieldAccess(start, end, target, self.text(name), position)

    def array_access(self, syntax: Syntax) -> Expression:
        array = self.expression(self.field(syntax, "array"))
        return ArrayAccess(*self.span(syntax), array, self.expression(self.field(syntax, "index")))

    def method_invocation(self, syntax: Syntax) -> Expression:
        name = self.field(syntax, "name")
        target = self.selected(syntax) if syntax.child_by_field_name("object") else None
        type_arguments = self.type_arguments(syntax.child_by_field_name("type_arguments"))
        arguments = self.expressions(self.field(syntax, "arguments"))
        return MethodCall(*self.span(syntax), target, type_arguments, self.text(name), self.start(name), arguments)

    def method_reference(self, syntax: Syntax) -> Expression:
        target, *_, name = self.kids(syntax)
        type_arguments = self.type_arguments(self.find(syntax, "type_arguments"))
        return MethodReference(
            *self.span(syntax), self.reference_target(target), type_arguments, self.text(name), self.start(name)
        )

    def reference_target(self, syntax: Syntax) -> Expression | Type:
        """Convert what stands before `::`; tree-sitter takes a name for a type, and `T.super` for one, too."""
        if not self.is_type(syntax):
            return self.expression(syntax)
        type = self.type(syntax)
        if not isinstance(type, ClassType):
            return type
        if any(part.arguments is not None or part.annotations for part in type.parts):
            return type
        is_super = type.parts[-1].name == "super"
        parts = type.parts[:-1] if is_super else type.parts
        names, positions = tuple(part.name for part in parts), tuple(part.position for part in parts)
        name = Name(type.position, parts[-1].end, names, positions)
        return Super(type.position, type.end, name) if is_super else name

    def class_literal(self, syntax: Syntax) -> Expression:
        return ClassLiteral(*self.span(syntax), self.type_child(syntax))

    # Creation

    def object_creation(self, syntax: Syntax) -> Expression:
        kids = self.kids(syntax)
        keyword = next(child for child in kids if child.type == "new")
        target = None if kids[0].type == "new" else self.expression(kids[0])
        type = self.type(self.field(syntax, "type"), self.annotations(syntax))
        if not isinstance(type, ClassType):
            self.unsupported(syntax)
        body = self.find(syntax, "class_body")
        return New(
            *self.span(syntax),
            target,
            self.type_arguments(syntax.child_by_field_name("type_arguments")),
            self.start(keyword),
            type,
            self.expressions(self.field(syntax, "arguments")),
            self.class_body(body) if body else None,
        )

    def array_creation(self, syntax: Syntax) -> Expression:
        element = self.type(self.field(syntax, "type"), self.annotations(syntax))
        lengths: list[Expression] = []
        dimensions = 0
        annotations: list[Annotation] = []
        for child in syntax.children_by_field_name("dimensions"):
            annotations += self.annotations(child)
            if child.type == "dimensions_expr":
                dimensions += 1
                lengths.append(self.expression(self.kids(child)[-2]))
            else:
                dimensions += sum(bracket.type == "[" for bracket in child.children)
            self.check_dimensions(dimensions, child)
        value = syntax.child_by_field_name("value")
        initializer = self.array_initializer(value) if value else None
        return NewArray(*self.span(syntax), element, lengths, dimensions, initializer, annotations)

    def array_initializer(self, syntax: Syntax) -> ArrayInitializer:
        return ArrayInitializer(*self.span(syntax), self.expressions(syntax))

    # Operators

    def binary(self, syntax: Syntax) -> Expression:
        """Convert a chain of binary operators, which is nested to the left, without recursion."""
        spine = [syntax]
        while (left := self.field(spine[-1], "left")).type == "binary_expression":
            spine.append(left)
        result = self.expression(left)
        for node in reversed(spine):
            operator = self.field(node, "operator").type
            result = Binary(*self.span(node), operator, result, self.expression(self.field(node, "right")))
        return result

    def unary(self, syntax: Syntax) -> Expression:
        return self.prefixed(syntax, self.expression(self.operand(syntax)), self.end(syntax))

    def operand(self, syntax: Syntax) -> Syntax:
        """Return the operand of a prefix operator or cast."""
        return self.kids(syntax)[-1]

    def prefixed(self, syntax: Syntax, operand: Expression, end: Position) -> Expression:
        """Return the node of the prefix operator or cast that `syntax` is, applied to `operand`."""
        if syntax.type == "cast_expression":
            return Cast(self.start(syntax), end, self.cast_type(syntax), operand)
        operator = self.kids(syntax)[0].type
        if operator in ("++", "--"):
            return Update(self.start(syntax), end, operator, True, operand)
        return Unary(self.start(syntax), end, operator, operand)

    def update(self, syntax: Syntax) -> Expression:
        """Convert `++x` or `x++`; tree-sitter takes `-x++` and `(T) x++` for `(-x)++` and `((T) x)++`, which is
        corrected."""
        target, operator = self.kids(syntax)
        if target.type in ("++", "--"):
            return self.unary(syntax)
        prefixes = []
        while target.type in ("unary_expression", "cast_expression"):
            prefixes.append(target)
            target = self.operand(target)
        end = self.end(syntax)
        result: Expression = Update(self.start(target), end, operator.type, False, self.expression(target))
        for prefix in reversed(prefixes):
            result = self.prefixed(prefix, result, end)
        return result

    def cast_type(self, syntax: Syntax) -> Type:
        bounds = [self.type(child) for child in syntax.children_by_field_name("type") if child.is_named]
        if len(bounds) > 1:
            return IntersectionType(bounds[0].position, bounds[-1].end, bounds)
        return bounds[0]

    def cast(self, syntax: Syntax) -> Expression:
        """Convert a cast; tree-sitter takes some `(a) + b * c` for a cast of `+b`, and these are refused."""
        value = self.operand(syntax)
        signed = value.type == "unary_expression" and value.children[0].type in ("+", "-")
        if signed and not isinstance(self.cast_type(syntax), PrimitiveType):
            self.unsupported(syntax)
        return self.unary(syntax)

    def assignment(self, syntax: Syntax) -> Expression:
        target = self.expression(self.field(syntax, "left"))
        value = self.expression(self.field(syntax, "right"))
        return Assignment(*self.span(syntax), self.field(syntax, "operator").type, target, value)

    def conditional(self, syntax: Syntax) -> Expression:
        """Convert a chain of `? :` without recursion."""
        chain = [syntax]
        while (rest := self.field(chain[-1], "alternative")).type == "ternary_expression":
            chain.append(rest)
        result = self.expression(rest)
        for node in reversed(chain):
            condition = self.expression(self.field(node, "condition"))
            result = Conditional(*self.span(node), condition, self.expression(self.field(node, "consequence")), result)
        return result

    def lambda_(self, syntax: Syntax) -> Expression:
        head, body = self.field(syntax, "parameters"), self.field(syntax, "body")
        if head.type == "formal_parameters":
            parameters = self.parameters(head)
        else:
            names = [head] if head.type == "identifier" else self.named(head)
            parameters = [
                Parameter(*self.span(name), [], [], None, self.text(name), self.start(name), False) for name in names
            ]
        self.enter_body(syntax)
        converted = self.block(body) if body.type == "block" else self.expression(body)
        self.bodies -= 1
        return Lambda(*self.span(syntax), parameters, converted)

    def switch_expression(self, syntax: Syntax) -> Expression:
        selector = self.expression(self.field(syntax, "condition"))
        return SwitchExpression(*self.span(syntax), selector, self.switch_cases(self.field(syntax, "body"), True))

    # Patterns

    def instanceof(self, syntax: Syntax) -> Expression:
        operand = self.expression(self.field(syntax, "left"))
        record = syntax.child_by_field_name("pattern")
        if record:
            return InstanceOf(*self.span(syntax), operand, None, self.pattern(record))
        right, name = self.field(syntax, "right"), syntax.child_by_field_name("name")
        if name is None:
            return InstanceOf(*self.span(syntax), operand, self.type(right), None)
        final = self.find(syntax, "final")
        annotations: list[Annotation] = []
        start = self.start(final or right)
        if right.type == "annotated_type":
            annotations = self.annotations(right)
            right = self.kids(right)[-1]
        pattern = TypePattern(
            start, self.end(name), ["final"] if final else [], annotations,
            self.infer(self.type(right)), self.text(name), self.start(name),
        )  # fmt: skip
        return InstanceOf(*self.span(syntax), operand, None, pattern)

    def pattern(self, syntax: Syntax) -> Pattern:
        kids = self.named(syntax)
        if syntax.type == "pattern":
            return self.pattern(kids[0])
        if syntax.type == "record_pattern":
            self.nest(syntax)
            components = [self.pattern(child) for child in self.named(kids[1])]
            self.depth -= 1
            return RecordPattern(*self.span(syntax), self.type(kids[0]), components)
        if syntax.type in ("type_pattern", "record_pattern_component"):
            if kids[0].type == "underscore_pattern":
                return AnyPattern(*self.span(syntax))
            type, name = kids
            return TypePattern(
                *self.span(syntax), [], [], self.infer(self.type(type)), self.text(name), self.start(name)
            )
        self.unsupported(syntax)


_EXPRESSIONS: dict[str, Callable[[ExpressionConverter, Syntax], Expression]] = {
    "identifier": ExpressionConverter.identifier,
    "decimal_integer_literal": ExpressionConverter.number,
    "hex_integer_literal": ExpressionConverter.number,
    "octal_integer_literal": ExpressionConverter.number,
    "binary_integer_literal": ExpressionConverter.number,
    "decimal_floating_point_literal": ExpressionConverter.number,
    "hex_floating_point_literal": ExpressionConverter.number,
    "string_literal": ExpressionConverter.quoted,
    "character_literal": ExpressionConverter.quoted,
    "true": ExpressionConverter.word,
    "false": ExpressionConverter.word,
    "null_literal": ExpressionConverter.word,
    "this": ExpressionConverter.this,
    "super": ExpressionConverter.super,
    "parenthesized_expression": ExpressionConverter.parenthesized,
    "condition": ExpressionConverter.parenthesized,
    "field_access": ExpressionConverter.field_access,
    "array_access": ExpressionConverter.array_access,
    "method_invocation": ExpressionConverter.method_invocation,
    "method_reference": ExpressionConverter.method_reference,
    "class_literal": ExpressionConverter.class_literal,
    "object_creation_expression": ExpressionConverter.object_creation,
    "array_creation_expression": ExpressionConverter.array_creation,
    "array_initializer": ExpressionConverter.array_initializer,
    "binary_expression": ExpressionConverter.binary,
    "unary_expression": ExpressionConverter.unary,
    "update_expression": ExpressionConverter.update,
    "assignment_expression": ExpressionConverter.assignment,
    "ternary_expression": ExpressionConverter.conditional,
    "cast_expression": ExpressionConverter.cast,
    "lambda_expression": ExpressionConverter.lambda_,
    "switch_expression": ExpressionConverter.switch_expression,
    "instanceof_expression": ExpressionConverter.instanceof,
}
