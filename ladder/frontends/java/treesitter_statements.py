"""tree-sitter's concrete syntax → our nodes: statements, switch cases and local variables."""

from __future__ import annotations

from collections.abc import Callable

from ladder.frontends.java.limits import NESTING, LimitReached
from ladder.frontends.java.tree import (
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
    Return,
    Statement,
    Switch,
    SwitchCase,
    Synchronized,
    Throw,
    Try,
    TypeDeclaration,
    VariableDeclarator,
    While,
    Yield,
    with_dimensions,
)
from ladder.frontends.java.treesitter_expressions import ExpressionConverter
from ladder.frontends.java.treesitter_types import Syntax


class StatementConverter(ExpressionConverter):
    """The converter of statements, with one method per kind; `statement` dispatches."""

    def statement(self, syntax: Syntax) -> Statement:
        convert = _STATEMENTS.get(syntax.type)
        if convert is None or self.is_switch_expression_statement(syntax):
            self.unsupported(syntax)
        self.nest(syntax)
        statement = convert(self, syntax)
        self.depth -= 1
        return statement

    def type_declaration(self, syntax: Syntax) -> TypeDeclaration | None:
        raise NotImplementedError

    def block(self, syntax: Syntax) -> Block:
        statements = [statement for child in self.kids(syntax)[1:-1] for statement in self.block_statements(child)]
        return Block(*self.span(syntax), statements)

    def block_statements(self, syntax: Syntax) -> list[BlockStatement]:
        """Convert one node to one statement, or to two, where tree-sitter takes a switch and the empty statement after
        it for one."""
        if self.is_switch_expression_statement(syntax):
            switch, semicolon = self.kids(syntax)
            return [self.switch(switch), self.empty(semicolon)]
        return [self.type_declaration(syntax) or self.statement(syntax)]

    def is_switch_expression_statement(self, syntax: Syntax) -> bool:
        return syntax.type == "expression_statement" and self.kids(syntax)[0].type == "switch_expression"

    # Variables

    def local_variables(self, syntax: Syntax) -> LocalVariables:
        modifiers, annotations = self.modifiers(syntax)
        type = self.infer(self.type(self.field(syntax, "type")))
        declarators = self.declarators(syntax)
        return LocalVariables(*self.span(syntax), modifiers, annotations, type, declarators)

    def declarators(self, syntax: Syntax) -> list[VariableDeclarator]:
        return [self.declarator(child) for child in syntax.children_by_field_name("declarator")]

    def declarator(self, syntax: Syntax) -> VariableDeclarator:
        """Convert a declarator, or the resource of a `try`, which has the same fields."""
        name, value = self.field(syntax, "name"), syntax.child_by_field_name("value")
        dimensions, _ = self.dimensions(syntax)
        initializer = self.expression(value) if value else None
        return VariableDeclarator(self.start(name), self.end(syntax), self.text(name), dimensions, initializer)

    # Simple statements

    def empty(self, syntax: Syntax) -> Statement:
        return Empty(*self.span(syntax))

    def expression_statement(self, syntax: Syntax) -> Statement:
        return ExpressionStatement(*self.span(syntax), self.expression(self.named(syntax)[0]))

    def constructor_call(self, syntax: Syntax) -> Statement:
        target, keyword = syntax.child_by_field_name("object"), self.field(syntax, "constructor")
        return ConstructorCall(
            *self.span(syntax),
            self.expression(target) if target else None,
            self.type_arguments(syntax.child_by_field_name("type_arguments")),
            keyword.type,
            self.start(keyword),
            self.expressions(self.field(syntax, "arguments")),
        )

    def labeled(self, syntax: Syntax) -> Statement:
        label, _, statement = self.kids(syntax)
        return Labeled(*self.span(syntax), self.text(label), self.statement(statement))

    def label(self, syntax: Syntax) -> str | None:
        label = self.find(syntax, "identifier")
        return self.text(label) if label else None

    def break_(self, syntax: Syntax) -> Statement:
        return Break(*self.span(syntax), self.label(syntax))

    def continue_(self, syntax: Syntax) -> Statement:
        return Continue(*self.span(syntax), self.label(syntax))

    def return_(self, syntax: Syntax) -> Statement:
        values = self.expressions(syntax)
        return Return(*self.span(syntax), values[0] if values else None)

    def throw(self, syntax: Syntax) -> Statement:
        return Throw(*self.span(syntax), self.expressions(syntax)[0])

    def yield_(self, syntax: Syntax) -> Statement:
        return Yield(*self.span(syntax), self.expressions(syntax)[0])

    def assert_(self, syntax: Syntax) -> Statement:
        condition, *message = self.expressions(syntax)
        return Assert(*self.span(syntax), condition, message[0] if message else None)

    def synchronized(self, syntax: Syntax) -> Statement:
        lock = self.find(syntax, "parenthesized_expression")
        if lock is None:
            self.unsupported(syntax)
        return Synchronized(*self.span(syntax), self.expression(lock), self.block(self.field(syntax, "body")))

    # Control flow

    def if_(self, syntax: Syntax) -> Statement:
        """Convert a chain of `else if` without recursion."""
        chain = [syntax]
        while (alternative := chain[-1].child_by_field_name("alternative")) and alternative.type == "if_statement":
            chain.append(alternative)
        result = self.statement(alternative) if alternative else None
        for node in reversed(chain):
            condition = self.expression(self.field(node, "condition"))
            result = If(*self.span(node), condition, self.statement(self.field(node, "consequence")), result)
        assert result
        return result

    def while_(self, syntax: Syntax) -> Statement:
        condition = self.expression(self.field(syntax, "condition"))
        return While(*self.span(syntax), condition, self.statement(self.field(syntax, "body")))

    def do(self, syntax: Syntax) -> Statement:
        body = self.statement(self.field(syntax, "body"))
        return Do(*self.span(syntax), body, self.expression(self.field(syntax, "condition")))

    def for_(self, syntax: Syntax) -> Statement:
        initializers: list[LocalVariables | Expression] = []
        for child in syntax.children_by_field_name("init"):
            if child.type == "local_variable_declaration":
                variables = self.local_variables(child)
                variables.end = variables.declarators[-1].end
                initializers.append(variables)
            else:
                initializers.append(self.expression(child))
        condition = syntax.child_by_field_name("condition")
        return For(
            *self.span(syntax),
            initializers,
            self.expression(condition) if condition else None,
            [self.expression(child) for child in syntax.children_by_field_name("update")],
            self.statement(self.field(syntax, "body")),
        )

    def for_each(self, syntax: Syntax) -> Statement:
        variable = self.parameter(syntax)
        iterable = self.expression(self.field(syntax, "value"))
        return ForEach(*self.span(syntax), variable, iterable, self.statement(self.field(syntax, "body")))

    def parameter(self, syntax: Syntax) -> Parameter:
        """Convert a formal parameter, or the variable of an enhanced `for`, which has the same fields."""
        modifiers, annotations = self.modifiers(syntax)
        first = self.find(syntax, "modifiers") or self.field(syntax, "type")
        name, dimensions = self.field(syntax, "name"), syntax.child_by_field_name("dimensions")
        type = with_dimensions(self.infer(self.type(self.field(syntax, "type"))), *self.dimensions(syntax))
        end = self.end(dimensions or name)
        return Parameter(self.start(first), end, modifiers, annotations, type, self.text(name), self.start(name), False)

    def try_(self, syntax: Syntax) -> Statement:
        specification = syntax.child_by_field_name("resources")
        resources = [self.resource(child) for child in self.named(specification)] if specification else []
        if len(resources) > NESTING:
            raise LimitReached(f"Nested more than {NESTING:,} levels deep", self.start(syntax))
        catches = [self.catch(child) for child in syntax.children if child.type == "catch_clause"]
        finally_clause = self.find(syntax, "finally_clause")
        finally_body = self.block(self.named(finally_clause)[0]) if finally_clause else None
        return Try(*self.span(syntax), resources, self.block(self.field(syntax, "body")), catches, finally_body)

    def resource(self, syntax: Syntax) -> LocalVariables | Expression:
        type = syntax.child_by_field_name("type")
        if type is None:
            return self.expression(self.named(syntax)[0])
        modifiers, annotations = self.modifiers(syntax)
        declared = self.infer(self.type(type))
        return LocalVariables(*self.span(syntax), modifiers, annotations, declared, [self.declarator(syntax)])

    def catch(self, syntax: Syntax) -> Catch:
        parameter, types = self.find(syntax, "catch_formal_parameter"), None
        if parameter:
            types = self.find(parameter, "catch_type")
        if parameter is None or types is None:
            self.unsupported(syntax)
        modifiers, annotations = self.modifiers(parameter)
        name = self.field(parameter, "name")
        converted = CatchParameter(
            *self.span(parameter), modifiers, annotations, [self.type(child) for child in self.named(types)],
            self.text(name), self.start(name),
        )  # fmt: skip
        return Catch(*self.span(syntax), converted, self.block(self.field(syntax, "body")))

    # Switch

    def switch(self, syntax: Syntax) -> Statement:
        selector = self.expression(self.field(syntax, "condition"))
        return Switch(*self.span(syntax), selector, self.switch_cases(self.field(syntax, "body"), False))

    def switch_cases(self, syntax: Syntax, yields: bool) -> list[SwitchCase]:
        cases = []
        for child in self.named(syntax):
            if child.type == "switch_rule":
                label, _, body = self.kids(child)
                labels, guard = self.labels(label)
                if body.type != "expression_statement":
                    statement = self.statement(body)
                else:
                    kind = Yield if yields else ExpressionStatement
                    statement = kind(*self.span(body), self.expressions(body)[0])
                cases.append(SwitchCase(*self.span(child), labels, guard, True, [statement]))
            else:
                cases += self.switch_group(child)
        return cases

    def switch_group(self, syntax: Syntax) -> list[SwitchCase]:
        """Convert `case 1: case 2: statements` to one case for each label."""
        cases: list[SwitchCase] = []
        for child in self.kids(syntax):
            if child.type == "switch_label":
                labels, guard = self.labels(child)
                cases.append(SwitchCase(*self.span(child), labels, guard, False, []))
            elif child.type == ":":
                cases[-1].end = self.end(child)
            else:
                cases[-1].statements += self.block_statements(child)
                cases[-1].end = self.end(child)
        return cases

    def labels(self, syntax: Syntax) -> tuple[list[Expression | Pattern | DefaultLabel], Expression | None]:
        labels: list[Expression | Pattern | DefaultLabel] = []
        guard = None
        for child in self.kids(syntax):
            if child.type == "default" or self.text(child) == "default":  # a name to it in `case null, default`
                labels.append(DefaultLabel(*self.span(child)))
            elif child.type == "pattern":
                labels.append(self.pattern(child))
            elif child.type == "guard":
                guard = self.expression(self.named(child)[0])
            elif child.is_named:
                labels.append(self.expression(child))
        return labels, guard


_STATEMENTS: dict[str, Callable[[StatementConverter, Syntax], Statement]] = {
    "block": StatementConverter.block,
    ";": StatementConverter.empty,
    "local_variable_declaration": StatementConverter.local_variables,
    "expression_statement": StatementConverter.expression_statement,
    "explicit_constructor_invocation": StatementConverter.constructor_call,
    "labeled_statement": StatementConverter.labeled,
    "if_statement": StatementConverter.if_,
    "while_statement": StatementConverter.while_,
    "do_statement": StatementConverter.do,
    "for_statement": StatementConverter.for_,
    "enhanced_for_statement": StatementConverter.for_each,
    "switch_expression": StatementConverter.switch,
    "break_statement": StatementConverter.break_,
    "continue_statement": StatementConverter.continue_,
    "return_statement": StatementConverter.return_,
    "throw_statement": StatementConverter.throw,
    "yield_statement": StatementConverter.yield_,
    "assert_statement": StatementConverter.assert_,
    "synchronized_statement": StatementConverter.synchronized,
    "try_statement": StatementConverter.try_,
    "try_with_resources_statement": StatementConverter.try_,
}
