"""Parsing of statements, blocks, switch cases and local variables."""

from __future__ import annotations

from collections.abc import Callable

from javalang.tokenizer import BasicType, Identifier, Modifier

from ladder.frontends.java.parser_expressions import ExpressionParser
from ladder.frontends.java.tree import (
    Annotation,
    Assert,
    Block,
    BlockStatement,
    Break,
    Catch,
    CatchParameter,
    ConstructorCall,
    Continue,
    DefaultLabel,
    Do,
    Empty,
    Expression,
    ExpressionStatement,
    For,
    ForEach,
    If,
    Labeled,
    LocalVariables,
    Parameter,
    Pattern,
    Position,
    Return,
    Statement,
    Switch,
    SwitchCase,
    Synchronized,
    Throw,
    Try,
    Type,
    TypeDeclaration,
    VariableDeclarator,
    While,
    Yield,
    with_dimensions,
)


class StatementParser(ExpressionParser):
    """The productions of statements; each `parse_…_statement` begins at its keyword."""

    def parse_type_declaration_at(
        self, start: Position, modifiers: list[str], annotations: list[Annotation]
    ) -> TypeDeclaration:
        raise NotImplementedError

    def at_type_declaration(self) -> bool:
        raise NotImplementedError

    def parse_modifiers(self) -> tuple[list[str], list[Annotation]]:
        raise NotImplementedError

    # Blocks

    def parse_block(self) -> Block:
        start = self.starts[self.i]
        self.accept("{")
        before, self.no_arrow = self.no_arrow, False
        statements: list[BlockStatement] = []
        values = self.values
        while values[self.i] != "}":
            statements.append(self.parse_block_statement())
        self.no_arrow = before
        self.i += 1
        return Block(start, self.ends[self.i - 1], statements)

    def parse_block_statement(self) -> BlockStatement:
        """Parse a statement, local variables or a local type."""
        i = self.i
        kind = self.kinds[i]
        if kind is Identifier:
            if self.at_local_variables():
                return self.parse_local_variables([], [])
            if self.at_type_declaration() or self.values[i] in ("non", "sealed") and self.at_modified_declaration():
                return self.parse_modified_declaration()
        elif self.values[i] in _STATEMENTS:
            return self.parse_statement()
        elif kind is BasicType:
            if self.at_local_variables():
                return self.parse_local_variables([], [])
        elif kind is Modifier or self.values[i] in _DECLARATION_STARTS:
            return self.parse_modified_declaration()
        return self.parse_statement()

    def at_local_variables(self) -> bool:
        """Return whether a type and a name follow: `T a`, but not `record R(`."""
        i = self.i
        following = self.kinds[i + 1]
        if following is Identifier:
            return not self.at_type_declaration() and not (self.in_switch and self.values[i] == "yield")
        if self.values[i + 1] in _AFTER_TYPE_NAME:
            after = self.skip_type(i)
            return after > 0 and self.kinds[after] is Identifier
        return False

    def at_modified_declaration(self) -> bool:
        """Return whether contextual modifiers (sealed, non-sealed) begin a declaration here."""
        i = self.i + 1
        if self.values[i - 1] == "non":
            if self.values[i] != "-" or self.values[i + 1] != "sealed":
                return False
            i += 2
        return self.kinds[i] is Modifier or self.values[i] in _DECLARATION_STARTS

    def parse_modified_declaration(self) -> BlockStatement:
        start = self.starts[self.i]
        modifiers, annotations = self.parse_modifiers()
        if self.at_type_declaration():
            return self.parse_type_declaration_at(start, modifiers, annotations)
        return self.parse_local_variables(modifiers, annotations, start)

    def parse_local_variables(
        self, modifiers: list[str], annotations: list[Annotation], start: Position | None = None
    ) -> LocalVariables:
        """Parse a declaration of local variables with its `;`, after the modifiers."""
        start = start or self.starts[self.i]
        type = self.infer(self.parse_type())
        declarators = self.parse_variable_declarators()
        self.accept(";")
        return LocalVariables(start, self.ends[self.i - 1], modifiers, annotations, type, declarators)

    def parse_variable_declarators(self) -> list[VariableDeclarator]:
        declarators = [self.parse_variable_declarator()]
        while self.values[self.i] == ",":
            self.i += 1
            declarators.append(self.parse_variable_declarator())
        return declarators

    def parse_variable_declarator(self) -> VariableDeclarator:
        start = self.starts[self.i]
        name = self.parse_identifier()
        dimensions = 0
        if self.values[self.i] == "[" or self.values[self.i] == "@":
            dimensions, _ = self.parse_dimensions_after_name()
        initializer = None
        if self.values[self.i] == "=":
            self.i += 1
            initializer = self.parse_variable_initializer()
        return VariableDeclarator(start, self.ends[self.i - 1], name, dimensions, initializer)

    # Statements

    def parse_statement(self) -> Statement:
        i = self.i
        value = self.values[i]
        handler = _STATEMENTS.get(value)
        if handler:
            self.nest()
            statement = handler(self)
            self.depth -= 1
            return statement
        if self.kinds[i] is Identifier:
            if self.values[i + 1] == ":":
                self.i += 2
                self.nest()
                statement = self.parse_statement()
                self.depth -= 1
                return Labeled(self.starts[i], self.ends[self.i - 1], value, statement)
            if value == "yield" and self.at_yield():
                return self.parse_yield_statement()
        elif value == "this" or value == "super":
            if self.values[i + 1] == "(":
                call = self.parse_constructor_call(self.starts[i], None, [])
                self.i += 1
                return call
        elif value == "<":
            type_arguments = self.parse_type_arguments()
            if self.values[self.i] not in ("this", "super"):
                self.illegal("Expected this or super")
            call = self.parse_constructor_call(self.starts[i], None, type_arguments)
            self.i += 1
            return call
        return self.parse_expression_statement()

    def parse_expression_statement(self) -> Statement:
        i = self.statement = self.i
        expression = self.parse_expression()
        self.accept(";")
        if isinstance(expression, ConstructorCall):
            return expression
        return ExpressionStatement(self.starts[i], self.ends[self.i - 1], expression)

    def at_yield(self) -> bool:
        """Return whether this `yield` is the statement: in a switch expression, and not `yield = 1` or `yield++`."""
        following = self.values[self.i + 1]
        if following in ("++", "--") and self.values[self.i + 2] == ";":
            return False
        return self.in_switch > 0 and following not in _NOT_AFTER_YIELD

    def parse_yield_statement(self) -> Yield:
        i = self.i
        self.i += 1
        value = self.parse_expression()
        self.accept(";")
        return Yield(self.starts[i], self.last_end(), value)

    def parse_empty_statement(self) -> Empty:
        i = self.i
        self.i += 1
        return Empty(self.starts[i], self.ends[i])

    def parse_if_statement(self) -> If:
        """Parse `if (a) x else if (b) y else z`, nested to the right."""
        pending: list[tuple[Position, Expression, Statement]] = []
        otherwise: Statement | None = None
        while True:
            start = self.starts[self.i]
            self.i += 1
            condition = self.parse_par_expression()
            pending.append((start, condition, self.parse_statement()))
            if not self.try_accept("else"):
                break
            if self.values[self.i] != "if":
                otherwise = self.parse_statement()
                break
        end = self.last_end()
        start, condition, then = pending.pop()
        result = If(start, end, condition, then, otherwise)
        while pending:
            start, condition, then = pending.pop()
            result = If(start, end, condition, then, result)
        return result

    def parse_while_statement(self) -> While:
        i = self.i
        self.i += 1
        condition = self.parse_par_expression()
        body = self.parse_statement()
        return While(self.starts[i], self.last_end(), condition, body)

    def parse_do_statement(self) -> Do:
        i = self.i
        self.i += 1
        body = self.parse_statement()
        self.accept("while")
        condition = self.parse_par_expression()
        self.accept(";")
        return Do(self.starts[i], self.last_end(), body, condition)

    def parse_for_statement(self) -> For | ForEach:
        i = self.i
        self.i += 1
        self.accept("(")
        start = self.starts[self.i]
        modifiers, annotations = self.parse_variable_modifiers()
        initializers: list[LocalVariables | Expression] = []
        if self.values[self.i] != ";":
            after = self.skip_type(self.i)
            if after > 0 and self.kinds[after] is Identifier:
                type = self.infer(self.parse_type())
                if self.values[self.skip_dimensions(after + 1)] == ":":
                    return self.parse_for_each(self.starts[i], start, modifiers, annotations, type)
                declarators = self.parse_variable_declarators()
                end = self.last_end()
                initializers.append(LocalVariables(start, end, modifiers, annotations, type, declarators))
            elif modifiers or annotations:
                self.illegal("Expected a variable")
            else:
                initializers += self.parse_expressions()
        self.accept(";")
        condition = None if self.values[self.i] == ";" else self.parse_expression()
        self.accept(";")
        updates = [] if self.values[self.i] == ")" else self.parse_expressions()
        self.accept(")")
        body = self.parse_statement()
        return For(self.starts[i], self.last_end(), initializers, condition, updates, body)

    def parse_for_each(
        self, start: Position, variable_start: Position, modifiers: list[str], annotations: list[Annotation], type: Type
    ) -> ForEach:
        """Parse the rest of a for-each loop, from the variable's name on."""
        variable = self.parse_named_parameter(variable_start, modifiers, annotations, type, False)
        self.accept(":")
        iterable = self.parse_expression()
        self.accept(")")
        body = self.parse_statement()
        return ForEach(start, self.last_end(), variable, iterable, body)

    def parse_named_parameter(
        self, start: Position, modifiers: list[str], annotations: list[Annotation], type: Type, varargs: bool
    ) -> Parameter:
        """Parse a parameter from its name on, with the dimensions after it."""
        name_position = self.starts[self.i]
        name = self.parse_identifier()
        if self.values[self.i] == "[" or self.values[self.i] == "@":
            type = with_dimensions(type, *self.parse_dimensions_after_name())
        return Parameter(start, self.last_end(), modifiers, annotations, type, name, name_position, varargs)

    def parse_expressions(self) -> list[Expression]:
        expressions = [self.parse_expression()]
        while self.try_accept(","):
            expressions.append(self.parse_expression())
        return expressions

    def parse_break_statement(self) -> Break:
        i = self.i
        label = self.parse_label()
        return Break(self.starts[i], self.last_end(), label)

    def parse_continue_statement(self) -> Continue:
        i = self.i
        label = self.parse_label()
        return Continue(self.starts[i], self.last_end(), label)

    def parse_label(self) -> str | None:
        self.i += 1
        label = self.parse_identifier() if self.kinds[self.i] is Identifier else None
        self.accept(";")
        return label

    def parse_return_statement(self) -> Return:
        i = self.i
        self.i += 1
        value = None if self.values[self.i] == ";" else self.parse_expression()
        self.accept(";")
        return Return(self.starts[i], self.ends[self.i - 1], value)

    def parse_throw_statement(self) -> Throw:
        i = self.i
        self.i += 1
        value = self.parse_expression()
        self.accept(";")
        return Throw(self.starts[i], self.last_end(), value)

    def parse_assert_statement(self) -> Assert:
        i = self.i
        self.i += 1
        condition = self.parse_expression()
        message = self.parse_expression() if self.try_accept(":") else None
        self.accept(";")
        return Assert(self.starts[i], self.last_end(), condition, message)

    def parse_synchronized_statement(self) -> Synchronized:
        i = self.i
        self.i += 1
        lock = self.parse_par_expression()
        body = self.parse_block()
        return Synchronized(self.starts[i], self.last_end(), lock, body)

    # Try

    def parse_try_statement(self) -> Try:
        i = self.i
        self.i += 1
        resources: list[LocalVariables | Expression] = []
        if self.try_accept("("):
            while self.values[self.i] != ")":
                resources.append(self.parse_resource())
                self.nest()
                if self.values[self.i] != ")":
                    self.accept(";")
            self.i += 1
        body = self.parse_block()
        self.depth -= len(resources)
        catches = []
        while self.values[self.i] == "catch":
            catches.append(self.parse_catch_clause())
        finally_body = self.parse_block() if self.try_accept("finally") else None
        if not resources and not catches and not finally_body:
            self.illegal("Expected catch or finally")
        return Try(self.starts[i], self.last_end(), resources, body, catches, finally_body)

    def parse_resource(self) -> LocalVariables | Expression:
        start = self.starts[self.i]
        modifiers, annotations = self.parse_variable_modifiers()
        after = self.skip_type(self.i)
        if not modifiers and not annotations and (after < 0 or self.kinds[after] is not Identifier):
            return self.parse_expression()
        type = self.infer(self.parse_type())
        declarators = [self.parse_variable_declarator()]
        return LocalVariables(start, self.last_end(), modifiers, annotations, type, declarators)

    def parse_catch_clause(self) -> Catch:
        i = self.i
        self.i += 1
        self.accept("(")
        start = self.starts[self.i]
        modifiers, annotations = self.parse_variable_modifiers()
        types = self.parse_type_list("|")
        name_position = self.starts[self.i]
        name = self.parse_identifier()
        parameter = CatchParameter(start, self.last_end(), modifiers, annotations, types, name, name_position)
        self.accept(")")
        body = self.parse_block()
        return Catch(self.starts[i], self.last_end(), parameter, body)

    # Switch

    def parse_switch_statement(self) -> Statement:
        i = self.i
        self.i += 1
        selector = self.parse_par_expression()
        cases = self.parse_switch_cases(False)
        return Switch(self.starts[i], self.last_end(), selector, cases)

    def parse_switch_cases(self, yields: bool) -> list[SwitchCase]:
        """Parse the cases of a switch with their braces; `yields`: an arrow case with an expression yields it."""
        self.accept("{")
        before = self.no_arrow
        cases = []
        while self.values[self.i] != "}":
            cases.append(self.parse_switch_case(yields))
        self.no_arrow = before
        self.i += 1
        return cases

    def parse_switch_case(self, yields: bool) -> SwitchCase:
        i = self.i
        self.no_arrow = True
        labels = self.parse_labels()
        guard = None
        if self.values[self.i] == "when":
            self.i += 1
            guard = self.parse_expression()
        self.no_arrow = False
        arrow = self.try_accept("->")
        statements: list[BlockStatement] = []
        if arrow:
            statements.append(self.parse_arrow_body(yields))
        else:
            self.accept(":")
            while self.values[self.i] not in _CASE_ENDS:
                statements.append(self.parse_block_statement())
        return SwitchCase(self.starts[i], self.last_end(), labels, guard, arrow, statements)

    def parse_labels(self) -> list[Expression | Pattern | DefaultLabel]:
        i = self.i
        if self.try_accept("default"):
            return [DefaultLabel(self.starts[i], self.ends[i])]
        self.accept("case")
        labels = [self.parse_case_label()]
        while self.try_accept(","):
            labels.append(self.parse_case_label())
        return labels

    def parse_case_label(self) -> Expression | Pattern | DefaultLabel:
        i = self.i
        if self.try_accept("default"):
            return DefaultLabel(self.starts[i], self.ends[i])
        if self.values[i] in ("final", "@"):
            return self.parse_pattern()
        after = self.skip_type(i)
        if after > 0 and (self.kinds[after] is Identifier or self.values[after] == "("):
            return self.parse_pattern()
        return self.parse_conditional()

    def parse_arrow_body(self, yields: bool) -> Statement:
        value = self.values[self.i]
        if value == "{":
            return self.parse_block()
        if value == "throw":
            return self.parse_throw_statement()
        i = self.statement = self.i
        expression = self.parse_expression()
        self.accept(";")
        kind = Yield if yields else ExpressionStatement
        return kind(self.starts[i], self.last_end(), expression)


