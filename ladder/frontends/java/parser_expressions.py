"""Parsing of operators, by one loop with a stack, and of casts, lambdas and patterns."""

from __future__ import annotations

from javalang.tokenizer import (
    BasicType,
    Identifier,
)

from ladder.frontends.java.limits import BODIES, LINKS, NESTING
from ladder.frontends.java.parser_primaries import LITERAL_KINDS, PrimaryParser
from ladder.frontends.java.tree import (
    Annotation,
    AnyPattern,
    Assignment,
    Binary,
    Block,
    Cast,
    ClassType,
    Conditional,
    Expression,
    InferredType,
    InstanceOf,
    IntersectionType,
    Lambda,
    Parameter,
    Pattern,
    Position,
    RecordPattern,
    Type,
    TypePattern,
    Unary,
    Update,
)


class ExpressionParser(PrimaryParser):
    """The productions of operators and patterns."""

    def parse_block(self) -> Block:
        raise NotImplementedError

    def parse_parameters(self) -> list[Parameter]:
        raise NotImplementedError

    def parse_variable_modifiers(self) -> tuple[list[str], list[Annotation]]:
        raise NotImplementedError

    # Operators

    def parse_expression(self) -> Expression:
        self.nest()
        i = self.i
        expression = self.parse_conditional()
        if self.values[self.i] in _ASSIGNMENT:
            expression = self.parse_assignments(i, expression)
        self.depth -= 1
        return expression

    def parse_assignments(self, i: int, target: Expression) -> Expression:
        """Parse `a = b = c` from the first operator on, nested to the right; `target`, before it, begins at token
        `i`."""
        pending: list[tuple[Position, str, Expression]] = []
        while self.values[self.i] in _ASSIGNMENT:
            pending.append((self.starts[i], self.values[self.i], target))
            if len(pending) > LINKS:
                self.refuse(f"A chain of more than {LINKS:,} assignments")
            self.i = i = self.i + 1
            target = self.parse_conditional()
        end = self.ends[self.i - 1]
        for start, operator, left in reversed(pending):
            target = Assignment(start, end, operator, left, target)
        return target

    def parse_conditional(self) -> Expression:
        """Parse `a ? b : c ? d : e`, nested to the right."""
        i = self.i
        result = self.parse_operation()
        if self.values[self.i] != "?":
            return result
        pending: list[tuple[Position, Expression, Expression]] = []
        while self.values[self.i] == "?":
            self.i += 1
            if_true = self.parse_expression()
            self.accept(":")
            pending.append((self.starts[i], result, if_true))
            i = self.i
            result = self.parse_operation()
        end = self.ends[self.i - 1]
        for start, condition, if_true in reversed(pending):
            result = Conditional(start, end, condition, if_true, result)
        return result

    def parse_operation(self) -> Expression:
        """Parse binary operators and instanceof, by precedence."""
        values, starts, ends = self.values, self.starts, self.ends
        start = starts[self.i]
        operand = self.parse_unary()
        if values[self.i] not in _PRECEDENCE:
            return operand
        pending: list[tuple[Position, Expression, str, int]] = []
        tests = 0
        while True:
            operator = values[self.i]
            width = 1
            if operator == ">":
                operator, width = self.join_shift()
            precedence = _PRECEDENCE.get(operator, 0)
            while pending and pending[-1][3] >= precedence:
                start, left, pending_operator, _ = pending.pop()
                operand = Binary(start, ends[self.i - 1], pending_operator, left, operand)
            if not precedence:
                return operand
            self.i += width
            if operator == "instanceof":
                operand = self.parse_instanceof(start, operand)
                tests += 1
                if tests > NESTING:
                    self.refuse(f"A chain of more than {NESTING:,} instanceof")
                continue
            pending.append((start, operand, operator, precedence))
            start = starts[self.i]
            operand = self.parse_unary()

    def join_shift(self) -> tuple[str, int]:
        """Return the operator that begins with the `>` here, and its number of tokens; it has no blanks."""
        i, width = self.i, 1
        while width < 3 and self.values[i + width] == ">" and self.starts[i + width] == self.ends[i + width - 1]:
            width += 1
        return ">" * width, width

    def parse_instanceof(self, start: Position, operand: Expression) -> InstanceOf:
        """Parse what follows `instanceof`."""
        after = self.skip_type(self.i)
        named = after > 0 and (self.kinds[after] is Identifier or self.values[after] == "(")
        if named or self.values[self.i] == "final":
            pattern = self.parse_pattern()
            return InstanceOf(start, self.last_end(), operand, None, pattern)
        type = self.parse_type()
        return InstanceOf(start, self.last_end(), operand, type, None)

    def parse_pattern(self) -> Pattern:
        """Parse a type pattern, a record pattern, or `_`."""
        start = self.starts[self.i]
        if self.values[self.i] == "_" and self.values[self.i + 1] in (",", ")"):
            self.i += 1
            return AnyPattern(start, self.last_end())
        modifiers, annotations = self.parse_variable_modifiers()
        type = self.infer(self.parse_type())
        if self.values[self.i] == "(" and not modifiers and not annotations:
            self.i += 1
            self.nest()
            components: list[Pattern] = []
            while self.values[self.i] != ")":
                components.append(self.parse_pattern())
                if self.values[self.i] != ")":
                    self.accept(",")
            self.i += 1
            self.depth -= 1
            return RecordPattern(start, self.last_end(), type, components)
        name_position = self.starts[self.i]
        name = self.parse_identifier()
        return TypePattern(start, self.last_end(), modifiers, annotations, type, name, name_position)

    def infer(self, type: Type) -> Type:
        """Return `type`, or an InferredType if it is a plain `var`."""
        if isinstance(type, ClassType) and len(type.parts) == 1:
            part = type.parts[0]
            if part.name == "var" and part.arguments is None and not part.annotations:
                return InferredType(type.position, type.end)
        return type

    def parse_unary(self) -> Expression:
        i = self.i
        value = self.values[i]
        if value in _PREFIX:
            self.i = i + 1
            self.nest()
            operand = self.parse_unary()
            self.depth -= 1
            if value == "++" or value == "--":
                return Update(self.starts[i], self.ends[self.i - 1], value, True, operand)
            return Unary(self.starts[i], self.ends[self.i - 1], value, operand)
        if value == "(":
            if i not in self.lambdas or self.no_arrow:
                return self.parse_cast() if self.is_cast(i + 1) else self.parse_parenthesised()
            return self.parse_lambda()
        return self.parse_primary()

    def is_cast(self, i: int) -> bool:
        """Return whether the parenthesis before token `i` begins a cast."""
        primitive = self.kinds[i] is BasicType
        after = self.skip_type(i)
        while after > 0 and self.values[after] == "&":
            primitive = False
            after = self.skip_type(after + 1)
        if after < 0 or self.values[after] != ")":
            return False
        return primitive or self.kinds[after + 1] in _CAST_KINDS or self.values[after + 1] in _CAST_VALUES

    def parse_cast(self) -> Cast:
        i = self.i
        self.i += 1
        bounds = self.parse_type_list("&")
        type = bounds[0]
        if len(bounds) > 1:
            type = IntersectionType(type.position, self.last_end(), bounds)
        self.accept(")")
        self.nest()
        operand = self.parse_unary()
        self.depth -= 1
        return Cast(self.starts[i], self.ends[self.i - 1], type, operand)

    def parse_parenthesised(self) -> Expression:
        start = self.starts[self.i]
        expression = self.parse_par_expression()
        return self.parse_selectors(start, expression)

    def parse_lambda(self) -> Lambda:
        i = self.i
        parameters = []
        if self.kinds[i] is Identifier:
            parameters.append(self.parse_inferred_parameter())
        elif self.kinds[i + 1] is Identifier and self.values[i + 2] in (",", ")"):
            self.i += 1
            parameters.append(self.parse_inferred_parameter())
            while self.try_accept(","):
                parameters.append(self.parse_inferred_parameter())
            self.accept(")")
        else:
            parameters = self.parse_parameters()
        self.accept("->")
        self.enter_body()
        body = self.parse_block() if self.values[self.i] == "{" else self.parse_expression()
        self.bodies -= 1
        return Lambda(self.starts[i], self.ends[self.i - 1], parameters, body)

    def enter_body(self) -> None:
        """Enter the body of a type or lambda; raise LimitReached if too many are nested."""
        self.bodies += 1
        if self.bodies > BODIES:
            self.refuse(f"More than {BODIES} types and lambdas inside one another")

    def parse_inferred_parameter(self) -> Parameter:
        start = self.starts[self.i]
        name = self.parse_identifier()
        return Parameter(start, self.last_end(), [], [], None, name, start, False)


_CAST_KINDS = LITERAL_KINDS | {Identifier, BasicType}
_CAST_VALUES = frozenset(["(", "!", "~", "this", "super", "new", "switch", "void"])

_PREFIX = frozenset(["++", "--", "!", "~", "+", "-"])
_ASSIGNMENT = frozenset(["=", "+=", "-=", "*=", "/=", "&=", "|=", "^=", "%=", "<<=", ">>=", ">>>="])
_PRECEDENCE = {
    operator: level
    for level, operators in enumerate(
        ["||", "&&", "|", "^", "&", "== !=", "< > <= >= instanceof", "<< >> >>>", "+ -", "* / %"], start=1
    )
    for operator in operators.split()
}
