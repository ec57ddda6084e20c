"""Which function lowers which node: tables that the modules of this package fill, and the functions that use them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any, TypeVar

from ladder.frontends.java import ir, tree
from ladder.frontends.java.lower.body import BodyBuilder


class Unlowerable(Exception):
    """Raised for code that can be parsed but has no meaning, such as the number `08`; `description` says what it is,
    `at` where."""

    def __init__(self, description: str, at: ir.Position) -> None:
        super().__init__(description)
        self.description = description
        self.at = at


Target = tuple[str, ir.Position]
"""A variable that is to receive a value, and where the instruction that assigns it stands."""

Contexts = tuple[ir.FunctionalTarget, ...]
"""What a lambda in this place would get its type from."""

ExpressionHandler = Callable[[BodyBuilder, Any, Target | None, Contexts], ir.Operand]
StatementHandler = Callable[[BodyBuilder, Any], None]

EXPRESSIONS: dict[type[tree.Node], ExpressionHandler] = {}
AnyExpressionHandler = TypeVar("AnyExpressionHandler", bound=ExpressionHandler)
AnyStatementHandler = TypeVar("AnyStatementHandler", bound=StatementHandler)

STATEMENTS: dict[type[tree.Node], StatementHandler] = {}


def lowers_expression(*kinds: type[tree.Node]) -> Callable[[AnyExpressionHandler], AnyExpressionHandler]:
    """Register a function that lowers expressions of these kinds.

    The function returns the value as an operand; if it is given a target variable, it may assign the value to that and
    return the variable.
    """

    def register(handler: AnyExpressionHandler) -> AnyExpressionHandler:
        EXPRESSIONS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def lowers_statement(*kinds: type[tree.Node]) -> Callable[[AnyStatementHandler], AnyStatementHandler]:
    """Register a function that lowers statements of these kinds."""

    def register(handler: AnyStatementHandler) -> AnyStatementHandler:
        STATEMENTS.update(dict.fromkeys(kinds, handler))
        return handler

    return register


def statement(b: BodyBuilder, node: tree.Node) -> None:
    """Lower a statement or local declaration."""
    STATEMENTS[type(node)](b, node)


def operand(b: BodyBuilder, node: tree.Node, target: Target | None = None, contexts: Contexts = ()) -> ir.Operand:
    """Lower an expression to an operand: a variable (`target`, if the value was assigned to that) or a literal."""
    return EXPRESSIONS[type(node)](b, node, target, contexts)


def value(b: BodyBuilder, node: tree.Node, contexts: Contexts = ()) -> str:
    """Lower an expression to a variable; literals are loaded into a temporary."""
    result = EXPRESSIONS[type(node)](b, node, None, contexts)
    return result if isinstance(result, str) else materialise(b, result, None, node.position)


def assign(b: BodyBuilder, node: tree.Node, target: Target, contexts: Contexts = ()) -> None:
    """Lower an expression and assign its value to the target variable."""
    result = EXPRESSIONS[type(node)](b, node, target, contexts)
    if isinstance(result, ir.Constant):
        materialise(b, result, target, node.position)
    elif result != target[0]:
        b.emit(ir.Copy(b.new_id("assign", target[1]), target[0], result))


def materialise(b: BodyBuilder, constant: ir.Constant, target: Target | None, position: ir.Position) -> str:
    """Assign a literal to the target or to a new temporary; return that variable."""
    variable, at = target or (b.temporary(*([] if constant.type == "null" else [constant.type])), position)
    b.emit(ir.AssignConstant(b.new_id("assign", at), variable, constant))
    return variable


def destination(b: BodyBuilder, target: Target | None, position: ir.Position, *types: ir.Use) -> Target:
    """Return the target, or a new temporary (with the given evident type) that is assigned at `position`."""
    return target or (b.temporary(*types), position)


def operands(b: BodyBuilder, nodes: list[tree.Expression]) -> list[ir.Operand]:
    """Lower expressions from left to right; a variable that a later expression changes is copied before."""
    results: list[ir.Operand] = []
    marks: list[tuple[int, int]] = []
    for node in nodes:
        result = EXPRESSIONS[type(node)](b, node, None, ())
        results.append(result)
        marks.append((len(b.code), b.writes.get(result, 0) if isinstance(result, str) else 0))
    preserve(b, nodes, results, marks)
    return results


def preserve(
    b: BodyBuilder, nodes: list[tree.Expression], results: list[ir.Operand], marks: list[tuple[int, int]]
) -> None:
    """Copy the operands that were changed after their evaluation; `marks` are (length of the code, number of writes to
    the variable) just after each evaluation."""
    end = len(b.code)
    moved: list[list[ir.Code]] = []
    for index in range(len(results) - 1, -1, -1):
        result = results[index]
        if isinstance(result, str) and b.writes.get(result, 0) != marks[index][1]:
            copy = b.temporary(typed_by=(("var", result, ""),))
            at = marks[index][0]
            moved += (b.code[at:end], [ir.Copy(b.new_id("assign", nodes[index].position), copy, result)])
            results[index], end = copy, at
    if moved:
        b.code[end:] = chain.from_iterable(reversed(moved))