_STATEMENTS: dict[str, Callable[[StatementParser], Statement]] = {
    "{": StatementParser.parse_block,
    ";": StatementParser.parse_empty_statement,
    "if": StatementParser.parse_if_statement,
    "while": StatementParser.parse_while_statement,
    "do": StatementParser.parse_do_statement,
    "for": StatementParser.parse_for_statement,
    "break": StatementParser.parse_break_statement,
    "continue": StatementParser.parse_continue_statement,
    "return": StatementParser.parse_return_statement,
    "throw": StatementParser.parse_throw_statement,
    "assert": StatementParser.parse_assert_statement,
    "synchronized": StatementParser.parse_synchronized_statement,
    "try": StatementParser.parse_try_statement,
    "switch": StatementParser.parse_switch_statement,
}
_TYPE_KEYWORDS = frozenset(["class", "interface", "enum"])
_DECLARATION_STARTS = _TYPE_KEYWORDS | {"@"}
_AFTER_TYPE_NAME = frozenset([".", "<", "[", "@"])
_NOT_AFTER_YIELD = frozenset(["=", ".", "[", "->", "::", ")", ",", "+=", "-=", "*=", "/=", "&=", "|=", "^=", "%="])
_CASE_ENDS = frozenset(["case", "default", "}", ""])
